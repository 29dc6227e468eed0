//! Which nodes have a pod, and the pod for a node.
//! Models NodeShouldRunDaemonPod and pkg/controller/daemon/util.

use super::history::History;
use crate::objects::daemon_set::TEMPLATE_GENERATION;
use crate::objects::{
    DaemonSet, Node, NodeSelector, NodeSelectorTerm, Pod, PodTemplateSpec, Taint, Toleration, shared,
};
use crate::reconcile::Gates;
use crate::reconcile::pods::{REVISION_LABEL, revision_of};
use crate::reconcile::workload::Work;
use serde_json::Value;
use std::rc::Rc;

/// What every pod of a DaemonSet bears, forever: a node that is not ready, silent, short of something or cordoned. The first
/// two keep the pods that are there; a new one is not made on such a node.
const TOLERATED: [(&str, &str); 6] = [
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
];
/// Borne only by pods that do not need the node's network.
const NETWORK: (&str, &str) = ("node.kubernetes.io/network-unavailable", "NoSchedule");
const GENERATION_LABEL: &str = "pod-template-generation";

/// Whether a node is to have a pod, and whether one that it has may stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    pub(super) runs: bool,
    pub(super) stays: bool,
}

/// Whether a node is to have a pod of the set.
pub fn runs_on(set: &DaemonSet, node: &Node) -> bool {
    node_should_run_daemon_pod(set, node).runs
}

/// Whether a node is to have no pod of the set, and one that is there stays.
pub(crate) fn stays_on(set: &DaemonSet, node: &Node) -> bool {
    let fit = node_should_run_daemon_pod(set, node);
    !fit.runs && fit.stays
}

/// The taint that keeps the set's pods from a node; none if it is something else, or nothing, that does.
pub(crate) fn taint_against<'n>(set: &DaemonSet, node: &'n Node) -> Option<&'n Taint> {
    let borne = tolerations(set);
    let keeps_off = |taint: &&Taint| matches!(&*taint.effect, "NoSchedule" | "NoExecute");
    node.spec.taints.iter().filter(keeps_off).find(|taint| !borne.iter().any(|own| tolerates_taint(own, taint)))
}

/// Models NodeShouldRunDaemonPod.
pub(super) fn node_should_run_daemon_pod(set: &DaemonSet, node: &Node) -> Fit {
    let spec = &set.spec.template.spec;
    let named = spec.node_name.is_empty() || spec.node_name == node.metadata.name;
    if !named || !spec.asks_for(node) {
        return Fit { runs: false, stays: false };
    }
    if node.spec.taints.is_empty() {
        return Fit { runs: true, stays: true };
    }
    let borne = tolerations(set);
    let repels = |taint: &&Taint| !borne.iter().any(|own| tolerates_taint(own, taint));
    let repelling: Vec<&Taint> = node.spec.taints.iter().filter(repels).collect();
    let by = |effect: &str| repelling.iter().any(|taint| &*taint.effect == effect);
    Fit { runs: !by("NoSchedule") && !by("NoExecute"), stays: !by("NoExecute") }
}

/// Models ToleratesTaint of k8s.io/api/core/v1/toleration.go.
fn tolerates_taint(toleration: &Toleration, taint: &Taint) -> bool {
    let key = toleration.key.is_empty() || toleration.key == taint.key;
    let effect = toleration.effect.is_empty() || toleration.effect == taint.effect;
    let value = match &*toleration.operator {
        "" | "Equal" => toleration.value == taint.value,
        operator => operator == "Exists",
    };
    key && effect && value
}

/// The template's tolerations with those of every daemon pod: one that differs in its duration only is replaced in its place.
/// Models AddOrUpdateDaemonPodTolerations.
fn tolerations(set: &DaemonSet) -> Vec<Toleration> {
    let spec = &set.spec.template.spec;
    let mut all: Vec<Toleration> = spec.tolerations.to_vec();
    let host_network = spec.extra.get("hostNetwork") == Some(&Value::Bool(true));
    for (key, effect) in TOLERATED.into_iter().chain(host_network.then_some(NETWORK)) {
        let own =
            Toleration { key: shared(key), operator: shared("Exists"), effect: shared(effect), ..Default::default() };
        if all.contains(&own) {
            continue;
        }
        let is_same = |existing: &Toleration| Toleration { toleration_seconds: None, ..existing.clone() } == own;
        if all.iter().any(is_same) {
            all.iter_mut().filter(|existing| is_same(existing)).for_each(|existing| *existing = own.clone());
        } else {
            all.push(own);
        }
    }
    all
}

/// How often the template has changed, as the API server counts it in an annotation. Models GetTemplateGeneration.
pub(super) fn template_generation(set: &DaemonSet) -> Option<i64> {
    set.metadata.annotations.get(TEMPLATE_GENERATION)?.parse().ok()
}

/// Whether the pod is of the template as it is, by its hash or by the generation. Models IsPodUpdated.
pub(super) fn is_pod_updated(gates: &Gates, set: &DaemonSet, hash: &str, pod: &Pod) -> bool {
    if !hash.is_empty() && *revision_of(pod) == *hash {
        return true;
    }
    let generation = template_generation(set).filter(|_| gates.workloads.knows_daemons_by_generation);
    let label = pod.metadata.labels.get(GENERATION_LABEL).map(|label| &**label);
    generation.is_some_and(|own| label == Some(&own.to_string()))
}

/// The template with what every daemon pod bears, which its pods share.
pub(super) fn template(set: &DaemonSet) -> PodTemplateSpec {
    let mut template = set.spec.template.clone();
    Rc::make_mut(&mut template.spec).tolerations = tolerations(set).into();
    template
}

/// The pod for a node, made of [`template`]: bound to the node by its affinity, so that the scheduler places it.
pub(super) fn new_pod(
    work: &Work<'_>,
    (set, template): (&DaemonSet, &PodTemplateSpec),
    node: &Rc<str>,
    history: &History,
) -> Pod {
    let mut pod = work.pod_of(template);
    let labels = &mut pod.metadata.labels;
    if let Some(generation) = template_generation(set) {
        labels.insert(GENERATION_LABEL, generation.to_string());
    }
    let hash = history.hash();
    if !hash.is_empty() {
        labels.insert(REVISION_LABEL, hash);
    }
    let affinity = Rc::make_mut(&mut pod.spec).affinity.get_or_insert_default();
    affinity.node_affinity.get_or_insert_default().required = Some(NodeSelector::of_node(node));
    pod
}

/// The node a pod is for: the one it runs on, or the one its affinity names. Models GetTargetNodeName.
pub fn node_of(pod: &Pod) -> Option<Rc<str>> {
    if !pod.spec.node_name.is_empty() {
        return Some(Rc::clone(&pod.spec.node_name));
    }
    match pod.spec.required_nodes()?.node_selector_terms.iter().find_map(NodeSelectorTerm::named)? {
        [node] => Some(Rc::clone(node)),
        _ => None,
    }
}
