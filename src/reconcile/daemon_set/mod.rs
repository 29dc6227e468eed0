//! The DaemonSet controller of Kubernetes 1.34: one pod on every node that may have one.
//! Models pkg/controller/daemon.
//!
//! A worked example: of 5 nodes one is silent, and the template changes with maxUnavailable 1. The old pod of the silent node
//! is not available, so it may be replaced: it is marked for deletion. Nobody there confirms it, so its node has neither an
//! old nor a new pod and counts as unavailable; that is one, and no other node's turn comes.

mod history;
mod place;
mod roll;
mod rules;
mod status;

pub use place::{node_of, runs_on};

pub use rules::Rule;

use super::cache::{Cache, WatchEvent};
use super::controller::{Context, Controller, Observed, Outcome, key_of};
use super::enqueue::{self, Orphans};
use super::replica_set::is_ready;
use super::workload::{Work, slow_start};
use super::{Api, Decision, Facts, SyncError};
use crate::objects::{DaemonSet, EventType, Kind, Node, Object, ObjectRef, Pod, PodPhase, UpdateStrategyType};
use history::History;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

pub(super) const CONTROLLER: Controller = Controller {
    kind: Kind::DaemonSet,
    name: "daemonset-controller",
    waits_for_own_writes: false,
    enqueue: keys_of,
    sync: sync_key,
};

/// A node may take or lose a pod of any set.
fn keys_of(cache: &Cache, event: &WatchEvent) -> Vec<ObjectRef> {
    if let Object::Node(_) = event.object() {
        return cache.namespaces().flat_map(|namespace| &*namespace.daemon_sets).map(|set| key_of(&**set)).collect();
    }
    let of_pod = enqueue::of_pod(cache, event, Orphans::Adopted(|set: &DaemonSet| &set.spec.selector));
    enqueue::own::<DaemonSet>(event).into_iter().chain(of_pod).collect()
}

fn sync_key(context: &mut Context<'_>, key: &ObjectRef) -> Outcome {
    let Some(observed) = Observed::of(context, key) else { return Outcome::default() };
    sync(&observed, context.api, context.decisions)
}

/// At most this many pods are created or deleted in one sync.
const BURST: usize = 250;

/// One sync of one set. Models syncDaemonSet.
pub fn sync(observed: &Observed<'_, DaemonSet>, api: &mut dyn Api, decisions: &mut Vec<Decision>) -> Outcome {
    let set = observed.set;
    let (kind, metadata, selector) = (Kind::DaemonSet, &set.metadata, &set.spec.selector);
    let mut sync = Sync { observed, work: Work { kind, metadata, selector, api, decisions }, wrote: false };
    sync.reconcile().into()
}

/// One sync and what it carries along.
struct Sync<'a> {
    observed: &'a Observed<'a, DaemonSet>,
    work: Work<'a>,
    /// Whether a pod was created or deleted: the rest waits for the cache to show it.
    wrote: bool,
}

/// The set's pods by the node they are for.
type Placed = BTreeMap<Rc<str>, Vec<Rc<Pod>>>;

