//! One container as `kubectl describe` prints it, in a pod or in a template.
//! Models describeContainers of describe.go of k8s.io/kubectl and what it calls.

use crate::kubectl::text::{NONE, or_none, word};
use crate::objects::quantity::in_nano as quantity_in_nano;
use crate::objects::{Container, ContainerState, ContainerStatus, Extra, Pod, Time};
use serde_json::Value;

/// What stands below the container's name.
pub(super) fn about(container: &Container, status: Option<&ContainerStatus>, pod: Option<&Pod>) -> String {
    let mut text = String::new();
    let mut row = |title: &str, value: &str| text.push_str(&["    ", title, ":\t", value, "\n"].concat());
    if let Some(status) = status {
        row("Container ID", &status.extra.get("containerID").map(word).unwrap_or_default());
    }
    row("Image", &container.image);
    if let Some(status) = status {
        row("Image ID", &status.image_id);
    }
    for (title, field) in [("Port", "containerPort"), ("Host Port", "hostPort")] {
        let ports = ports(container, field);
        row(&[title, if ports.contains(',') { "s" } else { "" }].concat(), &or_none(&ports));
    }
    text.push_str(&command(container));
    text.push_str(&status.map(state).unwrap_or_default());
    text + &resources(container) + &probes(container) + &environment(container, pod) + &mounts(container)
}

/// A list among fields.
pub(super) fn items<'a>(fields: &'a Extra, name: &str) -> &'a [Value] {
    list(fields.get(name).unwrap_or(&Value::Null))
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A number that is 0 where it is not given.
fn number(value: &Value) -> String {
    if value.is_null() { "0".to_owned() } else { word(value) }
}

/// Go prints a list between brackets.
fn bracketed(value: &Value) -> String {
    ["[", &list(value).iter().map(word).collect::<Vec<_>>().join(" "), "]"].concat()
}

fn ports(container: &Container, field: &str) -> String {
    let one = |port: &Value| {
        let protocol = word(&port["protocol"]);
        [&*number(&port[field]), "/", if protocol.is_empty() { "TCP" } else { &protocol }].concat()
    };
    items(&container.extra, "ports").iter().map(one).collect::<Vec<_>>().join(", ")
}

fn command(container: &Container) -> String {
    let mut text = String::new();
    for (title, field) in [("Command", "command"), ("Args", "args")] {
        let words = items(&container.extra, field);
        if !words.is_empty() {
            text.push_str(&["    ", title, ":\n"].concat());
        }
        for line in words.iter().map(word).flat_map(|own| own.split('\n').map(str::to_owned).collect::<Vec<_>>()) {
            text.push_str(&["      ", &line, "\n"].concat());
        }
    }
    text
}

fn state(status: &ContainerStatus) -> String {
    let mut text = String::new();
    let mut row = |indent: &str, title: &str, value: &str| {
        text.push_str(&[indent, title, ":\t", value, "\n"].concat());
    };
    let (outer, inner) = ("    ", "      ");
    match &status.state {
        ContainerState::Running { started_at } => {
            row(outer, "State", "Running");
            if let Some(started) = started_at {
                row(inner, "Started", &started.rfc1123());
            }
        }
        ContainerState::Waiting { reason } => {
            row(outer, "State", "Waiting");
            if !reason.is_empty() {
                row(inner, "Reason", reason);
            }
        }
        ContainerState::Terminated { exit_code, reason, started_at, finished_at } => {
            row(outer, "State", "Terminated");
            if !reason.is_empty() {
                row(inner, "Reason", reason);
            }
            row(inner, "Exit Code", &exit_code.to_string());
            for (title, time) in [("Started", started_at), ("Finished", finished_at)] {
                if let Some(time) = time {
                    row(inner, title, &time.rfc1123());
                }
            }
        }
    }
    if let Some(last) = status.extra.get("lastState").and_then(|last| last.get("terminated")) {
        row(outer, "Last State", "Terminated");
        for (title, field) in [("Reason", "reason"), ("Message", "message"), ("Exit Code", "exitCode")] {
            let told = word(&last[field]);
            if !told.is_empty() {
                row(inner, title, &told);
            }
        }
        for (title, field) in [("Started", "startedAt"), ("Finished", "finishedAt")] {
            if let Some(at) = last[field].as_str().and_then(Time::parse) {
                row(inner, title, &at.rfc1123());
            }
        }
    }
    row(outer, "Ready", if status.ready { "True" } else { "False" });
    row(outer, "Restart Count", &status.restart_count.to_string());
    text
}

fn resources(container: &Container) -> String {
    let mut text = String::new();
    for (title, part) in [("Limits", "limits"), ("Requests", "requests")] {
        let Some(amounts) = container.resources.get(part).and_then(Value::as_object) else { continue };
        if !amounts.is_empty() {
            text.push_str(&["    ", title, ":\n"].concat());
        }
        let mut names: Vec<&String> = amounts.keys().collect();
        names.sort();
        for name in names {
            text.push_str(&["      ", name, ":\t", &word(&amounts[name]), "\n"].concat());
        }
    }
    text
}

fn probes(container: &Container) -> String {
    let mut text = String::new();
    for (title, field) in [("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")]
    {
        if let Some(described) = container.extra.get(field) {
            text.push_str(&["    ", title, ":\t", &probe(described), "\n"].concat());
        }
    }
    text
}

