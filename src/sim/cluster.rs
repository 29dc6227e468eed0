//! The cluster: one step takes one event off the event_queue and lets the actors that watch react.

use super::autoscaler::Autoscaling;
use super::event_correlator::{Correlated, EventCorrelator, Sent};
use super::event_queue::{EventQueue, ScheduledEvent};
use super::eviction::Budget;
use super::failure::Failure;
use super::kubelet::{Kubelet, unsuited};
use super::life::set_condition;
use super::map::{Map, Set};
use super::refs::pod_ref;
use super::rng::Rng;
use super::scheduler::{Placement, schedule};
use super::settings::Settings;
use super::store::Store;
use super::trace::{EventRecord, ObjectVersion, Trace, TraceEvent};
use super::volume::Attachment;
use super::worker::Workers;
use crate::objects::{DisruptionBudget, EventType, Kind, Object, ObjectRef, Pod, Service, Time, shared};
use crate::reconcile::{CONTROLLERS, Cache, WatchEvent};
use crate::releases::{ClusterGates, Gates, Release, ToldTwice};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The virtual clock's zero: 2024-01-01T00:00:00Z.
pub const START: Time = Time(1_704_067_200_000);

/// The scheduler takes pods whose back-off is over this often (flushBackoffQCompleted, scheduling_queue.go).
const SCHEDULER_TICK_MS: i64 = 1_000;
/// From one pod's binding to that of the next one that waits.
const NEXT_POD_MS: i64 = 10;

/// The simulated cluster. Cloning it is cheap: objects are shared and never changed in place.
#[derive(Clone)]
pub struct Cluster {
    pub(super) now: Time,
    pub(super) release: Release,
    /// What its controller does, feature gates as they are set.
    pub(super) controller: Gates,
    pub(super) settings: Settings,
    pub(super) store: Store,
    pub(super) event_queue: EventQueue,
    pub(super) cache: Cache,
    pub(super) workers: Workers,
    pub(super) kubelets: Map<Rc<str>, Rc<Kubelet>>,
    pub(super) chance: Rng,
    pub(super) trace: Trace,
    pub(super) gates: ClusterGates,
    /// Pods whose object went while a machine had containers of them, by name and uid: the only ones that can be ghosts.
    pub(super) departed: Set<(ObjectRef, Rc<str>)>,
    pub(super) attachments: Vec<Attachment>,
    pub(super) budgets: Vec<(ObjectRef, Budget)>,
    pub(super) disruption_budgets: Vec<Rc<DisruptionBudget>>,
    pub(super) autoscalers: Vec<Autoscaling>,
    pub(super) services: Vec<Rc<Service>>,
    /// By zone: when the next of its nodes may be evicted.
    pub(super) next_turns: BTreeMap<Rc<str>, Time>,
    pub(super) taint_pass_at: Option<Time>,
    /// By pod uid: when the taint manager deletes it.
    pub(super) eviction_timers: Map<Rc<str>, Time>,
    /// Zones of which no node may be evicted, as the monitor last saw them.
    pub(super) stopped_zones: BTreeSet<Rc<str>>,
    pub(super) pod_gc_at: Option<Time>,
    /// The uids of owners that are taken to be there though the cluster began without them.
    pub(super) left_out: Rc<BTreeSet<Rc<str>>>,
    pub(super) nodes_made: usize,
    /// What was applied last, which kubectl keeps in an annotation.
    pub(super) applied: BTreeMap<ObjectRef, Rc<Value>>,
    correlator: EventCorrelator,
    steps: u64,
    /// Pods that controllers and the scheduler have looked at, each look counted: what a step costs where there are many.
    pub(super) looks: u64,
    schedule_at: Option<Time>,
    /// By pod uid: until when the scheduler does not try it again.
    back_offs: BTreeMap<Rc<str>, Time>,
}

