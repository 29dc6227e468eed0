//! `kubectl describe pod`, and the pod template in the descriptions of workloads.
//! Models describePod, DescribePodTemplate and describeContainers of describe.go of k8s.io/kubectl. Columns are parted by
//! tabs here; what the simulation knows nothing of is left out.

use super::container::{about, items};
use super::volumes::volumes;
use super::{annotations, controlled_by, name_and_space, row};
use crate::kubectl::age::age;
use crate::kubectl::text::{or_none, pairs, toleration, word};
use crate::kubectl::whole::quality;
use crate::objects::{Container, ContainerStatus, Extra, LabelSelector, Pod, PodSpec, PodTemplateSpec, Time};
use crate::objects::{Json, ObjectMeta};
use crate::releases::Release;
use crate::sim::Cluster;
use serde_json::Value;

/// `kubectl describe pod`.
pub(super) fn describe(cluster: &Cluster, pod: &Pod) -> String {
    let (metadata, spec, status) = (&pod.metadata, &pod.spec, &pod.status);
    let release = cluster.release();
    let mut text = name_and_space(metadata);
    for (title, field) in [
        ("Priority", "priority"),
        ("Priority Class Name", "priorityClassName"),
        ("Runtime Class Name", "runtimeClassName"),
        ("Service Account", "serviceAccountName"),
    ] {
        if field != "serviceAccountName" || release.kubectl().pods_show_service_account {
            text.push_str(&given(title, &spec.extra, field));
        }
    }
    let host = status.extra.get("hostIP").map(word).unwrap_or_default();
    let node = if spec.node_name.is_empty() { or_none("") } else { [&spec.node_name, "/", &*host].concat() };
    text.push_str(&row("Node", &node));
    if let Some(started) = status.extra.get("startTime").and_then(Value::as_str).and_then(Time::parse) {
        text.push_str(&row("Start Time", &started.rfc1123()));
    }
    text.push_str(&row("Labels", &pairs(&metadata.labels, "\n\t")));
    text.push_str(&annotations("Annotations", &metadata.annotations));
    text.push_str(&phase(pod, cluster.now(), release));
    for (title, value) in [("Reason", &status.reason), ("Message", &status.message)] {
        if !value.is_empty() {
            text.push_str(&row(title, value));
        }
    }
    text.push_str(&addresses(pod, release));
    text.push_str(&controlled_by(metadata));
    if !spec.init_containers.is_empty() {
        text.push_str(&containers(
            "Init Containers",
            &spec.init_containers,
            &status.init_container_statuses,
            Some(pod),
        ));
    }
    text.push_str(&containers("Containers", &spec.containers, &status.container_statuses, Some(pod)));
    text + &conditions(pod)
        + &volumes(spec, "")
        + &row("QoS Class", quality(spec))
        + &row("Node-Selectors", &pairs(&spec.node_selector, "\n\t"))
        + &row("Tolerations", &tolerations(spec))
        + &spread(&spec.extra, "")
}

/// Where it is in its life.
fn phase(pod: &Pod, now: Time, release: Release) -> String {
    let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or_default();
    match pod.metadata.deletion_timestamp.filter(|_| !pod.has_ended()) {
        None => row("Status", pod.status.phase.as_str()),
        Some(until) => {
            let status = terminating(until, now, release);
            row("Status", &status) + &row("Termination Grace Period", &format!("{grace}s"))
        }
    }
}

/// Since when the time of an object that is being deleted is over. kubectl reckons from the end of its grace, and until
/// then says that this is no time.
pub(super) fn terminating(until: Time, now: Time, release: Release) -> String {
    let seconds = (now.0 - until.0.div_euclid(1000) * 1000) / 1000;
    match release.kubectl().shows_time_terminating {
        false => format!("Terminating (expires {})", until.rfc1123()),
        true if seconds < -1 => "Terminating (lasts <invalid>)".to_owned(),
        true => format!("Terminating (lasts {})", age(seconds * 1000)),
    }
}

/// The API server makes the list of a pod's addresses from the one there is.
fn addresses(pod: &Pod, release: Release) -> String {
    let ip = &*pod.status.pod_ip;
    let list = match (release.kubectl().shows_pod_ips, ip) {
        (false, _) => String::new(),
        (_, "") => row("IPs", &or_none("")),
        _ => ["IPs:\n  IP:\t", ip, "\n"].concat(),
    };
    row("IP", ip) + &list
}

