//! `kubectl describe pod`, and the pod template in the descriptions of workloads.

use super::super::Told;
use super::super::status::placeholder;
use super::super::tree::{Line, Tree, field};
use super::container::container;
use super::entry::{Entry, find};
use super::{cells, pairs, put_moment, put_word, terminating, values};
use crate::objects::Kind;
use serde_json::{Value, json};

pub(super) fn read(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    if let Some(node) = find(all, "Node").filter(|node| !node.value.starts_with('<')) {
        let (name, ip) = node.value.split_once('/').unwrap_or((node.value, ""));
        if !name.is_empty() {
            tree.put("spec.nodeName", name, node.line);
            tree.put("status.hostIP", ip, node.line);
        }
    }
    put_moment(all, "Start Time", "status.startTime", tree, told);
    if tree.value.pointer("/metadata/creationTimestamp").is_none()
        && let Some(started) = tree.value.pointer("/status/startTime").cloned()
        && let Some(entry) = find(all, "Start Time")
    {
        // It was made at most a little before its kubelet took it, if it did not wait for a node.
        tree.put("metadata.creationTimestamp", started, entry.line);
    }
    if terminating(all, tree, told) {
        tree.put("status.phase", "Running", find(all, "Status").map_or(all[0].line, |entry| entry.line));
    } else {
        put_word(all, "Status", "status.phase", tree);
    }
    for (title, path) in [("Reason", "status.reason"), ("Message", "status.message"), ("IP", "status.podIP")] {
        put_word(all, title, path, tree);
    }
    spec(all, "spec", Some("status"), tree, told);
    if tree.count("spec.containers") == 0 {
        tree.put("spec.containers[0].name", placeholder(0), all[0].line);
        tree.put("spec.containers[0].image", "", all[0].line);
    }
    if let Some(priority) = find(all, "Priority")
        && let Ok(number) = priority.value.parse::<i32>()
    {
        tree.put("spec.priority", number, priority.line);
    }
    if is_of_other(tree) && ended_beside_others(tree) {
        tree.put("spec.restartPolicy", "Never", all[0].line);
    }
    gates(all, tree);
    conditions(all, tree);
}

/// Whether its owner is none of those whose pods are always started again, as a Job is.
fn is_of_other(tree: &Tree) -> bool {
    let owners = tree.value.pointer("/metadata/ownerReferences").and_then(Value::as_array).into_iter().flatten();
    let mut kinds = owners.filter_map(|owner| owner.get("kind")?.as_str()).peekable();
    kinds.peek().is_some() && !kinds.any(|kind| Kind::ALL.iter().any(|own| own.is_workload() && own.as_str() == kind))
}

/// Whether a container has ended well and was never started again, while others run: no description tells the restart policy.
fn ended_beside_others(tree: &Tree) -> bool {
    let statuses = tree.value.pointer("/status/containerStatuses").and_then(Value::as_array);
    let any = |is: fn(&Value) -> bool| statuses.into_iter().flatten().any(is);
    any(|status| {
        status.pointer("/state/terminated/exitCode").is_some_and(|code| *code == 0)
            && status.get("restartCount").is_none_or(|count| *count == 0)
    }) && any(|status| status.pointer("/state/running").is_some())
}

