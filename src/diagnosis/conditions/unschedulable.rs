//! The scheduler finds no node for a pod.

use super::claims::last_said;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{PersistentVolumeClaim, Pod};
use crate::reconcile::daemon_set::node_of;
use crate::session::dump::{Event, speaks_of_claims};
use crate::text::Text;
use std::rc::Rc;

pub(super) const CONDITION: Condition =
    Condition { name: "unschedulable", issue: "https://github.com/kubernetes/kubernetes/issues/81020", find };

/// Nodes that are named.
const NAMED: usize = 3;

/// What a part of the scheduler's message means, in the order in which it is worth telling.
fn reasons(message: &str, cordoned: &[&str], nodes: usize) -> Vec<Text> {
    let mut all = Vec::new();
    if message.contains("volume node affinity conflict") {
        all.push(text!("its volume can be reached only from other nodes"));
    }
    if message.contains("Insufficient ") || message.contains("Too many pods") {
        all.push(text!("nodes lack room"));
    }
    for (words, text) in [
        ("free ports", text!("the host ports that it asks for are taken")),
        ("ReadWriteOncePod", text!("another pod uses a claim that is for one pod")),
        ("enough free storage", text!("nodes lack free storage")),
        ("max volume count", text!("nodes have as many volumes as they take")),
        ("cannot allocate all claims", text!("the devices that it claims are not free")),
    ] {
        if message.contains(words) {
            all.push(text);
        }
    }
    if message.contains("taint") {
        all.push(text!("nodes have taints that it does not tolerate"));
    }
    if message.contains("unschedulable") {
        all.push(match cordoned {
            // Of `0/5 nodes are available: …` the text has all five.
            [] if counted(message).is_some_and(|all| all <= nodes) => text!("nodes were cordoned, and are no longer"),
            [] => text!("nodes are cordoned"),
            names => text!("nodes are cordoned ({})", Text::names(names)),
        });
    }
    if message.contains("node affinity") && !message.contains("volume node affinity")
        || message.contains("node selector")
    {
        all.push(text!("nodes do not have the labels that it asks for"));
    }
    if message.contains("affinity rules") || message.contains("topology spread") {
        all.push(text!("its rules about other pods forbid nodes"));
    }
    all
}

/// How many nodes the scheduler counts.
fn counted(message: &str) -> Option<usize> {
    message.strip_prefix("0/")?.split(' ').next()?.parse().ok()
}

/// The node that a pod of a DaemonSet is for.
fn node_of_daemon(pod: &Rc<Pod>) -> Option<Rc<str>> {
    pod.metadata.controller_of().filter(|owner| &*owner.kind == "DaemonSet")?;
    node_of(pod)
}

/// That the new pod of a DaemonSet is to be Ready on its node before the old one goes.
fn beside(case: &Case<'_>, pod: &Pod, node: &Rc<str>) -> Option<Text> {
    let is_old = |other: &&&Rc<Pod>| {
        other.metadata.uid != pod.metadata.uid && !other.has_ended() && other.spec.node_name == *node
    };
    let old = case.observed_pods.iter().find(is_old).filter(|old| !old.is_terminating())?;
    Some(text!("With maxSurge it is made beside {}, which goes only once the new pod is available.", old.metadata.name))
}

/// The last that whoever makes nodes said of the pod: the cluster autoscaler, or Karpenter.
fn scaling(case: &Case<'_>, pod: &Pod) -> Option<Text> {
    // Karpenter says under the scheduler's own reason that it makes none.
    let is_of_nodes = |event: &&Event| match &*event.reason {
        "FailedScheduling" => event.message.starts_with("Failed to schedule pod, "),
        reason => ["TriggeredScaleUp", "NotTriggerScaleUp", "Nominated"].contains(&reason),
    };
    let said = case.events_of(&pod.metadata.name).filter(is_of_nodes).last()?;
    let (ago, message) = (case.ago(said.last), said.message.trim());
    let times: u64 = case.events_of(&pod.metadata.name).filter(is_of_nodes).map(|event| event.count).sum();
    Some(match times {
        0..=1 => text!("Of more nodes it was said {} ago ({}): {}", ago, said.reason, message),
        _ => text!("Of more nodes it was said {} times, last {} ago ({}): {}", times, ago, said.reason, message),
    })
}

/// That others were preempted for the pod on a node, and have not gone.
fn nominated(case: &Case<'_>, pod: &Pod) -> Option<Text> {
    let node = pod.status.extra.get("nominatedNodeName")?.as_str().filter(|node| !node.is_empty())?;
    let all = case.observed_run.cluster().pods().filter(|other| &*other.spec.node_name == node);
    let going = all.filter(|other| other.is_terminating()).map(|other| &other.metadata.name);
    let going: Vec<_> = going.collect();
    (!going.is_empty()).then(|| {
        text!("The scheduler has chosen {}, and waits there for what it preempted to go: {}.", node, Text::names(going))
    })
}

