//! What OpenKruise's controllers ask of a pod: its place in its life, its gates, its revision.

use crate::objects::{Labels, Pod};
use crate::reconcile::pods::{REVISION_LABEL, revision_of};

/// The label that asks for a pod's deletion by being there.
pub(in crate::reconcile) const SPECIFIED_DELETE_LABEL: &str = "apps.kruise.io/specified-delete";
/// The label that holds the short hash of a pod's revision.
pub(in crate::reconcile) const TEMPLATE_HASH_LABEL: &str = "pod-template-hash";
/// The label that holds a pod's place in its life.
pub(in crate::reconcile) const STATE_LABEL: &str = "lifecycle.apps.kruise.io/state";
/// The condition, and the readiness gate, that an update in place closes.
pub(in crate::reconcile) const IN_PLACE_READY: &str = "InPlaceUpdateReady";

/// Where a pod is in its life; the empty text counts as Normal.
pub(in crate::reconcile) mod life {
    pub(in crate::reconcile) const PREPARING_NORMAL: &str = "PreparingNormal";
    pub(in crate::reconcile) const NORMAL: &str = "Normal";
    pub(in crate::reconcile) const PREPARING_UPDATE: &str = "PreparingUpdate";
    pub(in crate::reconcile) const UPDATING: &str = "Updating";
    pub(in crate::reconcile) const UPDATED: &str = "Updated";
    pub(in crate::reconcile) const PREPARING_DELETE: &str = "PreparingDelete";
}

pub(in crate::reconcile) fn state_of(pod: &Pod) -> &str {
    pod.metadata.labels.get(STATE_LABEL).map_or("", |state| state)
}

/// Whether a pod is between no two states of its life.
pub(in crate::reconcile) fn is_at_rest(pod: &Pod) -> bool {
    matches!(state_of(pod), "" | life::NORMAL)
}

/// The part of a revision's name after its last dash.
pub(in crate::reconcile) fn short_hash(revision: &str) -> &str {
    revision.rsplit('-').next().unwrap_or(revision)
}

/// How the pods of a set name their revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reconcile) enum RevisionLabels {
    /// By its name, which must be the same (Advanced StatefulSet).
    Name,
    /// By its name, or its hash alone, which match each other; and by its hash in a second label (CloneSet).
    NameOrHash {
        /// The first label holds the hash alone.
        short: bool,
    },
}

impl RevisionLabels {
    /// Whether the pod is at the revision.
    pub(in crate::reconcile) fn is_at(self, pod: &Pod, revision: &str) -> bool {
        match self {
            Self::Name => revision_of(pod) == revision,
            Self::NameOrHash { .. } => {
                let own = revision_of(pod);
                own == revision || short_hash(own) == short_hash(revision)
            }
        }
    }

    /// Marks a pod as being at a revision.
    pub(in crate::reconcile) fn write(self, labels: &mut Labels, revision: &str) {
        match self {
            Self::Name => labels.insert(REVISION_LABEL, revision),
            Self::NameOrHash { short } => {
                labels.insert(REVISION_LABEL, if short { short_hash(revision) } else { revision });
                labels.insert(TEMPLATE_HASH_LABEL, short_hash(revision));
            }
        }
    }
}

/// Whether the pod names the gate among its readiness gates.
pub(in crate::reconcile) fn has_gate(pod: &Pod, gate: &str) -> bool {
    gates_of(pod).any(|own| own == gate)
}

/// The pod's readiness gates, in order.
pub(super) fn gates_of(pod: &Pod) -> impl Iterator<Item = &str> {
    let gates = pod.spec.extra.get("readinessGates").and_then(serde_json::Value::as_array);
    gates.into_iter().flatten().filter_map(|gate| gate.get("conditionType")?.as_str())
}
