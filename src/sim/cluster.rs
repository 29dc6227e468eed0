//! The cluster: one step takes one event off the agenda and lets the actors that watch react.

use super::agenda::{Agenda, Change, Due};
use super::informer::Informer;
use super::kubelet::{Kubelet, set_condition};
use super::queue::WorkQueue;
use super::rng::Rng;
use super::scheduler::{Placement, schedule};
use super::settings::{Behaviour, Settings};
use super::store::{Store, pod_ref};
use super::trace::{EventRecord, Happening, Moment, Trace};
use crate::objects::{
    ApiError, ControllerRevision, EventType, Kind, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, PodPhase,
    StatefulSet, Time,
};
use crate::reconcile::Release;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The virtual clock's zero: 2024-01-01T00:00:00Z.
pub const START: Time = Time(1_704_067_200_000);

/// From a claim's creation to its binding.
const BINDING_MS: i64 = 200;

/// What is true of a node's machine, which the API learns late or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeHealth {
    /// The kubelet renews its lease.
    Running,
    /// The kubelet has not answered since this moment.
    Failed {
        /// When it stopped answering.
        since: Time,
        /// When the node lifecycle controller sees it.
        not_ready_at: Time,
    },
}

/// The simulated cluster. Cloning it is cheap: objects are shared and never changed in place.
#[derive(Clone)]
pub struct Cluster {
    pub(super) now: Time,
    pub(super) release: Release,
    pub(super) settings: Settings,
    pub(super) store: Store,
    pub(super) agenda: Agenda,
    pub(super) informer: Informer,
    pub(super) queue: WorkQueue,
    pub(super) kubelets: BTreeMap<Rc<str>, Kubelet>,
    pub(super) chance: Rng,
    pub(super) trace: Trace,
    steps: u64,
    nodes_made: usize,
    schedule_at: Option<Time>,
}

impl Cluster {
    /// An empty cluster at the clock's zero.
    pub fn new(release: Release, seed: u64) -> Self {
        let mut chance = Rng::new(seed);
        Self {
            now: START,
            release,
            settings: Settings::default(),
            store: Store::new(chance.fork()),
            agenda: Agenda::default(),
            informer: Informer::default(),
            queue: WorkQueue::default(),
            kubelets: BTreeMap::new(),
            chance,
            trace: Trace::default(),
            steps: 0,
            nodes_made: 0,
            schedule_at: None,
        }
    }

    /// The virtual clock.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The release whose controller runs.
    pub fn release(&self) -> Release {
        self.release
    }

    /// When the next event is due; none if the cluster has settled.
    pub fn next_event_at(&self) -> Option<Time> {
        self.agenda.next_at()
    }

    /// How many events have been taken.
    pub fn events_taken(&self) -> u64 {
        self.steps
    }

    /// The record of the run.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Delays and misbehaving images.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The sets as the API server holds them, by name.
    pub fn stateful_sets(&self) -> impl Iterator<Item = &Rc<StatefulSet>> {
        self.store.list(Kind::StatefulSet).filter_map(|object| match object {
            Object::StatefulSet(set) => Some(set),
            _ => None,
        })
    }

    /// The pods as the API server holds them, by name.
    pub fn pods(&self) -> impl Iterator<Item = &Rc<Pod>> {
        self.store.pods()
    }

