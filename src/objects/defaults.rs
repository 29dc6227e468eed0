//! What the API server fills into a StatefulSet. The stored template is what a revision's hash is
//! computed from, so it must come out as Go would write it.
//! Models pkg/apis/apps/v1/defaults.go and pkg/apis/core/v1/defaults.go.

use super::{Container, Json, Mismatch, Pod, PodTemplateSpec, Server};
use crate::releases::{RETENTION, Release};
use serde_json::{Map, Value, json};
use std::rc::Rc;

type Fields = Map<String, Value>;

/// Fills in a StatefulSet that was strictly decoded.
pub fn stateful_set(value: &mut Value, server: &Server) {
    let Some(set) = value.as_object_mut() else { return };
    default(map(set, "metadata"), "namespace", "default");
    let spec = map(set, "spec");
    default(spec, "podManagementPolicy", "OrderedReady");
    default(spec, "replicas", 1);
    default(spec, "revisionHistoryLimit", 10);
    default(spec, "serviceName", "");
    update_strategy(map(spec, "updateStrategy"), server);
    // A field that is unknown, or whose feature gate is off, is dropped.
    if !server.knows_min_ready_seconds {
        spec.remove("minReadySeconds");
    }
    if !server.start_ordinal {
        spec.remove("ordinals");
    }
    if server.claim_retention {
        let policy = map(spec, RETENTION);
        default(policy, "whenDeleted", "Retain");
        default(policy, "whenScaled", "Retain");
    } else {
        spec.remove(RETENTION);
    }
    for template in list(spec, "volumeClaimTemplates") {
        claim_template(template);
    }
    pod_template(map(spec, "template"), server);
}

/// A pod template, filled in as newer servers do: one that an older server stored has fewer fields.
///
/// # Errors
/// What it says is no template.
pub(crate) fn filled_template(template: &PodTemplateSpec) -> Result<PodTemplateSpec, Mismatch> {
    let mut value = template.to_json();
    if let Some(template) = value.as_object_mut() {
        let newest = Release::ALL[Release::ALL.len() - 1];
        pod_template(template, &newest.profile().server);
        drop_empty(map(template, "metadata"), &["labels", "annotations"]);
    }
    PodTemplateSpec::from_json(value)
}

fn pod_template(template: &mut Fields, server: &Server) {
    map(template, "metadata");
    pod_spec(map(template, "spec"), server);
}

/// `partition: 0` is filled in where the type was left out (in older releases whatever `rollingUpdate` said), or where a
/// `rollingUpdate` was given without it. A plain `type: RollingUpdate` keeps no `rollingUpdate` at all, and the controller treats that differently.
fn update_strategy(strategy: &mut Fields, server: &Server) {
    let kind = strategy.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if kind.is_empty() {
        strategy.insert("type".into(), json!("RollingUpdate"));
        if !server.keeps_untyped_strategy {
            strategy.remove("rollingUpdate");
        }
        map(strategy, "rollingUpdate");
    }
    if (kind.is_empty() || kind == "RollingUpdate")
        && let Some(Value::Object(rolling)) = strategy.get_mut("rollingUpdate")
    {
        default(rolling, "partition", 0);
        if server.max_unavailable {
            default(rolling, "maxUnavailable", 1);
        }
    }
    if let Some(Value::Object(rolling)) = strategy.get_mut("rollingUpdate").filter(|_| !server.max_unavailable) {
        rolling.remove("maxUnavailable");
    }
}

