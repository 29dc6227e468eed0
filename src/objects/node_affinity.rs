//! Which nodes a pod asks for, or a volume can be reached from.

use super::json::nullable;
use super::{Labels, List, Node, Requirement};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// `affinity.nodeAffinity` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeAffinity {
    /// What must hold.
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution", skip_serializing_if = "Option::is_none")]
    pub required: Option<NodeSelector>,
    /// What is better to hold.
    #[serde(
        rename = "preferredDuringSchedulingIgnoredDuringExecution",
        deserialize_with = "nullable",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub preferred: Vec<PreferredSchedulingTerm>,
}

/// `nodeAffinity` of a volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VolumeNodeAffinity {
    /// The nodes it can be reached from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<NodeSelector>,
}

/// Terms of which one must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelector {
    /// The terms.
    pub node_selector_terms: List<NodeSelectorTerm>,
}

/// One of the preferred terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PreferredSchedulingTerm {
    /// 1 to 100.
    #[serde(deserialize_with = "nullable")]
    pub weight: i64,
    /// The term.
    #[serde(deserialize_with = "nullable")]
    pub preference: NodeSelectorTerm,
}

/// Conditions that must all hold. Without any the term suits no node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelectorTerm {
    /// On labels. `Gt` and `Lt` compare whole numbers.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
    /// On fields, of which there is `metadata.name`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub match_fields: Vec<Requirement>,
}

/// The only field of nodes that a term can ask for.
const NAME: &str = "metadata.name";

impl NodeSelector {
    /// The one that asks for the node of this name.
    pub(crate) fn of_node(name: &Rc<str>) -> Self {
        let named =
            Requirement { key: super::shared(NAME), operator: super::shared("In"), values: vec![Rc::clone(name)] };
        let term = NodeSelectorTerm { match_fields: vec![named], ..NodeSelectorTerm::default() };
        Self { node_selector_terms: vec![term].into() }
    }

    /// Whether the node suits one of the terms.
    pub(crate) fn suits(&self, node: &Node) -> bool {
        self.node_selector_terms.iter().any(|term| term.suits(node))
    }
}

impl NodeSelectorTerm {
    /// Whether the node meets them.
    pub(crate) fn suits(&self, node: &Node) -> bool {
        let Self { match_expressions: labels, match_fields: fields } = self;
        let has_field = |condition: &Requirement| {
            let field = if *condition.key == *NAME { &*node.metadata.name } else { "" };
            condition.values.len() == 1 && is_met(condition, Some(field)) == Some(true)
        };
        let has_label =
            |condition: &Requirement| is_met(condition, label(&node.metadata.labels, condition)) == Some(true);
        !(labels.is_empty() && fields.is_empty()) && labels.iter().all(has_label) && fields.iter().all(has_field)
    }

    /// The nodes that it names; none if it does not name any.
    pub(crate) fn named(&self) -> Option<&[Rc<str>]> {
        let is_of_name = |field: &&Requirement| *field.key == *NAME && *field.operator == *"In";
        self.match_fields.iter().find(is_of_name).map(|field| &*field.values)
    }
}

fn label<'n>(labels: &'n Labels, condition: &Requirement) -> Option<&'n str> {
    labels.get(&condition.key).map(|value| &**value)
}

/// None where the condition is not one.
fn is_met(condition: &Requirement, actual: Option<&str>) -> Option<bool> {
    let values = &condition.values;
    let number = |text: &str| text.parse::<i64>().ok();
    let compared = |compare: fn(&i64, &i64) -> bool| {
        let [bound] = &values[..] else { return None };
        let bound = number(bound)?;
        Some(actual.and_then(number).is_some_and(|actual| compare(&actual, &bound)))
    };
    let is_among = actual.is_some_and(|actual| values.iter().any(|value| **value == *actual));
    match (&*condition.operator, values.is_empty()) {
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
    use crate::objects::Requirement;

    #[test]
    fn each_operator_compares_as_the_scheduler_does() {
        let met = |operator: &str, values: &[&str], actual| {
            let values = values.iter().map(|value| (*value).into()).collect();
            is_met(&Requirement { key: "k".into(), operator: operator.into(), values }, actual)
        };
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
