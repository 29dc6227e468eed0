//! Every command that a user can give to the cluster.

use super::Beside;
use super::manifest::{PatchType, is_list, read_patch};
use crate::objects::{ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::sim::{Behavior, Budget, Cascade, Failure, Hold};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What `kubectl drain` is told beside the flags that let it go on. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draining {
    /// `--pod-selector`: of the node's pods only these.
    pub pods: Option<Rc<str>>,
    /// `--grace-period`, in place of each pod's own.
    pub grace: Option<i32>,
    /// `--skip-wait-for-delete-timeout`: pods whose grace has ended so long ago are not waited for.
    pub skip: Option<i32>,
    /// `--timeout`.
    pub timeout: Option<i32>,
}

/// One act. `set` is the StatefulSet it is about, `pod` the pod, `node` the node's name.
#[allow(missing_docs, reason = "the fields say what they are")]
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `kubectl apply -f -` with this text.
    Apply { manifest: Rc<str> },
    /// `kubectl scale`.
    Scale { set: ObjectRef, replicas: i32 },
    /// `kubectl autoscale`: a HorizontalPodAutoscaler of this name, with the server's least where none is given.
    Autoscale { target: ObjectRef, name: Rc<str>, min: Option<i32>, max: i32 },
    /// `kubectl delete --cascade=orphan` and `kubectl create` with another policy: the pods stay and are adopted.
    Recreate { set: ObjectRef, policy: PodManagementPolicy },
    /// `kubectl set image`.
    SetImage { set: ObjectRef, container: Rc<str>, image: Rc<str> },
    /// `kubectl set resources`, of one container or, without a name, of all: quantities by resource.
    SetResources {
        set: ObjectRef,
        container: Option<Rc<str>>,
        limits: BTreeMap<Rc<str>, Rc<str>>,
        requests: BTreeMap<Rc<str>, Rc<str>>,
    },
    /// `kubectl patch` with its `--type`.
    Patch { set: ObjectRef, patch: Rc<str>, how: PatchType },
    /// `kubectl rollout undo`, to the revision of this number or, at 0, to the one before.
    RollBack { set: ObjectRef, to: i64 },
    /// `kubectl rollout restart`.
    Restart { set: ObjectRef },
    /// `kubectl rollout pause` and `kubectl rollout resume`.
    Pause { set: ObjectRef, paused: bool },
    /// `kubectl set env`, of one container or, without a name, of all: a variable without a value goes.
    SetEnv { set: ObjectRef, container: Option<Rc<str>>, variables: Vec<(Rc<str>, Option<Rc<str>>)> },
    /// `kubectl annotate`; an annotation without a value goes.
    Annotate { object: ObjectRef, annotations: BTreeMap<Rc<str>, Option<Rc<str>>> },
    /// `kubectl patch` of a budget, an autoscaler, a quota or a range.
    PatchBeside { of: Beside, namespace: Rc<str>, name: Rc<str>, patch: Rc<str>, how: PatchType },
    /// `kubectl delete` of one.
    DeleteBeside { of: Beside, namespace: Rc<str>, name: Rc<str> },
    /// `kubectl label`; a label without a value goes.
    Label { object: ObjectRef, labels: BTreeMap<Rc<str>, Option<Rc<str>>> },
    /// `kubectl delete pod` with the pod's own grace or with so many seconds of it; 0 is `--force`.
    DeletePod { pod: ObjectRef, grace: Option<i64> },
    /// The pod's container exits once and is started again.
    CrashPod { pod: ObjectRef },
    /// From now on the readiness probes of the pod's containers fail, or pass.
    SetReady { pod: ObjectRef, ready: bool },
    /// Something stays as it is until what holds it changes.
    Hold { hold: Hold },
    /// What holds the object is taken to be gone: a pod starts, a workload makes pods, a claim is served.
    Lift { object: ObjectRef },
    /// The kubelet evicts the pod under pressure: its phase is Failed.
    EvictPod { pod: ObjectRef },
    /// The kubelet ends the pod and its containers exit with 0: its phase is Succeeded.
    CompletePod { pod: ObjectRef },
    /// `kubectl delete pvc`.
    DeleteClaim { claim: ObjectRef },
    /// `kubectl delete sts`.
    DeleteSet { set: ObjectRef, cascade: Cascade },
    /// A ResourceQuota for pods in every namespace, or none.
    SetPodQuota { pods: Option<i32> },
    /// A validating webhook denies new pods.
    SetWebhook { denies: bool },
    /// The object's controller has failed so often in a row, and tries again after so many milliseconds.
    SetFailures { object: ObjectRef, times: u32, milliseconds: i64 },
    /// The object's controller looks at it again after so many milliseconds, unless it does so earlier.
    SyncAfter { object: ObjectRef, milliseconds: i64 },
    /// A PodDisruptionBudget over the set's pods, or none.
    SetBudget { set: ObjectRef, budget: Option<Budget> },
    /// What containers of an image do from now on.
    SetBehavior { image: Rc<str>, behavior: Behavior },
    /// From a container's start to its first passed readiness probe, in milliseconds.
    SetReadinessDelay { milliseconds: i64 },
    /// A new node joins.
    AddNode,
    /// `kubectl delete node`. The machine stays as it is.
    RemoveNode { node: Rc<str> },
    /// `kubectl cordon`.
    Cordon { node: Rc<str> },
    /// `kubectl uncordon`.
    Uncordon { node: Rc<str> },
    /// `kubectl drain` with every flag that lets it go on, until every pod is evicted, the node is uncordoned, or its time is over.
    Drain { node: Rc<str>, how: Draining },
    /// The node's machine fails.
    FailNode { node: Rc<str>, failure: Failure },
    /// The node's kubelet answers again; without a Node object it registers anew.
    RecoverNode { node: Rc<str> },
    /// Every machine of the zone fails.
    FailZone { zone: Rc<str>, failure: Failure },
    /// Every machine of the zone comes back.
    RecoverZone { zone: Rc<str> },
    /// `kubectl taint node node.kubernetes.io/out-of-service=nodeshutdown:<effect>`, effect `NoExecute` or `NoSchedule`.
    TaintOutOfService { node: Rc<str>, effect: Rc<str> },
    /// `kubectl taint node node.kubernetes.io/out-of-service-`.
    UntaintOutOfService { node: Rc<str> },
    /// `kubectl taint node <key>=<value>:<effect>`, of any other key.
    Taint { node: Rc<str>, key: Rc<str>, value: Rc<str>, effect: Rc<str> },
    /// `kubectl taint node <key>-`; of one effect only, if it is not empty.
    Untaint { node: Rc<str>, key: Rc<str>, effect: Rc<str> },
}

