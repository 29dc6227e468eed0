//! `kubectl describe` of StatefulSets, Deployments, ReplicaSets and DaemonSets.

use super::super::tree::Tree;
use super::super::{Told, tables};
use super::entry::{Entry, find};
use super::pod;
use super::{cells, pairs, put_word};

/// The first number of a text, and those that stand before each of these words.
fn number_before(text: &str, word: &str) -> Option<i64> {
    let before = text.split(['|', '/', ',']).find(|part| part.trim().ends_with(word))?;
    before.split_whitespace().next()?.parse().ok()
}

fn put_numbers(all: &[Entry<'_>], title: &str, fields: &[(&str, &str)], tree: &mut Tree) {
    let Some(entry) = find(all, title) else { return };
    for (word, path) in fields {
        if let Some(number) = number_before(entry.value, word) {
            tree.put(path, number, entry.line);
        }
    }
}

/// What all of them have: selector, template, and how far the controller has seen them.
fn common(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    let line = all[0].line;
    tree.put("metadata.generation", 1, line);
    tree.put("status.observedGeneration", 1, line);
    pairs(all, "Selector", "spec.selector.matchLabels", tree);
    let Some(template) = find(all, "Pod Template") else { return };
    pairs(&template.children, "Labels", "spec.template.metadata.labels", tree);
    pod::spec(&template.children, "spec.template.spec", None, tree, told);
}

pub(super) fn stateful_set(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    common(all, tree, told);
    put_numbers(all, "Replicas", &[("desired", "spec.replicas"), ("total", "status.replicas")], tree);
    put_numbers(all, "Pods Status", &[], tree);
    put_word(all, "Update Strategy", "spec.updateStrategy.type", tree);
    put_word(all, "Pod Management Policy", "spec.podManagementPolicy", tree);
    if let Some(strategy) = find(all, "Update Strategy") {
        for (title, field) in [("Partition", "partition"), ("MaxUnavailable", "maxUnavailable")] {
            if let Some(entry) = find(&strategy.children, title) {
                let value = entry.value.parse::<i32>().map_or_else(|_| entry.value.into(), serde_json::Value::from);
                tree.put(&format!("spec.updateStrategy.rollingUpdate.{field}"), value, entry.line);
            }
        }
    }
    let name = tree.value["metadata"]["name"].clone();
    tree.put("spec.serviceName", name, all[0].line);
    claims(all, tree);
}

/// Under `Volume Claims` each begins with its name.
fn claims(all: &[Entry<'_>], tree: &mut Tree) {
    let section = find(all, "Volume Claims").map_or(&[][..], |section| &section.children);
    let mut next: usize = 0;
    for entry in section {
        if entry.title == "Name" {
            next += 1;
            let at = format!("spec.volumeClaimTemplates[{}]", next - 1);
            tree.put(&format!("{at}.metadata.name"), entry.value, entry.line);
        }
        let Some(at) = next.checked_sub(1).map(|at| format!("spec.volumeClaimTemplates[{at}].spec")) else { continue };
        if entry.value.is_empty() || entry.value.starts_with('<') {
            continue;
        }
        match entry.title {
            "StorageClass" => tree.put(&format!("{at}.storageClassName"), entry.value, entry.line),
            "Capacity" => tree.put(&format!("{at}.resources.requests.storage"), entry.value, entry.line),
            "Access Modes" => {
                let modes = entry.value.trim_start_matches('[').trim_end_matches(']').split([' ', ',']);
                let modes: Vec<&str> = modes.filter(|mode| !mode.is_empty()).map(tables::access_mode).collect();
                tree.put(&format!("{at}.accessModes"), modes, entry.line);
            }
            _ => {}
        }
    }
}

pub(super) fn deployment(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    common(all, tree, told);
    let numbers = [
        ("desired", "spec.replicas"),
        ("updated", "status.updatedReplicas"),
        ("total", "status.replicas"),
        ("unavailable", "status.unavailableReplicas"),
    ];
    put_numbers(all, "Replicas", &numbers, tree);
    if let Some(entry) = find(all, "Replicas")
        && let Some(number) =
            entry.value.split('|').find_map(|part| part.trim().strip_suffix(" available")?.parse::<i64>().ok())
    {
        tree.put("status.availableReplicas", number, entry.line);
        tree.put("status.readyReplicas", number, entry.line);
    }
    put_word(all, "StrategyType", "spec.strategy.type", tree);
    if let Some(seconds) = find(all, "MinReadySeconds")
        && let Ok(number) = seconds.value.parse::<i32>()
    {
        tree.put("spec.minReadySeconds", number, seconds.line);
    }
    if let Some(limits) = find(all, "RollingUpdateStrategy") {
        for (word, field) in [("max unavailable", "maxUnavailable"), ("max surge", "maxSurge")] {
            let limit = limits.value.split(',').find_map(|part| part.trim().strip_suffix(word)).map(str::trim);
            if let Some(limit) = limit {
                let value = limit.parse::<i32>().map_or_else(|_| limit.into(), serde_json::Value::from);
                tree.put(&format!("spec.strategy.rollingUpdate.{field}"), value, limits.line);
            }
        }
    }
    let rows = find(all, "Conditions").map_or(&[][..], |section| &section.children);
    for row in rows {
        let cells = cells(row.line.text, 3);
        let [kind, status, reason] = cells.as_slice() else { continue };
        if *kind != "Type" && !kind.starts_with("--") {
            let at = tree.count("status.conditions");
            let condition = serde_json::json!({ "type": kind, "status": status, "reason": reason });
            tree.put(&format!("status.conditions[{at}]"), condition, row.line);
            // No line of its own says so.
            if *reason == "DeploymentPaused" {
                tree.put("spec.paused", true, row.line);
            }
        }
    }
    told.replica_sets(all, tree);
}

pub(super) fn replica_set(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    common(all, tree, told);
    put_numbers(all, "Replicas", &[("desired", "spec.replicas"), ("current", "status.replicas")], tree);
}

pub(super) fn daemon_set(all: &[Entry<'_>], tree: &mut Tree, told: &mut Told) {
    common(all, tree, told);
    for (title, path) in [
        ("Desired Number of Nodes Scheduled", "status.desiredNumberScheduled"),
        ("Current Number of Nodes Scheduled", "status.currentNumberScheduled"),
        ("Number of Nodes Scheduled with Up-to-date Pods", "status.updatedNumberScheduled"),
        ("Number of Nodes Scheduled with Available Pods", "status.numberAvailable"),
        ("Number of Nodes Misscheduled", "status.numberMisscheduled"),
    ] {
        if let Some(entry) = find(all, title)
            && let Ok(number) = entry.value.parse::<i32>()
        {
            tree.put(path, number, entry.line);
        }
    }
    pairs(all, "Node-Selector", "spec.template.spec.nodeSelector", tree);
}

impl Told {
    /// The ReplicaSets that a Deployment's description names, with how many pods each wants: `api-5d4 (3/3 replicas created)`.
    fn replica_sets(&mut self, all: &[Entry<'_>], deployment: &Tree) {
        use super::super::tree::Fullness;
        for (title, age) in [("OldReplicaSets", 1), ("NewReplicaSet", 0)] {
            let Some(entry) = find(all, title).filter(|entry| !entry.value.starts_with('<')) else { continue };
            for named in entry.value.split("), ") {
                let Some((name, counts)) = named.split_once(" (") else { continue };
                let counts = counts.split(' ').next().unwrap_or_default().split_once('/');
                let Some((created, wanted)) = counts
                    .and_then(|(created, wanted)| Some((created.parse::<i32>().ok()?, wanted.parse::<i32>().ok()?)))
                else {
                    continue;
                };
                let mut set = Tree::new("ReplicaSet", name.trim(), entry.line, Fullness::Row);
                let metadata = &deployment.value["metadata"];
                set.put("metadata.namespace", metadata["namespace"].clone(), entry.line);
                set.put("metadata.creationTimestamp", super::super::tree::ago(age * 1000), entry.line);
                set.put("metadata.generation", 1, entry.line);
                set.put("status.observedGeneration", 1, entry.line);
                set.put("spec.replicas", wanted, entry.line);
                set.put("status.replicas", created, entry.line);
                let owner = serde_json::json!({
                    "apiVersion": "apps/v1", "kind": "Deployment", "name": metadata["name"], "uid": "", "controller": true, "blockOwnerDeletion": true,
                });
                set.put("metadata.ownerReferences[0]", owner, entry.line);
                self.trees.push(set);
            }
        }
    }
}
