//! Init containers: one after the other, each until it has ended well, a sidecar until it is started; then the others.
//! Models computeInitContainerActions, kuberuntime_container.go.

use super::back_off::{BACK_OFF_RESET_MS, CRASHES_AFTER_MS, back_off, restart_at};
use super::hold::Fault;
use super::kubelet_events::KubeletEvent;
use super::life::{ContainerPhase, Containers, InitProgress, InitStep};
use super::settings::{Behavior, Settings};
use crate::objects::{Container, ContainerState, ContainerStatus, Pod, Time};
use std::rc::Rc;

/// From the start of an init container to its end.
const RUNS_MS: i64 = 1_000;

/// What the kubelet does next.
pub(super) enum Next {
    /// Fetch the image of the init container whose turn it is.
    Pull,
    /// Start the others.
    StartOthers,
    /// Wait.
    Wait(ContainerPhase),
}

impl Containers {
    /// Takes the step of the init containers that is due.
    pub(super) fn advance_init(
        &mut self,
        pod: &Pod,
        step: InitStep,
        now: Time,
        settings: &Settings,
        events: &mut Vec<KubeletEvent>,
    ) -> Next {
        let init = &mut self.init;
        let Some(container) = pod.spec.init_containers.get(init.done) else { return Next::StartOthers };
        let behavior = settings.behavior_of(pod, container);
        let name = &container.name;
        let wait = |step, until| Next::Wait(ContainerPhase::Init { step, until });
        match step {
            InitStep::Pulling { failures } if behavior == Behavior::CannotBePulled => {
                events.push(KubeletEvent::PullFailed(Rc::clone(name), Rc::clone(&container.image)));
                wait(InitStep::Pulling { failures: failures + 1 }, Some(back_off(now, failures)))
            }
            InitStep::Pulling { .. } | InitStep::Waiting => {
                events.push(KubeletEvent::Created(Rc::clone(name)));
                events.push(KubeletEvent::Started(Rc::clone(name)));
                init.start(now, step == InitStep::Waiting);
                let stays = settings.holds.fault_of(pod, name) == Some(Fault::NeverEnds);
                if container.is_sidecar() && behavior != Behavior::Crashes && !stays {
                    return init.next(pod);
                }
                let until = match behavior {
                    Behavior::Crashes => Some(CRASHES_AFTER_MS),
                    Behavior::NeverReady => None,
                    _ => Some(RUNS_MS),
                };
                wait(InitStep::Running, until.map(|after| Time(now.0 + after)))
            }
            InitStep::Running if behavior == Behavior::Crashes => {
                if now.0 - init.since.0 >= BACK_OFF_RESET_MS {
                    init.crashes = 0;
                }
                if init.crashes > 0 {
                    events.push(KubeletEvent::BackOff(Rc::clone(name)));
                }
                init.crashes = init.crashes.saturating_add(1);
                init.end(now);
                wait(InitStep::Waiting, Some(restart_at(now, init.crashes)))
            }
            InitStep::Running if behavior == Behavior::NeverReady => wait(InitStep::Running, None),
            InitStep::Running => {
                init.end(now);
                init.next(pod)
            }
        }
    }

    /// The place of the init container whose turn it is, if it waits and asks for another image than when it was begun.
    pub(super) fn changed_init(&self, pod: &Pod) -> Option<usize> {
        let ContainerPhase::Init { step: InitStep::Pulling { .. } | InitStep::Waiting, .. } = self.life else {
            return None;
        };
        let [before, now] = [&*self.pod, pod].map(|pod| pod.spec.init_containers.get(self.init.done));
        (before?.image != now?.image).then_some(self.init.done)
    }

    /// What the image does has changed: one that would have run for good ends as others do.
    pub(super) fn behave_init(&mut self, now: Time) {
        if let ContainerPhase::Init { step: InitStep::Running, until: until @ None } = &mut self.life {
            *until = Some(Time(now.0 + RUNS_MS));
        }
    }

