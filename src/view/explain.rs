//! Where the controller stands, why, and what ends the wait.

use super::context::{Context, Weight, weight};
use super::waits::waiting;
use super::{Explanation, Severity, text, why};
use crate::objects::PodManagementPolicy;
use crate::reconcile::{Decision, Rule, is_running_and_ready, revision_of};
use crate::sim::SyncRecord;

// What ends a moment, of any workload.
pub(super) const ARRIVES: &str = "It arrives there, and a sync looks at it.";
pub(super) const STARTED: &str = "The kubelets start the new pods, and they become available.";
pub(super) const ENDED: &str = "The kubelets end the pods that are deleted.";
pub(super) const COLLECTED: &str = "The garbage collector deletes what belongs to it.";
pub(super) const RETRIED: &str = "The work queue tries again.";
pub(super) const NEXT: &str = "The next sync goes on from there.";

pub(super) fn without_set() -> Explanation {
    Explanation {
        headline: "No StatefulSet yet".to_owned(),
        reason: "Apply a manifest, and the controller has something to do.".to_owned(),
        resolution: String::new(),
        severity: Severity::Settled,
    }
}

pub(super) fn explain(context: &Context<'_>) -> Explanation {
    let set = context.name();
    let Some(sync) = context.last_sync else {
        return Explanation {
            headline: format!("The controller has not looked at {set} yet"),
            reason: format!("{set} is on its way to the controller's cache."),
            resolution: ARRIVES.to_owned(),
            severity: Severity::Waiting,
        };
    };
    match (context.deciding, &sync.error) {
        (Some(decision), None) => decided(context, sync, decision),
        (Some(decision), Some(_)) if weight(decision.rule) == Weight::Refused => decided(context, sync, decision),
        (_, Some(error)) => Explanation {
            headline: format!("The sync of {set} failed"),
            reason: format!("The controller says: {error}"),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        // A sync decides nothing only if it cannot read the selector, and then it is not tried again.
        (None, None) => Explanation {
            headline: format!("The controller does nothing for {set}"),
            reason: format!("It cannot read the selector of {set}."),
            resolution: format!("Nothing ends this by itself: delete {set} and create it with a valid selector."),
            severity: Severity::Stuck,
        },
    }
}

fn decided(context: &Context<'_>, sync: &SyncRecord, decision: Decision) -> Explanation {
    let set = context.name();
    let name = decision.ordinal.map_or_else(|| "A pod".to_owned(), |ordinal| format!("{set}-{ordinal}"));
    let did = |headline: String, reason: String| {
        let resolution = leads_to(decision.rule).to_owned();
        Explanation { headline, reason, resolution, severity: Severity::Waiting }
    };
    // Parallel does the same at several ordinals in one sync.
    let all = || {
        let same = sync.decisions.iter().filter(|other| other.rule == decision.rule);
        let mut ordinals: Vec<i32> = same.filter_map(|other| other.ordinal).collect();
        (text::pods(set, &mut ordinals), if ordinals.len() == 1 { "was" } else { "were" })
    };
    let refused = |headline: String| Explanation {
        headline,
        reason: format!("The API server refused: {}", why::refusal(sync, decision.rule)),
        resolution: retry(context),
        severity: Severity::Waiting,
    };
    match decision.rule {
        Rule::ReplicaTerminating
        | Rule::ReplicaNotReady
        | Rule::ReplicaNotAvailable
        | Rule::CondemnedTerminating
        | Rule::CondemnedNotReady
        | Rule::CondemnedNotAvailable
        | Rule::UpdateNotHealthy => waiting(context, decision, &name),
        Rule::ReplicaCreated => {
            let (names, were) = all();
            did(format!("{names} {were} created"), why_created(context, sync, decision, &name))
        }
        Rule::ReplicaFailed => {
            did(format!("{name} is being made again"), "It had failed, so it was deleted.".to_owned())
        }
        Rule::ReplicaSucceeded => {
            did(format!("{name} is being made again"), "It had ended, so it was deleted.".to_owned())
        }
        Rule::ReplicaClaimStale => Explanation {
            headline: format!("{name} is not created yet"),
            reason: "A claim of its last pod is still to be deleted with that pod.".to_owned(),
            resolution: "The garbage collector deletes the claim, and the pod is created with a new one.".to_owned(),
            severity: Severity::Waiting,
        },
        Rule::ReplicaClaimsCreated => {
            let (names, _) = all();
            did(format!("{names}: missing claims were created"), "A Pending pod waits for its claims.".to_owned())
        }
        Rule::ClaimLeftToOther | Rule::CondemnedClaimsKept => did(
            format!("{name}: its claims follow the retention policy"),
            "A claim that another object controls is left alone.".to_owned(),
        ),
        Rule::UpdateMaxUnavailable => Explanation {
            headline: "The rolling update waits".to_owned(),
            reason: "As many pods are unavailable as maxUnavailable allows.".to_owned(),
            resolution: "A pod that becomes available, or a higher maxUnavailable, lets it go on.".to_owned(),
            severity: Severity::Waiting,
        },
        Rule::ReplicaUpdated => {
            let (names, were) = all();
            did(format!("{names} {were} put right"), "Identity or storage did not match the set's.".to_owned())
        }
        Rule::CondemnedDeleted => {
            let (names, were) = all();
            let wanted = text::count(context.set.replicas(), "pod");
            let reason = format!("{set} wants {wanted}, and these ordinals are out of range. The claims stay.");
            let reason = if were == "was" {
                format!("{set} wants {wanted}, and its ordinal is out of range. Its claims stay.")
            } else {
                reason
            };
            did(format!("{names} {were} deleted"), reason)
        }
        Rule::CondemnedPassed => did(
            format!(
                "{} on the way out",
                if all().1 == "was" { format!("{name} is") } else { format!("{} are", all().0) }
            ),
            "Out of range and terminating. Parallel does not wait for that.".to_owned(),
        ),
        Rule::UpdateDeleted => did(
            format!("{name} was deleted to be updated"),
            "It was made from another revision. The rolling update goes from the highest ordinal down.".to_owned(),
        ),
        Rule::UpdateBrokenDeleted => {
            let (names, were) = all();
            did(
                format!("{names} {were} deleted to be updated"),
                "Old and not available: Parallel replaces such pods first, whatever maxUnavailable allows.".to_owned(),
            )
        }
        Rule::CacheBehindOwnWrites => Explanation {
            headline: "The controller waits for its own writes".to_owned(),
            reason: "Its cache does not show them yet, and what it would do now could be wrong.".to_owned(),
            resolution: retry(context),
            severity: Severity::Waiting,
        },
        Rule::SetTerminating => did(format!("{set} is being deleted"), "Only its status is kept up.".to_owned()),
        Rule::RevisionAdoptionRefused | Rule::OwnedRevisionInTheWay => {
            refused("The revisions could not be adopted".to_owned())
        }
        Rule::PodClaimRefused => refused(format!("{name} could not be claimed")),
        Rule::RevisionRefused => refused("The revision could not be written".to_owned()),
        Rule::ReplicaFailedRefused => refused(format!("{name} has failed and could not be deleted")),
        Rule::ReplicaClaimsRefused => refused(format!("The claims of {name} could not be created")),
        Rule::CondemnedClaimsRefused => refused(format!("The claims of {name} could not be given their owner")),
        Rule::ReplicaCreateRefused => refused(format!("{name} could not be created")),
        Rule::ReplicaUpdateRefused => refused(format!("{name} could not be put right")),
        Rule::CondemnedDeleteRefused | Rule::UpdateDeleteRefused => refused(format!("{name} could not be deleted")),
        Rule::StatusRefused => refused("The status could not be written".to_owned()),
        Rule::HistoryRefused => refused("An old revision could not be deleted".to_owned()),
        _ => nothing_to_do(context, sync, decision),
    }
}

/// What ends the moment after an act.
fn leads_to(rule: Rule) -> &'static str {
    match rule {
        Rule::ReplicaCreated => STARTED,
        Rule::CondemnedDeleted | Rule::CondemnedPassed | Rule::UpdateDeleted => ENDED,
        Rule::SetTerminating => COLLECTED,
        _ => NEXT,
    }
}

