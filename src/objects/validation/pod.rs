//! The spec of a pod, in a template or of a pod itself. Models ValidatePodSpec and what it calls in
//! pkg/apis/core/validation/validation.go.

use super::names::{self, config_key, dns_label, dns_subdomain, label_value, port_name, qualified, variable_name};
use super::quantity::{compare, in_nano};
use super::{Check, quoted};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Where the spec stands that is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
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

/// Everything wrong with a spec.
pub(super) fn spec(pod: &Value, path: &str, place: Place, check: &mut Check) {
    let at = |name: &str| format!("{path}.{name}");
    let minor = check.server.minor;
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
    let named = |text: &str, label: bool| if label { dns_label(text, minor) } else { dns_subdomain(text) };
    for (name, label) in [("serviceAccountName", false), ("nodeName", false)] {
        check.named(pod, name, path, &|text| named(text, label));
    }
    if let Some(seconds) = pod["activeDeadlineSeconds"].as_i64().filter(|it| !(1..=i64::from(i32::MAX)).contains(it)) {
        check.invalid(&at("activeDeadlineSeconds"), seconds.to_string(), "must be between 1 and 2147483647, inclusive");
    }
    for (name, label) in [("hostname", true), ("subdomain", true)] {
        check.named(pod, name, path, &|text| named(text, label));
    }
    tolerations(pod, &at("tolerations"), check);
    host_aliases(pod, &at("hostAliases"), check);
    check.named(pod, "priorityClassName", path, &|text| named(text, false));
    if let Some(name) = pod["runtimeClassName"].as_str() {
        check.all(&at("runtimeClassName"), name, dns_subdomain(name));
    }
    check.one_of(pod, "preemptionPolicy", path, &["Never", "PreemptLowerPriority"]);
    if let Some(overhead) = pod["overhead"].as_object() {
        let resources = serde_json::json!({"limits": overhead});
        resource_list(&resources, "limits", &at("overhead"), check);
    }
}

fn containers(pod: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let minor = check.server.minor;
    let mut names = BTreeSet::new();
    if items(pod, "containers").next().is_none() {
        check.required(&format!("{path}.containers"), "");
    }
    let mut ports = BTreeSet::new();
    for (index, own) in items(pod, "containers") {
        let path = format!("{path}.containers[{index}]");
        container(own, &path, volumes, check);
        let name = word(own, "name");
        if !names.insert(name) && (!name.is_empty() || minor >= 22) {
            check.duplicate(&format!("{path}.name"), quoted(name));
        }
        lifecycle(own, &path, check);
        probes(own, &path, check);
        if own.get("restartPolicy").is_some() && minor < 34 {
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
        if minor >= 28 && own["restartPolicy"] == "Always" {
            lifecycle(own, &at, check);
            probes(own, &at, check);
            continue;
        }
        for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if own[name].is_object() {
                let at = format!("{at}.{name}");
                if minor >= 28 {
                    check.forbidden(&at, "may not be set for init containers without restartPolicy=Always");
                } else {
                    let shown = check.go_value(&own[name], name);
                    check.invalid(&at, shown, "must not be set for init containers");
                }
            }
        }
    }
}

fn container(own: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let at = |name: &str| format!("{path}.{name}");
    let minor = check.server.minor;
    let name = word(own, "name");
    if name.is_empty() {
        check.required(&at("name"), "");
    } else {
        check.all(&at("name"), name, dns_label(name, minor));
    }
    let image = word(own, "image");
    if image.is_empty() {
        check.required(&at("image"), "");
    }
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
            let wrong = port_name(name);
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

/// A host port is the container's own where the pod shares the host's network.
fn host_ports(pod: &Value, path: &str, place: Place, check: &mut Check) {
    if pod["hostNetwork"] != true {
        return;
    }
    for (at, own) in items(pod, "containers") {
        for (index, port) in items(own, "ports") {
            let (host, inner) = (port["hostPort"].as_i64().unwrap_or(0), port["containerPort"].as_i64().unwrap_or(0));
            let path = format!("{path}.containers[{at}].ports[{index}]");
            if check.server.minor >= 28 {
                if (place == Place::Pod || host != 0) && host != inner {
                    let detail = "must match `containerPort` when `hostNetwork` is true";
                    check.invalid(&format!("{path}.hostPort"), host.to_string(), detail);
                }
            } else if host != inner {
                let detail = "must match `hostPort` when `hostNetwork` is true";
                check.invalid(&format!("{path}.containerPort"), inner.to_string(), detail);
            }
        }
    }
}

fn environment(own: &Value, path: &str, check: &mut Check) {
    let minor = check.server.minor;
    for (index, variable) in items(own, "env") {
        let path = format!("{path}.env[{index}]");
        let name = word(variable, "name");
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        } else {
            check.all(&format!("{path}.name"), name, variable_name(name, minor));
        }
        if variable["valueFrom"].is_object() {
            variable_source(variable, &format!("{path}.valueFrom"), check);
        }
    }
    for (index, source) in items(own, "envFrom") {
        let at = format!("{path}.envFrom[{index}]");
        let prefix = word(source, "prefix");
        if !prefix.is_empty() {
            check.all(&format!("{at}.prefix"), prefix, variable_name(prefix, minor));
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
const VOLUME_FIELDS: [&str; 5] =
    ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];

fn field_selector(field: &Value, path: &str, known: &[&str], check: &mut Check) {
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
            if check.server.minor < 28 {
                known.retain(|name| *name != "status.hostIPs");
            }
        }
        check.not_supported(&format!("{path}.fieldPath"), quoted(plain), &known);
    }
}

