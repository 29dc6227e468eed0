//! How machines fail and come back.

use super::Machines;
use crate::objects::{ContainerState, ContainerStatus, EventType, ObjectRef, Pod, PodPhase, Time};
use crate::releases::ClusterGates;
use crate::sim::event_queue::{ScheduledEvent, round_up};
use crate::sim::failure::Failure;
use crate::sim::kubelet::Kubelet;
use crate::sim::life::set_condition;
use crate::sim::node::{LIFECYCLE_TAINTS, set_lifecycle_taints, set_ready, set_taint};
use crate::sim::refs::{node_ref, pod_ref};
use crate::sim::settings::{HEARTBEAT_MS, MONITOR_MS};
use crate::sim::trace::TraceEvent;
use crate::sim::world::World;
use std::collections::BTreeSet;
use std::rc::Rc;

/// From a reboot's start to the kubelet's return: within every release's monitor grace.
const REBOOT_MS: i64 = 25_000;

impl Machines {
    /// The machine fails. One that is off already stays off.
    pub(in crate::sim) fn fail(&mut self, world: &mut World, name: &Rc<str>, failure: Failure) -> bool {
        let now = world.now;
        let Some(kubelet) = self.get_mut(name) else { return false };
        if kubelet.failure.is_some_and(Failure::is_off) {
            return false;
        }
        // A node that fails in a second way has been failing since the first.
        if kubelet.failure.is_none() {
            kubelet.failed_at = now;
        }
        kubelet.failure = Some(failure);
        match failure {
            Failure::KubeletUnwell => {
                let message = "container runtime is down";
                report_not_ready(world, name, message);
            }
            Failure::GracefulShutdown if world.gates.graceful_shutdown.is_some() => {
                report_not_ready(world, name, "node is shutting down");
                world
                    .event_queue
                    .put(Time(now.0 + world.settings.stopping), ScheduledEvent::PowerOff { node: Rc::clone(name) });
            }
            _ => {
                kubelet.silent_since.get_or_insert(now);
                if failure.is_off() {
                    kubelet.lose_power(now);
                }
                if failure == Failure::Reboot {
                    world.event_queue.put(Time(now.0 + REBOOT_MS), ScheduledEvent::Boot { node: Rc::clone(name) });
                }
                self.await_silence(world, name);
            }
        }
        world.happened(TraceEvent::NodeFailed { node: Rc::clone(name), failure });
        true
    }

    /// The node lifecycle controller looks when the silence has lasted too long.
    fn await_silence(&self, world: &mut World, name: &Rc<str>) {
        if let Some(at) = self.get(name).and_then(|kubelet| lost_at(&world.gates, kubelet)) {
            world.event_queue.put(at, ScheduledEvent::NodeMonitor { node: Rc::clone(name) });
        }
    }

    /// The last act of a graceful shutdown: the pods have ended, and the machine goes off. That their volumes are unmounted
    /// is not reported in time (kubernetes/kubernetes#115148), so these wait to be taken by force. Whether it went off.
    pub(in crate::sim) fn power_off(&mut self, world: &mut World, name: &Rc<str>) -> bool {
        let now = world.now;
        let Some((reason, message)) = world.gates.graceful_shutdown else { return false };
        let Some(kubelet) = self.get_mut(name) else { return false };
        if kubelet.failure != Some(Failure::GracefulShutdown) {
            return false;
        }
        kubelet.forget_all();
        kubelet.silent_since = Some(now);
        for pod in world.pods_on(name) {
            let key = pod_ref(&pod);
            if pod.is_terminating() {
                let _ = world.store.delete(&key, Some(0), now);
                world.happened(TraceEvent::PodStopped { pod: key });
                continue;
            }
            end_pod(world, &key, PodPhase::Failed, reason, message);
            if world.gates.disruption_target {
                world.mark_disrupted(&key, "TerminationByKubelet", message);
            }
        }
        self.await_silence(world, name);
        true
    }

