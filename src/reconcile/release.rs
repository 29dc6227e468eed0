//! Releases as data: what a Kubernetes release does, not how it is numbered.

/// A release line whose controller is ported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// Kubernetes 1.20, proved on v1.20.2.
    #[default]
    V1_20,
}

/// What a release's controller does, read the way upstream reads its feature gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gates {
    /// Workers that take keys off the queue.
    pub workers: usize,
    /// Seconds without a heartbeat after which a node is NotReady.
    pub node_monitor_grace_seconds: i64,
}

impl Release {
    /// Every ported release, oldest first.
    pub const ALL: [Self; 1] = [Self::V1_20];

    /// The release of a version such as `v1.20.2`; none if its line is not ported.
    pub fn of_version(version: &str) -> Option<Self> {
        version.strip_prefix('v').unwrap_or(version).starts_with("1.20.").then_some(Self::V1_20)
    }

    /// The line's name, such as `v1.20`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V1_20 => "v1.20",
        }
    }

    /// What it does.
    pub fn gates(self) -> Gates {
        match self {
            Self::V1_20 => Gates { workers: 5, node_monitor_grace_seconds: 40 },
        }
    }
}
