//! The steps of a pod's containers, from the first image that is pulled to the restart after a crash.

use super::{Kubelet, Look, STARTING_MS, behavior_of};
use crate::objects::{Container, List, Pod, PodSpec, Time};
use crate::sim::back_off::{BACK_OFF_RESET_MS, back_off, restart_at};
use crate::sim::init_containers::Next;
use crate::sim::kubelet_events::KubeletEvent;
use crate::sim::life::{ContainerPhase, InitStep};
use crate::sim::settings::{Behavior, Settings};
use std::rc::Rc;

impl Kubelet {
    /// What a pod begins with: its init containers from a place on, or the others.
    pub(super) fn begin(
        &mut self,
        pod: &Pod,
        at: usize,
        now: Time,
        settings: &Settings,
        look: &mut Look,
    ) -> ContainerPhase {
        let Some(container) = pod.spec.init_containers.get(at) else {
            return self.pull(&pod.spec, now, settings, look);
        };
        let alone = PodSpec { containers: List::from(vec![container.clone()]).into(), ..PodSpec::default() };
        match self.pull(&alone, now, settings, look) {
            ContainerPhase::Pulling { until, failures } => {
                ContainerPhase::Init { step: InitStep::Pulling { failures }, until: Some(until) }
            }
            other => other,
        }
    }

    pub(super) fn pull(&mut self, spec: &PodSpec, now: Time, settings: &Settings, look: &mut Look) -> ContainerPhase {
        let unknown = spec.containers.iter().any(|container| !self.images.contains(&container.image));
        let duration = match (unknown, settings.pulling_varies) {
            (false, _) => STARTING_MS,
            (true, false) => settings.pulling,
            (true, true) => self.chance.around(settings.pulling),
        };
        for container in &spec.containers {
            if !self.images.contains(&container.image) {
                look.events.push(KubeletEvent::Pulling(Rc::clone(&container.name), Rc::clone(&container.image)));
            }
        }
        ContainerPhase::Pulling { until: Time(now.0 + duration), failures: 0 }
    }

    /// Takes one due step of the pod's containers. False if none is due.
    pub(super) fn advance(&mut self, pod: &Pod, now: Time, settings: &Settings, look: &mut Look) -> bool {
        let Some(containers) = self.pods.get(&pod.metadata.uid) else { return false };
        match containers.life {
            ContainerPhase::Init { step, until: Some(until) } if until <= now => {
                self.advance_init(pod, step, now, settings, look);
            }
            ContainerPhase::Pulling { until, failures } if until <= now => {
                self.end_pull(pod, failures, now, settings, look);
            }
            // The machine was off: the pod begins anew.
            ContainerPhase::Off if !pod.spec.init_containers.is_empty() => self.begin_anew(pod, now, settings, look),
            ContainerPhase::Off | ContainerPhase::Waiting { .. }
                if containers.due(now).is_none_or(|until| until <= now) =>
            {
                self.restart(pod, now, settings, look);
            }
            ContainerPhase::Running { since, crashes_at: Some(at), .. } if at <= now => {
                self.end_run(pod, (since, at), now, look);
            }
            _ => return false,
        }
        true
    }

    fn advance_init(&mut self, pod: &Pod, step: InitStep, now: Time, settings: &Settings, look: &mut Look) {
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        if let (InitStep::Pulling { .. }, Some(container)) = (step, pod.spec.init_containers.get(containers.init.done))
            && settings.behavior_of(pod, container) != Behavior::CannotBePulled
        {
            keep_image(&mut self.images, container, now.0 - containers.pulling_since.0, look);
        }
        containers.waits_as = settings.holds.waits_as(pod);
        let next = containers.advance_init(pod, step, now, settings, &mut look.events);
        let at = containers.init.done;
        let life = match next {
            Next::Wait(life) => life,
            Next::Pull | Next::StartOthers => self.begin(pod, at, now, settings, look),
        };
        if let Some(containers) = self.pods.get_mut(&pod.metadata.uid) {
            if !matches!(life, ContainerPhase::Init { step: InitStep::Running | InitStep::Waiting, .. }) {
                containers.pulling_since = now;
            }
            containers.life = life;
        }
    }

    /// The images are there, and the containers start; or they cannot be pulled, so many times before.
    fn end_pull(&mut self, pod: &Pod, failures: u32, now: Time, settings: &Settings, look: &mut Look) {
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        let behavior = behavior_of(pod, settings);
        containers.waits_as = settings.holds.waits_as(pod);
        if behavior == Behavior::CannotBePulled {
            let failed = |container: &Container| {
                KubeletEvent::PullFailed(Rc::clone(&container.name), Rc::clone(&container.image))
            };
            look.events.extend(pod.spec.containers.first().map(failed));
            containers.pulling_since = now;
            containers.life = ContainerPhase::Pulling { until: back_off(now, failures), failures: failures + 1 };
            return;
        }
        let took = now.0 - containers.pulling_since.0;
        for container in pod.spec.containers.iter().filter(|container| containers.apart.is_to_start(&container.name)) {
            keep_image(&mut self.images, container, took, look);
            look.start(container);
        }
        containers.apart.note_started();
        containers.run(pod, behavior, now, settings);
    }

    fn begin_anew(&mut self, pod: &Pod, now: Time, settings: &Settings, look: &mut Look) {
        let life = self.begin(pod, 0, now, settings, look);
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        containers.restarts = containers.restarts.saturating_add(1);
        containers.init.done = 0;
        (containers.life, containers.pulling_since) = (life, now);
    }

    fn restart(&mut self, pod: &Pod, now: Time, settings: &Settings, look: &mut Look) {
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        containers.restarts = containers.restarts.saturating_add(1);
        containers.apart.note_started();
        for container in &pod.spec.containers {
            let (name, image) = (Rc::clone(&container.name), Rc::clone(&container.image));
            look.events.push(KubeletEvent::AlreadyPresent(name, image));
            look.start(container);
        }
        containers.run(pod, behavior_of(pod, settings), now, settings);
    }

    /// What has run since a moment ends at another one, by itself or by its probe.
    fn end_run(&mut self, pod: &Pod, (since, at): (Time, Time), now: Time, look: &mut Look) {
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        if let Some(kill) = containers.kill.take().filter(|kill| kill.at == at) {
            look.events.push(KubeletEvent::Unhealthy(Rc::clone(&kill.container), kill.probe));
            look.events.push(KubeletEvent::FailedProbe(kill.container, kill.probe));
        }
        if at.0 - since.0 >= BACK_OFF_RESET_MS {
            containers.crashes = 0;
        }
        if containers.crashes > 0 {
            let first = pod.spec.containers.first();
            look.events.extend(first.map(|container| KubeletEvent::BackOff(Rc::clone(&container.name))));
        }
        containers.crashes = containers.crashes.saturating_add(1);
        containers.last_run = Some([since, now]);
        containers.apart.end_together();
        containers.life = ContainerPhase::Waiting { until: restart_at(now, containers.crashes) };
    }
}

/// The machine has the image of a container, which took so many milliseconds unless it was there.
fn keep_image(images: &mut Vec<Rc<str>>, container: &Container, took_ms: i64, look: &mut Look) {
    let (name, image) = (Rc::clone(&container.name), Rc::clone(&container.image));
    if images.contains(&image) {
        look.events.push(KubeletEvent::AlreadyPresent(name, image));
    } else {
        images.push(Rc::clone(&image));
        look.events.push(KubeletEvent::Pulled(name, image, took_ms));
    }
}
