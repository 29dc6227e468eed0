//! NodeResourcesFit: what pods request against what a node has for pods.

use super::Misfit;
use super::snapshot::{Host, Incoming};
use crate::objects::Node;
use crate::sim::amounts::amount;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    let Some(allocatable) = host.node.status.extra.get("allocatable") else { return Vec::new() };
    let mut misfits = Vec::new();
    let here = i128::from(host.unfinished_count());
    if allocatable.get("pods").and_then(amount).is_some_and(|most| (here + 1) * NANO > most) {
        misfits.push(Misfit::TooManyPods);
    }
    for (resource, asked) in incoming.asks.asked() {
        if free(host, resource).is_some_and(|free| asked > free) {
            misfits.push(Misfit::Insufficient(resource.into()));
        }
    }
    misfits
}

/// What a node has of a resource and its pods do not request, in billionths; none if it does not say how much it has.
pub(super) fn free(host: &Host<'_>, resource: &str) -> Option<i128> {
    let has = capacity(host.node, resource)?;
    Some(has - host.requested(resource))
}

const NANO: i128 = 1_000_000_000;
/// What every node has, though a simulated one does not always say how much.
const NATIVE: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// What a node has for pods of a resource, in billionths; none if it has some and does not say how much.
pub(super) fn capacity(node: &Node, resource: &str) -> Option<i128> {
    let said = node.status.extra.get("allocatable").and_then(|allocatable| amount(allocatable.get(resource)?));
    said.or(if NATIVE.contains(&resource) { None } else { Some(0) })
}
