//! The words of a release's kube-scheduler. They follow FitError of pkg/scheduler/framework/types.go and its forerunners.

/// How it says why no node takes a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulerWords {
    /// `Scheduled` names the pod's namespace (since 1.12).
    pub scheduled_names_namespace: bool,
    /// A claim that is not bound yet.
    pub unbound_claim: UnboundClaimWords,
    /// A taint that the pod does not tolerate (Filter, plugins/tainttoleration/taint_toleration.go).
    pub taint: TaintWords,
    /// A node that the pod's node selector or required node affinity does not ask for (ErrReasonPod,
    /// plugins/nodeaffinity/node_affinity.go; as it is now since 1.21, kubernetes/kubernetes#97521).
    pub node_affinity: &'static str,
    /// Nodes that the required affinity does not name, as of a DaemonSet's pod, are not filtered: the plugin is named instead.
    /// Models PreFilterResult.
    pub names_plugins: bool,
    /// Pod affinity and anti-affinity are told of twice: in general, and by whose rule (up to 1.21: Filter,
    /// plugins/interpodaffinity/filtering.go).
    pub pod_affinity_in_general: bool,
    /// A node without the label of a spread constraint is told of as such (since 1.20).
    pub names_missing_label: bool,
    /// Resources and ports are looked at before affinity and taints (up to 1.20).
    pub asks_for_resources_first: bool,
    /// Which pods that cannot be placed are told of twice.
    pub told_twice: ToldTwice,
    /// A pod whose claim was not bound waits this long, in milliseconds, and then for the queue's next look at those that wait,
    /// which it has every second (flushBackoffQCompleted). The first try makes it 1 s and each further one doubles it: in 1.9
    /// CreateDefaultPodBackoff, util/backoff_utils.go; then calculateBackoffDuration, scheduling_queue.go, since 1.33
    /// backend/queue/backoff_queue.go. So it is 2 s up to 1.22, which try twice. 0 since 1.33: a scheduler that has nothing else
    /// to do takes it at once (the gate SchedulerPopFromBackoffQ, beta and on from 1.33 in pkg/features/kube_features.go).
    pub claim_back_off: i64,
    /// What stands before and after the outcome of preemption; none if it is not told of (it is since 1.24). From 1.26 to 1.28 it ends
    /// in two dots (FitError, kubernetes/kubernetes#117588); with resource claims on, as in 1.34, these were looked at too.
    pub preemption: Option<(&'static str, &'static str)>,
}

/// Which pods that cannot be placed are told of twice, as they are tried once more at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldTwice {
    /// None.
    Never,
    /// All: writing the condition makes the queue try a pod again, as 1.20 to 1.22 take the managed fields for a change of it
    /// (isPodUpdated, scheduling_queue.go, read in 1.21.1, 1.22.0, 1.23.0 and, without them, 1.23.5 and 1.24.16).
    Always,
    /// Those that wait for a claim: what becomes of it moves the pod to the back-off queue, which is taken from at once (since 1.33,
    /// as `claim_back_off`). The condition was written between, and the pod's resource version is in the key of its event.
    UnboundClaims,
}

/// How an unbound claim is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnboundClaimWords {
    /// By name, once for each node.
    Named,
    /// As an error of the VolumeBinding filter.
    FilterError,
    /// Counted, as a reason of each node.
    Counted,
    /// Once, with preemption's outcome: the filter that says so runs once for all nodes.
    Once,
    /// Once, without it: resource claims are asked for before preemption, and what they would have noted was not come to.
    OnceNotFound,
}

/// How a taint is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaintWords {
    /// Without its name.
    Unnamed,
    /// `node(s) had taint {key: value}, that the pod didn't tolerate` (kubernetes/kubernetes#87250).
    DidntTolerate,
    /// `node(s) had untolerated taint {key: value}` (since 1.24, kubernetes/kubernetes#109119).
    Untolerated,
    /// `node(s) had untolerated taint(s)` (since 1.35, kubernetes/kubernetes#134740; in late patch releases of 1.34 too, #135023), as
    /// recorded from 1.36.3.
    UntoleratedUnnamed,
}