fn resource_selector(field: &Value, path: &str, in_volume: bool, check: &mut Check) {
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
    let divisor = word(field, "divisor");
    let units: &[&str] = match wanted {
        "limits.cpu" | "requests.cpu" => &["1m", "1"],
        "limits.memory" | "requests.memory" | "limits.ephemeral-storage" | "requests.ephemeral-storage" => {
            &["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"]
        }
        _ => return,
    };
    let amount = in_nano(divisor).unwrap_or(0);
    if amount != 0 && !units.iter().any(|unit| in_nano(unit) == Some(amount)) {
        let kind = if units.len() == 2 {
            "1m and 1 are supported with the cpu resource"
        } else if wanted.ends_with("memory") {
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource"
        } else {
            "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource"
        };
        let detail = if units.len() == 2 { format!("only divisor's values {kind}") } else { kind.to_owned() };
        check.invalid(&format!("{path}.divisor"), quoted(divisor), detail);
    }
}

fn mounts(own: &Value, path: &str, volumes: &[&str], check: &mut Check) {
    let list = format!("{path}.volumeMounts");
    let mut places = BTreeSet::new();
    for (index, mount) in items(own, "volumeMounts") {
        let path = format!("{list}[{index}]");
        let (name, place) = (word(mount, "name"), word(mount, "mountPath"));
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        }
        if !volumes.contains(&name) {
            check.not_found(&format!("{path}.name"), quoted(name));
        }
        if place.is_empty() {
            check.required(&format!("{path}.mountPath"), "");
        }
        if !places.insert(place) {
            check.invalid(&format!("{path}.mountPath"), quoted(place), "must be unique");
        }
        // Upstream names the list for these, not its entry.
        for field in ["subPath", "subPathExpr"] {
            let inner = word(mount, field);
            if !inner.is_empty() {
                if field == "subPathExpr" && !word(mount, "subPath").is_empty() {
                    let detail = "subPathExpr and subPath are mutually exclusive";
                    check.invalid(&format!("{path}.subPathExpr"), quoted(inner), detail);
                }
                descending_path(inner, &format!("{list}.{field}"), check);
            }
        }
        check.one_of(mount, "mountPropagation", &list, &["Bidirectional", "HostToContainer", "None"]);
        if mount["mountPropagation"] == "Bidirectional" && own["securityContext"]["privileged"] != true {
            let detail = "Bidirectional mount propagation is available only to privileged containers";
            check.forbidden(&format!("{list}.mountPropagation"), detail);
        }
    }
    for (index, device) in items(own, "volumeDevices") {
        let path = format!("{path}.volumeDevices[{index}]");
        let (name, place) = (word(device, "name"), word(device, "devicePath"));
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        } else if !volumes.contains(&name) {
            check.not_found(&format!("{path}.name"), quoted(name));
        }
        if place.is_empty() {
            check.required(&format!("{path}.devicePath"), "");
        }
    }
}

fn descending_path(text: &str, path: &str, check: &mut Check) {
    if text.starts_with('/') {
        check.invalid(path, quoted(text), "must be a relative path");
    }
    no_backsteps(text, path, check);
}

fn no_backsteps(text: &str, path: &str, check: &mut Check) {
    if text.split('/').any(|step| step == "..") {
        check.invalid(path, quoted(text), "must not contain '..'");
    }
}

fn local_path(text: &str, path: &str, check: &mut Check) {
    descending_path(text, path, check);
    if text.starts_with("..") && !text.starts_with("../") {
        check.invalid(path, quoted(text), "must not start with '..'");
    }
}

