//! What the page draws and offers for one workload. Each kind implements it in `<kind>/mod.rs`.

use super::context::Context;
use crate::objects::{Kind, Object, ObjectRef, Pod, PodManagementPolicy, PodPhase, UpdateStrategyType, workloads};
use crate::reconcile::{Decision, Subject, daemon_set};
use crate::sim::Cluster;
use crate::text::Text;
use crate::verdict::ordinal;
use crate::view::fields::Field;
use crate::view::model::{Blank, Hook, Layout, Ranked};
use crate::view::readiness::{Shared, Unavailable, unavailable};
use crate::view::status_word::{PodStatus, pod_status};
use crate::view::text::Noun;
use crate::view::{Act, Explanation, Notes, Severity, text};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A workload with what is around it.
pub(in crate::view) struct Surroundings<'a> {
    /// The cluster.
    pub(in crate::view) cluster: &'a Cluster,
    /// The workload.
    pub(in crate::view) object: &'a Object,
    /// What its kind says of it.
    pub(in crate::view) workload: &'a dyn Workload,
    /// Its pods.
    pub(in crate::view) pods: Vec<&'a Rc<Pod>>,
    /// The cluster as it was found, before its controllers went on: nobody is told of a status that a text does not have.
    pub(in crate::view) found: &'a Cluster,
    /// Its pods by ordinal, if they stand so.
    pub(in crate::view) ordinals: Option<&'a Context<'a>>,
}

impl<'a> Surroundings<'a> {
    /// Of an object, with its pods by ordinal as they are known already; none if it is no workload.
    pub(in crate::view) fn of(
        cluster: &'a Cluster,
        object: &'a Object,
        ordinals: Option<&'a Context<'a>>,
    ) -> Option<Self> {
        let workload = workload(object)?;
        let pods = match ordinals {
            Some(context) => context.pods().iter().map(|(_, pod)| pod).collect(),
            None => pods_of(cluster, object, workload),
        };
        Some(Self { cluster, object, workload, pods, found: cluster, ordinals })
    }

    /// The same, found as it was at an earlier moment.
    pub(in crate::view) fn found_in(self, found: &'a Cluster) -> Self {
        Self { found, ..self }
    }

    /// With those of its pods that were there when it was found, as they were.
    fn as_found(&self) -> Self {
        let then: BTreeMap<&Rc<str>, &'a Rc<Pod>> = self.found.pods().map(|pod| (&pod.metadata.uid, pod)).collect();
        let pods = self.pods.iter().filter_map(|pod| then.get(&pod.metadata.uid).copied()).collect();
        Self { pods, ..*self }
    }

    /// Why its sync ended at a decision, or without one, as its kind tells it.
    pub(in crate::view) fn cause(&self, decision: Option<&Decision>) -> Option<Cause> {
        if std::ptr::eq(self.found, self.cluster) {
            self.workload.cause(self, decision)
        } else {
            self.workload.cause(&self.as_found(), decision)
        }
    }

    /// A limit on unavailable pods that is reached, with the pods that reach it. `limit` says so in a sentence. Where no pod
    /// becomes available by itself, nothing ends the wait.
    pub(super) fn limited(&self, limit: Text, min_ready: i32) -> Cause {
        self.short(limit, min_ready, |pod| pod.text)
    }

    /// The same past a deadline: that a pod which has not become available for so long is about to is not said.
    pub(super) fn overdue(&self, limit: Text, min_ready: i32) -> Cause {
        self.short(limit, min_ready, |pod| pod.sure.unwrap_or(pod.text))
    }

