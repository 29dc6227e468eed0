//! The cluster: one step takes one event off the event queue and lets the actors that watch react. Each actor keeps its own, and
//! what all have before them is the [`World`]; here one hears of what another does.

mod budgets;
mod capacity;
mod choice;
mod fingerprint;
mod named;
mod operations;
mod queries;
mod rules;
mod start;

use super::autoscaler::Autoscalers;
use super::disruption::DisruptionBudgets;
use super::dns::Services;
use super::event_queue::ScheduledEvent;
use super::eviction;
use super::failure::Failure;
use super::kubelet::{Kubelet, unsuited};
use super::map::{Map, Set};
use super::scheduler::Scheduler;
use super::trace::{ObjectVersion, TraceEvent};
use super::volume::Attachment;
use super::worker::Workers;
use super::world::World;
use crate::objects::{Kind, Object, ObjectRef, Pod, Time};
use crate::reconcile::{CONTROLLERS, Cache, WatchEvent};
use crate::releases::{Gates, Release};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use choice::Choice;
pub use operations::Cascade;
pub use queries::NodeHealth;
pub use start::{LeftOut, owners_left_out};

/// The simulated cluster. Cloning it is cheap: objects are shared and never changed in place.
#[derive(Clone)]
pub struct Cluster {
    pub(super) world: World,
    pub(super) scheduler: Scheduler,
    budgets: DisruptionBudgets,
    autoscalers: Autoscalers,
    services: Services,
    /// What its controller does, feature gates as they are set.
    pub(super) controller: Gates,
    pub(super) cache: Cache,
    pub(super) workers: Workers,
    pub(super) kubelets: Map<Rc<str>, Rc<Kubelet>>,
    /// Pods whose object went while a machine had containers of them, by name and uid: the only ones that can be ghosts.
    pub(super) departed: Set<(ObjectRef, Rc<str>)>,
    pub(super) attachments: Vec<Attachment>,
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
    applied: BTreeMap<ObjectRef, Rc<Value>>,
}

impl Cluster {
    /// An empty cluster at the clock's zero.
    pub fn new(release: Release, gates: Gates, seed: u64) -> Self {
        Self {
            world: World::new(release, seed),
            scheduler: Scheduler::default(),
            budgets: DisruptionBudgets::default(),
            autoscalers: Autoscalers::default(),
            services: Services::default(),
            controller: gates,
            cache: Cache::default(),
            workers: Workers::new(seed),
            kubelets: Map::new(),
            departed: Set::new(),
            attachments: Vec::new(),
            next_turns: BTreeMap::new(),
            taint_pass_at: None,
            eviction_timers: Map::new(),
            stopped_zones: BTreeSet::new(),
            pod_gc_at: None,
            left_out: Rc::default(),
            nodes_made: 0,
            applied: BTreeMap::new(),
        }
    }

    /// Takes the next event. False if there is none.
    pub fn step(&mut self) -> bool {
        let Some((at, due)) = self.world.event_queue.take() else { return false };
        self.world.now = self.world.now.max(at);
        let happened_before = self.world.trace.events.len();
        self.handle(due);
        self.react();
        if self.world.trace.events.len() == happened_before {
            self.world.happened(TraceEvent::Nothing);
        }
        true
    }

    /// Moves the clock forward to a moment at which nothing is due before.
    pub fn wait_until(&mut self, at: Time) {
        self.world.now = self.world.now.max(at);
    }

