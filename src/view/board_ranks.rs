//! Which pods of a workload without ordinals are next to be updated or deleted, and by what each has its rank.

use super::board::{Ranked, is_active, replica_sets, short, version_of, versions};
use super::board_groups::node_of;
use super::status_word::status_word;
use super::text;
use super::text::Noun;
use crate::objects::{CloneSet, DaemonSet, Object, Pod, ReplicaSet, UpdateStrategyType};
use crate::reconcile::clone_set::{choose_pods_to_delete, sort_waiting};
use crate::reconcile::{Observed, replica_set};
use crate::sim::Cluster;
use crate::text::Text;
use std::rc::Rc;

/// Of so many it is said why they stand where they do; no more are listed.
const TOLD: usize = 12;

/// Who is updated next, and which pods are deleted first.
pub(super) fn rankings(cluster: &Cluster, object: &Object, pods: &[&Rc<Pod>]) -> (Vec<Ranked>, Vec<Ranked>) {
    let active: Vec<&Rc<Pod>> = pods.iter().filter(|pod| is_active(pod)).copied().collect();
    let ranked = |(at, pod): (usize, &Rc<Pod>), priority: Option<Text>| {
        let because =
            if at < TOLD { priority.unwrap_or_else(|| because(cluster, &active, pod)) } else { Text::default() };
        Ranked { name: pod.metadata.name.to_string(), because, kept: false }
    };
    let all = |pods: &[Rc<Pod>]| pods.iter().enumerate().map(|one| ranked(one, None)).collect();
    match object {
        Object::CloneSet(set) => {
            let (updated, deleted) = clone_rankings(cluster, set, &active);
            let updated = updated.into_iter().enumerate().map(|one| ranked(one, priority(set, one.1)));
            // Where there are both, old pods go before updated ones, whatever the rest.
            let both = deleted.iter().any(|(_, new)| *new) && deleted.iter().any(|(_, new)| !new);
            let of = |(at, (pod, new)): (usize, (&Rc<Pod>, bool))| {
                let words = (both && at < TOLD).then(|| {
                    let because = because(cluster, &active, pod);
                    if new {
                        text!("of the update revision, {}", because)
                    } else {
                        text!("of an old revision, {}", because)
                    }
                });
                ranked((at, pod), words)
            };
            (updated.collect(), deleted.into_iter().enumerate().map(of).collect())
        }
        Object::ReplicaSet(set) => (Vec::new(), all(&ranking_of(cluster, set))),
        Object::Deployment(_) => {
            let sets = replica_sets(cluster, object);
            (Vec::new(), all(&sets.iter().flat_map(|set| ranking_of(cluster, set)).collect::<Vec<_>>()))
        }
        Object::DaemonSet(set) => {
            let old = old_daemons(cluster, object, set, &active);
            let on = |pod: &Rc<Pod>| is_available(pod).then(|| text!("available on {}", node_of(pod)));
            (old.into_iter().enumerate().map(|one| ranked(one, on(one.1))).collect(), Vec::new())
        }
        _ => (Vec::new(), Vec::new()),
    }
}

/// Old pods that are not available go first, whatever the limits; of the others the order of the nodes decides here. The
/// real controller goes through its nodes in no fixed order.
fn old_daemons<'p>(cluster: &Cluster, object: &Object, set: &DaemonSet, active: &[&'p Rc<Pod>]) -> Vec<&'p Rc<Pod>> {
    if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return Vec::new();
    }
    let own = versions(cluster, object);
    let newest = cluster.revisions().filter(|revision| own.contains(&revision.metadata.name));
    let newest = newest.max_by_key(|revision| revision.revision).map(|revision| &revision.metadata.name);
    let is_old = |pod: &&&Rc<Pod>| version_of(pod, &own).map(|at| &own[at]) != newest;
    let (available, lost): (Vec<_>, Vec<_>) = active.iter().filter(is_old).partition(|pod| is_available(pod));
    lost.into_iter().chain(available).copied().collect()
}

fn is_available(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}

