//! Gates of a pod that somebody else opens: scheduling gates, and readiness gates that are not the pod's own.

use super::{Holds, What};
use crate::objects::Pod;
use std::rc::Rc;

/// The field of the pod's spec.
const SCHEDULING_GATES: &str = "schedulingGates";
/// What the API server writes of a pod that is made with gates, and the scheduler leaves so.
/// Models applySchedulingGatedCondition, pkg/registry/core/pod/strategy.go.
pub(in crate::sim) const SCHEDULING_GATED: (&str, &str) =
    ("SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates");

/// The names of the pod's own scheduling gates.
pub(crate) fn scheduling_gates(pod: &Pod) -> impl Iterator<Item = &str> {
    let gates = pod.spec.extra.get(SCHEDULING_GATES).and_then(|gates| gates.as_array());
    gates.into_iter().flatten().filter_map(|gate| gate.get("name")?.as_str())
}

impl Holds {
    /// Whether the scheduler passes the pod over: it has gates, and nobody takes them away. One that is made in its place is taken to
    /// be given them again.
    pub(in crate::sim) fn is_gated(&self, pod: &Pod, siblings: impl FnOnce() -> usize) -> bool {
        let has_gates = scheduling_gates(pod).next().is_some();
        let held = self.standing_of_pod(pod).find_map(|standing| match &standing.hold.what {
            What::Gated { group, .. } if has_gates || standing.uid != pod.metadata.uid => Some(*group),
            _ => None,
        });
        match held {
            Some(Some(group)) => siblings() < usize::try_from(group).unwrap_or(usize::MAX),
            Some(None) => true,
            None => has_gates,
        }
    }

    /// Whether a readiness gate that another controller opens stays closed.
    pub(in crate::sim) fn keeps_gate_closed(&self, pod: &Pod) -> bool {
        self.of_pod(pod).any(|hold| matches!(hold.what, What::GateClosed { .. }))
    }
}

/// Takes the pod's scheduling gates away, and what the API server wrote of them.
pub(in crate::sim) fn take_scheduling_gates(pod: &mut Pod) {
    Rc::make_mut(&mut pod.spec).extra.remove(SCHEDULING_GATES);
    pod.status.conditions.retain(|condition| *condition.reason != *SCHEDULING_GATED.0);
}
