//! `kubectl get poddisruptionbudgets`. The simulation keeps a budget beside its workload and under its name.

use super::{At, Column, Table, table};
use crate::objects::{Object, ObjectRef, Pod};
use crate::sim::{Budget, Cluster};

struct Row {
    workload: ObjectRef,
    budget: Budget,
    healthy: usize,
}

const COLUMNS: &[Column<Row>] = &[
    Column::new("NAME", |row, _| row.workload.name.to_string()),
    Column::new("MIN AVAILABLE", |row, _| row.budget.min_available.to_string()),
    Column::new("MAX UNAVAILABLE", |_, _| "N/A".to_owned()),
    Column::new("ALLOWED DISRUPTIONS", |row, _| {
        let needed = usize::try_from(row.budget.min_available).unwrap_or_default();
        row.healthy.saturating_sub(needed).to_string()
    }),
    Column::new("AGE", |_, _| "<unknown>".to_owned()),
];

fn is_healthy(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_none()
        && pod.condition("Ready").is_some_and(|condition| &*condition.status == "True")
}

fn row(cluster: &Cluster, workload: &Object) -> Option<Row> {
    let (budget, selector) = (cluster.budget_of(&workload.reference())?, workload.selector()?);
    let namespace = &workload.metadata().namespace;
    let selected = |pod: &Pod| pod.metadata.namespace == *namespace && selector.matches(&pod.metadata.labels);
    let healthy = cluster.pods().filter(|pod| selected(pod) && is_healthy(pod)).count();
    Some(Row { workload: workload.reference(), budget, healthy })
}

/// The table of the budgets of these workloads.
pub(in super::super) fn budgets<'a>(at: At, workloads: impl Iterator<Item = &'a Object>) -> Table {
    let rows: Vec<Row> = workloads.filter_map(|workload| row(at.cluster, workload)).collect();
    table(COLUMNS, at, false, rows.iter().map(|row| (row, at.now)))
}
