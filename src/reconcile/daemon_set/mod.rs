//! The DaemonSet controller: one pod on every node that may have one.
//! Models pkg/controller/daemon.
//!
//! A worked example: of 5 nodes one is silent, and the template changes with maxUnavailable 1. The old pod of the silent node
//! is not available, so it may be replaced: it is marked for deletion. Nobody there confirms it, so its node has neither an
//! old nor a new pod and counts as unavailable; that is one, and no other node's turn comes.

mod history;
mod node_events;
mod place;
mod roll;
mod rules;
mod status;

use history::History;
pub(crate) use node_events::overlooks_taint;
use place::{Fit, node_should_run_daemon_pod};
pub use place::{node_of, runs_on};
pub(crate) use place::{stays_on, taint_against};

pub use rules::Rule;

use super::back_off::BackOff;
use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome};
use super::enqueue::{self, Orphans};
use super::pods::REVISION_LABEL;
use super::workload::Work;
use super::{Api, Decision, Facts, Gates, Release, SyncError};
use crate::objects::{
    DaemonSet, EventType, Kind, LabelSelector, Node, Object, ObjectRef, Pod, PodPhase, Time, UpdateStrategyType,
};
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::DaemonSet,
    name: "daemonset-controller",
    waits_for_own_writes: false,
    revisions: Some(Release::gates),
    enqueue: keys_of,
    sync: sync_key,
};

fn keys_of(gates: &Gates, cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    if let Object::Node(_) = event.object() {
        return node_events::keys_of(gates, cache, event);
    }
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &DaemonSet| &set.spec.selector));
    enqueue::own::<DaemonSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let is_on = context.gates.workloads.daemon_set_waits_for_own_writes;
    if let Some(deferred) = context.check_own_writes(is_on, Rule::DaemonsBehindOwnWrites.into()) {
        return deferred;
    }
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(context.gates, &observed, context.back_off, context.api, context.decisions)
}

/// At most this many pods are created or deleted in one sync.
const BURST: usize = 250;

/// One sync of one set. Models syncDaemonSet.
pub fn sync(
    gates: &Gates,
    observed: &Observed<'_, DaemonSet>,
    back_off: &mut BackOff,
    api: &mut dyn Api,
    decisions: &mut Vec<Decision>,
) -> Outcome {
    let set = observed.set;
    let (kind, metadata, selector) = (Kind::DaemonSet, &set.metadata, &set.spec.selector);
    let work = Work { gates: *gates, kind, metadata, selector, api, decisions };
    let mut sync =
        Sync { observed, back_off, work, has_claimed: false, claimed: None, by_node: None, waits: false, again: None };
    let error = sync.reconcile().err();
    Outcome { requeue_after: sync.again, error }
}

/// One sync and what it carries along.
struct Sync<'a> {
    observed: &'a Observed<'a, DaemonSet>,
    back_off: &'a mut BackOff,
    work: Work<'a>,
    /// Whether the pods were claimed before in this sync.
    has_claimed: bool,
    /// The set's pods, where claiming them again would ask nothing of the API server.
    claimed: Option<Rc<[Rc<Pod>]>>,
    /// The same by node.
    by_node: Option<Rc<NodePods>>,
    /// Whether a pod was created or deleted that the cache does not show yet.
    waits: bool,
    /// After which the key is to come back.
    again: Option<Duration>,
}

/// The set's pods by the name of their node, which the cache may not have.
type NodePods = BTreeMap<Rc<str>, Vec<Rc<Pod>>>;

/// What the pods of a node are sorted by: those on the node before those on their way, then the oldest.
/// Models podByCreationTimestampAndPhase.
fn seniority(pod: &Pod) -> (bool, Option<Time>, &str) {
    (pod.spec.node_name.is_empty(), pod.metadata.creation_timestamp, &pod.metadata.name)
}

