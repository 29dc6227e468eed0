//! What kubectl prints, in its own columns and words.
//! Models pkg/printers/internalversion/printers.go, and rollout_status.go and describe.go of k8s.io/kubectl.

pub(super) mod age;
mod container;
pub(super) mod describe;
pub(super) mod history;
mod node;
pub(super) mod object;
mod pod;
mod pod_status;
mod volumes;
pub(super) mod workloads;

pub use age::age;
pub use pod_status::{ready_column, status_word};

use crate::objects::{
    ControllerRevision, Kind, Labels, Node, Object, ObjectMeta, PersistentVolumeClaim, Pod, StatefulSet, Time,
    Toleration, UpdateStrategyType,
};
use crate::reconcile::Release;
use crate::sim::{Cluster, EventRecord};
use serde_json::Value;
use std::rc::Rc;

pub(super) const NONE: &str = "<none>";

/// Cells by column, as `kubectl get` sets them: three blanks between, and no column under six.
pub(super) fn table(head: &str, rows: Vec<Vec<String>>) -> String {
    let head: Vec<String> = head.split('|').map(str::to_owned).collect();
    let mut lines = vec![head];
    lines.extend(rows);
    let columns = lines[0].len();
    let width = |column: usize| lines.iter().map(|cells| cells[column].chars().count() + 3).max().unwrap_or(0).max(6);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for cells in &lines {
        for (cell, width) in cells.iter().zip(&widths) {
            text.push_str(cell);
            (cell.chars().count()..*width).for_each(|_| text.push(' '));
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

pub(super) fn since(now: Time, then: Option<Time>) -> String {
    then.map_or_else(|| "<unknown>".to_owned(), |then| age(now.0 - then.0))
}

pub(super) fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.to_owned() } else { text.to_owned() }
}

/// The columns of pods: kubectl is taken to be of the cluster's release.
fn pods_head(release: Release, wide: bool) -> &'static str {
    match (wide, release.kubectl().pods_show_nominated_node) {
        (false, _) => "NAME|READY|STATUS|RESTARTS|AGE",
        (true, false) => "NAME|READY|STATUS|RESTARTS|AGE|IP|NODE",
        (true, true) => "NAME|READY|STATUS|RESTARTS|AGE|IP|NODE|NOMINATED NODE|READINESS GATES",
    }
}

fn pod_row(pod: &Pod, now: Time, wide: bool) -> Vec<String> {
    let restarts: i32 = pod.status.container_statuses.iter().map(|status| status.restart_count).sum();
    let created = pod.metadata.creation_timestamp;
    let mut cells = vec![
        pod.metadata.name.to_string(),
        ready_column(pod),
        status_word(pod),
        restarts.to_string(),
        since(now, created),
    ];
    if wide {
        let ip = pod.status.extra.get("podIP").and_then(Value::as_str).unwrap_or_default();
        cells.extend([or_none(ip), or_none(&pod.spec.node_name), NONE.to_owned(), NONE.to_owned()]);
    }
    cells
}

