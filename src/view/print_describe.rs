//! `kubectl describe` and `kubectl rollout history` of workloads without ordinals.
//! Models describe.go of k8s.io/kubectl, its general describer for kinds it does not know, and historyviewer.go.

use super::board::replica_sets;
use super::print::{NONE, events_of, or_none, pairs};
use crate::objects::{
    DaemonSet, Deployment, IntOrPercent, Json, Labels, Object, ObjectMeta, ObjectRef, Pod, PodPhase, PodTemplateSpec,
    ReplicaSet, Time, sorted_by_number,
};
use crate::reconcile::deployment::revision_of_replica_set;
use crate::reconcile::template_text;
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// `kubectl describe` of one of these kinds.
pub(super) fn describe(cluster: &Cluster, key: &ObjectRef, object: &Object) -> String {
    let text = match object {
        Object::Deployment(set) => deployment(cluster, object, set),
        Object::DaemonSet(set) => daemon_set(cluster, set),
        Object::ReplicaSet(set) => replica_set(cluster, set),
        other => general(other),
    };
    tabbed(&text) + &events_of(cluster, key)
}

fn head(metadata: &ObjectMeta, made: bool) -> String {
    let made = metadata.creation_timestamp.filter(|_| made).map_or_else(String::new, |made| {
        let made: Time = made;
        format!("CreationTimestamp:\t{}\n", made.rfc1123())
    });
    format!("Name:\t{}\nNamespace:\t{}\n{made}", metadata.name, metadata.namespace)
}

/// Labels stand with `=`, annotations with a colon.
fn marks(metadata: &ObjectMeta) -> String {
    let notes: Vec<String> = metadata.annotations.iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("Labels:\t{}\nAnnotations:\t{}\n", pairs(&metadata.labels, "\n\t"), or_none(&notes.join("\n\t")))
}

fn deployment(cluster: &Cluster, object: &Object, set: &Deployment) -> String {
    let (spec, status) = (&set.spec, &set.status);
    let mut text = head(&set.metadata, true) + &marks(&set.metadata);
    text.push_str(&format!(
        "Selector:\t{}\nReplicas:\t{} desired | {} updated | {} total | {} available | {} unavailable\n",
        pairs(&spec.selector.match_labels, ","),
        set.replicas(),
        status.updated_replicas,
        status.replicas,
        status.available_replicas,
        status.unavailable_replicas
    ));
    let json = object.to_json();
    let strategy = &json["spec"]["strategy"];
    let kind = strategy["type"].as_str().unwrap_or_default();
    text.push_str(&format!("StrategyType:\t{kind}\nMinReadySeconds:\t{}\n", spec.min_ready_seconds));
    let rolling = &strategy["rollingUpdate"];
    let limit = |name: &str| IntOrPercent::from_json(rolling[name].clone()).map_or_else(|_| String::new(), shown);
    if rolling.is_object() {
        let (unavailable, surge) = (limit("maxUnavailable"), limit("maxSurge"));
        text.push_str(&format!("RollingUpdateStrategy:\t{unavailable} max unavailable, {surge} max surge\n"));
    }
    text.push_str(&template(&spec.template));
    if !status.conditions.is_empty() {
        text.push_str("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n");
    }
    for condition in &status.conditions {
        text.push_str(&format!("  {} \t{}\t{}\n", condition.condition_type, condition.status, condition.reason));
    }
    let own = template_text(&spec.template);
    let (new, old): (Vec<&Rc<ReplicaSet>>, Vec<_>) =
        replica_sets(cluster, object).into_iter().partition(|set| template_text(&set.spec.template) == own);
    text + &format!("OldReplicaSets:\t{}\nNewReplicaSet:\t{}\n", named(&old), named(&new))
}

