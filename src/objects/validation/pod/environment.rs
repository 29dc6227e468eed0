//! Environment variables, and the fields of the pod that they and volumes may name.

use super::{items, word};
use crate::objects::json::quoted;
use crate::objects::quantity::in_nano;
use crate::objects::validation::Check;
use crate::objects::validation::names::{config_key, dns_subdomain, qualified, variable_name};
use serde_json::Value;

pub(super) fn environment(own: &Value, path: &str, check: &mut Check) {
    let release = &check.server.validation;
    for (index, variable) in items(own, "env") {
        let path = format!("{path}.env[{index}]");
        let name = word(variable, "name");
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        } else {
            check.all(&format!("{path}.name"), name, variable_name(name, release));
        }
        if variable["valueFrom"].is_object() {
            variable_source(variable, &format!("{path}.valueFrom"), check);
        }
    }
    for (index, source) in items(own, "envFrom") {
        let at = format!("{path}.envFrom[{index}]");
        let prefix = word(source, "prefix");
        if !prefix.is_empty() {
            check.all(&format!("{at}.prefix"), prefix, variable_name(prefix, release));
        }
        let mut count = 0;
        for name in ["configMapRef", "secretRef"] {
            if source[name].is_object() {
                count += 1;
                object_name(&source[name], &format!("{at}.{name}"), check);
            }
        }
        // Upstream names the list here, not its entry.
        let path = format!("{path}.envFrom");
        match count {
            0 => check.invalid(&path, quoted(""), "must specify one of: `configMapRef` or `secretRef`"),
            1 => {}
            _ => check.invalid(&path, quoted(""), "may not have more than one field specified at a time"),
        }
    }
}

/// The name of a ConfigMap or a Secret.
fn object_name(source: &Value, path: &str, check: &mut Check) {
    let name = word(source, "name");
    if name.is_empty() {
        check.required(&format!("{path}.name"), "");
    } else {
        check.all(&format!("{path}.name"), name, dns_subdomain(name));
    }
}

fn variable_source(variable: &Value, path: &str, check: &mut Check) {
    let source = &variable["valueFrom"];
    let has = |name: &str| source[name].is_object();
    if has("fieldRef") {
        field_selector(&source["fieldRef"], &format!("{path}.fieldRef"), &ENV_FIELDS, check);
    }
    if has("resourceFieldRef") {
        resource_selector(&source["resourceFieldRef"], &format!("{path}.resourceFieldRef"), false, check);
    }
    for name in ["configMapKeyRef", "secretKeyRef"] {
        if has(name) {
            let path = format!("{path}.{name}");
            let named = word(&source[name], "name");
            check.all(&format!("{path}.name"), named, dns_subdomain(named));
            match word(&source[name], "key") {
                "" => check.required(&format!("{path}.key"), ""),
                key => check.all(&format!("{path}.key"), key, config_key(key)),
            }
        }
    }
    let known = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
    let count = known.iter().filter(|name| has(name)).count();
    let detail = match count {
        0 => "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
        _ if !word(variable, "value").is_empty() => "may not be specified when `value` is not empty",
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    check.invalid(path, quoted(""), detail);
}

const ENV_FIELDS: [&str; 8] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
];

pub(super) const VOLUME_FIELDS: [&str; 5] =
    ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

pub(super) fn field_selector(field: &Value, path: &str, known: &[&str], check: &mut Check) {
    let wanted = word(field, "fieldPath");
    if wanted.is_empty() {
        return check.required(&format!("{path}.fieldPath"), "");
    }
    let (plain, subscript) = match wanted.strip_suffix("']").and_then(|inner| inner.split_once("['")) {
        Some((plain, subscript)) => (plain, Some(subscript)),
        None => (wanted, None),
    };
    let version = word(field, "apiVersion");
    if version != "v1" {
        let detail = format!("error converting fieldPath: unsupported pod version: {version}");
        return check.invalid(&format!("{path}.fieldPath"), quoted(wanted), detail);
    }
    let newer = ["status.podIPs", "status.hostIPs"];
    let convertible = ENV_FIELDS.contains(&plain)
        || VOLUME_FIELDS.contains(&plain)
        || newer.contains(&plain)
        || matches!(plain, "spec.restartPolicy" | "spec.schedulerName" | "status.phase" | "status.nominatedNodeName");
    let maps = ["metadata.annotations", "metadata.labels"];
    if !convertible || (subscript.is_some() && !maps.contains(&plain)) {
        let detail = format!("error converting fieldPath: field label not supported: {wanted}");
        return check.invalid(&format!("{path}.fieldPath"), quoted(wanted), detail);
    }
    if let Some(subscript) = subscript {
        let key = if plain == maps[0] { subscript.to_ascii_lowercase() } else { subscript.to_owned() };
        return check.all(path, &key, qualified(&key));
    }
    let is_known = known.contains(&plain) || (known.len() == ENV_FIELDS.len() && plain == "status.podIPs");
    if !is_known {
        let mut known: Vec<&str> = known.to_vec();
        if known.len() == ENV_FIELDS.len() {
            known.push("status.podIPs");
            if !check.server.validation.knows_host_ips {
                known.retain(|name| *name != "status.hostIPs");
            }
        }
        check.not_supported(&format!("{path}.fieldPath"), quoted(plain), &known);
    }
}

pub(super) fn resource_selector(field: &Value, path: &str, in_volume: bool, check: &mut Check) {
    const KNOWN: [&str; 6] = [
        "limits.cpu",
        "limits.ephemeral-storage",
        "limits.memory",
        "requests.cpu",
        "requests.ephemeral-storage",
        "requests.memory",
    ];
    let wanted = word(field, "resource");
    if in_volume && word(field, "containerName").is_empty() {
        check.required(&format!("{path}.containerName"), "");
    } else if wanted.is_empty() {
        check.required(&format!("{path}.resource"), "");
    } else if !KNOWN.contains(&wanted) && !wanted.contains(".hugepages-") {
        check.not_supported(&format!("{path}.resource"), quoted(wanted), &KNOWN);
    }
    let Some((units, detail)) = divisors(wanted) else { return };
    let divisor = word(field, "divisor");
    let amount = in_nano(divisor).unwrap_or(0);
    if amount != 0 && !units.iter().any(|unit| in_nano(unit) == Some(amount)) {
        check.invalid(&format!("{path}.divisor"), quoted(divisor), detail);
    }
}

/// The divisors that a resource can have, and what the server says of others.
fn divisors(resource: &str) -> Option<(&'static [&'static str], &'static str)> {
    const BYTES: [&str; 13] = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];
    Some(match resource {
        "limits.cpu" | "requests.cpu" => {
            (&["1m", "1"], "only divisor's values 1m and 1 are supported with the cpu resource")
        }
        "limits.memory" | "requests.memory" => (
            &BYTES,
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource",
        ),
        "limits.ephemeral-storage" | "requests.ephemeral-storage" => (
            &BYTES,
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource",
        ),
        _ => return None,
    })
}
