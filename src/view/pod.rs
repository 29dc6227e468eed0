//! A pod, wherever it is drawn: what it shows, and how it came to run what it runs.

use super::act::tag;
use super::model::{Pod, PodAppearance, Revision, UpdateKind, UpdateRank};
use super::readiness::is_kept_unready;
use super::status_word::{ready_column, status_word};
use crate::objects::{self, ContainerStatus, shared};
use crate::sim::{Cluster, readiness_gates};
use std::rc::Rc;

const LIFECYCLE_STATE: &str = "lifecycle.apps.kruise.io/state";

/// Where the pod is in its life, as OpenKruise labels it: `Normal`, `Updating` and others; empty otherwise.
pub(super) fn lifecycle_state(pod: &objects::Pod) -> &str {
    pod.metadata.labels.get(LIFECYCLE_STATE).map_or("", |state| state)
}

/// The pod, of this revision and with this look.
pub(super) fn draw(
    cluster: &Cluster,
    pod: &objects::Pod,
    revision: Revision,
    look: PodAppearance,
    turn: UpdateRank,
) -> Pod {
    let (metadata, spec) = (&pod.metadata, &pod.spec);
    let image = spec.containers.first().map_or("", |container| &container.image);
    Pod {
        key: Rc::clone(&metadata.uid),
        name: Rc::clone(&metadata.name),
        status: shared(&status_word(pod, cluster.release().kubectl())),
        ready: shared(&ready_column(pod)),
        look,
        node: Rc::clone(&spec.node_name),
        ip: Rc::clone(&pod.status.pod_ip),
        tag: shared(tag(image)),
        restarts: ContainerStatus::restarts(pod.status.container_statuses.iter()),
        state: shared(lifecycle_state(pod)),
        gate: gate(pod, "InPlaceUpdateReady").filter(|is_open| !is_open || are_open(pod)),
        is_held: look == PodAppearance::Starting && is_kept_unready(cluster, pod),
        came: came(pod, &revision),
        revision,
        turn,
    }
}

/// Whether a readiness gate is open; none if the pod has no such condition.
pub(super) fn gate(pod: &objects::Pod, name: &str) -> Option<bool> {
    pod.condition(name).map(|condition| &*condition.status == "True")
}

/// Whether no readiness gate of the pod is closed: beside one that is, none is told to be open.
fn are_open(pod: &objects::Pod) -> bool {
    readiness_gates(pod).all(|name| gate(pod, name) == Some(true))
}

/// How a pod of this revision came to run what it runs.
fn came(pod: &objects::Pod, revision: &Revision) -> UpdateKind {
    if pod.metadata.annotations.get("apps.kruise.io/inplace-update-state").is_some() {
        UpdateKind::InPlace
    } else if revision.hue == 0 {
        UpdateKind::First
    } else {
        UpdateKind::Replaced
    }
}