/// What a pod and a template have in common.
pub(super) fn spec(all: &[Entry<'_>], at: &str, status: Option<&str>, tree: &mut Tree, told: &mut Told) {
    for (title, name) in [
        ("Priority Class Name", "priorityClassName"),
        ("Runtime Class Name", "runtimeClassName"),
        ("Service Account", "serviceAccountName"),
    ] {
        put_word(all, title, &format!("{at}.{name}"), tree);
    }
    let lists = [
        ("Init Containers", "initContainers", "initContainerStatuses"),
        ("Containers", "containers", "containerStatuses"),
    ];
    for (title, list, statuses) in lists {
        let Some(section) = find(all, title) else { continue };
        let containers = section.children.iter().filter(|entry| !entry.title.is_empty());
        for (index, entry) in containers.enumerate() {
            let own = format!("{at}.{list}[{index}]");
            let status = status.map(|status| format!("{status}.{statuses}[{index}]"));
            container(entry, &own, status.as_deref(), tree, told);
        }
    }
    pairs(all, "Node-Selectors", &format!("{at}.nodeSelector"), tree);
    if let Some(entry) = find(all, "Tolerations") {
        for (index, (value, line)) in values(entry).enumerate() {
            tree.put(&format!("{at}.tolerations[{index}]"), toleration(value), line);
        }
    }
    volumes(all, at, tree);
}

/// Such as `node.kubernetes.io/not-ready:NoExecute op=Exists for 300s`.
fn toleration(text: &str) -> Value {
    let (rest, seconds) = match text.rsplit_once(" for ") {
        Some((rest, seconds)) => (rest, seconds.trim_end_matches('s').parse::<i64>().ok()),
        None => (text, None),
    };
    let (rest, exists) = match rest.strip_suffix("op=Exists") {
        Some(rest) => (rest.trim(), true),
        None => (rest.trim(), false),
    };
    let (name, effect) = rest.rsplit_once(':').unwrap_or((rest, ""));
    let (key, value) = name.split_once('=').unwrap_or((name, ""));
    let mut toleration = json!({ "operator": if exists { "Exists" } else { "Equal" } });
    for (name, word) in [("key", key), ("value", value), ("effect", effect)] {
        if !word.is_empty() {
            *field(&mut toleration, name) = word.into();
        }
    }
    if let Some(seconds) = seconds {
        *field(&mut toleration, "tolerationSeconds") = seconds.into();
    }
    toleration
}

fn volumes(all: &[Entry<'_>], at: &str, tree: &mut Tree) {
    let Some(section) = find(all, "Volumes") else { return };
    for (index, entry) in section.children.iter().filter(|entry| !entry.title.is_empty()).enumerate() {
        let own = format!("{at}.volumes[{index}]");
        tree.put(&format!("{own}.name"), entry.title, entry.line);
        let word = |title: &str| find(&entry.children, title).map_or("", |entry| entry.value);
        let optional = word("Optional") == "true";
        let kind = word("Type");
        let source = match kind.split([' ', '(']).next().unwrap_or_default() {
            "PersistentVolumeClaim" => {
                json!({ "persistentVolumeClaim": { "claimName": word("ClaimName"), "readOnly": word("ReadOnly") == "true" } })
            }
            "EphemeralVolume" => json!({ "ephemeral": {} }),
            "ConfigMap" => json!({ "configMap": { "name": word("Name"), "optional": optional } }),
            "Secret" => json!({ "secret": { "secretName": word("SecretName"), "optional": optional } }),
            "HostPath" => json!({ "hostPath": { "path": word("Path") } }),
            "EmptyDir" => json!({ "emptyDir": {} }),
            "NFS" => json!({ "nfs": { "server": word("Server"), "path": word("Path") } }),
            "CSI" => json!({ "csi": { "driver": word("Driver") } }),
            "DownwardAPI" => json!({ "downwardAPI": {} }),
            "Projected" => json!({ "projected": { "sources": sources(entry) } }),
            // Of a kind that is not simulated: it is there, and holds nothing up.
            _ => json!({ "emptyDir": {} }),
        };
        let line = entry.children.first().map_or(entry.line, |first| first.line);
        for (field, value) in source.as_object().into_iter().flatten() {
            tree.put(&format!("{own}.{field}"), value.clone(), line);
        }
    }
}

/// What a projected volume gathers.
fn sources(volume: &Entry<'_>) -> Value {
    let source = |entry: &Entry<'_>| match entry.title {
        "ConfigMapName" => Some(json!({ "configMap": { "name": entry.value } })),
        "SecretName" => Some(json!({ "secret": { "name": entry.value } })),
        "TokenExpirationSeconds" => {
            Some(json!({ "serviceAccountToken": { "expirationSeconds": entry.value.parse::<i64>().ok() } }))
        }
        _ => None,
    };
    volume.children.iter().filter_map(source).collect()
}

fn rows<'e, 't>(all: &'e [Entry<'t>], title: &str) -> impl Iterator<Item = (Vec<&'t str>, Line<'t>)> + 'e {
    let children = find(all, title).map_or(&[][..], |section| &section.children);
    children
        .iter()
        .map(|row| (cells(row.line.text, 8), row.line))
        .filter(|(cells, _)| cells.len() > 1 && cells[0] != "Type" && !cells[0].starts_with("--"))
}