impl Cluster {
    /// An empty cluster at the clock's zero.
    pub fn new(release: Release, gates: Gates, seed: u64) -> Self {
        let mut chance = Rng::new(seed);
        Self {
            now: START,
            release,
            controller: gates,
            settings: Settings::default(),
            store: Store::new(chance.fork(), release.gates().server(release)),
            event_queue: EventQueue::default(),
            cache: Cache::default(),
            workers: Workers::new(seed),
            kubelets: Map::new(),
            chance,
            trace: Trace::default(),
            gates: release.profile().cluster,
            departed: Set::new(),
            attachments: Vec::new(),
            budgets: Vec::new(),
            disruption_budgets: Vec::new(),
            autoscalers: Vec::new(),
            services: Vec::new(),
            next_turns: BTreeMap::new(),
            taint_pass_at: None,
            eviction_timers: Map::new(),
            stopped_zones: BTreeSet::new(),
            pod_gc_at: None,
            left_out: Rc::default(),
            nodes_made: 0,
            applied: BTreeMap::new(),
            correlator: EventCorrelator::default(),
            steps: 0,
            looks: 0,
            schedule_at: None,
            back_offs: BTreeMap::new(),
        }
    }

    /// Keeps what `kubectl apply` says of an object.
    pub(crate) fn note_applied(&mut self, key: ObjectRef, text: Value) {
        self.applied.insert(key, Rc::new(text));
    }

    /// Takes the next event. False if there is none.
    pub fn step(&mut self) -> bool {
        let Some((at, due)) = self.event_queue.take() else { return false };
        self.now = self.now.max(at);
        self.steps += 1;
        let happened_before = self.trace.events.len();
        self.handle(due);
        self.react();
        if self.trace.events.len() == happened_before {
            self.happened(TraceEvent::Nothing);
        }
        true
    }

    /// Moves the clock forward to a moment at which nothing is due before.
    pub fn wait_until(&mut self, at: Time) {
        self.now = self.now.max(at);
    }

    pub(super) fn handle(&mut self, due: ScheduledEvent) {
        match due {
            ScheduledEvent::Deliver(change) => self.deliver(&change),
            ScheduledEvent::Work(kind) => self.work(kind),
            ScheduledEvent::Requeue(key) if self.workers.queue(key.kind).comes_back(&key, self.now) => {
                self.happened(TraceEvent::Requeued(key.clone()));
                self.enqueue(key);
            }
            ScheduledEvent::Requeue(_) => {}
            ScheduledEvent::Schedule => self.schedule(),
            ScheduledEvent::BindClaim(claim) => self.bind_claim(claim),
            ScheduledEvent::GrowClaim(claim) => self.grow_further(&claim),
            ScheduledEvent::Kubelet { node, pod, uid } => self.kubelet_look(&node, &pod, &uid),
            ScheduledEvent::NodeMonitor { node } => self.monitor_node(&node),
            ScheduledEvent::TaintEviction { pod, uid } => self.evict_by_taint(&pod, &uid),
            ScheduledEvent::TaintPass => self.taint_pass(),
            ScheduledEvent::PodGc { node } => self.collect_pods_of(&node),
            ScheduledEvent::PodGcLoop => self.collect_out_of_service(),
            ScheduledEvent::NodeJoins { node } => self.node_joins(&node),
            ScheduledEvent::Boot { node } => self.boot(&node),
            ScheduledEvent::PowerOff { node } => self.power_off(&node),
            ScheduledEvent::ForceDetach { node } => self.review_node_volumes(&node),
            ScheduledEvent::ReleaseClaims => self.store.release_claims(),
            ScheduledEvent::CollectGarbage => self.collect_garbage(),
            ScheduledEvent::Orphaned(key) => self.remove_orphaned(&key),
            ScheduledEvent::Autoscale { namespace, name } => self.autoscale(&namespace, &name),
            ScheduledEvent::Drain { node, pod, uid, grace, until } => self.drain_pod(&node, &pod, &uid, grace, until),
        }
    }

    /// Every change is on its way to the controller's cache, and wakes the actors it concerns.
    pub(super) fn react(&mut self) {
        loop {
            let changes = self.store.take_changes();
            if changes.is_empty() {
                return;
            }
            for change in changes {
                self.remember(&change);
                self.wake_for(&change);
                self.event_queue.put(Time(self.now.0 + self.settings.cache_lag), ScheduledEvent::Deliver(change));
            }
        }
    }

