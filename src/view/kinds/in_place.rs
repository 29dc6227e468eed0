//! Why an update in place waits, in OpenKruise's workloads.

use super::workload::{Cause, Surroundings};
use crate::objects::Pod;
use crate::reconcile::Decision;
use crate::sim::Behavior;
use crate::view::readiness::{fault, fault_text};

const GATE: &str = "InPlaceUpdateReady";

/// Why a pod that was changed in place is not complete.
pub(super) fn incomplete(around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let pod = around.pod_of(decision)?;
    // As it was found it may have the image that it had before it was changed.
    let now = around.cluster.same_pod(pod).map(|now| &**now);
    let gate = gate(now.unwrap_or(pod));
    Some(match fault(around.cluster, pod).filter(|(_, behavior)| *behavior != Behavior::NeedsPeer) {
        None => Cause::of(gate),
        Some((image, behavior)) => {
            let resolution =
                text!("Nothing ends this wait by itself: roll back, or roll out an image that becomes ready.");
            let reason = crate::text::Text::sentences([gate, text!("{}.", fault_text(image, behavior))]);
            Cause::new(reason, Some(resolution), true)
        }
    })
}

fn gate(pod: &Pod) -> crate::text::Text {
    let image = pod.spec.containers.first().map_or("", |container| &container.image);
    text!("The readiness gate {} of {} stays closed until its kubelet reports {}.", GATE, pod.metadata.name, image)
}

/// Why a pod waits before it is changed.
pub(super) fn grace(around: &Surroundings<'_>, decision: &Decision, seconds: i32) -> Option<Cause> {
    let name = &around.pod_of(decision)?.metadata.name;
    Some(Cause::of(text!(
        "The readiness gate {} of {} is closed for {} s (gracePeriodSeconds) first, so that Services stop sending it requests.",
        GATE,
        name,
        seconds
    )))
}
