//! Pod, and the template it is made from.

use super::json::{is_zero, nullable, text};
use super::{
    Affinity, Extra, Labels, List, Node, NodeAffinity, NodeSelector, ObjectMeta, PodAffinity, PodCondition, PodPhase,
    PodStatus, PreferredSchedulingTerm, Shared, SharedExtra, TopologySpreadConstraint,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// What runs the controllers of workloads: the names of its pods begin so.
pub(crate) const CONTROLLER_MANAGER: &str = "kube-controller-manager";
/// What gives pods their nodes, likewise.
pub(crate) const SCHEDULER: &str = "kube-scheduler";
/// The name that pods ask for it by.
pub(crate) const DEFAULT_SCHEDULER: &str = "default-scheduler";

/// A pod.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pod {
    /// Name is `<set>-<ordinal>`.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// Shared with every pod that differs only in status.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<PodSpec>,
    /// What the kubelet says.
    #[serde(deserialize_with = "nullable")]
    pub status: PodStatus,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl PartialEq for Pod {
    fn eq(&self, other: &Self) -> bool {
        let Self { metadata, spec, status, extra } = self;
        *metadata == other.metadata
            && *status == other.status
            && (Rc::ptr_eq(spec, &other.spec) || *spec == other.spec)
            && *extra == other.extra
    }
}

/// `spec.template` of a workload.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodTemplateSpec {
    /// Labels and annotations for the pods.
    #[serde(deserialize_with = "nullable")]
    pub metadata: ObjectMeta,
    /// The pods' spec.
    #[serde(deserialize_with = "nullable")]
    pub spec: Rc<PodSpec>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `spec` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// What runs.
    pub containers: Shared<List<Container>>,
    /// What runs before.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub init_containers: Vec<Container>,
    /// The host name inside the pod.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub hostname: Rc<str>,
    /// Names the headless Service: the pod is `<hostname>.<subdomain>.<namespace>.svc.<cluster domain>`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub subdomain: Rc<str>,
    /// Where it was scheduled; empty before.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub node_name: Rc<str>,
    /// Seconds between the signal to stop and the kill; 30 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination_grace_period_seconds: Option<i64>,
    /// Taints it bears, and for how long.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Shared<Vec<Toleration>>,
    /// Beside which pods and on which nodes it would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub affinity: Option<Shared<Affinity>>,
    /// Labels its node must carry.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub node_selector: Labels,
    /// Its volumes, claims among them.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Volume>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

/// One container of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    /// Unique in the pod.
    #[serde(deserialize_with = "text")]
    pub name: Rc<str>,
    /// What runs.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub image: Rc<str>,
    /// Requests and limits. Go always writes this field, and the revision hash covers it.
    #[serde(deserialize_with = "nullable")]
    pub resources: Extra,
    /// Everything else.
    #[serde(flatten)]
    pub extra: SharedExtra,
}

impl Pod {
    /// Whether the kubelet of its node makes it, of a file there: what the API server has is only its mirror. Where a text has no more of
    /// it than a row, its name tells: the node's follows that of the file.
    pub(crate) fn is_static(&self) -> bool {
        let metadata = &self.metadata;
        let is_named = || {
            let before = metadata.name.strip_suffix(&*self.spec.node_name).and_then(|name| name.strip_suffix('-'));
            let is_alone = metadata.owner_references.is_empty() && !self.spec.node_name.is_empty();
            is_alone && &*metadata.namespace == "kube-system" && before.is_some_and(|name| !name.is_empty())
        };
        metadata.annotations.get("kubernetes.io/config.mirror").is_some()
            || metadata.controller_of().is_some_and(|owner| &*owner.kind == "Node")
            || is_named()
    }
}

impl PodSpec {
    /// Whether it has a container of this name, an init container or another.
    pub(crate) fn has_container(&self, name: &str) -> bool {
        self.init_containers.iter().chain(self.containers.iter()).any(|container| *container.name == *name)
    }

    /// The name of the scheduler that is to place the pod.
    pub(crate) fn scheduler(&self) -> &str {
        let own = self.extra.get("schedulerName").and_then(serde_json::Value::as_str);
        own.filter(|name| !name.is_empty()).unwrap_or(DEFAULT_SCHEDULER)
    }

    /// Whether a container that has ended with this exit code is started again.
    pub(crate) fn restarts(&self, exit_code: i32) -> bool {
        match self.extra.get("restartPolicy").and_then(serde_json::Value::as_str) {
            Some("Never") => false,
            Some("OnFailure") => exit_code != 0,
            _ => true,
        }
    }

    /// `affinity.nodeAffinity`.
    pub(crate) fn node_affinity(&self) -> Option<&NodeAffinity> {
        self.affinity.as_ref()?.node_affinity.as_ref()
    }

