//! The places of a workload without ordinals: its groups, and where there is no pod.

use super::Card;
use super::Revision;
use super::board::{Blank, Group, is_active, replica_sets, short, version, wanted};
use crate::objects::{CloneSet, Kind, Node, Object, Pod, ReplicaSet, Round};
use crate::reconcile::{daemon_set, template_text};
use crate::sim::Cluster;
use crate::text::Text;
use std::rc::Rc;

/// The groups in which the cards stand.
pub(super) fn groups(cluster: &Cluster, object: &Object, versions: &[Rc<str>]) -> Vec<Group> {
    if object.kind() != Kind::Deployment {
        return vec![Group::default()];
    }
    let sets = replica_sets(cluster, object);
    let newest = newest(object, &sets);
    let draw = |(at, set): (usize, &&Rc<ReplicaSet>)| {
        let is_new = newest == Some(at);
        let status = &set.status;
        let counts = [set.replicas(), status.ready_replicas, status.available_replicas];
        Group {
            title: text!("ReplicaSet {}", set.metadata.name),
            revision: Some(revision(versions, &set.metadata.name)),
            counts: if is_new {
                text!("new: {} desired, {} ready, {} available", counts[0], counts[1], counts[2])
            } else {
                text!("old: {} desired, {} ready, {} available", counts[0], counts[1], counts[2])
            },
            is_new: Some(is_new),
        }
    };
    let groups: Vec<Group> = sets.iter().enumerate().map(draw).collect();
    if groups.is_empty() { vec![Group::default()] } else { groups }
}

fn revision(versions: &[Rc<str>], name: &str) -> Revision {
    version(versions, versions.iter().position(|own| **own == *name))
}

/// The ReplicaSet of the template as it is.
fn newest(object: &Object, sets: &[&Rc<ReplicaSet>]) -> Option<usize> {
    let template = template_text(object.template()?);
    sets.iter().position(|set| template_text(&set.spec.template) == template)
}

/// The group of a pod.
pub(super) fn group_of(cluster: &Cluster, object: &Object, pod: &Pod) -> usize {
    if object.kind() != Kind::Deployment {
        return 0;
    }
    let owner = pod.metadata.controller_of();
    let sets = replica_sets(cluster, object);
    sets.iter().position(|set| owner.is_some_and(|owner| owner.uid == set.metadata.uid)).unwrap_or(0)
}

/// The node a pod is on or is made for.
pub(super) fn node_of(pod: &Pod) -> Rc<str> {
    daemon_set::node_of(pod).unwrap_or_else(|| "".into())
}

/// How many pods there may be above the wanted number.
pub(super) fn surge(object: &Object) -> usize {
    let surge = match object {
        Object::CloneSet(set) => surge_of(set),
        Object::Deployment(set) => set.limits().0,
        _ => 0,
    };
    usize::try_from(surge).unwrap_or(0)
}

fn surge_of(set: &CloneSet) -> i32 {
    let rolling = set.rolling_update().filter(|rolling| !rolling.paused);
    rolling.and_then(|rolling| rolling.max_surge.as_ref()?.of(set.replicas(), Round::Up)).unwrap_or(0)
}

/// The places without a pod; `free` surge places are open now.
pub(super) fn blanks(
    cluster: &Cluster,
    object: &Object,
    (pods, cards): (&[&Rc<Pod>], &[Rc<Card>]),
    free: usize,
) -> Vec<Blank> {
    let blank = |key: String, title: Text, words: Text, group| Blank { key, title, words, group };
    match object {
        Object::DaemonSet(set) => {
            let bare = |node: &&Rc<Node>| !pods.iter().any(|pod| node_of(pod) == node.metadata.name);
            let words = |node: &Node| {
                if daemon_set::runs_on(set, node) { text!("not created yet") } else { text!("no pod wanted here") }
            };
            cluster
                .nodes()
                .filter(bare)
                .map(|node| blank(node.metadata.name.to_string(), Text::verbatim(&node.metadata.name), words(node), 0))
                .collect()
        }
        Object::Deployment(_) => {
            let sets = replica_sets(cluster, object);
            let missing = |(at, set): (usize, &&Rc<ReplicaSet>)| {
                let own = |pod: &&&Rc<Pod>| {
                    is_active(pod) && pod.metadata.controller_of().is_some_and(|owner| owner.uid == set.metadata.uid)
                };
                let held = pods.iter().filter(own).count();
                let missing = usize::try_from(set.replicas()).unwrap_or(0).saturating_sub(held);
                let key = move |place| format!("{}-{place}", short(&set.metadata.name));
                (0..missing)
                    .map(move |place| blank(key(place), text!("missing"), text!("not created yet"), at))
                    .collect::<Vec<_>>()
            };
            if sets.is_empty() {
                let words = || text!("its ReplicaSet is not created yet");
                return (0..wanted(object))
                    .map(|at| blank(format!("missing-{at}"), text!("missing"), words(), 0))
                    .collect();
            }
            sets.iter().enumerate().flat_map(missing).collect()
        }
        _ => {
            let held = pods.iter().filter(|pod| is_active(pod)).count();
            let missing = usize::try_from(wanted(object)).unwrap_or(0).saturating_sub(held);
            let used = cards.iter().filter(|card| card.surge).count();
            let missing =
                (0..missing).map(|at| blank(format!("missing-{at}"), text!("missing"), text!("not created yet"), 0));
            let words = || text!("free for a pod above the replicas");
            let open = (used..free).map(|at| blank(format!("surge-{at}"), text!("surge place"), words(), 0));
            missing.chain(open).collect()
        }
    }
}
