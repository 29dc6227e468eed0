//! What lines leave of nodes.

use crate::objects::Node;
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
    let parts: Vec<Text> = cordon.into_iter().chain(health).collect();
    (!parts.is_empty()).then(|| Text::list(", ", parts))
}
