//! A pod as a real cluster prints it. What admission plugins and its kubelet write into every pod, and nothing simulated asks for,
//! is filled in where the pod is printed.
//! Models the plugins ServiceAccount, Priority and PodTopologyLabels, and the statuses of pkg/kubelet/kubelet_pods.go.

use super::text::word;
use crate::objects::quantity::in_nano as quantity_in_nano;
use crate::objects::{
    Container, ContainerState, ContainerStatus, Extra, Node, Pod, PodCondition, PodSpec, Volume, field,
};
use crate::releases::PodFields;
use crate::sim::Cluster;
use serde_json::{Value, json};
use std::rc::Rc;

/// Where the service account's volume is mounted.
const TOKEN_AT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The pod with these fields. One that comes from a real cluster has them, and stays as it is.
pub(super) fn whole(cluster: &Cluster, pod: &Pod) -> Pod {
    let mut pod = pod.clone();
    if pod.spec.extra.contains_key("enableServiceLinks") {
        return pod;
    }
    let fields = &cluster.release().profile().pods;
    let priority = cluster.priority(&pod);
    let spec = Rc::make_mut(&mut pod.spec);
    // That of a class which is not known nobody knows.
    if let Ok((value, preempts)) = priority {
        let policy = if preempts { "PreemptLowerPriority" } else { "Never" };
        spec.extra.entry("preemptionPolicy").or_insert_with(|| json!(policy));
        spec.extra.entry("priority").or_insert_with(|| json!(value));
    }
    let mounts = admit(spec, &pod.metadata.uid, fields);
    let node = cluster.nodes().find(|node| node.metadata.name == pod.spec.node_name);
    if fields.topology_labels {
        for key in ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"] {
            if let Some(value) = node.and_then(|node| node.metadata.labels.get(key)) {
                pod.metadata.labels.insert(key, Rc::clone(value));
            }
        }
    }
    if fields.generation && pod.metadata.generation == 0 {
        pod.metadata.generation = if pod.is_terminating() { 2 } else { 1 };
    }
    if pod.condition("Initialized").is_some() {
        report(&mut pod, node, &mounts, fields);
    }
    pod
}

/// What the admission plugins write, and the mount that each container gets.
fn admit(spec: &mut PodSpec, uid: &str, fields: &PodFields) -> Value {
    let suffix: String = uid.chars().filter(|letter| *letter != '-').take(5).collect();
    let volume: Rc<str> = format!("{}-{suffix}", fields.token_volume).into();
    let account = spec.extra.get("serviceAccountName").cloned().unwrap_or_else(|| json!("default"));
    let own =
        [("enableServiceLinks", json!(true)), ("serviceAccount", account.clone()), ("serviceAccountName", account)];
    for (name, value) in own {
        spec.extra.entry(name).or_insert(value);
    }
    let source = match fields.token_is_projected {
        false => ("secret", json!({ "defaultMode": 420, "secretName": &*volume })),
        true => {
            let field = json!({ "apiVersion": "v1", "fieldPath": "metadata.namespace" });
            let sources = json!([
                { "serviceAccountToken": { "expirationSeconds": 3607, "path": "token" } },
                { "configMap": { "items": [{ "key": "ca.crt", "path": "ca.crt" }], "name": "kube-root-ca.crt" } },
                { "downwardAPI": { "items": [{ "fieldRef": field, "path": "namespace" }] } },
            ]);
            ("projected", json!({ "defaultMode": 420, "sources": sources }))
        }
    };
    let extra: Extra = [(source.0.to_owned(), source.1)].into_iter().collect();
    spec.volumes.push(Volume { name: Rc::clone(&volume), extra, ..Volume::default() });
    let mount = json!({ "mountPath": TOKEN_AT, "name": &*volume, "readOnly": true });
    let add = |container: &mut Container| {
        let mounts = container.extra.entry("volumeMounts").or_insert_with(|| json!([]));
        mounts.as_array_mut().into_iter().for_each(|mounts| mounts.push(mount.clone()));
    };
    spec.containers.iter_mut().for_each(add);
    spec.init_containers.iter_mut().for_each(add);
    mount
}