impl Command {
    /// `kubectl label` with one label; without a value it goes.
    pub fn label(object: ObjectRef, key: Rc<str>, value: Option<Rc<str>>) -> Self {
        Self::Label { object, labels: [(key, value)].into_iter().collect() }
    }

    /// `kubectl patch` without `--type`: operations are a JSON patch, and a custom resource takes no strategic one.
    pub fn patch(set: ObjectRef, patch: Rc<str>) -> Self {
        let how = match set.kind {
            _ if is_list(&patch) => PatchType::Json,
            kind if kind.is_custom_resource() => PatchType::Merge,
            _ => PatchType::Strategic,
        };
        Self::Patch { set, patch, how }
    }

    /// The patch that sets `podManagementPolicy`, which the API server refuses to change.
    pub fn set_policy(set: ObjectRef, policy: PodManagementPolicy) -> Self {
        Self::patch_spec(set, &format!(r#"{{"podManagementPolicy":"{}"}}"#, policy.as_str()))
    }

    /// The patch that sets `updateStrategy.type`.
    pub fn set_strategy(set: ObjectRef, strategy: UpdateStrategyType) -> Self {
        // The API server takes `rollingUpdate` only with its own strategy.
        let no_other = if strategy == UpdateStrategyType::RollingUpdate { "" } else { r#","rollingUpdate":null"# };
        Self::patch_spec(set, &format!(r#"{{"updateStrategy":{{"type":"{}"{no_other}}}}}"#, strategy.as_str()))
    }

    /// The patch that sets `updateStrategy.rollingUpdate.partition`.
    pub fn set_partition(set: ObjectRef, partition: i32) -> Self {
        Self::patch_spec(set, &format!(r#"{{"updateStrategy":{{"rollingUpdate":{{"partition":{partition}}}}}}}"#))
    }

    fn patch_spec(set: ObjectRef, spec: &str) -> Self {
        Self::patch(set, format!(r#"{{"spec":{spec}}}"#).into())
    }

    /// What it lays over the field of that JSON pointer, where it is a patch of a workload and no list of operations.
    pub(crate) fn patched(&self, pointer: &str) -> Option<Value> {
        let Self::Patch { set, patch, .. } = self else { return None };
        read_patch(patch).ok().filter(|_| set.kind.is_workload())?.pointer(pointer).cloned()
    }

    /// The policy that it asks for, where it is a patch of `podManagementPolicy`.
    pub fn asks_for_policy(&self) -> Option<(ObjectRef, PodManagementPolicy)> {
        let policy = self.patched("/spec/podManagementPolicy")?;
        let known = [PodManagementPolicy::OrderedReady, PodManagementPolicy::Parallel];
        Some((self.workload()?, known.into_iter().find(|known| policy == known.as_str())?))
    }

    /// The workload whose spec it changes.
    pub(crate) fn workload(&self) -> Option<ObjectRef> {
        self.clone().workload_mut().cloned()
    }

    /// The workload whose spec it changes, in its place.
    pub(crate) fn workload_mut(&mut self) -> Option<&mut ObjectRef> {
        match self {
            Self::Scale { set, .. }
            | Self::Recreate { set, .. }
            | Self::SetImage { set, .. }
            | Self::SetEnv { set, .. }
            | Self::SetResources { set, .. }
            | Self::RollBack { set, .. }
            | Self::Restart { set }
            | Self::Pause { set, .. } => Some(set),
            Self::Patch { set, .. } => Some(set).filter(|set| set.kind.is_workload()),
            _ => None,
        }
    }
}
