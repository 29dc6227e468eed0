//! A kubelet takes over what runs already, as one that was restarted does.

use super::{Kubelet, behaviour_of};
use crate::objects::{ContainerState, Pod, Time};
use crate::sim::life::{ContainerPhase, Containers, InitProgress, PerContainer};
use crate::sim::settings::Settings;
use std::rc::Rc;

impl Kubelet {
    /// Takes over containers that run already, as a kubelet that was restarted does. False if none runs.
    pub(in crate::sim) fn adopt(&mut self, pod: &Rc<Pod>, now: Time, settings: &Settings) -> bool {
        let statuses = &pod.status.container_statuses;
        let started = statuses.iter().find_map(|container| match &container.state {
            ContainerState::Running { started_at } => Some(started_at.unwrap_or(now)),
            _ => None,
        });
        let Some(since) = started else { return self.adopt_ended(pod, now) };
        for container in &pod.spec.containers {
            if !self.images.contains(&container.image) {
                self.images.push(Rc::clone(&container.image));
            }
        }
        let restarts = statuses.iter().map(|container| container.restart_count).max().unwrap_or(0);
        let address = &pod.status.pod_ip;
        let mut apart = match &**address {
            "" => self.new_address(pod),
            _ => PerContainer::new(pod, Rc::clone(address)),
        };
        apart.note_started();
        let mut containers = Containers::new(pod, ContainerPhase::Mounting, now, apart);
        containers.restarts = restarts;
        containers.init = InitProgress::ended(pod);
        containers.run(pod, behaviour_of(&pod.spec, settings), now, settings);
        if let ContainerPhase::Running { since: begun, ready_at, .. } = &mut containers.life {
            *begun = since;
            if statuses.iter().all(|container| container.ready) {
                *ready_at = Some(now);
            }
        }
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
        let Some(until) = reported.filter(|_| has_ended && pod.metadata.deletion_timestamp.is_some()) else {
            return false;
        };
        let apart = self.new_address(pod);
        self.pods.insert(Containers::new(pod, ContainerPhase::Stopping { until }, now, apart));
        true
    }
}
