//! Kubernetes 1.30.

use super::{
    Basis, DrainWords, Evidence, Kubectl, KubeletWords, LogFormat, Profile, PullReport, SchedulerWords, Server,
};

const BEFORE: Profile = super::v1_29::PROFILE;

pub(super) const PROFILE: Profile = Profile {
    name: "v1.30",
    label: "v1.30 (not recorded)",
    minor: 30,
    note: "Taken to be as 1.28 where nothing is known to differ; not recorded.",
    proved_on: "v1.30.14",
    basis: Basis::Assumed,
    assumed_as: "v1.28",
    workloads: Evidence { basis: Basis::Assumed, of: "v1.28" },
    scheduler: SchedulerWords { preemption: Some(("", ".")), ..BEFORE.scheduler },
    kubelet: KubeletWords { pulled: PullReport::Size, ..BEFORE.kubelet },
    kubectl: Kubectl {
        drain: DrainWords {
            unmanaged: "cannot delete Pods that declare no controller (use --force to override)",
            ..BEFORE.kubectl.drain
        },
        ..BEFORE.kubectl
    },
    log: LogFormat { names_logger: true, ..BEFORE.log },
    server: Server { minor: 30, ..BEFORE.server },
    ..BEFORE
};
