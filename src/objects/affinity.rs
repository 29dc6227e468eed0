//! What a pod asks for of its node and of the pods beside it: affinity, anti-affinity and topology spread.

use super::json::{nullable, text};
use super::node_affinity::NodeAffinity;
use super::{LabelSelector, Labels, ObjectMeta, Shared};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// `affinity` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Affinity {
    /// Of which nodes it would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_affinity: Option<NodeAffinity>,
    /// Beside which pods it would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_affinity: Option<Shared<PodAffinity>>,
    /// Beside which pods it would not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pod_anti_affinity: Option<Shared<PodAffinity>>,
}

/// `podAffinity` or `podAntiAffinity`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodAffinity {
    /// Terms that must all hold.
    #[serde(
        rename = "requiredDuringSchedulingIgnoredDuringExecution",
        deserialize_with = "nullable",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub required: Vec<PodAffinityTerm>,
    /// Terms that are better to hold.
    #[serde(
        rename = "preferredDuringSchedulingIgnoredDuringExecution",
        deserialize_with = "nullable",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub preferred: Vec<WeightedPodAffinityTerm>,
}

/// One of the preferred terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WeightedPodAffinityTerm {
    /// 1 to 100.
    #[serde(deserialize_with = "nullable")]
    pub weight: i64,
    /// The term.
    #[serde(deserialize_with = "nullable")]
    pub pod_affinity_term: PodAffinityTerm,
}

/// Pods, and the label of nodes that says which of them are in one place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodAffinityTerm {
    /// Which pods; without it none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_selector: Option<LabelSelector>,
    /// Of these namespaces.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<Rc<str>>,
    /// And of namespaces with these labels. Without both, of the pod's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace_selector: Option<LabelSelector>,
    /// Such as `kubernetes.io/hostname`.
    #[serde(deserialize_with = "text")]
    pub topology_key: Rc<str>,
    /// Labels that the pods must share with this one.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub match_label_keys: Vec<Rc<str>>,
    /// Labels that they must not share.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub mismatch_label_keys: Vec<Rc<str>>,
}

impl PodAffinityTerm {
    /// Whether the term, which is the pod `of`'s, is about the pod `other`. A namespace has one label, its name.
    pub(crate) fn is_about(&self, of: &ObjectMeta, other: &ObjectMeta) -> bool {
        let namespace = &other.namespace;
        let is_own = self.namespaces.is_empty() && self.namespace_selector.is_none();
        let is_named = self.namespaces.contains(namespace) || (is_own && *namespace == of.namespace);
        let name = || [("kubernetes.io/metadata.name", Rc::clone(namespace))].into_iter().collect::<Labels>();
        let is_selected = || self.namespace_selector.as_ref().is_some_and(|selector| selector.matches(&name()));
        (is_named || is_selected())
            && self.label_selector.as_ref().is_some_and(|selector| selector.matches(&other.labels))
            && share(of, other, &self.match_label_keys)
            && differ(of, other, &self.mismatch_label_keys)
    }
}

/// A label that the first does not have is not compared.
fn share(of: &ObjectMeta, other: &ObjectMeta, keys: &[Rc<str>]) -> bool {
    keys.iter().all(|key| of.labels.get(key).is_none_or(|own| other.labels.get(key) == Some(own)))
}

fn differ(of: &ObjectMeta, other: &ObjectMeta, keys: &[Rc<str>]) -> bool {
    keys.iter().all(|key| of.labels.get(key).is_none_or(|own| other.labels.get(key) != Some(own)))
}

/// One of `spec.topologySpreadConstraints`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TopologySpreadConstraint {
    /// How many pods more than in the least filled place.
    pub max_skew: i64,
    /// The label of nodes that says what a place is.
    #[serde(deserialize_with = "text")]
    pub topology_key: Rc<str>,
    /// `DoNotSchedule` or `ScheduleAnyway`.
    #[serde(deserialize_with = "text")]
    pub when_unsatisfiable: Rc<str>,
    /// Which pods count; without it none.
    pub label_selector: Option<LabelSelector>,
    /// With fewer places than this the least filled one counts as empty.
    pub min_domains: Option<usize>,
    /// `Honor` (the default): nodes that the pod does not ask for do not count. Or `Ignore`.
    pub node_affinity_policy: Option<Rc<str>>,
    /// `Ignore` (the default), or `Honor`: nodes whose taints the pod does not tolerate do not count.
    pub node_taints_policy: Option<Rc<str>>,
    /// Labels that pods must share with this one to count.
    #[serde(deserialize_with = "nullable")]
    pub match_label_keys: Vec<Rc<str>>,
}

impl TopologySpreadConstraint {
    /// Whether the pod `other` counts for the pod `of`, which has the constraint.
    pub(crate) fn counts(&self, of: &ObjectMeta, other: &ObjectMeta) -> bool {
        of.namespace == other.namespace
            && self.label_selector.as_ref().is_some_and(|selector| selector.matches(&other.labels))
            && share(of, other, &self.match_label_keys)
    }
}

#[cfg(test)]
mod tests {
    use super::PodAffinityTerm;
    use crate::objects::{Json, ObjectMeta};
    use serde_json::{Value, json};

    fn pod(namespace: &str, app: &str) -> ObjectMeta {
        ObjectMeta::from_json(json!({"name": "p", "namespace": namespace, "labels": {"app": app}})).unwrap()
    }

    fn is_about(term: Value, namespace: &str, app: &str) -> bool {
        let term: PodAffinityTerm = serde_json::from_value(term).unwrap();
        term.is_about(&pod("here", "web"), &pod(namespace, app))
    }

    #[test]
    fn a_term_is_about_the_selected_pods_of_its_namespaces() {
        let web = json!({"matchLabels": {"app": "web"}});
        assert!(is_about(json!({"labelSelector": web}), "here", "web"));
        assert!(!is_about(json!({"labelSelector": web}), "there", "web"));
        assert!(is_about(json!({"labelSelector": web, "namespaces": ["there"]}), "there", "web"));
        assert!(!is_about(json!({"labelSelector": web, "namespaces": ["there"]}), "here", "web"));
        assert!(is_about(json!({"labelSelector": web, "namespaceSelector": {}}), "there", "web"));
        assert!(!is_about(json!({}), "here", "web"));
        assert!(is_about(json!({"labelSelector": {}, "matchLabelKeys": ["app"]}), "here", "web"));
        assert!(!is_about(json!({"labelSelector": {}, "matchLabelKeys": ["app"]}), "here", "db"));
        assert!(is_about(json!({"labelSelector": {}, "mismatchLabelKeys": ["app"]}), "here", "db"));
    }
}
