//! A kubelet takes over what runs already, as one that was restarted does.

use super::{Kubelet, behavior_of};
use crate::objects::{ContainerState, ContainerStatus, Pod, PodPhase, Time};
use crate::sim::back_off::restart_at;
use crate::sim::life::{ContainerPhase, Containers, InitProgress, PerContainer};
use crate::sim::settings::{Behavior, Settings};
use std::rc::Rc;

/// The next moment of a run, in milliseconds.
const NEXT_MS: i64 = 1;

impl Kubelet {
    /// Takes over containers that were started already, as a kubelet that was restarted does. False if none was.
    pub(in crate::sim) fn adopt(&mut self, pod: &Rc<Pod>, now: Time, settings: &Settings) -> bool {
        let statuses = &pod.status.container_statuses;
        let runs = |status: &ContainerStatus| matches!(status.state, ContainerState::Running { .. });
        if !statuses.iter().any(runs) {
            return self.adopt_ended(pod, now) || self.adopt_waiting(pod, now);
        }
        let since = started_at(pod).unwrap_or(now);
        self.keep_images_of(pod);
        let mut containers = self.started_before(pod, now);
        containers.run(pod, behavior_of(pod, settings), now, settings);
        if let ContainerPhase::Running { since: begun, ready_at, .. } = &mut containers.life {
            *begun = since;
            if statuses.iter().all(|container| container.ready) {
                *ready_at = Some(now);
            }
        }
        self.pods.insert(containers);
        true
    }

    /// What it has of a pod stays as the pod's status says. One container alone that crashes goes on doing so, in its back-off.
    pub(in crate::sim) fn freeze(&mut self, pod: &Rc<Pod>, now: Time, settings: &Settings) {
        let known = self.pods.get(&pod.metadata.uid).map(|containers| &containers.life);
        let backs_off = matches!(known, Some(ContainerPhase::Waiting { until }) if *until > now);
        let is_alone = pod.spec.containers.len() == 1 && pod.spec.init_containers.is_empty();
        if backs_off && is_alone && behavior_of(pod, settings) == Behavior::Crashes {
            return;
        }
        let status = &pod.status;
        let runs = |status: &ContainerStatus| matches!(status.state, ContainerState::Running { .. });
        let live = status.container_statuses.iter().chain(&status.init_container_statuses).any(runs);
        let known = self.pods.remove(&pod.metadata.uid);
        let mut containers = known.unwrap_or_else(|| self.started_before(pod, now));
        // What is Ready now and ends again is so at this moment, and ends in the next.
        if pod.is_ready() && behavior_of(pod, settings) == Behavior::Crashes {
            let since = started_at(pod).unwrap_or(now);
            containers.life =
                ContainerPhase::Running { since, ready_at: Some(since), crashes_at: Some(Time(now.0 + NEXT_MS)) };
            self.pods.insert(containers);
            return;
        }
        containers.life = ContainerPhase::Held { live };
        self.pods.insert(containers);
    }

    /// What was held goes on: what ran before is started again, otherwise the pod begins anew.
    pub(in crate::sim) fn thaw(&mut self, uid: &str, now: Time) {
        let Some(containers) = self.pods.get_mut(uid) else { return };
        if !matches!(containers.life, ContainerPhase::Held { .. }) {
            return;
        }
        containers.crashes = 0;
        containers.life = match containers.pod.status.phase {
            PodPhase::Running => ContainerPhase::Waiting { until: now },
            _ => ContainerPhase::Mounting,
        };
    }

    /// The machine has the images of containers that ran.
    fn keep_images_of(&mut self, pod: &Pod) {
        for container in &pod.spec.containers {
            if !self.images.contains(&container.image) {
                self.images.push(Rc::clone(&container.image));
            }
        }
    }

    /// Containers of a pod that ran before: its init containers have ended, and every restart so far followed a crash.
    fn started_before(&mut self, pod: &Rc<Pod>, now: Time) -> Containers {
        let address = &pod.status.pod_ip;
        let mut apart = match &**address {
            "" => self.new_address(pod),
            _ => PerContainer::new(pod, Rc::clone(address)),
        };
        apart.note_started();
        let statuses = &pod.status.container_statuses;
        let restarts = statuses.iter().map(|container| container.restart_count).max().unwrap_or(0);
        let crashes = u32::try_from(restarts).unwrap_or(0);
        let init = InitProgress::ended(pod);
        let containers = Containers::new(pod, ContainerPhase::Mounting, now, apart);
        Containers { restarts, crashes, init, ..containers }
    }

    /// Takes over a pod whose containers ran before and are to be started again: after a crash in their back-off, otherwise
    /// once their image is there.
    fn adopt_waiting(&mut self, pod: &Rc<Pod>, now: Time) -> bool {
        let statuses = &pod.status.container_statuses;
        if pod.status.phase != PodPhase::Running || statuses.is_empty() {
            return false;
        }
        let mut containers = self.started_before(pod, now);
        let waits_for = |reasons: &[&str]| {
            let of = |state: &_| matches!(state, ContainerState::Waiting { reason } if reasons.contains(&&**reason));
            statuses.iter().any(|container| of(&container.state))
        };
        let has_ended = |status: &ContainerStatus| matches!(status.state, ContainerState::Terminated { .. });
        containers.life = if statuses.iter().any(has_ended) || waits_for(&["CrashLoopBackOff"]) {
            self.keep_images_of(pod);
            containers.crashes += 1;
            let ended = statuses.iter().filter_map(last_end).max();
            ContainerPhase::Waiting { until: restart_at(ended.unwrap_or(now), containers.crashes) }
        } else {
            let failures = if waits_for(&["ContainerCreating", "PodInitializing"]) { 0 } else { 2 };
            ContainerPhase::Pulling { until: now, failures }
        };
        self.pods.insert(containers);
        true
    }

    /// Takes over a pod that is being deleted and whose containers have ended: its object goes as long after that as always.
    fn adopt_ended(&mut self, pod: &Rc<Pod>, now: Time) -> bool {
        let statuses = &pod.status.container_statuses;
        let has_ended = !statuses.is_empty()
            && statuses.iter().all(|container| matches!(container.state, ContainerState::Terminated { .. }));
        // The kubelet reported both in one.
        let unready = pod.condition("Ready").filter(|ready| &*ready.status != "True");
        let reported = unready.and_then(|ready| ready.last_transition_time);
        let Some(until) = reported.filter(|_| has_ended && pod.is_terminating()) else {
            return false;
        };
        let apart = self.new_address(pod);
        self.pods.insert(Containers::new(pod, ContainerPhase::Stopping { until }, now, apart));
        true
    }
}

/// When the first of the pod's containers that run was started, as far as its status says.
fn started_at(pod: &Pod) -> Option<Time> {
    pod.status.container_statuses.iter().find_map(|container| match container.state {
        ContainerState::Running { started_at } => Some(started_at),
        _ => None,
    })?
}

/// When the container's last run ended, where it waits for the next one.
fn last_end(status: &ContainerStatus) -> Option<Time> {
    let waits = matches!(status.state, ContainerState::Waiting { .. });
    let last = status.extra.get("lastState").filter(|_| waits)?;
    last["terminated"]["finishedAt"].as_str().and_then(Time::parse)
}