/// What the kubelet reports.
fn report(pod: &mut Pod, node: Option<&Rc<Node>>, token: &Value, fields: &PodFields) {
    let (generation, spec) = (pod.metadata.generation, Rc::clone(&pod.spec));
    let scheduled = pod.condition("PodScheduled").and_then(|scheduled| scheduled.last_transition_time);
    let begun = pod.condition("Initialized").and_then(|condition| condition.last_transition_time);
    let quality = quality(&spec);
    let has_sandbox = !pod.status.pod_ip.is_empty() && !pod.has_ended();
    let uid = Rc::clone(&pod.metadata.uid);
    let status = &mut pod.status;
    if fields.sandbox_condition {
        let sandbox = PodCondition {
            condition_type: "PodReadyToStartContainers".into(),
            status: if has_sandbox { "True" } else { "False" }.into(),
            last_transition_time: begun,
            ..PodCondition::default()
        };
        status.conditions.insert(0, sandbox.into());
        let rank = |kind: &str| {
            let order = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"];
            order.iter().position(|known| *known == kind).unwrap_or(order.len())
        };
        status.conditions.sort_by_key(|condition| rank(&condition.condition_type));
    }
    for condition in &mut status.conditions {
        if fields.generation {
            condition.extra.insert("observedGeneration".to_owned(), generation.into());
        }
    }
    let containers = spec.init_containers.iter().chain(spec.containers.iter());
    let statuses = status.init_container_statuses.iter_mut().chain(status.container_statuses.iter_mut());
    for status in statuses {
        let container = containers.clone().find(|container| container.name == status.name);
        let mounts = container.and_then(|container| container.extra.get("volumeMounts")).unwrap_or(token);
        of_container(status, &uid, mounts, fields);
    }
    let mut add = |name: &str, value: Value| {
        status.extra.entry(name).or_insert(value);
    };
    if let Some(ip) = node.and_then(|node| address(node)) {
        if fields.host_ips {
            add("hostIPs", json!([{ "ip": ip }]));
        }
        add("hostIP", ip.into());
    }
    if fields.generation {
        add("observedGeneration", generation.into());
    }
    add("qosClass", quality.into());
    if let Some(at) = scheduled {
        add("startTime", json!(at));
    }
    let ip = status.pod_ip.to_string();
    if !ip.is_empty() {
        status.extra.entry("podIPs").or_insert_with(|| json!([{ "ip": ip }]));
    }
}

fn address(node: &Node) -> Option<String> {
    let addresses = node.status.extra.get("addresses")?.as_array()?;
    let own = addresses.iter().find(|address| address["type"] == "InternalIP")?;
    own["address"].as_str().map(str::to_owned)
}

/// What is reported of one container: ids are made up, and it has one once it has run.
fn of_container(status: &mut ContainerStatus, uid: &str, mounts: &Value, fields: &PodFields) {
    let has_run = match &status.state {
        ContainerState::Running { .. } => true,
        ContainerState::Waiting { .. } => status.restart_count > 0,
        ContainerState::Terminated { reason, .. } => &**reason != "ContainerStatusUnknown",
    };
    let runs = matches!(status.state, ContainerState::Running { .. });
    if has_run {
        status.extra.entry("containerID").or_insert_with(|| format!("containerd://{uid}").into());
    }
    status.extra.entry("lastState").or_insert_with(|| json!({}));
    status.extra.entry("started").or_insert(runs.into());
    if fields.mount_statuses {
        let told = |mount: &Value| {
            let mut mount = mount.clone();
            if mount["readOnly"] == true {
                *field(&mut mount, "recursiveReadOnly") = "Disabled".into();
            }
            mount
        };
        let mounts: Vec<Value> = mounts.as_array().map_or(&[][..], Vec::as_slice).iter().map(told).collect();
        status.extra.entry("volumeMounts").or_insert_with(|| mounts.into());
    }
}

/// The pod's class by what its containers ask for and may have. Models ComputePodQOS of k8s.io/kubectl pkg/util/qos.
pub(super) fn quality(spec: &PodSpec) -> &'static str {
    let all = || spec.containers.iter().chain(&spec.init_containers);
    let amount = |container: &Container, part: &str, resource: &str| {
        let quantity = container.resources.get(part).map(|part| word(&part[resource])).unwrap_or_default();
        quantity_in_nano(&quantity).unwrap_or(0)
    };
    let sum = |part: &str, resource: &str| all().map(|container| amount(container, part, resource)).sum::<i128>();
    let resources = ["cpu", "memory"];
    if resources.iter().all(|it| sum("requests", it) == 0 && sum("limits", it) == 0) {
        return "BestEffort";
    }
    let is_limited = |container: &Container| resources.iter().all(|it| amount(container, "limits", it) > 0);
    let is_even = |resource: &&str| sum("requests", resource) == sum("limits", resource);
    if all().all(is_limited) && resources.iter().all(is_even) { "Guaranteed" } else { "Burstable" }
}
