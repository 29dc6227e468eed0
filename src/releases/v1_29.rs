//! Kubernetes 1.29.

use super::{Basis, Evidence, Gates, Kubectl, PodFields, Profile, SchedulerWords, Server, WorkloadGates};

const BEFORE: Profile = super::v1_28::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.29",
    label: "v1.29 (not recorded)",
    minor: 29,
    note: "Read from the source of 1.29, not recorded.",
    proved_on: "v1.29.14",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.29.14" },
    controller: Gates {
        // processReplica of stateful_set_control.go (kubernetes/kubernetes#123809, in late patch releases of 1.28, too).
        recreates_failed_pod_in_same_sync: false,
        emits_failed_pod_event: false,
        // completeRollingUpdate and hasUnexpectedController of stateful_set_utils.go.
        rollout_requires_all_replicas: true,
        controls_claims: true,
        workloads: WorkloadGates { template_types: 29, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    // FitError of pkg/scheduler/framework/types.go (kubernetes/kubernetes#117588).
    scheduler: SchedulerWords { preemption: Some(("", ".")), ..BEFORE.scheduler },
    // printPersistentVolumeClaim of pkg/printers/internalversion/printers.go.
    kubectl: Kubectl { claims_show_attributes_class: true, ..BEFORE.kubectl },
    pods: PodFields { sandbox_condition: true, host_ips: true, ..BEFORE.pods },
    server: Server { types: 29, tells_attributes_classes: true, ..BEFORE.server },
    ..BEFORE
};
