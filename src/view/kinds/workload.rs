//! What the page draws and offers for one workload. Each kind implements it in `<kind>/mod.rs`.

use crate::objects::{Kind, Object, ObjectRef, Pod, PodPhase};
use crate::reconcile::{Decision, Subject, daemon_set};
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::fields::Field;
use crate::view::model::{Blank, Hook, Ranked};
use crate::view::readiness::{Unavailable, unavailable};
use crate::view::status_word::{PodStatus, pod_status};
use crate::view::text::Noun;
use crate::view::{Act, Notes, text};
use std::rc::Rc;

/// A workload with what is around it.
pub(in crate::view) struct Surroundings<'a> {
    /// The cluster.
    pub(in crate::view) cluster: &'a Cluster,
    /// The workload.
    pub(in crate::view) object: &'a Object,
    /// Its pods.
    pub(in crate::view) pods: &'a [&'a Rc<Pod>],
}

impl<'a> Surroundings<'a> {
    /// A limit on unavailable pods that is reached, with the pods that reach it. `limit` says so in a sentence. Where no pod
    /// becomes available by itself, nothing ends the wait.
    pub(super) fn limited(&self, limit: Text, min_ready: i32) -> Cause {
        let missing: Vec<Unavailable> =
            self.pods.iter().filter_map(|pod| unavailable(self.cluster, pod, min_ready)).collect();
        let stuck = !missing.is_empty() && missing.iter().all(|pod| pod.stuck);
        let left = missing.len().saturating_sub(NAMED);
        let more = if left == 0 { Text::default() } else { text!("And {} more.", text::count_of(left, Noun::Pod)) };
        let pods = missing.into_iter().take(NAMED).map(|pod| pod.text);
        let reason = Text::sentences([limit].into_iter().chain(pods).chain([more]));
        let resolution = stuck.then(|| {
            text!("Nothing ends this wait by itself: put right what keeps the pods from being available, or roll back.")
        });
        Cause { reason, resolution, stuck }
    }

    /// The pod that a decision is about.
    pub(super) fn pod_of(&self, decision: &Decision) -> Option<&'a Pod> {
        let name = match &decision.subject {
            Subject::Pod(name) => name.to_string(),
            Subject::Ordinal(ordinal) => format!("{}-{ordinal}", self.object.metadata().name),
            Subject::Object | Subject::ReplicaSet(_) => return None,
        };
        self.pods.iter().find(|pod| *pod.metadata.name == *name).map(|pod| &***pod)
    }

    /// The pods that count.
    pub(super) fn active(&self) -> Vec<&'a Rc<Pod>> {
        self.pods.iter().copied().filter(|pod| is_active(pod)).collect()
    }
}

/// Why a controller stands where it does.
pub(in crate::view) struct Cause {
    /// Why, in sentences.
    pub(in crate::view) reason: Text,
    /// What ends it; none if that is what is said about the rule.
    pub(in crate::view) resolution: Option<Text>,
    /// Whether nothing ends it before someone acts.
    pub(in crate::view) stuck: bool,
}

impl Cause {
    /// A reason of which nothing more is known.
    pub(super) fn of(reason: Text) -> Self {
        Self { reason, resolution: None, stuck: false }
    }
}

/// The numbers of a status that every kind has.
#[derive(Default)]
pub(in crate::view) struct Counts {
    /// Ready pods.
    pub(in crate::view) ready: i32,
    /// Available pods.
    pub(in crate::view) available: i32,
    /// Pods of the template as it is.
    pub(in crate::view) updated: i32,
}

/// What the page asks a workload. What has a default is not so for most kinds.
pub(in crate::view) trait Workload {
    /// The numbers of its status.
    fn counts(&self) -> Counts;

    /// The fields of its status that are shown whether they are there or not, in this order, and what each counts.
    fn status_fields(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The current and the update revision, where its status names them.
    fn revisions(&self) -> Option<[&Rc<str>; 2]> {
        None
    }

    /// The fields of its strategy.
    fn fields(&self) -> &'static [Field] {
        &[]
    }

    /// What the panel of controls says about it.
    fn notes(&self) -> Notes {
        Notes::default()
    }

