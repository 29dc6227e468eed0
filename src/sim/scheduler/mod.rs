//! The scheduler: each pod without a node goes to the feasible node that its preferences favor most; of equal ones to that
//! with the fewest pods, spreading a set first, then to the oldest.
//!
//! `FILTERS` are the rules by which a node does not take a pod, and `SCORES` the preferences, each in a file of its own.
//! Models pkg/scheduler with its default profile. Simplified: how full nodes are, and the spreading that the real scheduler does
//! by default, decide only between nodes that a pod's own preferences leave equal; their images decide nothing, and no pod
//! preempts another.

mod cycle;
mod inter_pod_affinity;
mod look;
mod node_affinity;
mod node_ports;
mod node_unschedulable;
mod pod_topology_spread;
mod resources;
mod snapshot;
mod taints;
mod unschedulable;
mod volumes;

use super::hold::Holds;
use super::index::controller;
use super::refs::pod_ref;
use super::store::Store;
use crate::objects::{Kind, Node, ObjectRef, Pod, Time};
use crate::releases::SchedulerWords;
pub(super) use cycle::Scheduler;
pub(crate) use look::NodeLook;
pub use look::Room;
pub(super) use look::{look, look_at};
use snapshot::{Host, Incoming, Snapshot};
use std::rc::Rc;
pub(super) use taints::bears;
pub use unschedulable::{Misfit, Unschedulable};

/// What became of one pod.
enum Placement {
    /// It goes there.
    On { pod: ObjectRef, node: Rc<str> },
    /// No node takes it, for the reason kube-scheduler gives.
    Nowhere { pod: ObjectRef, message: String, waits_for_claim: bool },
}

/// A rule by which nodes do not take pods, one of kube-scheduler's filter plugins: the reasons why the node does not take the pod;
/// none if it does.
type Filter = fn(&Incoming<'_>, &Host<'_>) -> Vec<Misfit>;

/// In the order in which they are asked; the first that has a reason gives the node's.
/// Models getDefaultPlugins, apis/config/v1/default_plugins.go.
const FILTERS: [Filter; 8] = [
    node_unschedulable::misfits,
    taints::misfits,
    node_affinity::misfits,
    node_ports::misfits,
    resources::misfits,
    volumes::misfits,
    pod_topology_spread::misfits,
    inter_pod_affinity::misfits,
];

/// Up to 1.20. Models ListAlgorithmProvider, algorithmprovider/registry.go, and predicates.Ordering before it.
const FILTERS_UNTIL_1_20: [Filter; 8] = [
    node_unschedulable::misfits,
    resources::misfits,
    node_ports::misfits,
    node_affinity::misfits,
    taints::misfits,
    volumes::misfits,
    pod_topology_spread::misfits,
    inter_pod_affinity::misfits,
];

/// A preference of pods: one of kube-scheduler's score plugins.
struct Score {
    /// What 100 points of it count.
    weight: i64,
    /// The points of each node; none if the pod prefers nothing.
    points: fn(&Incoming<'_>, &[&Host<'_>]) -> Option<Vec<i64>>,
}

const SCORES: [&Score; 4] =
    [&taints::SCORE, &node_affinity::SCORE, &pod_topology_spread::SCORE, &inter_pod_affinity::SCORE];

/// Places the first pod that waits for a node and can have one; the others that wait are told why not. Those in back-off are not
/// looked at.
fn schedule(store: &Store, holds: &Holds, words: &SchedulerWords, backs_off: &dyn Fn(&Pod) -> bool) -> Vec<Placement> {
    let snapshot = Snapshot::of(store);
    let mut placements = Vec::new();
    let waiting = store.index.waiting.iter().filter_map(|(_, key)| store.pod(key));
    for pod in waiting.filter(|pod| !backs_off(pod) && !is_gated(store, holds, pod)) {
        match place_in(&snapshot, words, pod) {
            Ok(node) => {
                placements.push(Placement::On { pod: pod_ref(pod), node });
                return placements;
            }
            Err(reason) => {
                let message = reason.message(words, store.list(Kind::Node).count(), &pod.metadata.name);
                let waits_for_claim = matches!(reason, Unschedulable::ClaimUnbound(_));
                placements.push(Placement::Nowhere { pod: pod_ref(pod), message, waits_for_claim });
            }
        }
    }
    placements
}

