//! Why a Deployment's rollout stands where it does.

use crate::objects::Deployment;
use crate::reconcile::deployment::Rule;
use crate::reconcile::{self, Decision, Facts};
use crate::text::Text;
use crate::view::Severity;
use crate::view::kinds::workload::{Cause, Surroundings};
use crate::view::text::{self, Noun};

pub(super) fn cause(set: &Deployment, around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let reconcile::Rule::Deployment(rule) = decision.rule else { return None };
    let min_ready = set.spec.min_ready_seconds;
    match rule {
        Rule::RolloutWaits => Some(around.limited(limits(set, around, &decision.facts), min_ready)),
        Rule::ProgressDeadlineExceeded => {
            let seconds = set.spec.progress_deadline_seconds.unwrap_or(0);
            let late = text!(
                "For {} s (progressDeadlineSeconds) no new pod has become available and no old one has gone.",
                seconds
            );
            let reason = around.overdue(late, min_ready).reason;
            let are_all_there = around.pods.len() >= usize::try_from(set.replicas()).unwrap_or(0);
            if min_ready > 0 && are_all_there && around.pods.iter().all(|pod| pod.is_ready()) {
                let ends = text!("minReadySeconds ends: a deadline that has passed stops nothing.");
                return Some(Cause { severity: Some(Severity::Waiting), ..Cause::new(reason, Some(ends), false) });
            }
            Some(Cause::new(reason, None, true))
        }
        Rule::RecreateWaits => {
            let left = text::count_of(around.pods.len(), Noun::Pod);
            Some(
                around.limited(
                    text!("Recreate makes no new pod before the old ones are gone: {} left.", left),
                    min_ready,
                ),
            )
        }
        Rule::DeploymentPaused => Some(Cause::of(text!(
            "With paused, a changed template makes no ReplicaSet and moves no pods; a changed number of replicas does."
        ))),
        _ => None,
    }
}

/// Why no ReplicaSet is scaled; the decision's facts count the pods that old ones are to have.
fn limits(set: &Deployment, around: &Surroundings<'_>, facts: &Facts) -> Text {
    let (surge, unavailable) = set.limits();
    let wanted = set.replicas();
    if *facts == Facts::Count(0) {
        let all = text::count(wanted, Noun::Pod);
        return text!("The ReplicaSet of the template is to make {} in all; no other has any left to give up.", all);
    }
    let sets = around.cluster.replica_sets_of(around.object);
    let asked_for = sets.iter().map(|set| set.replicas()).fold(0, i32::saturating_add);
    let least = text!(
        "maxUnavailable ({}) keeps at least {} of {} available, so no old ReplicaSet gives up a pod.",
        unavailable,
        wanted - unavailable,
        text::count(wanted, Noun::Pod)
    );
    if asked_for < wanted.saturating_add(surge) {
        return least;
    }
    let most =
        text!("maxSurge ({}) allows {}, and so many are asked for.", surge, text::count(wanted + surge, Noun::Pod));
    Text::sentences([most, least])
}
