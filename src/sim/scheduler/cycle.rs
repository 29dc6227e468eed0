//! Scheduling cycles: when the scheduler looks at the pods that wait for a node, and what it tells of them.
//! Models pkg/scheduler/schedule_one.go and the back-off queue of its scheduling_queue.go.

use super::{Placement, schedule};
use crate::objects::{EventType, Kind, ObjectRef, Pod, Time};
use crate::releases::ToldTwice;
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::life::set_condition;
use crate::sim::trace::TraceEvent;
use crate::sim::world::{START, World};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The scheduler takes pods whose back-off is over this often (flushBackoffQCompleted, scheduling_queue.go).
const TICK_MS: i64 = 1_000;
/// From one pod's binding to that of the next one that waits.
const NEXT_POD_MS: i64 = 10;
const COMPONENT: &str = "default-scheduler";

/// What the scheduler keeps from one cycle to the next.
#[derive(Clone, Default)]
pub(in crate::sim) struct Scheduler {
    /// The next cycle that is planned, however many pods wait for it.
    next_at: Option<Time>,
    /// By pod uid: until when it is not tried again.
    back_offs: BTreeMap<Rc<str>, Time>,
}

impl Scheduler {
    /// One cycle soon, if a pod waits.
    pub(in crate::sim) fn wake(&mut self, world: &mut World) {
        self.wake_in(world, world.settings.scheduling);
    }

    fn wake_in(&mut self, world: &mut World, milliseconds: i64) {
        if world.store.has_waiting_pods() && self.next_at.is_none() {
            let at = Time(world.now.0 + milliseconds);
            self.next_at = Some(at);
            world.event_queue.put(at, ScheduledEvent::Schedule);
        }
    }

    /// Looks at the pods that wait until one of them can have a node: that pod and the node.
    pub(in crate::sim) fn place_next(&mut self, world: &mut World) -> Option<(ObjectRef, Rc<str>)> {
        self.next_at = None;
        let now = world.now;
        self.back_offs.retain(|_, until| *until > now);
        let backs_off = |pod: &Pod| self.back_offs.contains_key(&pod.metadata.uid);
        let holds = &world.settings.holds;
        let placements = schedule(&world.store, holds, &world.release.profile().scheduler, &backs_off);
        world.looks.add(placements.len() * world.store.list(Kind::Node).count());
        let mut placed = None;
        for placement in placements {
            match placement {
                Placement::On { pod, node } => placed = Some((pod, node)),
                Placement::Nowhere { pod, message, waits_for_claim } => {
                    tell_unschedulable(world, &pod, message, waits_for_claim);
                    if waits_for_claim {
                        self.back_off(world, &pod);
                    }
                }
            }
        }
        placed
    }

    /// The pod is not tried again for a while.
    fn back_off(&mut self, world: &mut World, key: &ObjectRef) {
        let back_off = world.release.profile().scheduler.claim_back_off;
        let Some(pod) = world.store.pod(key).filter(|_| back_off > 0) else { return };
        let over = world.now.0 - START.0 + back_off - world.settings.scheduler_tick;
        let until = Time(world.now.0 + back_off + (-over).rem_euclid(TICK_MS));
        self.back_offs.insert(Rc::clone(&pod.metadata.uid), until);
        world.event_queue.put(until, ScheduledEvent::Schedule);
    }

    /// Binds a pod to its node; the next one that waits follows.
    pub(in crate::sim) fn bind(&mut self, world: &mut World, pod: &ObjectRef, node: &Rc<str>) {
        let now = world.now;
        world.store.change_pod(pod, |pod| {
            Rc::make_mut(&mut pod.spec).node_name = Rc::clone(node);
            set_condition(&mut pod.status, "PodScheduled", true, "", now);
        });
        let message = if world.release.profile().scheduler.scheduled_names_namespace {
            format!("Successfully assigned {}/{} to {node}", pod.namespace, pod.name)
        } else {
            format!("Successfully assigned {} to {node}", pod.name)
        };
        world.event(pod, EventType::Normal, "Scheduled", message, COMPONENT);
        world.happened(TraceEvent::Scheduled { pod: pod.clone(), node: Rc::clone(node) });
        self.wake_in(world, NEXT_POD_MS);
    }
}

fn tell_unschedulable(world: &mut World, key: &ObjectRef, message: String, waits_for_claim: bool) {
    let scheduled = world.store.pod(key).and_then(|pod| pod.condition("PodScheduled"));
    if scheduled.is_some_and(|scheduled| *scheduled.message == *message) {
        return;
    }
    let now = world.now;
    let text: Rc<str> = message.as_str().into();
    world.store.change_pod(key, |pod| {
        set_condition(&mut pod.status, "PodScheduled", false, "Unschedulable", now);
        let condition = pod.status.conditions.iter_mut().find(|condition| &*condition.condition_type == "PodScheduled");
        if let Some(condition) = condition {
            condition.message = text;
        }
    });
    world.event(key, EventType::Warning, "FailedScheduling", message, COMPONENT);
    let is_told_twice = match world.release.profile().scheduler.told_twice {
        ToldTwice::Never => false,
        ToldTwice::Always => true,
        ToldTwice::UnboundClaims => waits_for_claim,
    };
    if is_told_twice && let Some(told) = world.trace.api_events.last().filter(|told| told.first == now).cloned() {
        world.trace.api_events.push(told);
        // The second of an unbound claim is told once more, with the next look at the pod.
        let is_told_again = world.release.profile().scheduler.told_twice == ToldTwice::UnboundClaims;
        let last = world.trace.api_events.len() - 1;
        if is_told_again && let Some(told) = world.trace.api_events.get_mut(last) {
            Rc::make_mut(told).count += 1;
        }
    }
    world.happened(TraceEvent::Unschedulable { pod: key.clone() });
}
