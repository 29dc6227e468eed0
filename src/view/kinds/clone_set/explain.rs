//! Why a CloneSet stands where it does.

use crate::objects::CloneSet;
use crate::reconcile::clone_set::Rule;
use crate::reconcile::{self, Decision, Facts};
use crate::view::kinds::in_place::{grace, incomplete};
use crate::view::kinds::workload::{Cause, Surroundings};
use crate::view::text::{self, Noun};

pub(super) fn cause(set: &CloneSet, around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let reconcile::Rule::CloneSet(rule) = decision.rule else { return None };
    let min_ready = set.spec.min_ready_seconds;
    let count = match decision.facts {
        Facts::Count(count) => text::count(count.max(0), Noun::Pod),
        _ => Default::default(),
    };
    let limited = |limit| Some(around.limited(limit, min_ready));
    match rule {
        Rule::CloneUpdateLimited => {
            limited(text!("maxUnavailable and maxSurge let {} be unavailable during an update.", count))
        }
        Rule::ScaleUpLimited => limited(text!("scaleStrategy.maxUnavailable lets {} be created now.", count)),
        Rule::DeletionLimited => {
            limited(text!("An available pod is deleted only while maxUnavailable allows one less."))
        }
        Rule::DeadlineExceeded => {
            let seconds = set.spec.progress_deadline_seconds.unwrap_or(0);
            let late = text!("The rollout was to end within {} s (progressDeadlineSeconds).", seconds);
            Some(Cause::new(around.limited(late, min_ready).reason, None, true))
        }
        Rule::InPlaceIncomplete => incomplete(around, decision),
        Rule::GraceWaits => {
            let in_place = set.rolling_update().and_then(|rolling| rolling.in_place_update_strategy.as_ref());
            grace(around, decision, in_place.map_or(0, |strategy| strategy.grace_period_seconds))
        }
        Rule::CloneUpdatePaused => Some(Cause::of(text!(
            "With updateStrategy.rollingUpdate.paused no pod is updated; a changed number of replicas is followed."
        ))),
        _ => None,
    }
}
