//! The rolling update. Models rollingUpdate of pkg/controller/daemon/update.go.

use super::history::History;
use super::place::{self, node_should_run_daemon_pod};
use super::{NodePods, Rule, Sync, count};
use crate::objects::{DaemonSet, IntOrPercent, Pod, Round, UpdateStrategyType};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// Whether a new pod may stand beside an old one.
pub(super) fn surges(set: &DaemonSet) -> bool {
    limits(set, 1).0 > 0
}

/// How many nodes may have two pods, and how many may have none that is available, of so many. Percentages are rounded up.
fn limits(set: &DaemonSet, nodes: i32) -> (i32, i32) {
    let strategy = &set.spec.update_strategy;
    let is_rolling = strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let rolling = strategy.rolling_update.clone().filter(|_| is_rolling).unwrap_or_default();
    let number = |value: Option<IntOrPercent>| value.and_then(|it| it.of(nodes, Round::Up)).unwrap_or(0);
    (number(rolling.max_surge), number(rolling.max_unavailable))
}

/// What a surge does, node by node.
#[derive(Default)]
struct Surge {
    /// Nodes that have two pods, the new one not available yet.
    surging: i32,
    /// Nodes with a pod that is available.
    available: i32,
    /// Nodes whose old pod is not available: they get a new one whatever the limit.
    lost: Vec<Rc<str>>,
    candidates: Vec<Rc<str>>,
    /// Old pods that are not needed any more.
    done: Vec<Rc<Pod>>,
    /// Available pods on nodes that should have none.
    misplaced: Vec<Rc<Pod>>,
}

/// The new and the old pod of a node, of those that are not terminating.
struct NewAndOld<'p> {
    new: Option<&'p Rc<Pod>>,
    old: Option<&'p Rc<Pod>>,
}

