//! kubectl's STATUS and READY columns. Models printPod of pkg/printers/internalversion/printers.go, v1.20 to v1.36.

use crate::objects::{Container, ContainerState, ContainerStatus, Pod, PodPhase, Time};
use crate::releases::Kubectl;
use std::fmt;
use std::rc::Rc;

/// What kubectl's STATUS column says of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PodStatus {
    /// It is being deleted.
    Terminating,
    /// It is being deleted, and its node was lost: a reason of older releases.
    NodeLost,
    /// The phase, where nothing says more.
    Phase(PodPhase),
    /// How far its init containers are (`0/2`), or why the one whose turn it is does not run.
    Init(Rc<str>),
    /// The reason of the pod's own status.
    Reason(Rc<str>),
    /// The reason why a container waits.
    Waiting(Rc<str>),
    /// The reason why a container has ended.
    Ended(Rc<str>),
    /// A container that ended without a reason.
    ExitCode(i32),
    /// A container has ended well while another runs, and the pod is not ready.
    NotReady,
}

impl fmt::Display for PodStatus {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Terminating => "Terminating",
            Self::NodeLost | Self::Phase(PodPhase::Unknown) => "Unknown",
            Self::Phase(PodPhase::None | PodPhase::Pending) => "Pending",
            Self::Phase(PodPhase::Running) => "Running",
            Self::Phase(PodPhase::Succeeded) => "Succeeded",
            Self::Phase(PodPhase::Failed) => "Failed",
            Self::Reason(reason) | Self::Waiting(reason) | Self::Ended(reason) => reason,
            Self::Init(how) => return write!(out, "Init:{how}"),
            Self::ExitCode(code) => return write!(out, "ExitCode:{code}"),
            Self::NotReady => "NotReady",
        })
    }
}

/// What the STATUS column of this kubectl says of the pod.
pub(crate) fn pod_status(pod: &Pod, kubectl: &Kubectl) -> PodStatus {
    if pod.is_terminating() {
        if &*pod.status.reason == "NodeLost" {
            return PodStatus::NodeLost;
        }
        if !(pod.has_ended() && kubectl.ended_pods_keep_status) {
            return PodStatus::Terminating;
        }
    }
    let mut status = PodStatus::Phase(pod.status.phase);
    if !pod.status.reason.is_empty() {
        status = PodStatus::Reason(Rc::clone(&pod.status.reason));
    }
    // Since kubectl 1.26, with the gates themselves.
    if pod.condition("PodScheduled").is_some_and(|scheduled| &*scheduled.reason == "SchedulingGated") {
        status = PodStatus::Reason("SchedulingGated".into());
    }
    if let Some(how) = initializing(pod) {
        return PodStatus::Init(how);
    }
    let (mut has_running, mut failure) = (false, None);
    for container in pod.status.container_statuses.iter().rev() {
        match &container.state {
            ContainerState::Waiting { reason } if !reason.is_empty() => {
                status = PodStatus::Waiting(Rc::clone(reason));
            }
            ContainerState::Terminated { reason, exit_code, .. } => {
                status = match reason.is_empty() {
                    true => PodStatus::ExitCode(*exit_code),
                    false => PodStatus::Ended(Rc::clone(reason)),
                };
                if *exit_code != 0 {
                    failure = Some(status.clone());
                }
            }
            ContainerState::Running { .. } => has_running |= container.ready,
            ContainerState::Waiting { .. } => {}
        }
    }
    // One container has ended well while another still runs.
    let has_completed = matches!(&status, PodStatus::Ended(reason) if &**reason == "Completed");
    if has_completed {
        let ready = pod.is_ready();
        match failure.filter(|_| kubectl.failure_before_completed) {
            _ if has_running && ready => status = PodStatus::Phase(PodPhase::Running),
            Some(failure) => status = failure,
            None if has_running => status = PodStatus::NotReady,
            None => {}
        }
    }
    status
}

