//! A node's reasons in words, with the numbers and names that they rest on.

use super::amount::shown;
use super::{Reason, node_of};
use crate::objects::{Kind, Node, Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, Pod};
use crate::sim::{Cluster, Misfit, NodeLook};
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// The taint that a cordon puts on.
const CORDON: &str = "node.kubernetes.io/unschedulable";

pub(super) fn reasons(cluster: &Cluster, pod: &Pod, look: &NodeLook) -> Vec<Reason> {
    let is_cordoned = look.misfits.contains(&Misfit::Cordoned);
    let is_told =
        |misfit: &&Misfit| !(is_cordoned && matches!(misfit, Misfit::Tainted(taint) if *taint.key == *CORDON));
    let node = node_of(cluster, &look.node);
    let of = |misfit: &Misfit| Some(reason(cluster, pod, node?, look, misfit));
    look.misfits.iter().filter(is_told).filter_map(of).collect()
}

fn reason(cluster: &Cluster, pod: &Pod, node: &Node, look: &NodeLook, misfit: &Misfit) -> Reason {
    let (name, text) = match misfit {
        Misfit::Cordoned => ("cordoned", text!("it is cordoned")),
        Misfit::Tainted(taint) => {
            let taint = taint.to_string();
            ("taint", text!("its taint {} is not tolerated", taint))
        }
        Misfit::NotReady => ("notReady", not_ready(node)),
        Misfit::NotNamed => ("otherNode", text!("the pod is for another node")),
        Misfit::NodeAffinity => ("labels", labels(pod, node)),
        Misfit::Ports => ("port", port(cluster, pod, node)),
        Misfit::Insufficient(resource) => ("insufficient", insufficient(look, resource)),
        Misfit::TooManyPods => ("tooManyPods", too_many_pods(node)),
        Misfit::ClaimInUse => ("claimInUse", text!("another pod uses a claim that is for one pod")),
        Misfit::VolumeAffinity => ("volume", volume(cluster, pod)),
        Misfit::TooManyVolumes { driver, attached, most } => (
            "attachLimit",
            text!("it can attach {} volumes of {}, and its pods use {}", *most, Rc::clone(driver), *attached),
        ),
        Misfit::NoVolume => ("noVolume", text!("no free volume that suits its claim can be reached from it")),
        Misfit::Spread => ("spread", spread(pod, node)),
        Misfit::SpreadLabel => ("spreadLabel", spread_label(pod, node)),
        Misfit::PodAffinity => ("affinity", not_beside(pod)),
        Misfit::AntiAffinity => ("antiAffinity", beside(cluster, pod, node)),
        Misfit::ExistingAntiAffinity => ("antiAffinityOfOthers", text!("a pod there does not bear this one beside it")),
    };
    Reason { name, text }
}

/// With what its kubelet says of it, where that answers.
fn not_ready(node: &Node) -> Text {
    match node.ready_condition().filter(|ready| &*ready.status == "False" && !ready.message.is_empty()) {
        Some(ready) => text!("it is not Ready: {}", ready.message.trim()),
        None => text!("it is not Ready"),
    }
}

fn insufficient(look: &NodeLook, resource: &str) -> Text {
    let room = look.room.iter().find(|room| *room.resource == *resource);
    let Some((room, free, of)) = room.and_then(|room| Some((room, room.free?, room.capacity?))) else {
        return text!("it has too little {}", resource);
    };
    let amount = |nano: i128| shown(resource, nano);
    match of {
        0 => text!("it has no {}", resource),
        _ => text!("{}: {} asked for, {} of {} free", resource, amount(room.asked), amount(free.max(0)), amount(of)),
    }
}

fn too_many_pods(node: &Node) -> Text {
    let most = node.status.extra.get("allocatable").and_then(|has| has.get("pods"));
    let most = most.map(|most| most.as_str().map_or_else(|| most.to_string(), str::to_owned)).unwrap_or_default();
    text!("it has its {} pods", most)
}

/// The labels of the node selector that the node does not have; else the affinity is meant.
fn labels(pod: &Pod, node: &Node) -> Text {
    let lacks = |(key, value): &(&Rc<str>, &Rc<str>)| node.metadata.labels.get(key) != Some(value);
    let has = |(key, value): (&Rc<str>, &Rc<str>)| match node.metadata.labels.get(key) {
        Some(other) => text!("label {}={} is asked for, it has {}", key, value, other),
        None => text!("label {}={} is asked for, it has none", key, value),
    };
    let all: Vec<Text> = pod.spec.node_selector.iter().filter(lacks).map(has).collect();
    if all.is_empty() { text!("the pod's required node affinity names other nodes") } else { Text::list(", ", all) }
}

