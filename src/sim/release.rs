//! What the cluster around the controllers does in a release: one row of data, read from the release's number.

use crate::reconcile::Release;

/// Behaviours of the API server, the node lifecycle controller, the pod garbage collector and the kubelet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterGates {
    /// Milliseconds without a heartbeat after which a node is NotReady: 40 s, since 1.32 50 s.
    pub node_monitor_grace: i64,
    /// Taints repel and evict (since 1.13). Before, pods are deleted 5 min after the node's last heartbeat and marked NodeLost.
    pub taint_based_eviction: bool,
    /// Evicted pods carry the condition DisruptionTarget (since 1.26).
    pub disruption_target: bool,
    /// The out-of-service taint frees pods and volumes of a node that is NotReady (on since 1.26, for good since 1.28).
    pub out_of_service: bool,
    /// A pod that is not Ready may be evicted while its budget is met (since 1.22).
    pub evicts_unready: bool,
    /// `unhealthyPodEvictionPolicy` of a PodDisruptionBudget (on since 1.27).
    pub unhealthy_eviction_policy: bool,
    /// The reason and message of pods that a shutting down kubelet ended (since 1.20, where the gate was alpha; it is taken
    /// as on).
    pub graceful_shutdown: Option<(&'static str, &'static str)>,
    /// The label that names a node's zone.
    pub zone_label: &'static str,
}

impl ClusterGates {
    /// The row of a release.
    pub fn of(release: Release) -> Self {
        let minor = release.name().rsplit('.').next().and_then(|minor| minor.parse().ok());
        Self::of_minor(minor.unwrap_or(u32::MAX))
    }

    /// The row of 1.`minor`.
    pub(super) const fn of_minor(minor: u32) -> Self {
        Self {
            node_monitor_grace: if minor < 32 { 40_000 } else { 50_000 },
            taint_based_eviction: minor >= 13,
            disruption_target: minor >= 26,
            out_of_service: minor >= 26,
            evicts_unready: minor >= 22,
            unhealthy_eviction_policy: minor >= 27,
            graceful_shutdown: match minor {
                ..20 => None,
                20 | 21 => Some(("Shutdown", "Node is shutting, evicting pods")),
                _ => Some(("Terminated", "Pod was terminated in response to imminent node shutdown.")),
            },
            zone_label: if minor < 17 {
                "failure-domain.beta.kubernetes.io/zone"
            } else {
                "topology.kubernetes.io/zone"
            },
        }
    }
}
