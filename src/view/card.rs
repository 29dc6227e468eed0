//! A pod of a workload without ordinals: what its card shows, how it came to run what it runs, what can be done to it.

use super::act::tag;
use super::kinds::{Surroundings, Workload, is_active, node_of};
use super::model::{Card, Hook, Layout, UpdateKind, UpdateRank};
use super::status_word::{look, ready_column, status_word};
use super::versions::{short, version, version_of};
use crate::objects::{Pod, shared};
use std::rc::Rc;

const LIFECYCLE_STATE: &str = "lifecycle.apps.kruise.io/state";

/// Where the pod is in its life, as OpenKruise labels it: `Normal`, `Updating` and others; empty otherwise.
pub(super) fn lifecycle_state(pod: &Pod) -> &str {
    pod.metadata.labels.get(LIFECYCLE_STATE).map_or("", |state| state)
}

/// How a pod of this version came to run what it runs.
pub(super) fn came(pod: &Pod, version: Option<usize>) -> UpdateKind {
    match (pod.metadata.annotations.get("apps.kruise.io/inplace-update-state"), version) {
        (Some(_), _) => UpdateKind::InPlace,
        (None, Some(0) | None) => UpdateKind::First,
        (None, Some(_)) => UpdateKind::Replaced,
    }
}

/// Its card, in the first group.
pub(super) fn card(
    (workload, around): (&dyn Workload, &Surroundings<'_>),
    pod: &Rc<Pod>,
    versions: &[Rc<str>],
    surge: bool,
) -> Card {
    let cluster = around.cluster;
    let at = version_of(pod, versions);
    let image = pod.spec.containers.first().map_or("", |container| &container.image);
    let gate = |name: &str| pod.condition(name).map(|condition| &*condition.status == "True");
    let active = is_active(pod);
    let hooks: Vec<Hook> =
        if active { workload.hooks(pod).into_iter().map(|(hook, _)| hook).collect() } else { Vec::new() };
    Card {
        key: Rc::clone(&pod.metadata.uid),
        name: Rc::clone(&pod.metadata.name),
        instance: short(&pod.metadata.name).to_owned(),
        status: shared(&status_word(pod, cluster.release().kubectl())),
        terminating: pod.is_terminating(),
        ready: shared(&ready_column(pod)),
        look: look(cluster, pod),
        // Such a pod is made for its node.
        node: if workload.layout() == Layout::Nodes { node_of(pod) } else { Rc::clone(&pod.spec.node_name) },
        ip: Rc::clone(&pod.status.pod_ip),
        tag: shared(tag(image)),
        restarts: pod.status.container_statuses.iter().map(|status| status.restart_count).sum(),
        revision: version(versions, at),
        state: lifecycle_state(pod).to_owned(),
        gate: gate("InPlaceUpdateReady"),
        kruise_gate: gate("KruisePodReady"),
        came: came(pod, at),
        turn: UpdateRank::None,
        ringed: !hooks.is_empty(),
        hooks,
        surge,
        group: 0,
        claims: claims(pod),
        annotations: pod.metadata.annotations.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect(),
    }
}

fn claims(pod: &Pod) -> Vec<String> {
    let named = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    named.map(|claim| claim.claim_name.to_string()).collect()
}