fn lifecycle(own: &Value, path: &str, check: &mut Check) {
    for name in ["postStart", "preStop"] {
        if own["lifecycle"][name].is_object() {
            handler(&own["lifecycle"][name], &format!("{path}.lifecycle.{name}"), check);
        }
    }
}

fn probes(own: &Value, path: &str, check: &mut Check) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = &own[name];
        if !probe.is_object() {
            continue;
        }
        let at = |field: &str| format!("{path}.{name}.{field}");
        handler(probe, &format!("{path}.{name}"), check);
        for field in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
        {
            check.not_negative(probe.get(field), &at(field));
        }
        if let Some(seconds) = probe["terminationGracePeriodSeconds"].as_i64() {
            if seconds <= 0 {
                check.invalid(&at("terminationGracePeriodSeconds"), seconds.to_string(), "must be greater than 0");
            }
            if name == "readinessProbe" {
                let detail = "must not be set for readinessProbes";
                check.invalid(&at("terminationGracePeriodSeconds"), seconds.to_string(), detail);
            }
        }
        let successes = probe["successThreshold"].as_i64().unwrap_or(1);
        if name != "readinessProbe" && successes != 1 {
            check.invalid(&at("successThreshold"), successes.to_string(), "must be 1");
        }
    }
}

fn handler(handler: &Value, path: &str, check: &mut Check) {
    let mut count = 0;
    for name in ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] {
        let own = &handler[name];
        let path = format!("{path}.{name}");
        if !own.is_object() {
            continue;
        }
        count += 1;
        if count > 1 {
            check.forbidden(&path, "may not specify more than 1 handler type");
            continue;
        }
        match name {
            "exec" if own["command"].as_array().is_none_or(Vec::is_empty) => {
                check.required(&format!("{path}.command"), "");
            }
            "httpGet" => {
                if word(own, "path").is_empty() {
                    check.required(&format!("{path}.path"), "");
                }
                port_or_name(&own["port"], &format!("{path}.port"), check);
                check.one_of(own, "scheme", &path, &["HTTP", "HTTPS"]);
                for (_, header) in items(own, "httpHeaders") {
                    let name = word(header, "name");
                    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
                        let detail = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. \
                                      'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
                        check.invalid(&format!("{path}.httpHeaders"), quoted(name), detail);
                    }
                }
            }
            "tcpSocket" => port_or_name(&own["port"], &format!("{path}.port"), check),
            "grpc" => check.port(own["port"].as_i64().unwrap_or(0), &format!("{path}.port")),
            _ => {}
        }
    }
    if count == 0 {
        check.required(path, "must specify a handler type");
    }
}