    pub(super) fn handle(&mut self, due: ScheduledEvent) {
        match due {
            ScheduledEvent::Deliver(change) => self.deliver(&change),
            ScheduledEvent::Work(kind) => self.work(kind),
            ScheduledEvent::Requeue(key) if self.workers.queue(key.kind).comes_back(&key, self.world.now) => {
                self.world.happened(TraceEvent::Requeued(key.clone()));
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
            ScheduledEvent::ReleaseClaims => self.world.store.release_claims(),
            ScheduledEvent::CollectGarbage => self.collect_garbage(),
            ScheduledEvent::Orphaned(key) => self.remove_orphaned(&key),
            ScheduledEvent::Autoscale { namespace, name } => self.autoscalers.look(&mut self.world, &namespace, &name),
            ScheduledEvent::Drain(asked) => eviction::drain(&mut self.world, &self.budgets, asked),
        }
    }

    /// Every change is on its way to the controller's cache, and wakes the actors it concerns.
    pub(super) fn react(&mut self) {
        loop {
            let changes = self.world.store.take_changes();
            if changes.is_empty() {
                return;
            }
            for change in changes {
                self.remember(&change);
                self.wake_for(&change);
                self.world
                    .event_queue
                    .put(Time(self.world.now.0 + self.world.settings.cache_lag), ScheduledEvent::Deliver(change));
            }
        }
    }

    pub(super) fn remember(&mut self, change: &WatchEvent) {
        let (object, gone) = match change {
            WatchEvent::Put { new, .. } => (new, false),
            WatchEvent::Gone(object) => (object, true),
        };
        if matches!(object.kind(), Kind::Pod | Kind::Node) || object.is_workload() {
            self.world.trace.history.push(ObjectVersion { at: self.world.now, object: object.clone(), gone });
        }
    }

    pub(super) fn wake_for(&mut self, change: &WatchEvent) {
        self.wake_collectors(change);
        match change {
            WatchEvent::Put { old: None, new: Object::Claim(claim) } => {
                self.provision(claim);
            }
            WatchEvent::Put { old: None, new: new @ (Object::ReplicaSet(_) | Object::Revision(_)) } => {
                self.world.settings.holds.carry_to(new);
            }
            WatchEvent::Put { old, new: Object::Pod(pod) } => {
                if pod.spec.node_name.is_empty() {
                    self.wake_scheduler();
                } else if is_news_for_kubelet(old.as_ref(), pod) {
                    self.world.wake_kubelet(pod);
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
                    self.world.wake_kubelet(pod);
                }
            }
            WatchEvent::Put { new: Object::Node(node), .. } => {
                self.set_cordon_taint(node);
                self.wake_scheduler();
            }
            WatchEvent::Put { new, .. } if new.is_workload() => self.autoscalers.wake(&mut self.world, new),
            _ => {}
        }
    }

    fn deliver(&mut self, change: &WatchEvent) {
        self.world.happened(TraceEvent::Delivered(change.object().reference()));
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
            self.world.event_queue.put(self.world.now, ScheduledEvent::Work(kind));
        }
    }

    pub(super) fn wake_scheduler(&mut self) {
        self.scheduler.wake(&mut self.world);
    }

    /// The first pod that can have a node is bound to it, once volumes and evictions have taken note.
    fn schedule(&mut self) {
        let Some((key, node)) = self.scheduler.place_next(&mut self.world) else { return };
        if let Some(pod) = self.world.store.pod(&key).cloned() {
            self.bind_waiting_claims(&pod, &node);
            self.place_volumes(&pod, &node);
            if let Some(node) = self.world.store.node(&node).filter(|node| !node.spec.taints.is_empty()).cloned() {
                self.plan_eviction(&node, &pod);
            }
        }
        self.scheduler.bind(&mut self.world, &key, &node);
    }

    fn kubelet_look(&mut self, node: &Rc<str>, key: &ObjectRef, uid: &Rc<str>) {
        let now = self.world.now;
        let Some(kubelet) = self.kubelets.get_mut(node).map(Rc::make_mut) else { return };
        let again = |at| (at, ScheduledEvent::Kubelet { node: Rc::clone(node), pod: key.clone(), uid: Rc::clone(uid) });
        if !kubelet.answers() {
            if kubelet.failure == Some(Failure::NetworkPartition) {
                let look = kubelet.carry_on(uid, now, &self.world.settings);
                self.note_started(node, uid, &look);
                if let Some((at, due)) = look.again_at.map(again) {
                    self.world.event_queue.put(at, due);
                }
            }
            return;
        }
        let Some(pod) = self.world.store.pod(key).filter(|pod| pod.metadata.uid == *uid).cloned() else {
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
        let look = if suits {
            kubelet.look(&pod, mounted, now, &self.world.settings, &self.world.gates)
        } else {
            unsuited(&pod)
        };
        self.note_started(node, uid, &look);
        for event in look.events {
            let (event_type, reason, message) = event.words(&pod, &self.world.release.profile().kubelet);
            self.world.event_of(key, event.field(&pod), event_type, reason, message, "kubelet");
        }
        if let Some(status) = look.status {
            self.world.store.change_pod(key, |pod| pod.status = status);
            self.world.happened(TraceEvent::PodReported { pod: key.clone() });
        }
        if let Some((at, due)) = look.again_at.map(again) {
            self.world.event_queue.put(at, due);
        }
        if look.stopped {
            // The kubelet confirms the end: the object goes.
            let _ = self.world.store.delete(key, Some(0), now);
            self.world.happened(TraceEvent::PodStopped { pod: key.clone() });
        }
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
