//! `kubectl describe`: what all kinds have in common, and workloads.
//! Models describe.go of k8s.io/kubectl, and its general describer for kinds it does not know.

use super::age;
use super::container::word;
use super::{capacity, event_age, or_none, pairs};
use super::{node as print_node, pod as print_pod};
use crate::objects::{
    DaemonSet, Deployment, IntOrPercent, Json, Labels, Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod,
    PodPhase, ReplicaSet, StatefulSet, Time,
};
use crate::reconcile::template_text;
use crate::sim::{Cluster, EventRecord};
use serde_json::Value;
use std::rc::Rc;

/// `kubectl describe` of the object.
pub(in crate::kubectl) fn describe(cluster: &Cluster, key: &ObjectRef, object: &Object) -> String {
    let text = match object {
        Object::Pod(pod) => print_pod::pod(cluster, pod),
        Object::Node(node) => print_node::node(cluster, node),
        Object::Claim(claim) => print_node::claim(cluster, claim),
        Object::StatefulSet(set) => stateful_set(cluster, set),
        Object::Deployment(set) => deployment(cluster, object, set),
        Object::DaemonSet(set) => daemon_set(cluster, set),
        Object::ReplicaSet(set) => replica_set(cluster, set),
        other => general(other),
    };
    // Kubelets name no uid in a node's events.
    let made = object.metadata().creation_timestamp.filter(|_| !matches!(object, Object::Node(_)));
    tabbed(&(text + &events(cluster, key, made.unwrap_or_default())))
}

/// The events about the object that was made then: an earlier one of its name had its own.
fn events(cluster: &Cluster, key: &ObjectRef, made: Time) -> String {
    let is_own = |event: &&Rc<EventRecord>| event.about == *key && event.last >= made;
    let mut own: Vec<&Rc<EventRecord>> = cluster.trace().events.iter().filter(is_own).collect();
    own.sort_by_key(|event| event.last);
    if own.is_empty() {
        return row("Events", "<none>");
    }
    let mut text = "Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n".to_owned();
    for event in own {
        let now = cluster.now();
        // How often it happened to this object is not known where an earlier one shares the count.
        let age = if event.first < made { age(now.0 - event.last.0) } else { event_age(now, event) };
        let cells = [event.event_type.as_str(), &event.reason, &age, event.component, event.message.trim()];
        text.push_str(&["  ", &cells.join("\t"), "\n"].concat());
    }
    text
}

/// A title and its value, a tab between them.
pub(super) fn row(title: &str, value: &str) -> String {
    [title, ":\t", value, "\n"].concat()
}

/// The first two lines of most descriptions.
pub(super) fn name_and_space(metadata: &ObjectMeta) -> String {
    row("Name", &metadata.name) + &row("Namespace", &metadata.namespace)
}

/// When it was made.
pub(super) fn made(metadata: &ObjectMeta) -> String {
    row("CreationTimestamp", &metadata.creation_timestamp.map(Time::rfc1123).unwrap_or_default())
}

/// Labels stand with `=`, annotations with a colon.
pub(super) fn marks(metadata: &ObjectMeta) -> String {
    row("Labels", &pairs(&metadata.labels, "\n\t")) + &annotations("Annotations", &metadata.annotations)
}

/// Who controls it, if anybody does.
pub(super) fn controlled_by(metadata: &ObjectMeta) -> String {
    let owner = metadata.controller_of();
    owner.map_or_else(String::new, |owner| row("Controlled By", &[&*owner.kind, "/", &owner.name].concat()))
}

/// What kubectl apply keeps in an annotation for itself.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// A longer annotation stands below its key, and no line of it is longer.
const LONGEST: usize = 140;

/// Annotations, without what kubectl keeps for itself.
pub(super) fn annotations(title: &str, annotations: &Labels) -> String {
    let mut lines = Vec::new();
    for (key, value) in annotations.iter().filter(|(key, _)| &***key != LAST_APPLIED) {
        let value = value.strip_suffix('\n').unwrap_or(value);
        if key.len() + value.len() + 2 <= LONGEST && !value.contains('\n') {
            lines.push([key, ": ", value].concat());
            continue;
        }
        lines.push([key, ":"].concat());
        for line in value.split('\n') {
            let end = line.char_indices().nth(LONGEST - 2).map_or(line.len(), |(end, _)| end);
            lines.push(["  ", &line[..end], if end < line.len() { "..." } else { "" }].concat());
        }
    }
    row(title, &or_none(&lines.join("\n\t")))
}

