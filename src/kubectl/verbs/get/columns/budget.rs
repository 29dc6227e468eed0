//! `kubectl get poddisruptionbudgets`: those that were applied, and those that the simulation keeps beside a workload and under its
//! name.

use super::{At, Column, Table, table};
use crate::objects::{DisruptionBudget, DisruptionBudgetSpec, IntOrPercent, Object, ObjectMeta};
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
    let beside = |workload: &Object| {
        let (budget, selector) = (cluster.budget_of(&workload.reference())?, workload.selector()?);
        let (namespace, name) = (&workload.metadata().namespace, &workload.metadata().name);
        Some(DisruptionBudget {
            metadata: ObjectMeta { namespace: Rc::clone(namespace), name: Rc::clone(name), ..ObjectMeta::default() },
            spec: DisruptionBudgetSpec {
                min_available: Some(IntOrPercent::Int(budget.min_available)),
                selector: Some(selector.clone()),
                ..DisruptionBudgetSpec::default()
            },
        })
    };
    let applied = cluster.disruption_budgets().map(|budget| DisruptionBudget::clone(budget));
    applied.chain(cluster.workloads().filter_map(beside)).collect()
}

/// The table of these budgets, and each one's namespace.
pub(in super::super) fn budgets(at: At, budgets: &[DisruptionBudget]) -> (Vec<Rc<str>>, Table) {
    let namespaces = budgets.iter().map(|budget| Rc::clone(&budget.metadata.namespace)).collect();
    (namespaces, table(COLUMNS, at, false, budgets.iter().map(|budget| (budget, at.now))))
}
