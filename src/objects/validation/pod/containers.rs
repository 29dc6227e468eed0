//! Containers: names, images, ports, and what each part of one takes.

use super::environment::environment;
use super::probes::{lifecycle, probes};
use super::resources::resources;
use super::security::container_security;
use super::volumes::mounts;
use super::{items, word};
use crate::objects::json::quoted;
use crate::objects::validation::Check;
use crate::objects::validation::names::{dns_label, port_name};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn containers(pod: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let release = check.server.validation;
    let mut names = BTreeSet::new();
    if items(pod, "containers").next().is_none() {
        check.required(&format!("{path}.containers"), "");
    }
    let mut ports = BTreeSet::new();
    for (index, own) in items(pod, "containers") {
        let path = format!("{path}.containers[{index}]");
        container(own, &path, volumes, check);
        let name = word(own, "name");
        if !names.insert(name) && (!name.is_empty() || release.refuses_two_unnamed) {
            check.duplicate(&format!("{path}.name"), quoted(name));
        }
        lifecycle(own, &path, check);
        probes(own, &path, check);
        if own.get("restartPolicy").is_some() && !release.container_restart_policies {
            check.forbidden(&format!("{path}.restartPolicy"), "may not be set for non-init containers");
        }
    }
    for (index, own) in items(pod, "containers") {
        unique_host_ports(own, &format!("{path}.containers[{index}]"), &mut ports, check);
    }
    for (index, own) in items(pod, "initContainers") {
        let at = format!("{path}.initContainers[{index}]");
        container(own, &at, volumes, check);
        let name = word(own, "name");
        if names.contains(name) {
            check.duplicate(&format!("{at}.name"), quoted(name));
        } else if !name.is_empty() {
            names.insert(name);
        }
        // Upstream counts these from 0 again.
        unique_host_ports(own, &format!("{path}.initContainers[0]"), &mut BTreeSet::new(), check);
        if release.sidecars && own["restartPolicy"] == "Always" {
            lifecycle(own, &at, check);
            probes(own, &at, check);
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if own[name].is_object() {
                let at = format!("{at}.{name}");
                if release.sidecars {
                    check.forbidden(&at, "may not be set for init containers without restartPolicy=Always");
                } else {
                    let shown = check.go_value(&own[name], if name == "lifecycle" { "Lifecycle" } else { "Probe" });
                    check.invalid(&at, shown, "must not be set for init containers");
                }
            }
        }
    }
}

pub(super) fn container(own: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let at = |name: &str| format!("{path}.{name}");
    let name = word(own, "name");
    if name.is_empty() {
        check.required(&at("name"), "");
    } else {
        check.all(&at("name"), name, dns_label(name, &check.server.validation));
    }
    check.needs(own, &["image"], path);
    check.one_of(own, "terminationMessagePolicy", path, &["File", "FallbackToLogsOnError"]);
    container_ports(own, path, check);
    environment(own, path, check);
    mounts(own, path, volumes, check);
    check.one_of(own, "imagePullPolicy", path, &["Always", "IfNotPresent", "Never"]);
    resources(&own["resources"], &at("resources"), check);
    container_security(own, &at("securityContext"), check);
}

fn container_ports(own: &Value, path: &str, check: &mut Check) {
    let mut names = BTreeSet::new();
    for (index, port) in items(own, "ports") {
        let path = format!("{path}.ports[{index}]");
        let name = word(port, "name");
        if !name.is_empty() {
            let wrong = port_name(name, &check.server.validation);
            if wrong.is_empty() && !names.insert(name) {
                check.duplicate(&format!("{path}.name"), quoted(name));
            }
            check.all(&format!("{path}.name"), name, wrong);
        }
        match port["containerPort"].as_i64().unwrap_or(0) {
            0 => check.required(&format!("{path}.containerPort"), ""),
            number => check.port(number, &format!("{path}.containerPort")),
        }
        if let Some(number) = port["hostPort"].as_i64().filter(|number| *number != 0) {
            check.port(number, &format!("{path}.hostPort"));
        }
        check.one_of(port, "protocol", &path, &["SCTP", "TCP", "UDP"]);
    }
}

fn unique_host_ports(own: &Value, path: &str, taken: &mut BTreeSet<String>, check: &mut Check) {
    for (index, port) in items(own, "ports") {
        let Some(number) = port["hostPort"].as_i64().filter(|number| *number != 0) else { continue };
        let key = format!("{}/{}/{number}", word(port, "protocol"), word(port, "hostIP"));
        if !taken.insert(key.clone()) {
            check.duplicate(&format!("{path}.ports[{index}].hostPort"), quoted(&key));
        }
    }
}