    /// What of it must hold.
    pub(crate) fn required_nodes(&self) -> Option<&NodeSelector> {
        self.node_affinity()?.required.as_ref()
    }

    /// Whether the node has the labels of the node selector and suits the required node affinity. Models GetRequiredNodeAffinity
    /// of k8s.io/component-helpers/scheduling/corev1/nodeaffinity.
    pub(crate) fn asks_for(&self, node: &Node) -> bool {
        self.node_selector.are_among(&node.metadata.labels)
            && self.required_nodes().is_none_or(|required| required.suits(node))
    }

    /// The sum of the weights of the preferred node affinity that the node suits; none if nothing is preferred.
    /// Models PreferredSchedulingTerms.Score.
    pub(crate) fn preference_for(&self, node: &Node) -> Option<i64> {
        let terms = &self.node_affinity()?.preferred;
        let suits = |term: &&PreferredSchedulingTerm| term.preference.suits(node);
        (!terms.is_empty()).then(|| terms.iter().filter(suits).map(|term| term.weight).fold(0, i64::saturating_add))
    }

    /// `affinity.podAffinity`.
    pub(crate) fn pod_affinity(&self) -> Option<&PodAffinity> {
        self.affinity.as_ref()?.pod_affinity.as_deref()
    }

    /// `affinity.podAntiAffinity`.
    pub(crate) fn pod_anti_affinity(&self) -> Option<&PodAffinity> {
        self.affinity.as_ref()?.pod_anti_affinity.as_deref()
    }

    /// `topologySpreadConstraints`.
    pub(crate) fn spread_constraints(&self) -> Vec<TopologySpreadConstraint> {
        let list = self.extra.get("topologySpreadConstraints").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|value| TopologySpreadConstraint::deserialize(value).ok()).collect()
    }
}

impl Container {
    /// Of an init container: whether it is started before those behind it and runs on beside the others.
    pub(crate) fn is_sidecar(&self) -> bool {
        self.extra.get("restartPolicy").is_some_and(|policy| policy == "Always")
    }
}

/// One of `spec.tolerations`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Toleration {
    /// The taint's key; empty with `Exists` means every key.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub key: Rc<str>,
    /// `Exists` or `Equal`; empty means `Equal`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub operator: Rc<str>,
    /// The taint's value for `Equal`.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub value: Rc<str>,
    /// The taint's effect; empty means every effect.
    #[serde(deserialize_with = "text", skip_serializing_if = "str::is_empty")]
    pub effect: Rc<str>,
    /// How long a NoExecute taint is borne; forever if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toleration_seconds: Option<i64>,
}

/// One of `spec.volumes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Volume {
    /// Unique in the pod.
    #[serde(deserialize_with = "text")]
    pub name: Rc<str>,
    /// Set for volumes that come from a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persistent_volume_claim: Option<ClaimSource>,
    /// Any other source.
    #[serde(flatten)]
    pub extra: Extra,
}

/// `persistentVolumeClaim` of a volume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClaimSource {
    /// The claim's name, in the pod's namespace.
    #[serde(deserialize_with = "text")]
    pub claim_name: Rc<str>,
    /// Whether the mount is read-only.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub read_only: bool,
}

impl Pod {
    /// The names of the claims that it mounts.
    pub fn claim_names(&self) -> impl Iterator<Item = &Rc<str>> {
        let claims = self.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
        claims.map(|claim| &claim.claim_name)
    }

    /// Names of the claims that are made for volumes which live as long as the pod.
    pub(crate) fn ephemeral_claims(&self) -> impl Iterator<Item = String> {
        let all = self.spec.volumes.iter().filter(|volume| volume.extra.contains_key("ephemeral"));
        all.map(|volume| format!("{}-{}", self.metadata.name, volume.name))
    }

    /// Whether its condition Ready is True.
    pub fn is_ready(&self) -> bool {
        self.condition("Ready").is_some_and(|ready| &*ready.status == "True")
    }

    /// Whether it has started and is not Ready, and nothing says since when.
    pub(crate) fn is_unready_since_untold(&self) -> bool {
        let is_untold = |condition: &PodCondition| condition.last_transition_time.is_none();
        let has_begun = self.status.phase == PodPhase::Running;
        has_begun && !self.is_ready() && self.condition("Ready").is_some_and(is_untold)
    }

    /// Phase Failed or Succeeded: its containers have ended for good.
    pub fn has_ended(&self) -> bool {
        matches!(self.status.phase, PodPhase::Failed | PodPhase::Succeeded)
    }

    /// Deletion was asked for.
    pub fn is_terminating(&self) -> bool {
        self.metadata.deletion_timestamp.is_some()
    }

    /// The condition of this type.
    pub fn condition(&self, condition_type: &str) -> Option<&PodCondition> {
        self.status
            .conditions
            .iter()
            .find(|condition| &*condition.condition_type == condition_type)
            .map(|condition| &**condition)
    }
}
