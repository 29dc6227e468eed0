//! What the controllers of Deployment, ReplicaSet and DaemonSet do otherwise from one release to another.

/// How the event of a scaled ReplicaSet names the sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalingMessage {
    /// `Scaled up replica set web-5d4 to 3`.
    To,
    /// `Scaled up replica set web-5d4 to 3 from 1`; without a former size for a new ReplicaSet.
    ToFrom,
    /// `Scaled up replica set web-5d4 from 1 to 3`.
    FromTo,
}

/// What the controllers of Deployment, ReplicaSet and DaemonSet do in a release. Recorded are v1.20.2 and v1.34.1; 1.28, 1.35.6
/// and 1.36.3 are read from their source; 1.9 and 1.17 are taken to do what 1.20 does, and 1.37 what 1.36 does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkloadGates {
    /// The minor release whose Go types the hash of a pod template is made over.
    pub template_types: u32,
    /// Feature gate `DeploymentReplicaSetTerminatingReplicas`, on since 1.35: `status.terminatingReplicas` of a ReplicaSet counts
    /// its terminating pods, that of a Deployment its ReplicaSets'.
    pub counts_terminating_replicas: bool,
    /// Feature gate `StaleControllerConsistencyReplicaSet`, on since 1.36: a ReplicaSet's sync is deferred while the cache is
    /// behind the controller's own writes.
    pub replica_set_waits_for_own_writes: bool,
    /// Feature gate `StaleControllerConsistencyDaemonSet`, on since 1.36: the same for a DaemonSet.
    pub daemon_set_waits_for_own_writes: bool,
    /// A Deployment that recreates waits for every pod of its old ReplicaSets; else for those that its selector matches.
    pub finds_old_pods_by_owner: bool,
    /// Feature gate `PodDeletionCost`, on since 1.22: pods with a lower `pod-deletion-cost` go first.
    pub ranks_by_deletion_cost: bool,
    /// Feature gate `LogarithmicScaleDown`, on since 1.22: ages of about the same size are as good as one.
    pub compares_ages_by_magnitude: bool,
    /// Restarts of sidecars are compared where those of the other containers are the same.
    pub compares_sidecar_restarts: bool,
    /// A ReplicaSet with pods that are ready but not available comes back when the next one is due; else after
    /// `minReadySeconds`, and only once as many are ready as are wanted.
    pub requeues_for_next_available: bool,
    /// The event of a scaled ReplicaSet.
    pub scaling_message: ScalingMessage,
    /// Where every ReplicaSet gets its share, the event says up or down by the one ReplicaSet; else by the whole Deployment.
    pub names_direction_of_each_set: bool,
    /// Old ReplicaSets are deleted by their revision, lowest first; else by their age.
    pub cleans_up_by_revision: bool,
    /// A Deployment's annotation without a value is passed on to its ReplicaSets too.
    pub copies_empty_annotations: bool,
    /// The sizes in annotations are read as numbers from 0 to 2147483647, and 0 as a former size counts as none.
    pub checks_annotated_sizes: bool,
    /// A long Deployment's name is cut in its ReplicaSets' names.
    pub cuts_long_names: bool,
    /// A DaemonSet may have two pods on a node during an update (`maxSurge`, on since 1.22), and an update goes node by node;
    /// else it goes through the old pods, and a node is unavailable if it has no available pod.
    pub updates_daemons_by_node: bool,
    /// A daemon pod without the hash counts as updated if its template generation fits; older releases compare that with an
    /// address, which it never equals.
    pub knows_daemons_by_generation: bool,
    /// A daemon pod that Succeeded is deleted.
    pub deletes_succeeded_daemons: bool,
    /// A daemon pod that has ended and is terminating counts as gone.
    pub forgets_ended_daemons: bool,
    /// A changed node wakes a DaemonSet if a pod of it is to be made or deleted there, or if it has misscheduled pods; else if
    /// the node may have a pod now and might not before, or the other way round.
    pub asks_node_for_its_daemons: bool,
    /// A DaemonSet's status is written even after the rest of its sync failed.
    pub writes_daemon_status_after_failure: bool,
    /// A DaemonSet's refused status is sent once more; else the set is read again and that is all.
    pub sends_daemon_status_again: bool,
    /// Where two revisions of a DaemonSet hold the same template, its pods get the label of the one by a patch; else by
    /// an update.
    pub relabels_daemons_by_patch: bool,
    /// They get it once; else once for each revision too many.
    pub relabels_daemons_once: bool,
}

impl WorkloadGates {
    /// As recorded from v1.20.2.
    pub(crate) const V1_20: Self = Self {
        template_types: 20,
        counts_terminating_replicas: false,
        replica_set_waits_for_own_writes: false,
        daemon_set_waits_for_own_writes: false,
        finds_old_pods_by_owner: false,
        ranks_by_deletion_cost: false,
        compares_ages_by_magnitude: false,
        compares_sidecar_restarts: false,
        requeues_for_next_available: false,
        scaling_message: ScalingMessage::To,
        names_direction_of_each_set: false,
        cleans_up_by_revision: false,
        copies_empty_annotations: false,
        checks_annotated_sizes: false,
        cuts_long_names: false,
        updates_daemons_by_node: false,
        knows_daemons_by_generation: false,
        deletes_succeeded_daemons: false,
        forgets_ended_daemons: false,
        asks_node_for_its_daemons: false,
        writes_daemon_status_after_failure: false,
        sends_daemon_status_again: false,
        relabels_daemons_by_patch: false,
        relabels_daemons_once: false,
    };

    /// As the source of 1.28 has it.
    pub(crate) const V1_28: Self = Self {
        template_types: 28,
        ranks_by_deletion_cost: true,
        compares_ages_by_magnitude: true,
        scaling_message: ScalingMessage::ToFrom,
        cleans_up_by_revision: true,
        copies_empty_annotations: true,
        updates_daemons_by_node: true,
        knows_daemons_by_generation: true,
        deletes_succeeded_daemons: true,
        forgets_ended_daemons: true,
        writes_daemon_status_after_failure: true,
        sends_daemon_status_again: true,
        relabels_daemons_by_patch: true,
        ..Self::V1_20
    };

    /// As recorded from v1.34.1.
    pub(crate) const V1_34: Self = Self {
        template_types: 34,
        compares_sidecar_restarts: true,
        requeues_for_next_available: true,
        scaling_message: ScalingMessage::FromTo,
        names_direction_of_each_set: true,
        checks_annotated_sizes: true,
        cuts_long_names: true,
        relabels_daemons_once: true,
        asks_node_for_its_daemons: true,
        ..Self::V1_28
    };

    /// As the source of 1.35.6 has it.
    pub(crate) const V1_35: Self = Self { template_types: 35, counts_terminating_replicas: true, ..Self::V1_34 };

    /// As the source of 1.36.3 has it (KEP-5647, kubernetes/kubernetes#137212).
    pub(crate) const V1_36: Self = Self {
        template_types: 36,
        replica_set_waits_for_own_writes: true,
        daemon_set_waits_for_own_writes: true,
        finds_old_pods_by_owner: true,
        ..Self::V1_35
    };
}