fn port_or_name(port: &Value, path: &str, check: &mut Check) {
    match port {
        Value::String(name) => check.all(path, name, port_name(name)),
        number => check.port(number.as_i64().unwrap_or(0), path),
    }
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// cpu, memory, ephemeral storage, huge pages and what has a domain of its own.
fn is_standard(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
}

/// Only of what Kubernetes itself shares out may less be asked for than is the limit.
fn may_be_overcommitted(name: &str) -> bool {
    let native = !name.contains('/') || name.contains("kubernetes.io/");
    native && !name.starts_with("hugepages-")
}

fn resource_list(resources: &Value, kind: &str, path: &str, check: &mut Check) {
    for (name, amount) in resources[kind].as_object().into_iter().flatten() {
        let at = format!("{path}[{name}]");
        let wrong = qualified(name);
        let is_fine = wrong.is_empty();
        check.all(&at, name, wrong);
        if is_fine && !name.contains('/') && !is_standard(name) {
            check.invalid(&at, quoted(name), "must be a standard resource for containers");
        } else if !may_be_overcommitted(name)
            && !name.starts_with("hugepages-")
            && (!is_fine || name.starts_with("requests."))
        {
            check.invalid(&at, quoted(name), "doesn't follow extended resource name standard");
        }
        let text = text_of(amount);
        if text.starts_with('-') {
            check.invalid(&at, quoted(text), "must be greater than or equal to 0");
        }
        let whole = in_nano(text).is_none_or(|nano| nano % 1_000_000_000 == 0);
        if !may_be_overcommitted(name) && !whole {
            check.invalid(&at, quoted(text), "must be an integer");
        }
    }
}

fn resources(resources: &Value, path: &str, check: &mut Check) {
    resource_list(resources, "limits", &format!("{path}.limits"), check);
    resource_list(resources, "requests", &format!("{path}.requests"), check);
    let newer = check.server.minor >= 25;
    for (name, request) in resources["requests"].as_object().into_iter().flatten() {
        let request = text_of(request);
        let limits = format!("{path}.limits");
        let Some(limit) = resources["limits"].get(name).map(text_of) else {
            if !may_be_overcommitted(name) {
                check.required(&limits, "Limit must be set for non overcommitable resources");
            }
            continue;
        };
        let of = if newer { format!(" of {limit}") } else { String::new() };
        let detail = match compare(request, limit) {
            Some(Ordering::Less | Ordering::Greater) if !may_be_overcommitted(name) => {
                format!("must be equal to {name} limit{of}")
            }
            Some(Ordering::Greater) => format!("must be less than or equal to {name} limit{of}"),
            _ => continue,
        };
        check.invalid(&format!("{path}.requests"), quoted(request), detail);
    }
    let has = |wanted: &dyn Fn(&str) -> bool| {
        ["limits", "requests"]
            .iter()
            .any(|kind| resources[*kind].as_object().is_some_and(|all| all.keys().any(|name| wanted(name))))
    };
    if has(&|name| name.starts_with("hugepages-")) && !has(&|name| matches!(name, "cpu" | "memory")) {
        check.forbidden(path, "HugePages require cpu or memory");
    }
}

fn seccomp(profile: &Value, path: &str, check: &mut Check) {
    if !profile.is_object() {
        return;
    }
    let kind = word(profile, "type");
    if kind == "Localhost" {
        match profile["localhostProfile"].as_str() {
            None => check.required(&format!("{path}.localhostProfile"), "must be set when seccomp type is Localhost"),
            Some(place) => descending_path(place, &format!("{path}.localhostProfile"), check),
        }
    } else if profile.get("localhostProfile").is_some() {
        let shown = quoted(word(profile, "localhostProfile"));
        check.invalid(&format!("{path}.localhostProfile"), shown, "can only be set when seccomp type is Localhost");
    }
    if kind.is_empty() {
        check.required(&format!("{path}.type"), "type is required when seccompProfile is set");
    }
    check.one_of(profile, "type", path, &["Localhost", "RuntimeDefault", "Unconfined"]);
}

fn user_or_group(value: &Value, path: &str, check: &mut Check) {
    if let Some(number) = value.as_i64().filter(|number| !(0..=i64::from(i32::MAX)).contains(number)) {
        check.invalid(path, number.to_string(), "must be between 0 and 2147483647, inclusive");
    }
}

fn security(pod: &Value, path: &str, check: &mut Check) {
    let own = &pod["securityContext"];
    let at = |name: &str| format!("{path}.securityContext.{name}");
    for name in ["fsGroup", "runAsUser", "runAsGroup"] {
        user_or_group(&own[name], &at(name), check);
    }
    for (index, group) in items(own, "supplementalGroups") {
        user_or_group(group, &at(&format!("supplementalGroups[{index}]")), check);
    }
    if pod["shareProcessNamespace"] == true && pod["hostPID"] == true {
        let detail = "ShareProcessNamespace and HostPID cannot both be enabled";
        check.invalid(&at("shareProcessNamespace"), "true".to_owned(), detail);
    }
    sysctls(pod, &at("sysctls"), check);
    check.one_of(own, "fsGroupChangePolicy", &format!("{path}.securityContext"), &["Always", "OnRootMismatch"]);
    seccomp(&own["seccompProfile"], &at("seccompProfile"), check);
}

fn sysctls(pod: &Value, path: &str, check: &mut Check) {
    let mut names = BTreeSet::new();
    for (index, sysctl) in items(&pod["securityContext"], "sysctls") {
        let name = word(sysctl, "name");
        let at = format!("{path}[{index}].name");
        let part = |part: &str| {
            let edge = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            let bytes = part.as_bytes();
            bytes.first().is_some_and(|byte| edge(*byte))
                && bytes.last().is_some_and(|byte| edge(*byte))
                && bytes.iter().all(|byte| edge(*byte) || b"-_".contains(byte))
        };
        if name.is_empty() {
            check.required(&at, "");
        } else if name.len() > 253 || !name.split(['.', '/']).all(part) {
            let detail = "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            let older = "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            check.invalid(&at, quoted(name), if check.server.minor >= 23 { detail } else { older });
        } else if !names.insert(name) {
            check.duplicate(&at, quoted(name));
        }
        if check.server.minor >= 25 && pod["hostNetwork"] == true && name.starts_with("net.") {
            check.invalid(&at, quoted(name), "may not be specified when 'hostNetwork' is true");
        }
    }
}

fn container_security(own: &Value, path: &str, check: &mut Check) {
    let security = &own["securityContext"];
    if !security.is_object() {
        return;
    }
    for name in ["runAsUser", "runAsGroup"] {
        user_or_group(&security[name], &format!("{path}.{name}"), check);
    }
    check.one_of(security, "procMount", path, &["Default", "Unmasked"]);
    if security["procMount"] == "Unmasked" && check.server.minor >= 30 {
        let detail = "`hostUsers` must be false to use `Unmasked`";
        check.invalid(&format!("{path}.procMount"), quoted("Unmasked"), detail);
    }
    seccomp(&security["seccompProfile"], &format!("{path}.seccompProfile"), check);
    if security["allowPrivilegeEscalation"] == false {
        let privileged = security["privileged"] == true;
        let admin = items(&security["capabilities"], "add").any(|(_, name)| name == "CAP_SYS_ADMIN");
        for (holds, what) in [(privileged, "`privileged` to true"), (admin, "`capabilities.Add` CAP_SYS_ADMIN")] {
            if holds {
                let shown = check.go_value(security, "SecurityContext");
                check.invalid(path, shown, format!("cannot set `allowPrivilegeEscalation` to false and {what}"));
            }
        }
    }
}

fn affinity(affinity: &Value, path: &str, check: &mut Check) {
    let (required, preferred) =
        ("requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution");
    let node = &affinity["nodeAffinity"];
    if node[required].is_object() {
        let path = format!("{path}.nodeAffinity.{required}.nodeSelectorTerms");
        if items(&node[required], "nodeSelectorTerms").next().is_none() {
            check.required(&path, "must have at least one node selector term");
        }
        for (index, term) in items(&node[required], "nodeSelectorTerms") {
            node_term(term, &format!("{path}[{index}]"), true, check);
        }
    }
    for (index, term) in items(node, preferred) {
        let path = format!("{path}.nodeAffinity.{preferred}[{index}]");
        weight(term, &path, check);
        node_term(&term["preference"], &format!("{path}.preference"), false, check);
    }
    for kind in ["podAffinity", "podAntiAffinity"] {
        for (index, term) in items(&affinity[kind], required) {
            pod_term(term, &format!("{path}.{kind}.{required}[{index}]"), check);
        }
        for (index, term) in items(&affinity[kind], preferred) {
            let path = format!("{path}.{kind}.{preferred}[{index}]");
            weight(term, &path, check);
            pod_term(&term["podAffinityTerm"], &format!("{path}.podAffinityTerm"), check);
        }
    }
}

fn weight(term: &Value, path: &str, check: &mut Check) {
    let weight = term["weight"].as_i64().unwrap_or(0);
    if !(1..=100).contains(&weight) {
        check.invalid(&format!("{path}.weight"), weight.to_string(), "must be in the range 1-100");
    }
}

fn node_term(term: &Value, path: &str, required: bool, check: &mut Check) {
    for (index, wanted) in items(term, "matchExpressions") {
        let path = format!("{path}.matchExpressions[{index}]");
        let values = items(wanted, "values").count();
        match word(wanted, "operator") {
            "In" | "NotIn" if values == 0 => {
                check.required(&format!("{path}.values"), "must be specified when `operator` is 'In' or 'NotIn'");
            }
            "Exists" | "DoesNotExist" if values > 0 => {
                let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
                check.forbidden(&format!("{path}.values"), detail);
            }
            "Gt" | "Lt" if values != 1 => {
                let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
                check.required(&format!("{path}.values"), detail);
            }
            "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt" => {}
            other => check.invalid(&format!("{path}.operator"), quoted(other), "not a valid selector operator"),
        }
        let key = word(wanted, "key");
        check.all(&format!("{path}.key"), key, qualified(key));
        if required && check.server.minor >= 32 {
            for (at, value) in items(wanted, "values") {
                let value = text_of(value);
                check.all(&format!("{path}.values[{at}]"), value, label_value(value));
            }
        }
    }
}

fn pod_term(term: &Value, path: &str, check: &mut Check) {
    for name in ["labelSelector", "namespaceSelector"] {
        if term[name].is_object() {
            super::selector::check(&term[name], &format!("{path}.{name}"), check);
        }
    }
    for (_, name) in items(term, "namespaces") {
        let name = text_of(name);
        check.all(&format!("{path}.namespace"), name, dns_label(name, check.server.minor));
    }
    let key = word(term, "topologyKey");
    if key.is_empty() {
        check.required(&format!("{path}.topologyKey"), "can not be empty");
    }
    check.all(&format!("{path}.topologyKey"), key, qualified(key));
}

fn spread(pod: &Value, path: &str, check: &mut Check) {
    let all: Vec<&Value> = items(pod, "topologySpreadConstraints").map(|(_, own)| own).collect();
    for (index, own) in all.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let skew = own["maxSkew"].as_i64().unwrap_or(0);
        if skew <= 0 {
            check.invalid(&format!("{path}.maxSkew"), skew.to_string(), "must be greater than zero");
        }
        let (key, when) = (word(own, "topologyKey"), word(own, "whenUnsatisfiable"));
        if key.is_empty() {
            check.required(&format!("{path}.topologyKey"), "can not be empty");
        }
        if !matches!(when, "DoNotSchedule" | "ScheduleAnyway") {
            check.not_supported(
                &format!("{path}.whenUnsatisfiable"),
                quoted(when),
                &["DoNotSchedule", "ScheduleAnyway"],
            );
        }
        let is_same = |other: &&Value| word(other, "topologyKey") == key && word(other, "whenUnsatisfiable") == when;
        if all[index + 1..].iter().any(is_same) {
            let shown = quoted(&format!("{{{key}, {when}}}"));
            check.duplicate(&format!("{path}.{{topologyKey, whenUnsatisfiable}}"), shown);
        }
        if let Some(domains) = own["minDomains"].as_i64() {
            if domains <= 0 {
                check.invalid(&format!("{path}.minDomains"), domains.to_string(), "must be greater than zero");
            }
            if when != "DoNotSchedule" {
                let detail = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not whenUnsatisfiable=";
                check.invalid(&format!("{path}.minDomains"), domains.to_string(), format!("{detail}{when}"));
            }
        }
        check.one_of(own, "nodeAffinityPolicy", &path, &["Honor", "Ignore"]);
        check.one_of(own, "nodeTaintsPolicy", &path, &["Honor", "Ignore"]);
        if own["labelSelector"].is_object() && check.server.minor >= 27 {
            super::selector::check(&own["labelSelector"], &format!("{path}.labelSelector"), check);
        }
    }
}