    /// The claims as the API server holds them, by name.
    pub fn claims(&self) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.store.list(Kind::PersistentVolumeClaim).filter_map(|object| match object {
            Object::Claim(claim) => Some(claim),
            _ => None,
        })
    }

    /// The revisions as the API server holds them, by name.
    pub fn revisions(&self) -> impl Iterator<Item = &Rc<ControllerRevision>> {
        self.store.list(Kind::ControllerRevision).filter_map(|object| match object {
            Object::Revision(revision) => Some(revision),
            _ => None,
        })
    }

    /// The nodes as the API server holds them, by name.
    pub fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.store.list(Kind::Node).filter_map(|object| match object {
            Object::Node(node) => Some(node),
            _ => None,
        })
    }

    /// What is true of a node's machine.
    pub fn node_health(&self, name: &str) -> NodeHealth {
        let kubelet = self.kubelets.get(name);
        let since = kubelet.and_then(|kubelet| kubelet.silent_since);
        match (since, kubelet.and_then(|kubelet| self.not_ready_at(kubelet))) {
            (Some(since), Some(not_ready_at)) => NodeHealth::Failed { since, not_ready_at },
            _ => NodeHealth::Running,
        }
    }

    /// When the work queue will try the set again after a failed sync, and how often it has failed.
    pub fn retry_of(&self, set: &ObjectRef) -> Option<(Time, u32)> {
        self.queue.retry_of(set)
    }

    /// A number that two clusters share only if every object, every decision and the clock are the same.
    pub fn fingerprint(&self) -> u64 {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut take = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        take(&self.now.0.to_le_bytes());
        for object in self.store.all() {
            take(format!("{object:?}").as_bytes());
        }
        let trace = &self.trace;
        take(format!("{:?}{:?}{:?}", trace.syncs, trace.events, trace.happenings).as_bytes());
        hash
    }

    /// Takes the next event. False if there is none.
    pub fn step(&mut self) -> bool {
        let Some((at, due)) = self.agenda.take() else { return false };
        self.now = self.now.max(at);
        self.steps += 1;
        let happened_before = self.trace.happenings.len();
        self.handle(due);
        self.react();
        if self.trace.happenings.len() == happened_before {
            self.happened(Happening::Nothing);
        }
        true
    }

    /// Moves the clock forward to a moment at which nothing is due before.
    pub fn wait_until(&mut self, at: Time) {
        self.now = self.now.max(at);
    }

    fn handle(&mut self, due: Due) {
        match due {
            Due::Deliver(change) => self.deliver(&change),
            Due::Work => self.work(),
            Due::Requeue(key) => {
                self.happened(Happening::Requeued(key.clone()));
                self.enqueue(key);
            }
            Due::Schedule => self.schedule(),
            Due::BindClaim(claim) => {
                self.store.bind_claim(&claim);
                self.happened(Happening::ClaimBound(claim));
                self.wake_scheduler();
            }
            Due::Kubelet { node, pod, uid } => self.kubelet_look(&node, &pod, &uid),
            Due::NodeMonitor { node } => self.monitor_node(&node),
            Due::TaintEviction { pod, uid } => self.evict_by_taint(&pod, &uid),
            Due::PodGc { node } => self.collect_pods_of(&node),
        }
    }

    /// Every change is on its way to the controller's cache, and wakes the actors it concerns.
    pub(super) fn react(&mut self) {
        for change in self.store.take_changes() {
            self.remember(&change);
            self.wake_for(&change);
            self.agenda.put(Time(self.now.0 + self.settings.cache_lag), Due::Deliver(change));
        }
    }

    fn remember(&mut self, change: &Change) {
        let (object, gone) = match change {
            Change::Put { new, .. } => (new, false),
            Change::Gone(object) => (object, true),
        };
        if matches!(object.kind(), Kind::Pod | Kind::Node) {
            self.trace.history.push(Moment { at: self.now, object: object.clone(), gone });
        }
    }

    fn wake_for(&mut self, change: &Change) {
        match change {
            Change::Put { old: None, new: Object::Claim(claim) } => {
                let key = Object::Claim(Rc::clone(claim)).reference();
                self.agenda.put(Time(self.now.0 + BINDING_MS), Due::BindClaim(key));
            }
            Change::Put { old, new: Object::Pod(pod) } => {
                if pod.spec.node_name.is_empty() {
                    self.wake_scheduler();
                } else if is_news_for_kubelet(old.as_ref(), pod) {
                    self.wake_kubelet(pod);
                }
            }
            Change::Gone(Object::Pod(pod)) => {
                self.wake_scheduler();
                if !pod.spec.node_name.is_empty() {
                    self.wake_kubelet(pod);
                }
            }
            Change::Put { new: Object::Node(_), .. } => self.wake_scheduler(),
            _ => {}
        }
    }

    fn deliver(&mut self, change: &Change) {
        let (Change::Put { new: object, .. } | Change::Gone(object)) = change;
        self.happened(Happening::Delivered(object.reference()));
        for key in self.informer.take(change) {
            self.enqueue(key);
        }
    }

    pub(super) fn enqueue(&mut self, key: ObjectRef) {
        let was_empty = self.queue.is_empty();
        if self.queue.add(key) && was_empty {
            self.agenda.put(self.now, Due::Work);
        }
    }

    /// One look of the scheduler soon, however many pods wait.
    pub(super) fn wake_scheduler(&mut self) {
        let waits = self.store.pods().any(|pod| pod.spec.node_name.is_empty());
        if waits && self.schedule_at.is_none() {
            let at = Time(self.now.0 + self.settings.scheduling);
            self.schedule_at = Some(at);
            self.agenda.put(at, Due::Schedule);
        }
    }

    fn schedule(&mut self) {
        self.schedule_at = None;
        for placement in schedule(&self.store) {
            match placement {
                Placement::On { pod, node } => self.bind(&pod, &node),
                Placement::Nowhere { pod, message } => self.tell_unschedulable(&pod, message),
            }
        }
    }

    fn bind(&mut self, pod: &ObjectRef, node: &Rc<str>) {
        let now = self.now;
        self.store.change_pod(pod, |pod| {
            Rc::make_mut(&mut pod.spec).node_name = Rc::clone(node);
            set_condition(&mut pod.status, "PodScheduled", true, "", now);
        });
        let message = format!("Successfully assigned {}/{} to {node}", pod.namespace, pod.name);
        self.event(pod, EventType::Normal, "Scheduled", message, "default-scheduler");
        self.happened(Happening::Scheduled { pod: pod.clone(), node: Rc::clone(node) });
        self.wake_scheduler();
    }

    fn tell_unschedulable(&mut self, key: &ObjectRef, message: String) {
        let told = self.store.pod(key).and_then(|pod| pod.condition("PodScheduled"));
        if told.is_some_and(|told| *told.message == *message) {
            return;
        }
        let now = self.now;
        let text: Rc<str> = message.as_str().into();
        self.store.change_pod(key, |pod| {
            set_condition(&mut pod.status, "PodScheduled", false, "Unschedulable", now);
            let condition =
                pod.status.conditions.iter_mut().find(|condition| &*condition.condition_type == "PodScheduled");
            if let Some(condition) = condition {
                condition.message = text;
            }
        });
        self.event(key, EventType::Warning, "FailedScheduling", message, "default-scheduler");
        self.happened(Happening::Unschedulable { pod: key.clone() });
    }

    /// The pod's kubelet looks at it now.
    pub(super) fn wake_kubelet(&mut self, pod: &Pod) {
        let (node, uid) = (Rc::clone(&pod.spec.node_name), Rc::clone(&pod.metadata.uid));
        self.agenda.put(self.now, Due::Kubelet { node, pod: pod_ref(pod), uid });
    }

    fn kubelet_look(&mut self, node: &Rc<str>, key: &ObjectRef, uid: &Rc<str>) {
        let now = self.now;
        let Some(kubelet) = self.kubelets.get_mut(node) else { return };
        if kubelet.silent_since.is_some() {
            return;
        }
        let Some(pod) = self.store.pod(key).filter(|pod| pod.metadata.uid == *uid).cloned() else {
            kubelet.drop_pod(uid);
            return;
        };
        let look = kubelet.look(&pod, now, &self.settings);
        for (normal, reason, message) in look.events {
            let event_type = if normal { EventType::Normal } else { EventType::Warning };
            self.event(key, event_type, reason, message, "kubelet");
        }
        if let Some(status) = look.status {
            self.store.change_pod(key, |pod| pod.status = status);
            self.happened(Happening::PodReported { pod: key.clone() });
        }
        if let Some(at) = look.again_at {
            self.agenda.put(at, Due::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) });
        }
        if look.stopped {
            // The kubelet confirms the end: the object goes.
            let _ = self.store.delete(key, Some(0), now);
            self.happened(Happening::PodStopped { pod: key.clone() });
        }
    }

    pub(super) fn happened(&mut self, happening: Happening) {
        self.trace.happenings.push((self.now, happening));
    }

    /// Records an event of the API; an equal one is counted.
    pub(super) fn event(
        &mut self,
        about: &ObjectRef,
        event_type: EventType,
        reason: &'static str,
        message: String,
        component: &'static str,
    ) {
        let now = self.now;
        let equal = self
            .trace
            .events
            .iter_mut()
            .rev()
            .find(|event| event.about == *about && event.reason.as_ref() == reason && *event.message == *message);
        if let Some(event) = equal {
            let event = Rc::make_mut(event);
            event.count += 1;
            event.last = now;
            return;
        }
        self.trace.events.push(Rc::new(EventRecord {
            about: about.clone(),
            event_type,
            reason: reason.into(),
            message: message.into(),
            component,
            first: now,
            last: now,
            count: 1,
        }));
    }
}

