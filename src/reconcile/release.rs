//! Releases as data: what a Kubernetes release does, not how it is numbered.

use super::mutation::Mutation;
use super::workload_gates::WorkloadGates;
use crate::objects::Server;

/// A release line whose controller is ported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// Kubernetes 1.9, proved on v1.9.0.
    V1_9,
    /// Kubernetes 1.17, proved on v1.17.3.
    V1_17,
    /// Kubernetes 1.20, proved on v1.20.2.
    V1_20,
    /// Kubernetes 1.28, proved on v1.28.1.
    V1_28,
    /// Kubernetes 1.34, proved on v1.34.0.
    #[default]
    V1_34,
}

/// A feature gate of a release: its name and whether it is on by default.
pub type FeatureGate = (&'static str, bool);

/// What a release's controller does, read the way upstream reads its feature gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// Workers that take keys off the queue.
    pub workers: usize,
    /// Group and version in the owner references that the controller writes.
    pub owner_version: &'static str,
    /// A revision's hash label is the plain decimal number, not the letters in its name.
    pub decimal_hash_label: bool,
    /// A revision whose name is taken by the same data is used; else every taken name counts as a collision.
    pub reuses_taken_revision: bool,
    /// A pod counts as current and as updated where the two revisions are one; else as current only.
    pub counts_pod_twice: bool,
    /// A Failed pod that is made again is told of in an event.
    pub emits_failed_pod_event: bool,
    /// A revision is labelled by the selector's text, which fails where it is more than `key=value`; else by the template.
    pub labels_revision_by_selector: bool,
    /// Revisions of one number are ordered by age, then by name; else they stay as the cache lists them.
    pub orders_equal_revisions: bool,
    /// The current revision's template stands alone; else it is laid over the template as it is now, and what it does
    /// not name shows through.
    pub restores_template_alone: bool,
    /// What comes before `to create PVC`.
    pub claim_failure: &'static str,
    /// A claim keeps the labels of its template beside those of the selector.
    pub keeps_claim_labels: bool,
    /// Orphan revisions are adopted alone, and not for a set that is being deleted; else an owned one fails the sync.
    pub adopts_only_orphans: bool,
    /// Old revisions are deleted even after the rest of the sync failed.
    pub truncates_after_failure: bool,
    /// Each pod is processed by itself: Parallel goes on in batches of 1, 2, 4 and so on, and status is counted from the
    /// pods at the end and written even after a refusal. Else one scan keeps the status by arithmetic.
    pub processes_pods_apart: bool,
    /// `minReadySeconds` is heeded and available pods are counted.
    pub min_ready_seconds: bool,
    /// A Failed pod is made again in the sync that deletes it; else it is made again in a later one, and so is a pod that
    /// Succeeded.
    pub recreates_failed_pod_in_same_sync: bool,
    /// A pod is available in the very second in which its `minReadySeconds` end; else after it.
    pub available_at_exact_deadline: bool,
    /// A pod that is not available counts as unhealthy, for a condemned pod's turn and in a rolling update.
    pub unavailable_is_unhealthy: bool,
    /// Pods without an owner are claimed after the others; else in the order of the cache.
    pub claims_orphans_last: bool,
    /// A revision's update that met a conflict is sent again without the revision's name and data.
    pub forgets_conflicting_revision: bool,
    /// A rollout is complete only if as many pods exist as `spec.replicas` asks for.
    pub rollout_requires_all_replicas: bool,
    /// The claims' owner under the retention policy is a controller, and one that another object controls is left alone.
    pub controls_claims: bool,
    /// A template without a creation time is stored with `creationTimestamp: null`.
    pub writes_zero_time: bool,
    /// Feature gate `MaxUnavailableStatefulSet`: a rolling update takes down up to `maxUnavailable` pods.
    pub max_unavailable: bool,
    /// Feature gate `PodIndexLabel`: pods carry their ordinal as a label.
    pub pod_index_label: bool,
    /// Feature gate `StatefulSetAutoDeletePVC`: `persistentVolumeClaimRetentionPolicy` gives claims an owner.
    pub auto_delete_claims: bool,
    /// Feature gate `StatefulSetStartOrdinal`: ordinals begin at `ordinals.start`.
    pub start_ordinal: bool,
    /// A pod is not made while one of its claims is being deleted.
    pub waits_for_terminating_claims: bool,
    /// What the controllers of Deployment, ReplicaSet and DaemonSet do.
    pub workloads: WorkloadGates,
    /// A fault seeded by a test.
    pub mutation: Option<Mutation>,
}

