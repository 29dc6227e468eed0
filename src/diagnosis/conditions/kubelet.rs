//! What kubelets say of pods that do not start, or whose probe fails: their own words are the finding.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, condition_of, of_pod, untold};
use crate::objects::{Pod, Time};
use crate::session::dump::{ClearedBy, Event, Held, STARTED, is_node_named, named_container};
use crate::sim::{Fault, Subject, What, owner_of, revision_of_template};
use crate::text::{Text, named_node_first};
use crate::verdict::Lasting;
use std::rc::Rc;

pub(super) const PREPARATION: Condition = Condition { name: "pod-cannot-be-prepared", issue: "", find: unprepared };
pub(super) const REJECTED: Condition = Condition { name: "rejected-by-kubelet", issue: "", find: rejected };
pub(super) const PROBE: Condition = Condition { name: "probe-fails", issue: "", find: unhealthy };
pub(super) const UNREADY: Condition = Condition { name: "container-not-ready", issue: "", find: unready };

/// The holds of this very pod.
pub(in crate::diagnosis) fn holds_of<'a>(case: &Case<'a>, pod: &'a Pod) -> impl Iterator<Item = &'a Held> {
    case.holds.iter().filter(move |held| match &held.hold.subject {
        Subject::Pod(key) | Subject::Named(key) => {
            key.name == pod.metadata.name && key.namespace == pod.metadata.namespace
        }
        _ => false,
    })
}

fn unprepared(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        for held in holds_of(case, pod).filter(|held| matches!(held.hold.what, What::Waits { .. })) {
            if matches!(held.cleared_by, ClearedBy::Detached { .. }) {
                continue;
            }
            let is_started = &*held.reason == STARTED;
            let text = if is_started {
                text!(
                    "{}: its container was started {} ago and does not count as running: its postStart hook has not ended, as far as the text tells.",
                    pod.metadata.name,
                    held.event.as_ref().map_or_else(untold, |event| case.ago(event.last))
                )
            } else if held.count <= 1 {
                text!(
                    "{} has not been started on {} for {}: its last {} says: {}",
                    pod.metadata.name,
                    pod.spec.node_name,
                    held.since.map_or_else(untold, |since| case.for_as_long(since)),
                    held.reason,
                    &*held.message
                )
            } else {
                text!(
                    "{} has not been started on {} for {}: the last {}, counted {} times, says: {}",
                    pod.metadata.name,
                    pod.spec.node_name,
                    held.since.map_or_else(untold, |since| case.for_as_long(since)),
                    held.reason,
                    held.count,
                    &*held.message
                )
            };
            let cause = if held.message.to_ascii_lowercase().contains("volume") { Cause::Storage } else { Cause::Node };
            let (cause, mistaken_for) = match &held.cleared_by {
                ClearedBy::Named { kind, name } if held.lacks_key() => (
                    Cause::AppNotReady,
                    text!("Not the template and not the image: {} {} is there and lacks a key.", kind, name),
                ),
                ClearedBy::Named { kind, name } => (
                    Cause::AppNotReady,
                    text!("Not the template and not the image: it starts once {} {} is there.", kind, name),
                ),
                ClearedBy::Image(_) => (
                    Cause::AppNotReady,
                    text!("Not the container: its image is being pulled again, and each pull so far was in vain."),
                ),
                _ if is_started => {
                    (Cause::AppNotReady, text!("Not the image and not the node: the container was made and started."))
                }
                _ => (cause, text!("Not the image and not a probe: no container of it was made yet.")),
            };
            findings.push(
                Finding::new(condition, Gravity::Stuck, cause, text)
                    .at(pod)
                    .mistaken_for(mistaken_for)
                    .evidence(&of_pod(pod), &["status.phase", "status.containerStatuses[0].state"]),
            );
        }
    }
    findings
}

fn rejected(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for held in case.holds {
        let (Subject::Revision { owner, revision, node: Some(node) }, What::Rejected { reason, message }) =
            (&held.hold.subject, &held.hold.what)
        else {
            continue;
        };
        let is_own = |pod: &&&Rc<Pod>| {
            owner_of(pod).is_some_and(|own| own == *owner)
                && *revision_of_template(pod) == **revision
                && pod.status.reason == *reason
        };
        let is_here = |pod: &&&Rc<Pod>| pod.spec.node_name == *node && is_own(pod);
        // Those that were rejected may be gone, and another in their place.
        let is_next = |pod: &&&Rc<Pod>| {
            let is_there = owner_of(pod).is_some_and(|own| own == *owner) && pod.spec.node_name == *node;
            held.event.is_some() && is_there
        };
        let pods = || case.observed_pods.iter();
        let own = pods().rfind(is_here).or_else(|| pods().rfind(is_own)).or_else(|| pods().rfind(is_next));
        let Some(pod) = own else { continue };
        let text = match is_node_named(node) {
            // Which node it was, and whether it goes on, a row does not tell.
            false => text!(
                "{} was rejected by the kubelet of its node, and another was made in its place: {}",
                pod.metadata.name,
                reason
            ),
            true => text!(
                "The kubelet of {} rejects each pod of {} that comes to it, {} so far, and another is made in its place: {} ({})",
                node,
                owner.name,
                held.count,
                reason,
                &**message
            ),
        };
        findings.push(
            Finding::new(condition, Gravity::Stuck, Cause::Node, text)
                .at(pod)
                .mistaken_for(text!("Not the image: no container of these pods was ever made."))
                .evidence(&of_pod(pod), &["status.phase", "status.reason", "spec.nodeName", "spec.nodeSelector"]),
        );
    }
    findings
}

