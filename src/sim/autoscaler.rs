//! HorizontalPodAutoscalers that were applied: each keeps the replicas of its target between its bounds.
//! Models the controller of pkg/controller/podautoscaler/horizontal.go. Simplified: autoscalers measure nothing: between their
//! bounds they scale nothing.

use super::event_queue::ScheduledEvent;
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{Autoscaler, Object, ObjectRef, Time};
use std::rc::Rc;

/// Each autoscaler is looked at this often (--horizontal-pod-autoscaler-sync-period).
const SYNC_PERIOD_MS: i64 = 15_000;

/// The autoscalers, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Autoscalers(Vec<Autoscaling>);

/// An autoscaler, and when it is looked at.
#[derive(Clone)]
struct Autoscaling {
    object: Rc<Autoscaler>,
    /// Its looks are whole periods after this.
    since: Time,
    /// The look that is planned: those that would change nothing are not simulated.
    next: Option<Time>,
}

impl Autoscaling {
    fn is_named(&self, namespace: &str, name: &str) -> bool {
        let metadata = &self.object.metadata;
        (&*metadata.namespace, &*metadata.name) == (namespace, name)
    }

    fn scales(&self, workload: &ObjectRef) -> bool {
        self.object.target().is_some_and(|target| target == *workload)
    }
}

impl Autoscalers {
    /// Keeps an autoscaler, in the place of one of its name, whose status stays: that is its controller's.
    pub(super) fn apply(&mut self, world: &mut World, mut autoscaler: Autoscaler) {
        let (namespace, name) = (&autoscaler.metadata.namespace, &autoscaler.metadata.name);
        let known = self.0.iter().position(|own| own.is_named(namespace, name));
        let since = known.map_or(world.now, |at| {
            let known = self.0.remove(at);
            autoscaler.status.clone_from(&known.object.status);
            known.since
        });
        let target = autoscaler.target();
        self.0.push(Autoscaling { object: Rc::new(autoscaler), since, next: None });
        if let Some(Ok(target)) = target.map(|key| world.store.get(&key).cloned()) {
            self.wake(world, &target);
        }
    }

    /// Deletes the autoscaler of this name; false if there is none.
    pub(super) fn delete(&mut self, namespace: &str, name: &str) -> bool {
        let known = self.0.len();
        self.0.retain(|own| !own.is_named(namespace, name));
        self.0.len() < known
    }

    /// The autoscaler of this name.
    pub(super) fn get(&self, namespace: &str, name: &str) -> Option<&Autoscaler> {
        self.0.iter().find(|own| own.is_named(namespace, name)).map(|own| &*own.object)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Autoscaler> {
        self.0.iter().map(|own| &*own.object)
    }

    /// The autoscaler that finds this workload out of its bounds at its next look, and the replicas that it sets then.
    pub(super) fn soon(&self, workload: &Object) -> Option<(&Autoscaler, i32)> {
        let (key, replicas) = (workload.reference(), workload.replicas()?);
        let own = self.0.iter().filter(|own| own.scales(&key)).map(|own| &*own.object);
        own.filter_map(|own| Some((own, own.bounded(replicas)?))).next()
    }

    /// Plans the look at which an autoscaler finds this target out of its bounds.
    pub(super) fn wake(&mut self, world: &mut World, target: &Object) {
        let (key, now) = (target.reference(), world.now);
        for own in self.0.iter_mut().filter(|own| own.next.is_none() && own.scales(&key)) {
            if target.replicas().and_then(|replicas| own.object.bounded(replicas)).is_none() {
                continue;
            }
            let looks = (now.0 - own.since.0).div_euclid(SYNC_PERIOD_MS) + 1;
            let at = Time(own.since.0 + looks * SYNC_PERIOD_MS);
            own.next = Some(at);
            let (namespace, name) = (&own.object.metadata.namespace, &own.object.metadata.name);
            let due = ScheduledEvent::Autoscale { namespace: Rc::clone(namespace), name: Rc::clone(name) };
            world.event_queue.put(at, due);
        }
    }

    /// Models reconcileAutoscaler.
    pub(super) fn look(&mut self, world: &mut World, namespace: &str, name: &str) {
        let now = world.now;
        let Some(own) = self.0.iter_mut().find(|own| own.is_named(namespace, name)) else { return };
        // One of this name that was made later has looks of its own.
        if own.next.take_if(|next| *next <= now).is_none() {
            return;
        }
        let autoscaler = Rc::clone(&own.object);
        let Some(Ok(mut target)) = autoscaler.target().map(|key| world.store.get(&key).cloned()) else { return };
        let Some(from) = target.replicas() else { return };
        let Some(to) = autoscaler.bounded(from) else { return };
        target.set_replicas(to);
        let (workload, by) = (target.reference(), Rc::clone(&autoscaler.metadata.name));
        if world.store.update(target).is_ok() {
            world.happened(TraceEvent::Rescaled { workload, by, from, to });
        }
    }
}