/// Fills in a pod that is being created: each limit is a request too, and where the pod shares the host's network, each port of a
/// container is a port of the host. A set's template keeps what it says, so that this is not part of its revision: of ports since
/// 1.28, when DefaultHostNetworkHostPortsInPodTemplates was switched off. Models SetDefaults_Pod.
pub(crate) fn pod(pod: &mut Pod) {
    let on_host = pod.spec.extra.get("hostNetwork") == Some(&Value::Bool(true));
    let lacking = |container: &Container| {
        container.resources.contains_key("limits") || on_host && container.extra.contains_key("ports")
    };
    if !pod.spec.containers.iter().chain(&pod.spec.init_containers).any(lacking) {
        return;
    }
    let spec = Rc::make_mut(&mut pod.spec);
    for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
        if on_host && container.extra.contains_key("ports") {
            list(&mut container.extra, "ports").into_iter().for_each(host_port);
        }
        let Some(Value::Object(limits)) = container.resources.get("limits").cloned() else { continue };
        let requests = map(&mut container.resources, "requests");
        for (name, quantity) in limits {
            default(requests, &name, quantity);
        }
    }
}

/// A port of a container that shares the host's network is the host's; Go does not tell 0 from none. Models
/// defaultHostNetworkPorts.
fn host_port(port: &mut Fields) {
    if port.get("hostPort").is_none_or(|own| own == 0)
        && let Some(number) = port.get("containerPort").cloned()
    {
        port.insert("hostPort".into(), number);
    }
}

pub(super) fn claim_template(claim: &mut Fields) {
    default(claim, "apiVersion", "v1");
    default(claim, "kind", "PersistentVolumeClaim");
    let spec = map(claim, "spec");
    default(spec, "volumeMode", "Filesystem");
    if let Some(Value::Object(resources)) = spec.get_mut("resources") {
        canonical_quantities(resources);
    }
    default(map(claim, "status"), "phase", "Pending");
}

pub(super) fn pod_spec(spec: &mut Fields, server: &Server) {
    default(spec, "restartPolicy", "Always");
    default(spec, "dnsPolicy", "ClusterFirst");
    default(spec, "schedulerName", "default-scheduler");
    default(spec, "terminationGracePeriodSeconds", 30);
    default(spec, "securityContext", json!({}));
    // The deprecated field is always that of the new one. Models Convert_v1_PodSpec_To_core_PodSpec and its counterpart.
    if let Some(account) = spec.get("serviceAccountName").or_else(|| spec.get("serviceAccount")).cloned() {
        spec.insert("serviceAccount".to_owned(), account.clone());
        default(spec, "serviceAccountName", account);
    }
    if server.drops_ephemeral_containers {
        spec.remove("ephemeralContainers");
    }
    let host_network = spec.get("hostNetwork") == Some(&Value::Bool(true));
    if server.drops_restart_rules {
        for one in list(spec, "initContainers") {
            if one.get("restartPolicy").is_some_and(|policy| policy != "Always") {
                one.remove("restartPolicy");
            }
        }
    }
    for containers in ["containers", "initContainers"] {
        for one in list(spec, containers) {
            container(one, host_network && server.fills_template_host_ports);
        }
    }
    for one in list(spec, "volumes") {
        volume(one);
    }
    drop_empty(spec, &["initContainers", "volumes", "tolerations", "imagePullSecrets", "nodeSelector", "hostAliases"]);
}

fn container(container: &mut Fields, fills_host_ports: bool) {
    let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
    let policy = if is_latest(image) { "Always" } else { "IfNotPresent" };
    default(container, "imagePullPolicy", policy);
    default(container, "terminationMessagePath", "/dev/termination-log");
    default(container, "terminationMessagePolicy", "File");
    canonical_quantities(map(container, "resources"));
    for port in list(container, "ports") {
        default(port, "protocol", "TCP");
        if fills_host_ports {
            host_port(port);
        }
    }
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(Value::Object(fields)) = container.get_mut(probe) {
            default(fields, "timeoutSeconds", 1);
            default(fields, "periodSeconds", 10);
            default(fields, "successThreshold", 1);
            default(fields, "failureThreshold", 3);
            http_get(fields);
            if let Some(Value::Object(grpc)) = fields.get_mut("grpc") {
                default(grpc, "service", "");
            }
        }
    }
    if let Some(Value::Object(lifecycle)) = container.get_mut("lifecycle") {
        lifecycle.values_mut().filter_map(Value::as_object_mut).for_each(http_get);
    }
    for variable in list(container, "env") {
        if let Some(Value::Object(source)) = variable.get_mut("valueFrom") {
            field_ref(source);
        }
        if variable.get("value").and_then(Value::as_str) == Some("") {
            variable.remove("value");
        }
    }
    drop_empty(container, &["args", "command", "env", "envFrom", "ports", "volumeMounts", "volumeDevices"]);
}