fn conditions(pod: &Pod) -> String {
    let conditions = &pod.status.conditions;
    let mut text = String::new();
    let gates = items(&pod.spec.extra, "readinessGates");
    if !gates.is_empty() {
        text.push_str("Readiness Gates:\n  Type\tStatus\n");
    }
    for gate in gates {
        let gate = word(&gate["conditionType"]);
        let status = pod.condition(&gate).map_or("", |condition| &condition.status);
        text.push_str(&format!("  {gate} \t{} \n", or_none(status)));
    }
    if !conditions.is_empty() {
        text.push_str("Conditions:\n  Type\tStatus\n");
    }
    for condition in conditions {
        text.push_str(&format!("  {} \t{} \n", condition.condition_type, condition.status));
    }
    text
}

/// The pod template in the description of a workload or of one of its revisions.
pub(in crate::kubectl::verbs) fn template(template: &PodTemplateSpec, release: Release) -> String {
    let ObjectMeta { labels, annotations: notes, .. } = &template.metadata;
    let spec = &template.spec;
    let mut text = ["Pod Template:\n", &row("  Labels", &pairs(labels, "\n\t"))].concat();
    if !notes.is_empty() {
        text.push_str(&annotations("  Annotations", notes));
    }
    text.push_str(&given("  Service Account", &spec.extra, "serviceAccountName"));
    if !spec.init_containers.is_empty() {
        text.push_str(&containers("Init Containers", &spec.init_containers, &[], None));
    }
    text.push_str(&containers("Containers", &spec.containers, &[], None));
    text.push_str(&volumes(spec, "  "));
    text.push_str(&spread(&spec.extra, "  "));
    text.push_str(&given("  Priority Class Name", &spec.extra, "priorityClassName"));
    if release.kubectl().shows_template_placement {
        text.push_str(&row("  Node-Selectors", &pairs(&spec.node_selector, "\n\t")));
        text.push_str(&row("  Tolerations", &tolerations(spec)));
    }
    text
}

/// Containers of a pod, or of a template.
fn containers(title: &str, shown: &[Container], statuses: &[ContainerStatus], pod: Option<&Pod>) -> String {
    let (before, indent) = if pod.is_some() { ("", "  ") } else { ("  ", "   ") };
    let mut text = [before, title, if shown.is_empty() { ": <none>\n" } else { ":\n" }].concat();
    for container in shown {
        let status = statuses.iter().find(|status| status.name == container.name);
        text.push_str(&[indent, &container.name, ":\n"].concat());
        text.push_str(&about(container, status, pod));
    }
    text
}

fn given(title: &str, fields: &Extra, field: &str) -> String {
    let value = fields.get(field).map(word).filter(|value| !value.is_empty());
    value.map_or_else(String::new, |value| row(title, &value))
}

/// kubectl sorts them by key.
fn tolerations(spec: &PodSpec) -> String {
    let mut tolerations: Vec<_> = spec.tolerations.iter().collect();
    tolerations.sort_by(|one, other| one.key.cmp(&other.key));
    or_none(&tolerations.into_iter().map(toleration).collect::<Vec<_>>().join("\n\t"))
}

fn spread(fields: &Extra, indent: &str) -> String {
    let constraints = items(fields, "topologySpreadConstraints").iter();
    let mut lines: Vec<String> = constraints
        .map(|it| {
            let [key, when, skew] = ["topologyKey", "whenUnsatisfiable", "maxSkew"].map(|name| word(&it[name]));
            let selector = LabelSelector::from_json(it["labelSelector"].clone()).unwrap_or_default();
            let selector = pairs(&selector.match_labels, ",");
            let of = if it["labelSelector"].is_null() { String::new() } else { [" for selector ", &selector].concat() };
            format!("{key}:{when} when max skew {skew} is exceeded{of}")
        })
        .collect();
    lines.sort();
    if lines.is_empty() {
        String::new()
    } else {
        row(&[indent, "Topology Spread Constraints"].concat(), &lines.join("\n\t"))
    }
}