/// The last that the kubelet said of a probe of this pod.
pub(super) fn last_probe<'a>(case: &Case<'a>, pod: &'a Pod) -> Option<&'a Event> {
    probes(case, pod).last()
}

/// What the kubelet said of the probes of this pod, oldest first.
pub(super) fn probes<'a>(case: &Case<'a>, pod: &'a Pod) -> impl Iterator<Item = &'a Event> {
    let of_pod = case.events_of(&pod.metadata.name).filter(|event| &*event.reason == "Unhealthy");
    of_pod.filter(|event| event.uid.is_empty() || event.uid == pod.metadata.uid)
}

fn runs_unready(case: &Case<'_>, pod: &Pod, container: &Rc<str>, since: Option<Time>) -> Text {
    let since = since.map_or_else(untold, |since| case.for_as_long(since));
    text!("{} of {} runs and has not been ready for {}.", named_container(container, false), pod.metadata.name, since)
}

/// Containers that run and are not ready, of which no event tells why.
fn unready(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    let stays = |pod: &Pod| case.pods.iter().any(|now| now.metadata.uid == pod.metadata.uid && !now.is_terminating());
    for pod in case.observed_pods.iter().copied().filter(|pod| stays(pod) && last_probe(case, pod).is_none()) {
        for held in holds_of(case, pod) {
            let What::Container { name, fault: Fault::NeverReady, .. } = &held.hold.what else { continue };
            let text = runs_unready(case, pod, name, held.since);
            let mistaken_for = text!("Not the controller: it has made the pod, and waits for its container.");
            let mut finding =
                Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text).at(pod).mistaken_for(mistaken_for);
            finding.evidence.extend(held.evidence.iter().cloned());
            findings.push(finding);
        }
    }
    findings
}

/// A pod that is Ready just now, and loses that again and again.
fn to_and_fro(case: &Case<'_>, pod: &Rc<Pod>, condition: &'static Condition) -> Option<Finding> {
    let state = &case.refuted.filter(|refuted| refuted.subject.name == pod.metadata.name)?.state;
    if let Lasting::LosesNode { node } = state {
        return with_node(case, pod, node, condition);
    }
    if *state != Lasting::LosesReadiness {
        return None;
    }
    // Another probe may have said more since.
    let event = probes(case, pod).filter(|event| event.message.starts_with("Readiness probe ")).last()?;
    let text = text!(
        "{} has been Ready for {} now and loses that again and again. {} times so far, last: {}",
        pod.metadata.name,
        case.ready_since(pod),
        event.count,
        &*event.message
    );
    let mistaken_for = text!("Not the controller and not the node: the container answers its probe so.");
    let finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text).at(pod).mistaken_for(mistaken_for);
    Some(finding.with(condition_of(pod, "Ready")))
}

/// A pod that is Ready just now, whose node is lost and comes back again and again.
fn with_node(case: &Case<'_>, pod: &Rc<Pod>, node: &Rc<str>, condition: &'static Condition) -> Option<Finding> {
    let event = case.events_of(&pod.metadata.name).filter(|event| &*event.reason == "NodeNotReady").last()?;
    let text = text!(
        "{} was lost and came back {} times within {}, the last time {} ago; each time {} was not Ready.",
        named_node_first(node),
        event.count,
        crate::text::span(event.last.0.saturating_sub(event.first.0)),
        case.ago(event.last),
        pod.metadata.name
    );
    let mistaken_for = text!("Not the container: its node's kubelet did not answer.");
    let finding = Finding::new(condition, Gravity::Stuck, Cause::Node, text).at(pod).mistaken_for(mistaken_for);
    Some(finding.with(condition_of(pod, "Ready")))
}

fn unhealthy(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied() {
        findings.extend(to_and_fro(case, pod, condition));
        let Some(event) = last_probe(case, pod) else { continue };
        for held in holds_of(case, pod) {
            let What::Container { name, fault: Fault::NeverReady, .. } = &held.hold.what else { continue };
            let since = held.since.or((event.count > 1).then_some(event.first));
            let text = runs_unready(case, pod, name, since);
            let said = text!("{} times so far, last: {}", event.count, &*event.message);
            let text = Text::sentences([text, said]);
            let mistaken_for: Text = text!("Not the controller and not the node: the container answers its probe so.");
            let mut finding =
                Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text).at(pod).mistaken_for(mistaken_for);
            finding.evidence.extend(held.evidence.iter().cloned());
            findings.push(finding);
        }
    }
    findings
}