fn http_get(handler: &mut Fields) {
    if let Some(Value::Object(get)) = handler.get_mut("httpGet") {
        default(get, "path", "/");
        default(get, "scheme", "HTTP");
    }
}

fn field_ref(source: &mut Fields) {
    if let Some(Value::Object(field)) = source.get_mut("fieldRef") {
        default(field, "apiVersion", "v1");
    }
}

/// No tag and no digest, or the tag `latest`, of what can be a reference to an image.
fn is_latest(image: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._/:-".contains(&byte);
    if image.is_empty() || !image.bytes().all(fits) {
        return false;
    }
    match image.rsplit_once(':') {
        Some((_, tag)) if !tag.contains('/') => tag == "latest",
        _ => true,
    }
}

fn canonical_quantities(resources: &mut Fields) {
    for kind in ["limits", "requests"] {
        if let Some(Value::Object(quantities)) = resources.get_mut(kind) {
            quantities.values_mut().for_each(canonical_quantity);
        }
    }
}

fn canonical_quantity(value: &mut Value) {
    let text = match &*value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return,
    };
    // One that its stored form does not say is still to be checked.
    if !super::quantity::is_lossy(&text) {
        *value = Value::String(super::quantity::canonical(&text).unwrap_or(text));
    }
}

fn volume(volume: &mut Fields) {
    if volume.len() < 2 {
        volume.insert("emptyDir".into(), json!({}));
    }
    for source in ["configMap", "secret", "projected", "downwardAPI"] {
        if let Some(Value::Object(fields)) = volume.get_mut(source) {
            default(fields, "defaultMode", 420);
        }
    }
    if let Some(Value::Object(path)) = volume.get_mut("hostPath") {
        default(path, "type", "");
    }
    if let Some(Value::Object(files)) = volume.get_mut("downwardAPI") {
        list(files, "items").into_iter().for_each(field_ref);
    }
    if let Some(Value::Object(projected)) = volume.get_mut("projected") {
        for source in list(projected, "sources") {
            if let Some(Value::Object(token)) = source.get_mut("serviceAccountToken") {
                default(token, "expirationSeconds", 3600);
            }
            if let Some(Value::Object(files)) = source.get_mut("downwardAPI") {
                list(files, "items").into_iter().for_each(field_ref);
            }
        }
    }
}

pub(super) fn default(fields: &mut Fields, name: &str, value: impl Into<Value>) {
    if !fields.contains_key(name) {
        fields.insert(name.to_owned(), value.into());
    }
}

pub(super) fn map<'a>(fields: &'a mut Fields, name: &str) -> &'a mut Fields {
    let value = fields.entry(name).or_insert_with(|| json!({}));
    if !value.is_object() {
        *value = json!({});
    }
    match value {
        Value::Object(inner) => inner,
        _ => unreachable!("it was made a map just now"),
    }
}

pub(super) fn list<'a>(fields: &'a mut Fields, name: &str) -> Vec<&'a mut Fields> {
    let items = fields.get_mut(name).and_then(Value::as_array_mut);
    items.map_or_else(Vec::new, |items| items.iter_mut().filter_map(Value::as_object_mut).collect())
}

/// Go leaves empty lists and maps out.
pub(super) fn drop_empty(fields: &mut Fields, names: &[&str]) {
    for name in names {
        let is_empty = match fields.get(*name) {
            Some(Value::Array(items)) => items.is_empty(),
            Some(Value::Object(inner)) => inner.is_empty(),
            _ => false,
        };
        if is_empty {
            fields.remove(*name);
        }
    }
}