impl Sync<'_> {
    fn reconcile(&mut self) -> Result<(), SyncError> {
        if self.observed.set.spec.selector == LabelSelector::default() {
            let message = "This daemon set is selecting all pods. A non-empty selector is required.";
            self.work.record(EventType::Warning, "SelectingAll", message.to_owned());
            return Ok(());
        }
        if self.work.is_going() {
            self.work.decide(Rule::DaemonSetTerminating, Facts::None);
            return Ok(());
        }
        let history = self
            .construct_history()
            .map_err(|error| in_context("failed to construct revisions of DaemonSet", &error))?;
        if !self.observed.up_to_date {
            self.work.decide(Rule::DaemonsPending, Facts::None);
            return self.update_daemon_set_status(&history, false);
        }
        let updated = self.update_daemon_set(&history);
        if !self.work.gates.workloads.writes_daemon_status_after_failure {
            updated?;
            return self.update_daemon_set_status(&history, true);
        }
        let written = self.update_daemon_set_status(&history, true);
        updated.and(written)
    }

    /// Models updateDaemonSet.
    fn update_daemon_set(&mut self, history: &History) -> Result<(), SyncError> {
        self.manage(history)?;
        if !self.waits {
            match self.observed.set.spec.update_strategy.strategy_type {
                UpdateStrategyType::OnDelete | UpdateStrategyType::Recreate => {
                    self.work.decide(Rule::DaemonUpdateOnDelete, Facts::None);
                }
                UpdateStrategyType::RollingUpdate => self.rolling_update(history)?,
            }
        }
        self.cleanup_history(history).map_err(|error| in_context("failed to clean up revisions of DaemonSet", &error))
    }

    /// The set's pods. Each step of a sync claims them anew from the same cache, so that an orphan is adopted by each.
    /// Models getDaemonPods.
    fn get_daemon_pods(&mut self) -> Result<Rc<[Rc<Pod>]>, SyncError> {
        if let Some(claimed) = &self.claimed {
            return Ok(Rc::clone(claimed));
        }
        let rule = (!self.has_claimed).then_some(Rule::DaemonPodsClaimed);
        self.has_claimed = true;
        let pods = self.work.in_order_of_claim(self.observed.pods.iter());
        let is_settled = !pods.iter().any(|pod| self.work.is_to_be_claimed(&pod.metadata));
        let claimed: Rc<[Rc<Pod>]> = self.work.claim(pods, rule.map(Into::into))?.into();
        self.claimed = is_settled.then(|| Rc::clone(&claimed));
        Ok(claimed)
    }

    /// The set's pods by node; newer releases look at those that have ended and are terminating only where they are asked for.
    /// Models getNodesToDaemonPods.
    fn get_nodes_to_daemon_pods(&mut self, includes_deleted_terminal: bool) -> Result<Rc<NodePods>, SyncError> {
        if let Some(known) = self.by_node.as_ref().filter(|_| !includes_deleted_terminal) {
            return Ok(Rc::clone(known));
        }
        let name = &self.observed.set.metadata.name;
        let claimed = self.get_daemon_pods().map_err(|error| {
            in_context(&format!("couldn't get node to daemon pod mapping for daemon set \"{name}\""), &error)
        })?;
        let forgets = self.work.gates.workloads.forgets_ended_daemons && !includes_deleted_terminal;
        let mut nodes = NodePods::new();
        for pod in claimed.iter().filter(|pod| !(forgets && pod.has_ended() && pod.is_terminating())) {
            if let Some(node) = node_of(pod) {
                nodes.entry(node).or_default().push(Rc::clone(pod));
            }
        }
        let nodes = Rc::new(nodes);
        if self.claimed.is_some() && !includes_deleted_terminal {
            self.by_node = Some(Rc::clone(&nodes));
        }
        Ok(nodes)
    }

    fn nodes_by_name(&self) -> BTreeMap<&str, &Node> {
        self.observed.nodes.iter().map(|node| (&*node.metadata.name, &**node)).collect()
    }

    /// A pod for each node that lacks one; those that have ended or are too many go. Models manage.
    fn manage(&mut self, history: &History) -> Result<(), SyncError> {
        let node_pods = self.get_nodes_to_daemon_pods(false)?;
        let (mut lacking, mut surplus) = (Vec::new(), Vec::new());
        for node in self.observed.nodes {
            let pods = node_pods.get(&node.metadata.name).map_or(&[][..], Vec::as_slice);
            self.pods_should_be_on_node(node, pods, history, &mut lacking, &mut surplus);
        }
        // Pods for nodes that are gone and that no node has taken. Models getUnscheduledPodsWithoutNode.
        let nodes = LazyCell::new(|| self.nodes_by_name());
        for (name, pods) in &*node_pods {
            let mut unscheduled = pods.iter().filter(|pod| pod.spec.node_name.is_empty()).peekable();
            if unscheduled.peek().is_some() && !nodes.contains_key(&**name) {
                surplus.extend(unscheduled.cloned());
            }
        }
        if lacking.is_empty() && surplus.is_empty() {
            self.work.decide(Rule::DaemonsInPlace, Facts::Count(count(node_pods.len())));
        }
        let doomed: Vec<(Rc<Pod>, Rule)> = surplus.into_iter().map(|pod| (pod, Rule::DaemonDeleted)).collect();
        self.sync_nodes(&doomed, &lacking, history)
    }

    /// Whether a node lacks its pod, and which of its pods are to go. Models podsShouldBeOnNode.
    fn pods_should_be_on_node(
        &mut self,
        node: &Node,
        pods: &[Rc<Pod>],
        history: &History,
        lacking: &mut Vec<Rc<str>>,
        surplus: &mut Vec<Rc<Pod>>,
    ) {
        let Fit { runs, stays } = node_should_run_daemon_pod(self.observed.set, node);
        if pods.is_empty() {
            if runs {
                lacking.push(Rc::clone(&node.metadata.name));
            }
            return;
        }
        let alive = pods.iter().filter(|pod| !pod.is_terminating());
        if !stays {
            surplus.extend(alive.cloned());
            return;
        }
        let mut running: Vec<&Rc<Pod>> = Vec::new();
        for pod in alive {
            match pod.status.phase {
                PodPhase::Failed if !self.is_failure_due(node) => {}
                PodPhase::Failed => {
                    self.record_ended_pod_event(pod, node, (EventType::Warning, "FailedDaemonPod"), ("failed", "kill"));
                    surplus.push(Rc::clone(pod));
                }
                PodPhase::Succeeded if self.work.gates.workloads.deletes_succeeded_daemons => {
                    self.record_ended_pod_event(
                        pod,
                        node,
                        (EventType::Normal, "SucceededDaemonPod"),
                        ("succeeded", "delete"),
                    );
                    surplus.push(Rc::clone(pod));
                }
                _ => running.push(pod),
            }
        }
        let may_surge = self.work.gates.workloads.updates_daemons_by_node && roll::surges(self.observed.set);
        if may_surge && running.is_empty() && runs {
            lacking.push(Rc::clone(&node.metadata.name));
        }
        running.sort_by(|a, b| seniority(a).cmp(&seniority(b)));
        if may_surge {
            surplus.extend(self.surplus_of_surge(&running, history));
        } else {
            surplus.extend(running.iter().skip(1).map(|pod| Rc::clone(pod)));
        }
    }

    /// Whether the node's failed pod may go: after each the next is kept for longer, lest one that fails at once is made
    /// again and again.
    fn is_failure_due(&mut self, node: &Node) -> bool {
        let set = self.observed.set;
        let key = format!("{}/{}/{}", set.metadata.uid, set.status.observed_generation, node.metadata.name);
        match self.back_off.current(&key, self.observed.now) {
            Some(wait) => {
                self.come_back_after(Some(wait));
                false
            }
            None => {
                self.back_off.next(&key, self.observed.now);
                true
            }
        }
    }

    fn record_ended_pod_event(
        &mut self,
        pod: &Pod,
        node: &Node,
        (kind, reason): (EventType, &'static str),
        (word, verb): (&str, &str),
    ) {
        let (namespace, name, node) = (&pod.metadata.namespace, &pod.metadata.name, &node.metadata.name);
        let message = format!("Found {word} daemon pod {namespace}/{name} on node {node}, will try to {verb} it");
        self.work.record(kind, reason, message);
    }

    /// The key comes back after the least of the delays asked for.
    fn come_back_after(&mut self, delay: Option<Duration>) {
        self.again = self.again.into_iter().chain(delay).min();
    }

    /// Two pods may stand on a node while the old one is ready and the new one is not available yet.
    fn surplus_of_surge(&self, running: &[&Rc<Pod>], history: &History) -> Vec<Rc<Pod>> {
        let hash = history.hash();
        let is_new = |pod: &Pod| pod.metadata.labels.get(REVISION_LABEL).map_or("", |label| label) == &*hash;
        let (mut new, mut old) = (None, None);
        let mut surplus = Vec::new();
        for pod in running {
            let first = if is_new(pod) { &mut new } else { &mut old };
            if first.is_some() {
                surplus.push(Rc::clone(pod));
            } else {
                *first = Some(*pod);
            }
        }
        if let (Some(new), Some(old)) = (new, old)
            && (!old.is_ready() || self.is_available(new))
        {
            surplus.push(Rc::clone(old));
        }
        surplus
    }

    fn is_available(&self, pod: &Pod) -> bool {
        is_available_at(self.observed.now, &self.work.gates, self.observed.set, pod)
    }

    /// Creates pods for nodes, in batches that double, and deletes pods. The refusals end the sync. Models syncNodes.
    fn sync_nodes(
        &mut self,
        doomed: &[(Rc<Pod>, Rule)],
        nodes: &[Rc<str>],
        history: &History,
    ) -> Result<(), SyncError> {
        self.waits = false;
        let mut errors = Vec::new();
        let set = self.observed.set;
        let template = place::template(set);
        let (mut rest, mut batch) = (&nodes[..nodes.len().min(BURST)], 1);
        while !rest.is_empty() && errors.is_empty() {
            let (now, later) = rest.split_at(batch.min(rest.len()));
            for node in now {
                let pod = place::new_pod(&self.work, (set, &template), node, history);
                match self.work.create_pod(&pod, (Rule::DaemonCreated, Rule::DaemonCreateRefused)) {
                    // One that a namespace on its way out refused is waited for too.
                    Ok(_) => self.waits = true,
                    Err(error) => errors.push(error),
                }
            }
            (rest, batch) = (later, batch * 2);
        }
        for (pod, rule) in doomed.iter().take(BURST) {
            match self.work.delete_pod(pod, *rule) {
                Ok(was_there) => self.waits |= was_there,
                Err(error) => errors.push(error),
            }
        }
        SyncError::aggregate(errors)
    }
}

fn is_available_at(now: Time, gates: &Gates, set: &DaemonSet, pod: &Pod) -> bool {
    super::pods::is_available(pod, set.spec.min_ready_seconds, gates.available_at_exact_deadline, now)
}

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

fn in_context(what: &str, error: &SyncError) -> SyncError {
    SyncError(format!("{what}: {error}"))
}
