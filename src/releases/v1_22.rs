//! Kubernetes 1.22. No tree of it could be had. What 1.21.1 and 1.23.5, which were read, have alike is taken to be so here too; what
//! they have otherwise stands here where its pull request names this release.

use super::{
    Basis, ClusterGates, Evidence, Gates, Kubectl, PodEnd, Profile, SchedulerWords, Server, Validation, WorkloadGates,
};

const BEFORE: Profile = super::v1_21::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.22",
    label: "v1.22 (not recorded)",
    minor: 22,
    note: "Taken to be as 1.21 where nothing is known to differ; not recorded.",
    proved_on: "v1.22.17",
    basis: Basis::Assumed,
    assumed_as: "v1.21",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.21" },
    controller: Gates {
        // updateStatefulSet, stateful_set_control.go, with StatefulSetMinReadySeconds off: read in a fork of that time.
        counts_available: true,
        // PodDeletionCost and LogarithmicScaleDown are on.
        workloads: WorkloadGates {
            template_types: 22,
            ranks_by_deletion_cost: true,
            compares_ages_by_magnitude: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    cluster: ClusterGates {
        evicts_unready: true,
        evicted_keep_statuses: true,
        // SyncTerminatedPod, kubelet.go, ends with TerminatePod, whose status is written at once; PodResourcesAreReclaimed,
        // kubelet_pods.go, does not wait for containers to be removed any more.
        pod_end: PodEnd::After(300),
        shorter_grace_hastens_stop: true,
        graceful_shutdown: Some(("Terminated", "Pod was terminated in response to imminent node shutdown.")),
        ..BEFORE.cluster
    },
    scheduler: SchedulerWords { pod_affinity_in_general: false, ..BEFORE.scheduler },
    kubectl: Kubectl { restarts_tell_age: true, ..BEFORE.kubectl },
    server: Server {
        types: 22,
        validation: Validation { refuses_two_unnamed: true, ..BEFORE.server.validation },
        daemon_surge: true,
        negative_grace: 1,
        pod_changeable: "`spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, \
                         `spec.tolerations` (only additions to existing tolerations) or \
                         `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
        // ValidateStatefulSetUpdate of pkg/apis/apps/validation names a field more than it lets change.
        changeable_words: "'replicas', 'template', 'updateStrategy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    ..BEFORE
};
