//! `kubectl describe` of nodes and claims. Models describeNode and describePersistentVolumeClaim of describe.go of
//! k8s.io/kubectl; what the simulation knows nothing of is left out.

use super::container::word;
use super::describe::{annotations, made, marks, name_and_space, row};
use super::pod::terminating;
use super::{capacity, initials, or_none, pairs, since};
use crate::objects::validation::{QuantitySum, quantity_in_nano};
use crate::objects::{Container, Labels, Node, PersistentVolumeClaim, Pod, PodPhase, Taint, Time};
use crate::sim::Cluster;
use std::rc::Rc;

/// `kubectl describe node`.
pub(super) fn node(cluster: &Cluster, node: &Node) -> String {
    let metadata = &node.metadata;
    let mut text = row("Name", &metadata.name) + &row("Roles", &roles(&metadata.labels));
    text.push_str(&marks(metadata));
    text.push_str(&made(metadata));
    text.push_str(&row("Taints", &taints(&node.spec.taints)));
    text.push_str(&row("Unschedulable", if node.spec.unschedulable { "true" } else { "false" }));
    text.push_str(&lease(cluster, &metadata.name));
    text.push_str(&conditions(node));
    for (title, field) in [("Capacity", "capacity"), ("Allocatable", "allocatable")] {
        let amounts = node.status.extra.get(field).and_then(|own| own.as_object());
        text.push_str(&amounts.map_or_else(String::new, |_| [title, ":\n"].concat()));
        for (name, amount) in amounts.into_iter().flatten() {
            text.push_str(&["  ", &row(name, &word(amount))].concat());
        }
    }
    let version = [cluster.release().name(), ".0"].concat();
    text.push_str(&["System Info:\n", &row("  Kubelet Version", &version)].concat());
    text + &pods(cluster, node)
}

fn roles(labels: &Labels) -> String {
    let role =
        |key: &str| key.strip_prefix("node-role.kubernetes.io/").filter(|role| !role.is_empty()).map(str::to_owned);
    or_none(&labels.iter().filter_map(|(key, _)| role(key)).collect::<Vec<_>>().join(","))
}

/// kubectl sorts them by effect and key.
fn taints(taints: &[Taint]) -> String {
    let mut own: Vec<&Taint> = taints.iter().collect();
    own.sort_by(|one, other| (&one.effect, &one.key).cmp(&(&other.effect, &other.key)));
    let one = |taint: &Taint| {
        let equals = if taint.value.is_empty() { "" } else { "=" };
        [&taint.key, equals, &taint.value, ":", &taint.effect].concat()
    };
    or_none(&own.into_iter().map(one).collect::<Vec<_>>().join("\n\t"))
}

/// The kubelet's lease, where there are leases.
fn lease(cluster: &Cluster, name: &Rc<str>) -> String {
    match cluster.lease_renewed_at(name).filter(|_| cluster.release().kubectl().shows_lease) {
        None => String::new(),
        Some(renewed) => {
            format!("Lease:\n  HolderIdentity:\t{name}\n  AcquireTime:\t<unset>\n  RenewTime:\t{}\n", renewed.rfc1123())
        }
    }
}

fn conditions(node: &Node) -> String {
    if node.status.conditions.is_empty() {
        return String::new();
    }
    let mut text = "Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n".to_owned();
    text.push_str("  ----\t------\t-----------------\t------------------\t------\t-------\n");
    for it in &node.status.conditions {
        let [heard, changed] =
            [it.last_heartbeat_time, it.last_transition_time].map(|at| at.map(Time::rfc1123).unwrap_or_default());
        let (kind, status, reason, message) = (&it.condition_type, &it.status, &it.reason, &it.message);
        text.push_str(&format!("  {kind} \t{status} \t{heard} \t{changed} \t{reason} \t{message}\n"));
    }
    text
}

const RESOURCES: [&str; 2] = ["cpu", "memory"];
const PARTS: [&str; 2] = ["requests", "limits"];