fn gates(all: &[Entry<'_>], tree: &mut Tree) {
    for (index, (cells, line)) in rows(all, "Readiness Gates").enumerate() {
        tree.put(&format!("spec.readinessGates[{index}].conditionType"), cells[0], line);
    }
}

fn conditions(all: &[Entry<'_>], tree: &mut Tree) {
    let gates = rows(all, "Readiness Gates").filter(|(cells, _)| !cells[1].starts_with('<'));
    let conditions: Vec<_> = rows(all, "Conditions").collect();
    let is_listed = |kind: &str| conditions.iter().any(|(cells, _)| cells[0] == kind);
    let gates: Vec<_> = gates.filter(|(cells, _)| !is_listed(cells[0])).collect();
    // kubectl prints no moments here. What it was last Ready or not since nobody can say.
    let is_placed = tree.value.pointer("/spec/nodeName").is_some();
    let mut holds = Vec::new();
    for (cells, line) in conditions.iter().chain(&gates) {
        let at = tree.count("status.conditions");
        tree.put(&format!("status.conditions[{at}].type"), cells[0], *line);
        tree.put(&format!("status.conditions[{at}].status"), cells[1], *line);
        holds.push((cells[0], cells[1] == "True"));
        if cells[0] == "PodScheduled" && cells[1] == "False" {
            tree.put(&format!("status.conditions[{at}].reason"), if is_placed { "" } else { "Unschedulable" }, *line);
        }
    }
    ready_gates(&holds, tree);
    unschedulable(all, tree);
}

/// A pod whose containers are ready and that is not: a readiness gate holds it.
fn ready_gates(holds: &[(&str, bool)], tree: &mut Tree) {
    let holds = |kind: &str| holds.iter().find(|(own, _)| *own == kind).map(|(_, holds)| *holds);
    let reason = match (holds("Ready"), holds("ContainersReady")) {
        (Some(false), Some(true)) => "ReadinessGatesNotReady",
        (Some(false), _) => "ContainersNotReady",
        _ => return,
    };
    let conditions = tree.value.pointer_mut("/status/conditions").and_then(Value::as_array_mut).into_iter().flatten();
    for condition in conditions.filter(|condition| condition.get("type").is_some_and(|kind| kind == "Ready")) {
        *super::super::tree::field(condition, "reason") = reason.into();
    }
}

/// What the scheduler said last of a pod without a node, in its condition too.
fn unschedulable(all: &[Entry<'_>], tree: &mut Tree) {
    let events = find(all, "Events").map_or(&[][..], |section| &section.children);
    let told = events.iter().map(|row| (cells(row.line.text, 5), row.line));
    let told = || told.clone().filter(|(cells, _)| cells.len() == 5 && cells[1] == "FailedScheduling");
    let Some((message, line)) = told().next_back().map(|(cells, line)| (cells[4], line)) else { return };
    // It has no node since the first of them, at the latest.
    let ages = told().filter_map(|(cells, _)| super::super::time::event(cells[2]));
    let since = ages.map(|(_, first, _)| first).max().map(super::super::tree::ago);
    if let Some(since) = since.clone().filter(|_| tree.value.pointer("/metadata/creationTimestamp").is_none()) {
        tree.put("metadata.creationTimestamp", since, line);
    }
    let conditions = tree.value.pointer_mut("/status/conditions").and_then(Value::as_array_mut).into_iter().flatten();
    for condition in conditions {
        let word = |name: &str| condition.get(name).and_then(Value::as_str).unwrap_or_default();
        if word("type") == "PodScheduled" && word("status") == "False" {
            *super::super::tree::field(condition, "message") = message.into();
            if let Some(since) = &since {
                *super::super::tree::field(condition, "lastTransitionTime") = since.clone();
            }
        }
    }
}
