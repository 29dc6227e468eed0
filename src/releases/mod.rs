//! Releases as data: one row for each, with a part for each room. Nothing else asks for a release's number; what differs is a
//! field of a part, and a new release is a file beside this one and a row in the table below.

mod cluster;
mod evidence;
mod gates;
mod kruise;
mod kubectl;
mod kubelet;
mod logs;
#[cfg(feature = "seeded-faults")]
mod mutation;
mod pods;
mod scheduler;
mod server;
mod v1_17;
mod v1_20;
mod v1_21;
mod v1_22;
mod v1_23;
mod v1_24;
mod v1_25;
mod v1_26;
mod v1_27;
mod v1_28;
mod v1_29;
mod v1_30;
mod v1_31;
mod v1_32;
mod v1_33;
mod v1_34;
mod v1_35;
mod v1_35_3;
mod v1_36;
mod v1_37;
mod v1_9;
mod validation;
mod workloads;

pub use cluster::{ClusterGates, PodEnd};
pub use evidence::{Basis, Evidence};
pub use gates::{Gates, about_gate};
pub(crate) use kruise::ADVANCED_STATEFUL_SET;
pub use kruise::CLONE_SET;
pub use kubectl::{DrainWords, Kubectl};
pub use kubelet::{KubeletWords, PullReport};
pub use logs::{FailureLine, LogFormat};
#[cfg(feature = "seeded-faults")]
pub use mutation::Mutation;
pub use pods::PodFields;
pub use scheduler::{SchedulerWords, TaintWords, ToldTwice, UnboundClaimWords};
pub(crate) use server::RETENTION;
pub use server::Server;
pub use validation::Validation;
pub use workloads::{ScalingMessage, WorkloadGates};

/// What one release does.
pub struct Profile {
    /// Its name, such as `v1.20`; with the patch release where later ones do otherwise.
    pub name: &'static str,
    /// The name with what has to be known before it is chosen.
    pub label: &'static str,
    /// 20 of 1.20.
    pub minor: u32,
    /// The last patch release that does so, where later ones of the same minor release do otherwise.
    pub last_patch: Option<u32>,
    /// What has to be known about the row, in a sentence; empty if nothing has.
    pub note: &'static str,
    /// What is known of a control plane that comes from an older release to this one, and is not simulated; empty if nothing is.
    pub arrival: &'static str,
    /// The version that was recorded.
    pub proved_on: &'static str,
    /// What the StatefulSet controller rests on, with that version.
    pub basis: Basis,
    /// The release whose StatefulSet controller it is taken to have, where the basis is `Assumed`; empty otherwise.
    pub assumed_as: &'static str,
    /// What the controllers of Deployment, ReplicaSet and DaemonSet rest on.
    pub workloads: Evidence,
    /// The StatefulSet controller, with its feature gates as they are by default.
    pub controller: Gates,
    /// The feature gates that the controller reads and that can be switched.
    pub feature_gates: &'static [&'static str],
    /// The API server. Its feature gates follow the controller's: see `Gates::server`.
    pub server: Server,
    /// The node lifecycle controller, evictions, the pod garbage collector.
    pub cluster: ClusterGates,
    /// What kube-scheduler says.
    pub scheduler: SchedulerWords,
    /// What kubelets say.
    pub kubelet: KubeletWords,
    /// What is written into every pod.
    pub pods: PodFields,
    /// What kubectl prints.
    pub kubectl: Kubectl,
    /// What the controller manager logs.
    pub log: LogFormat,
}

// A row: the release and the file that has its profile, oldest first.
macro_rules! releases {
    ($($(#[$about:meta])+ $release:ident => $file:ident;)+) => {
        /// A release whose controller is ported.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Release {
            $($(#[$about])+ $release,)+
        }

        impl Release {
            /// Every ported release, oldest first.
            pub const ALL: [Self; [$(Self::$release),+].len()] = [$(Self::$release),+];

            /// What it does.
            pub fn profile(self) -> &'static Profile {
                match self {
                    $(Self::$release => &$file::PROFILE,)+
                }
            }
        }
    };
}

releases! {
    /// Kubernetes 1.9.
    V1_9 => v1_9;
    /// Kubernetes 1.17.
    V1_17 => v1_17;
    /// Kubernetes 1.20.
    V1_20 => v1_20;
    /// Kubernetes 1.21, not recorded.
    V1_21 => v1_21;
    /// Kubernetes 1.22, not recorded.
    V1_22 => v1_22;
    /// Kubernetes 1.23, not recorded.
    V1_23 => v1_23;
    /// Kubernetes 1.24, not recorded.
    V1_24 => v1_24;
    /// Kubernetes 1.25, not recorded.
    V1_25 => v1_25;
    /// Kubernetes 1.26, not recorded.
    V1_26 => v1_26;
    /// Kubernetes 1.27, not recorded.
    V1_27 => v1_27;
    /// Kubernetes 1.28.
    V1_28 => v1_28;
    /// Kubernetes 1.29, not recorded.
    V1_29 => v1_29;
    /// Kubernetes 1.30, not recorded.
    V1_30 => v1_30;
    /// Kubernetes 1.31, not recorded.
    V1_31 => v1_31;
    /// Kubernetes 1.32, not recorded.
    V1_32 => v1_32;
    /// Kubernetes 1.33, not recorded.
    V1_33 => v1_33;
    /// Kubernetes 1.34.
    V1_34 => v1_34;
    /// Kubernetes 1.35.1 to 1.35.3, which differ from later patch releases in the default of a feature gate.
    V1_35_3 => v1_35_3;
    /// Kubernetes 1.35.
    V1_35 => v1_35;
    /// Kubernetes 1.36.
    #[default]
    V1_36 => v1_36;
    /// Kubernetes 1.37, reconstructed.
    V1_37 => v1_37;
}

impl Release {
    /// The release of a version such as `v1.20.2`, also as managed clusters write it (`v1.34.1-gke.1846000`, `v1.34.1+k3s1`); none if
    /// its line is not ported.
    pub fn of_version(version: &str) -> Option<Self> {
        let mut numbers = version.strip_prefix("v1.")?.split(['.', '-', '+']);
        let minor: u32 = numbers.next()?.parse().ok()?;
        let patch: u32 = numbers.next().and_then(|patch| patch.parse().ok()).unwrap_or(0);
        let is_of = |release: &Self| {
            let Profile { minor: own, last_patch, .. } = release.profile();
            *own == minor && last_patch.is_none_or(|last| patch <= last)
        };
        Self::ALL.into_iter().find(is_of)
    }

    /// The 20 of `v1.20`.
    pub fn minor(self) -> u32 {
        self.profile().minor
    }

    /// The line's name, such as `v1.20`.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// Its name, with what has to be known before it is chosen.
    pub(crate) fn label(self) -> &'static str {
        self.profile().label
    }

    /// The feature gates that its controller reads and that can be switched.
    pub fn feature_gates(self) -> &'static [&'static str] {
        self.profile().feature_gates
    }

    /// What its StatefulSet controller does, with its feature gates as they are by default.
    pub fn gates(self) -> Gates {
        self.profile().controller
    }

    /// What its kubectl prints.
    pub fn kubectl(self) -> &'static Kubectl {
        &self.profile().kubectl
    }
}
