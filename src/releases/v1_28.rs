//! Kubernetes 1.28.

use super::server::RETENTION;
use super::{
    Basis, ClusterGates, DrainWords, Evidence, Gates, Kubectl, KubeletWords, LogFormat, PodEnd, PodFields, Profile,
    PullReport, SchedulerWords, Server, TaintWords, ToldTwice, UnboundClaimWords, Validation, WorkloadGates,
};

const BEFORE: Profile = super::v1_20::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.28",
    label: "v1.28",
    minor: 28,
    note: "1.28.1. Late patch releases make a Failed pod anew in a later sync, and one that Succeeded, too, as 1.29 does.",
    proved_on: "v1.28.1",
    workloads: Evidence { basis: Basis::Source, of: "v1.28" },
    controller: Gates {
        processes_pods_apart: true,
        makes_missing_claims: true,
        counts_available: true,
        min_ready_seconds: true,
        pod_index_label: true,
        auto_delete_claims: true,
        start_ordinal: true,
        workloads: WorkloadGates::V1_28,
        ..BEFORE.controller
    },
    feature_gates: &[
        "MaxUnavailableStatefulSet",
        "PodIndexLabel",
        "StatefulSetAutoDeletePVC",
        "StatefulSetStartOrdinal",
    ],
    pods: PodFields { token_volume: "kube-api-access", token_is_projected: true, ..BEFORE.pods },
    server: Server {
        types: 28,
        validation: Validation {
            knows_host_ips: true,
            sidecars: true,
            checks_spread_selectors: true,
            checks_selector_values: true,
            ..super::v1_26::PROFILE.server.validation
        },
        json_iterator: false,
        drops_ephemeral_containers: false,
        fills_template_host_ports: false,
        daemon_surge: true,
        replaces_whole: true,
        stores_directives: false,
        kubelet_skew: 3,
        decodes_strictly: true,
        keeps_untyped_strategy: true,
        knows_min_ready_seconds: true,
        name_is_label: true,
        taken_name_times_out: false,
        negative_grace: 1,
        names_resource_mapping: true,
        warns_of_negative_grace: true,
        removes_scheduling_gates: true,
        gated_pods_are_narrowed: true,
        pod_changeable: "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,\
                         `spec.tolerations` (only additions to existing tolerations),\
                         `spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
        changeable: &["replicas", "template", "updateStrategy", "minReadySeconds", RETENTION, "ordinals"],
        changeable_words: "'replicas', 'ordinals', 'template', 'updateStrategy', \
                           'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    cluster: ClusterGates {
        disruption_target: true,
        unstarted_pods_fail: true,
        evicted_keep_statuses: true,
        waits_for_provisioner: "Waiting for a volume to be created either by the external provisioner '{}' or manually by the system \
                                administrator. If volume creation is delayed, please verify that the provisioner is running and \
                                correctly registered.",
        out_of_service: true,
        evicts_unready: true,
        unhealthy_eviction_policy: true,
        // The last status of SyncTerminatedPod, kubelet.go, is written and followed by the deletion at once (podIsFinished).
        // Before it WaitForUnmount looks again after podAttachAndMountRetryInterval.
        pod_end: PodEnd::After(300),
        ends_in_terminal_phase: true,
        shorter_grace_hastens_stop: true,
        provisioner_annotations: &[
            "volume.beta.kubernetes.io/storage-provisioner",
            "volume.kubernetes.io/storage-provisioner",
        ],
        graceful_shutdown: Some(("Terminated", "Pod was terminated in response to imminent node shutdown.")),
        ..BEFORE.cluster
    },
    scheduler: SchedulerWords {
        unbound_claim: UnboundClaimWords::Once,
        taint: TaintWords::Untolerated,
        node_affinity: "node(s) didn't match Pod's node affinity/selector",
        names_plugins: true,
        pod_affinity_in_general: false,
        asks_for_resources_first: false,
        told_twice: ToldTwice::Never,
        claim_back_off: 1_000,
        preemption: Some(("", "..")),
        ..BEFORE.scheduler
    },
    kubelet: KubeletWords { pulled: PullReport::Waiting, back_off_names_container: true, ..BEFORE.kubelet },
    kubectl: Kubectl {
        restarts_tell_age: true,
        drain: DrainWords {
            unmanaged: "Pods declare no controller (use --force to override)",
            deletes_unmanaged: "deleting Pods that declare no controller",
            reasons: Some(""),
            drained: "drained",
            awaits_with_namespace: true,
            ..BEFORE.kubectl.drain
        },
        tells_invalid_requests: true,
        usage_error: "error",
        pods_show_service_account: true,
        missing_name: "name was",
        warning: "Warning",
        deletion_warning: "Warning",
        label_removed: "unlabeled",
        node_pods_age: "Age",
        lists_empty_replica_sets: true,
        services_show_families: true,
        ..BEFORE.kubectl
    },
    log: LogFormat {
        is_structured: true,
        sync_is_structured: true,
        status: "Updated status",
        failure_ends_sync: true,
        ..BEFORE.log
    },
    ..BEFORE
};
