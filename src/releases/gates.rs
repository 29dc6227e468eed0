//! What a release's StatefulSet controller does, read the way upstream reads its feature gates.

#[cfg(feature = "seeded-faults")]
use super::Mutation;
use super::{Release, Server, WorkloadGates};

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
    /// A Failed pod that is created again is told of in an event.
    pub emits_failed_pod_event: bool,
    /// A revision is labeled by the selector's text, which fails where it is more than `key=value`; else by the template.
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
    /// Orphan revisions are adopted even for a set that is being deleted.
    pub adopts_for_deleted_set: bool,
    /// Old revisions are deleted even after the rest of the sync failed.
    pub truncates_after_failure: bool,
    /// Each pod is processed by itself: Parallel goes on in batches of 1, 2, 4 and so on, and status is counted from the
    /// pods at the end and written even after a refusal. Else one scan keeps the status by arithmetic.
    pub processes_pods_apart: bool,
    /// A Pending pod gets the claims that it lacks (since 1.27: processReplica of stateful_set_control.go).
    pub makes_missing_claims: bool,
    /// Status is written even after a refusal ended the pass over the pods; where each pod is processed by itself it always is.
    pub writes_status_after_failure: bool,
    /// Available pods are counted.
    pub counts_available: bool,
    /// `minReadySeconds` is heeded; else each Ready pod is available.
    pub min_ready_seconds: bool,
    /// A Failed pod is created again in the sync that deletes it; else it is created again in a later one, and so is a pod that
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
    /// With that gate a percentage that comes to less than one pod allows none, so that nothing is rolled; else it allows one.
    pub small_share_allows_none: bool,
    /// Feature gate `StatefulSetRecreateStrategy`: with `updateStrategy: Recreate` every pod of an older revision is deleted, and new
    /// ones are made once those are gone (KEP-3541).
    pub recreate_strategy: bool,
    /// Feature gate `PodIndexLabel`: pods carry their ordinal as a label.
    pub pod_index_label: bool,
    /// Feature gate `StatefulSetAutoDeletePVC`: `persistentVolumeClaimRetentionPolicy` gives claims an owner.
    pub auto_delete_claims: bool,
    /// Feature gate `StatefulSetStartOrdinal`: ordinals begin at `ordinals.start`.
    pub start_ordinal: bool,
    /// A pod is not made while one of its claims is being deleted.
    pub waits_for_terminating_claims: bool,
    /// What such a claim is, as the refusal says.
    pub claim_going: &'static str,
    /// Messages of events begin with a capital: `Create Pod` instead of `create Pod`.
    pub capitalizes_events: bool,
    /// A set asks to be looked at again only while a Ready pod is not available, and at the moment in which the next one
    /// becomes so; else after `minReadySeconds` whenever fewer pods are available than `spec.replicas` asks for.
    pub exact_requeue: bool,
    /// Feature gate `StatefulSetSemanticRevisionComparison`: the newest revision is kept where its template, with the API
    /// server's defaults of today, is the set's.
    pub semantic_revision_comparison: bool,
    /// Deleting a pod that is gone counts as deleted.
    pub gone_pod_counts_as_deleted: bool,
    /// Feature gate `StaleControllerConsistencyStatefulSet`: a sync is deferred while the cache is behind the controller's own
    /// writes.
    pub waits_for_own_writes: bool,
    /// With `MaxUnavailableStatefulSet`, Parallel deletes old pods that are not available first, whatever the budget.
    pub parallel_deletes_broken_pods_first: bool,
    /// A rollout is completed under any strategy; else only under RollingUpdate.
    pub completes_under_any_strategy: bool,
    /// What the controllers of Deployment, ReplicaSet and DaemonSet do.
    pub workloads: WorkloadGates,
    /// A fault seeded by a test.
    #[cfg(feature = "seeded-faults")]
    pub mutation: Option<Mutation>,
}

impl Gates {
    /// The API server of a release with these gates.
    pub fn server(&self, release: Release) -> Server {
        Server {
            max_unavailable: self.max_unavailable,
            claim_retention: self.auto_delete_claims,
            start_ordinal: self.start_ordinal,
            recreate_strategy: self.recreate_strategy,
            ..release.profile().server
        }
    }

    /// The switch of the feature gate of this name; none if the controller has no such gate.
    pub fn feature(&mut self, name: &str) -> Option<&mut bool> {
        match name {
            "DeploymentReplicaSetTerminatingReplicas" => Some(&mut self.workloads.counts_terminating_replicas),
            "MaxUnavailableStatefulSet" => Some(&mut self.max_unavailable),
            "PodIndexLabel" => Some(&mut self.pod_index_label),
            "StatefulSetAutoDeletePVC" => Some(&mut self.auto_delete_claims),
            "StaleControllerConsistencyDaemonSet" => Some(&mut self.workloads.daemon_set_waits_for_own_writes),
            "StaleControllerConsistencyReplicaSet" => Some(&mut self.workloads.replica_set_waits_for_own_writes),
            "StaleControllerConsistencyStatefulSet" => Some(&mut self.waits_for_own_writes),
            "StatefulSetRecreateStrategy" => Some(&mut self.recreate_strategy),
            "StatefulSetSemanticRevisionComparison" => Some(&mut self.semantic_revision_comparison),
            "StatefulSetStartOrdinal" => Some(&mut self.start_ordinal),
            _ => None,
        }
    }
}

/// What a controller does where the feature gate of this name is on.
pub fn about_gate(name: &str) -> &'static str {
    match name {
        "DeploymentReplicaSetTerminatingReplicas" => "the status counts terminating pods too",
        "MaxUnavailableStatefulSet" => "a rolling update takes down up to maxUnavailable pods",
        "PodIndexLabel" => "pods carry their ordinal as a label",
        "StatefulSetAutoDeletePVC" => "claims go with their pod or set, where the set asks for it",
        "StatefulSetRecreateStrategy" => "updateStrategy Recreate: all old pods go, then new ones are made",
        "StatefulSetSemanticRevisionComparison" => "a revision that differs only by newer defaults is kept",
        "StatefulSetStartOrdinal" => "ordinals begin at ordinals.start",
        _ => "a sync waits until the cache shows the controller's own writes",
    }
}

#[cfg(feature = "seeded-faults")]
impl Gates {
    /// Whether the fault is seeded.
    pub(crate) fn has(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }
}