    /// What a comparison offers to change: the policy as it is, and what it can be.
    fn policy(&self) -> Option<(&'static str, &'static [&'static str])> {
        None
    }

    /// The partition of its update; none if its kind has none.
    fn partition(&self) -> Option<String> {
        None
    }

    /// The ordinal of a pod, and whether there is to be a pod at it; none where pods have no ordinals.
    fn ordinal(&self, _pod: &Pod) -> Option<(i32, bool)> {
        None
    }

    /// Whether it has a pod for each node instead of a number of pods.
    fn is_by_node(&self) -> bool {
        false
    }

    /// Whether its pods stay on a node that cannot be reached.
    fn stays_on_lost_node(&self) -> bool {
        false
    }

    /// How many pods an update may make above the desired number.
    fn surge(&self) -> i32 {
        0
    }

    /// How many pods the partition keeps old, and what that means.
    fn kept_old(&self) -> Option<(i32, Text)> {
        None
    }

    /// The places without a pod. Of the `free` places of a surge `taken` have one.
    fn blanks(&self, around: &Surroundings<'_>, free: usize, taken: usize) -> Vec<Blank> {
        let missing = number(around.object.desired()).saturating_sub(around.active().len());
        let missing =
            (0..missing).map(|at| Blank::new(format!("missing-{at}"), text!("missing"), text!("not created yet"), 0));
        let words = || text!("free for a pod above the replicas");
        let open = (taken..free).map(|at| Blank::new(format!("surge-{at}"), text!("surge place"), words(), 0));
        missing.chain(open).collect()
    }

    /// Which pods are updated next, the first first.
    fn next_updated(&self, _around: &Surroundings<'_>) -> Vec<Ranked> {
        Vec::new()
    }

    /// Which pods are deleted first by a scale-down, the first first.
    fn next_deleted(&self, _around: &Surroundings<'_>) -> Vec<Ranked> {
        Vec::new()
    }

    /// Why a sync of it ended at a decision, where there is more to tell than the decision's sentence.
    fn cause(&self, _around: &Surroundings<'_>, _decision: &Decision) -> Option<Cause> {
        None
    }

    /// The hooks that hold an active pod, each with the act that lets it go on.
    fn hooks(&self, _pod: &Pod) -> Vec<(Hook, Act)> {
        Vec::new()
    }

    /// What can be done to an active pod beyond what can be done to any.
    fn pod_acts(&self, _pod: &Pod) -> Vec<Act> {
        Vec::new()
    }
}

/// The object as a workload; none if it is not one.
pub(in crate::view) fn workload(object: &Object) -> Option<&dyn Workload> {
    match object {
        Object::StatefulSet(set) => Some(set),
        Object::CloneSet(set) => Some(&**set),
        Object::AdvancedStatefulSet(set) => Some(&**set),
        Object::ReplicaSet(set) => Some(set),
        Object::Deployment(set) => Some(&**set),
        Object::DaemonSet(set) => Some(&**set),
        Object::Pod(_) | Object::Claim(_) | Object::Revision(_) | Object::Node(_) => None,
    }
}

/// The numbers of the object's status.
pub(in crate::view) fn counts(object: &Object) -> Counts {
    workload(object).map_or_else(Counts::default, |workload| workload.counts())
}

/// Whether the pod is one of the workload of this name, which may be gone.
pub(in crate::view) fn is_named_for(pod: &Pod, set: &ObjectRef) -> bool {
    let Some(owner) = pod.metadata.controller_of() else { return false };
    match set.kind {
        // A ReplicaSet is named after its Deployment and the hash that its pods bear.
        Kind::Deployment => pod.metadata.labels.get("pod-template-hash").is_some_and(|hash| {
            owner.name.strip_suffix(&**hash).and_then(|name| name.strip_suffix('-')) == Some(&*set.name)
        }),
        kind => Kind::named(&owner.api_version, &owner.kind) == Some(kind) && owner.name == set.name,
    }
}

/// Whether the pod counts: it is neither terminating nor has it ended.
pub(in crate::view) fn is_active(pod: &Pod) -> bool {
    !pod.is_terminating() && !pod.has_ended()
}

/// The node a pod is on or is made for; empty if there is none.
pub(in crate::view) fn node_of(pod: &Pod) -> Rc<str> {
    daemon_set::node_of(pod).unwrap_or_else(|| "".into())
}

/// How many; none below zero.
pub(in crate::view) fn number(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

/// So many pods are named that keep a limit reached.
const NAMED: usize = 3;

/// Of so many pods it is said why they stand where they do.
const EXPLAINED: usize = 12;

/// A pod at a place of a ranking.
pub(super) fn ranked(at: usize, pod: &Pod, because: impl FnOnce() -> Text) -> Ranked {
    let because = if at < EXPLAINED { because() } else { Text::default() };
    Ranked { name: pod.metadata.name.to_string(), because, kept: false }
}

/// What about a pod says most about its rank among the active ones.
pub(super) fn because(cluster: &Cluster, active: &[&Rc<Pod>], pod: &Pod) -> Text {
    let cost = pod.metadata.annotations.get("controller.kubernetes.io/pod-deletion-cost");
    let ready = pod.condition("Ready").filter(|ready| &*ready.status == "True");
    let status = pod_status(pod, cluster.release().kubectl());
    match (cost, ready.and_then(|ready| ready.last_transition_time)) {
        _ if pod.spec.node_name.is_empty() => text!("it has no node"),
        _ if status != PodStatus::Phase(PodPhase::Running) => text!("it is {}", status.to_string()),
        (_, None) => text!("it is not ready"),
        (Some(cost), _) => text!("its deletion costs {}", cost),
        (None, Some(since)) => {
            let here = active.iter().filter(|other| other.spec.node_name == pod.spec.node_name).count();
            let age = crate::kubectl::age(cluster.now().0 - since.0);
            let others = text::count_of(here, Noun::Pod);
            text!("ready for {}, {} on {}", age, others, pod.spec.node_name)
        }
    }
}
