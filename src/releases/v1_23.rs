//! Kubernetes 1.23.

use super::server::RETENTION;
use super::{Basis, ClusterGates, DrainWords, Evidence, Gates, Kubectl, Profile, Server};

const BEFORE: Profile = super::v1_22::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.23",
    label: "v1.23 (not recorded)",
    minor: 23,
    note: "Read from the source of 1.26, not recorded.",
    proved_on: "v1.23.17",
    basis: Basis::Assumed,
    assumed_as: "v1.26",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    // StatefulSetMinReadySeconds is on: isRunningAndAvailable in updateStatefulSet, stateful_set_control.go.
    controller: Gates { min_ready_seconds: true, ..BEFORE.controller },
    cluster: ClusterGates {
        provisioner_annotations: &[
            "volume.beta.kubernetes.io/storage-provisioner",
            "volume.kubernetes.io/storage-provisioner",
        ],
        ..BEFORE.cluster
    },
    kubectl: Kubectl {
        drain: DrainWords { reasons: Some(""), drained: "drained", ..BEFORE.kubectl.drain },
        usage_error: "error",
        ..BEFORE.kubectl
    },
    server: Server {
        minor: 23,
        knows_min_ready_seconds: true,
        taken_name_times_out: false,
        changeable: &["replicas", "template", "updateStrategy", "minReadySeconds", RETENTION],
        changeable_words: "'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    ..BEFORE
};
