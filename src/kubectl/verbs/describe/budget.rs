//! `kubectl describe poddisruptionbudget`. Models describePodDisruptionBudgetV1 of describe.go of k8s.io/kubectl.

use super::{name_and_space, row};
use crate::kubectl::text::selector;
use crate::objects::DisruptionBudget;
use crate::sim::Cluster;

pub(super) fn describe(cluster: &Cluster, budget: &DisruptionBudget) -> String {
    let (spec, status) = (&budget.spec, cluster.disruption_status(budget));
    let limit = match (&spec.min_available, &spec.max_unavailable) {
        (Some(least), _) => row("Min available", &least.to_string()),
        (None, Some(most)) => row("Max unavailable", &most.to_string()),
        (None, None) => String::new(),
    };
    let selector = spec.selector.as_ref().map_or_else(|| "<unset>".to_owned(), selector);
    name_and_space(&budget.metadata)
        + &limit
        + &row("Selector", &selector)
        + "Status:\n"
        + &row("    Allowed disruptions", &status.disruptions_allowed.to_string())
        + &row("    Current", &status.current_healthy.to_string())
        + &row("    Desired", &status.desired_healthy.to_string())
        + &row("    Total", &status.expected_pods.to_string())
}
