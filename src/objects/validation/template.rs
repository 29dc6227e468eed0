//! The pod template, and the pods made from it: containers, ports, probes, volumes, resources.

use super::names::{dns_label, labels_and_annotations};
use super::quantity::{canonical, is_more};
use super::{ErrorKind, FieldError, not_negative, quoted};
use crate::objects::{Server, json_text};
use serde_json::Value;

type Errors = Vec<FieldError>;

/// What the server checks of the template when a set is stored: not its containers or volumes, which only the pods'
/// own creation finds wrong.
pub(super) fn validate(template: &Value, server: &Server, errors: &mut Errors) {
    // Upstream names these two without `metadata`.
    labels_and_annotations(&template["metadata"], "spec.template", errors);
    let (pod, path) = (&template["spec"], "spec.template.spec");
    one_of(pod, "restartPolicy", path, &["Always"], errors);
    if pod.get("activeDeadlineSeconds").is_some() {
        let at = format!("{path}.activeDeadlineSeconds");
        errors.push(if server.early_words {
            FieldError::invalid(&at, json_text(&pod["activeDeadlineSeconds"]), "must not be specified")
        } else {
            FieldError::new(ErrorKind::Forbidden, &at, "", "activeDeadlineSeconds in StatefulSet is not Supported")
        });
    }
}

/// What the server checks of a new pod's spec.
pub(super) fn pod_spec(pod: &Value, errors: &mut Errors) {
    let path = "spec";
    let volumes = volumes(pod, path, errors);
    let mut names = Vec::new();
    for kind in ["initContainers", "containers"] {
        for (index, container) in items(pod, kind).enumerate() {
            let path = format!("{path}.{kind}[{index}]");
            unique_name(container, &format!("{path}.name"), &mut names, errors);
            validate_container(container, &path, &volumes, errors);
        }
    }
    if items(pod, "containers").next().is_none() {
        errors.push(FieldError::required(&format!("{path}.containers"), ""));
    }
    one_of(pod, "dnsPolicy", path, &["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"], errors);
    not_negative(pod.get("terminationGracePeriodSeconds"), &format!("{path}.terminationGracePeriodSeconds"), errors);
    for (index, toleration) in items(pod, "tolerations").enumerate() {
        let path = format!("{path}.tolerations[{index}]");
        one_of(toleration, "operator", &path, &["Equal", "Exists"], errors);
        one_of(toleration, "effect", &path, &["NoSchedule", "PreferNoSchedule", "NoExecute"], errors);
    }
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

fn one_of(value: &Value, name: &str, path: &str, known: &[&str], errors: &mut Errors) {
    let Some(word) = value[name].as_str().filter(|word| !word.is_empty() && !known.contains(word)) else { return };
    let known: Vec<String> = known.iter().map(|word| quoted(word)).collect();
    let detail = format!("supported values: {}", known.join(", "));
    errors.push(FieldError::new(ErrorKind::NotSupported, &format!("{path}.{name}"), quoted(word), detail));
}

fn volumes<'a>(pod: &'a Value, path: &str, errors: &mut Errors) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (index, volume) in items(pod, "volumes").enumerate() {
        unique_name(volume, &format!("{path}.volumes[{index}].name"), &mut names, errors);
    }
    names
}

/// Adds a text unless it is there already. Says whether it was added.
fn is_new<'a>(text: &'a str, known: &mut Vec<&'a str>) -> bool {
    let new = !known.contains(&text);
    if new {
        known.push(text);
    }
    new
}

/// A name that is there, is a DNS label, and is no other's.
fn unique_name<'a>(named: &'a Value, path: &str, names: &mut Vec<&'a str>, errors: &mut Errors) {
    let name = named["name"].as_str().unwrap_or_default();
    if name.is_empty() {
        errors.push(FieldError::required(path, ""));
    } else if let Some(wrong) = dns_label(name) {
        errors.push(FieldError::invalid(path, quoted(name), wrong));
    } else if !is_new(name, names) {
        errors.push(FieldError::new(ErrorKind::Duplicate, path, quoted(name), ""));
    }
}

