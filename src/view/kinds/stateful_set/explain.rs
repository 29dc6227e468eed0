//! Where a StatefulSet's controller stands, why, and what ends the wait.

use super::at_rest::nothing_to_do;
use super::waits::{no_node, unavailable_alone, waiting};
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{self, Decision};
use crate::sim::SyncRecord;
use crate::text::Text;
use crate::view::kinds::context::Context;
use crate::view::kinds::queue::retry;
use crate::view::kinds::rule_text::{RuleText, refusal};
use crate::view::text::Noun;
use crate::view::{Explanation, Severity, text};

pub(super) fn explain(context: &Context<'_>, decision: Option<&Decision>) -> Option<Explanation> {
    let sync = context.last_sync?;
    match decision.map(|decision| (decision, decision.rule)) {
        Some((decision, reconcile::Rule::StatefulSet(rule))) => Some(decided(rule, context, sync, decision)),
        // A sync decides nothing only if it cannot read the selector, and then it is not tried again.
        None if sync.error.is_none() => {
            let set = context.name();
            Some(Explanation {
                headline: text!("The controller does nothing for {}", set),
                reason: text!("It cannot read the selector of {}.", set),
                resolution: text!("Nothing ends this by itself: delete {} and create it with a valid selector.", set),
                severity: Severity::Stuck,
            })
        }
        _ => None,
    }
}

