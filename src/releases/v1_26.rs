//! Kubernetes 1.26.

use super::server::RETENTION;
use super::{
    Basis, ClusterGates, Evidence, Gates, KubeletWords, Profile, SchedulerWords, Server, UnboundClaimWords, Validation,
    WorkloadGates,
};

const BEFORE: Profile = super::v1_25::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.26",
    label: "v1.26 (not recorded)",
    minor: 26,
    note: "Read from the source of 1.26, not recorded. Before 1.26.7 the pods of Parallel are handled one after the other.",
    proved_on: "v1.26.15",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.26.15" },
    controller: Gates {
        // processReplica and runForAll of stateful_set_control.go (kubernetes/kubernetes#117865, in 1.26 by #119223).
        processes_pods_apart: true,
        // podsShouldBeOnNode and getNodesToDaemonPods of daemon_controller.go.
        workloads: WorkloadGates {
            template_types: 26,
            deletes_succeeded_daemons: true,
            forgets_ended_daemons: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    // FitError of pkg/scheduler/framework/types.go: what PreFilter says stands once, and each part ends in a dot, the outcome of
    // preemption, which has one, in two.
    scheduler: SchedulerWords {
        unbound_claim: UnboundClaimWords::Once,
        preemption: Some(("", "..")),
        ..BEFORE.scheduler
    },
    // Alpha: pkg/features/kube_features.go.
    feature_gates: &["MaxUnavailableStatefulSet", "StatefulSetAutoDeletePVC", "StatefulSetStartOrdinal"],
    cluster: ClusterGates { disruption_target: true, out_of_service: true, ..BEFORE.cluster },
    kubelet: KubeletWords { back_off_names_container: true, ..BEFORE.kubelet },
    server: Server {
        types: 26,
        removes_scheduling_gates: true,
        validation: Validation { search_limits: (32, 2048), ..BEFORE.server.validation },
        changeable: &["replicas", "template", "updateStrategy", "minReadySeconds", RETENTION, "ordinals"],
        changeable_words: "'replicas', 'ordinals', 'template', 'updateStrategy', \
                           'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    ..BEFORE
};
