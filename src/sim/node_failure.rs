//! How machines fail and come back. What runs on a machine is true whatever the API says of it.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::failure::Failure;
use super::life::set_condition;
use super::node::set_ready;
use super::refs::pod_ref;
use super::taint::{LIFECYCLE_TAINTS, set_taint};
use super::trace::TraceEvent;
use crate::objects::{ContainerState, ContainerStatus, EventType, Pod, PodPhase, Time};
use crate::order::Gather;
use std::collections::BTreeSet;
use std::rc::Rc;

/// From a reboot's start to the kubelet's return: within every release's monitor grace.
const REBOOT_MS: i64 = 25_000;

impl Cluster {
    /// The machine fails. One that is off already stays off.
    pub(super) fn fail_node(&mut self, name: &Rc<str>, failure: Failure) -> bool {
        let now = self.world.now;
        let Some(kubelet) = self.kubelets.get_mut(name).map(Rc::make_mut) else { return false };
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
                self.report_not_ready(name, message);
            }
            Failure::GracefulShutdown if self.world.gates.graceful_shutdown.is_some() => {
                self.report_not_ready(name, "node is shutting down");
                self.world.event_queue.put(
                    Time(now.0 + self.world.settings.stopping),
                    ScheduledEvent::PowerOff { node: Rc::clone(name) },
                );
            }
            _ => {
                kubelet.silent_since.get_or_insert(now);
                if failure.is_off() {
                    kubelet.lose_power(now);
                }
                if failure == Failure::Reboot {
                    self.world.event_queue.put(Time(now.0 + REBOOT_MS), ScheduledEvent::Boot { node: Rc::clone(name) });
                }
                self.await_silence(name);
            }
        }
        self.world.happened(TraceEvent::NodeFailed { node: Rc::clone(name), failure });
        true
    }

    /// The node lifecycle controller looks when the silence has lasted too long.
    fn await_silence(&mut self, name: &Rc<str>) {
        let at = self.kubelets.get(name).and_then(|kubelet| self.lost_at(kubelet));
        if let Some(at) = at {
            self.world.event_queue.put(at, ScheduledEvent::NodeMonitor { node: Rc::clone(name) });
        }
    }

    /// The kubelet itself says that its node is not ready.
    fn report_not_ready(&mut self, name: &Rc<str>, message: &str) {
        let now = self.world.now;
        self.world.store.change_node(name, |node| set_ready(node, "False", "KubeletNotReady", message, now));
        self.set_lifecycle_taints(name);
        self.node_event(name, "NodeNotReady", format!("Node {name} status is now: NodeNotReady"), "kubelet");
        self.monitor_soon(name);
    }

    /// The last act of a graceful shutdown: the pods have ended, and the machine goes off. That their volumes are unmounted
    /// is not reported in time (kubernetes/kubernetes#115148), so these wait to be taken by force.
    pub(super) fn power_off(&mut self, name: &Rc<str>) {
        let now = self.world.now;
        let Some((reason, message)) = self.world.gates.graceful_shutdown else { return };
        let Some(kubelet) = self.kubelets.get_mut(name).map(Rc::make_mut) else { return };
        if kubelet.failure != Some(Failure::GracefulShutdown) {
            return;
        }
        kubelet.forget_all();
        kubelet.silent_since = Some(now);
        for pod in self.pods_on(name) {
            let key = pod_ref(&pod);
            if pod.is_terminating() {
                let _ = self.world.store.delete(&key, Some(0), now);
                self.world.happened(TraceEvent::PodStopped { pod: key });
                continue;
            }
            self.end_pod(&key, PodPhase::Failed, reason, message);
            if self.world.gates.disruption_target {
                self.world.mark_disrupted(&key, "TerminationByKubelet", message);
            }
        }
        self.review_node_volumes(name);
        self.await_silence(name);
    }

    /// A pod's containers have ended for good.
    pub(super) fn end_pod(&mut self, key: &crate::objects::ObjectRef, phase: PodPhase, reason: &str, message: &str) {
        let now = self.world.now;
        let is_evicted = self.world.gates.evicted_keep_statuses && reason == "Evicted";
        let killed = |status: &ContainerStatus| {
            let started = if let ContainerState::Running { started_at } = status.state { started_at } else { None };
            let state = ContainerState::ended(137, "Error", [started, Some(now)]);
            ContainerStatus { ready: false, state, ..status.clone() }
        };
        let stored = self.world.store.pod(key).filter(|_| is_evicted);
        let kept = stored.map_or_else(Vec::new, |pod| pod.status.container_statuses.iter().map(killed).collect());
        self.world.store.change_pod(key, |pod| {
            pod.status.phase = phase;
            pod.status.reason = reason.into();
            pod.status.message = message.into();
            pod.status.container_statuses = kept;
            set_condition(&mut pod.status, "Ready", false, "", now);
        });
        self.world.happened(TraceEvent::PodReported { pod: key.clone() });
    }

    /// A rebooted machine is up again.
    pub(super) fn boot(&mut self, name: &Rc<str>) {
        if self.kubelets.get(name).is_some_and(|kubelet| kubelet.failure == Some(Failure::Reboot)) {
            self.recover_node(name);
        }
    }

    /// The kubelet answers again: it reports its node (registering it anew if the Node object is gone), stops what the API
    /// no longer has, and looks at every pod it has or should have.
    pub(super) fn recover_node(&mut self, name: &Rc<str>) {
        let now = self.world.now;
        let Some(kubelet) = self.kubelets.get_mut(name).map(Rc::make_mut) else { return };
        let failure = kubelet.failure.take();
        kubelet.silent_since = None;
        let held: Vec<Rc<Pod>> = kubelet.held().cloned().collect();
        let was_ready = self.node(name).is_some_and(|node| node.is_ready());
        if self.node(name).is_none() {
            self.register_node(name);
        }
        self.world.store.change_node(name, |node| {
            set_ready(node, "True", "KubeletReady", "kubelet is posting ready status", now);
        });
        if !was_ready {
            for key in LIFECYCLE_TAINTS {
                self.world.store.change_node(name, |node| set_taint(node, key, "NoSchedule", None));
            }
            self.node_event(name, "NodeReady", format!("Node {name} status is now: NodeReady"), "kubelet");
            self.monitor_soon(name);
        }
        if failure.is_some_and(Failure::is_off) {
            let message = format!("Node {name} has been rebooted");
            self.world.event(&super::refs::node_ref(name), EventType::Warning, "Rebooted", message, "kubelet");
        }
        if failure.is_some() {
            self.world.happened(TraceEvent::NodeReturned { node: Rc::clone(name) });
        }
        let corrects_at = self.kubelets.get(name).map(|kubelet| kubelet.corrects_at(now, &self.world.settings));
        let bound = self.pods_on(name);
        let uids = |pods: &[Rc<Pod>]| pods.iter().map(|pod| Rc::clone(&pod.metadata.uid)).gather::<BTreeSet<_>>();
        let (are_held, are_bound) = (uids(&held), uids(&bound));
        let ghosts = held.iter().filter(|known| !are_bound.contains(&known.metadata.uid));
        for pod in bound.iter().chain(ghosts) {
            // A kubelet that ran on has nothing new to say of pods that it knows.
            let is_known = are_held.contains(&pod.metadata.uid) && are_bound.contains(&pod.metadata.uid);
            let ran_on = failure == Some(Failure::NetworkPartition) && is_known;
            match corrects_at.filter(|_| ran_on && pod.metadata.deletion_timestamp.is_none()) {
                Some(at) => self.world.wake_kubelet_at(pod, at),
                None => self.world.wake_kubelet(pod),
            }
        }
        self.review_node_volumes(name);
    }

    /// An event about a node.
    pub(super) fn node_event(&mut self, name: &Rc<str>, reason: &'static str, message: String, by: &'static str) {
        self.world.event(&super::refs::node_ref(name), EventType::Normal, reason, message, by);
    }
}
