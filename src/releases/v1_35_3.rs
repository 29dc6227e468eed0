//! Kubernetes 1.35.1 to 1.35.3.

use super::{
    Basis, Evidence, FailureLine, Gates, Kubectl, KubeletWords, LogFormat, PodFields, Profile, SchedulerWords, Server,
    TaintWords, WorkloadGates,
};

const BEFORE: Profile = super::v1_34::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.35.3",
    label: "v1.35.3 (1.35.1 to 1.35.3)",
    minor: 35,
    last_patch: Some(3),
    note: "1.35.1 to 1.35.3, where MaxUnavailableStatefulSet is on by default.",
    arrival: "",
    proved_on: "v1.35.6",
    basis: Basis::RecordedWithGates,
    workloads: Evidence { basis: Basis::Source, of: "v1.35.6" },
    controller: Gates {
        capitalizes_events: true,
        exact_requeue: true,
        semantic_revision_comparison: true,
        max_unavailable: true,
        workloads: WorkloadGates::V1_35,
        ..BEFORE.controller
    },
    feature_gates: &[
        "DeploymentReplicaSetTerminatingReplicas",
        "MaxUnavailableStatefulSet",
        "StatefulSetSemanticRevisionComparison",
    ],
    pods: PodFields { topology_labels: true, ..BEFORE.pods },
    server: Server { types: 35, drops_restart_rules: false, ..BEFORE.server },
    scheduler: SchedulerWords { taint: TaintWords::UntoleratedUnnamed, ..BEFORE.scheduler },
    kubelet: KubeletWords { names_containers_by_object: true, checks_image_access: true, ..BEFORE.kubelet },
    kubectl: Kubectl { scale_not_found: None, events_name_field: true, ..BEFORE.kubectl },
    log: LogFormat {
        names_logger: false,
        over_budget: (4, "more than the allowed"),
        logs_equal_budget: false,
        failure: FailureLine::Values,
        ..BEFORE.log
    },
    ..BEFORE
};
