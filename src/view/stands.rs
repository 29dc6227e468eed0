//! Where the controller stands, why, and what ends the wait.

use super::context::Context;
use super::rail::force_risk;
use super::status_word::{is_unreachable, status_word};
use super::{Stands, Tone, text, why};
use crate::objects::{Pod, PodManagementPolicy};
use crate::reconcile::{Decision, Rule, is_running_and_ready, revision_of};
use crate::sim::Behaviour;
use std::rc::Rc;

pub(super) fn without_set() -> Stands {
    Stands {
        title: "No StatefulSet yet".to_owned(),
        body: "Apply a manifest, and the controller has something to do.".to_owned(),
        unblocks: String::new(),
        tone: Tone::Settled,
    }
}

/// What ends a wait, and whether time alone does.
struct Wait {
    body: String,
    unblocks: String,
    stuck: bool,
}

pub(super) fn stands(context: &Context<'_>) -> Stands {
    let set = context.name();
    let Some((sync, decision)) = context.last_sync.zip(context.deciding()) else {
        return Stands {
            title: format!("The controller has not looked at {set} yet"),
            body: format!("{set} is on its way to the controller's cache."),
            unblocks: String::new(),
            tone: Tone::Waiting,
        };
    };
    let name = decision.ordinal.map_or_else(String::new, |ordinal| format!("{set}-{ordinal}"));
    let did = |title: String, body: String| Stands { title, body, unblocks: String::new(), tone: Tone::Waiting };
    let refused = |title: String| Stands {
        title,
        body: format!("The API server refused: {}", why::refusal(sync)),
        unblocks: retry(context),
        tone: Tone::Waiting,
    };
    match decision.rule {
        Rule::ReplicaTerminating
        | Rule::ReplicaNotReady
        | Rule::CondemnedTerminating
        | Rule::CondemnedNotReady
        | Rule::UpdateNotHealthy => waiting(context, decision, &name),
        Rule::ReplicaCreated => did(
            format!("{name} was created"),
            if is_ordered(context) {
                format!("It was missing. OrderedReady does nothing more before {name} is Running and Ready.")
            } else {
                "It was missing. Parallel creates every missing pod at once.".to_owned()
            },
        ),
        Rule::ReplicaFailed => did(format!("{name} is being made again"), "It failed, so it was deleted.".to_owned()),
        Rule::ReplicaUpdated => {
            did(format!("{name} was put right"), "Its identity or storage did not match.".to_owned())
        }
        Rule::CondemnedDeleted => did(
            format!("{name} was deleted"),
            format!(
                "Its ordinal is out of range: {set} wants {}. Its claims stay.",
                text::count(context.set.replicas(), "pod")
            ),
        ),
        Rule::CondemnedPassed => did(
            format!("{name} is on its way out"),
            "Its ordinal is out of range. Parallel does not wait for it.".to_owned(),
        ),
        Rule::UpdateDeleted => did(
            format!("{name} was deleted to be updated"),
            "It was made from another revision. The rolling update goes from the highest ordinal down.".to_owned(),
        ),
        Rule::SetTerminating => did(format!("{set} is being deleted"), "Only its status is kept up.".to_owned()),
        Rule::RevisionAdoptionRefused => refused("The revisions could not be adopted".to_owned()),
        Rule::PodClaimRefused => refused(format!("{name} could not be claimed")),
        Rule::RevisionRefused => refused("The revision could not be written".to_owned()),
        Rule::ReplicaFailedRefused => refused(format!("{name} has failed and could not be deleted")),
        Rule::ReplicaCreateRefused => refused(format!("{name} could not be created")),
        Rule::ReplicaUpdateRefused => refused(format!("{name} could not be put right")),
        Rule::CondemnedDeleteRefused | Rule::UpdateDeleteRefused => refused(format!("{name} could not be deleted")),
        Rule::StatusRefused => refused("The status could not be written".to_owned()),
        Rule::HistoryRefused => refused("An old revision could not be deleted".to_owned()),
        Rule::UpdateOnDelete
        | Rule::UpdateDone
        | Rule::RevisionsAdopted
        | Rule::PodAdopted
        | Rule::PodReleased
        | Rule::PodsClaimed
        | Rule::RevisionUnchanged
        | Rule::RevisionReused
        | Rule::RevisionCreated
        | Rule::RevisionNameTaken
        | Rule::PodsSplit
        | Rule::FirstUnhealthy
        | Rule::ReplicasInOrder
        | Rule::RolloutCompleted
        | Rule::StatusUnchanged
        | Rule::StatusWritten
        | Rule::HistoryKept
        | Rule::HistoryTruncated => nothing_to_do(context, decision),
    }
}

fn is_ordered(context: &Context<'_>) -> bool {
    context.set.spec.pod_management_policy == PodManagementPolicy::OrderedReady
}

fn retry(context: &Context<'_>) -> String {
    let Some((due, failures)) = context.cluster.retry_of(&context.key) else { return String::new() };
    let left = due.0 - context.cluster.now().0;
    let when = if left < 1000 { format!("{} ms", left.max(0)) } else { text::left(left) };
    format!(
        "The work queue tries again in {when}; this set has failed {}.",
        text::count(i32::try_from(failures).unwrap_or(i32::MAX), "time")
    )
}