/// Whether the kubelet has something to do about a change of a bound pod: it was just bound, or deletion was asked for.
fn is_news_for_kubelet(old: Option<&Object>, pod: &Pod) -> bool {
    let Some(Object::Pod(old)) = old else { return true };
    old.spec.node_name.is_empty()
        || old.metadata.deletion_grace_period_seconds != pod.metadata.deletion_grace_period_seconds
}

/// What people do to the cluster, once the request has been found valid.
impl Cluster {
    /// The object, or the server's refusal.
    ///
    /// # Errors
    /// There is no such object.
    pub fn get(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        self.store.get(key)
    }

    /// Stores a new object.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn create(&mut self, object: Object) -> Result<(), ApiError> {
        let created = self.store.create(object, self.now).map(|_| ());
        self.react();
        created
    }

    /// Replaces an object.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn update(&mut self, object: Object) -> Result<(), ApiError> {
        let updated = self.store.update(object).map(|_| ());
        self.react();
        updated
    }

    /// Deletes an object with its own grace, or with `grace` seconds.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn delete(&mut self, key: &ObjectRef, grace: Option<i64>) -> Result<(), ApiError> {
        let deleted = self.store.delete(key, grace, self.now);
        self.react();
        deleted
    }

    /// Deletes a set and leaves its pods and revisions to nobody.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn delete_orphaning(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let uid = Rc::clone(&self.store.get(key)?.metadata().uid);
        let owned = |object: &&Object| object.metadata().owner_references.iter().any(|owner| owner.uid == uid);
        let dependents: Vec<Object> = self.store.all().filter(owned).cloned().collect();
        for mut object in dependents {
            object.metadata_mut().owner_references.retain(|owner| owner.uid != uid);
            self.store.update(object)?;
        }
        self.delete(key, None)
    }

    /// A machine joins under the next free name: node-a, node-b, … node-z, node-27 ….
    pub fn add_node(&mut self) {
        let letter = u8::try_from(self.nodes_made).ok().filter(|made| *made < 26).map(|made| char::from(b'a' + made));
        self.nodes_made += 1;
        let name = letter.map_or_else(|| format!("node-{}", self.nodes_made), |letter| format!("node-{letter}"));
        self.join_node(&name.into());
        self.react();
    }

    /// A machine goes, and its Node object with it.
    pub fn take_node_away(&mut self, name: &Rc<str>) {
        self.remove_node(name);
        self.react();
    }

    /// Sets or clears `spec.unschedulable`.
    pub fn cordon(&mut self, name: &Rc<str>, unschedulable: bool) {
        self.store.change_node(name, |node| node.spec.unschedulable = unschedulable);
        self.react();
    }

    /// The node's kubelet stops answering, or answers again.
    pub fn set_node_health(&mut self, name: &Rc<str>, answers: bool) {
        if answers {
            self.recover_node(name)
        } else {
            self.fail_node(name)
        }
        self.react();
    }

    /// The pod's container exits now. False if it has none that runs, or nobody can reach it.
    pub fn crash_pod(&mut self, key: &ObjectRef) -> bool {
        let Some(pod) = self.store.pod(key).cloned() else { return false };
        let kubelet = self.kubelets.get_mut(&pod.spec.node_name);
        let Some(kubelet) = kubelet.filter(|kubelet| kubelet.silent_since.is_none()) else { return false };
        let crashed = kubelet.crash(&pod.metadata.uid, self.now);
        self.wake_kubelet(&pod);
        crashed
    }

    /// The kubelet evicts the pod: its containers stop and its phase is Failed. False if it does not answer.
    pub fn evict_pod(&mut self, key: &ObjectRef) -> bool {
        let Some(pod) = self.store.pod(key).cloned() else { return false };
        let answers = self.kubelets.get(&pod.spec.node_name).is_some_and(|kubelet| kubelet.silent_since.is_none());
        if !answers || pod.metadata.deletion_timestamp.is_some() {
            return false;
        }
        let now = self.now;
        let message = "The node was low on resource: memory.";
        self.store.change_pod(key, |pod| {
            pod.status.phase = PodPhase::Failed;
            pod.status.reason = "Evicted".into();
            pod.status.message = message.into();
            pod.status.container_statuses = Vec::new();
            set_condition(&mut pod.status, "Ready", false, "", now);
        });
        if let Some(kubelet) = self.kubelets.get_mut(&pod.spec.node_name) {
            kubelet.drop_pod(&pod.metadata.uid);
        }
        self.event(key, EventType::Warning, "Evicted", message.to_owned(), "kubelet");
        self.react();
        true
    }

    /// What containers of an image do from now on; those that run are looked at again.
    pub fn set_behaviour(&mut self, image: Rc<str>, behaviour: Behaviour) {
        let runs = |pod: &&Rc<Pod>| pod.spec.containers.iter().any(|container| container.image == image);
        let pods: Vec<Rc<Pod>> = self.store.pods().filter(runs).cloned().collect();
        self.settings.images.insert(image, behaviour);
        for pod in pods {
            if let Some(kubelet) = self.kubelets.get_mut(&pod.spec.node_name) {
                kubelet.behave(&pod, self.now, &self.settings);
                self.wake_kubelet(&pod);
            }
        }
    }

    /// From a container's start to its first passed readiness probe, in milliseconds, for containers started from now on.
    pub fn set_readiness_delay(&mut self, milliseconds: i64) {
        self.settings.readiness = milliseconds.max(0);
    }
}
