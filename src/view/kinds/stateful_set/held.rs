//! What a pod keeps from going on, and why it is not as it should be: the headline of a set that waits, or is stuck.

use crate::objects::{ContainerState, Pod, PodPhase};
use crate::reconcile::stateful_set::Rule;
use crate::reconcile::{is_failed, is_running_and_ready};
use crate::sim::{Behavior, NodeHealth, Unschedulable, What};
use crate::text::Text;
use crate::view::kinds::context::Context;
use crate::view::readiness::{available_in, fault};
use crate::view::state_word::failed_because;
use crate::view::status_word::{PodStatus, is_unwell, pod_status, status_word};
use crate::view::text;
use crate::view::ways_out::attached_elsewhere;

/// What goes on only once the pod is as it should be.
enum Kept {
    ScaleDown,
    Rollout,
    /// Pods that are not there, and whether they are several.
    Pods(Text, bool),
    Nothing,
}

fn kept(context: &Context<'_>, rule: Rule, ordinal: i32) -> Kept {
    if is_condemning(rule) || !context.is_in_range(ordinal) {
        return Kept::ScaleDown;
    }
    if is_rolling(context) {
        return Kept::Rollout;
    }
    let is_missing = |ordinal: &i32| context.is_in_range(*ordinal) && context.pod(*ordinal).is_none();
    let mut missing: Vec<i32> = match context.is_ordered() {
        true => (context.start()..context.end()).filter(is_missing).collect(),
        false => Vec::new(),
    };
    match missing.len() {
        0 => Kept::Nothing,
        count => Kept::Pods(text::pods(context.name(), &mut missing), count > 1),
    }
}

fn is_condemning(rule: Rule) -> bool {
    matches!(rule, Rule::CondemnedNotReady | Rule::CondemnedNotAvailable | Rule::CondemnedTerminating)
}

/// `web-1 holds the rollout: its container crashes`.
pub(super) fn headline(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Pod) -> Text {
    let (name, why) = (&pod.metadata.name, why(context, pod));
    match kept(context, rule, ordinal) {
        Kept::ScaleDown => text!("{} holds the scale-down: {}", name, why),
        Kept::Rollout => text!("{} holds the rollout: {}", name, why),
        Kept::Pods(missing, _) => text!("{} holds back {}: {}", name, missing, why),
        Kept::Nothing if pod.is_terminating() => text!("{} is not replaced: {}", name, why),
        Kept::Nothing => text!("{} is not Ready: {}", name, why),
    }
}

/// `web-1 is starting, and web-2 waits for it`.
pub(super) fn waiting_headline(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Pod, coming: Coming) -> Text {
    if is_on_failed_node(context, pod) {
        return headline(context, rule, ordinal, pod);
    }
    let state = coming.words(&pod.metadata.name);
    match kept(context, rule, ordinal) {
        Kept::ScaleDown if is_condemning(rule) => text!("{}, and the scale-down waits for it", state),
        Kept::Rollout => text!("{}, and the rollout waits for it", state),
        Kept::Pods(missing, false) => text!("{}, and {} waits for it", state, missing),
        Kept::Pods(missing, true) => text!("{}, and {} wait for it", state, missing),
        Kept::ScaleDown | Kept::Nothing => state,
    }
}

/// How a pod is of which time makes what it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coming {
    Terminating,
    Unavailable,
    ReadyNow,
    Unattached,
    Pending,
    Starting,
    NotReady,
}

impl Coming {
    pub(super) fn of(context: &Context<'_>, pod: &Pod) -> Self {
        let cluster = context.cluster;
        match pod_status(pod, cluster.release().kubectl()) {
            _ if pod.is_terminating() => Self::Terminating,
            _ if available_in(cluster, pod, context.object.min_ready_seconds()).is_some() => Self::Unavailable,
            _ if is_running_and_ready(pod) => Self::ReadyNow,
            _ if attached_elsewhere(cluster, pod).is_some() => Self::Unattached,
            PodStatus::Phase(PodPhase::Pending) if pod.spec.node_name.is_empty() => Self::Pending,
            PodStatus::Phase(PodPhase::Pending) | PodStatus::Init(_) => Self::Starting,
            PodStatus::Waiting(reason) if matches!(&*reason, "ContainerCreating" | "PodInitializing") => Self::Starting,
            PodStatus::Phase(PodPhase::Running) if !was_ready(pod) => Self::Starting,
            _ => Self::NotReady,
        }
    }

    pub(super) fn words(self, name: &str) -> Text {
        match self {
            Self::Terminating => text!("{} is terminating", name),
            Self::Unavailable => text!("{} is not available yet", name),
            Self::ReadyNow => text!("{} is Ready now", name),
            Self::Unattached => text!("{} waits for a volume", name),
            Self::Pending => text!("{} is Pending", name),
            Self::Starting => text!("{} is starting", name),
            Self::NotReady => text!("{} is not Ready", name),
        }
    }
}

/// Whether a pod whose containers run has been Ready since they were started.
fn was_ready(pod: &Pod) -> bool {
    let lost = pod.condition("Ready").and_then(|ready| ready.last_transition_time);
    let started = pod.status.container_statuses.iter().filter_map(|container| match container.state {
        ContainerState::Running { started_at } => started_at,
        _ => None,
    });
    started.max() < lost
}

/// Whether a pod is left that the controller would replace by itself.
fn is_rolling(context: &Context<'_>) -> bool {
    let set = &context.set;
    set.updates_itself()
        && context.counts().outdated.iter().any(|ordinal| context.pod(*ordinal).is_some_and(|pod| set.is_updated(pod)))
}

fn is_on_failed_node(context: &Context<'_>, pod: &Pod) -> bool {
    matches!(context.cluster.node_health(&pod.spec.node_name), NodeHealth::Failed { .. })
}

fn why(context: &Context<'_>, pod: &Pod) -> Text {
    let (cluster, on) = (context.cluster, &pod.spec.node_name);
    if is_on_failed_node(context, pod) {
        return match is_unwell(cluster, on) {
            true => text!("{} is not Ready", on),
            false => text!("{} cannot be reached", on),
        };
    }
    let said = cluster.holds().of_pod(pod).find_map(|hold| match &hold.what {
        What::Finalizer { name } if pod.is_terminating() => Some(text!("its finalizer {} stays", name)),
        What::Gated { name, .. } => Some(text!("its scheduling gate {} stays", name)),
        What::GateClosed { name } => Some(text!("its readiness gate {} is closed", name)),
        _ => None,
    });
    if let Some(said) = said {
        return said;
    }
    if pod.is_terminating() {
        return text!("it does not end");
    }
    if is_failed(pod) {
        return text!("it has failed");
    }
    if pod.condition("PodScheduled").is_some_and(|told| &*told.status == "False") {
        return match cluster.why_unschedulable(pod) {
            Some(Unschedulable::ClaimUnbound(claim)) => text!("its claim {} is not bound", claim),
            Some(Unschedulable::ClaimLost(claim, _)) => text!("the volume of its claim {} is gone", claim),
            _ => text!("no node takes it"),
        };
    }
    match fault(cluster, pod) {
        Some((_, Behavior::CannotBePulled)) => text!("its image cannot be pulled"),
        Some((_, Behavior::Crashes)) => text!("its container crashes"),
        Some((_, Behavior::NeedsPeer)) => text!("it is Ready only beside another pod"),
        Some((_, Behavior::NeverReady)) => text!("it never becomes Ready"),
        _ => failed_because(&status_word(pod, cluster.release().kubectl())),
    }
}
