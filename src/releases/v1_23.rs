//! Kubernetes 1.23.

use super::server::RETENTION;
use super::{
    Basis, ClusterGates, DrainWords, Evidence, Gates, Kubectl, KubeletWords, Profile, PullReport, SchedulerWords,
    Server, ToldTwice, Validation, WorkloadGates,
};

const BEFORE: Profile = super::v1_22::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.23",
    label: "v1.23 (not recorded)",
    minor: 23,
    note: "Read from the source of 1.23, not recorded.",
    proved_on: "v1.23.5",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.23.5" },
    // StatefulSetMinReadySeconds is on: isRunningAndAvailable in updateStatefulSet, stateful_set_control.go.
    controller: Gates {
        min_ready_seconds: true,
        // dedupCurHistories of pkg/controller/daemon/update.go.
        workloads: WorkloadGates { template_types: 23, relabels_daemons_by_patch: true, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    // Alpha: pkg/features/kube_features.go.
    feature_gates: &["StatefulSetAutoDeletePVC"],
    cluster: ClusterGates {
        provisioner_annotations: &[
            "volume.beta.kubernetes.io/storage-provisioner",
            "volume.kubernetes.io/storage-provisioner",
        ],
        ..BEFORE.cluster
    },
    // isPodUpdated of internal/queue/scheduling_queue.go leaves out the managed fields; 1.23.0 does not yet.
    scheduler: SchedulerWords { told_twice: ToldTwice::Never, claim_back_off: 1_000, ..BEFORE.scheduler },
    // Since 1.23.16, 1.24.10 and 1.25.6 (kubernetes/kubernetes#114430, #114272 and #114271).
    kubelet: KubeletWords { pulled: PullReport::Waiting, ..BEFORE.kubelet },
    kubectl: Kubectl {
        // RunLabel, pkg/cmd/label/label.go.
        label_removed: "unlabeled",
        drain: DrainWords { reasons: Some(""), drained: "drained", ..BEFORE.kubectl.drain },
        usage_error: "error",
        ..BEFORE.kubectl
    },
    server: Server {
        types: 23,
        validation: Validation {
            sysctl_name: "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$",
            ..BEFORE.server.validation
        },
        json_iterator: false,
        drops_ephemeral_containers: false,
        knows_min_ready_seconds: true,
        taken_name_times_out: false,
        changeable: &["replicas", "template", "updateStrategy", "minReadySeconds", RETENTION],
        changeable_words: "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    ..BEFORE
};