fn validate_container(container: &Value, path: &str, volumes: &[&str], errors: &mut Errors) {
    let image = container["image"].as_str().unwrap_or_default();
    if image.is_empty() {
        errors.push(FieldError::required(&format!("{path}.image"), ""));
    } else if image.trim() != image {
        let detail = "must not have leading or trailing whitespace";
        errors.push(FieldError::invalid(&format!("{path}.image"), quoted(image), detail));
    }
    one_of(container, "imagePullPolicy", path, &["Always", "IfNotPresent", "Never"], errors);
    ports(container, path, errors);
    let mut mounted = Vec::new();
    for (index, mount) in items(container, "volumeMounts").enumerate() {
        let path = format!("{path}.volumeMounts[{index}]");
        let (name, place) =
            (mount["name"].as_str().unwrap_or_default(), mount["mountPath"].as_str().unwrap_or_default());
        if name.is_empty() {
            errors.push(FieldError::required(&format!("{path}.name"), ""));
        } else if !volumes.contains(&name) {
            errors.push(FieldError::new(ErrorKind::NotFound, &format!("{path}.name"), quoted(name), ""));
        }
        if place.is_empty() {
            errors.push(FieldError::required(&format!("{path}.mountPath"), ""));
        } else if !is_new(place, &mut mounted) {
            errors.push(FieldError::invalid(&format!("{path}.mountPath"), quoted(place), "must be unique"));
        }
    }
    for (index, variable) in items(container, "env").enumerate() {
        if variable["name"].as_str().unwrap_or_default().is_empty() {
            errors.push(FieldError::required(&format!("{path}.env[{index}].name"), ""));
        }
    }
    for kind in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if container[kind].is_object() {
            probe(&container[kind], &format!("{path}.{kind}"), kind, errors);
        }
    }
    resources(&container["resources"], &format!("{path}.resources"), errors);
}

fn ports(container: &Value, path: &str, errors: &mut Errors) {
    let mut names = Vec::new();
    for (index, port) in items(container, "ports").enumerate() {
        let path = format!("{path}.ports[{index}]");
        if let Some(name) = port["name"].as_str().filter(|name| !name.is_empty() && !is_new(name, &mut names)) {
            errors.push(FieldError::new(ErrorKind::Duplicate, &format!("{path}.name"), quoted(name), ""));
        }
        match port["containerPort"].as_i64().unwrap_or(0) {
            0 => errors.push(FieldError::required(&format!("{path}.containerPort"), "")),
            1..=65_535 => {}
            other => {
                let detail = "must be between 1 and 65535, inclusive";
                errors.push(FieldError::invalid(&format!("{path}.containerPort"), other.to_string(), detail));
            }
        }
        one_of(port, "protocol", &path, &["SCTP", "TCP", "UDP"], errors);
    }
}

fn probe(probe: &Value, path: &str, kind: &str, errors: &mut Errors) {
    let handlers = ["exec", "httpGet", "tcpSocket", "grpc"].iter().filter(|name| probe[**name].is_object()).count();
    match handlers {
        0 => errors.push(FieldError::required(path, "must specify a handler type")),
        1 => {}
        _ => {
            let detail = "may not specify more than 1 handler type";
            errors.push(FieldError::new(ErrorKind::Forbidden, path, "", detail));
        }
    }
    for name in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] {
        not_negative(probe.get(name), &format!("{path}.{name}"), errors);
    }
    let successes = probe["successThreshold"].as_i64().unwrap_or(1);
    if kind != "readinessProbe" && successes > 1 {
        errors.push(FieldError::invalid(&format!("{path}.successThreshold"), successes.to_string(), "must be 1"));
    }
}

fn resources(resources: &Value, path: &str, errors: &mut Errors) {
    let text = |value: &Value| value.as_str().map_or_else(|| json_text(value), str::to_owned);
    for kind in ["limits", "requests"] {
        for (name, value) in resources[kind].as_object().into_iter().flatten() {
            let (path, value) = (format!("{path}.{kind}.{name}"), text(value));
            match canonical(&value) {
                None => {
                    let detail =
                        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
                    errors.push(FieldError::invalid(&path, quoted(&value), detail));
                }
                Some(negative) if negative.starts_with('-') => {
                    errors.push(FieldError::invalid(&path, quoted(&value), "must be greater than or equal to 0"));
                }
                Some(_) => {}
            }
        }
    }
    for (name, request) in resources["requests"].as_object().into_iter().flatten() {
        let Some(limit) = resources["limits"].get(name) else { continue };
        if is_more(&text(request), &text(limit)) == Some(true) {
            let detail = format!("must be less than or equal to {name} limit");
            errors.push(FieldError::invalid(&format!("{path}.requests"), quoted(&text(request)), detail));
        }
    }
}
