//! Why an Advanced StatefulSet stands where it does.

use crate::objects::AdvancedStatefulSet;
use crate::reconcile::advanced_stateful_set::Rule;
use crate::reconcile::{self, Decision, Facts};
use crate::text::Text;
use crate::view::kinds::in_place::{grace, incomplete};
use crate::view::kinds::rule_text::Weight;
use crate::view::kinds::workload::{Cause, Surroundings};
use crate::view::readiness::unavailable;

pub(super) fn cause(set: &AdvancedStatefulSet, around: &Surroundings<'_>, decision: &Decision) -> Option<Cause> {
    let reconcile::Rule::AdvancedStatefulSet(rule) = decision.rule else { return None };
    let min_ready = set.min_ready_seconds();
    match rule {
        Rule::ReplicaNotAvailable | Rule::CondemnedWaits => {
            let pod = around.pod_of(decision)?;
            let why = unavailable(around.cluster, pod, min_ready)?;
            let resolution = why.stuck.then(|| {
                text!(
                    "Nothing ends this wait by itself: delete {} once its template is right, or put right what keeps it from being available.",
                    pod.metadata.name
                )
            });
            Some(Cause::new(why.text, resolution, why.stuck))
        }
        Rule::ScaleLimited => {
            let most = set.scale_max_unavailable()?;
            Some(around.limited(text!("scaleStrategy.maxUnavailable is {}.", most), min_ready))
        }
        Rule::UpdateLimited => {
            let Facts::Unavailable { unavailable, allowed } = decision.facts else { return None };
            Some(around.limited(text!("{} unavailable, and maxUnavailable is {}.", unavailable, allowed), min_ready))
        }
        Rule::InPlaceIncomplete => incomplete(around, decision),
        Rule::GraceWaits => {
            let in_place = set.rolling_update().and_then(|rolling| rolling.in_place_update_strategy.as_ref());
            grace(around, decision, in_place.map_or(0, |strategy| strategy.grace_period_seconds))
        }
        rule if matches!(rule.weight(), Weight::Passed | Weight::Update) => {
            let paused = if rule == Rule::Paused {
                text!(
                    "With updateStrategy.rollingUpdate.paused no pod is updated; a changed number of replicas is followed."
                )
            } else {
                Text::default()
            };
            let reason = Text::sentences([reserved(set), paused]);
            (!reason.is_empty()).then(|| Cause::of(reason))
        }
        _ => None,
    }
}

/// Which ordinals of the range are left out.
fn reserved(set: &AdvancedStatefulSet) -> Text {
    let reserved = set.reserved_ordinals();
    let out: Vec<i32> = super::places(set).filter(|ordinal| reserved.contains(ordinal)).collect();
    let names = Text::list(", ", out.iter().map(|ordinal| Text::verbatim(*ordinal)));
    match out.len() {
        0 => Text::default(),
        1 => {
            text!("Ordinal {} is reserved (reserveOrdinals): it gets no pod, and a higher one takes its place.", names)
        }
        _ => text!(
            "Ordinals {} are reserved (reserveOrdinals): they get no pods, and higher ones take their places.",
            names
        ),
    }
}
