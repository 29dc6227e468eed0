//! What pods request of resources.

use crate::objects::quantity::in_nano;
use crate::objects::{Container, PodSpec};
use serde_json::Value;
use std::collections::BTreeMap;

/// Amounts of resources in billionths, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Amounts(BTreeMap<String, i128>);

impl Amounts {
    /// What a pod requests: its containers and sidecars together, or an init container with the sidecars before it if that is
    /// more, and its overhead. Models PodRequests, component-helpers/resource/helpers.go.
    pub(super) fn of(spec: &PodSpec) -> Self {
        let mut sum = Self::default();
        spec.containers.iter().for_each(|container| sum.add(&Self::of_container(container), 1));
        let (mut sidecars, mut most) = (Self::default(), Self::default());
        for container in &spec.init_containers {
            let own = Self::of_container(container);
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
        if let Some(overhead) = spec.extra.get("overhead") {
            sum.add(&Self::read(overhead), 1);
        }
        sum
    }

    fn of_container(container: &Container) -> Self {
        container.resources.get("requests").map(Self::read).unwrap_or_default()
    }

    fn read(value: &Value) -> Self {
        let fields = value.as_object().into_iter().flatten();
        Self(fields.filter_map(|(name, value)| Some((name.clone(), amount(value)?))).collect())
    }

    /// What is asked for, by resource.
    pub(super) fn asked(&self) -> impl Iterator<Item = (&str, i128)> {
        self.0.iter().filter(|(_, asked)| **asked > 0).map(|(resource, asked)| (resource.as_str(), *asked))
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

/// An amount in billionths.
pub(super) fn amount(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => in_nano(text),
        other => in_nano(&other.to_string()),
    }
}