/// `kubectl get` of a kind.
pub(super) fn listed(cluster: &Cluster, kind: Kind, is_shown: &dyn Fn(&ObjectMeta) -> bool, wide: bool) -> String {
    let (now, release) = (cluster.now(), cluster.release());
    let head = match (kind, wide) {
        (Kind::Pod, wide) => pods_head(release, wide),
        (Kind::StatefulSet, false) if !release.kubectl().sets_show_ready => "NAME|DESIRED|CURRENT|AGE",
        (Kind::StatefulSet, true) if !release.kubectl().sets_show_ready => "NAME|DESIRED|CURRENT|AGE|CONTAINERS|IMAGES",
        (Kind::StatefulSet, false) => "NAME|READY|AGE",
        (Kind::StatefulSet, true) => "NAME|READY|AGE|CONTAINERS|IMAGES",
        (Kind::Node, _) => "NAME|STATUS|ROLES|AGE|VERSION",
        (Kind::PersistentVolumeClaim, _) if !release.kubectl().claims_show_attributes_class => {
            "NAME|STATUS|VOLUME|CAPACITY|ACCESS MODES|STORAGECLASS|AGE"
        }
        (Kind::PersistentVolumeClaim, _) => {
            "NAME|STATUS|VOLUME|CAPACITY|ACCESS MODES|STORAGECLASS|VOLUMEATTRIBUTESCLASS|AGE"
        }
        (Kind::ControllerRevision, _) => "NAME|CONTROLLER|REVISION|AGE",
        _ => "NAME|AGE",
    };
    let row = |object: &Object| match object {
        Object::Pod(pod) => pod_row(pod, now, wide),
        Object::StatefulSet(set) => set_row(set, now, release, wide),
        Object::Node(node) => node_row(node, now, cluster),
        Object::Claim(claim) => claim_row(claim, now, release),
        Object::Revision(revision) => revision_row(revision, now),
        other => {
            let metadata = other.metadata();
            vec![metadata.name.to_string(), since(now, metadata.creation_timestamp)]
        }
    };
    table(head, cluster.objects(kind).filter(|object| is_shown(object.metadata())).map(row).collect())
}

/// `kubectl get pods -w`, started before the first pod was there: a line for each change, the newest `lines`.
pub fn watched_pods(cluster: &Cluster, is_shown: &dyn Fn(&ObjectMeta) -> bool, wide: bool, lines: usize) -> String {
    let pods = cluster.trace().history.iter().rev().filter_map(|moment| match &moment.object {
        Object::Pod(pod) if is_shown(&pod.metadata) => Some(pod_row(pod, moment.at, wide)),
        _ => None,
    });
    let mut rows: Vec<_> = pods.take(lines).collect();
    rows.reverse();
    table(pods_head(cluster.release(), wide), rows)
}

fn set_row(set: &StatefulSet, now: Time, release: Release, wide: bool) -> Vec<String> {
    let mut cells = vec![set.metadata.name.to_string()];
    if release.kubectl().sets_show_ready {
        cells.push(format!("{}/{}", set.status.ready_replicas, set.replicas()));
    } else {
        cells.extend([set.replicas().to_string(), set.status.replicas.to_string()]);
    }
    cells.push(since(now, set.metadata.creation_timestamp));
    if wide {
        let containers = &set.spec.template.spec.containers;
        let join =
            |word: fn(&crate::objects::Container) -> &str| containers.iter().map(word).collect::<Vec<_>>().join(",");
        cells.extend([join(|container| &container.name), join(|container| &container.image)]);
    }
    cells
}

fn node_row(node: &Node, now: Time, cluster: &Cluster) -> Vec<String> {
    let cordoned = if node.spec.unschedulable { ",SchedulingDisabled" } else { "" };
    let status = [if node.is_ready() { "Ready" } else { "NotReady" }, cordoned].concat();
    let age = since(now, node.metadata.creation_timestamp);
    vec![node.metadata.name.to_string(), status, NONE.to_owned(), age, [cluster.release().name(), ".0"].concat()]
}

pub(super) fn capacity(claim: &PersistentVolumeClaim) -> &str {
    claim
        .spec
        .extra
        .get("resources")
        .and_then(|resources| resources["requests"]["storage"].as_str())
        .unwrap_or_default()
}

/// `RWO` of `ReadWriteOnce`.
pub(super) fn initials(mode: &str) -> String {
    mode.chars().filter(char::is_ascii_uppercase).collect()
}

fn claim_row(claim: &PersistentVolumeClaim, now: Time, release: Release) -> Vec<String> {
    let status = match claim.metadata.deletion_timestamp {
        Some(_) => "Terminating".to_owned(),
        None => claim.status.phase.to_string(),
    };
    // `ReadWriteOncePod` is RWOP in the same way.
    let modes: Vec<String> = claim.spec.access_modes.iter().map(|mode| initials(mode)).collect();
    let volume = claim.spec.volume_name.as_deref().unwrap_or_default();
    let class = claim.spec.extra.get("storageClassName").and_then(Value::as_str).unwrap_or_default();
    let capacity = if volume.is_empty() { "" } else { capacity(claim) };
    let modes = if volume.is_empty() { String::new() } else { modes.join(",") };
    let age = since(now, claim.metadata.creation_timestamp);
    let mut cells = vec![&*claim.metadata.name, &*status, volume, capacity, &*modes, class];
    cells.extend(release.kubectl().claims_show_attributes_class.then_some("<unset>"));
    cells.push(&*age);
    cells.into_iter().map(str::to_owned).collect()
}

