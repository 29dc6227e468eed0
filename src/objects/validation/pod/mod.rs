//! The spec of a pod, in a template or of a pod itself. Models ValidatePodSpec and what it calls in
//! pkg/apis/core/validation/validation.go.

mod containers;
mod environment;
mod networking;
mod paths;
mod probes;
mod resources;
mod scheduling;
mod security;
mod volumes;

use super::Check;
use super::names::{self, dns_label, dns_subdomain, qualified};
use containers::containers;
use networking::{dns, host_aliases, host_ports};
use resources::resource_list;
pub(super) use scheduling::tolerations;
use scheduling::{affinity, spread};
use security::security;
use serde_json::Value;
use volumes::volumes;

/// What the checked spec belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecOf {
    /// In a workload's template.
    Template,
    /// In a pod.
    Pod,
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value[name].as_array().into_iter().flatten().enumerate()
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// What is wrong with a host name; one that is empty is left out.
pub(super) fn hostname(name: &str, path: &str, check: &mut Check) {
    if !name.is_empty() {
        check.all(&format!("{path}.hostname"), name, dns_label(name, &check.server.validation));
    }
}

/// Everything wrong with a spec.
pub(super) fn spec(pod: &Value, path: &str, place: SpecOf, check: &mut Check) {
    let at = |name: &str| format!("{path}.{name}");
    let release = &check.server.validation;
    let known = volumes(pod, &at("volumes"), check);
    containers(pod, path, &known, check);
    host_ports(pod, path, place, check);
    check.one_of(pod, "restartPolicy", path, &["Always", "OnFailure", "Never"]);
    check.one_of(pod, "dnsPolicy", path, &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]);
    names::labels(&pod["nodeSelector"], &at("nodeSelector"), check);
    security(pod, path, check);
    affinity(&pod["affinity"], &at("affinity"), check);
    dns(pod, &at("dnsConfig"), check);
    for (index, gate) in items(pod, "readinessGates") {
        let kind = word(gate, "conditionType");
        check.all(&at(&format!("readinessGates[{index}].conditionType")), kind, qualified(kind));
    }
    spread(pod, &at("topologySpreadConstraints"), check);
    for name in ["serviceAccountName", "nodeName"] {
        check.named(pod, name, path, &dns_subdomain);
    }
    if let Some(seconds) = pod["activeDeadlineSeconds"].as_i64().filter(|it| !(1..=i64::from(i32::MAX)).contains(it)) {
        check.invalid(&at("activeDeadlineSeconds"), seconds.to_string(), "must be between 1 and 2147483647, inclusive");
    }
    hostname(word(pod, "hostname"), path, check);
    check.named(pod, "subdomain", path, &|text| dns_label(text, release));
    tolerations(pod, &at("tolerations"), check);
    host_aliases(pod, &at("hostAliases"), check);
    check.named(pod, "priorityClassName", path, &dns_subdomain);
    if let Some(name) = pod["runtimeClassName"].as_str() {
        check.all(&at("runtimeClassName"), name, dns_subdomain(name));
    }
    check.one_of(pod, "preemptionPolicy", path, &["Never", "PreemptLowerPriority"]);
    if let Some(overhead) = pod["overhead"].as_object() {
        let resources = serde_json::json!({"limits": overhead});
        resource_list(&resources, "limits", &at("overhead"), check);
    }
}
