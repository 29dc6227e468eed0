//! NodeUnschedulable: cordoned nodes; and the node's condition, which releases without taints for it look at.

use super::Misfit;
use super::snapshot::{Host, Incoming};
use super::taints::tolerates;
use crate::objects::Taint;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    let node = host.node;
    if node.spec.unschedulable && !tolerates(&incoming.pod.spec.tolerations, &cordon()) {
        return vec![Misfit::Cordoned];
    }
    // A node that is not ready is tainted, where the release has taints for it.
    if !node.is_ready() && node.spec.taints.is_empty() { vec![Misfit::NotReady] } else { Vec::new() }
}

/// The taint that stands for a cordon: pods of DaemonSets bear it.
fn cordon() -> Taint {
    Taint { key: "node.kubernetes.io/unschedulable".into(), effect: "NoSchedule".into(), ..Taint::default() }
}