/// Such as `http-get http://:80/healthz delay=0s timeout=1s period=10s #success=1 #failure=3`.
fn probe(probe: &Value) -> String {
    let [delay, timeout, period, success, failure] =
        ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"]
            .map(|field| number(&probe[field]));
    let at = |probe: &Value| [word(&probe["host"]), ":".to_owned(), word(&probe["port"])].concat();
    let how = if probe["exec"].is_object() {
        ["exec ", &bracketed(&probe["exec"]["command"])].concat()
    } else if probe["httpGet"].is_object() {
        let get = &probe["httpGet"];
        let (scheme, path) = (word(&get["scheme"]).to_lowercase(), word(&get["path"]));
        let slash = if path.is_empty() || path.starts_with('/') { "" } else { "/" };
        ["http-get ", if scheme.is_empty() { "http" } else { &scheme }, "://", &at(get), slash, &path].concat()
    } else if probe["tcpSocket"].is_object() {
        ["tcp-socket ", &at(&probe["tcpSocket"])].concat()
    } else if probe["grpc"].is_object() {
        ["grpc <pod>:", &number(&probe["grpc"]["port"]), " ", &word(&probe["grpc"]["service"])].concat()
    } else {
        "unknown".to_owned()
    };
    format!("{how} delay={delay}s timeout={timeout}s period={period}s #success={success} #failure={failure}")
}

fn environment(container: &Container, pod: Option<&Pod>) -> String {
    let mut text = String::new();
    let sources = items(&container.extra, "envFrom");
    if !sources.is_empty() {
        text.push_str("    Environment Variables from:\n");
    }
    for source in sources {
        let kind =
            if source["configMapRef"].is_object() { ("configMapRef", "ConfigMap") } else { ("secretRef", "Secret") };
        let (reference, prefix) = (&source[kind.0], word(&source["prefix"]));
        let with = if prefix.is_empty() { String::new() } else { format!(" with prefix '{prefix}'") };
        text.push_str(&format!("      {}\t{}{with}\t{}\n", word(&reference["name"]), kind.1, optional(reference)));
    }
    let variables = items(&container.extra, "env");
    text.push_str(if variables.is_empty() { "    Environment:\t<none>\n" } else { "    Environment:\n" });
    for variable in variables {
        let (name, from) = (word(&variable["name"]), &variable["valueFrom"]);
        let value = match from.as_object() {
            Some(_) => value_from(from, container, pod),
            None => word(&variable["value"]).replace('\n', "\n      \t"),
        };
        text.push_str(&["      ", &name, ":\t", &value, "\n"].concat());
    }
    text
}

fn value_from(from: &Value, container: &Container, pod: Option<&Pod>) -> String {
    for (field, of) in [("secretKeyRef", "in secret"), ("configMapKeyRef", "of config map")] {
        let reference = &from[field];
        if reference.is_object() {
            let (key, name) = (word(&reference["key"]), word(&reference["name"]));
            return format!("<set to the key '{key}' {of} '{name}'>\t{}", optional(reference));
        }
    }
    let resource = word(&from["resourceFieldRef"]["resource"]);
    if !resource.is_empty() {
        let value = resource_value(&from["resourceFieldRef"], container);
        return format!("{value} ({resource})");
    }
    let (version, path) = (word(&from["fieldRef"]["apiVersion"]), word(&from["fieldRef"]["fieldPath"]));
    format!("{} ({version}:{path})", pod.map(|pod| field_value(pod, &path)).unwrap_or_default())
}

fn optional(source: &Value) -> String {
    ["Optional: ", if source["optional"] == true { "true" } else { "false" }].concat()
}

/// A field of the pod that a variable names.
fn field_value(pod: &Pod, path: &str) -> String {
    let metadata = &pod.metadata;
    let label = |path: &str| Some((path.strip_prefix("metadata.labels['")?.strip_suffix("']")?).to_owned());
    match path {
        "metadata.name" => metadata.name.to_string(),
        "metadata.namespace" => metadata.namespace.to_string(),
        "metadata.uid" => metadata.uid.to_string(),
        "spec.nodeName" => pod.spec.node_name.to_string(),
        "spec.serviceAccountName" => pod.spec.extra.get("serviceAccountName").map(word).unwrap_or_default(),
        "status.podIP" => pod.status.pod_ip.to_string(),
        _ => label(path).and_then(|key| metadata.labels.get(&key).map(ToString::to_string)).unwrap_or_default(),
    }
}

/// An amount of the container's own, in the unit that is asked for.
fn resource_value(source: &Value, container: &Container) -> String {
    let resource = word(&source["resource"]);
    let (part, name) = resource.split_once('.').unwrap_or_default();
    let amount = container.resources.get(part).map(|part| word(&part[name])).unwrap_or_default();
    let unit = quantity_in_nano(&word(&source["divisor"])).filter(|unit| *unit > 0).unwrap_or(1_000_000_000);
    match quantity_in_nano(&amount).unwrap_or(0) {
        0 if part == "limits" => "node allocatable".to_owned(),
        amount => ((amount + unit - 1) / unit).to_string(),
    }
}

fn mounts(container: &Container) -> String {
    let mut mounts: Vec<&Value> = items(&container.extra, "volumeMounts").iter().collect();
    mounts.sort_by_key(|mount| word(&mount["mountPath"]));
    let mut text = if mounts.is_empty() { format!("    Mounts:\t{NONE}\n") } else { "    Mounts:\n".to_owned() };
    for mount in mounts {
        let [at, name, below] = ["mountPath", "name", "subPath"].map(|field| word(&mount[field]));
        let how = if mount["readOnly"] == true { "ro" } else { "rw" };
        let below = if below.is_empty() { below } else { format!(",path={below:?}") };
        text.push_str(&format!("      {at} from {name} ({how}{below})\n"));
    }
    text
}
