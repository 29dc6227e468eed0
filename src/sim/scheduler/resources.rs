//! NodeResourcesFit: what pods request against what a node has for pods.

use super::Misfit;
use super::snapshot::{Host, Incoming};
use crate::objects::quantity::in_nano;
use crate::objects::{Container, Node, PodSpec};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    let Some(allocatable) = host.node.status.extra.get("allocatable") else { return Vec::new() };
    let mut misfits = Vec::new();
    let here = || i128::try_from(host.unfinished().count()).unwrap_or(i128::MAX);
    if allocatable.get("pods").and_then(amount).is_some_and(|most| (here() + 1) * NANO > most) {
        misfits.push(Misfit::TooManyPods);
    }
    for (resource, asked) in incoming.asks.asked() {
        if free(host, resource).is_some_and(|free| asked > free) {
            misfits.push(Misfit::Insufficient(resource.into()));
        }
    }
    misfits
}

/// What a node has of a resource and its pods do not request, in billionths; none if it does not say how much it has.
pub(super) fn free(host: &Host<'_>, resource: &str) -> Option<i128> {
    let has = capacity(host.node, resource)?;
    Some(has - host.unfinished().map(|pod| Amounts::of(&pod.spec).get(resource)).sum::<i128>())
}

const NANO: i128 = 1_000_000_000;
/// What every node has, though a simulated one does not always say how much.
const NATIVE: [&str; 3] = ["cpu", "memory", "ephemeral-storage"];

/// Amounts of resources in billionths, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Amounts(BTreeMap<String, i128>);

impl Amounts {
    /// What a pod requests: its containers and sidecars together, or an init container with the sidecars before it if that is
    /// more, and its overhead. Models PodRequests, component-helpers/resource/helpers.go.
    pub(super) fn of(spec: &PodSpec) -> Self {
        let mut sum = Self::default();
        spec.containers.iter().for_each(|container| sum.add(&Self::of_container(container)));
        let (mut sidecars, mut most) = (Self::default(), Self::default());
        for container in &spec.init_containers {
            let own = Self::of_container(container);
            if container.is_sidecar() {
                sum.add(&own);
                sidecars.add(&own);
                most.raise_to(&sidecars);
            } else {
                let mut together = sidecars.clone();
                together.add(&own);
                most.raise_to(&together);
            }
        }
        sum.raise_to(&most);
        if let Some(overhead) = spec.extra.get("overhead") {
            sum.add(&Self::read(overhead));
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

    fn get(&self, resource: &str) -> i128 {
        self.0.get(resource).copied().unwrap_or(0)
    }

    fn add(&mut self, other: &Self) {
        for (name, amount) in &other.0 {
            *self.0.entry(name.clone()).or_default() += amount;
        }
    }

    fn raise_to(&mut self, other: &Self) {
        for (name, amount) in &other.0 {
            let own = self.0.entry(name.clone()).or_default();
            *own = (*own).max(*amount);
        }
    }
}

/// What a node has for pods of a resource, in billionths; none if it has some and does not say how much.
pub(super) fn capacity(node: &Node, resource: &str) -> Option<i128> {
    let said = node.status.extra.get("allocatable").and_then(|allocatable| amount(allocatable.get(resource)?));
    said.or(if NATIVE.contains(&resource) { None } else { Some(0) })
}

fn amount(value: &Value) -> Option<i128> {
    match value {
        Value::String(text) => in_nano(text),
        other => in_nano(&other.to_string()),
    }
}