    pub(super) fn remember(&mut self, change: &WatchEvent) {
        let (object, gone) = match change {
            WatchEvent::Put { new, .. } => (new, false),
            WatchEvent::Gone(object) => (object, true),
        };
        if matches!(object.kind(), Kind::Pod | Kind::Node) || object.is_workload() {
            self.trace.history.push(ObjectVersion { at: self.now, object: object.clone(), gone });
        }
    }

    pub(super) fn wake_for(&mut self, change: &WatchEvent) {
        self.wake_collectors(change);
        match change {
            WatchEvent::Put { old: None, new: Object::Claim(claim) } => {
                self.provision(claim);
            }
            WatchEvent::Put { old: None, new: new @ (Object::ReplicaSet(_) | Object::Revision(_)) } => {
                self.settings.holds.carry_to(new);
            }
            WatchEvent::Put { old, new: Object::Pod(pod) } => {
                if pod.spec.node_name.is_empty() {
                    self.wake_scheduler();
                } else if is_news_for_kubelet(old.as_ref(), pod) {
                    self.wake_kubelet(pod);
                }
                if pod.has_ended() {
                    self.review_pod_volumes(pod);
                }
            }
            WatchEvent::Gone(Object::Claim(claim)) => self.reclaim_volume(claim),
            WatchEvent::Gone(Object::Pod(pod)) => {
                self.wake_scheduler();
                self.cancel_eviction(pod);
                if !pod.spec.node_name.is_empty() {
                    self.note_ghost(pod);
                    self.review_pod_volumes(pod);
                    self.wake_kubelet(pod);
                }
            }
            WatchEvent::Put { new: Object::Node(node), .. } => {
                self.set_cordon_taint(node);
                self.wake_scheduler();
            }
            WatchEvent::Put { new, .. } if new.is_workload() => self.wake_autoscalers(new),
            _ => {}
        }
    }

    fn deliver(&mut self, change: &WatchEvent) {
        self.happened(TraceEvent::Delivered(change.object().reference()));
        self.cache.apply(change);
        for controller in &CONTROLLERS {
            for key in (controller.enqueue)(&self.controller, &self.cache, change) {
                self.enqueue(key);
            }
        }
    }

    pub(super) fn enqueue(&mut self, key: ObjectRef) {
        let kind = key.kind;
        let queue = self.workers.queue(kind);
        let was_empty = queue.is_empty();
        if queue.add(key) && was_empty {
            self.event_queue.put(self.now, ScheduledEvent::Work(kind));
        }
    }

    /// One look of the scheduler soon, however many pods wait.
    pub(super) fn wake_scheduler(&mut self) {
        self.wake_scheduler_in(self.settings.scheduling);
    }

    fn wake_scheduler_in(&mut self, milliseconds: i64) {
        let waits = self.store.has_waiting_pods();
        if waits && self.schedule_at.is_none() {
            let at = Time(self.now.0 + milliseconds);
            self.schedule_at = Some(at);
            self.event_queue.put(at, ScheduledEvent::Schedule);
        }
    }

    fn schedule(&mut self) {
        self.schedule_at = None;
        let now = self.now;
        self.back_offs.retain(|_, until| *until > now);
        let backs_off = |pod: &Pod| self.back_offs.contains_key(&pod.metadata.uid);
        let placements = schedule(&self.store, &self.release.profile().scheduler, &backs_off);
        self.looks += (placements.len() * self.store.list(Kind::Node).count()) as u64;
        for placement in placements {
            match placement {
                Placement::On { pod, node } => self.bind(&pod, &node),
                Placement::Nowhere { pod, message, waits_for_claim } => {
                    self.tell_unschedulable(&pod, message, waits_for_claim);
                    if waits_for_claim {
                        self.back_off(&pod);
                    }
                }
            }
        }
    }

