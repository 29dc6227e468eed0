//! What a condition looks at: one workload of a cluster, with all that belongs to it.

use crate::objects::{Kind, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, Time};
use crate::reconcile::advanced_stateful_set::Rule as Advanced;
use crate::reconcile::stateful_set::Rule as Ordinal;
use crate::reconcile::{Decision, Rule};
use crate::session::Session;
pub use crate::session::dump::Evidence;
use crate::session::dump::{Dump, Event, Held, Kept, NotFollowed, Service};
use crate::sim::{Cluster, SyncRecord, What};
use crate::text::{Text, span};
use crate::verdict::{Await, Ends, Ordered, Refuted, Standing, Verdict, Why, pods};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a text said that is not part of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told<'a> {
    /// Events of the real cluster, oldest first.
    pub events: &'a [Event],
    /// Its Services; empty if the text had none.
    pub services: &'a [Service],
    /// Objects of kinds that are not simulated.
    pub kept: &'a [Kept],
    /// Owners of pods whose controllers are not.
    pub not_followed: &'a [NotFollowed],
    /// The kinds that the text has objects of; none where there was no text.
    pub kinds: Option<&'a BTreeSet<Rc<str>>>,
    /// Whether it does not list every node.
    pub lacks_nodes: bool,
    /// Nodes that are not in its list, though pods run there; none where it has no list of all.
    pub missing_nodes: Option<&'a BTreeSet<Rc<str>>>,
    /// What it shows to be held.
    pub holds: &'a [Held],
    /// What its own clock says of the forecast of the workload that is asked about.
    pub refuted: Option<&'a Refuted>,
    /// What is on its way to the workload that is asked about.
    pub awaits: Option<&'a Await>,
    /// Whether what becomes of that workload is not known.
    pub is_not_known: bool,
    /// The same only for what the text leaves out: nothing that it shows is amiss.
    pub is_unsaid: bool,
    /// Workloads of which it tells little, and those that are only assumed to be there.
    pub little: Option<(&'a BTreeSet<ObjectRef>, &'a BTreeSet<ObjectRef>)>,
    /// Workloads of which it has no pod, though there may be some.
    pub unlisted: Option<&'a BTreeSet<ObjectRef>>,
}

impl<'a> Told<'a> {
    /// What is known of a workload, as far as the text tells of it. A text without nodes does not show whether a pod finds one, nor
    /// whether the one that it has still answers; and a text's own clock hardly goes on without them, whose kubelets report.
    pub(crate) fn bound(&self, verdict: Verdict) -> Verdict {
        let Some((thin, guessed)) = self.little else { return verdict };
        if self.unlisted.is_some_and(|unlisted| unlisted.contains(&verdict.workload)) {
            return verdict.of_unlisted();
        }
        let is_guessed = guessed.contains(&verdict.workload);
        let is_thin = is_guessed || thin.contains(&verdict.workload) || self.lacks_nodes;
        if is_thin { verdict.of_little(is_guessed) } else { verdict }
    }

    /// Whether the nodes are those of the text, not such as are assumed.
    pub(super) fn has_nodes(&self) -> bool {
        self.kinds.is_none_or(|kinds| kinds.contains("Node"))
    }

    /// The same of one workload, of which this is known.
    pub fn of(self, verdict: &'a Verdict) -> Self {
        let awaits = match &verdict.ends {
            Ends::NotKnown(Why::Awaits(awaits)) => Some(awaits),
            _ => None,
        };
        let is_not_known = matches!(verdict.ends, Ends::NotKnown(_));
        let is_unsaid = matches!(verdict.ends, Ends::NotKnown(Why::Unsaid | Why::Unlisted | Why::Volumes(_)))
            && verdict.holds.is_empty();
        Self { refuted: verdict.refuted.as_ref(), awaits, is_not_known, is_unsaid, ..self }
    }
}

impl<'a> From<&'a Dump> for Told<'a> {
    fn from(dump: &'a Dump) -> Self {
        Self {
            events: &dump.events,
            services: &dump.services,
            kept: &dump.kept,
            not_followed: &dump.not_followed,
            kinds: Some(&dump.kinds),
            lacks_nodes: !dump.has_all_nodes,
            missing_nodes: dump.missing_nodes(),
            holds: &dump.holds,
            refuted: None,
            awaits: None,
            is_not_known: false,
            is_unsaid: false,
            little: Some((&dump.thin, &dump.guessed)),
            unlisted: Some(&dump.unlisted),
        }
    }
}

