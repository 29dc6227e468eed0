//! Pods that wait for room which the scheduler would make by preempting others. That is not simulated: who may have to go is named.
//! Models DefaultPreemption, pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, and preemption.go beside it, of
//! one pod at a time.

use crate::objects::{Object, ObjectRef, Pod, Time};
use crate::sim::Cluster;
use crate::text::Text;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Pods that wait and are looked at, and nodes.
const LOOKED_AT: (usize, usize) = (3, 100);

/// A pod that waits and may preempt others.
pub(super) struct Preempting {
    /// The pod.
    pub(super) pod: ObjectRef,
    /// Whom the scheduler would have go; none if the pod's priority is not known.
    pub(super) victims: Vec<ObjectRef>,
    /// Both, in words.
    pub(super) says: Text,
}

/// Pods that would have to go from a node.
struct Victims {
    node: Rc<str>,
    pods: Vec<Rc<Pod>>,
    /// How many of them their budgets do not spare.
    violating: usize,
}

/// Every pod that waits for room which others of a lower priority have.
pub(super) fn possible(cluster: &Cluster) -> Vec<Preempting> {
    let waits = |pod: &&Rc<Pod>| {
        let is_told = pod.condition("PodScheduled").is_some_and(|told| &*told.reason == "Unschedulable");
        pod.spec.node_name.is_empty() && !pod.is_terminating() && !pod.has_ended() && is_told
    };
    cluster.pods().filter(waits).take(LOOKED_AT.0).filter_map(|pod| of_pod(cluster, pod)).collect()
}

fn of_pod(cluster: &Cluster, pod: &Rc<Pod>) -> Option<Preempting> {
    let (name, key) = (Rc::clone(&pod.metadata.name), Object::Pod(Rc::clone(pod)).reference());
    let known = cluster.priority(pod);
    // Of one whose class is not known any other may have a lower priority.
    let (own, preempts) = *known.as_ref().unwrap_or(&(i64::MAX, true));
    let nodes = cluster.nodes().map(|node| Rc::clone(&node.metadata.name)).take(LOOKED_AT.1);
    let all: Vec<Victims> = nodes.filter(|_| preempts).filter_map(|node| on_node(cluster, pod, node, own)).collect();
    let best = all.iter().min_by_key(|one| one.rank(cluster))?;
    if let Err(class) = known {
        let says = text!(
            "{} waits for room, and its PriorityClass {} is not in the text: `kubectl get pc {}` says whether it may preempt others",
            name,
            Rc::clone(&class),
            class
        );
        return Some(Preempting { pod: key, victims: Vec::new(), says });
    }
    let victims = Text::names(best.pods.iter().map(|pod| &pod.metadata.name));
    let says = text!(
        "{} has priority {} and finds room only where others are preempted, such as {} on {}: that is not simulated",
        name,
        own,
        victims,
        Rc::clone(&best.node)
    );
    let victims = best.pods.iter().map(|pod| Object::Pod(Rc::clone(pod)).reference()).collect();
    Some(Preempting { pod: key, victims, says })
}

fn priority(cluster: &Cluster, pod: &Pod) -> i64 {
    cluster.priority(pod).map_or(i64::MAX, |(priority, _)| priority)
}

/// The more important one first. Models MoreImportantPod.
fn importance(cluster: &Cluster, pod: &Pod) -> (Reverse<i64>, Option<Time>) {
    (Reverse(priority(cluster, pod)), pod.metadata.creation_timestamp)
}

/// Models SelectVictimsOnNode: all go, and then each that can stays, those first whose budgets do not spare them.
fn on_node(cluster: &Cluster, pod: &Pod, node: Rc<str>, own: i64) -> Option<Victims> {
    let is_lower =
        |other: &&Rc<Pod>| other.spec.node_name == node && !other.has_ended() && priority(cluster, other) < own;
    let mut lower: Vec<Rc<Pod>> = cluster.pods().filter(is_lower).cloned().collect();
    if lower.is_empty() || !fits(cluster, pod, &node, &lower) {
        return None;
    }
    lower.sort_by_key(|pod| importance(cluster, pod));
    let mut spared: BTreeMap<(Rc<str>, Rc<str>), i32> = BTreeMap::new();
    let mut violates = |pod: &Rc<Pod>| {
        let budgets = cluster.budgets_over(pod);
        let left = budgets.iter().map(|budget| {
            let key = (Rc::clone(&budget.metadata.namespace), Rc::clone(&budget.metadata.name));
            let left = spared.entry(key).or_insert_with(|| cluster.disruption_status(budget).disruptions_allowed);
            *left -= 1;
            *left
        });
        left.min().is_some_and(|left| left < 0)
    };
    let (violating, others): (Vec<_>, Vec<_>) = lower.into_iter().partition(|pod| violates(pod));
    let of_violating: Vec<Rc<str>> = violating.iter().map(|pod| Rc::clone(&pod.metadata.uid)).collect();
    let mut pods: Vec<Rc<Pod>> = violating.into_iter().chain(others).collect();
    for candidate in pods.clone() {
        let without: Vec<Rc<Pod>> = pods.iter().filter(|pod| !Rc::ptr_eq(pod, &candidate)).cloned().collect();
        if fits(cluster, pod, &node, &without) {
            pods = without;
        }
    }
    let violating = pods.iter().filter(|pod| of_violating.contains(&pod.metadata.uid)).count();
    Some(Victims { node, pods, violating })
}

fn fits(cluster: &Cluster, pod: &Pod, node: &Rc<str>, gone: &[Rc<Pod>]) -> bool {
    let mut tried = cluster.clone();
    for pod in gone {
        // It was there a moment ago.
        let _ = tried.delete(&Object::Pod(Rc::clone(pod)).reference(), Some(0));
    }
    tried.misfits(pod, node).is_ok_and(|misfits| misfits.is_empty())
}

impl Victims {
    /// The least is chosen. Models pickOneNodeForPreemption.
    fn rank(&self, cluster: &Cluster) -> impl Ord {
        let all = || self.pods.iter().map(|pod| priority(cluster, pod));
        let highest = all().max().unwrap_or(i64::MIN);
        let latest = self.pods.iter().filter(|pod| priority(cluster, pod) == highest);
        let latest = latest.map(|pod| pod.metadata.creation_timestamp).min();
        (self.violating, highest, all().fold(0, i64::saturating_add), self.pods.len(), Reverse(latest))
    }
}
