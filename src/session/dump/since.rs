//! What has changed since a pod was refused or not placed: what was said before that no longer tells how long it lasts.

use super::named::CAME;
use super::node::{nodes, pods};
use super::read::Event;
use super::refused::quota_in;
use super::written::SPEC_WRITTEN;
use crate::objects::{Node, Object, Pod, Time};
use std::rc::Rc;

/// What the scheduler says of nodes that somebody changes by a command, or that get well: it looks again at once.
const OF_NODES: [&str; 3] = ["unschedulable", "taint", "selector"];
/// What it says of room, of other pods and of volumes: no command that is about nodes ends that.
const OF_OTHERS: [&str; 6] = ["Insufficient", "Too many", "affinity rules", "spread constraints", "port", "volume"];

/// Taints that the node controller takes off as soon as a node's condition is otherwise, with that condition, and what it is then.
const OF_CONDITIONS: [(&str, &str, &str); 5] = [
    ("node.kubernetes.io/memory-pressure", "MemoryPressure", "False"),
    ("node.kubernetes.io/disk-pressure", "DiskPressure", "False"),
    ("node.kubernetes.io/pid-pressure", "PIDPressure", "False"),
    ("node.kubernetes.io/not-ready", "Ready", "True"),
    ("node.kubernetes.io/unreachable", "Ready", "True"),
];

/// When a node's condition ended for which the scheduler did not choose it, the last time; none where it names none.
fn untainted(objects: &[Object], message: &str) -> Option<Time> {
    let named = OF_CONDITIONS.iter().filter(|(taint, ..)| message.contains(taint));
    let ended = named.flat_map(|(_, condition, wanted)| {
        let own = move |node: &Rc<Node>| {
            let mut all = node.status.conditions.iter();
            let told = all.find(|told| *told.condition_type == **condition && *told.status == **wanted)?;
            told.last_transition_time
        };
        nodes(objects).filter_map(own)
    });
    ended.max()
}

/// That what refused pods, or kept them from every node, is otherwise now, as events about these.
pub(super) fn came(objects: &[Object], events: &[Event]) -> Vec<Event> {
    let written = |kind: &str, is_it: &dyn Fn(&Event) -> bool| {
        let is_written = |event: &&Event| matches!(&*event.reason, SPEC_WRITTEN | "NodeSchedulable");
        let own = events.iter().filter(|event| *event.kind == *kind && is_it(event));
        own.filter(is_written).map(|event| event.last).max()
    };
    let refused = events.iter().filter(|event| &*event.reason == "FailedCreate").filter_map(|event| {
        let quota = quota_in(&event.message)?;
        let is_its = |other: &Event| *other.name == *quota && other.namespace == event.namespace;
        let at = written("ResourceQuota", &is_its).filter(|at| *at > event.last)?;
        Some(Event { reason: CAME.into(), count: 1, first: at, last: at, ..event.clone() })
    });
    let by_hand = written("Node", &|_| true);
    let unplaced = pods(objects).filter_map(|pod| {
        let (message, said) = last_word(pod, events)?;
        let says = |all: &[&str]| all.iter().any(|words| message.contains(words));
        let changed = by_hand.max(untainted(objects, message));
        let at = changed.filter(|at| *at > said && says(&OF_NODES) && !says(&OF_OTHERS))?;
        let message = Rc::clone(message);
        Some(Event::of_status((crate::objects::Kind::Pod, &pod.metadata), &CAME.into(), &message, at))
    });
    refused.chain(unplaced).collect()
}

/// What the scheduler last said of a pod that has no node, and when.
fn last_word<'a>(pod: &'a Pod, events: &[Event]) -> Option<(&'a Rc<str>, Time)> {
    let told = pod.condition("PodScheduled").filter(|told| &*told.status == "False")?;
    let is_own = |event: &&Event| {
        &*event.reason == "FailedScheduling"
            && (&event.name, &event.namespace) == (&pod.metadata.name, &pod.metadata.namespace)
    };
    let said = events.iter().filter(is_own).map(|event| event.last).max();
    Some((&told.message, said.max(told.last_transition_time)?))
}
