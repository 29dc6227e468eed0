//! Kubernetes 1.20.

use super::{
    Basis, ClusterGates, DrainWords, Evidence, FailureLine, Gates, Kubectl, KubeletWords, LogFormat, Profile,
    PullReport, SchedulerWords, Server, TaintWords, ToldTwice, UnboundClaimWords,
};

const BEFORE: Profile = super::v1_17::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.20",
    label: "v1.20",
    minor: 20,
    proved_on: "v1.20.2",
    workloads: Evidence { basis: Basis::Recorded, of: "v1.20.2" },
    controller: Gates {
        adopts_only_orphans: true,
        adopts_for_deleted_set: false,
        truncates_after_failure: true,
        waits_for_terminating_claims: true,
        ..BEFORE.controller
    },
    server: Server { types: 20, keeps_untyped_strategy: true, ..BEFORE.server },
    cluster: ClusterGates {
        graceful_shutdown: Some(("Shutdown", "Node is shutting, evicting pods")),
        pod_event_of_dark_node: true,
        ..BEFORE.cluster
    },
    scheduler: SchedulerWords {
        unbound_claim: UnboundClaimWords::Counted,
        taint: TaintWords::DidntTolerate,
        node_affinity: "node(s) didn't match Pod's node affinity",
        names_missing_label: true,
        told_twice: ToldTwice::Always,
        claim_back_off: 2_000,
        ..BEFORE.scheduler
    },
    kubelet: KubeletWords { pulled: PullReport::Duration, ..BEFORE.kubelet },
    kubectl: Kubectl {
        claim_users: Some("Used By"),
        force_is_no_grace: true,
        drain: DrainWords {
            local_storage: "Pods with local storage (use --delete-emptydir-data to override)",
            ..BEFORE.kubectl.drain
        },
        ..BEFORE.kubectl
    },
    log: LogFormat { failure: FailureLine::Sentence("error"), ..BEFORE.log },
    ..BEFORE
};
