//! A container cannot be started or ends again and again: its image, its configuration or its program.

use super::failed_job;
use super::kubelet::holds_of;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod, untold};
use crate::objects::{ContainerState, ContainerStatus, Pod, Time};
use crate::session::dump::{
    ClearedBy, Ended, Event, Held, is_image_assumed, is_node_named, named_container, volume_of,
};
use crate::sim::{Fault, What, revision_of_template};
use crate::text::{Text, named_node};
use crate::verdict::other_limit;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "container-fails", issue: "", find };

pub(super) const RESTARTED: Condition = Condition { name: "restarts-now-and-then", issue: "", find: restarted };

/// Fewer restarts, or restarts that are further apart on average, in milliseconds, are not worth a word.
const OFTEN: (i32, i64) = (10, 86_400_000);
/// What has run for so many times as long as that no longer ends as it did.
const OUTLASTS: i64 = 2;

fn fault(pod: &Pod, status: &ContainerStatus, held: Option<&Held>) -> Option<Text> {
    // What the kubelet says instead is told behind it.
    let is_of_settings =
        || held.is_some_and(|held| !held.message.is_empty() && !matches!(held.cleared_by, ClearedBy::Named { .. }));
    let ContainerState::Waiting { reason } = &status.state else { return None };
    Some(match &**reason {
        "ErrImagePull" | "ImagePullBackOff" | "InvalidImageName" | "ErrImageNeverPull" | "RegistryUnavailable" => {
            match held.and_then(|held| volume_of(pod, &held.message)) {
                Some((volume, image)) => text!("the image {} of its volume {} cannot be pulled", image, volume),
                None if is_image_assumed(&status.image) => text!("its image cannot be pulled"),
                None => text!("its image {} cannot be pulled", status.image),
            }
        }
        "CreateContainerConfigError" if is_of_settings() => text!("its settings do not let it be created"),
        "CreateContainerConfigError" if held.is_some_and(Held::lacks_key) => text!("a key that it asks for is missing"),
        "CreateContainerConfigError" => text!("a ConfigMap, a Secret or a key that it asks for is missing"),
        "CreateContainerError" | "RunContainerError" => text!("the container runtime cannot create it"),
        "CrashLoopBackOff" => text!("it ends again and again, and was restarted {} times so far", status.restart_count),
        _ => return None,
    })
}

/// The containers' statuses, init containers' first, and where each stands.
fn statuses(pod: &Pod) -> impl Iterator<Item = (String, &ContainerStatus)> {
    let of = |field: &'static str, all: &'_ [ContainerStatus]| -> Vec<String> {
        (0..all.len()).map(|at| format!("status.{field}[{at}]")).collect()
    };
    let status = &pod.status;
    let paths = of("initContainerStatuses", &status.init_container_statuses).into_iter();
    let paths = paths.chain(of("containerStatuses", &status.container_statuses));
    paths.zip(status.init_container_statuses.iter().chain(&status.container_statuses))
}