    /// The kubelet answers again: it reports its node (registering it anew if the Node object is gone), stops what the API
    /// no longer has, and looks at every pod it has or should have. False if there is no such machine.
    pub(in crate::sim) fn recover(&mut self, world: &mut World, name: &Rc<str>) -> bool {
        let now = world.now;
        let Some(kubelet) = self.get_mut(name) else { return false };
        let failure = kubelet.failure.take();
        kubelet.silent_since = None;
        let held: Vec<Rc<Pod>> = kubelet.held().cloned().collect();
        let was_ready = world.store.node(name).is_some_and(|node| node.is_ready());
        if world.store.node(name).is_none() {
            self.register(world, name);
        }
        world.store.change_node(name, |node| {
            set_ready(node, "True", "KubeletReady", "kubelet is posting ready status", now);
        });
        if !was_ready {
            for key in LIFECYCLE_TAINTS {
                world.store.change_node(name, |node| set_taint(node, key, "NoSchedule", None));
            }
            world.node_event(name, "NodeReady", format!("Node {name} status is now: NodeReady"), "kubelet");
            world.monitor_soon(name);
        }
        if failure.is_some_and(Failure::is_off) {
            let message = format!("Node {name} has been rebooted");
            world.event(&node_ref(name), EventType::Warning, "Rebooted", message, "kubelet");
        }
        if failure.is_some() {
            world.happened(TraceEvent::NodeReturned { node: Rc::clone(name) });
        }
        let corrects_at = self.get(name).map(|kubelet| kubelet.corrects_at(now, &world.settings));
        let bound = world.pods_on(name);
        let uids = |pods: &[Rc<Pod>]| pods.iter().map(|pod| Rc::clone(&pod.metadata.uid)).collect::<BTreeSet<_>>();
        let (are_held, are_bound) = (uids(&held), uids(&bound));
        let ghosts = held.iter().filter(|known| !are_bound.contains(&known.metadata.uid));
        for pod in bound.iter().chain(ghosts) {
            // A kubelet that ran on has nothing new to say of pods that it knows.
            let is_known = are_held.contains(&pod.metadata.uid) && are_bound.contains(&pod.metadata.uid);
            let ran_on = failure == Some(Failure::NetworkPartition) && is_known;
            match corrects_at.filter(|_| ran_on && pod.metadata.deletion_timestamp.is_none()) {
                Some(at) => world.wake_kubelet_at(pod, at),
                None => world.wake_kubelet(pod),
            }
        }
        true
    }
}

/// When the node lifecycle controller takes a silent node for lost.
pub(in crate::sim) fn lost_at(gates: &ClusterGates, kubelet: &Kubelet) -> Option<Time> {
    let due = kubelet.last_heartbeat(HEARTBEAT_MS)?.0 + gates.node_monitor_grace;
    Some(Time(round_up(due, MONITOR_MS)))
}

/// The kubelet itself says that its node is not ready.
fn report_not_ready(world: &mut World, name: &Rc<str>, message: &str) {
    let now = world.now;
    world.store.change_node(name, |node| set_ready(node, "False", "KubeletNotReady", message, now));
    set_lifecycle_taints(world, name);
    world.node_event(name, "NodeNotReady", format!("Node {name} status is now: NodeNotReady"), "kubelet");
    world.monitor_soon(name);
}

/// A pod's containers have ended for good.
pub(in crate::sim) fn end_pod(world: &mut World, key: &ObjectRef, phase: PodPhase, reason: &str, message: &str) {
    let now = world.now;
    let is_evicted = world.gates.evicted_keep_statuses && reason == "Evicted";
    let killed = |status: &ContainerStatus| {
        let started = if let ContainerState::Running { started_at } = status.state { started_at } else { None };
        let state = ContainerState::ended(137, "Error", [started, Some(now)]);
        ContainerStatus { ready: false, state, ..status.clone() }
    };
    let stored = world.store.pod(key).filter(|_| is_evicted);
    let kept = stored.map_or_else(Vec::new, |pod| pod.status.container_statuses.iter().map(killed).collect());
    world.store.change_pod(key, |pod| {
        pod.status.phase = phase;
        pod.status.reason = reason.into();
        pod.status.message = message.into();
        pod.status.container_statuses = kept;
        set_condition(&mut pod.status, "Ready", false, "", now);
    });
    world.happened(TraceEvent::PodReported { pod: key.clone() });
}
