//! What every actor of the cluster has before it: the clock, the API server's store, what is due, and the record of the run. An
//! actor keeps what it alone knows, and reaches another one only through here.

use super::event_correlator::{Correlated, EventCorrelator, Sent};
use super::event_queue::{EventQueue, ScheduledEvent, round_up};
use super::life::set_condition_with;
use super::looks::Looks;
use super::refs::{node_ref, pod_ref};
use super::rng::Rng;
use super::settings::{MONITOR_MS, Settings};
use super::store::Store;
use super::trace::{EventRecord, Trace, TraceEvent};
use crate::objects::{ApiError, EventType, Object, ObjectRef, Pod, Time, shared};
use crate::releases::{ClusterGates, Release};
use std::rc::Rc;

/// The virtual clock's zero: 2024-01-01T00:00:00Z.
pub const START: Time = Time(1_704_067_200_000);

/// Who tells of evictions by taints. Its events name the pod without its uid (emitPodDeletionEvent, taint_eviction.go), so those of
/// pods of one name count together, and no description shows them.
pub(crate) const TAINT_CONTROLLER: &str = "taint-controller";

/// What all actors share. Cloning it is cheap: objects are shared and never changed in place.
#[derive(Clone)]
pub(super) struct World {
    pub(super) now: Time,
    pub(super) release: Release,
    pub(super) gates: ClusterGates,
    pub(super) settings: Settings,
    pub(super) store: Store,
    pub(super) event_queue: EventQueue,
    pub(super) chance: Rng,
    pub(super) trace: Trace,
    /// What following it has cost.
    pub(super) looks: Looks,
    correlator: EventCorrelator,
}

impl World {
    /// Nothing is there, at the clock's zero.
    pub(super) fn new(release: Release, seed: u64) -> Self {
        let mut chance = Rng::new(seed);
        Self {
            now: START,
            release,
            gates: release.profile().cluster,
            settings: Settings::default(),
            store: Store::new(chance.fork(), release.gates().server(release)),
            event_queue: EventQueue::default(),
            chance,
            trace: Trace::default(),
            looks: Looks::default(),
            correlator: EventCorrelator::default(),
        }
    }

    /// Stores a new object.
    pub(super) fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        self.store.create(object, self.now, &mut self.settings.holds)
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

    /// The node lifecycle controller looks at a node with its next round.
    pub(super) fn monitor_soon(&mut self, node: &Rc<str>) {
        let at = Time(round_up(self.now.0 + 1, MONITOR_MS));
        self.event_queue.put(at, ScheduledEvent::NodeMonitor { node: Rc::clone(node) });
    }

    /// The kubelets of those pods that use a claim look at them now.
    pub(super) fn wake_users_of(&mut self, claim: &ObjectRef) {
        let users: Vec<Rc<Pod>> = self.store.users_of(claim).cloned().collect();
        users.iter().filter(|pod| !pod.spec.node_name.is_empty()).for_each(|pod| self.wake_kubelet(pod));
    }

    /// The pods of a node as they are now, while something changes them.
    pub(super) fn pods_on(&self, node: &Rc<str>) -> Vec<Rc<Pod>> {
        self.store.pods_on(node).cloned().collect()
    }

    /// The condition DisruptionTarget, in releases that have it.
    pub(super) fn mark_disrupted(&mut self, key: &ObjectRef, reason: &str, message: &str) {
        let now = self.now;
        if self.gates.disruption_target {
            self.store.change_pod(key, |pod| {
                set_condition_with(&mut pod.status, "DisruptionTarget", true, reason, message, now);
            });
        }
    }

    /// Takes down what happened at this moment.
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

    /// The same of a node.
    pub(super) fn node_event(&mut self, name: &Rc<str>, reason: &'static str, message: String, by: &'static str) {
        self.event(&node_ref(name), EventType::Normal, reason, message, by);
    }

    /// The same of a part of the object.
    pub(super) fn event_of(
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
        let object = self.store.get(about).ok().filter(|_| component != TAINT_CONTROLLER);
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