/// How the container's last run ended, and what the kubelet says of it.
fn details<'a>(case: &Case<'a>, pod: &'a Pod, held: &Held) -> Vec<Text> {
    // Rows of a table tell that it ended, and not how.
    let is_told = |ended: &&Ended| !ended.reason.is_empty() || !ended.message.is_empty() || ended.exit_code != 0;
    let ended = held.ended.as_ref().filter(is_told).map(|ended| match &*ended.message {
        // A table has the reason alone.
        "" if case.is_row(pod) => text!("Its last run ended: {}.", ended.reason),
        "" => text!("Its last run ended with exit code {} ({}).", ended.exit_code, ended.reason),
        said => {
            text!("Its last run ended with exit code {} ({}) and said: {}", ended.exit_code, ended.reason, said.trim())
        }
    });
    // A row has no message: the last event has it.
    let error = || case.events_of(&pod.metadata.name).filter(|event| &*event.reason == "Failed").last();
    let said = if held.message.is_empty() { error().map(|event| event.message.trim()) } else { Some(&*held.message) };
    let says = match &held.hold.what {
        What::Container { fault: Fault::CannotStart, .. } => said.map(|said| text!("The kubelet says: {}", said)),
        _ => None,
    };
    // Others of its revision run elsewhere.
    let is_elsewhere = matches!(held.cleared_by, ClearedBy::AnotherNode | ClearedBy::Image(_) | ClearedBy::Repair(_));
    // What others of its revision do on other nodes may fail for what its own lacks. A row does not name its node.
    let is_other = |other: &&Rc<Pod>| {
        other.is_ready()
            && other.spec.node_name != pod.spec.node_name
            && revision_of_template(other) == revision_of_template(pod)
    };
    let is_elsewhere = is_elsewhere
        || is_node_named(&pod.spec.node_name) && case.observed_pods.iter().copied().any(|other| is_other(&other));
    let is_of_node = is_elsewhere && !pod.spec.node_name.is_empty();
    let node =
        is_of_node.then(|| text!("Others of its revision start; this one is on {}.", named_node(&pod.spec.node_name)));
    // What it said on its way to an end by a probe, or of the sandbox.
    let said = held.event.as_ref().or_else(|| without_sandbox(case, pod)).or_else(|| other_sandboxes(case, pod));
    let said = said.map(|event| text!("{} times so far: {}", event.count, event.message.trim()));
    let limit = other_limit(case.cluster(), pod, held).map(|[own, wanted]| {
        text!(
            "Its memory limit is {} and that of its template {}: an admission webhook or a policy has changed it, and changes that of the next pod too.",
            own,
            wanted
        )
    });
    let job = match &held.hold.what {
        What::Container { name, .. } => failed_job::beside(case, pod, name),
        _ => None,
    };
    ended.into_iter().chain(limit).chain(says).chain(node).chain(said).chain(job).collect()
}

/// That the sandbox of a pod which ran before cannot be made anew, if that is the last that its kubelet says of it.
fn without_sandbox<'a>(case: &Case<'a>, pod: &'a Pod) -> Option<&'a Event> {
    let is_news = |event: &&Event| &*event.reason != "SandboxChanged";
    let last = case.events_of(&pod.metadata.name).filter(is_news).last()?;
    // Of a container that was lost with its runtime, the kubelet does not know how and when it ended.
    let ended_before = |status: &ContainerStatus| match &status.state {
        ContainerState::Terminated { reason, finished_at, .. } => {
            &**reason == "Unknown" || finished_at.is_some_and(|end| end <= last.last)
        }
        ContainerState::Waiting { .. } | ContainerState::Running { .. } => false,
    };
    let is_lost = pod.status.container_statuses.iter().all(ended_before);
    (&*last.reason == "FailedCreatePodSandBox" && is_lost).then_some(last)
}

/// A sandbox that ended so often took its containers with it.
const SANDBOXES: u64 = 5;

/// That the sandbox of a pod ends again and again, and its containers with it.
fn other_sandboxes<'a>(case: &Case<'a>, pod: &'a Pod) -> Option<&'a Event> {
    let changed = case.events_of(&pod.metadata.name).filter(|event| &*event.reason == "SandboxChanged");
    changed.last().filter(|event| event.count >= SANDBOXES)
}