/// Whether the scheduler has placed the pod by the time that its controller has looked at everything.
fn is_placed(case: &Case<'_>, pod: &Pod) -> bool {
    case.pods.iter().any(|now| now.metadata.uid == pod.metadata.uid && !now.spec.node_name.is_empty())
}

/// The claim that waits for a volume beside a pod whose claims the text does not name, and the last that was said of it. Where the
/// scheduler does not speak of claims its name ends with that of the pod, as those of sets do.
fn pending_claim(case: &Case<'_>, pod: &Pod, is_told: bool) -> Option<Text> {
    let is_pending = |claim: &&Rc<PersistentVolumeClaim>| {
        let is_here = claim.metadata.namespace == pod.metadata.namespace && &*claim.status.phase == "Pending";
        is_here && (is_told || claim.metadata.name.ends_with(&*pod.metadata.name))
    };
    let claim = case.observed_run.cluster().claims().find(is_pending)?;
    let name = Rc::clone(&claim.metadata.name);
    Some(match last_said(case, claim) {
        Some(event) => text!("Of claim {}, which has no volume, it was said: {}", name, event.message),
        None => text!("Claim {} has no volume.", name),
    })
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let nodes = case.observed_run.cluster().nodes().filter(|node| node.spec.unschedulable);
    let mut cordoned: Vec<&str> = nodes.map(|node| &*node.metadata.name).collect();
    if cordoned.len() > NAMED {
        cordoned.truncate(NAMED);
        cordoned.push("…");
    }
    let all = case.observed_run.cluster().nodes().count();
    for pod in case.observed_pods.iter().copied().filter(|pod| !pod.is_terminating() && pod.spec.node_name.is_empty()) {
        let told = pod.condition("PodScheduled");
        let message = match told {
            Some(told) if &*told.status == "False" => Some(Rc::clone(&told.message)),
            // The scheduler has not come to it yet, and will say so.
            None if case.stuck && !is_placed(case, pod) => case.cluster().unfit(pod).map(Into::into),
            _ => None,
        };
        let Some(message) = message.filter(|_| !case.is_gated(pod)) else { continue };
        // Claims that are missing or not bound are conditions of their own, where it is known which they are.
        let is_of_claims = speaks_of_claims(&message);
        if is_of_claims && pod.claim_names().next().is_some() {
            continue;
        }
        let claim = if is_of_claims || message.is_empty() { pending_claim(case, pod, is_of_claims) } else { None };
        let reasons = reasons(&message, &cordoned, all);
        // Where the text's own clock says otherwise, it does not fit for a reason that the run does not know.
        let is_refuted = case.refuted.is_some_and(|refuted| refuted.subject.name == pod.metadata.name);
        let fits_now = !is_refuted && case.cluster().why_unschedulable(pod).is_none();
        let (name, lasts) = (&pod.metadata.name, case.has_been(pod, "PodScheduled"));
        let own_node = node_of_daemon(pod);
        let surge = own_node.as_ref().and_then(|node| beside(case, pod, node));
        let text = if told.is_none() {
            text!("{} is too new for the scheduler to have told why no node takes it. It will say: {}", name, message)
        } else if message.is_empty() {
            text!("The scheduler has found no node for {} for {}, and the text does not say why.", name, lasts)
        } else if let Some(node) = own_node.filter(|_| !reasons.is_empty()) {
            let reasons = Text::list(", ", reasons);
            text!(
                "The scheduler has not placed {} for {}, which is for {} alone: {}. It says: {}",
                name,
                lasts,
                node,
                reasons,
                message
            )
        } else if reasons.is_empty() {
            text!("The scheduler has found no node for {} for {}. It says: {}", name, lasts, message)
        } else {
            let reasons = Text::list(", ", reasons);
            text!("The scheduler has found no node for {} for {}: {}. It says: {}", name, lasts, reasons, message)
        };
        let more = [claim, nominated(case, pod), scaling(case, pod)].into_iter().flatten();
        let text = Text::sentences([text, surge.unwrap_or_default()].into_iter().chain(more));
        let gravity = if fits_now { Gravity::Waiting } else { Gravity::Stuck };
        let at = pod.status.conditions.iter().position(|one| &*one.condition_type == "PodScheduled");
        let path = at.map_or_else(|| "status.phase".to_owned(), |at| format!("status.conditions[{at}].message"));
        let finding = Finding::new(condition, gravity, Cause::Scheduling, text)
            .at(pod)
            .mistaken_for(text!("Not the workload's controller: it has made the pod and waits for it."))
            .evidence(&of_pod(pod), &[&path]);
        findings.push(finding);
    }
    findings
}