/// What the first init container does that has not ended well and is no sidecar that runs; none once the pod is initialized.
fn initializing(pod: &Pod) -> Option<Rc<str>> {
    let statuses = &pod.status.init_container_statuses;
    if statuses.is_empty() || pod.condition("Initialized").is_some_and(|condition| &*condition.status == "True") {
        return None;
    }
    let is_done = |status: &ContainerStatus| {
        matches!(status.state, ContainerState::Terminated { exit_code: 0, .. })
            || status.extra.get("started").is_some_and(|started| started == true)
    };
    let (at, status) = statuses.iter().enumerate().find(|(_, status)| !is_done(status))?;
    Some(match &status.state {
        ContainerState::Terminated { exit_code, reason, .. } if reason.is_empty() => {
            format!("ExitCode:{exit_code}").into()
        }
        ContainerState::Terminated { reason, .. } => Rc::clone(reason),
        ContainerState::Waiting { reason } if !reason.is_empty() && &**reason != "PodInitializing" => Rc::clone(reason),
        _ => format!("{at}/{}", pod.spec.init_containers.len()).into(),
    })
}

/// kubectl's RESTARTS column: while a pod initializes, those of its init containers; then those of its containers and sidecars.
pub(super) fn restarts(pod: &Pod) -> i32 {
    let init = pod.status.init_container_statuses.iter();
    if initializing(pod).is_some() {
        return ContainerStatus::restarts(init);
    }
    let sidecars = sidecars(pod).map(|(_, status)| status);
    ContainerStatus::restarts(pod.status.container_statuses.iter().chain(sidecars))
}

/// When a container that this column counts last ended before it was started again.
pub(super) fn last_restart(pod: &Pod) -> Option<Time> {
    let ended = |status: &ContainerStatus| {
        let terminated = status.extra.get("lastState")?.get("terminated")?;
        Time::parse(terminated.get("finishedAt")?.as_str()?)
    };
    let init = pod.status.init_container_statuses.iter();
    if initializing(pod).is_some() {
        return init.filter_map(ended).max();
    }
    let sidecars = sidecars(pod).map(|(_, status)| status);
    pod.status.container_statuses.iter().chain(sidecars).filter_map(ended).max()
}

/// The sidecars among the init containers that have a status.
fn sidecars(pod: &Pod) -> impl Iterator<Item = (&Container, &ContainerStatus)> {
    let containers = pod.spec.init_containers.iter().filter(|container| container.is_sidecar());
    containers.filter_map(|container| {
        let mut statuses = pod.status.init_container_statuses.iter();
        Some((container, statuses.find(|status| status.name == container.name)?))
    })
}

/// The STATUS word of this kubectl.
pub fn status_word(pod: &Pod, kubectl: &Kubectl) -> String {
    pod_status(pod, kubectl).to_string()
}

/// kubectl's READY column. It counts containers, so a pod of a lost node keeps the count its kubelet last reported.
pub fn ready_column(pod: &Pod) -> String {
    let counts =
        |container: &&ContainerStatus| container.ready && matches!(container.state, ContainerState::Running { .. });
    let sidecars_ready = sidecars(pod).map(|(_, status)| status).filter(counts).count();
    let ready = pod.status.container_statuses.iter().filter(counts).count() + sidecars_ready;
    let sidecars = pod.spec.init_containers.iter().filter(|container| container.is_sidecar()).count();
    format!("{ready}/{}", pod.spec.containers.len() + sidecars)
}

#[cfg(test)]
mod tests {
    use super::{ready_column, status_word};
    use crate::objects::Pod;
    use crate::releases::Release;

    fn word(json: &str, release: Release) -> String {
        status_word(&serde_json::from_str(json).unwrap(), release.kubectl())
    }

    #[track_caller]
    fn check(json: &str, want: (&str, &str)) {
        let pod: Pod = serde_json::from_str(json).unwrap();
        assert_eq!((word(json, Release::V1_36).as_str(), ready_column(&pod).as_str()), want, "{json}");
    }