/// Whether the pod's scheduling gates keep it from being looked at. Models SchedulingGates, a plugin of the point PreEnqueue.
fn is_gated(store: &Store, holds: &Holds, pod: &Pod) -> bool {
    let own = controller(pod);
    holds.is_gated(pod, || {
        store.pods_in(&pod.metadata.namespace).filter(|other| controller(other) == own && !other.has_ended()).count()
    })
}

/// The node that the pod goes to.
pub(super) fn place(store: &Store, words: &SchedulerWords, pod: &Pod) -> Result<Rc<str>, Unschedulable> {
    place_in(&Snapshot::of(store), words, pod)
}

fn place_in<'s>(snapshot: &'s Snapshot<'s>, words: &SchedulerWords, pod: &'s Pod) -> Result<Rc<str>, Unschedulable> {
    let claims = volumes::claims(snapshot.store, pod)?;
    let incoming = Incoming::new(snapshot, pod, claims);
    let filters = if words.asks_for_resources_first { FILTERS_UNTIL_1_20 } else { FILTERS };
    let misfits_of =
        |host: &Host<'_>| filters.iter().map(|filter| filter(&incoming, host)).find(|found| !found.is_empty());
    // A pod that names its node, as a DaemonSet's does, needs no look at the others unless that one does not take it.
    if let Some([name]) = node_affinity::named(pod).as_deref()
        && let Some(host) = snapshot.host(name)
        && misfits_of(&host).is_none()
    {
        return Ok(Rc::clone(&host.node.metadata.name));
    }
    let mut feasible: Vec<&Host<'_>> = Vec::new();
    let mut misfits = Vec::new();
    for host in snapshot.hosts() {
        let found = misfits_of(host);
        match found {
            Some(found) => misfits.push(found),
            None => feasible.push(host),
        }
    }
    let points = points(&incoming, &feasible);
    let best = feasible.iter().zip(points).min_by_key(|(host, points)| (-points, load(host, pod)));
    match best {
        Some((host, _)) => Ok(Rc::clone(&host.node.metadata.name)),
        None if misfits.is_empty() => Err(Unschedulable::NoNodes),
        None => Err(Unschedulable::Unfit(misfits)),
    }
}

/// Each node's points, weighted and added up.
fn points(incoming: &Incoming<'_>, hosts: &[&Host<'_>]) -> Vec<i64> {
    let mut sums = vec![0; hosts.len()];
    for score in SCORES {
        let points = (score.points)(incoming, hosts).unwrap_or_default();
        sums.iter_mut().zip(points).for_each(|(sum, points)| *sum += score.weight * points);
    }
    sums
}

/// Points from 0 to 100 in proportion to the most; the fewest are best if `reverse`. Models DefaultNormalizeScore.
fn normalized(points: Vec<i64>, reverse: bool) -> Vec<i64> {
    let most = points.iter().copied().max().unwrap_or(0);
    let scaled = |points: i64| if most == 0 { 0 } else { points * 100 / most };
    points.into_iter().map(|points| if reverse { 100 - scaled(points) } else { scaled(points) }).collect()
}

/// Pods of the same owner there, all pods there, and the node's age.
fn load(host: &Host<'_>, pod: &Pod) -> (i32, usize, Time) {
    let (siblings, all) = host.load(&controller(pod));
    (siblings, all, age(host.node))
}

fn age(node: &Node) -> Time {
    node.metadata.creation_timestamp.unwrap_or_default()
}

#[cfg(test)]
mod tests;
