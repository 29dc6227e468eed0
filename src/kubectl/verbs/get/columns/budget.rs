//! `kubectl get poddisruptionbudgets`: those that were applied, and those that the simulation keeps beside a workload and under its
//! name.

use super::{At, Column, Table, table};
use crate::objects::{DisruptionBudget, IntOrPercent};
use crate::sim::Cluster;
use std::rc::Rc;

const COLUMNS: &[Column<DisruptionBudget>] = &[
    Column::new("NAME", |budget, _| budget.metadata.name.to_string()),
    Column::new("MIN AVAILABLE", |budget, _| limit(budget.spec.min_available.as_ref())),
    Column::new("MAX UNAVAILABLE", |budget, _| limit(budget.spec.max_unavailable.as_ref())),
    Column::new("ALLOWED DISRUPTIONS", |budget, at| {
        at.cluster.disruption_status(budget).disruptions_allowed.to_string()
    }),
    Column::new("AGE", |budget, at| at.age(&budget.metadata)),
];

fn limit(limit: Option<&IntOrPercent>) -> String {
    limit.map_or_else(|| "N/A".to_owned(), ToString::to_string)
}

/// All budgets there are.
pub(in crate::kubectl) fn budgets_of(cluster: &Cluster) -> Vec<DisruptionBudget> {
    cluster.all_disruption_budgets().map(Rc::unwrap_or_clone).collect()
}

/// The table of these budgets, and each one's namespace.
pub(in super::super) fn budgets(at: At, budgets: &[DisruptionBudget]) -> (Vec<Rc<str>>, Table) {
    let namespaces = budgets.iter().map(|budget| Rc::clone(&budget.metadata.namespace)).collect();
    (namespaces, table(COLUMNS, at, false, budgets.iter().map(|budget| (budget, at.now))))
}
