//! Kubernetes 1.17.

use super::{
    ClusterGates, Gates, Kubectl, KubeletWords, LogFormat, Profile, SchedulerWords, Server, UnboundClaimWords,
};

const BEFORE: Profile = super::v1_9::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.17",
    label: "v1.17",
    minor: 17,
    proved_on: "v1.17.3",
    controller: Gates {
        workers: 5,
        owner_version: "apps/v1",
        decimal_hash_label: false,
        reuses_taken_revision: true,
        counts_pod_twice: true,
        emits_failed_pod_event: true,
        labels_revision_by_selector: false,
        orders_equal_revisions: true,
        restores_template_alone: true,
        claim_failure: "failed",
        keeps_claim_labels: true,
        ..BEFORE.controller
    },
    server: Server {
        types: 17,
        early_words: false,
        changeable_words: "'replicas', 'template', and 'updateStrategy' are forbidden",
        ..BEFORE.server
    },
    cluster: ClusterGates {
        taint_based_eviction: true,
        zone_label: "topology.kubernetes.io/zone",
        attach_events: true,
        ..BEFORE.cluster
    },
    scheduler: SchedulerWords {
        scheduled_names_namespace: true,
        unbound_claim: UnboundClaimWords::FilterError,
        ..BEFORE.scheduler
    },
    kubelet: KubeletWords { names_containers: true, ..BEFORE.kubelet },
    kubectl: Kubectl {
        claims_show_mode: true,
        sets_show_ready: true,
        pods_show_nominated_node: true,
        shows_lease: true,
        claim_users: Some("Mounted By"),
        shows_time_terminating: true,
        shows_pod_ips: true,
        ..BEFORE.kubectl
    },
    log: LogFormat { deletion_verbosity: 2, logs_recreation: false, down: "down", ..BEFORE.log },
    ..BEFORE
};
