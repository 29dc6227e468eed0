//! What pods request of resources.

use crate::objects::quantity::in_nano;
use crate::objects::{Container, PodSpec};
use serde_json::Value;
use std::collections::BTreeMap;

/// Amounts of resources in billionths, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Amounts(BTreeMap<String, i128>);

impl Amounts {
    /// What a pod requests, with its overhead. Models PodRequests, component-helpers/resource/helpers.go.
    pub(super) fn of(spec: &PodSpec) -> Self {
        let mut sum = Self::of_containers(spec, "requests");
        if let Some(overhead) = spec.extra.get("overhead") {
            sum.add(&Self::read(overhead), 1);
        }
        sum
    }

    /// What a pod is limited to, with its overhead where it has a limit. Models PodLimits, as above.
    pub(super) fn limits(spec: &PodSpec) -> Self {
        let mut sum = Self::of_containers(spec, "limits");
        if let Some(overhead) = spec.extra.get("overhead") {
            let limited = Self::read(overhead).0.into_iter().filter(|(name, _)| sum.get(name) > 0).collect();
            sum.add(&Self(limited), 1);
        }
        sum
    }

    /// The `requests` or `limits` of a pod: those of its containers and sidecars together, or of an init container with the sidecars
    /// before it if that is more. What the pod itself says of its resources counts in the place of that.
    pub(super) fn of_containers(spec: &PodSpec, field: &str) -> Self {
        let mut sum = Self::default();
        spec.containers.iter().for_each(|container| sum.add(&Self::of_container(container, field), 1));
        let (mut sidecars, mut most) = (Self::default(), Self::default());
        for container in &spec.init_containers {
            let own = Self::of_container(container, field);
            if container.is_sidecar() {
                sum.add(&own, 1);
                sidecars.add(&own, 1);
                most.raise_to(&sidecars);
            } else {
                let mut together = sidecars.clone();
                together.add(&own, 1);
                most.raise_to(&together);
            }
        }
        sum.raise_to(&most);
        let of_pod = spec.extra.get("resources").and_then(|resources| resources.get(field)).map(Self::read);
        sum.0.extend(of_pod.unwrap_or_default().0.into_iter().filter(|(name, _)| is_of_pods(name)));
        sum
    }

    /// The `requests` or `limits` of a container.
    pub(super) fn of_container(container: &Container, field: &str) -> Self {
        container.resources.get(field).map(Self::read).unwrap_or_default()
    }

    /// The amounts of quantities; what is none is left out.
    pub(super) fn read(value: &Value) -> Self {
        let fields = value.as_object().into_iter().flatten();
        Self(fields.filter_map(|(name, value)| Some((name.clone(), amount(value)?))).collect())
    }

    /// What is asked for, by resource.
    pub(super) fn asked(&self) -> impl Iterator<Item = (&str, i128)> {
        self.0.iter().filter(|(_, asked)| **asked > 0).map(|(resource, asked)| (resource.as_str(), *asked))
    }

    /// Whether something is said of a resource, be it that there is none.
    pub(super) fn has(&self, resource: &str) -> bool {
        self.0.contains_key(resource)
    }

    /// All of them, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, i128)> {
        self.0.iter().map(|(resource, amount)| (resource.as_str(), *amount))
    }

    /// Sets one.
    pub(super) fn set(&mut self, resource: impl Into<String>, amount: i128) {
        self.0.insert(resource.into(), amount);
    }

    pub(super) fn get(&self, resource: &str) -> i128 {
        self.0.get(resource).copied().unwrap_or(0)
    }

    /// Adds the others so many times.
    pub(super) fn add(&mut self, other: &Self, times: i128) {
        for (name, amount) in &other.0 {
            match self.0.get_mut(name) {
                Some(own) => *own = own.saturating_add(amount.saturating_mul(times)),
                None => drop(self.0.insert(name.clone(), amount.saturating_mul(times))),
            }
        }
    }

    fn raise_to(&mut self, other: &Self) {
        for (name, amount) in &other.0 {
            let own = self.0.entry(name.clone()).or_default();
            *own = (*own).max(*amount);
        }
    }
}

/// The resources that a pod itself may say something of. Models SupportedPodLevelResources.
fn is_of_pods(resource: &str) -> bool {
    ["cpu", "memory"].contains(&resource) || resource.starts_with("hugepages-")
}

/// An amount in billionths.
pub(super) fn amount(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => in_nano(text),
        other => in_nano(&other.to_string()),
    }
}