/// The pods that have not ended, and what they ask for.
fn pods(cluster: &Cluster, node: &Node) -> String {
    let is_here = |pod: &&Rc<Pod>| {
        pod.spec.node_name == node.metadata.name && !matches!(pod.status.phase, PodPhase::Succeeded | PodPhase::Failed)
    };
    let here: Vec<&Rc<Pod>> = cluster.pods().filter(is_here).collect();
    let held = node.status.extra.get("allocatable");
    let total = |resource: &str| held.and_then(|held| quantity_in_nano(&word(&held[resource]))).unwrap_or(0);
    let share = |sum: &QuantitySum, resource: &str| {
        let percent = if total(resource) == 0 { 0 } else { percent(sum, total(resource), resource) };
        format!("{} ({percent}%)", sum.text())
    };
    let mut text = format!("Non-terminated Pods:\t({} in total)\n", here.len());
    text.push_str("  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge\n");
    text.push_str("  ---------\t----\t\t------------\t----------\t---------------\t-------------\t---\n");
    for pod in &here {
        let mut cells = vec![pod.metadata.namespace.to_string(), pod.metadata.name.to_string(), String::new()];
        for resource in RESOURCES {
            cells.extend(PARTS.map(|part| share(&of_pod(pod, part, resource), resource)));
        }
        cells.push(since(cluster.now(), pod.metadata.creation_timestamp));
        text.push_str(&["  ", &cells.join("\t"), "\n"].concat());
    }
    text.push_str("Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n");
    text.push_str("  Resource\tRequests\tLimits\n  --------\t--------\t------\n");
    for resource in RESOURCES {
        let shares = PARTS.map(|part| {
            let mut sum = QuantitySum::default();
            here.iter().for_each(|pod| sum.join(of_pod(pod, part, resource)));
            share(&sum, resource)
        });
        text.push_str(&["  ", resource, "\t", &shares.join("\t"), "\n"].concat());
    }
    text
}

/// The share in whole percent, reckoned as kubectl does: processors by thousandths, memory by bytes.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "kubectl reckons so")]
fn percent(sum: &QuantitySum, total: i128, resource: &str) -> i64 {
    let unit = if resource == "cpu" { 1_000_000 } else { 1_000_000_000 };
    let whole = |nano: i128| ((nano + unit - 1) / unit) as f64;
    (whole(sum.nano()) / whole(total) * 100.0) as i64
}

/// What the pod's containers ask for together, or what one that runs before them asks for, if that is more.
fn of_pod(pod: &Pod, part: &str, resource: &str) -> QuantitySum {
    let of =
        |container: &Container| container.resources.get(part).map(|part| word(&part[resource])).unwrap_or_default();
    let mut sum = QuantitySum::default();
    pod.spec.containers.iter().for_each(|container| sum.add(&of(container)));
    for container in &pod.spec.init_containers {
        let mut alone = QuantitySum::default();
        alone.add(&of(container));
        if alone.nano() > sum.nano() {
            sum = alone;
        }
    }
    sum
}

/// `kubectl describe pvc`.
pub(super) fn claim(cluster: &Cluster, claim: &PersistentVolumeClaim) -> String {
    let (metadata, spec) = (&claim.metadata, &claim.spec);
    let status = match metadata.deletion_timestamp {
        Some(until) => terminating(until, cluster.now(), cluster.release()),
        None => claim.status.phase.to_string(),
    };
    let volume = spec.volume_name.as_deref().unwrap_or_default();
    let modes: Vec<String> = spec.access_modes.iter().map(|mode| initials(mode)).collect();
    let (capacity, modes) = if volume.is_empty() { ("", String::new()) } else { (capacity(claim), modes.join(",")) };
    let mut text = name_and_space(metadata);
    for (title, value) in [
        ("StorageClass", &*spec.extra.get("storageClassName").map(word).unwrap_or_default()),
        ("Status", &status),
        ("Volume", volume),
        ("Labels", &pairs(&metadata.labels, "\n\t")),
    ] {
        text.push_str(&row(title, value));
    }
    text.push_str(&annotations("Annotations", &metadata.annotations));
    text.push_str(&row("Finalizers", &["[", &metadata.finalizers.join(" "), "]"].concat()));
    text.push_str(&(row("Capacity", capacity) + &row("Access Modes", &modes)));
    text.push_str(&spec.extra.get("volumeMode").map_or_else(String::new, |mode| row("VolumeMode", &word(mode))));
    text + &users(cluster, claim)
}

/// The pods that use the claim, in the words of the release.
fn users(cluster: &Cluster, claim: &PersistentVolumeClaim) -> String {
    let mounts = |pod: &Pod| {
        let claims = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
        claims.into_iter().any(|own| own.claim_name == claim.metadata.name)
    };
    let own = cluster.pods().filter(|pod| pod.metadata.namespace == claim.metadata.namespace && mounts(pod));
    let names: Vec<&str> = own.map(|pod| &*pod.metadata.name).collect();
    let title = cluster.release().kubectl().claim_users;
    title.map_or_else(String::new, |title| row(title, &or_none(&names.join("\n\t"))))
}
