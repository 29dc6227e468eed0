//! The cluster: one step takes one event off the event queue and lets the actors that watch react. Each actor keeps its own, and
//! what all have before them is the [`World`]; here one hears of what another does.

mod budgets;
mod capacity;
mod choice;
mod fingerprint;
mod holds;
mod named;
mod nodes;
mod operations;
mod queries;
mod rules;
mod start;
mod volumes;

use super::autoscaler::Autoscalers;
use super::disruption::DisruptionBudgets;
use super::dns::Services;
use super::event_queue::ScheduledEvent;
use super::eviction;
use super::gc::{Collectors, collect_out_of_service, collect_pods_of, remove_orphaned};
use super::in_place::are_gates_changed;
use super::machines::Machines;
use super::node::set_cordon_taint;
use super::node_lifecycle::NodeLifecycle;
use super::provisioner::{bind_waiting_claims, provision};
use super::resize::grow_further;
use super::scheduler::Scheduler;
use super::trace::{ObjectVersion, TraceEvent};
use super::volume::{Attachments, place_volumes};
use super::worker::Workers;
use super::world::World;
use crate::objects::{Kind, Object, ObjectRef, Pod, Time};
use crate::reconcile::WatchEvent;
use crate::releases::{Gates, Release};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

pub use choice::Choice;
pub use nodes::NodeHealth;
pub use operations::Cascade;
pub use start::LeftOut;
pub(crate) use start::owners_left_out;

/// The simulated cluster. Cloning it is cheap: objects are shared and never changed in place.
#[derive(Clone)]
pub struct Cluster {
    pub(super) world: World,
    scheduler: Scheduler,
    budgets: DisruptionBudgets,
    autoscalers: Autoscalers,
    services: Services,
    pub(super) machines: Machines,
    attachments: Attachments,
    node_lifecycle: NodeLifecycle,
    collectors: Collectors,
    workers: Workers,
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
            machines: Machines::default(),
            attachments: Attachments::default(),
            node_lifecycle: NodeLifecycle::default(),
            collectors: Collectors::default(),
            workers: Workers::new(gates, seed),
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
    pub(crate) fn wait_until(&mut self, at: Time) {
        self.world.now = self.world.now.max(at);
    }

    fn handle(&mut self, due: ScheduledEvent) {
        let Self { world, machines, .. } = self;
        match due {
            ScheduledEvent::Deliver(change) => self.workers.deliver(world, &change),
            ScheduledEvent::Work(kind) => self.workers.work(world, kind),
            ScheduledEvent::Requeue(key) => self.workers.requeued(world, key),
            ScheduledEvent::Schedule => self.schedule(),
            ScheduledEvent::BindClaim(claim) => self.bind_claim(claim),
            ScheduledEvent::GrowClaim(claim) => grow_further(world, machines, &claim),
            ScheduledEvent::Kubelet { node, pod, uid } => self.kubelet_look(&node, &pod, &uid),
            ScheduledEvent::NodeMonitor { node } => self.monitor_node(&node),
            ScheduledEvent::TaintEviction { pod, uid } => self.node_lifecycle.taint_manager.evict(world, &pod, &uid),
            ScheduledEvent::TaintPass => self.node_lifecycle.pass(world, machines),
            ScheduledEvent::PodGc { node } => collect_pods_of(world, &node),
            ScheduledEvent::PodGcLoop => collect_out_of_service(world),
            ScheduledEvent::NodeJoins { node } if machines.answers(&node) => drop(self.recover_node(&node)),
            ScheduledEvent::Boot { node } if machines.reboots(&node) => drop(self.recover_node(&node)),
            ScheduledEvent::NodeJoins { .. } | ScheduledEvent::Boot { .. } => {}
            ScheduledEvent::PowerOff { node } => self.power_off(&node),
            ScheduledEvent::ForceDetach { node } => self.attachments.review_node(world, machines, &node),
            ScheduledEvent::ReleaseClaims => world.store.release_claims(),
            ScheduledEvent::CollectGarbage => self.collectors.collect_garbage(world),
            ScheduledEvent::Orphaned(key) => remove_orphaned(&mut world.store, &key),
            ScheduledEvent::Autoscale { namespace, name } => self.autoscalers.look(world, &namespace, &name),
            ScheduledEvent::Drain(asked) => eviction::drain(world, &self.budgets, asked),
        }
    }

