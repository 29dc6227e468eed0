//! What a release writes into every pod.

/// Fields that admission plugins and kubelets add, which nothing simulated asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodFields {
    /// How the name of the service account's volume begins.
    pub token_volume: &'static str,
    /// The service account's token is projected (gate `BoundServiceAccountTokenVolume`, on since 1.21); before, it is a Secret.
    pub token_is_projected: bool,
    /// The condition PodReadyToStartContainers (on since 1.29).
    pub sandbox_condition: bool,
    /// `status.hostIPs` (on since 1.29).
    pub host_ips: bool,
    /// `volumeMounts` of the containers' statuses (gate `RecursiveReadOnlyMounts`, on since 1.31).
    pub mount_statuses: bool,
    /// `metadata.generation` and `observedGeneration` (gate `PodObservedGenerationTracking`, on since 1.34).
    pub generation: bool,
    /// Pods carry the topology labels of their node (gate `PodTopologyLabelsAdmission`, on since 1.35).
    pub topology_labels: bool,
}