fn is_ordered(context: &Context<'_>) -> bool {
    context.set.spec.pod_management_policy == PodManagementPolicy::OrderedReady
}

fn why_created(context: &Context<'_>, sync: &SyncRecord, decision: Decision, name: &str) -> String {
    let failed = |other: &Decision| other.rule == Rule::ReplicaFailed && other.ordinal == decision.ordinal;
    let cause = if sync.decisions.iter().any(failed) { "It had failed and was deleted." } else { "It was missing." };
    if is_ordered(context) {
        return format!("{cause} OrderedReady does nothing more before {name} is Running and Ready.");
    }
    "Parallel creates every missing pod at once.".to_owned()
}

fn retry(context: &Context<'_>) -> String {
    let Some((due, failures)) = context.cluster.retry_of(&context.key) else { return RETRIED.to_owned() };
    let left = due.0 - context.cluster.now().0;
    let when = if left < 1000 { format!("{} ms", left.max(0)) } else { text::left(left) };
    format!(
        "The work queue tries again in {when}; this set has failed {}.",
        text::count(i32::try_from(failures).unwrap_or(i32::MAX), "time")
    )
}

#[inline(never)]
fn nothing_to_do(context: &Context<'_>, sync: &SyncRecord, decision: Decision) -> Explanation {
    let (set, status) = (context.name(), &context.set.status);
    let observed = sync.stateful_set_status().map(|[_, after]| after.observed_generation);
    if observed != Some(context.set.metadata.generation) {
        return Explanation {
            headline: format!("The controller has not seen the latest change of {set} yet"),
            reason: "The change is on its way to the controller's cache.".to_owned(),
            resolution: ARRIVES.to_owned(),
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
    let pods = text::count(wanted, "pod");
    let mut reason = if wanted == 0 {
        format!("{set} wants no pods, and there are none.")
    } else if status.current_revision == status.update_revision {
        format!("{ready} of {pods} ready, at revision {update}.")
    } else {
        let updated = status.updated_replicas;
        let current = context.revision(&status.current_revision).letter;
        format!("{ready} of {pods} ready. {updated} updated to revision {update}, the others stay at {current}.")
    };
    let mut resolution = String::new();
    let mut severity = Severity::Settled;
    if decision.rule == Rule::UpdateOnDelete && outdated > 0 {
        reason.push_str(" OnDelete leaves the pods of older revisions to people.");
        resolution = "Delete a pod, and it comes back at the update revision.".to_owned();
    } else if ready < wanted {
        severity = Severity::Waiting;
        resolution = if is_ordered(context) {
            "A pod has changed since the controller looked; the change is on its way to its cache.".to_owned()
        } else {
            "The pods that are not ready are up to their kubelets; Parallel does not wait for them.".to_owned()
        };
    }
    Explanation { headline: "Nothing to do".to_owned(), reason, resolution, severity }
}