fn address(text: &str, path: &str, check: &mut Check) {
    if text.parse::<std::net::IpAddr>().is_err() {
        let newer = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
        check.invalid(path, quoted(text), if check.server.minor >= 25 { newer } else { "must be valid IP address" });
    }
}

fn dns(pod: &Value, path: &str, check: &mut Check) {
    let config = &pod["dnsConfig"];
    let servers: Vec<&str> = items(config, "nameservers").map(|(_, server)| text_of(server)).collect();
    if pod["dnsPolicy"] == "None" {
        if !config.is_object() {
            return check.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
        }
        if servers.is_empty() {
            let detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            return check.required(&format!("{path}.nameservers"), detail);
        }
    }
    if servers.len() > 3 {
        let shown = check.go_value(&config["nameservers"], "[]string");
        check.invalid(&format!("{path}.nameservers"), shown, "must not have more than 3 nameservers");
    }
    for (index, server) in servers.iter().enumerate() {
        address(server, &format!("{path}.nameservers[{index}]"), check);
    }
    let searches: Vec<&str> = items(config, "searches").map(|(_, search)| text_of(search)).collect();
    let most = if check.server.minor >= 26 { (32, 2048) } else { (6, 256) };
    if searches.len() > most.0 {
        let shown = check.go_value(&config["searches"], "[]string");
        check.invalid(&format!("{path}.searches"), shown, format!("must not have more than {} search paths", most.0));
    }
    if searches.join(" ").len() > most.1 {
        let shown = check.go_value(&config["searches"], "[]string");
        let detail = format!("must not have more than {} characters (including spaces) in the search list", most.1);
        check.invalid(&format!("{path}.searches"), shown, detail);
    }
    for (index, search) in searches.iter().enumerate() {
        if *search == "." && check.server.minor >= 33 {
            continue;
        }
        let search = search.strip_suffix('.').unwrap_or(search);
        let relaxed = if check.server.minor >= 33 { search.replace('_', "a") } else { search.to_owned() };
        check.all(&format!("{path}.searches[{index}]"), search, dns_subdomain(&relaxed));
    }
    for (index, option) in items(config, "options") {
        if word(option, "name").is_empty() {
            check.required(&format!("{path}.options[{index}]"), "must not be empty");
        }
    }
}

