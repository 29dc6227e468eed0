//! Where the controller stands, why, and what ends the wait.

use super::context::Context;
use super::kinds::{RuleText, Weight, refusal};
use super::text::Noun;
use super::waits::waiting;
use super::{Explanation, Severity, text};
use crate::objects::PodManagementPolicy;
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{self, Decision, is_running_and_ready, revision_of};
use crate::sim::SyncRecord;
use crate::text::Text;

// What ends a moment, of any workload.
pub(super) const ARRIVES: &str = "It reaches the cache, and a sync handles it.";
pub(super) const RETRIED: &str = "The work queue tries again.";

pub(super) fn without_set() -> Explanation {
    Explanation {
        headline: text!("No StatefulSet yet"),
        reason: text!("Apply a manifest, and the controller has something to do."),
        resolution: Text::default(),
        severity: Severity::Settled,
    }
}

pub(super) fn explain(context: &Context<'_>) -> Explanation {
    let set = context.name();
    let Some(sync) = context.last_sync else {
        return Explanation {
            headline: text!("The controller has not synced {} yet", set),
            reason: text!("{} is on its way to the controller's cache.", set),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        };
    };
    match (&context.deciding, &sync.error) {
        (Some(decision), None) => decided(context, sync, decision),
        (Some(decision), Some(_)) if decision.rule.weight() == Weight::Refused => decided(context, sync, decision),
        (_, Some(error)) => Explanation {
            headline: text!("The sync of {} failed", set),
            reason: text!("The controller says: {}", error),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        // A sync decides nothing only if it cannot read the selector, and then it is not tried again.
        (None, None) => Explanation {
            headline: text!("The controller does nothing for {}", set),
            reason: text!("It cannot read the selector of {}.", set),
            resolution: text!("Nothing ends this by itself: delete {} and create it with a valid selector.", set),
            severity: Severity::Stuck,
        },
    }
}

fn decided(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
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
        resolution: retry(context),
        severity: Severity::Waiting,
    };
    let reconcile::Rule::StatefulSet(rule) = decision.rule else { return plain(context, sync, decision) };
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
        Rule::UpdateMaxUnavailable => Explanation {
            headline: text!("The rolling update waits"),
            reason: text!("As many pods are unavailable as maxUnavailable allows."),
            resolution: text!("A pod that becomes available, or a higher maxUnavailable, lets it continue."),
            severity: Severity::Waiting,
        },
        Rule::ReplicaUpdated => {
            let (names, is_one) = all();
            did(
                if is_one { text!("{} was corrected", names) } else { text!("{} were corrected", names) },
                text!("Identity or storage did not match the set's."),
            )
        }
        Rule::CondemnedDeleted => {
            let (names, is_one) = all();
            let wanted = text::count(context.set.replicas(), Noun::Pod);
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
            text!("It was made from another revision. The rolling update goes from the highest ordinal down."),
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
        Rule::CacheBehindOwnWrites => Explanation {
            headline: text!("The controller waits for its own writes"),
            reason: text!("Its cache does not show them yet, and what it would do now could be wrong."),
            resolution: retry(context),
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
        _ => nothing_to_do(context, sync, decision),
    }
}

/// What a rule that has no explanation of its own says, with what ends it.
fn plain(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
    let (rule, headline) = (decision.rule, decision.rule.sentence(sync, decision));
    match rule.weight() {
        Weight::Passed | Weight::Update => nothing_to_do(context, sync, decision),
        Weight::Refused => Explanation {
            headline,
            reason: text!("The API server refused: {}", refusal(sync, rule.stage())),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        Weight::Minor | Weight::Waits | Weight::Acted => Explanation {
            headline,
            reason: Text::fixed(rule.says()),
            resolution: Text::fixed(rule.resolution()),
            severity: rule.severity(),
        },
    }
}

fn is_ordered(context: &Context<'_>) -> bool {
    context.set.spec.pod_management_policy == PodManagementPolicy::OrderedReady
}

fn why_created(context: &Context<'_>, sync: &SyncRecord, decision: &Decision, name: &Text) -> Text {
    let failed = |other: &Decision| other.rule == Rule::ReplicaFailed && other.subject == decision.subject;
    let cause = if sync.decisions.iter().any(failed) {
        text!("It had failed and was deleted.")
    } else {
        text!("It was missing.")
    };
    if is_ordered(context) {
        let next = text!("OrderedReady does nothing more before {} is Running and Ready.", name);
        return Text::sentences([cause, next]);
    }
    text!("Parallel creates every missing pod at once.")
}

fn retry(context: &Context<'_>) -> Text {
    let Some((due, failures)) = context.cluster.retry_of(&context.key) else { return Text::fixed(RETRIED) };
    let left = due.0 - context.cluster.now().0;
    let when = if left < 1000 { text!("{} ms", left.max(0)) } else { text::left(left) };
    text!(
        "The work queue tries again in {}; this set has failed {}.",
        when,
        text::count(i32::try_from(failures).unwrap_or(i32::MAX), Noun::Time)
    )
}

fn nothing_to_do(context: &Context<'_>, sync: &SyncRecord, decision: &Decision) -> Explanation {
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
    let in_range = context.pods.iter().filter(|(ordinal, _)| context.is_in_range(*ordinal));
    let (mut ready, mut outdated) = (0, 0);
    for (_, pod) in in_range {
        ready += i32::from(is_running_and_ready(pod));
        outdated += i32::from(revision_of(pod) != &*status.update_revision);
    }
    let update = context.revision(&status.update_revision).letter;
    let pods = text::count(wanted, Noun::Pod);
    let mut reason = if wanted == 0 {
        text!("{} wants no pods, and there are none.", set)
    } else if status.current_revision == status.update_revision {
        text!("{} of {} ready, at revision {}.", ready, pods, update)
    } else {
        let updated = status.updated_replicas;
        let current = context.revision(&status.current_revision).letter;
        text!(
            "{} of {} ready. {} updated to revision {}, the others stay at {}.",
            ready,
            pods,
            updated,
            update,
            current
        )
    };
    let mut resolution = Text::default();
    let mut severity = Severity::Settled;
    if decision.rule == Rule::UpdateOnDelete && outdated > 0 {
        reason = Text::sentences([reason, text!("OnDelete leaves the pods of older revisions to the user.")]);
        resolution = text!("Delete a pod, and it comes back at the update revision.");
    } else if ready < wanted {
        severity = Severity::Waiting;
        resolution = if is_ordered(context) {
            text!("A pod has changed since the last sync; the change is on its way to its cache.")
        } else {
            text!("The pods that are not ready are up to their kubelets; Parallel does not wait for them.")
        };
    }
    Explanation { headline: text!("Nothing to do"), reason, resolution, severity }
}
