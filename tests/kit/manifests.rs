//! Manifests of tests/manifests, and what a test has otherwise in them.

use super::folder;
use serde_json::{Value, json};
use setscope::objects::Kind;
use setscope::session::manifest::read_value;

/// Fields of a spec: a claim for each pod.
pub(crate) const CLAIMS: &str = r#""volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"],
    "resources": {"requests": {"storage": "1Gi"}}}}]"#;

/// The StatefulSet `web` of containers `nginx` with `nginx:1`; `spec` and `pod` are further fields of its spec and of its
/// pods' spec, in JSON.
pub(crate) fn manifest(replicas: i32, spec: &str, pod: &str) -> String {
    let mut value = read("stateful-set");
    value["spec"]["replicas"] = json!(replicas);
    add(&mut value["spec"], spec);
    add(&mut value["spec"]["template"]["spec"], pod);
    serde_json::to_string_pretty(&value).unwrap()
}

/// The kind of this name; of several, Kubernetes' own.
pub(crate) fn kind_of(name: &str) -> Kind {
    Kind::of_resource(&name.to_lowercase()).unwrap()
}

/// A workload `web` of containers `main` with `nginx:1`; `spec` are further fields of its spec, in JSON.
pub(crate) fn workload(kind: &str, spec: &str) -> String {
    let version = kind_of(kind).api_version();
    workload_of(version, kind, spec, r#"{"name": "main", "image": "nginx:1"}"#)
}

/// The same in another version of the API and of other containers.
pub(crate) fn workload_of(version: &str, kind: &str, spec: &str, containers: &str) -> String {
    let mut value = read("workload");
    (value["apiVersion"], value["kind"]) = (version.into(), kind.into());
    if kind == "StatefulSet" {
        value["spec"]["serviceName"] = "web".into();
    }
    add(&mut value["spec"], spec);
    value["spec"]["template"]["spec"]["containers"] = serde_json::from_str(&format!("[{containers}]")).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

fn read(name: &str) -> Value {
    let file = folder("tests/manifests").join(name).with_extension("yaml");
    read_value(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Adds fields to an object, in place of those of the same name.
fn add(object: &mut Value, fields: &str) {
    let fields: Value = serde_json::from_str(&format!("{{{fields}}}")).unwrap();
    object.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
}