fn waiting(context: &Context<'_>, decision: Decision, name: &str) -> Stands {
    let pod = decision.ordinal.and_then(|ordinal| context.pod(ordinal));
    let hold_up = match decision.rule {
        Rule::ReplicaTerminating => "OrderedReady goes no further until it is gone",
        Rule::ReplicaNotReady => "OrderedReady neither creates, deletes nor updates another pod before it is",
        Rule::CondemnedTerminating => "OrderedReady deletes no lower pod until it is gone",
        Rule::CondemnedNotReady => {
            "OrderedReady deletes a condemned pod that is not ready only if it is the first unhealthy one"
        }
        _ => "the rolling update replaces no other pod before it is healthy",
    };
    let Some(pod) = pod else {
        return Stands {
            title: format!("Controller waited at {name}"),
            body: format!("{name} is gone; the controller has not seen it yet."),
            unblocks: String::new(),
            tone: Tone::Waiting,
        };
    };
    let wait = wait_at(context, pod, hold_up);
    Stands {
        title: format!("Controller is waiting at {name}"),
        body: wait.body,
        unblocks: wait.unblocks,
        tone: if wait.stuck { Tone::Stuck } else { Tone::Waiting },
    }
}

fn wait_at(context: &Context<'_>, pod: &Rc<Pod>, hold_up: &str) -> Wait {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    let cluster = context.cluster;
    if is_unreachable(cluster, pod) {
        let terminating = pod.metadata.deletion_timestamp.is_some();
        let state = if terminating { "is terminating" } else { "is not Ready" };
        let until = if terminating {
            format!("{node} returns, or someone force deletes {name}. {}", force_risk(context, pod))
        } else {
            format!(
                "{node} returns. Until then {name} is counted as it is; once its toleration runs out it is marked for deletion."
            )
        };
        return Wait {
            body: format!("{name} {state} on {node}, which nobody can reach; {hold_up}."),
            unblocks: until,
            stuck: terminating,
        };
    }
    if let Some(deadline) = pod.metadata.deletion_timestamp {
        return Wait {
            body: format!("{name} is terminating; {hold_up}."),
            unblocks: format!(
                "Not stuck, waiting: its kubelet stops it, with {} of grace left.",
                text::left(deadline.0 - cluster.now().0)
            ),
            stuck: false,
        };
    }
    if is_running_and_ready(pod) {
        return Wait {
            body: format!("{name} was not ready when the controller looked; it is by now."),
            unblocks: "Not stuck, waiting: the change is on its way to the controller's cache.".to_owned(),
            stuck: false,
        };
    }
    let (unblocks, stuck) = readiness(context, pod);
    Wait { body: format!("{name} is {}; {hold_up}.", state_words(pod)), unblocks, stuck }
}

fn state_words(pod: &Pod) -> String {
    match &*status_word(pod) {
        "Running" => "Running but not Ready".to_owned(),
        word => format!("{word}, not Running and Ready"),
    }
}

/// What will make the pod ready, and whether nothing will by itself.
fn readiness(context: &Context<'_>, pod: &Pod) -> (String, bool) {
    let name = &pod.metadata.name;
    if let Some(told) = pod.condition("PodScheduled").filter(|told| &*told.status == "False") {
        let message = &told.message;
        // Claims are bound by themselves; the other reasons last until someone changes a node or the pod.
        let stuck = !message.contains("unbound immediate");
        return (format!("The scheduler says: {message}"), stuck);
    }
    let settings = context.cluster.settings();
    let bad = pod.spec.containers.iter().find_map(|container| {
        let behaviour = settings.images.get(&container.image).copied().unwrap_or_default();
        (behaviour != Behaviour::Healthy).then_some((&container.image, behaviour))
    });
    let Some((image, behaviour)) = bad else {
        return ("Not stuck, waiting: it becomes Ready by itself.".to_owned(), false);
    };
    let fault = match behaviour {
        Behaviour::CannotBePulled => "cannot be pulled",
        Behaviour::Crashes => "crashes",
        Behaviour::NeverReady | Behaviour::Healthy => "never becomes ready",
    };
    let rolled_back = revision_of(pod) != &*context.set.status.update_revision;
    let way_out = if rolled_back {
        format!(
            "The template has another revision by now, but the controller does not reach the update before {name} is ready. Delete {name}, and it comes back at the template's revision."
        )
    } else {
        format!("First change the image or roll back, then delete {name}: the change alone does not replace it.")
    };
    (format!("Stuck until someone acts: {image} {fault}. {way_out}"), true)
}

fn nothing_to_do(context: &Context<'_>, decision: Decision) -> Stands {
    let (set, status) = (context.name(), &context.set.status);
    let wanted = context.set.replicas();
    let ready =
        i32::try_from(context.pods.iter().filter(|(_, pod)| is_running_and_ready(pod)).count()).unwrap_or(i32::MAX);
    let mut body = if wanted == 0 {
        format!("{set} wants no pods, and there are none.")
    } else if status.current_revision == status.update_revision {
        format!(
            "{ready} of {} ready, at revision {}.",
            text::count(wanted, "pod"),
            context.revision(&status.update_revision).letter
        )
    } else {
        format!(
            "{ready} of {} ready. {} updated to revision {}, the others stay at {}.",
            text::count(wanted, "pod"),
            status.updated_replicas,
            context.revision(&status.update_revision).letter,
            context.revision(&status.current_revision).letter
        )
    };
    let outdated = context.pods.iter().filter(|(_, pod)| revision_of(pod) != &*status.update_revision).count();
    let mut unblocks = String::new();
    let mut tone = Tone::Settled;
    if decision.rule == Rule::UpdateOnDelete && outdated > 0 {
        body.push_str(" OnDelete leaves the pods of older revisions to people.");
        unblocks = "Delete a pod, and it comes back at the update revision.".to_owned();
    } else if ready < wanted {
        tone = Tone::Waiting;
        unblocks = "The pods that are not ready are up to their kubelets; Parallel does not wait for them.".to_owned();
    }
    Stands { title: "Nothing to do".to_owned(), body, unblocks, tone }
}