/// The ports of the host that a pod asks for.
pub(super) fn host_ports(pod: &Pod) -> Vec<i64> {
    let lists = pod.spec.containers.iter().filter_map(|container| container.extra.get("ports")?.as_array());
    let ports = lists.flatten().filter_map(|port| port.get("hostPort").and_then(Value::as_i64));
    ports.filter(|port| *port > 0).collect()
}

fn port(cluster: &Cluster, pod: &Pod, node: &Node) -> Text {
    let asked = host_ports(pod);
    let there = cluster.pods().filter(|other| other.spec.node_name == node.metadata.name && !other.has_ended());
    let taken = there.filter_map(|other| {
        let port = host_ports(other).into_iter().find(|port| asked.contains(port))?;
        Some(text!("host port {} is taken by {}", port, other.metadata.name))
    });
    taken.into_iter().next().unwrap_or_else(|| text!("a host port is taken"))
}

/// The claims of a pod that are bound, with where their volumes can be reached from.
fn volume(cluster: &Cluster, pod: &Pod) -> Text {
    let volumes = cluster.volumes();
    let of = |name: &Rc<str>| {
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: Rc::clone(&pod.metadata.namespace),
            name: Rc::clone(name),
        };
        let Ok(Object::Claim(claim)) = cluster.get(&key) else { return None };
        let place = place(claim, &volumes)?;
        Some(text!("the volume of {} can be reached only from {}", name, place))
    };
    let all: Vec<Text> = pod.claim_names().filter_map(of).collect();
    if all.is_empty() { text!("its volume cannot be reached from it") } else { Text::list(", ", all) }
}

fn place(claim: &PersistentVolumeClaim, volumes: &[PersistentVolume]) -> Option<String> {
    let name = claim.spec.volume_name.as_ref()?;
    let volume = volumes.iter().find(|volume| volume.metadata.name == *name)?;
    let required = volume.spec.node_affinity.as_ref()?.required.as_ref()?;
    let terms = required.node_selector_terms.iter().map(|term| {
        let parts = term.match_expressions.iter().chain(&term.match_fields);
        let words = parts.map(|part| format!("{} {} {}", part.key, part.operator, part.values.join(", ")));
        words.collect::<Vec<_>>().join(" and ")
    });
    Some(terms.collect::<Vec<_>>().join(" or "))
}

fn spread(pod: &Pod, node: &Node) -> Text {
    let constraints = pod.spec.spread_constraints();
    let strict = constraints.iter().find(|constraint| &*constraint.when_unsatisfiable == "DoNotSchedule");
    let Some(strict) = strict else { return text!("too many of its kind would be there") };
    let value = node.metadata.labels.get(&strict.topology_key).map(|value| value.to_string()).unwrap_or_default();
    text!("{}={} would have more than {} pods more than the emptiest", strict.topology_key, value, strict.max_skew)
}

fn spread_label(pod: &Pod, node: &Node) -> Text {
    let lacks = |key: &Rc<str>| node.metadata.labels.get(key).is_none();
    let constraints = pod.spec.spread_constraints();
    let strict = constraints.iter().filter(|constraint| &*constraint.when_unsatisfiable == "DoNotSchedule");
    match strict.map(|constraint| &constraint.topology_key).find(|key| lacks(key)) {
        Some(key) => text!("it lacks the label {} that the pod is to be spread by", key),
        None => text!("it lacks the label that the pod is to be spread by"),
    }
}

/// The pods that this one must be beside.
fn not_beside(pod: &Pod) -> Text {
    let terms = pod.spec.pod_affinity().into_iter().flat_map(|affinity| &affinity.required);
    let selectors =
        terms.filter_map(|term| term.label_selector.as_ref()).map(|selector| Text::verbatim(selector.to_text()));
    let all: Vec<Text> = selectors.collect();
    match all.is_empty() {
        true => text!("the pods that it must be beside are not there"),
        false => text!("the pods that it must be beside are not there: {}", Text::list("; ", all)),
    }
}

/// A pod that this one must not be beside.
fn beside(cluster: &Cluster, pod: &Pod, node: &Node) -> Text {
    let Some(shuns) = pod.spec.pod_anti_affinity() else { return text!("a pod that it must not be beside is there") };
    let place = |name: &str, key: &Rc<str>| node_of(cluster, name)?.metadata.labels.get(key).cloned();
    for term in &shuns.required {
        let here = place(&node.metadata.name, &term.topology_key);
        let is_there = |other: &&Rc<Pod>| {
            !other.spec.node_name.is_empty()
                && !other.has_ended()
                && here.is_some()
                && place(&other.spec.node_name, &term.topology_key) == here
                && term.is_about(&pod.metadata, &other.metadata)
        };
        if let Some(other) = cluster.pods().find(is_there) {
            return text!("{} is there, which it must not be beside", other.metadata.name);
        }
    }
    text!("a pod that it must not be beside is there")
}
