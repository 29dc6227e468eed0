//! kubectl's STATUS and READY columns. Models printPod of pkg/printers/internalversion/printers.go, v1.20.

use super::Look;
use crate::objects::{ContainerState, Pod, PodPhase};
use crate::sim::{Cluster, NodeHealth};

/// kubectl's STATUS word.
pub(super) fn status_word(pod: &Pod) -> String {
    if pod.metadata.deletion_timestamp.is_some() {
        return if &*pod.status.reason == "NodeLost" { "Unknown" } else { "Terminating" }.to_owned();
    }
    let mut word = match pod.status.phase {
        PodPhase::None | PodPhase::Pending => "Pending",
        PodPhase::Running => "Running",
        PodPhase::Succeeded => "Succeeded",
        PodPhase::Failed => "Failed",
        PodPhase::Unknown => "Unknown",
    }
    .to_owned();
    if !pod.status.reason.is_empty() {
        word = pod.status.reason.to_string();
    }
    for container in pod.status.container_statuses.iter().rev() {
        match &container.state {
            ContainerState::Waiting { reason } if !reason.is_empty() => word = reason.to_string(),
            ContainerState::Terminated { reason, .. } if !reason.is_empty() => word = reason.to_string(),
            ContainerState::Terminated { exit_code, .. } => word = format!("ExitCode:{exit_code}"),
            _ => {}
        }
    }
    word
}

/// kubectl's READY column.
pub(super) fn ready_column(pod: &Pod) -> String {
    let ready = pod.status.container_statuses.iter().filter(|container| container.ready).count();
    // The kubelet of a lost node says nothing; the node controller has taken Ready away from the pod.
    let lost = pod.condition("Ready").is_some_and(|ready| &*ready.status != "True");
    format!("{}/{}", if lost { 0 } else { ready }, pod.spec.containers.len())
}

/// Whether the API knows that the pod's node does not answer, or the node is gone.
pub(super) fn is_unreachable(cluster: &Cluster, pod: &Pod) -> bool {
    if pod.spec.node_name.is_empty() {
        return false;
    }
    let node = cluster.nodes().find(|node| node.metadata.name == pod.spec.node_name);
    node.is_none_or(|node| {
        !node.is_ready() && matches!(cluster.node_health(&node.metadata.name), NodeHealth::Failed { .. })
    })
}

/// How the pod looks.
pub(super) fn look(cluster: &Cluster, pod: &Pod) -> Look {
    if is_unreachable(cluster, pod) {
        return Look::Unreachable;
    }
    if pod.metadata.deletion_timestamp.is_some() {
        return Look::Terminating;
    }
    match &*status_word(pod) {
        "Pending" | "ContainerCreating" => Look::Pending,
        "Running" if crate::reconcile::is_running_and_ready(pod) => Look::Ready,
        "Running" => Look::Starting,
        _ => Look::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::{ready_column, status_word};
    use crate::objects::Pod;

    #[track_caller]
    fn check(json: &str, want: (&str, &str)) {
        let pod: Pod = serde_json::from_str(json).unwrap();
        assert_eq!((status_word(&pod).as_str(), ready_column(&pod).as_str()), want, "{json}");
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
        let going = r#"{"metadata": {"deletionTimestamp": "2024-01-01T00:00:30Z"}, "spec": {"containers": []},
            "status": {"phase": "Running""#;
        check(&format!("{going}}}}}"), ("Terminating", "0/0"));
        check(&format!(r#"{going}, "reason": "NodeLost"}}}}"#), ("Unknown", "0/0"));
    }
}
