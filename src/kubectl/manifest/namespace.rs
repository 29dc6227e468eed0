//! Objects of a text that name no namespace, put into the one that is meant.

use super::write::write;
use super::yaml::parse;
use crate::objects::slot;
use serde_json::Value;

/// Kinds that are in no namespace.
const OF_THE_CLUSTER: [&str; 6] =
    ["PersistentVolume", "StorageClass", "Node", "Namespace", "PriorityClass", "RuntimeClass"];

/// The namespaces that the text's objects name.
pub fn namespaces(text: &str) -> Vec<String> {
    let named = |value: Value| value["metadata"]["namespace"].as_str().map(str::to_owned);
    values(text).into_iter().filter(is_namespaced).filter_map(named).collect()
}

/// The text where every object that names no namespace names this one. As it is if none lacks one, or if it cannot be read.
pub(crate) fn in_namespace(text: &str, namespace: &str) -> String {
    let (_, unreadable) = parse(text);
    let mut all = values(text);
    let lacks =
        |value: &Value| is_namespaced(value) && value["metadata"]["namespace"].as_str().is_none_or(str::is_empty);
    if unreadable.is_some() || !all.iter().any(lacks) {
        return text.to_owned();
    }
    for value in all.iter_mut().filter(|value| lacks(value)) {
        *slot(value, "metadata.namespace") = namespace.into();
    }
    all.iter().map(write).collect::<Vec<_>>().join("---\n")
}

fn is_namespaced(value: &Value) -> bool {
    let kind = value["kind"].as_str().unwrap_or_default();
    value["metadata"].is_object() && !OF_THE_CLUSTER.contains(&kind)
}

/// The objects of a text, Lists unpacked.
pub(in crate::kubectl) fn values(text: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for node in parse(text).0 {
        let mut value = node.to_value(false);
        let is_list = value["kind"].as_str().is_some_and(|kind| kind.ends_with("List"));
        match value.get_mut("items").map(Value::take) {
            Some(Value::Array(items)) if is_list => all.extend(items),
            Some(items) => {
                *slot(&mut value, "items") = items;
                all.push(value);
            }
            None if value.is_null() => {}
            None => all.push(value),
        }
    }
    all
}
