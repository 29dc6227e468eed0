//! Whether a node is one that a pod asks for. Models GetRequiredNodeAffinity of
//! k8s.io/component-helpers/scheduling/corev1/nodeaffinity.

use super::{Node, PodSpec};
use serde_json::Value;

/// The field of an affinity that must hold when a pod is scheduled.
pub const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

/// Whether the node has the labels of the node selector and suits the required node affinity.
pub fn asks_for(spec: &PodSpec, node: &Node) -> bool {
    let selected = spec.node_selector.iter().all(|(key, value)| node.metadata.labels.get(key) == Some(value));
    let required = spec.extra.get("affinity").and_then(|affinity| affinity.get("nodeAffinity")?.get(REQUIRED));
    selected && required.is_none_or(|required| is_suited(required, node))
}

/// Whether the node suits one of the terms of a node selector.
pub fn is_suited(selector: &Value, node: &Node) -> bool {
    list(selector, "nodeSelectorTerms").iter().any(|term| holds(term, node))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The sum of the weights of the preferred node affinity that the node suits; none if nothing is preferred.
/// Models PreferredSchedulingTerms.Score.
pub fn preference(spec: &PodSpec, node: &Node) -> Option<i64> {
    let terms =
        list(spec.extra.get("affinity")?.get("nodeAffinity")?, "preferredDuringSchedulingIgnoredDuringExecution");
    let weight = |term: &Value| {
        let preference = term.get("preference").filter(|preference| holds(preference, node));
        preference.and_then(|_| term.get("weight")?.as_i64()).unwrap_or(0)
    };
    (!terms.is_empty()).then(|| terms.iter().map(weight).sum())
}

/// A term without conditions suits no node.
fn holds(term: &Value, node: &Node) -> bool {
    let (labels, fields) = (list(term, "matchExpressions"), list(term, "matchFields"));
    let label = |key: &str| node.metadata.labels.get(key).map(|value| &**value);
    let has_field = |condition: &Value| {
        let field = if condition["key"] == "metadata.name" { &*node.metadata.name } else { "" };
        list(condition, "values").len() == 1 && is_met(condition, Some(field)) == Some(true)
    };
    let has_label =
        |condition: &Value| is_met(condition, label(condition["key"].as_str().unwrap_or_default())) == Some(true);
    !(labels.is_empty() && fields.is_empty()) && labels.iter().all(has_label) && fields.iter().all(has_field)
}

/// None where the condition is not one.
fn is_met(condition: &Value, actual: Option<&str>) -> Option<bool> {
    let values: Vec<&str> = list(condition, "values").iter().filter_map(Value::as_str).collect();
    let number = |text: &str| text.parse::<i64>().ok();
    let compared = |compare: fn(&i64, &i64) -> bool| {
        let [bound] = values[..] else { return None };
        let bound = number(bound)?;
        Some(actual.and_then(number).is_some_and(|actual| compare(&actual, &bound)))
    };
    let is_among = actual.is_some_and(|actual| values.contains(&actual));
    match (condition["operator"].as_str()?, values.is_empty()) {
        ("In", false) => Some(is_among),
        ("NotIn", false) => Some(!is_among),
        ("Exists", true) => Some(actual.is_some()),
        ("DoesNotExist", true) => Some(actual.is_none()),
        ("Gt", false) => compared(i64::gt),
        ("Lt", false) => compared(i64::lt),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_met;
    use serde_json::json;

    #[test]
    fn each_operator_compares_as_the_scheduler_does() {
        let met =
            |operator: &str, values: &[&str], actual| is_met(&json!({"operator": operator, "values": values}), actual);
        assert_eq!(met("In", &["a", "b"], Some("b")), Some(true));
        assert_eq!(met("NotIn", &["a"], None), Some(true));
        assert_eq!(met("Exists", &[], None), Some(false));
        assert_eq!(met("Gt", &["4"], Some("5")), Some(true));
        assert_eq!(met("Lt", &["4"], Some("five")), Some(false));
        assert_eq!(met("In", &[], Some("a")), None);
        assert_eq!(met("Lt", &["many"], Some("3")), None);
        assert_eq!(met("Like", &["a"], Some("a")), None);
    }
}