const V1_9: Gates = Gates {
    workers: 1,
    owner_version: "apps/v1beta1",
    decimal_hash_label: true,
    reuses_taken_revision: false,
    counts_pod_twice: false,
    emits_failed_pod_event: false,
    labels_revision_by_selector: true,
    orders_equal_revisions: false,
    restores_template_alone: false,
    claim_failure: "Failed",
    keeps_claim_labels: false,
    adopts_only_orphans: false,
    truncates_after_failure: false,
    waits_for_terminating_claims: false,
    processes_pods_apart: false,
    min_ready_seconds: false,
    recreates_failed_pod_in_same_sync: true,
    available_at_exact_deadline: false,
    unavailable_is_unhealthy: false,
    claims_orphans_last: false,
    forgets_conflicting_revision: false,
    rollout_requires_all_replicas: false,
    controls_claims: false,
    writes_zero_time: true,
    max_unavailable: false,
    pod_index_label: false,
    auto_delete_claims: false,
    start_ordinal: false,
    workloads: WorkloadGates::V1_20,
    mutation: None,
};

const V1_17: Gates = Gates {
    workers: 5,
    owner_version: "apps/v1",
    decimal_hash_label: false,
    reuses_taken_revision: true,
    counts_pod_twice: true,
    emits_failed_pod_event: true,
    labels_revision_by_selector: false,
    orders_equal_revisions: true,
    restores_template_alone: true,
    claim_failure: "failed",
    keeps_claim_labels: true,
    ..V1_9
};

const V1_20: Gates =
    Gates { adopts_only_orphans: true, truncates_after_failure: true, waits_for_terminating_claims: true, ..V1_17 };

const V1_28: Gates =
    Gates { processes_pods_apart: true, min_ready_seconds: true, workloads: WorkloadGates::V1_28, ..V1_20 };

const V1_34: Gates = Gates {
    recreates_failed_pod_in_same_sync: false,
    available_at_exact_deadline: true,
    unavailable_is_unhealthy: true,
    claims_orphans_last: true,
    forgets_conflicting_revision: true,
    rollout_requires_all_replicas: true,
    controls_claims: true,
    writes_zero_time: false,
    emits_failed_pod_event: false,
    pod_index_label: true,
    auto_delete_claims: true,
    start_ordinal: true,
    workloads: WorkloadGates::V1_34,
    ..V1_28
};

impl Gates {
    /// The API server of a release with these gates.
    pub fn server(&self, release: Release) -> Server {
        Server {
            minor: release.minor(),
            max_unavailable: self.max_unavailable,
            claim_retention: self.auto_delete_claims,
            start_ordinal: self.start_ordinal,
        }
    }

    /// The switch of the feature gate of this name; none if the controller has no such gate.
    pub fn feature(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "MaxUnavailableStatefulSet" => Some(&mut self.max_unavailable),
            "PodIndexLabel" => Some(&mut self.pod_index_label),
            "StatefulSetAutoDeletePVC" => Some(&mut self.auto_delete_claims),
            "StatefulSetStartOrdinal" => Some(&mut self.start_ordinal),
            _ => None,
        }
    }
}

impl Release {
    /// Every ported release, oldest first.
    pub const ALL: [Self; 5] = [Self::V1_9, Self::V1_17, Self::V1_20, Self::V1_28, Self::V1_34];

    /// The release of a version such as `v1.20.2`; none if its line is not ported.
    pub fn of_version(version: &str) -> Option<Self> {
        let version = version.strip_prefix('v').unwrap_or(version);
        let is_of =
            |release: &Self| version.strip_prefix(&release.name()[1..]).is_some_and(|rest| rest.starts_with('.'));
        Self::ALL.into_iter().find(is_of)
    }

    /// The line's name, such as `v1.20`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_9 => "v1.9",
            Self::V1_17 => "v1.17",
            Self::V1_20 => "v1.20",
            Self::V1_28 => "v1.28",
            Self::V1_34 => "v1.34",
        }
    }

    /// 20 of 1.20.
    pub fn minor(self) -> u32 {
        match self {
            Self::V1_9 => 9,
            Self::V1_17 => 17,
            Self::V1_20 => 20,
            Self::V1_28 => 28,
            Self::V1_34 => 34,
        }
    }

    /// The feature gates that its controller reads and that can be switched.
    pub fn feature_gates(self) -> &'static [FeatureGate] {
        match self {
            Self::V1_9 | Self::V1_17 | Self::V1_20 => &[],
            Self::V1_28 => &[
                ("MaxUnavailableStatefulSet", false),
                ("PodIndexLabel", true),
                ("StatefulSetAutoDeletePVC", true),
                ("StatefulSetStartOrdinal", true),
            ],
            Self::V1_34 => &[("MaxUnavailableStatefulSet", false)],
        }
    }

    /// What it does, with its feature gates as they are by default.
    pub fn gates(self) -> Gates {
        let mut gates = match self {
            Self::V1_9 => V1_9,
            Self::V1_17 => V1_17,
            Self::V1_20 => V1_20,
            Self::V1_28 => V1_28,
            Self::V1_34 => V1_34,
        };
        for (name, default) in self.feature_gates() {
            gates.feature(name).into_iter().for_each(|gate| *gate = *default);
        }
        gates
    }
}