    #[test]
    fn the_words_of_ended_pods_follow_the_release() {
        let ended = r#"{"metadata": {"deletionTimestamp": "2024-01-01T00:00:30Z"}, "spec": {"containers": [{"name": "a"}]},
            "status": {"phase": "Failed", "containerStatuses": [{"name": "a", "ready": false, "restartCount": 0,
            "state": {"terminated": {"exitCode": 1, "reason": "Error"}}}]}}"#;
        assert_eq!([Release::V1_28, Release::V1_34].map(|release| word(ended, release)), ["Terminating", "Error"]);
        let state = |name: &str, code: i32, reason: &str| {
            format!(
                r#"{{"name": "{name}", "ready": false, "restartCount": 0,
                "state": {{"terminated": {{"exitCode": {code}, "reason": "{reason}"}}}}}}"#
            )
        };
        let mixed = format!(
            r#"{{"spec": {{"containers": [{{"name": "a"}}, {{"name": "b"}}]}},
            "status": {{"phase": "Failed", "containerStatuses": [{}, {}]}}}}"#,
            state("a", 0, "Completed"),
            state("b", 2, "Error")
        );
        assert_eq!([Release::V1_35, Release::V1_36].map(|release| word(&mixed, release)), ["Completed", "Error"]);
    }

    #[test]
    fn the_words_are_kubectls() {
        check(r#"{"spec": {"containers": [{"name": "a"}]}, "status": {"phase": "Pending"}}"#, ("Pending", "0/1"));
        let state = |state: &str, ready: bool| {
            format!(
                r#"{{"spec": {{"containers": [{{"name": "a"}}]}}, "status": {{"phase": "Running",
                "containerStatuses": [{{"name": "a", "ready": {ready}, "restartCount": 0, "state": {state}}}]}}}}"#
            )
        };
        check(&state(r#"{"waiting": {"reason": "ContainerCreating"}}"#, false), ("ContainerCreating", "0/1"));
        check(&state(r#"{"waiting": {"reason": "CrashLoopBackOff"}}"#, false), ("CrashLoopBackOff", "0/1"));
        check(&state(r#"{"waiting": {"reason": "ImagePullBackOff"}}"#, false), ("ImagePullBackOff", "0/1"));
        check(&state(r#"{"terminated": {"exitCode": 1, "reason": "Error"}}"#, false), ("Error", "0/1"));
        check(&state(r#"{"running": {"startedAt": null}}"#, true), ("Running", "1/1"));
        check(
            r#"{"spec": {"containers": [{"name": "a"}]}, "status": {"phase": "Failed", "reason": "Evicted"}}"#,
            ("Evicted", "0/1"),
        );
        check(&state(r#"{"terminated": {"exitCode": 137, "reason": ""}}"#, false), ("ExitCode:137", "0/1"));
        check(&state(r#"{"terminated": {"exitCode": 0, "reason": "Completed"}}"#, false), ("Completed", "0/1"));
        check(&state(r#"{"waiting": {"reason": ""}}"#, false), ("Running", "0/1"));
        let two = |first: &str, conditions: &str| {
            format!(
                r#"{{"spec": {{"containers": [{{"name": "a"}}, {{"name": "b"}}]}}, "status": {{"phase": "Running",
                "conditions": [{conditions}], "containerStatuses": [
                {{"name": "a", "ready": false, "restartCount": 0, "state": {first}}},
                {{"name": "b", "ready": true, "restartCount": 0, "state": {{"running": {{"startedAt": null}}}}}}]}}}}"#
            )
        };
        let completed = r#"{"terminated": {"exitCode": 0, "reason": "Completed"}}"#;
        check(&two(completed, r#"{"type": "Ready", "status": "False"}"#), ("NotReady", "1/2"));
        check(&two(completed, r#"{"type": "Ready", "status": "True"}"#), ("Running", "1/2"));
        check(&two(r#"{"waiting": {"reason": "CrashLoopBackOff"}}"#, ""), ("CrashLoopBackOff", "1/2"));
        // The node is lost: the pod is not Ready, and its containers count as last reported.
        check(
            &two(r#"{"running": {"startedAt": null}}"#, r#"{"type": "Ready", "status": "False"}"#),
            ("Running", "1/2"),
        );
        let terminating = r#"{"metadata": {"deletionTimestamp": "2024-01-01T00:00:30Z"}, "spec": {"containers": []},
            "status": {"phase": "Running""#;
        check(&format!("{terminating}}}}}"), ("Terminating", "0/0"));
        check(&format!(r#"{terminating}, "reason": "NodeLost"}}}}"#), ("Unknown", "0/0"));
    }
}
