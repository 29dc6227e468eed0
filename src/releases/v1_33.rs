//! Kubernetes 1.33.

use super::server::RETENTION;
use super::{Basis, Evidence, Gates, Profile, SchedulerWords, Server, ToldTwice, Validation, WorkloadGates};

const BEFORE: Profile = super::v1_32::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.33",
    label: "v1.33 (not recorded)",
    minor: 33,
    note: "Read from the source of 1.33, not recorded.",
    proved_on: "v1.33.13",
    basis: Basis::Source,
    assumed_as: "",
    workloads: Evidence { basis: Basis::Source, of: "v1.33.13" },
    controller: Gates {
        // syncNodeUpdate of pkg/controller/daemon/daemon_controller.go, new in 1.33.
        workloads: WorkloadGates { template_types: 33, asks_node_for_its_daemons: true, ..BEFORE.controller.workloads },
        ..BEFORE.controller
    },
    scheduler: SchedulerWords { claim_back_off: 0, told_twice: ToldTwice::UnboundClaims, ..BEFORE.scheduler },
    server: Server {
        types: 33,
        validation: Validation { relaxed_search_domains: true, ..BEFORE.server.validation },
        drops_proc_mount: false,
        warns_of_negative_history: true,
        // ValidateStatefulSetUpdate of pkg/apis/apps/validation.
        changeable: &[
            "replicas",
            "template",
            "updateStrategy",
            "minReadySeconds",
            RETENTION,
            "ordinals",
            "revisionHistoryLimit",
        ],
        changeable_words: "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', \
                           'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ..BEFORE.server
    },
    ..BEFORE
};
