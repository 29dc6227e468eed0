//! Kubernetes 1.34.

use super::{
    Basis, ClusterGates, DrainWords, Evidence, FailureLine, Gates, Kubectl, KubeletWords, LogFormat, PodFields,
    Profile, PullReport, SchedulerWords, Server, ToldTwice, UnboundClaimWords, Validation, WorkloadGates,
};

const BEFORE: Profile = super::v1_28::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.34",
    label: "v1.34",
    minor: 34,
    note: "1.34.0 and 1.34.1. From 1.34.2 on, a newest revision that differs only by later defaults is kept, as in 1.35.",
    proved_on: "v1.34.0",
    workloads: Evidence { basis: Basis::Recorded, of: "v1.34.1" },
    controller: Gates {
        recreates_failed_pod_in_same_sync: false,
        available_at_exact_deadline: true,
        unavailable_is_unhealthy: true,
        claims_orphans_last: true,
        forgets_conflicting_revision: true,
        rollout_requires_all_replicas: true,
        controls_claims: true,
        writes_zero_time: false,
        emits_failed_pod_event: false,
        workloads: WorkloadGates::V1_34,
        ..BEFORE.controller
    },
    feature_gates: &["DeploymentReplicaSetTerminatingReplicas", "MaxUnavailableStatefulSet"],
    pods: PodFields { sandbox_condition: true, host_ips: true, mount_statuses: true, generation: true, ..BEFORE.pods },
    server: Server {
        types: 34,
        validation: Validation {
            shows_json: true,
            relaxed_variable_names: true,
            annotations_limit: "may not be more than",
            container_restart_policies: true,
            tells_toleration_value: true,
            checks_set_templates: true,
            checks_service_names: true,
            ..super::v1_33::PROFILE.server.validation
        },
        writes_no_time: false,
        drops_restart_rules: true,
        attributes_classes: true,
        ..super::v1_33::PROFILE.server
    },
    arrival: "1.34.0 and 1.34.1 make every pod of a StatefulSet anew at this change, since a revision that an older server wrote is not the \
              same byte for byte (kubernetes/kubernetes#134773); later ones compare what it means. That is not simulated: go to 1.34.2 or later.",
    cluster: ClusterGates { node_monitor_grace: 50_000, evicts_in_marking_pass: true, ..BEFORE.cluster },
    scheduler: SchedulerWords {
        unbound_claim: UnboundClaimWords::OnceNotFound,
        claim_back_off: 0,
        told_twice: ToldTwice::UnboundClaims,
        preemption: Some(("no new claims to deallocate, ", ".")),
        ..BEFORE.scheduler
    },
    kubelet: KubeletWords { pulled: PullReport::Size, created_with_colon: true, ..BEFORE.kubelet },
    kubectl: Kubectl {
        claims_show_attributes_class: true,
        shows_template_placement: true,
        deletion_names_namespace: true,
        drain: DrainWords {
            unmanaged: "cannot delete Pods that declare no controller (use --force to override)",
            reasons: Some(" "),
            ..BEFORE.kubectl.drain
        },
        ended_pods_keep_status: true,
        scale_not_found: Some("no objects passed to scale "),
        services_show_traffic_policy: true,
        ..BEFORE.kubectl
    },
    log: LogFormat { names_logger: true, unhealthy: "unavailable", failure: FailureLine::Unhandled, ..BEFORE.log },
    ..BEFORE
};