fn tolerations(pod: &Value, path: &str, check: &mut Check) {
    for (index, own) in items(pod, "tolerations") {
        let at = |name: &str| format!("{path}[{index}].{name}");
        let (key, operator) = (word(own, "key"), word(own, "operator"));
        let (value, effect) = (word(own, "value"), word(own, "effect"));
        if !key.is_empty() {
            check.all(&at("key"), key, qualified(key));
        } else if operator != "Exists" {
            let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            check.invalid(&at("operator"), quoted(operator), detail);
        }
        if own.get("tolerationSeconds").is_some() && effect != "NoExecute" {
            let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            check.invalid(&at("effect"), quoted(effect), detail);
        }
        match operator {
            "" | "Equal" => {
                let wrong = label_value(value).join(";");
                if !wrong.is_empty() {
                    check.invalid(&at("operator"), quoted(value), wrong);
                }
            }
            "Exists" => {
                if !value.is_empty() {
                    check.invalid(&at("operator"), quoted(value), "value must be empty when `operator` is 'Exists'");
                }
            }
            _ => check.not_supported(&at("operator"), quoted(operator), &["Equal", "Exists"]),
        }
        check.one_of(own, "effect", &format!("{path}[{index}]"), &["NoSchedule", "PreferNoSchedule", "NoExecute"]);
    }
}