    fn short(&self, limit: Text, min_ready: i32, words: fn(Unavailable) -> Text) -> Cause {
        let why = |pod: &&'a Rc<Pod>| Some((&*pod.metadata.name, unavailable(self.cluster, pod, min_ready)?));
        let missing: Vec<(&str, Unavailable)> = self.pods.iter().filter_map(why).collect();
        let stuck = !missing.is_empty() && missing.iter().all(|(_, pod)| pod.stuck);
        let is_of_template = missing.iter().any(|(_, pod)| pod.shared.as_ref().is_some_and(Shared::is_of_template));
        let reason = Text::sentences([limit, text::of_pods(each_once(missing, words))]);
        let resolution = stuck.then(|| match is_of_template {
            true => text!(
                "Nothing ends this wait by itself: put right what keeps the pods from being available, or roll back."
            ),
            false => text!("Nothing ends this wait by itself: put right what keeps the pods from being available."),
        });
        Cause::new(reason, resolution, stuck)
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

/// What is said of each pod, and once of those that are alike; with how many it is said of.
fn each_once(pods: Vec<(&str, Unavailable)>, words: fn(Unavailable) -> Text) -> Vec<(usize, Text)> {
    let mut groups: Vec<(Vec<&str>, Unavailable)> = Vec::new();
    for (name, pod) in pods {
        match groups.iter_mut().find(|(_, first)| first.shared.is_some() && first.shared == pod.shared) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], pod)),
        }
    }
    let of_group = |(names, pod): (Vec<&str>, Unavailable)| match &pod.shared {
        Some(shared) if names.len() > 1 => (names.len(), shared.of_several(text::named(names))),
        _ => (1, words(pod)),
    };
    groups.into_iter().map(of_group).collect()
}

/// Why a controller stands where it does.
pub(in crate::view) struct Cause {
    /// Where it stands; none if the decision's own sentence says it.
    pub(in crate::view) headline: Option<Text>,
    /// Why, in sentences.
    pub(in crate::view) reason: Text,
    /// What ends it; none if that is what is said about the rule.
    pub(in crate::view) resolution: Option<Text>,
    /// What kind of moment it is; none if the rule says so.
    pub(in crate::view) severity: Option<Severity>,
}

impl Cause {
    /// A reason, what ends it, and whether nothing does before someone acts.
    pub(super) fn new(reason: Text, resolution: Option<Text>, stuck: bool) -> Self {
        Self { headline: None, reason, resolution, severity: stuck.then_some(Severity::Stuck) }
    }

    /// A reason of which nothing more is known.
    pub(super) fn of(reason: Text) -> Self {
        Self::new(reason, None, false)
    }
}

impl From<Explanation> for Cause {
    fn from(all: Explanation) -> Self {
        let Explanation { headline, reason, resolution, severity } = all;
        Self { headline: Some(headline), reason, resolution: Some(resolution), severity: Some(severity) }
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
    fn fields(&self, _cluster: &Cluster) -> Vec<Field> {
        Vec::new()
    }

    /// The order in which its pods are made and how they are updated, if the panel has controls of their own for these.
    fn order(&self) -> Option<(PodManagementPolicy, UpdateStrategyType)> {
        None
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

    /// Where its controller stands that has nothing to come to it for, though a sync would write.
    fn unsynced(&self, _around: &Surroundings<'_>) -> Option<Explanation> {
        None
    }

    /// How its pods stand in the picture.
    fn layout(&self) -> Layout {
        Layout::Made
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

    /// What its partition means now.
    fn partition_means(&self, _around: &Surroundings<'_>) -> Text {
        self.kept_old().map_or_else(Text::default, |(_, means)| means)
    }

    /// Why a sync of it ended at a decision, or without one, where there is more to tell than the decision's sentence.
    fn cause(&self, _around: &Surroundings<'_>, _decision: Option<&Decision>) -> Option<Cause> {
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

macro_rules! of_workloads {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        /// The object as a workload; none if it is not one.
        pub(in crate::view) fn workload(object: &Object) -> Option<&dyn Workload> {
            match object {
                $(Object::$Variant(set) => Some(set),)*
                _ => None,
            }
        }
    };
}
workloads!(of_workloads);

/// The workload's pods, its own and those of its ReplicaSets, oldest first, by ordinal or by node.
pub(in crate::view) fn pods_of<'a>(cluster: &'a Cluster, object: &Object, workload: &dyn Workload) -> Vec<&'a Rc<Pod>> {
    let replica_sets = cluster.replica_sets_of(object);
    let mut owners = replica_sets.iter().map(|set| &set.metadata.uid).collect::<Vec<_>>();
    owners.push(&object.metadata().uid);
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owners.contains(&&owner.uid));
    let mut pods: Vec<&Rc<Pod>> = cluster.pods().filter(is_own).collect();
    pods.sort_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
    match workload.layout() {
        Layout::Ordinals => pods.sort_by_key(|pod| ordinal(pod)),
        Layout::Nodes => pods.sort_by_key(|pod| node_of(pod)),
        Layout::Made => {}
    }
    pods
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
