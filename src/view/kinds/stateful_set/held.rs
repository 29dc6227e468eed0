//! What a pod keeps from going on that nothing by itself makes right, and why it is not: the headline of a set that is stuck.

use crate::objects::Pod;
use crate::reconcile::is_failed;
use crate::reconcile::stateful_set::Rule;
use crate::sim::{Behavior, NodeHealth, Unschedulable, What};
use crate::text::Text;
use crate::view::kinds::context::Context;
use crate::view::readiness::fault;
use crate::view::state_word::failed_because;
use crate::view::status_word::{is_unwell, status_word};
use crate::view::text;

/// `web-1 holds the rollout: its container crashes`.
pub(super) fn headline(context: &Context<'_>, rule: Rule, ordinal: i32, pod: &Pod) -> Text {
    let (name, why) = (&pod.metadata.name, why(context, pod));
    let is_missing = |ordinal: &i32| context.is_in_range(*ordinal) && context.pod(*ordinal).is_none();
    let mut missing: Vec<i32> = match context.is_ordered() {
        true => (context.start()..context.end()).filter(is_missing).collect(),
        false => Vec::new(),
    };
    let is_condemned =
        matches!(rule, Rule::CondemnedNotReady | Rule::CondemnedNotAvailable | Rule::CondemnedTerminating);
    if is_condemned || !context.is_in_range(ordinal) {
        text!("{} holds the scale-down: {}", name, why)
    } else if is_rolling(context) {
        text!("{} holds the rollout: {}", name, why)
    } else if !missing.is_empty() {
        text!("{} holds back {}: {}", name, text::pods(context.name(), &mut missing), why)
    } else if pod.is_terminating() {
        text!("{} is not replaced: {}", name, why)
    } else {
        text!("{} is not Ready: {}", name, why)
    }
}

/// Whether a pod is left that the controller would replace by itself.
fn is_rolling(context: &Context<'_>) -> bool {
    let set = &context.set;
    set.updates_itself()
        && context.counts().outdated.iter().any(|ordinal| context.pod(*ordinal).is_some_and(|pod| set.is_updated(pod)))
}

fn why(context: &Context<'_>, pod: &Pod) -> Text {
    let (cluster, on) = (context.cluster, &pod.spec.node_name);
    if matches!(cluster.node_health(on), NodeHealth::Failed { .. }) {
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