impl Sync<'_> {
    fn reconcile(&mut self) -> Result<Option<Duration>, SyncError> {
        if self.work.is_going() {
            self.work.decide(Rule::DaemonSetTerminating, Facts::None);
            return Ok(None);
        }
        let history = self.history()?;
        let every: Vec<&Rc<Pod>> = self.observed.pods.iter().collect();
        let pods = self.work.claim(&every, Rule::DaemonPodsClaimed)?;
        let placed = place::by_node(&pods);
        if !self.observed.up_to_date {
            self.work.decide(Rule::DaemonsPending, Facts::None);
            return self.write_status(&placed, &history);
        }
        let updated = self.update(&placed, &history, &pods);
        let written = self.write_status(&placed, &history);
        updated?;
        written
    }

    fn update(&mut self, placed: &Placed, history: &History, pods: &[Rc<Pod>]) -> Result<(), SyncError> {
        self.manage(placed, history)?;
        if !self.wrote {
            match self.observed.set.spec.update_strategy.strategy_type {
                UpdateStrategyType::OnDelete => self.work.decide(Rule::DaemonUpdateOnDelete, Facts::None),
                UpdateStrategyType::RollingUpdate => self.roll(placed, history)?,
            }
        }
        self.clean_up(history, pods)
    }

    /// A pod for each node that lacks one; those that have ended or are too many go. Models manage.
    fn manage(&mut self, placed: &Placed, history: &History) -> Result<(), SyncError> {
        let (mut lacking, mut surplus) = (Vec::new(), Vec::new());
        for node in self.observed.nodes {
            let here = placed.get(&node.metadata.name).map_or(&[][..], Vec::as_slice);
            let fit = place::fit(self.observed.set, node);
            if fit.runs && here.is_empty() {
                lacking.push(Rc::clone(&node.metadata.name));
            } else if fit.stays {
                surplus.extend(self.surplus(node, here, history));
            } else {
                surplus.extend(here.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).cloned());
            }
        }
        // Pods for nodes that are gone and that no node has taken.
        let known = |name: &Rc<str>| self.observed.nodes.iter().any(|node| node.metadata.name == *name);
        let homeless = placed.iter().filter(|(node, _)| !known(node)).flat_map(|(_, pods)| pods);
        surplus.extend(homeless.filter(|pod| pod.spec.node_name.is_empty()).cloned());
        if lacking.is_empty() && surplus.is_empty() {
            self.work.decide(Rule::DaemonsInPlace, Facts::Count(i32::try_from(placed.len()).unwrap_or(i32::MAX)));
            return Ok(());
        }
        let doomed: Vec<(Rc<Pod>, Rule)> = surplus.into_iter().map(|pod| (pod, Rule::DaemonDeleted)).collect();
        self.sync_nodes(&doomed, &lacking, history)
    }

    /// The pods of a node that are to go. Models podsShouldBeOnNode.
    fn surplus(&mut self, node: &Node, here: &[Rc<Pod>], history: &History) -> Vec<Rc<Pod>> {
        let mut surplus = Vec::new();
        let mut running: Vec<&Rc<Pod>> = Vec::new();
        for pod in here.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()) {
            let (word, reason) = match pod.status.phase {
                PodPhase::Failed => ("failed", "FailedDaemonPod"),
                PodPhase::Succeeded => ("succeeded", "SucceededDaemonPod"),
                _ => {
                    running.push(pod);
                    continue;
                }
            };
            let (metadata, node) = (&pod.metadata, &node.metadata.name);
            let (namespace, name) = (&metadata.namespace, &metadata.name);
            let verb = if word == "failed" { "kill" } else { "delete" };
            let message = format!("Found {word} daemon pod {namespace}/{name} on node {node}, will try to {verb} it");
            let kind = if word == "failed" { EventType::Warning } else { EventType::Normal };
            self.work.record(kind, reason, message);
            surplus.push(Rc::clone(pod));
        }
        running.sort_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
        if running.len() <= 1 {
            return surplus;
        }
        if !roll::surges(self.observed.set) {
            surplus.extend(running[1..].iter().map(|pod| Rc::clone(pod)));
            return surplus;
        }
        surplus.extend(self.surplus_of_surge(&running, history));
        surplus
    }

    /// Two pods may stand on a node while the old one is ready and the new one is not available yet.
    fn surplus_of_surge(&self, running: &[&Rc<Pod>], history: &History) -> Vec<Rc<Pod>> {
        let (new, old): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = running.iter().partition(|pod| history.is_current(pod));
        let mut surplus: Vec<Rc<Pod>> =
            new.iter().skip(1).chain(old.iter().skip(1)).map(|pod| Rc::clone(pod)).collect();
        if let (Some(new), Some(old)) = (new.first(), old.first())
            && (!is_ready(old) || self.is_available(new))
        {
            surplus.push(Rc::clone(old));
        }
        surplus
    }

    fn is_available(&self, pod: &Pod) -> bool {
        super::pods::is_available(pod, self.observed.set.spec.min_ready_seconds, true, self.observed.now)
    }

    /// Creates pods for nodes, in batches that double, and deletes pods. Models syncNodes.
    fn sync_nodes(
        &mut self,
        doomed: &[(Rc<Pod>, Rule)],
        nodes: &[Rc<str>],
        history: &History,
    ) -> Result<(), SyncError> {
        let count = nodes.len().min(BURST);
        let set = self.observed.set;
        let work = &mut self.work;
        let wrote = &mut self.wrote;
        let mut result = slow_start(count, &mut |at| {
            let pod = place::new_pod(work, set, &nodes[at], history);
            work.create_pod(&pod, (Rule::DaemonCreated, Rule::DaemonCreateRefused)).inspect(|()| *wrote = true)
        });
        for (pod, rule) in doomed.iter().take(BURST) {
            let deleted = self.work.delete_pod(pod, *rule);
            self.wrote = true;
            result = result.and(deleted);
        }
        result
    }
}