fn ranking_of(cluster: &Cluster, set: &Rc<ReplicaSet>) -> Vec<Rc<Pod>> {
    let pods: Vec<Rc<Pod>> = cluster.pods().cloned().collect();
    let all = cluster.workloads().filter_map(|held| if let Object::ReplicaSet(set) = held { Some(set) } else { None });
    let siblings: Vec<Rc<ReplicaSet>> = all.cloned().collect();
    let observed = Observed { pods: &pods, replica_sets: &siblings, ..Observed::alone(cluster.now(), set) };
    replica_set::ranking(&cluster.controller_gates(), &observed)
}

/// Pods, each with whether it is at the update revision.
type Dated<'p> = Vec<(&'p Rc<Pod>, bool)>;

/// Old pods in the order of their update, and all pods in that of their deletion, old ones first.
fn clone_rankings<'p>(cluster: &Cluster, set: &CloneSet, active: &[&'p Rc<Pod>]) -> (Vec<&'p Rc<Pod>>, Dated<'p>) {
    let update = short(&set.status.update_revision);
    let is_new = |pod: &Pod| pod.metadata.labels.get("pod-template-hash").is_some_and(|hash| **hash == *update);
    let waiting: Vec<usize> = (0..active.len()).filter(|at| !is_new(active[*at])).collect();
    // OnDelete updates nobody.
    let waiting = if set.rolling_update().is_none() { Vec::new() } else { waiting };
    let updated = sort_waiting(set, active, waiting).into_iter().map(|at| active[at]).collect();
    let nodes: Vec<_> = cluster.nodes().cloned().collect();
    let (new, old): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = active.iter().partition(|pod| is_new(pod));
    let mut deleted = Vec::new();
    for (group, is_new) in [(&old, false), (&new, true)] {
        // All but one are ranked; the last one is left.
        let but_one = group.len().saturating_sub(1);
        let chosen = choose_pods_to_delete(set, &nodes, cluster.now(), (but_one, but_one), (group, &[]));
        let last = group.iter().find(|pod| !chosen.iter().any(|one| one.metadata.uid == pod.metadata.uid));
        deleted.extend(chosen.iter().copied().chain(last.copied()).map(|pod| (pod, is_new)));
    }
    (updated, deleted)
}

/// What of a pod says most about its rank.
fn because(cluster: &Cluster, active: &[&Rc<Pod>], pod: &Pod) -> Text {
    let cost = pod.metadata.annotations.get("controller.kubernetes.io/pod-deletion-cost");
    let ready = pod.condition("Ready").filter(|ready| &*ready.status == "True");
    match (cost, ready.and_then(|ready| ready.last_transition_time)) {
        _ if pod.spec.node_name.is_empty() => text!("it has no node"),
        _ if status_word(pod) != "Running" => text!("it is {}", status_word(pod)),
        (_, None) => text!("it is not ready"),
        (Some(cost), _) => text!("its deletion costs {}", cost),
        (None, Some(since)) => {
            let here = active.iter().filter(|other| other.spec.node_name == pod.spec.node_name).count();
            let age = crate::kubectl::age(cluster.now().0 - since.0);
            let others = text::count_of(here, Noun::Pod);
            text!("ready for {}, {} on {}", age, others, pod.spec.node_name)
        }
    }
}

/// The priority by which the strategy puts the pod before or behind others; none if it says nothing of it.
fn priority(set: &CloneSet, pod: &Pod) -> Option<Text> {
    let labels = &pod.metadata.labels;
    let strategy = set.rolling_update()?.priority_strategy.as_ref()?;
    if !strategy.weight_priority.is_empty() {
        let matching = strategy.weight_priority.iter().filter(|term| term.match_selector.matches(labels));
        return Some(text!("its weight is {}", matching.map(|term| i64::from(term.weight)).sum::<i64>()));
    }
    let mut keys = strategy.order_priority.iter().map(|term| &*term.ordered_key);
    keys.find_map(|key| labels.get(key).map(|value| text!("its {} is {}", key, value)))
}
