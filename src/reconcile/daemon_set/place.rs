//! Which nodes have a pod, and the pod for a node.
//! Models NodeShouldRunDaemonPod and pkg/controller/daemon/util.

use super::Placed;
use super::history::History;
use crate::objects::{DaemonSet, Node, Pod, Taint, Toleration};
use crate::reconcile::pods::REVISION_LABEL;
use crate::reconcile::workload::Work;
use serde_json::{Value, json};
use std::rc::Rc;

/// What every pod of a DaemonSet bears, for ever: a node that is not ready, silent, short of something or cordoned.
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
const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";

/// Whether a node is to have a pod, and whether one that it has may stay.
pub(super) struct Fit {
    pub(super) runs: bool,
    pub(super) stays: bool,
}

/// Whether a node is to have a pod of the set.
pub fn runs_on(set: &DaemonSet, node: &Node) -> bool {
    fit(set, node).runs
}

pub(super) fn fit(set: &DaemonSet, node: &Node) -> Fit {
    let spec = &set.spec.template.spec;
    let named = spec.node_name.is_empty() || spec.node_name == node.metadata.name;
    let selected = spec.node_selector.iter().all(|(key, value)| node.metadata.labels.get(key) == Some(value));
    if !named || !selected {
        return Fit { runs: false, stays: false };
    }
    let borne = tolerations(set);
    let repels = |taint: &&Taint| {
        let own = borne.iter().any(|own| bears(own, taint));
        !own && !is_unschedulable(taint)
    };
    let repelling: Vec<&Taint> = node.spec.taints.iter().filter(repels).collect();
    let by = |effect: &str| repelling.iter().any(|taint| &*taint.effect == effect);
    Fit { runs: !by("NoSchedule") && !by("NoExecute"), stays: !by("NoExecute") }
}

/// The taints by which a silent node keeps new pods away: the API server puts a toleration against them into every daemon pod.
fn is_unschedulable(taint: &Taint) -> bool {
    &*taint.effect == "NoSchedule" && TOLERATED[..2].iter().any(|(key, _)| *key == &*taint.key)
}

fn bears(toleration: &Toleration, taint: &Taint) -> bool {
    let key = toleration.key.is_empty() || toleration.key == taint.key;
    let effect = toleration.effect.is_empty() || toleration.effect == taint.effect;
    key && effect && (&*toleration.operator == "Exists" || toleration.value == taint.value)
}

fn tolerations(set: &DaemonSet) -> Vec<Toleration> {
    let spec = &set.spec.template.spec;
    let mut all = spec.tolerations.clone();
    let host_network = spec.extra.get("hostNetwork") == Some(&Value::Bool(true));
    for (key, effect) in TOLERATED.into_iter().chain(host_network.then_some(NETWORK)) {
        let own =
            Toleration { key: key.into(), operator: "Exists".into(), effect: effect.into(), ..Default::default() };
        // The same one with another duration gives way.
        all.retain(|held| (&*held.key, &*held.effect, &*held.operator) != (key, effect, "Exists"));
        all.push(own);
    }
    all
}

/// The pod for a node: bound to it by its affinity, so that the scheduler places it.
pub(super) fn new_pod(work: &Work<'_>, set: &DaemonSet, node: &Rc<str>, history: &History) -> Pod {
    let mut pod = work.pod_of(&set.spec.template);
    let labels = &mut pod.metadata.labels;
    labels.insert(REVISION_LABEL, history.hash());
    labels.insert(GENERATION_LABEL, set.metadata.generation.to_string());
    let spec = Rc::make_mut(&mut pod.spec);
    spec.tolerations = tolerations(set);
    let term = json!({"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]});
    let affinity = spec.extra.entry("affinity").or_insert_with(|| json!({}));
    affinity["nodeAffinity"][REQUIRED] = json!({"nodeSelectorTerms": [term]});
    pod
}

/// The node a pod is for: the one it runs on, or the one its affinity names. Models GetTargetNodeName.
pub fn node_of(pod: &Pod) -> Option<Rc<str>> {
    if !pod.spec.node_name.is_empty() {
        return Some(Rc::clone(&pod.spec.node_name));
    }
    let path = format!("/nodeAffinity/{REQUIRED}/nodeSelectorTerms/0/matchFields/0/values/0");
    pod.spec.extra.get("affinity")?.pointer(&path)?.as_str().map(Into::into)
}

/// The pods by node, those that ended and are going left out. Models getNodesToDaemonPods.
pub(super) fn by_node(pods: &[Rc<Pod>]) -> Placed {
    let mut placed = Placed::new();
    for pod in pods {
        let is_over = crate::reconcile::pods::has_ended(pod) && pod.metadata.deletion_timestamp.is_some();
        if let Some(node) = node_of(pod).filter(|_| !is_over) {
            placed.entry(node).or_default().push(Rc::clone(pod));
        }
    }
    placed
}