fn stateful_set(cluster: &Cluster, set: &StatefulSet) -> String {
    let (metadata, spec) = (&set.metadata, &set.spec);
    let strategy = &spec.update_strategy;
    let mut text = name_and_space(metadata) + &made(metadata);
    text.push_str(&row("Selector", &pairs(&spec.selector.match_labels, ",")));
    text.push_str(&marks(metadata));
    text.push_str(&row("Replicas", &format!("{} desired | {} total", set.replicas(), set.status.replicas)));
    text.push_str(&row("Update Strategy", strategy.strategy_type.as_str()));
    let rolling = strategy.rolling_update.as_ref();
    if let Some(partition) = rolling.and_then(|rolling| rolling.partition) {
        text.push_str(&row("  Partition", &partition.to_string()));
        let most = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
        text.push_str(&most.map_or_else(String::new, |most| row("  MaxUnavailable", &word(most))));
    }
    text.push_str(&pods_status(cluster, metadata));
    text.push_str(&print_pod::template(&spec.template, cluster.release()));
    let claims: String = spec.volume_claim_templates.iter().map(claim_template).collect();
    text + &if claims.is_empty() { row("Volume Claims", "<none>") } else { ["Volume Claims:\n", &claims].concat() }
}

fn claim_template(claim: &PersistentVolumeClaim) -> String {
    let class = claim.spec.extra.get("storageClassName").map(word).unwrap_or_default();
    let capacity = match capacity(claim) {
        "" => "<default>",
        capacity => capacity,
    };
    row("  Name", &claim.metadata.name)
        + &row("  StorageClass", &class)
        + &row("  Labels", &pairs(&claim.metadata.labels, "\n  \t"))
        + &row("  Annotations", &pairs(&claim.metadata.annotations, "\n  \t"))
        + &row("  Capacity", capacity)
        + &row("  Access Modes", &["[", &claim.spec.access_modes.join(" "), "]"].concat())
}

fn deployment(cluster: &Cluster, object: &Object, set: &Deployment) -> String {
    let (spec, status) = (&set.spec, &set.status);
    let mut text = name_and_space(&set.metadata) + &made(&set.metadata) + &marks(&set.metadata);
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
    let limit = |name: &str| {
        IntOrPercent::from_json(rolling[name].clone()).map_or_else(|_| String::new(), |limit| word(&limit.to_json()))
    };
    if rolling.is_object() {
        let (unavailable, surge) = (limit("maxUnavailable"), limit("maxSurge"));
        text.push_str(&format!("RollingUpdateStrategy:\t{unavailable} max unavailable, {surge} max surge\n"));
    }
    text.push_str(&print_pod::template(&spec.template, cluster.release()));
    if !status.conditions.is_empty() {
        text.push_str("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n");
    }
    for condition in &status.conditions {
        text.push_str(&format!("  {} \t{}\t{}\n", condition.condition_type, condition.status, condition.reason));
    }
    let own = template_text(&spec.template);
    let (new, old): (Vec<&Rc<ReplicaSet>>, Vec<_>) =
        cluster.replica_sets_of(object).into_iter().partition(|set| template_text(&set.spec.template) == own);
    text + &row("OldReplicaSets", &named(&old)) + &row("NewReplicaSet", &named(&new))
}

fn named(sets: &[&Rc<ReplicaSet>]) -> String {
    let one = |set: &&Rc<ReplicaSet>| {
        format!("{} ({}/{} replicas created)", set.metadata.name, set.status.replicas, set.replicas())
    };
    or_none(&sets.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn replica_set(cluster: &Cluster, set: &ReplicaSet) -> String {
    let selector = pairs(&set.spec.selector.match_labels, ",");
    let (current, wanted) = (set.status.replicas, set.replicas());
    name_and_space(&set.metadata)
        + &format!("Selector:\t{selector}\n")
        + &marks(&set.metadata)
        + &controlled_by(&set.metadata)
        + &format!("Replicas:\t{current} current / {wanted} desired\n")
        + &pods_status(cluster, &set.metadata)
        + &print_pod::template(&set.spec.template, cluster.release())
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
    name_and_space(&set.metadata)
        + &format!("Selector:\t{selector}\nNode-Selector:\t{nodes}\n")
        + &marks(&set.metadata)
        + &counts
        + &pods_status(cluster, &set.metadata)
        + &print_pod::template(&set.spec.template, cluster.release())
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

/// A kind that kubectl does not know: every field, by the words of its name.
fn general(object: &Object) -> String {
    let metadata = object.metadata();
    let mut value = object.to_json();
    let mut text = name_and_space(metadata) + &marks(metadata);
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

/// `Max Unavailable` of `maxUnavailable`; what is no name of a field stands as it is.
fn title(name: &str) -> String {
    if !name.chars().all(|letter| letter.is_alphabetic() || letter == '-') {
        return name.to_owned();
    }
    let mut words = String::new();
    for (at, letter) in name.char_indices() {
        let before = name[..at].chars().next_back();
        if letter.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase()) {
            words.push(' ');
        }
        words.push(if at == 0 { letter.to_ascii_uppercase() } else { letter });
    }
    let short = |word: &str| if matches!(word, "Api" | "Uid" | "Url") { word.to_uppercase() } else { word.to_owned() };
    words.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// Go's tabwriter with two blanks: what stands behind a tab is aligned with the lines next to it that have one, too.
pub(super) fn tabbed(text: &str) -> String {
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