    /// Every change is on its way to the controller's cache, and wakes the actors it concerns.
    fn react(&mut self) {
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

    fn remember(&mut self, change: &WatchEvent) {
        let (object, gone) = match change {
            WatchEvent::Put { new, .. } => (new, false),
            WatchEvent::Gone(object) => (object, true),
        };
        if matches!(object.kind(), Kind::Pod | Kind::Node) || object.is_workload() {
            self.world.trace.history.push(ObjectVersion { at: self.world.now, object: object.clone(), gone });
        }
    }

    fn wake_for(&mut self, change: &WatchEvent) {
        let Self { world, machines, .. } = self;
        self.collectors.wake(world, change);
        match change {
            WatchEvent::Put { old: None, new: Object::Claim(claim) } => provision(world, claim),
            WatchEvent::Put { old, new: Object::Pod(pod) } => {
                if pod.spec.node_name.is_empty() {
                    self.scheduler.wake(world);
                } else if is_news_for_kubelet(old.as_ref(), pod) {
                    world.wake_kubelet(pod);
                }
                if pod.has_ended() {
                    self.attachments.review_pod(world, machines, pod);
                }
            }
            WatchEvent::Gone(Object::Claim(claim)) => world.store.reclaim_volume(claim),
            WatchEvent::Gone(Object::Pod(pod)) => {
                self.scheduler.wake(world);
                self.node_lifecycle.taint_manager.cancel(world, pod);
                if !pod.spec.node_name.is_empty() {
                    machines.note_gone(world, pod);
                    self.attachments.review_pod(world, machines, pod);
                    world.wake_kubelet(pod);
                }
            }
            WatchEvent::Put { new: Object::Node(node), .. } => {
                set_cordon_taint(world, node);
                self.scheduler.wake(world);
            }
            WatchEvent::Put { new, .. } if new.is_workload() => self.autoscalers.wake(world, new),
            _ => {}
        }
    }

    fn wake_scheduler(&mut self) {
        self.scheduler.wake(&mut self.world);
    }

    /// The first pod that can have a node is bound to it, once volumes and the taint manager have taken note.
    fn schedule(&mut self) {
        let Self { world, machines, .. } = self;
        let Some((key, node)) = self.scheduler.place_next(world) else { return };
        if let Some(pod) = world.store.pod(&key).cloned() {
            bind_waiting_claims(world, &pod, &node);
            place_volumes(world, machines, &pod, &node);
            if let Some(node) = world.store.node(&node).filter(|node| !node.spec.taints.is_empty()).cloned() {
                self.node_lifecycle.taint_manager.plan(world, &node, &pod);
            }
        }
        self.scheduler.bind(world, &key, &node);
    }

    /// A node's kubelet looks at one of its pods, whose volumes are attached if it has waited for them.
    fn kubelet_look(&mut self, node: &Rc<str>, key: &ObjectRef, uid: &Rc<str>) {
        let Self { world, machines, attachments, .. } = self;
        if !machines.answers(node) {
            machines.carry_on(world, node, key, uid);
            return;
        }
        let Some(pod) = world.store.pod(key).filter(|pod| pod.metadata.uid == *uid).cloned() else {
            if machines.stop_ghost(world, node, key, uid) {
                attachments.review_node(world, machines, node);
            }
            return;
        };
        let is_mounted = !machines.needs_volumes(&pod) || attachments.attach_all(world, machines, &pod);
        machines.look(world, node, &pod, is_mounted);
    }
}

/// Whether the kubelet has something to do about a change of a bound pod: it was just bound, or deletion was asked for.
fn is_news_for_kubelet(old: Option<&Object>, pod: &Pod) -> bool {
    let Some(Object::Pod(old)) = old else { return true };
    if (!Rc::ptr_eq(&old.spec, &pod.spec) && old.spec != pod.spec) || are_gates_changed(old, pod) {
        return true;
    }
    old.spec.node_name.is_empty()
        || old.metadata.deletion_grace_period_seconds != pod.metadata.deletion_grace_period_seconds
}