fn shown(value: IntOrPercent) -> String {
    let value = value.to_json();
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn named(sets: &[&Rc<ReplicaSet>]) -> String {
    let one = |set: &&Rc<ReplicaSet>| {
        format!("{} ({}/{} replicas created)", set.metadata.name, set.status.replicas, set.replicas())
    };
    or_none(&sets.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn replica_set(cluster: &Cluster, set: &ReplicaSet) -> String {
    let owner = set.metadata.controller_of();
    let owner = owner.map_or_else(String::new, |owner| format!("Controlled By:\t{}/{}\n", owner.kind, owner.name));
    let selector = pairs(&set.spec.selector.match_labels, ",");
    let (current, wanted) = (set.status.replicas, set.replicas());
    head(&set.metadata, false)
        + &format!("Selector:\t{selector}\n")
        + &marks(&set.metadata)
        + &owner
        + &format!("Replicas:\t{current} current / {wanted} desired\n")
        + &pods_status(cluster, &set.metadata)
        + &template(&set.spec.template)
}

fn daemon_set(cluster: &Cluster, set: &DaemonSet) -> String {
    let status = &set.status;
    let selector = pairs(&set.spec.selector.match_labels, ",");
    let nodes = pairs(&set.spec.template.spec.node_selector, ",");
    let counts = [
        ("Desired Number of Nodes Scheduled", status.desired_number_scheduled),
        ("Current Number of Nodes Scheduled", status.current_number_scheduled),
        ("Number of Nodes Scheduled with Up-to-date Pods", status.updated_number_scheduled),
        ("Number of Nodes Scheduled with Available Pods", status.number_available),
        ("Number of Nodes Misscheduled", status.number_misscheduled),
    ];
    let counts: String = counts.iter().map(|(name, number)| format!("{name}: {number}\n")).collect();
    head(&set.metadata, false)
        + &format!("Selector:\t{selector}\nNode-Selector:\t{nodes}\n")
        + &marks(&set.metadata)
        + &counts
        + &pods_status(cluster, &set.metadata)
        + &template(&set.spec.template)
}

fn pods_status(cluster: &Cluster, owner: &ObjectMeta) -> String {
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|own| own.uid == owner.uid);
    let in_phase = |phase: PodPhase| cluster.pods().filter(is_own).filter(|pod| pod.status.phase == phase).count();
    format!(
        "Pods Status:\t{} Running / {} Waiting / {} Succeeded / {} Failed\n",
        in_phase(PodPhase::Running),
        in_phase(PodPhase::Pending),
        in_phase(PodPhase::Succeeded),
        in_phase(PodPhase::Failed)
    )
}

fn template(template: &PodTemplateSpec) -> String {
    let mut text = format!("Pod Template:\n  Labels:\t{}\n", pairs(&template.metadata.labels, "\n  \t"));
    if !template.metadata.annotations.is_empty() {
        let notes = |labels: &Labels| labels.iter().map(|(key, it)| format!("{key}: {it}")).collect::<Vec<_>>();
        text.push_str(&format!("  Annotations:\t{}\n", notes(&template.metadata.annotations).join("\n  \t")));
    }
    text.push_str("  Containers:\n");
    for container in &template.spec.containers {
        let (name, image) = (&container.name, or_none(&container.image));
        text.push_str(&format!("   {name}:\n    Image:\t{image}\n"));
        let ports = container.rest.get("ports").and_then(Value::as_array).cloned().unwrap_or_default();
        for (title, field) in [("Port", "containerPort"), ("Host Port", "hostPort")] {
            let one = |port: &Value| {
                format!("{}/{}", port[field].as_i64().unwrap_or(0), port["protocol"].as_str().unwrap_or("TCP"))
            };
            let ports = ports.iter().map(one).collect::<Vec<_>>().join(", ");
            text.push_str(&format!("    {title}:\t{}\n", or_none(&ports)));
        }
        text.push_str(&format!("    Environment:\t{NONE}\n    Mounts:\t{NONE}\n"));
    }
    text + &format!("  Volumes:\t{NONE}\n")
}

/// A kind that kubectl does not know: every field, by the words of its name.
fn general(object: &Object) -> String {
    let metadata = object.metadata();
    let mut value = object.to_json();
    let mut text = head(metadata, false) + &marks(metadata);
    text.push_str(&format!("API Version:\t{}\nKind:\t{}\n", object.kind().api_version(), object.kind().as_str()));
    if let Some(fields) = value.as_object_mut() {
        ["apiVersion", "kind"].iter().for_each(|name| drop(fields.remove(*name)));
    }
    if let Some(fields) = value["metadata"].as_object_mut() {
        ["name", "namespace", "labels", "annotations"].iter().for_each(|name| drop(fields.remove(*name)));
    }
    fields(&value, 0, &mut text);
    text
}

fn fields(value: &Value, depth: usize, text: &mut String) {
    let Some(own) = value.as_object() else { return };
    let mut names: Vec<&String> = own.keys().collect();
    names.sort();
    let indent = "  ".repeat(depth);
    for name in names {
        let title = title(name);
        match &own[name] {
            Value::Object(_) => {
                text.push_str(&format!("{indent}{title}:\n"));
                fields(&own[name], depth + 1, text);
            }
            Value::Array(items) => {
                text.push_str(&format!("{indent}{title}:\n"));
                for item in items {
                    match item {
                        Value::Object(_) => fields(item, depth + 1, text),
                        plain => text.push_str(&format!("{indent}  {}\n", word(plain))),
                    }
                }
            }
            plain => text.push_str(&format!("{indent}{title}:\t{}\n", word(plain))),
        }
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `Max Unavailable` of `maxUnavailable`.
fn title(name: &str) -> String {
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        let before = name[..at].chars().next_back();
        if letter.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase()) {
            words.push(' ');
        }
        words.push(if at == 0 { letter.to_ascii_uppercase() } else { letter });
    }
    if words == "Uid" { "UID".to_owned() } else { words }
}

/// `kubectl rollout history` of any workload.
pub(super) fn rollout_history(cluster: &Cluster, object: &Object) -> String {
    let cause = |metadata: &ObjectMeta| {
        or_none(metadata.annotations.get("kubernetes.io/change-cause").map_or("", |cause| cause))
    };
    let mut own: Vec<(i64, String)> = Vec::new();
    for set in replica_sets(cluster, object) {
        own.push((revision_of_replica_set(set), cause(&set.metadata)));
    }
    let is_own =
        |metadata: &ObjectMeta| metadata.controller_of().is_some_and(|owner| owner.uid == object.metadata().uid);
    for revision in cluster.revisions().filter(|revision| is_own(&revision.metadata)) {
        own.push((revision.revision, cause(&revision.metadata)));
    }
    let rows = sorted_by_number(own, |(number, _)| *number);
    let rows: String = rows.iter().map(|(number, cause)| format!("{number}\t{cause}\n")).collect();
    let kind = object.kind();
    let group = kind.qualified_resource().split_once('.').map_or("", |(_, group)| group);
    let title = format!("{}.{group}/{} \n", kind.singular(), object.metadata().name);
    title + &tabbed(&format!("REVISION\tCHANGE-CAUSE\n{rows}"))
}

/// Go's tabwriter with two blanks: what stands behind a tab is aligned with the lines next to it that have one, too.
fn tabbed(text: &str) -> String {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let width = |line: usize, column: usize| {
        let has = |at: &usize| lines[*at].len() > column + 1;
        let above = (0..line).rev().take_while(has);
        let block = above.chain((line..lines.len()).take_while(has));
        block.map(|at| lines[at][column].chars().count()).max().unwrap_or(0) + 2
    };
    let mut text = String::new();
    for (at, cells) in lines.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            text.push_str(cell);
            let room = if column + 1 < cells.len() { width(at, column) } else { 0 };
            (cell.chars().count()..room).for_each(|_| text.push(' '));
        }
        text.push('\n');
    }
    text
}
