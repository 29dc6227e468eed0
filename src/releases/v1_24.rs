//! Kubernetes 1.24.

use super::{
    Basis, DrainWords, Evidence, Gates, Kubectl, Profile, ScalingMessage, SchedulerWords, Server, TaintWords,
    ToldTwice, WorkloadGates,
};

const BEFORE: Profile = super::v1_23::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.24",
    label: "v1.24 (not recorded)",
    minor: 24,
    note: "Taken to be as 1.25 where nothing is known to differ; not recorded.",
    proved_on: "v1.24.17",
    basis: Basis::Assumed,
    assumed_as: "v1.25",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.25" },
    controller: Gates {
        // dedupCurHistories of pkg/controller/daemon/update.go and IsPodUpdated of util/daemonset_util.go beside it, read in 1.24.16;
        // the event as in 1.25.
        workloads: WorkloadGates {
            template_types: 24,
            scaling_message: ScalingMessage::ToFrom,
            knows_daemons_by_generation: true,
            relabels_daemons_by_patch: true,
            ..BEFORE.controller.workloads
        },
        ..BEFORE.controller
    },
    // Read in 1.24.16: isPodUpdated of internal/queue/scheduling_queue.go leaves out the managed fields, FitError of
    // framework/types.go adds the outcome of preemption as it is, and findNodesThatFitPod of schedule_one.go asks PreFilterResult.
    scheduler: SchedulerWords {
        taint: TaintWords::Untolerated,
        names_plugins: true,
        told_twice: ToldTwice::Never,
        claim_back_off: 1_000,
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
    server: Server { types: 24, names_resource_mapping: true, replaces_whole: true, ..BEFORE.server },
    ..BEFORE
};