/// What a container does, if it is held or does not start.
fn words<'a>(case: &Case<'a>, pod: &'a Pod, status: &ContainerStatus, held: Option<&Held>) -> Option<Text> {
    let (pod_name, since) = (&pod.metadata.name, case.ready_since(pod));
    let is_init = pod.spec.init_containers.iter().any(|init| init.name == status.name && !init.is_sidecar());
    let name = named_container(&status.name, is_init);
    let held_fault = held.and_then(|held| match &held.hold.what {
        What::Container { fault, .. } => Some(*fault),
        _ => None,
    });
    let again = || match without_sandbox(case, pod) {
        Some(_) => text!("its sandbox cannot be made anew"),
        None => text!("it ends again and again, and was restarted {} times so far", status.restart_count),
    };
    Some(match &status.state {
        ContainerState::Waiting { reason } => {
            let unknown = || held_fault.is_some().then(|| text!("it cannot be started"));
            let fault = fault(pod, status, held).or_else(unknown)?;
            text!("{} of {} does not run: {} ({}, not Ready for {}).", name, pod_name, fault, reason, since)
        }
        ContainerState::Terminated { exit_code, .. } if held_fault.is_some() && !pod.spec.restarts(*exit_code) => {
            let runs = |status: &&ContainerStatus| matches!(status.state, ContainerState::Running { .. });
            let beside = pod.status.container_statuses.iter().filter(runs).map(|status| Text::verbatim(&*status.name));
            text!(
                "{} of {} has ended and is not started again; the pod ends when these do, which run on: {}.",
                name,
                pod_name,
                Text::list(", ", beside)
            )
        }
        ContainerState::Terminated { .. } if held_fault.is_some() => {
            text!("{} of {} does not run: {} (not Ready for {}).", name, pod_name, again(), since)
        }
        ContainerState::Running { started_at } if held_fault == Some(Fault::NeverEnds) => {
            let since = started_at.map_or_else(untold, |at| case.for_as_long(at));
            text!("{} of {} has been running for {} and does not come to its end.", name, pod_name, since)
        }
        // It may have ended again since, on the stage too.
        ContainerState::Running { .. } if held_fault == Some(Fault::Crashes) && pod.is_ready() => text!(
            "{} of {} ends again and again, and was restarted {} times so far. At the moment of the text it had been Ready for {}.",
            name,
            pod_name,
            status.restart_count,
            since
        ),
        ContainerState::Running { .. } if held_fault == Some(Fault::Crashes) => {
            text!("{} of {} runs only until it ends: {} (not Ready for {}).", name, pod_name, again(), since)
        }
        _ => return None,
    })
}

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied().filter(|pod| !pod.is_terminating()) {
        for (path, status) in statuses(pod) {
            let is_own = |held: &&Held| matches!(&held.hold.what, What::Container { name, .. } if *name == status.name);
            let held = holds_of(case, pod).find(is_own);
            let Some(first) = words(case, pod, status, held) else { continue };
            let details = held.map(|held| details(case, pod, held)).unwrap_or_default();
            let mut finding = Finding::new(
                condition,
                Gravity::Stuck,
                Cause::AppNotReady,
                Text::list(" ", [first].into_iter().chain(details)),
            )
            .at(pod)
            .mistaken_for(text!("Not the controller: it has made the pod, and waits for its container."))
            .evidence(&of_pod(pod), &[&format!("{path}.state"), &format!("{path}.restartCount")]);
            if held.is_some_and(|held| held.ended.is_some()) {
                finding = finding.evidence(&of_pod(pod), &[&format!("{path}.lastState")]);
            }
            findings.push(finding);
        }
    }
    findings
}

/// Containers that run and are ready, and were started again so often that somebody may want to know.
fn restarted(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pod in case.observed_pods.iter().copied().filter(|pod| pod.is_ready() && holds_of(case, pod).next().is_none()) {
        for (path, status) in statuses(pod) {
            let ContainerState::Running { started_at } = &status.state else { continue };
            let now = case.observed_run.cluster().now().0;
            let since = |at: Time| now.saturating_sub(at.0).max(0);
            let apart =
                pod.metadata.creation_timestamp.map_or(i64::MAX, since) / i64::from(status.restart_count.max(1));
            let is_over = started_at.is_some_and(|at| since(at) > apart.saturating_mul(OUTLASTS));
            if status.restart_count < OFTEN.0 || apart > OFTEN.1 || is_over {
                continue;
            }
            let (name, of) = (named_container(&status.name, false), &pod.metadata.name);
            let count = status.restart_count;
            let text = match started_at {
                Some(at) => text!(
                    "{} of {} was restarted {} times so far, the last time {} ago.",
                    name,
                    of,
                    count,
                    case.ago(*at)
                ),
                // Older releases of kubectl have no column for it.
                None => text!(
                    "{} of {} was restarted {} times so far; when it was for the last time the text does not tell.",
                    name,
                    of,
                    count
                ),
            };
            let paths = ["restartCount", "lastState"].map(|field| format!("{path}.{field}"));
            let paths = [paths[0].as_str(), paths[1].as_str()];
            let finding = Finding::new(condition, Gravity::Notice, Cause::AppNotReady, text).at(pod);
            findings.push(finding.evidence(&of_pod(pod), &paths));
        }
    }
    findings
}
