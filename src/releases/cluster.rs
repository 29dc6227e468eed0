//! What the cluster around the controllers does in a release.

/// Behavior of the API server, the node lifecycle controller, the pod garbage collector and the kubelet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterGates {
    /// Milliseconds without a heartbeat after which a node is NotReady: 40 s, since 1.32 50 s (kubernetes/kubernetes#126287:
    /// `RecommendedDefaultNodeLifecycleControllerConfiguration`, pkg/controller/nodelifecycle/config/v1alpha1/defaults.go).
    pub node_monitor_grace: i64,
    /// Taints repel and evict (since 1.13). Before, pods are deleted 5 min after the node's last heartbeat and marked NodeLost.
    pub taint_based_eviction: bool,
    /// A node is tainted with NoExecute in the pass that marks it (since 1.34: `processTaintBaseEviction` of
    /// node_lifecycle_controller.go is given the condition that was just written); before, in the next one.
    pub evicts_in_marking_pass: bool,
    /// Evicted pods carry the condition DisruptionTarget, and a pod that is collected is Failed before it is deleted (since 1.26:
    /// `markFailedAndDeletePodWithCondition`, gc_controller.go).
    pub disruption_target: bool,
    /// A pod that its kubelet evicts keeps the statuses of its containers, which were killed (since 1.22, where the worker of the
    /// pod ends it: kubernetes/kubernetes#102344).
    pub evicted_keep_statuses: bool,
    /// A pod that is deleted before any of its containers was started is Failed, its containers ContainerStatusUnknown (since 1.27:
    /// `TerminatePod`, status_manager.go).
    pub unstarted_pods_fail: bool,
    /// The out-of-service taint frees pods and volumes of a node that is NotReady (on since 1.26, for good since 1.28).
    pub out_of_service: bool,
    /// A pod that is not Ready may be evicted while its budget is met (since 1.22).
    pub evicts_unready: bool,
    /// `unhealthyPodEvictionPolicy` of a PodDisruptionBudget (on since 1.27).
    pub unhealthy_eviction_policy: bool,
    /// The reason and message of pods that a shutting down kubelet ended (since 1.20, where the gate was alpha; it is taken
    /// as on): pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go, later nodeshutdown_manager.go beside it. Others since 1.22
    /// (kubernetes/kubernetes#102840).
    pub graceful_shutdown: Option<(&'static str, &'static str)>,
    /// The label that names a node's zone.
    pub zone_label: &'static str,
    /// A pod whose node went dark has an event of it (since 1.19, kubernetes/kubernetes#87743).
    pub pod_event_of_dark_node: bool,
    /// What a kubelet does once the containers of a pod that is deleted have ended.
    pub pod_end: PodEnd,
    /// A pod that is deleted is Succeeded or Failed before it goes (since 1.27, kubernetes/kubernetes#115331); before, its
    /// phase stays Running.
    pub ends_in_terminal_phase: bool,
    /// Containers that are stopping end sooner where the pod's grace is shortened (since 1.22, kubernetes/kubernetes#102344);
    /// before, the worker of the pod sees that once they have ended.
    pub shorter_grace_hastens_stop: bool,
    /// A pod has an event of its volume being attached (since 1.10); before, of its being mounted.
    pub attach_events: bool,
    /// The annotations of a claim that name its provisioner (the second since 1.23, kubernetes/kubernetes#104590). Models
    /// setClaimProvisioner, pv_controller_base.go.
    pub provisioner_annotations: &'static [&'static str],
    /// What is said of a claim whose provisioner, `{}`, is waited for (other words since 1.28). Models
    /// provisionClaimOperationExternal, pv_controller.go.
    pub waits_for_provisioner: &'static str,
}

/// What a kubelet does once the containers of a pod that is deleted have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PodEnd {
    /// The object goes at once, without a report. No real kubelet does that.
    AtOnce,
    /// It reports that they ended, and the object goes after so many milliseconds.
    After(i64),
    /// It reports that they ended, and the object goes when it next looks at all statuses.
    NextTick {
        /// From one such look to the next, in milliseconds.
        every: i64,
        /// The first one, in milliseconds after the node joined.
        first: i64,
    },
}