    /// The pod is not tried again for a while.
    fn back_off(&mut self, key: &ObjectRef) {
        let back_off = self.release.profile().scheduler.claim_back_off;
        let Some(pod) = self.store.pod(key).filter(|_| back_off > 0) else { return };
        let over = self.now.0 - START.0 + back_off - self.settings.scheduler_tick;
        let until = Time(self.now.0 + back_off + (-over).rem_euclid(SCHEDULER_TICK_MS));
        self.back_offs.insert(Rc::clone(&pod.metadata.uid), until);
        self.event_queue.put(until, ScheduledEvent::Schedule);
    }

    fn bind(&mut self, pod: &ObjectRef, node: &Rc<str>) {
        let now = self.now;
        if let Some(pod) = self.store.pod(pod).cloned() {
            self.bind_waiting_claims(&pod, node);
            self.place_volumes(&pod, node);
            if let Some(node) = self.node(node).filter(|node| !node.spec.taints.is_empty()).cloned() {
                self.plan_eviction(&node, &pod);
            }
        }
        self.store.change_pod(pod, |pod| {
            Rc::make_mut(&mut pod.spec).node_name = Rc::clone(node);
            set_condition(&mut pod.status, "PodScheduled", true, "", now);
        });
        let message = if self.release.profile().scheduler.scheduled_names_namespace {
            format!("Successfully assigned {}/{} to {node}", pod.namespace, pod.name)
        } else {
            format!("Successfully assigned {} to {node}", pod.name)
        };
        self.event(pod, EventType::Normal, "Scheduled", message, "default-scheduler");
        self.happened(TraceEvent::Scheduled { pod: pod.clone(), node: Rc::clone(node) });
        self.wake_scheduler_in(NEXT_POD_MS);
    }

