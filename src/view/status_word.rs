//! How pods look.

use super::PodAppearance;
pub(super) use crate::kubectl::{PodStatus, pod_status, ready_column, status_word};
use crate::objects::{Node, Pod, PodPhase};
use crate::reconcile::is_running_and_ready;
use crate::releases::Release;
use crate::sim::{Cluster, Failure, NodeHealth};
use crate::text::Text;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Whether the API knows that the pod's node does not answer, or the node is gone.
pub(super) fn is_unreachable(cluster: &Cluster, pod: &Pod) -> bool {
    if pod.spec.node_name.is_empty() {
        return false;
    }
    let node = cluster.nodes().find(|node| node.metadata.name == pod.spec.node_name);
    node.is_none_or(|node| is_lost(cluster, node))
}

/// Whether the node's kubelet answers, and says that it is not Ready.
pub(super) fn is_unwell(cluster: &Cluster, node: &str) -> bool {
    matches!(cluster.node_health(node), NodeHealth::Failed { failure: Failure::KubeletUnwell, .. })
}

/// What the API knows of a node that is lost.
pub(super) fn how_lost(cluster: &Cluster, node: &str) -> Text {
    match is_unwell(cluster, node) {
        true => text!("whose kubelet says that it is not Ready"),
        false => text!("which cannot be reached"),
    }
}

/// The nodes that can be reached, read once for many pods.
pub(super) struct Reach<'a>(BTreeSet<&'a str>);

impl<'a> Reach<'a> {
    pub(super) fn of(cluster: &'a Cluster) -> Self {
        let answers = |node: &&'a Rc<Node>| !is_lost(cluster, node);
        Self(cluster.nodes().filter(answers).map(|node| &*node.metadata.name).collect())
    }

    /// Their names.
    pub(super) fn names(&self) -> Vec<Rc<str>> {
        self.0.iter().map(|name| Rc::from(*name)).collect()
    }

    /// As `is_unreachable` says.
    pub(super) fn is_unreachable(&self, pod: &Pod) -> bool {
        !pod.spec.node_name.is_empty() && !self.0.contains(&*pod.spec.node_name)
    }
}

fn is_lost(cluster: &Cluster, node: &Node) -> bool {
    !node.is_ready() && matches!(cluster.node_health(&node.metadata.name), NodeHealth::Failed { .. })
}

/// How the pod looks.
pub(super) fn look(cluster: &Cluster, pod: &Pod) -> PodAppearance {
    if is_unreachable(cluster, pod) { PodAppearance::Unreachable } else { look_of(pod) }
}

/// How the pod looks on a node that can be reached.
pub(super) fn look_of(pod: &Pod) -> PodAppearance {
    if pod.is_terminating() {
        return PodAppearance::Terminating;
    }
    // The words of the releases for pods that ended look alike.
    match pod_status(pod, Release::default().kubectl()) {
        PodStatus::Phase(PodPhase::None | PodPhase::Pending) => PodAppearance::Pending,
        PodStatus::Reason(reason) if &*reason == "SchedulingGated" => PodAppearance::Pending,
        PodStatus::Waiting(reason) if matches!(&*reason, "ContainerCreating" | "PodInitializing") => {
            PodAppearance::Pending
        }
        PodStatus::Init(how) if how.contains('/') => PodAppearance::Pending,
        PodStatus::Phase(PodPhase::Running) if is_running_and_ready(pod) => PodAppearance::Ready,
        // A container that ended well is no failure: the others run, as they do while a pod starts.
        PodStatus::Phase(PodPhase::Running) | PodStatus::NotReady => PodAppearance::Starting,
        _ => PodAppearance::Failed,
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::look_of;
    use crate::objects::Pod;
    use crate::view::PodAppearance::{self, Failed, Pending, Ready, Starting};
    use crate::view::state_word;

    fn pod(phase: &str, is_ready: bool, conditions: &str, containers: &[&str]) -> Pod {
        let condition = format!("{{type: Ready, status: '{}'}}", if is_ready { "True" } else { "False" });
        let statuses: Vec<String> =
            containers.iter().enumerate().map(|(at, one)| format!("{{name: c{at}, {one}}}")).collect();
        let text = format!(
            "{{metadata: {{name: web-0}}, spec: {{containers: []}}, status: {{phase: {phase}, conditions: [{condition}{conditions}], containerStatuses: [{}]}}}}",
            statuses.join(", ")
        );
        serde_json::from_value(crate::kubectl::manifest::read_value(&text).unwrap()).unwrap()
    }

    const RUNS: &str = "ready: true, state: {running: {}}";
    const STARTS: &str = "ready: false, state: {running: {}}";
    const ENDED_WELL: &str = "ready: false, state: {terminated: {exitCode: 0, reason: Completed}}";
    const ENDED_BADLY: &str = "ready: false, state: {terminated: {exitCode: 1, reason: Error}}";
    const GATED: &str = ", {type: PodScheduled, status: 'False', reason: SchedulingGated}";

    #[test]
    fn a_pod_looks_as_its_containers_are_and_says_it_in_a_word() {
        for (phase, is_ready, conditions, containers, look, word) in [
            ("Running", true, "", &[RUNS][..], Ready, "Ready"),
            ("Running", false, "", &[STARTS], Starting, "Starting"),
            ("Running", true, "", &[RUNS, ENDED_WELL], Ready, "Ready"),
            ("Running", false, "", &[RUNS, ENDED_WELL], Starting, "Not Ready"),
            ("Running", false, "", &[RUNS, ENDED_BADLY], Failed, "Failed"),
            ("Running", false, "", &[RUNS, ENDED_BADLY, ENDED_WELL], Failed, "Failed"),
            ("Running", false, "", &[ENDED_WELL], Failed, "Ended"),
            ("Pending", false, GATED, &[], Pending, "Gated"),
            ("Pending", false, "", &[], Pending, "Pending"),
        ] {
            let pod = pod(phase, is_ready, conditions, containers);
            let status = super::pod_status(&pod, crate::releases::Release::default().kubectl()).to_string();
            let said = state_word(look_of(&pod), &status, false).to_string();
            let found: (PodAppearance, &str) = (look_of(&pod), &said);
            assert_eq!(found, (look, word), "{status}: {containers:?}");
        }
    }
}