fn decided(rule: Rule, context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let set = context.name();
    let name = decision.ordinal().map_or_else(|| text!("A pod"), |ordinal| Text::verbatim(format!("{set}-{ordinal}")));
    let did = |headline: Text, reason: Text| {
        let resolution = Text::fixed(decision.rule.resolution());
        Explanation { headline, reason, resolution, severity: Severity::Waiting }
    };
    // Parallel does the same at several ordinals in one sync.
    let all = || {
        let same = sync.decisions.iter().filter(|other| other.rule == decision.rule);
        let mut ordinals: Vec<i32> = same.filter_map(|other| other.ordinal()).collect();
        (text::pods(set, &mut ordinals), ordinals.len() == 1)
    };
    let refused = |headline: Text| Explanation {
        headline,
        reason: text!("The API server refused: {}", refusal(sync, decision.rule.stage())),
        resolution: retry(context.cluster, &context.key),
        severity: Severity::Waiting,
    };
    match rule {
        Rule::ReplicaTerminating
        | Rule::ReplicaNotReady
        | Rule::ReplicaNotAvailable
        | Rule::CondemnedTerminating
        | Rule::CondemnedNotReady
        | Rule::CondemnedNotAvailable
        | Rule::UpdateNotHealthy => waiting(context, rule, decision.ordinal(), &name),
        Rule::ReplicaCreated => {
            let (names, is_one) = all();
            did(
                if is_one { text!("{} was created", names) } else { text!("{} were created", names) },
                why_created(context, sync, decision, &name),
            )
        }
        Rule::ReplicaFailed => {
            did(text!("{} is being created again", name), text!("It had failed, so it was deleted."))
        }
        Rule::ReplicaSucceeded => {
            did(text!("{} is being created again", name), text!("It had ended, so it was deleted."))
        }
        Rule::ReplicaClaimStale => Explanation {
            headline: text!("{} is not created yet", name),
            reason: text!("A claim of its last pod is still to be deleted with that pod."),
            resolution: text!("The garbage collector deletes the claim, and the pod is created with a new one."),
            severity: Severity::Waiting,
        },
        Rule::ReplicaClaimsCreated => {
            let (names, _) = all();
            did(text!("{}: missing claims were created", names), text!("A Pending pod waits for its claims."))
        }
        Rule::ClaimLeftToOther | Rule::CondemnedClaimsKept => did(
            text!("{}: its claims follow the retention policy", name),
            text!("A claim that another object controls is left alone."),
        ),
        Rule::UpdateMaxUnavailable => unavailable_alone(context).unwrap_or_else(|| Explanation {
            headline: text!("The rolling update waits"),
            reason: text!("As many pods are unavailable as maxUnavailable allows."),
            resolution: text!("A pod that becomes available, or a higher maxUnavailable, lets it continue."),
            severity: Severity::Waiting,
        }),
        Rule::ReplicaUpdated => {
            let (names, is_one) = all();
            did(
                if is_one { text!("{} was corrected", names) } else { text!("{} were corrected", names) },
                text!("Identity or storage did not match the set's."),
            )
        }
        Rule::CondemnedDeleted => {
            let (names, is_one) = all();
            let wanted = text::count(context.set.replicas, Noun::Pod);
            let reason = if is_one {
                text!("{} wants {}, and its ordinal is out of range. Its claims stay.", set, wanted)
            } else {
                text!("{} wants {}, and these ordinals are out of range. The claims stay.", set, wanted)
            };
            did(if is_one { text!("{} was deleted", names) } else { text!("{} were deleted", names) }, reason)
        }
        Rule::CondemnedPassed => did(
            match all() {
                (_, true) => text!("{} is already terminating", name),
                (names, false) => text!("{} are already terminating", names),
            },
            text!("Out of range and terminating. Parallel does not wait for that."),
        ),
        Rule::UpdateDeleted => did(
            text!("{} was deleted to be updated", name),
            if context.set.rolls() {
                text!("It was made from another revision. The rolling update goes from the highest ordinal down.")
            } else {
                text!("It was made from another revision, and Recreate deletes all such pods together.")
            },
        ),
        Rule::UpdateBrokenDeleted => {
            let (names, is_one) = all();
            did(
                if is_one {
                    text!("{} was deleted to be updated", names)
                } else {
                    text!("{} were deleted to be updated", names)
                },
                text!("Old and not available: Parallel replaces such pods first, whatever maxUnavailable allows."),
            )
        }
        Rule::UpdateRecreateWaits => Explanation {
            headline: text!("Recreate waits until the old pods are gone"),
            reason: text!("New pods are made once none of an older revision is left."),
            resolution: text!("Each goes once its containers have stopped."),
            severity: Severity::Waiting,
        },
        Rule::CacheBehindOwnWrites => Explanation {
            headline: text!("The controller waits for its own writes"),
            reason: text!("Its cache does not show them yet, and what it would do now could be wrong."),
            resolution: retry(context.cluster, &context.key),
            severity: Severity::Waiting,
        },
        Rule::SetTerminating => did(text!("{} is being deleted", set), text!("Only its status is kept up.")),
        Rule::RevisionAdoptionRefused | Rule::OwnedRevisionInTheWay => {
            refused(text!("The revisions could not be adopted"))
        }
        Rule::PodClaimRefused => refused(text!("{} could not be claimed", name)),
        Rule::RevisionRefused => refused(text!("The revision could not be written")),
        Rule::ReplicaFailedRefused => refused(text!("{} has failed and could not be deleted", name)),
        Rule::ReplicaClaimsRefused => refused(text!("The claims of {} could not be created", name)),
        Rule::CondemnedClaimsRefused => refused(text!("The claims of {} could not be given their owner", name)),
        Rule::ReplicaCreateRefused => refused(text!("{} could not be created", name)),
        Rule::ReplicaUpdateRefused => refused(text!("{} could not be corrected", name)),
        Rule::CondemnedDeleteRefused | Rule::UpdateDeleteRefused => refused(text!("{} could not be deleted", name)),
        Rule::StatusRefused => refused(text!("The status could not be written")),
        Rule::HistoryRefused => refused(text!("An old revision could not be deleted")),
        // A release whose update passes pods that are not ready waits at none of them.
        _ => no_node(context).unwrap_or_else(|| nothing_to_do(context, sync, decision)),
    }
}

fn why_created(context: &Context<'_>, sync: &SyncRecord, decision: &Decision, name: &Text) -> Text {
    let failed = |other: &Decision| other.rule == Rule::ReplicaFailed && other.subject == decision.subject;
    let cause = if sync.decisions.iter().any(failed) {
        text!("It had failed and was deleted.")
    } else {
        text!("It was missing.")
    };
    if context.is_ordered() {
        let next = text!("OrderedReady does nothing more before {} is Running and Ready.", name);
        return Text::sentences([cause, next]);
    }
    text!("Parallel creates every missing pod at once.")
}
