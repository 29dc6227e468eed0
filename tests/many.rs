//! Workloads of many pods that are all in the same state: what is said of them names a few, and counts the rest.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const PODS: usize = 60;
/// A sentence that names each of the pods is longer.
const LONGEST: usize = 500;
const MADE: &str = "2026-01-01T01:00:00Z";
const READ: &str = "2026-01-01T03:00:00Z";

/// What the kubelet or the scheduler told of a pod.
fn status(state: &str) -> Value {
    let scheduled = json!({"type": "PodScheduled", "status": "True", "lastTransitionTime": MADE});
    let ready = |status: &str| json!({"type": "Ready", "status": status, "lastTransitionTime": MADE});
    let container =
        |state: Value| json!([{"name": "c", "image": "i", "ready": false, "restartCount": 50, "state": state}]);
    let waits = |reason: &str| container(json!({"waiting": {"reason": reason}}));
    let running = json!([{"name": "c", "image": "i", "ready": true, "restartCount": 0, "state": {"running": {"startedAt": MADE}}}]);
    match state {
        "unscheduled" => json!({"phase": "Pending", "conditions": [{
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": MADE,
            "message": "0/3 nodes are available: 3 Insufficient cpu."}]}),
        "crashes" => {
            json!({"phase": "Running", "startTime": MADE, "conditions": [scheduled, ready("False")],
                "containerStatuses": waits("CrashLoopBackOff")})
        }
        "creating" => {
            json!({"phase": "Pending", "startTime": MADE, "conditions": [scheduled, ready("False")],
                "containerStatuses": waits("ContainerCreating")})
        }
        _ => json!({"phase": "Running", "startTime": MADE, "conditions": [scheduled, ready("True")],
            "containerStatuses": running}),
    }
}

/// A pod at this place of its workload, which is controlled by an owner.
fn pod(name: &str, owner: &Value, state: &str, node: usize) -> Value {
    let labels = json!({"a": "b", "controller-revision-hash": "w-r1", "pod-template-hash": "r1"});
    let mut pod = json!({"apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "d", "uid": format!("u-{name}"), "creationTimestamp": MADE, "labels": labels,
            "ownerReferences": [owner]},
        "spec": {"nodeName": format!("n{node}"), "containers": [{"name": "c", "image": "i"}]},
        "status": status(state)});
    match state {
        "unscheduled" => pod["spec"]["nodeName"] = Value::Null,
        "terminating" => {
            pod["metadata"]["deletionTimestamp"] = MADE.into();
            pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
        }
        "gated" => pod["spec"]["readinessGates"] = json!([{"conditionType": "x/y"}]),
        _ => {}
    }
    pod
}

fn owner(kind: &str, name: &str) -> Value {
    json!({"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": format!("u-{name}"), "controller": true})
}

/// A workload of many pods in this state.
fn text(kind: &str, state: &str) -> String {
    let made = |name: &str, kind: &str, spec: &Value, status: Value| {
        json!({"apiVersion": "apps/v1", "kind": kind, "spec": spec, "status": status,
            "metadata": {"name": name, "namespace": "d", "uid": format!("u-{name}"), "creationTimestamp": MADE, "generation": 1,
                "annotations": {"deployment.kubernetes.io/revision": "1"}}})
    };
    let template = json!({"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    let mut spec = json!({"replicas": PODS, "selector": {"matchLabels": {"a": "b"}}, "template": template});
    let mut status = json!({"observedGeneration": 1, "replicas": PODS, "readyReplicas": PODS, "updatedReplicas": PODS});
    let mut items = Vec::new();
    let controller = match kind {
        "StatefulSet" => {
            spec["podManagementPolicy"] = "Parallel".into();
            (status["currentRevision"], status["updateRevision"]) = ("w-r1".into(), "w-r1".into());
            owner(kind, "w")
        }
        "Deployment" => {
            let mut set = made("w-r1", "ReplicaSet", &spec, json!({"observedGeneration": 1, "replicas": PODS}));
            set["metadata"]["ownerReferences"] = json!([owner(kind, "w")]);
            set["spec"]["selector"]["matchLabels"]["pod-template-hash"] = "r1".into();
            set["spec"]["template"]["metadata"]["labels"]["pod-template-hash"] = "r1".into();
            items.push(set);
            owner("ReplicaSet", "w-r1")
        }
        _ => {
            status = json!({"observedGeneration": 1, "desiredNumberScheduled": PODS, "currentNumberScheduled": PODS});
            owner(kind, "w")
        }
    };
    items.push(made("w", kind, &spec, status));
    for at in 0..PODS {
        let is_lost = state == "lost";
        let mut node = json!({"apiVersion": "v1", "kind": "Node", "spec": {},
            "metadata": {"name": format!("n{at}"), "uid": format!("u-n{at}"), "creationTimestamp": MADE},
            "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"}, "conditions": [{"type": "Ready",
                "status": if is_lost { "Unknown" } else { "True" }, "lastHeartbeatTime": READ, "lastTransitionTime": MADE}]}});
        if is_lost {
            node["spec"]["taints"] =
                json!([{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute", "timeAdded": MADE}]);
        }
        items.push(node);
        let name = if kind == "StatefulSet" {
            format!("w-{at}")
        } else {
            format!("{}-{at:05}", controller["name"].as_str().unwrap())
        };
        if state != "missing" {
            items.push(pod(&name, &controller, state, at));
        }
    }
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

/// What the command prints.
fn printed(verb: &[&str], text: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setscope"));
    let mut child = command.args(verb).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn what_is_said_of_many_pods_names_a_few() {
    let mut long = Vec::new();
    for kind in ["StatefulSet", "Deployment", "DaemonSet"] {
        for state in ["missing", "unscheduled", "crashes", "creating", "terminating", "gated", "lost"] {
            let text = text(kind, state);
            for verb in [&["diagnose"][..], &["ways-out"]] {
                let all = printed(verb, &text);
                assert!(all.contains(&format!("{}/w ", kind.to_lowercase())), "{kind} {state}: {all}");
                // A command that deletes every pod names every one.
                let said = all.lines().filter(|line| !line.trim_start().starts_with("kubectl "));
                long.extend(
                    said.filter(|line| line.len() > LONGEST).map(|line| format!("{kind} {state} {verb:?}: {line}")),
                );
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
