//! Kubernetes 1.24.

use super::{
    Basis, DrainWords, Evidence, Gates, Kubectl, LogFormat, Profile, SchedulerWords, Server, TaintWords, WorkloadGates,
};

const BEFORE: Profile = super::v1_23::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.24",
    label: "v1.24 (not recorded)",
    minor: 24,
    note: "Read from the source of 1.24, not recorded.",
    proved_on: "v1.24.0",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.24.0" },
    controller: Gates {
        // GetValueFromIntOrPercent in updateStatefulSetAfterInvariantEstablished, stateful_set_control.go; since 1.25
        // getStatefulSetMaxUnavailable allows one at least.
        small_share_allows_none: true,
        // IsPodUpdated of pkg/controller/daemon/util/daemonset_util.go.
        workloads: WorkloadGates {
            template_types: 24,
            knows_daemons_by_generation: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    // Read in 1.24.16: FitError of framework/types.go adds the outcome of preemption as it is, and findNodesThatFitPod of
    // schedule_one.go asks PreFilterResult.
    scheduler: SchedulerWords {
        taint: TaintWords::Untolerated,
        names_plugins: true,
        preemption: Some(("", ".")),
        ..BEFORE.scheduler
    },
    kubectl: Kubectl {
        drain: DrainWords {
            unmanaged: "Pods declare no controller (use --force to override)",
            deletes_unmanaged: "deleting Pods that declare no controller",
            ..BEFORE.kubectl.drain
        },
        ..BEFORE.kubectl
    },
    // updateStatefulSet of stateful_set_control.go.
    log: LogFormat { is_structured: true, ..BEFORE.log },
    // Alpha: pkg/features/kube_features.go.
    feature_gates: &["MaxUnavailableStatefulSet", "StatefulSetAutoDeletePVC"],
    server: Server { types: 24, names_resource_mapping: true, replaces_whole: true, ..BEFORE.server },
    ..BEFORE
};
