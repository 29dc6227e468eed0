//! Why no node takes a pod, node by node with every reason, what is free, and the smallest changes that make it fit: each is tried on
//! the cluster as it is, with the scheduler's own rules.

mod amount;
mod change;
mod reason;

use crate::kubectl::Command;
use crate::objects::{Node, Object, ObjectRef, Pod, PodSpec};
use crate::session::Session;
use crate::sim::{Cluster, NodeLook};
use crate::text::Text;
use crate::verdict::pods;
use amount::shown;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Pods of one workload that are looked at: those that are alike are told once.
const PODS: usize = 3;

/// Why a pod has no node.
#[derive(Clone, Debug, PartialEq)]
pub struct NoNode {
    /// The pod.
    pub pod: ObjectRef,
    /// Other pods of its workload of which the same is true.
    pub alike: Vec<Rc<str>>,
    /// Every node, those first that lack least.
    pub nodes: Vec<Unfit>,
    /// What is free of all that it asks for.
    pub free: Vec<Free>,
    /// The smallest changes after each of which a node takes it, the least first; nothing if none was found.
    pub changes: Vec<Change>,
}

/// A node that does not take the pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    /// The node's name.
    pub node: Rc<str>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// A reason why a node does not take a pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// A word for programs, such as `insufficient`.
    pub name: &'static str,
    /// With its numbers and names.
    pub text: Text,
}

/// How much of a resource is free, as Kubernetes writes amounts.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// Its name, such as `cpu`.
    pub resource: Rc<str>,
    /// What the pod requests.
    pub asked: String,
    /// What is free on all nodes together.
    pub in_sum: String,
    /// The most that is free on one node.
    pub most: String,
    /// Which one.
    pub on: Rc<str>,
    /// The most that one node has in all.
    pub largest: String,
}

/// Something after which a node takes the pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its names for programs, such as `uncordon`.
    pub names: Vec<&'static str>,
    /// What is done.
    pub title: Text,
    /// The node that then takes the pod; none of a new one.
    pub node: Option<Rc<str>>,
    /// The commands that do it for good; none where the pod has no template that says so.
    pub commands: Vec<Command>,
    /// What is given up by it; empty if nothing.
    pub risk: Text,
}

/// Why pods of a workload, or a pod by itself, have no node: of each that waits, pods of which the same is true together.
pub fn without_node(session: &Session, workload: &Object) -> Vec<NoNode> {
    let cluster = session.cluster();
    let waiting: Vec<&Rc<Pod>> = pods(cluster, workload).into_iter().filter(|pod| waits(pod)).collect();
    let mut all: Vec<NoNode> = Vec::new();
    for pod in waiting {
        let is_alike = |known: &&mut NoNode| {
            let first = cluster.get(&known.pod).ok();
            matches!(first, Some(Object::Pod(first)) if is_asking_the_same(first, pod))
        };
        if let Some(known) = all.iter_mut().find(is_alike) {
            known.alike.push(Rc::clone(&pod.metadata.name));
        } else if all.len() < PODS {
            all.extend(of_pod(session, workload, pod));
        }
    }
    all
}

/// The same of one pod of a workload.
pub(crate) fn no_node_of(session: &Session, workload: &Object, pod: &Rc<Pod>) -> Option<NoNode> {
    if waits(pod) { of_pod(session, workload, pod) } else { None }
}

/// Whether the scheduler has said that no node takes it.
fn waits(pod: &Pod) -> bool {
    let is_told = pod.condition("PodScheduled").is_some_and(|told| &*told.status == "False");
    pod.spec.node_name.is_empty() && !pod.is_terminating() && !pod.has_ended() && is_told
}

fn is_asking_the_same(one: &Pod, other: &Pod) -> bool {
    let asked = |pod: &Pod| PodSpec { hostname: "".into(), ..PodSpec::clone(&pod.spec) };
    let is_of_set = |key: &str| key.starts_with("statefulset.kubernetes.io/") || key == "apps.kubernetes.io/pod-index";
    let labels = |pod: &Pod| {
        let all = pod.metadata.labels.iter().filter(|(key, _)| !is_of_set(key));
        all.map(|(key, value)| (Rc::clone(key), Rc::clone(value))).collect::<Vec<_>>()
    };
    one.claim_names().next().is_none() && asked(one) == asked(other) && labels(one) == labels(other)
}

fn of_pod(session: &Session, workload: &Object, pod: &Rc<Pod>) -> Option<NoNode> {
    let cluster = session.cluster();
    let looks = cluster.nodes_as_found(pod).ok()?;
    // A node takes it, or there is none.
    if looks.is_empty() || looks.iter().any(|look| look.misfits.is_empty()) {
        return None;
    }
    let mut nodes: Vec<Unfit> = looks
        .iter()
        .map(|look| Unfit { node: Rc::clone(&look.node), reasons: reason::reasons(cluster, pod, look) })
        .collect();
    nodes.sort_by_key(|unfit| unfit.reasons.len());
    Some(NoNode {
        pod: Object::Pod(Rc::clone(pod)).reference(),
        alike: Vec::new(),
        nodes,
        free: free(&looks),
        changes: change::smallest(session, workload, pod, &looks),
    })
}

fn free(looks: &[NodeLook]) -> Vec<Free> {
    let names: BTreeSet<&Rc<str>> = looks.iter().flat_map(|look| look.room.iter().map(|room| &room.resource)).collect();
    let of = |resource: &Rc<str>| {
        let rooms = || {
            let room = |look: &NodeLook| {
                let room = look.room.iter().find(|room| room.resource == *resource)?;
                Some((room.free?.max(0), room.capacity?, room.asked, Rc::clone(&look.node)))
            };
            looks.iter().filter_map(room)
        };
        let (most, _, asked, on) = rooms().max_by_key(|(free, ..)| *free)?;
        let amount = |nano: i128| shown(resource, nano);
        let (in_sum, largest) = (rooms().map(|room| room.0).sum(), rooms().map(|room| room.1).max()?);
        Some(Free {
            resource: Rc::clone(resource),
            asked: amount(asked),
            in_sum: amount(in_sum),
            most: amount(most),
            on,
            largest: amount(largest),
        })
    };
    names.into_iter().filter_map(of).collect()
}

impl NoNode {
    /// Nodes that have the same reasons, together, in the order of the first.
    pub fn grouped(&self) -> Vec<(Vec<&Rc<str>>, &[Reason])> {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut all: Vec<(Vec<&Rc<str>>, &[Reason])> = Vec::new();
        for unfit in &self.nodes {
            let words = unfit.reasons.iter().map(|reason| reason.text.to_string()).collect::<Vec<_>>().join("\n");
            let at = *places.entry(words).or_insert(all.len());
            match all.get_mut(at) {
                Some((nodes, _)) => nodes.push(&unfit.node),
                None => all.push((vec![&unfit.node], &unfit.reasons)),
            }
        }
        all
    }
}

/// The node of this name.
fn node_of<'a>(cluster: &'a Cluster, name: &str) -> Option<&'a Rc<Node>> {
    cluster.nodes().find(|node| *node.metadata.name == *name)
}
