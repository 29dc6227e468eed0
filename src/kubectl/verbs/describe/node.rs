//! `kubectl describe node`. Models describeNode of describe.go of k8s.io/kubectl; what the simulation knows nothing of is
//! left out.

use super::container::list;
use super::{made, marks, row};
use crate::kubectl::age::since;
use crate::kubectl::text::{or_none, roles, word};
use crate::objects::quantity::{QuantitySum, in_nano as quantity_in_nano};
use crate::objects::{Container, Node, Pod, Taint, Time};
use crate::sim::Cluster;
use std::rc::Rc;

/// `kubectl describe node`.
pub(super) fn describe(cluster: &Cluster, node: &Node) -> String {
    let metadata = &node.metadata;
    let mut text = row("Name", &metadata.name) + &row("Roles", &roles(&metadata.labels));
    text.push_str(&marks(metadata));
    text.push_str(&made(metadata));
    text.push_str(&row("Taints", &taints(&node.spec.taints)));
    text.push_str(&row("Unschedulable", if node.spec.unschedulable { "true" } else { "false" }));
    text.push_str(&lease(cluster, &metadata.name));
    text.push_str(&conditions(node));
    let addresses = node.status.extra.get("addresses").map(list);
    text.push_str(if addresses.is_some() { "Addresses:\n" } else { "" });
    for address in addresses.into_iter().flatten() {
        text.push_str(&["  ", &row(&word(&address["type"]), &word(&address["address"]))].concat());
    }
    for (title, field) in [("Capacity", "capacity"), ("Allocatable", "allocatable")] {
        let amounts = node.status.extra.get(field).and_then(|amounts| amounts.as_object());
        text.push_str(&amounts.map_or_else(String::new, |_| [title, ":\n"].concat()));
        let mut amounts: Vec<_> = amounts.into_iter().flatten().collect();
        amounts.sort_by_key(|(name, _)| (*name).clone());
        for (name, amount) in amounts {
            text.push_str(&["  ", &row(name, &word(amount))].concat());
        }
    }
    text.push_str("System Info:\n");
    match node.status.extra.get("nodeInfo") {
        None => text.push_str(&row("  Kubelet Version", cluster.release().profile().proved_on)),
        Some(info) => {
            let shows_proxy = cluster.release().kubectl().shows_proxy_version;
            let is_shown = |field: &str| field != "kubeProxyVersion" || shows_proxy;
            for (title, field) in SYSTEM.into_iter().filter(|(_, field)| is_shown(field)) {
                text.push_str(&["  ", &row(title, &word(&info[field]))].concat());
            }
        }
    }
    text + &pods(cluster, node)
}

/// What kubectl shows of a node's system.
const SYSTEM: [(&str, &str); 10] = [
    ("Machine ID", "machineID"),
    ("System UUID", "systemUUID"),
    ("Boot ID", "bootID"),
    ("Kernel Version", "kernelVersion"),
    ("OS Image", "osImage"),
    ("Operating System", "operatingSystem"),
    ("Architecture", "architecture"),
    ("Container Runtime Version", "containerRuntimeVersion"),
    ("Kubelet Version", "kubeletVersion"),
    ("Kube-Proxy Version", "kubeProxyVersion"),
];

/// kubectl sorts them by effect and key.
fn taints(taints: &[Taint]) -> String {
    let mut sorted: Vec<&Taint> = taints.iter().collect();
    sorted.sort_by(|one, other| (&one.effect, &one.key).cmp(&(&other.effect, &other.key)));
    let one = |taint: &Taint| {
        let equals = if taint.value.is_empty() { "" } else { "=" };
        [&taint.key, equals, &taint.value, ":", &taint.effect].concat()
    };
    or_none(&sorted.into_iter().map(one).collect::<Vec<_>>().join("\n\t"))
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

/// In the table of pods.
const RESOURCES: [&str; 2] = ["cpu", "memory"];
/// Of the node.
const ALLOCATED: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];
const PARTS: [&str; 2] = ["requests", "limits"];

/// The pods that have not ended, and what they ask for.
fn pods(cluster: &Cluster, node: &Node) -> String {
    let is_here = |pod: &&Rc<Pod>| pod.spec.node_name == node.metadata.name && !pod.has_ended();
    let here: Vec<&Rc<Pod>> = cluster.pods().filter(is_here).collect();
    let allocatable = node.status.extra.get("allocatable");
    let total = |resource: &str| {
        allocatable.and_then(|allocatable| quantity_in_nano(&word(&allocatable[resource]))).unwrap_or(0)
    };
    let share = |sum: &QuantitySum, resource: &str| {
        let percent = if total(resource) == 0 { 0 } else { percent(sum, total(resource), resource) };
        format!("{} ({percent}%)", sum.text())
    };
    let mut text = format!("Non-terminated Pods:\t({} in total)\n", here.len());
    let age = cluster.release().kubectl().node_pods_age;
    text.push_str(&format!("  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\t{age}\n"));
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
    for resource in ALLOCATED {
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