fn revision_row(revision: &ControllerRevision, now: Time) -> Vec<String> {
    let metadata = &revision.metadata;
    let owner = metadata.controller_of();
    let owner = owner.map_or_else(|| NONE.to_owned(), |owner| ["statefulset.apps/", &owner.name].concat());
    let age = since(now, metadata.creation_timestamp);
    vec![metadata.name.to_string(), owner, revision.revision.to_string(), age]
}

/// `kubectl rollout status`, one look.
pub(super) fn rollout_status(set: &StatefulSet) -> String {
    let (status, replicas) = (&set.status, set.replicas());
    if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return "error: rollout status is only available for RollingUpdate strategy type\n".to_owned();
    }
    if status.observed_generation == 0 || set.metadata.generation > status.observed_generation {
        return "Waiting for statefulset spec update to be observed...\n".to_owned();
    }
    if status.ready_replicas < replicas {
        return format!("Waiting for {} pods to be ready...\n", replicas - status.ready_replicas);
    }
    let partition = set.spec.update_strategy.rolling_update.as_ref().and_then(|update| update.partition);
    let updated = status.updated_replicas;
    if let Some(partition) = partition.filter(|partition| *partition > 0) {
        let wanted = replicas - partition;
        return if updated < wanted {
            format!(
                "Waiting for partitioned roll out to finish: {updated} out of {wanted} new pods have been updated...\n"
            )
        } else {
            format!("partitioned roll out complete: {updated} new pods have been updated...\n")
        };
    }
    let revision = &status.update_revision;
    if *revision != status.current_revision {
        return format!(
            "waiting for statefulset rolling update to complete {updated} pods at revision {revision}...\n"
        );
    }
    format!(
        "statefulset rolling update complete {} pods at revision {}...\n",
        status.current_replicas, status.current_revision
    )
}

/// Such as `node.kubernetes.io/not-ready:NoExecute op=Exists for 300s`.
pub(super) fn toleration(toleration: &Toleration) -> String {
    let mut text = toleration.key.to_string();
    let exists = &*toleration.operator == "Exists";
    if !toleration.value.is_empty() {
        text.push_str(&["=", &toleration.value].concat());
    }
    if !toleration.effect.is_empty() {
        text.push_str(&[":", &toleration.effect].concat());
    }
    if exists && toleration.value.is_empty() {
        text.push_str(if text.is_empty() { "op=Exists" } else { " op=Exists" });
    }
    if let Some(seconds) = toleration.toleration_seconds {
        text.push_str(&format!(" for {seconds}s"));
    }
    text
}

pub(super) fn pairs(labels: &Labels, between: &str) -> String {
    let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    or_none(&pairs.join(between))
}

/// `kubectl get events`.
pub(super) fn events<'a>(events: impl Iterator<Item = &'a Rc<EventRecord>>, now: Time) -> String {
    let row = |event: &Rc<EventRecord>| {
        let object = [event.about.kind.singular(), "/", &event.about.name].concat();
        let last = age(now.0 - event.last.0);
        [&last, event.event_type.as_str(), &event.reason, &object, &event.message].map(str::to_owned).to_vec()
    };
    table("LAST SEEN|TYPE|REASON|OBJECT|MESSAGE", events.map(row).collect())
}

/// `12s`, or `12s (x4 over 5m)` of an event that was seen more than once.
pub fn event_age(now: Time, event: &EventRecord) -> String {
    let last = age(now.0 - event.last.0);
    if event.count == 1 { last } else { format!("{last} (x{} over {})", event.count, age(now.0 - event.first.0)) }
}
