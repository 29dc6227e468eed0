//! What lines leave of nodes.

use crate::objects::{Node, OUT_OF_SERVICE, Taint};
use crate::sim::Cluster;
use crate::text::Text;
use std::rc::Rc;

/// A node that is otherwise than before.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// Its name.
    pub node: Rc<str>,
    /// How it is now.
    pub now: Text,
}

/// Nodes that are otherwise at the end than at the start, in the order of their names.
pub(super) fn changed(start: &Cluster, end: &Cluster) -> Vec<Changed> {
    let of = |cluster: &'_ Cluster, name: &Rc<str>| cluster.nodes().find(|node| node.metadata.name == *name).cloned();
    let mut all: Vec<Changed> = Vec::new();
    for old in start.nodes() {
        let name = &old.metadata.name;
        let now = match of(end, name) {
            None => text!("its object is gone"),
            Some(new) => match difference(old, &new) {
                Some(now) => now,
                None => continue,
            },
        };
        all.push(Changed { node: Rc::clone(name), now });
    }
    all
}

fn difference(old: &Node, new: &Node) -> Option<Text> {
    let cordon = match (old.spec.unschedulable, new.spec.unschedulable) {
        (false, true) => Some(text!("stays cordoned")),
        (true, false) => Some(text!("takes pods again")),
        _ => None,
    };
    let health = match (old.is_ready(), new.is_ready()) {
        (true, false) => Some(text!("is not Ready")),
        (false, true) => Some(text!("is Ready again")),
        _ => None,
    };
    let only_in = |one: &Node, other: &Node| -> Vec<String> {
        let all = one.spec.taints.iter().filter(|taint| !other.spec.taints.contains(taint) && is_of_person(taint));
        all.map(ToString::to_string).collect()
    };
    let on = only_in(new, old).into_iter().map(|taint| text!("keeps the taint {}", taint));
    let off = only_in(old, new).into_iter().map(|taint| text!("no longer has the taint {}", taint));
    let parts: Vec<Text> = cordon.into_iter().chain(health).chain(on).chain(off).collect();
    (!parts.is_empty()).then(|| Text::list(", ", parts))
}

/// Whether a person puts the taint on: of the others the cordon and the node's health tell.
fn is_of_person(taint: &Taint) -> bool {
    *taint.key == *OUT_OF_SERVICE || !taint.key.starts_with("node.kubernetes.io/")
}
