//! Where a StatefulSet's controller has nothing to do.

use crate::reconcile::Decision;
use crate::reconcile::stateful_set::Rule;
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::kinds::context::{Context, PodCounts};
use crate::view::kinds::queue::ARRIVES;
use crate::view::kinds::workload::counts;
use crate::view::text::Noun;
use crate::view::{Explanation, Severity, text};

/// Where the controller rests, or what it has not seen yet.
pub(super) fn nothing_to_do(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let set = context.name();
    let observed = sync.stateful_set_status().map(|[_, after]| after.observed_generation);
    if observed != Some(context.set.metadata.generation) {
        return Explanation {
            headline: text!("The controller has not seen the latest change of {} yet", set),
            reason: text!("The change is on its way to the controller's cache."),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    }
    let wanted = context.set.replicas;
    let PodCounts { ready, outdated } = context.counts();
    let partition = context.set.partition();
    let is_pinned = |ordinal: &i32| *ordinal < context.start() + partition;
    let update = context.revision(context.set.update_revision).letter;
    let pods = text::count(wanted, Noun::Pod);
    let mut reason = if wanted == 0 {
        text!("{} wants no pods, and there are none.", set)
    } else if context.set.current_revision == context.set.update_revision {
        text!("{} of {} ready, at revision {}.", ready, pods, update)
    } else {
        let updated = counts(context.object).updated;
        let current = context.revision(context.set.current_revision).letter;
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