    /// The status of each init container.
    pub(super) fn init_statuses(&self, pod: &Pod) -> Vec<ContainerStatus> {
        let status = |(at, container): (usize, &Container)| {
            let is_done = at < self.init.done;
            let mut status = ContainerStatus {
                name: Rc::clone(&container.name),
                image: Rc::clone(&container.image),
                ready: is_done && self.is_kept(container),
                restart_count: self.init.restarts.get(at).copied().unwrap_or(0),
                state: self.init_state(at, container),
                ..ContainerStatus::default()
            };
            // What has ended well is ready.
            status.ready |= is_done && !container.is_sidecar();
            status.extra.insert("started".to_owned(), (is_done && container.is_sidecar()).into());
            status
        };
        pod.spec.init_containers.iter().enumerate().map(status).collect()
    }

    fn is_kept(&self, container: &Container) -> bool {
        container.is_sidecar() && !matches!(self.life, ContainerPhase::Stopped { .. } | ContainerPhase::Off)
    }

    fn init_state(&self, at: usize, container: &Container) -> ContainerState {
        let waiting = |reason: &str| ContainerState::Waiting { reason: reason.into() };
        let [started_at, finished_at] = [&self.init.started, &self.init.ended].map(|times| times.get(at).copied());
        match self.life {
            _ if at < self.init.done && self.is_kept(container) => ContainerState::Running { started_at },
            _ if at < self.init.done => ContainerState::ended(0, "Completed", [started_at, finished_at]),
            ContainerPhase::Init { step, .. } if at == self.init.done => match step {
                InitStep::Pulling { failures: 0 } => waiting("PodInitializing"),
                InitStep::Pulling { .. } if let Some(reason) = &self.waits_as => waiting(reason),
                InitStep::Pulling { failures: 1 } => waiting("ErrImagePull"),
                InitStep::Pulling { .. } => waiting("ImagePullBackOff"),
                InitStep::Running => ContainerState::Running { started_at },
                InitStep::Waiting if self.init.crashes == 1 => {
                    ContainerState::ended(1, "Error", [started_at, finished_at])
                }
                InitStep::Waiting => waiting("CrashLoopBackOff"),
            },
            _ => waiting("PodInitializing"),
        }
    }
}

impl InitProgress {
    /// Of a pod whose containers run: all have ended, as its status tells.
    pub(super) fn ended(pod: &Pod) -> Self {
        let statuses = &pod.status.init_container_statuses;
        let times = |status: &ContainerStatus| match status.state {
            ContainerState::Running { started_at } => (started_at, None),
            ContainerState::Terminated { started_at, finished_at, .. } => (started_at, finished_at),
            ContainerState::Waiting { .. } => (None, None),
        };
        Self {
            done: pod.spec.init_containers.len(),
            restarts: statuses.iter().map(|status| status.restart_count).collect(),
            started: statuses.iter().map_while(|status| times(status).0).collect(),
            ended: statuses.iter().map_while(|status| times(status).1).collect(),
            ..Self::default()
        }
    }

    fn start(&mut self, now: Time, again: bool) {
        self.since = now;
        self.restarts.resize(self.done + 1, 0);
        self.started.resize(self.done + 1, now);
        self.started[self.done] = now;
        self.restarts[self.done] += i32::from(again);
    }

    fn end(&mut self, now: Time) {
        self.ended.resize(self.done + 1, now);
        self.ended[self.done] = now;
    }

    fn next(&mut self, pod: &Pod) -> Next {
        self.done += 1;
        self.crashes = 0;
        if self.done < pod.spec.init_containers.len() { Next::Pull } else { Next::StartOthers }
    }

    /// The names of those that have not ended yet.
    pub(super) fn incomplete(&self, pod: &Pod) -> Vec<Rc<str>> {
        pod.spec.init_containers.iter().skip(self.done).map(|container| Rc::clone(&container.name)).collect()
    }
}