impl<'a> From<&'a Vec<Event>> for Told<'a> {
    fn from(events: &'a Vec<Event>) -> Self {
        Self { events, ..Self::default() }
    }
}

impl<'a> From<&'a [Event]> for Told<'a> {
    fn from(events: &'a [Event]) -> Self {
        Self { events, ..Self::default() }
    }
}

/// One workload at one moment.
pub struct Case<'a> {
    /// The run, at the moment.
    pub session: &'a Session,
    /// The workload.
    pub object: &'a Object,
    /// Its pods: those it controls; a Deployment's are those of its ReplicaSets. By name.
    pub pods: Vec<&'a Rc<Pod>>,
    /// Where its controller stands.
    pub standing: &'a Standing,
    /// Events of the real cluster, oldest first.
    pub events: &'a [Event],
    /// Services of the real cluster; empty if nothing tells of any.
    pub services: &'a [Service],
    /// Objects of kinds that are not simulated.
    pub kept: &'a [Kept],
    /// Owners of pods whose controllers are not.
    pub not_followed: &'a [NotFollowed],
    /// The kinds that the text has objects of; none where there was no text.
    pub kinds: Option<&'a BTreeSet<Rc<str>>>,
    /// Nodes that are not in its list, though pods run there; none where it has no list of all.
    pub missing_nodes: Option<&'a BTreeSet<Rc<str>>>,
    /// What the text shows to be held.
    pub holds: &'a [Held],
    /// What the text's own clock says of its forecast.
    pub refuted: Option<&'a Refuted>,
    /// What is on its way to it.
    pub awaits: Option<&'a Await>,
    /// Whether what becomes of it without help is not known.
    pub is_not_known: bool,
    /// The same only for what the text leaves out: nothing that it shows is amiss.
    pub is_unsaid: bool,
    /// What a table has no more of than rows.
    thin: Option<&'a BTreeSet<ObjectRef>>,
    /// What is only assumed to be there.
    guessed: Option<&'a BTreeSet<ObjectRef>>,
    /// Workloads of which the text has no pod, though there may be some.
    unlisted: Option<&'a BTreeSet<ObjectRef>>,
    /// Whether it does not get well by itself, as far as that was tried.
    pub stuck: bool,
    /// The run at the moment that was asked about. Its controllers' first syncs may have come only after that.
    pub observed_run: &'a Session,
    /// The workload's syncs since that moment.
    syncs: Vec<&'a Rc<SyncRecord>>,
    /// The workload at that moment.
    pub observed: &'a Object,
    /// Its pods at that moment.
    pub observed_pods: Vec<&'a Rc<Pod>>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        session: &'a Session,
        object: &'a Object,
        standing: &'a Standing,
        told: impl Into<Told<'a>>,
    ) -> Self {
        let told = told.into();
        let Told { events, services, kept, not_followed, kinds, missing_nodes, holds, .. } = told;
        let Told { refuted, awaits, is_not_known, is_unsaid, little, unlisted, .. } = told;
        let pods = pods(session.cluster(), object);
        let observed_pods = pods.clone();
        Self {
            session,
            object,
            pods,
            standing,
            events,
            services,
            kept,
            not_followed,
            kinds,
            missing_nodes,
            holds,
            refuted,
            awaits,
            is_not_known,
            is_unsaid,
            thin: little.map(|(thin, _)| thin),
            guessed: little.map(|(_, guessed)| guessed),
            unlisted,
            stuck: false,
            observed_run: session,
            syncs: Vec::new(),
            observed: object,
            observed_pods,
        }
    }

    /// The same case, asked about at an earlier moment of its run.
    pub(super) fn observed_at(mut self, before: &'a Session) -> Self {
        if let Ok(found) = before.cluster().get(&self.object.reference()) {
            (self.observed_run, self.observed, self.observed_pods) = (before, found, pods(before.cluster(), found));
            let (from, workload) = (before.cluster().trace().syncs.len(), self.object.reference());
            let since = self.cluster().trace().syncs.since(from);
            self.syncs = since.filter(|sync| sync.subject == workload).collect();
        }
        self
    }

    /// Whether a gate keeps the pod from being scheduled, or from being Ready with containers that are.
    pub(crate) fn is_gated(&self, pod: &Pod) -> bool {
        let is_gate = |what: &What| matches!(what, What::Gated { .. } | What::GateClosed { .. });
        self.observed_run.cluster().holds().of_pod(pod).any(|hold| is_gate(&hold.what))
    }

    /// The moment that was asked about.
    pub(crate) fn asked(&self) -> Time {
        self.observed_run.cluster().now()
    }

    /// The set, if its pods have ordinals.
    pub(crate) fn ordered(&self) -> Option<Ordered<'a>> {
        Ordered::of(self.object)
    }

    /// Whether the controller stands at this rule, or at the one that Advanced StatefulSet has in its place.
    pub(crate) fn stands_at(&self, rule: impl Into<Rule>) -> bool {
        let rule = rule.into();
        self.standing.decision.as_ref().is_some_and(|decision| self.meaning(decision) == rule)
    }

    /// The rule of a decision, in the words of StatefulSet where Advanced StatefulSet decides the same.
    fn meaning(&self, decision: &Decision) -> Rule {
        let Rule::AdvancedStatefulSet(rule) = decision.rule else { return decision.rule };
        let (is_ready, is_terminating) =
            self.blocker().map_or((false, false), |pod| (pod.is_ready(), pod.is_terminating()));
        let same = match rule {
            Advanced::Created => Ordinal::ReplicaCreated,
            Advanced::EndedDeleted => Ordinal::ReplicaFailed,
            Advanced::CreateRefused => Ordinal::ReplicaCreateRefused,
            Advanced::ReplicaTerminating => Ordinal::ReplicaTerminating,
            Advanced::ReplicaNotAvailable if is_ready => Ordinal::ReplicaNotAvailable,
            Advanced::ReplicaNotAvailable => Ordinal::ReplicaNotReady,
            Advanced::CondemnedWaits if is_terminating => Ordinal::CondemnedTerminating,
            Advanced::CondemnedWaits => Ordinal::CondemnedNotReady,
            Advanced::CondemnedDeleted => Ordinal::CondemnedDeleted,
            Advanced::OnDelete => Ordinal::UpdateOnDelete,
            Advanced::UpdateLimited => Ordinal::UpdateMaxUnavailable,
            Advanced::UpdateDeleted => Ordinal::UpdateDeleted,
            Advanced::UpdateDone => Ordinal::UpdateDone,
            other => return other.into(),
        };
        same.into()
    }

    /// The pod at which the controller stands, if it was there at the moment that was asked about.
    pub(crate) fn observed_blocker(&self) -> Option<&'a Rc<Pod>> {
        let blocker = self.blocker()?;
        self.observed_pods.iter().copied().find(|pod| pod.metadata.uid == blocker.metadata.uid)
    }

    /// Decisions by this rule: in the syncs since the moment that was asked about, and in the last one that tells.
    pub(crate) fn decided(&self, rule: impl Into<Rule>) -> Vec<&'a Decision> {
        let rule = rule.into();
        let mut all: Vec<&Decision> = self.syncs.iter().flat_map(|sync| sync.decisions.iter()).collect();
        if all.is_empty() {
            all.extend(self.standing.sync.iter().flat_map(|sync| sync.decisions.iter()));
        }
        all.retain(|decision| self.meaning(decision) == rule);
        all
    }

    /// What the syncs since the moment that was asked about, and the last one that tells, returned as errors.
    pub(crate) fn errors(&self) -> Vec<&'a Rc<str>> {
        let mut all: Vec<&Rc<str>> = self.syncs.iter().filter_map(|sync| sync.error.as_ref()).collect();
        if all.is_empty() {
            all.extend(self.standing.sync.iter().filter_map(|sync| sync.error.as_ref()));
        }
        all
    }

    /// How long ago something was, such as `4 m 10 s`.
    pub(crate) fn ago(&self, since: Time) -> Text {
        span((self.asked().0 - since.0).max(0))
    }

    /// How long something has lasted. What is the newest of a text has lasted for as long as nobody knows.
    pub(crate) fn for_as_long(&self, since: Time) -> Text {
        if self.kinds.is_some() && since >= self.asked() { untold() } else { self.ago(since) }
    }

    /// How long ago, in milliseconds, a condition of the pod became what it is; 0 if nobody says.
    pub(crate) fn lasts(&self, pod: &Pod, condition_type: &str) -> i64 {
        let since = pod.condition(condition_type).and_then(|condition| condition.last_transition_time);
        since.or(pod.metadata.creation_timestamp).map_or(0, |since| (self.asked().0 - since.0).max(0))
    }

    /// The same in words.
    pub(crate) fn has_been(&self, pod: &Pod, condition_type: &str) -> Text {
        self.for_as_long(Time(self.asked().0.saturating_sub(self.lasts(pod, condition_type))))
    }

    /// How long the pod has been as its Ready condition says.
    pub(crate) fn ready_since(&self, pod: &Pod) -> Text {
        if pod.is_unready_since_untold() { untold() } else { self.has_been(pod, "Ready") }
    }

    /// Whether the text tells little of the workload or of its pods.
    pub(super) fn is_thin(&self) -> bool {
        self.thin.is_some_and(|thin| thin.contains(&self.object.reference()))
    }

    /// Whether the workload is only assumed to be there: nobody knows what it was asked to be.
    pub(super) fn is_guessed(&self) -> bool {
        self.guessed.is_some_and(|guessed| guessed.contains(&self.object.reference()))
    }

    /// Whether the text has none of its pods, though there may be some.
    pub(super) fn is_unlisted(&self) -> bool {
        self.unlisted.is_some_and(|unlisted| unlisted.contains(&self.object.reference()))
    }

    /// Whether a table has no more of the pod than its row.
    pub(super) fn is_row(&self, pod: &Pod) -> bool {
        let metadata = &pod.metadata;
        let is_it = |key: &ObjectRef| key.name == metadata.name && key.namespace == metadata.namespace;
        self.thin.is_some_and(|thin| thin.iter().any(|key| key.kind == Kind::Pod && is_it(key)))
    }

    /// How long ago the pod's deletion was asked for: its deletion timestamp is the end of its grace.
    pub(crate) fn terminating_for(&self, pod: &Pod) -> Text {
        if self.is_row(pod) {
            return untold();
        }
        let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
        let asked = pod.metadata.deletion_timestamp.unwrap_or_default().plus_seconds(grace.saturating_neg());
        self.ago(asked)
    }

    /// Events about an object of this name in the workload's namespace, oldest first.
    pub(crate) fn events_of(&self, name: &'a str) -> impl Iterator<Item = &'a Event> {
        let namespace = &self.object.metadata().namespace;
        self.events.iter().filter(move |event| *event.name == *name && event.namespace == *namespace)
    }

    /// The cluster.
    pub(crate) fn cluster(&self) -> &'a Cluster {
        self.session.cluster()
    }

    /// The present.
    pub(crate) fn now(&self) -> Time {
        self.cluster().now()
    }

    /// The pod at which the controller stands.
    pub(crate) fn blocker(&self) -> Option<&'a Rc<Pod>> {
        let name = self.standing.pod.as_ref()?;
        self.pods.iter().copied().find(|pod| pod.metadata.name == *name)
    }

    /// The Node object of a pod.
    pub(crate) fn node_of(&self, pod: &Pod) -> Option<&'a Rc<Node>> {
        self.cluster().node(&pod.spec.node_name)
    }

    /// The claims of a pod that are there.
    pub(crate) fn claims_of(&self, pod: &Pod) -> Vec<&'a Rc<PersistentVolumeClaim>> {
        self.cluster().claims_of(pod).collect()
    }
}

/// How long something has lasted whose beginning no text tells.
pub(super) fn untold() -> Text {
    text!("an unknown time")
}

/// The pod as an object.
pub(super) fn of_pod(pod: &Rc<Pod>) -> Object {
    Object::Pod(Rc::clone(pod))
}

/// Evidence from an object's own fields.
pub(super) fn evidence(object: &Object, path: &str) -> Evidence {
    Evidence::of(object, path)
}

/// Evidence from a condition of a pod's status, such as `Ready`.
pub(super) fn condition_of(pod: &Rc<Pod>, condition_type: &str) -> Evidence {
    let at = pod.status.conditions.iter().position(|condition| &*condition.condition_type == condition_type);
    let path = at.map_or("status.conditions".to_owned(), |at| format!("status.conditions[{at}].status"));
    evidence(&Object::Pod(Rc::clone(pod)), &path)
}

/// What the kubelet of a node that is not Ready says of it; none where it does not answer.
pub(super) fn said_by_kubelet(node: &Node) -> Option<Text> {
    let ready = node.ready_condition().filter(|ready| &*ready.status == "False" && !ready.message.is_empty())?;
    Some(text!("The kubelet says: {}", &*ready.message))
}
