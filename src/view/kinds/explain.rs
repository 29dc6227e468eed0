//! What is said of every workload whose pods have ordinals, whatever its kind.

use super::context::{Context, PodCounts};
use crate::reconcile::Decision;
use crate::reconcile::stateful_set::Rule;
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::text::Noun;
use crate::view::{Explanation, Severity, text};

// What ends a moment, of any workload.
pub(in crate::view) const ARRIVES: &str = "It reaches the cache, and a sync handles it.";
pub(in crate::view) const RETRIED: &str = "The work queue tries again.";

/// When the work queue tries a failed sync again.
pub(in crate::view) fn retry(context: &Context<'_>) -> Text {
    let Some((due, failures)) = context.cluster.retry_of(&context.key) else { return Text::fixed(RETRIED) };
    let left = due.0 - context.cluster.now().0;
    let when = if left < 1000 { text!("{} ms", left.max(0)) } else { text::left(left) };
    text!(
        "The work queue tries again in {}; this set has failed {}.",
        when,
        text::count(i32::try_from(failures).unwrap_or(i32::MAX), Noun::Time)
    )
}

/// Where the controller rests, or what it has not seen yet.
pub(in crate::view) fn nothing_to_do(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let (set, status) = (context.name(), &context.set.status);
    let observed = sync.stateful_set_status().map(|[_, after]| after.observed_generation);
    if observed != Some(context.set.metadata.generation) {
        return Explanation {
            headline: text!("The controller has not seen the latest change of {} yet", set),
            reason: text!("The change is on its way to the controller's cache."),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    }
    let wanted = context.set.replicas();
    let PodCounts { ready, outdated } = context.counts();
    let rolling = context.set.spec.update_strategy.rolling_update.as_ref();
    let partition = rolling.and_then(|rolling| rolling.partition).unwrap_or(0);
    let is_pinned = |ordinal: &i32| *ordinal < context.start() + partition;
    let update = context.revision(&status.update_revision).letter;
    let pods = text::count(wanted, Noun::Pod);
    let mut reason = if wanted == 0 {
        text!("{} wants no pods, and there are none.", set)
    } else if status.current_revision == status.update_revision {
        text!("{} of {} ready, at revision {}.", ready, pods, update)
    } else {
        let updated = status.updated_replicas;
        let current = context.revision(&status.current_revision).letter;
        if !outdated.is_empty() && outdated.iter().all(is_pinned) {
            text!(
                "{} of {} ready. {} updated to revision {}; partition {} keeps {} at {}.",
                ready,
                pods,
                updated,
                update,
                partition,
                text::pods(set, &mut outdated.iter().copied().collect::<Vec<_>>()),
                current
            )
        } else {
            text!(
                "{} of {} ready. {} updated to revision {}, the others stay at {}.",
                ready,
                pods,
                updated,
                update,
                current
            )
        }
    };
    let mut resolution = Text::default();
    let mut severity = Severity::Settled;
    if decision.rule == Rule::UpdateOnDelete && !outdated.is_empty() {
        reason = Text::sentences([reason, text!("OnDelete leaves the pods of older revisions to the user.")]);
        resolution = text!("Delete a pod, and it comes back at the update revision.");
    } else if *ready < wanted {
        severity = Severity::Waiting;
        resolution = if context.is_ordered() {
            text!("A pod has changed since the last sync; the change is on its way to its cache.")
        } else {
            text!("The pods that are not ready are up to their kubelets; Parallel does not wait for them.")
        };
    }
    Explanation { headline: text!("Nothing to do"), reason, resolution, severity }
}