    fn tell_unschedulable(&mut self, key: &ObjectRef, message: String, waits_for_claim: bool) {
        let scheduled = self.store.pod(key).and_then(|pod| pod.condition("PodScheduled"));
        if scheduled.is_some_and(|scheduled| *scheduled.message == *message) {
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
        let is_told_twice = match self.release.profile().scheduler.told_twice {
            ToldTwice::Never => false,
            ToldTwice::Always => true,
            ToldTwice::UnboundClaims => waits_for_claim,
        };
        if is_told_twice && let Some(told) = self.trace.api_events.last().filter(|told| told.first == now).cloned() {
            self.trace.api_events.push(told);
            // The second of an unbound claim is told once more, with the next look at the pod.
            let is_told_again = self.release.profile().scheduler.told_twice == ToldTwice::UnboundClaims;
            let last = self.trace.api_events.len() - 1;
            if is_told_again && let Some(told) = self.trace.api_events.get_mut(last) {
                Rc::make_mut(told).count += 1;
            }
        }
        self.happened(TraceEvent::Unschedulable { pod: key.clone() });
    }

    /// The pod's kubelet looks at it now.
    pub(super) fn wake_kubelet(&mut self, pod: &Pod) {
        self.wake_kubelet_at(pod, self.now);
    }

    /// The pod's kubelet looks at it then.
    pub(super) fn wake_kubelet_at(&mut self, pod: &Pod, at: Time) {
        let (node, uid) = (Rc::clone(&pod.spec.node_name), Rc::clone(&pod.metadata.uid));
        self.event_queue.put(at, ScheduledEvent::Kubelet { node, pod: pod_ref(pod), uid });
    }

    fn kubelet_look(&mut self, node: &Rc<str>, key: &ObjectRef, uid: &Rc<str>) {
        let now = self.now;
        let Some(kubelet) = self.kubelets.get_mut(node).map(Rc::make_mut) else { return };
        let again = |at| (at, ScheduledEvent::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) });
        if !kubelet.answers() {
            if kubelet.failure == Some(Failure::NetworkPartition) {
                let look = kubelet.carry_on(uid, now, &self.settings);
                self.note_started(node, uid, &look);
                if let Some((at, due)) = look.again_at.map(again) {
                    self.event_queue.put(at, due);
                }
            }
            return;
        }
        let Some(pod) = self.store.pod(key).filter(|pod| pod.metadata.uid == *uid).cloned() else {
            self.stop_ghost(node, key, uid);
            return;
        };
        let needs_volumes = self.kubelets.get(node).is_some_and(|kubelet| kubelet.needs_volumes(uid));
        let terminating = pod.is_terminating();
        let mounted = !needs_volumes || terminating || self.attach_volumes(&pod);
        let suits = self.node(node).is_none_or(|node| pod.spec.asks_for(node));
        let Some(kubelet) = self.kubelets.get_mut(node).map(Rc::make_mut) else { return };
        let is_new = kubelet.holds(uid).is_none() && !terminating && !pod.has_ended();
        // The kubelet looks itself whether a pod is for its node, also one that no scheduler placed.
        // Models GeneralPredicates, pkg/kubelet/lifecycle/predicate.go.
        let suits = !is_new || suits;
        let look = if suits { kubelet.look(&pod, mounted, now, &self.settings, &self.gates) } else { unsuited(&pod) };
        self.note_started(node, uid, &look);
        for event in look.events {
            let (event_type, reason, message) = event.words(&pod, &self.release.profile().kubelet);
            self.event_of(key, event.field(&pod), event_type, reason, message, "kubelet");
        }
        if let Some(status) = look.status {
            self.store.change_pod(key, |pod| pod.status = status);
            self.happened(TraceEvent::PodReported { pod: key.clone() });
        }
        if let Some((at, due)) = look.again_at.map(again) {
            self.event_queue.put(at, due);
        }
        if look.stopped {
            // The kubelet confirms the end: the object goes.
            let _ = self.store.delete(key, Some(0), now);
            self.happened(TraceEvent::PodStopped { pod: key.clone() });
        }
    }

    pub(super) fn happened(&mut self, happening: TraceEvent) {
        self.trace.events.push((self.now, happening));
    }

    /// Records an event of the API, as the recorder of its component sends it.
    pub(super) fn event(
        &mut self,
        about: &ObjectRef,
        event_type: EventType,
        reason: &str,
        message: impl Into<Rc<str>>,
        component: &'static str,
    ) {
        self.event_of(about, shared(""), event_type, reason, message, component);
    }

    /// The same of a part of the object.
    fn event_of(
        &mut self,
        about: &ObjectRef,
        field: Rc<str>,
        event_type: EventType,
        reason: &str,
        message: impl Into<Rc<str>>,
        component: &'static str,
    ) {
        let now = self.now;
        let (message, reason): (Rc<str>, Rc<str>) = (message.into(), shared(reason));
        let object = self.store.get(about).ok().filter(|_| component != super::taint::COMPONENT);
        let uid = object.map_or_else(|| shared(""), |object| Rc::clone(&object.metadata().uid));
        let sent =
            Sent { component, about, uid, field: Rc::clone(&field), event_type, reason: Rc::clone(&reason), message };
        let next = self.trace.api_events.len();
        let Some(Correlated { message, count, known }) = self.correlator.correlate(sent, now, next) else { return };
        if let Some(event) = known.and_then(|at| self.trace.api_events.get_mut(at)) {
            let event = Rc::make_mut(event);
            (event.message, event.count, event.last) = (message, count, now);
            return;
        }
        self.trace.api_events.push(Rc::new(EventRecord {
            about: about.clone(),
            field,
            event_type,
            reason,
            message,
            component,
            first: now,
            last: now,
            count,
        }));
    }
}

/// Whether the kubelet has something to do about a change of a bound pod: it was just bound, or deletion was asked for.
fn is_news_for_kubelet(old: Option<&Object>, pod: &Pod) -> bool {
    let Some(Object::Pod(old)) = old else { return true };
    if (!Rc::ptr_eq(&old.spec, &pod.spec) && old.spec != pod.spec) || super::in_place::are_gates_changed(old, pod) {
        return true;
    }
    old.spec.node_name.is_empty()
        || old.metadata.deletion_grace_period_seconds != pod.metadata.deletion_grace_period_seconds
}
