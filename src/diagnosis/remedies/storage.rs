//! Giving up a volume that is lost, or that no node can reach: its claim is deleted, and a new one is made.

use super::Remedy;
use super::pods::key;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Object, PersistentVolumeClaim, Pod, PodPhase};
use std::rc::Rc;

/// What the scheduler says of a volume that none of the nodes left can reach.
const OUT_OF_REACH: &str = "volume node affinity conflict";

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let makes_claims = case.object.kind().makes_claims();
    let waits = |pod: &&Rc<Pod>| pod.status.phase == PodPhase::Pending && !pod.is_terminating() && makes_claims;
    let mut all = Vec::new();
    for pod in case.pods.iter().copied().filter(waits) {
        for claim in case.claims_of(pod).into_iter().filter(|claim| is_lost(pod, claim)) {
            all.extend(give_up(pod, claim));
        }
    }
    all
}

fn is_lost(pod: &Pod, claim: &PersistentVolumeClaim) -> bool {
    let is_out_of_reach = || pod.condition("PodScheduled").is_some_and(|told| told.message.contains(OUT_OF_REACH));
    claim.metadata.deletion_timestamp.is_none() && (&*claim.status.phase == "Lost" || is_out_of_reach())
}

/// With the claim alone, and with its pod: not every release makes a claim again for a pod that is there.
fn give_up(pod: &Rc<Pod>, claim: &Rc<PersistentVolumeClaim>) -> [Remedy; 2] {
    let (of_claim, of_pod) = (&claim.metadata.name, &pod.metadata.name);
    let delete = Command::DeleteClaim { claim: Object::Claim(Rc::clone(claim)).reference() };
    let pod = Command::DeletePod { pod: key(pod), grace: None };
    let risk = || {
        text!(
            "The new volume of claim {} is empty; the data of the old one is lost unless its reclaim policy is Retain.",
            of_claim
        )
    };
    let alone = Remedy::new("delete-claim", text!("Delete claim {}", of_claim), vec![delete.clone()]);
    let title = text!("Delete claim {}, then {}", of_claim, of_pod);
    let both = Remedy::new("delete-claim-and-pod", title, vec![delete, pod]);
    [alone, both].map(|remedy| remedy.with_risk(risk()))
}
