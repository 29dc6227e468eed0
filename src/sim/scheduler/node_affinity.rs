//! NodeAffinity: the node selector, and required and preferred node affinity.

use super::snapshot::{Host, Incoming};
use super::{Misfit, Score, normalized};
use crate::objects::Pod;
use crate::objects::node_affinity::{REQUIRED, asks_for, preference};
use serde_json::Value;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    if asks_for(&incoming.pod.spec, host.node) {
        return Vec::new();
    }
    let is_for_other = named(incoming.pod).is_some_and(|named| !named.contains(&&*host.node.metadata.name));
    vec![if is_for_other { Misfit::NotNamed } else { Misfit::NodeAffinity }]
}

pub(super) const SCORE: Score = Score {
    weight: 2,
    points: |incoming, hosts| {
        let points: Option<Vec<i64>> = hosts.iter().map(|host| preference(&incoming.pod.spec, host.node)).collect();
        points.map(|points| normalized(points, false))
    },
};

/// The nodes that every term of the required affinity names; none if a term does not name any. Models PreFilter.
pub(super) fn named(pod: &Pod) -> Option<Vec<&str>> {
    let terms = pod.spec.extra.get("affinity")?.get("nodeAffinity")?.get(REQUIRED)?.get("nodeSelectorTerms")?;
    let mut names = Vec::new();
    for term in terms.as_array()? {
        let fields = term.get("matchFields").and_then(Value::as_array)?;
        let field = fields.iter().find(|field| field["key"] == "metadata.name" && field["operator"] == "In")?;
        names.extend(field["values"].as_array()?.iter().filter_map(Value::as_str));
    }
    (!names.is_empty()).then_some(names)
}
