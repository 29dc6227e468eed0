//! NodeAffinity: the node selector, and required and preferred node affinity.

use super::snapshot::{Host, Incoming};
use super::{Misfit, Score, normalized};
use crate::objects::Pod;
use std::rc::Rc;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    if incoming.pod.spec.asks_for(host.node) {
        return Vec::new();
    }
    let is_for_other = named(incoming.pod).is_some_and(|named| !named.contains(&&host.node.metadata.name));
    vec![if is_for_other { Misfit::NotNamed } else { Misfit::NodeAffinity }]
}

pub(super) const SCORE: Score = Score {
    weight: 2,
    points: |incoming, hosts| {
        let points: Option<Vec<i64>> = hosts.iter().map(|host| incoming.pod.spec.preference_for(host.node)).collect();
        points.map(|points| normalized(points, false))
    },
};

/// The nodes that every term of the required affinity names; none if a term does not name any. Models PreFilter.
pub(super) fn named(pod: &Pod) -> Option<Vec<&Rc<str>>> {
    let mut names = Vec::new();
    for term in &pod.spec.required_nodes()?.node_selector_terms {
        names.extend(term.named()?);
    }
    (!names.is_empty()).then_some(names)
}