impl Sync<'_> {
    /// None if there is more than one of either. Models findUpdatedPodsOnNode.
    fn find_updated_pods_on_node<'p>(&self, pods: &'p [Rc<Pod>], hash: &str) -> Option<NewAndOld<'p>> {
        let mut found = NewAndOld { new: None, old: None };
        for pod in pods.iter().filter(|pod| !pod.is_terminating()) {
            let is_updated = place::is_pod_updated(&self.work.gates, self.observed.set, hash, pod);
            let known = if is_updated { &mut found.new } else { &mut found.old };
            if known.replace(pod).is_some() {
                return None;
            }
        }
        Some(found)
    }

    /// Models rollingUpdate.
    pub(super) fn rolling_update(&mut self, history: &History) -> Result<(), SyncError> {
        let node_pods = self.get_nodes_to_daemon_pods(false)?;
        if !self.work.gates.workloads.updates_daemons_by_node {
            return self.roll_by_list(&node_pods, history);
        }
        let (nodes, without) = self.updated_desired_node_counts(&node_pods);
        let (surge, unavailable) = limits(self.observed.set, nodes);
        if surge > 0 {
            self.roll_by_surge(&node_pods, history, (surge, nodes))
        } else {
            let unavailable = if nodes > 0 && unavailable == 0 { 1 } else { unavailable };
            self.roll_by_deletion(&node_pods, history, unavailable, without)
        }
    }

    /// How many nodes are to have a pod, and how many of them have none. Models updatedDesiredNodeCounts.
    fn updated_desired_node_counts(&self, node_pods: &NodePods) -> (i32, i32) {
        let (mut desired, mut without) = (0, 0);
        for node in self.observed.nodes.iter().filter(|node| node_should_run_daemon_pod(self.observed.set, node).runs) {
            desired += 1;
            without += i32::from(!node_pods.contains_key(&node.metadata.name));
        }
        (desired, without)
    }

    /// Old pods that are not available go; of the others as many as may be unavailable beside the nodes that are already.
    /// Node by node, after those that have no pod.
    fn roll_by_deletion(
        &mut self,
        node_pods: &NodePods,
        history: &History,
        limit: i32,
        mut unavailable: i32,
    ) -> Result<(), SyncError> {
        let hash = history.hash();
        let (mut allowed, mut candidates) = (Vec::new(), Vec::new());
        for pods in node_pods.values() {
            match self.find_updated_pods_on_node(pods, &hash) {
                Some(NewAndOld { new: Some(new), old: None }) => unavailable += i32::from(!self.is_available(new)),
                Some(NewAndOld { new: None, old: Some(old) }) if self.is_available(old) => {
                    candidates.push(Rc::clone(old))
                }
                Some(NewAndOld { new: None, old: Some(old) }) => {
                    unavailable += 1;
                    allowed.push(Rc::clone(old));
                }
                // It is to get its pod, or to lose one too many.
                Some(_) | None => unavailable += 1,
            }
        }
        self.replace(allowed, candidates, limit, unavailable, history)
    }

    /// The same through the list of old pods, as older releases do: a node is unavailable that has no available pod, old
    /// or new. An available one may be chosen although it is terminating.
    fn roll_by_list(&mut self, node_pods: &NodePods, history: &History) -> Result<(), SyncError> {
        let (set, hash) = (self.observed.set, history.hash());
        let (mut nodes, mut unavailable) = (0, 0);
        for node in self.observed.nodes.iter().filter(|node| node_should_run_daemon_pod(set, node).runs) {
            nodes += 1;
            let is_held = |pod: &Rc<Pod>| !pod.is_terminating() && self.is_available(pod);
            let pods = node_pods.get(&node.metadata.name);
            unavailable += i32::from(!pods.into_iter().flatten().any(is_held));
        }
        let old = node_pods.values().flatten().filter(|pod| !place::is_pod_updated(&self.work.gates, set, &hash, pod));
        let (candidates, mut allowed): (Vec<Rc<Pod>>, Vec<Rc<Pod>>) =
            old.cloned().partition(|pod| self.is_available(pod));
        allowed.retain(|pod| !pod.is_terminating());
        self.replace(allowed, candidates, limits(set, nodes).1, unavailable, history)
    }

    /// Deletes old pods: those that are allowed to go, and as many candidates as may still become unavailable.
    fn replace(
        &mut self,
        allowed: Vec<Rc<Pod>>,
        candidates: Vec<Rc<Pod>>,
        limit: i32,
        unavailable: i32,
        history: &History,
    ) -> Result<(), SyncError> {
        let remaining = usize::try_from(limit.saturating_sub(unavailable)).unwrap_or(0);
        let waits = candidates.len() > remaining;
        let old: Vec<Rc<Pod>> = allowed.into_iter().chain(candidates.into_iter().take(remaining)).collect();
        let rule = if waits { Rule::DaemonUpdateLimited } else { Rule::DaemonUpdateSettled };
        if old.is_empty() || waits {
            self.work.decide(rule, Facts::Count(unavailable));
        }
        let old: Vec<(Rc<Pod>, Rule)> = old.into_iter().map(|pod| (pod, Rule::DaemonUpdateDeleted)).collect();
        self.sync_nodes(&old, &[], history)
    }

    /// A new pod beside an old one, and the old one goes once the new one is available. A pod on a node that should have none
    /// goes as soon as enough others are available.
    fn roll_by_surge(
        &mut self,
        node_pods: &NodePods,
        history: &History,
        (limit, nodes): (i32, i32),
    ) -> Result<(), SyncError> {
        let mut surge = self.surge(node_pods, history, limit)?;
        let spare = usize::try_from(surge.available - nodes).unwrap_or(0);
        // One that the cache no longer lists would be passed over: this is what it lists.
        surge.done.extend(surge.misplaced.into_iter().take(spare));
        let room = usize::try_from(limit.saturating_sub(surge.surging)).unwrap_or(0);
        if surge.candidates.len() > room {
            self.work.decide(Rule::DaemonUpdateLimited, Facts::Count(surge.surging));
        } else if surge.lost.is_empty() && surge.candidates.is_empty() && surge.done.is_empty() {
            self.work.decide(Rule::DaemonUpdateSettled, Facts::Count(surge.surging));
        }
        let new: Vec<Rc<str>> = surge.lost.into_iter().chain(surge.candidates.into_iter().take(room)).collect();
        if !new.is_empty() {
            self.work.decide(Rule::DaemonUpdateSurged, Facts::Count(count(new.len())));
        }
        let done: Vec<(Rc<Pod>, Rule)> = surge.done.into_iter().map(|pod| (pod, Rule::DaemonUpdateDeleted)).collect();
        self.sync_nodes(&done, &new, history)
    }

    fn surge(&self, node_pods: &NodePods, history: &History, limit: i32) -> Result<Surge, SyncError> {
        let (set, hash, nodes) = (self.observed.set, history.hash(), self.nodes_by_name());
        let mut surge = Surge::default();
        for (name, pods) in node_pods {
            let Some(found) = self.find_updated_pods_on_node(pods, &hash) else {
                surge.surging += 1;
                continue;
            };
            if let Some(pod) = found.old.or(found.new) {
                surge.available += i32::from(self.is_available(pod));
            }
            match found {
                NewAndOld { old: None, .. } => {}
                NewAndOld { new: Some(new), .. } if !self.is_available(new) => surge.surging += 1,
                NewAndOld { new: Some(_), old: Some(old) } => surge.done.push(Rc::clone(old)),
                NewAndOld { new: None, old: Some(old) } => {
                    let Some(node) = nodes.get(&**name) else {
                        let message = format!("couldn't get node for nodeName \"{name}\": node \"{name}\" not found");
                        return Err(SyncError(message));
                    };
                    match (node_should_run_daemon_pod(set, node).runs, self.is_available(old)) {
                        (false, false) => surge.done.push(Rc::clone(old)),
                        (false, true) => surge.misplaced.push(Rc::clone(old)),
                        (true, false) => surge.lost.push(Rc::clone(name)),
                        // A node that comes up once the limit is reached is not even a candidate.
                        (true, true) if surge.surging < limit => surge.candidates.push(Rc::clone(name)),
                        (true, true) => {}
                    }
                }
            }
        }
        Ok(surge)
    }
}