fn host_aliases(pod: &Value, path: &str, check: &mut Check) {
    let newer = check.server.minor >= 25;
    for (index, alias) in items(pod, "hostAliases") {
        let path = if newer { format!("{path}[{index}]") } else { path.to_owned() };
        address(word(alias, "ip"), &format!("{path}.ip"), check);
        for (at, name) in items(alias, "hostnames") {
            let path = if newer { format!("{path}.hostnames[{at}]") } else { format!("{path}.hostnames") };
            let name = text_of(name);
            check.all(&path, name, dns_subdomain(name));
        }
    }
}

/// The sources of volumes, in upstream's order, with the fields that each must have.
const SOURCES: [(&str, &[&str]); 30] = [
    ("emptyDir", &[]),
    ("hostPath", &["path"]),
    ("gitRepo", &["repository"]),
    ("gcePersistentDisk", &["pdName"]),
    ("awsElasticBlockStore", &["volumeID"]),
    ("secret", &["secretName"]),
    ("nfs", &["server", "path"]),
    ("iscsi", &["targetPortal", "iqn"]),
    ("glusterfs", &["endpoints", "path"]),
    ("flocker", &[]),
    ("persistentVolumeClaim", &["claimName"]),
    ("rbd", &["monitors", "image"]),
    ("cinder", &["volumeID"]),
    ("cephfs", &["monitors"]),
    ("quobyte", &["registry", "volume"]),
    ("downwardAPI", &[]),
    ("fc", &[]),
    ("flexVolume", &["driver"]),
    ("configMap", &["name"]),
    ("azureFile", &["secretName", "shareName"]),
    ("vsphereVolume", &["volumePath"]),
    ("photonPersistentDisk", &["pdID"]),
    ("portworxVolume", &["volumeID"]),
    ("azureDisk", &["diskName", "diskURI"]),
    ("storageos", &["volumeName"]),
    ("projected", &[]),
    ("scaleIO", &["gateway", "system", "volumeName"]),
    ("csi", &["driver"]),
    ("ephemeral", &[]),
    ("image", &["reference"]),
];

/// The names of the volumes that are fine.
fn volumes<'a>(pod: &'a Value, path: &str, check: &mut Check) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (index, volume) in items(pod, "volumes") {
        let path = format!("{path}[{index}]");
        let before = check.errors.len();
        let mut count = 0;
        for (source, required) in SOURCES {
            if !volume[source].is_object() {
                continue;
            }
            count += 1;
            if count > 1 {
                let name = if source == "cephfs" {
                    "cephFS"
                } else if source == "downwardAPI" {
                    "downwarAPI"
                } else {
                    source
                };
                check.forbidden(&format!("{path}.{name}"), "may not specify more than 1 volume type");
                continue;
            }
            let at = format!("{path}.{}", if source == "gcePersistentDisk" { "persistentDisk" } else { source });
            volume_source(source, &volume[source], required, &at, check);
        }
        let name = word(volume, "name");
        if name.is_empty() {
            check.required(&format!("{path}.name"), "");
        } else {
            check.all(&format!("{path}.name"), name, dns_label(name, check.server.minor));
        }
        if names.contains(&name) {
            check.duplicate(&format!("{path}.name"), quoted(name));
        }
        if check.errors.len() == before {
            names.push(name);
        }
    }
    names
}

