//! DaemonSet.

mod explain;
mod rules;

use super::workload::{Cause, Counts, Surroundings, Workload, because, node_of, ranked};
use crate::objects::{DaemonSet, Node, Object, Pod, UpdateStrategyType};
use crate::reconcile::{Decision, daemon_set};
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::Notes;
use crate::view::fields::{Field, TYPES};
use crate::view::model::{Blank, Layout, Ranked};
use crate::view::versions::{version_of, versions};
use crate::view::{Explanation, FieldInput};
use std::rc::Rc;

const FIELDS: &[Field] = &[
    Field::new(
        "updateStrategy.type",
        FieldInput::Choice(&TYPES),
        "Whether the controller updates old pods, or the user deletes them.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.maxUnavailable",
        FieldInput::Amount,
        "On how many nodes the pod may be unavailable.",
    ),
    Field::new("updateStrategy.rollingUpdate.maxSurge", FieldInput::Amount, "How many nodes may have two pods."),
    Field::new("minReadySeconds", FieldInput::Number, "Seconds a pod must be Ready before it counts as available."),
    Field::new("revisionHistoryLimit", FieldInput::Number, "How many old revisions are kept."),
];

impl Workload for Rc<DaemonSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts {
            ready: status.number_ready,
            available: status.number_available,
            updated: status.updated_number_scheduled,
        }
    }

    fn fields(&self, _cluster: &Cluster) -> Vec<Field> {
        FIELDS.to_vec()
    }

    fn notes(&self) -> Notes {
        Notes { scale: "One pod on each node that its pods fit on.", ..Notes::default() }
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::cause(self, around, decision?)
    }

    fn unsynced(&self, around: &Surroundings<'_>) -> Option<Explanation> {
        explain::overlooked(self, around)
    }

    fn layout(&self) -> Layout {
        Layout::Nodes
    }

    fn stays_on_lost_node(&self) -> bool {
        true
    }

    fn blanks(&self, around: &Surroundings<'_>, _free: usize, _taken: usize) -> Vec<Blank> {
        let is_bare = |node: &&Rc<Node>| !around.pods.iter().any(|pod| node_of(pod) == node.metadata.name);
        let words = |node: &Node| {
            if daemon_set::runs_on(self, node) { text!("not created yet") } else { text!("no pod wanted here") }
        };
        let blank = |node: &Rc<Node>| {
            let name = &node.metadata.name;
            Blank::new(name.to_string(), Text::verbatim(name), words(node), 0)
        };
        around.cluster.nodes().filter(is_bare).map(blank).collect()
    }

    fn next_updated(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let active = around.active();
        let old = outdated(around.cluster, around.object, self, &active);
        let words = |pod: &Rc<Pod>| {
            if pod.is_ready() { text!("available on {}", node_of(pod)) } else { because(around.cluster, &active, pod) }
        };
        old.into_iter().enumerate().map(|(at, pod)| ranked(at, pod, || words(pod))).collect()
    }
}

/// Old pods that are not available go first, whatever the limits; of the others the order of the nodes decides here. The
/// real controller goes through its nodes in no fixed order.
fn outdated<'p>(cluster: &Cluster, object: &Object, set: &DaemonSet, active: &[&'p Rc<Pod>]) -> Vec<&'p Rc<Pod>> {
    if set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return Vec::new();
    }
    let own = versions(cluster, object);
    let newest = cluster.revisions().filter(|revision| own.contains(&revision.metadata.name));
    let newest = newest.max_by_key(|revision| revision.revision).map(|revision| &revision.metadata.name);
    let is_old = |pod: &&&Rc<Pod>| version_of(pod, &own).map(|at| &own[at]) != newest;
    let (available, lost): (Vec<_>, Vec<_>) = active.iter().filter(is_old).partition(|pod| pod.is_ready());
    lost.into_iter().chain(available).copied().collect()
}
