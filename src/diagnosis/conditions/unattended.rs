//! Nobody acts on a pod: no scheduler has looked at it, or its node's kubelet has not begun with it.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::Pod;
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "unattended", issue: "", find };

/// A scheduler and a kubelet take seconds, in milliseconds.
const PATIENCE_MS: i64 = 60_000;

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    // What is simulated is always attended to.
    if case.kinds.is_none() {
        return Vec::new();
    }
    case.observed_pods.iter().copied().filter_map(|pod| of(case, pod, condition)).collect()
}

fn of(case: &Case<'_>, pod: &Rc<Pod>, condition: &'static Condition) -> Option<Finding> {
    let made = pod.metadata.creation_timestamp?;
    let status = &pod.status;
    let has_begun = !status.container_statuses.is_empty() || !status.init_container_statuses.is_empty();
    if pod.is_terminating() || pod.has_ended() || has_begun || case.is_gated(pod) {
        return None;
    }
    if case.asked().0.saturating_sub(made.0) <= PATIENCE_MS {
        return None;
    }
    let (name, node, since) = (&pod.metadata.name, &pod.spec.node_name, case.ago(made));
    let finding = |cause, text: Text| Finding::new(condition, Gravity::Stuck, cause, text).at(pod);
    if node.is_empty() && pod.condition("PodScheduled").is_none() {
        if let Some(text) = unclaimed(case, pod, &since) {
            return Some(
                finding(Cause::Scheduling, text)
                    .mistaken_for(text!("Not the scheduler: it does not try a pod before its claims are there."))
                    .evidence(&of_pod(pod), &["spec.resourceClaims", "status.phase"]),
            );
        }
        if let Some(event) = case.events_of(name).filter(|event| &*event.reason == "FailedScheduling").last() {
            let text = text!(
                "No scheduler has placed {} for {}. {} times so far, last: {}",
                name,
                since,
                event.count,
                event.message.trim()
            );
            let mistaken_for = text!("Not the workload's controller: it has made the pod and waits for it.");
            let finding = finding(Cause::Scheduling, text).mistaken_for(mistaken_for);
            return Some(finding.evidence(&of_pod(pod), &["status.phase"]));
        }
        let own = pod.spec.scheduler();
        let text = text!(
            "No scheduler has looked at {} for {}: it has no condition PodScheduled. It asks for scheduler {}.",
            name,
            since,
            own
        );
        let paths = ["spec.schedulerName", "status.phase"];
        return Some(
            finding(Cause::Scheduling, text)
                .mistaken_for(text!("Not for want of room: then a scheduler would say so."))
                .evidence(&of_pod(pod), &paths),
        );
    }
    let is_placed = pod.condition("PodScheduled").is_some_and(|told| &*told.status == "True");
    let answers = case.node_of(pod).is_some_and(|node| node.is_ready());
    (is_placed && answers).then(|| {
        let text =
            text!("The kubelet of {} has not begun with {} for {}, though its node is Ready.", node, name, since);
        let paths = ["spec.nodeName", "status.phase"];
        finding(Cause::Node, text)
            .mistaken_for(text!("Not the scheduler: the pod has its node."))
            .evidence(&of_pod(pod), &paths)
    })
}

/// That a claim of devices was not made for the pod, and what was said of it.
fn unclaimed(case: &Case<'_>, pod: &Pod, since: &Text) -> Option<Text> {
    let items = |list: Option<&Value>| list.and_then(Value::as_array).cloned().unwrap_or_default();
    let made = items(pod.status.extra.get("resourceClaimStatuses"));
    let is_made = |claim: &Value| made.iter().any(|one| one["name"] == claim["name"]);
    let of_template = |claim: &Value| claim["resourceClaimTemplateName"].as_str().map(str::to_owned);
    let claims = items(pod.spec.extra.get("resourceClaims"));
    let template = claims.iter().filter(|claim| !is_made(claim)).find_map(of_template)?;
    let name = &pod.metadata.name;
    let what = text!(
        "No claim of devices was made of template {} for {} for {}, and no scheduler looks at it before.",
        template,
        name,
        since.clone()
    );
    let said = case.events_of(name).filter(|event| &*event.reason == "FailedResourceClaimCreation").last();
    let said = said.map(|event| text!("{} times so far: {}", event.count, event.message.trim()));
    Some(Text::sentences([what].into_iter().chain(said)))
}