fn volume_source(kind: &str, source: &Value, required: &[&str], path: &str, check: &mut Check) {
    for field in required {
        let empty = match &source[*field] {
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => true,
        };
        if empty {
            check.required(&format!("{path}.{field}"), "");
        }
    }
    match kind {
        "emptyDir" if word(source, "sizeLimit").starts_with('-') => {
            let detail = "SizeLimit field must be a valid resource quantity";
            check.forbidden(&format!("{path}.sizeLimit"), detail);
        }
        "hostPath" => {
            if !word(source, "path").is_empty() {
                no_backsteps(word(source, "path"), &format!("{path}.path"), check);
            }
            let kinds =
                ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
            check.one_of(source, "type", path, &kinds);
        }
        "nfs" if !word(source, "path").starts_with('/') && !word(source, "path").is_empty() => {
            check.invalid(&format!("{path}.path"), quoted(word(source, "path")), "must be an absolute path");
        }
        "secret" | "configMap" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            for (index, item) in items(source, "items") {
                key_to_path(item, &format!("{path}.items[{index}]"), check);
            }
        }
        "downwardAPI" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            for (_, file) in items(source, "items") {
                downward_file(file, path, check);
            }
        }
        "projected" => {
            mode(&source["defaultMode"], &format!("{path}.defaultMode"), check);
            projected(source, path, check);
        }
        _ => {}
    }
}

fn mode(mode: &Value, path: &str, check: &mut Check) {
    if let Some(number) = mode.as_i64().filter(|number| !(0..=0o777).contains(number)) {
        let detail = "must be a number between 0 and 0777 (octal), both inclusive";
        check.invalid(path, number.to_string(), detail);
    }
}

fn key_to_path(item: &Value, path: &str, check: &mut Check) {
    if word(item, "key").is_empty() {
        check.required(&format!("{path}.key"), "");
    }
    if word(item, "path").is_empty() {
        check.required(&format!("{path}.path"), "");
    }
    local_path(word(item, "path"), &format!("{path}.path"), check);
    mode(&item["mode"], &format!("{path}.mode"), check);
}

fn downward_file(file: &Value, path: &str, check: &mut Check) {
    if word(file, "path").is_empty() {
        check.required(&format!("{path}.path"), "");
    }
    local_path(word(file, "path"), &format!("{path}.path"), check);
    if file["fieldRef"].is_object() {
        field_selector(&file["fieldRef"], &format!("{path}.fieldRef"), &VOLUME_FIELDS, check);
        if file["resourceFieldRef"].is_object() {
            let shown = quoted("resource");
            check.invalid(path, shown, "fieldRef and resourceFieldRef can not be specified simultaneously");
        }
    } else if file["resourceFieldRef"].is_object() {
        resource_selector(&file["resourceFieldRef"], &format!("{path}.resourceFieldRef"), true, check);
    } else {
        check.required(path, "one of fieldRef and resourceFieldRef is required");
    }
    mode(&file["mode"], &format!("{path}.mode"), check);
}

fn projected(source: &Value, path: &str, check: &mut Check) {
    let mut taken = BTreeSet::new();
    for (index, one) in items(source, "sources") {
        let at = format!("{path}.sources[{index}]");
        let mut count = 0;
        for kind in ["secret", "configMap"] {
            if !one[kind].is_object() {
                continue;
            }
            count += 1;
            let name = word(&one[kind], "name");
            if name.is_empty() {
                check.required(&format!("{at}.{kind}.name"), "");
            }
            for (index, item) in items(&one[kind], "items") {
                key_to_path(item, &format!("{at}.{kind}.items[{index}]"), check);
                if !word(item, "path").is_empty() && !taken.insert(word(item, "path")) {
                    check.invalid(path, quoted(name), "conflicting duplicate paths");
                }
            }
        }
        if one["downwardAPI"].is_object() {
            count += 1;
            for (_, file) in items(&one["downwardAPI"], "items") {
                downward_file(file, &format!("{at}.downwardAPI"), check);
                let place = word(file, "path");
                if !place.is_empty() && !taken.insert(place) {
                    check.invalid(path, quoted(place), "conflicting duplicate paths");
                }
            }
        }
        let token = &one["serviceAccountToken"];
        if token.is_object() {
            count += 1;
            let seconds = token["expirationSeconds"].as_i64().unwrap_or(0);
            let field = format!("{at}.serviceAccountToken.expirationSeconds");
            if seconds < 600 {
                check.invalid(&field, seconds.to_string(), "may not specify a duration less than 10 minutes");
            }
            if seconds > 1 << 32 {
                check.invalid(&field, seconds.to_string(), "may not specify a duration larger than 2^32 seconds");
            }
            match word(token, "path") {
                "" => check.required(&format!("{path}.path"), ""),
                place if check.server.minor >= 25 => local_path(place, &format!("{path}.path"), check),
                _ => {}
            }
        }
        if count > 1 {
            check.forbidden(&at, "may not specify more than 1 volume type per source");
        }
    }
}
