//! The containers of one pod: what they really do, and what a kubelet reports of it.

use super::back_off::CRASHES_AFTER_MS;
use super::probes::{self, Answers, Kill, Outcome};
use super::settings::{Behavior, Settings};
use crate::objects::{ContainerState, ContainerStatus, Pod, PodCondition, PodPhase, PodStatus, Time, shared};
use serde_json::{Value, json};
use std::rc::Rc;

/// What a pod's containers really do, whatever the API says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ContainerPhase {
    /// A volume is not attached to the node yet.
    Mounting,
    /// Its init containers run; the next step is due then, if ever.
    Init { step: InitStep, until: Option<Time> },
    /// The image is being fetched, or its fetch is backing off.
    Pulling { until: Time, failures: u32 },
    /// Started; passes its readiness probe at `ready_at`, if ever.
    Running { since: Time, ready_at: Option<Time>, crashes_at: Option<Time> },
    /// Ended, to be started again.
    Waiting { until: Time },
    /// As the pod's status says, for as long as something holds it; `live` if a process runs.
    Held { live: bool },
    /// The machine went off under it; to be started again when it is up.
    Off,
    /// Asked to stop.
    Stopping { until: Time },
    /// Stopped, which was reported; the object goes at this moment.
    Stopped { until: Time, ending: Ending },
}

/// How the containers of a pod that is deleted ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Well.
    Completed,
    /// They had crashed.
    Crashed,
    /// Their grace was over before they had stopped.
    Killed,
    /// None was ever started. Models TerminatePod, status_manager.go.
    NeverStarted,
}

impl Ending {
    /// The state that is reported of each container.
    fn state(self, ran: [Option<Time>; 2]) -> ContainerState {
        let (exit_code, reason) = match self {
            Self::Completed => (0, "Completed"),
            Self::Crashed => (1, "Error"),
            Self::Killed => (137, "Error"),
            Self::NeverStarted => (137, "ContainerStatusUnknown"),
        };
        ContainerState::ended(exit_code, reason, ran)
    }
}

impl ContainerPhase {
    /// What ends within a while ends soon. For the model check.
    pub(super) fn make_due(&mut self, soon: Time, within: Time) {
        let make_due = |at: &mut Time| *at = if *at > within { *at } else { soon };
        match self {
            Self::Mounting | Self::Held { .. } | Self::Off => {}
            Self::Init { until, .. } => until.iter_mut().for_each(make_due),
            Self::Pulling { until, .. }
            | Self::Waiting { until }
            | Self::Stopping { until }
            | Self::Stopped { until, .. } => {
                make_due(until);
            }
            // One that is ready stays so.
            Self::Running { ready_at, crashes_at, .. } => {
                ready_at.iter_mut().filter(|at| at.0 >= soon.0).for_each(make_due);
                crashes_at.iter_mut().for_each(make_due);
            }
        }
    }

    /// Which one it is, and of a running one whether it will be ready only later. For the model check.
    pub(super) fn kind(&self) -> (u8, bool) {
        match self {
            Self::Mounting => (0, false),
            Self::Pulling { .. } => (1, false),
            Self::Running { ready_at, .. } => (2, ready_at.is_some()),
            Self::Waiting { .. } => (3, false),
            Self::Off => (4, false),
            Self::Stopping { .. } => (5, false),
            Self::Stopped { .. } => (6, false),
            Self::Init { .. } => (7, false),
            Self::Held { .. } => (8, false),
        }
    }
}

/// What the init container whose turn it is does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitStep {
    /// Its image is being fetched, or its fetch is backing off.
    Pulling { failures: u32 },
    /// It runs, to its end or for good.
    Running,
    /// It has failed and is to be started again.
    Waiting,
}

/// How far a pod's init containers are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InitProgress {
    /// So many have ended, or are sidecars and run.
    pub(super) done: usize,
    /// When the one whose turn it is was started.
    pub(super) since: Time,
    /// How often it has failed.
    pub(super) crashes: u32,
    /// By place, how often each was started again.
    pub(super) restarts: Vec<i32>,
    /// By place, when each was started.
    pub(super) started: Vec<Time>,
    /// By place, when each ended, if it has.
    pub(super) ended: Vec<Time>,
}

/// One pod's containers on this node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Containers {
    /// The pod as the kubelet first knew it: what runs stays known after the object is gone.
    pub(super) pod: Rc<Pod>,
    pub(super) life: ContainerPhase,
    pub(super) restarts: i32,
    /// Crashes since it last ran for long.
    pub(super) crashes: u32,
    /// From when to when its containers ran the last time that they ended by themselves.
    pub(super) last_run: Option<[Time; 2]>,
    /// From when to when they ran, of those that have stopped for good.
    pub(super) ran: [Option<Time>; 2],
    /// When its images were last begun to be pulled.
    pub(super) pulling_since: Time,
    /// When the kubelet took the pod: its probes come at fixed times from then on.
    pub(super) probed_since: Time,
    /// The probe that ends the containers that run, if one will.
    pub(super) kill: Option<Kill>,
    /// Why containers that cannot start wait, where it is not for their image.
    pub(super) waits_as: Option<Rc<str>>,
    /// How far its init containers are.
    pub(super) init: InitProgress,
    /// What one container has of its own.
    pub(super) apart: PerContainer,
}

impl Containers {
    /// Containers that the kubelet takes now.
    pub(super) fn new(pod: &Rc<Pod>, life: ContainerPhase, now: Time, apart: PerContainer) -> Self {
        Self {
            pod: Rc::clone(pod),
            life,
            restarts: 0,
            crashes: 0,
            last_run: None,
            ran: [None; 2],
            pulling_since: now,
            probed_since: now,
            kill: None,
            waits_as: None,
            init: InitProgress::default(),
            apart,
        }
    }

    /// The containers are started.
    pub(super) fn run(&mut self, pod: &Pod, behavior: Behavior, now: Time, settings: &Settings) {
        let crashes_at = (behavior == Behavior::Crashes).then_some(Time(now.0 + CRASHES_AFTER_MS));
        let answers_at = (behavior == Behavior::Healthy).then_some(Time(now.0 + settings.readiness));
        let Outcome { ready_at, kill } = self.probed(pod, now, answers_at, settings);
        self.kill = kill.filter(|kill| crashes_at.is_none_or(|at| kill.at < at));
        let crashes_at = self.kill.as_ref().map(|kill| kill.at).or(crashes_at);
        self.ran = [Some(now), None];
        self.life = ContainerPhase::Running { since: now, ready_at, crashes_at };
    }

    /// What the probes make of containers that were started at `since` and are asked for readiness with success from
    /// `ready_at` on.
    pub(super) fn probed(&self, pod: &Pod, since: Time, ready_at: Option<Time>, settings: &Settings) -> Outcome {
        let alive_at = Time(since.0 + settings.readiness);
        if settings.fake_probes {
            return Outcome { ready_at, kill: None };
        }
        let answers = Answers { probed_since: self.probed_since, started: since, alive_at, ready_at };
        probes::outcome(&pod.spec, answers)
    }

    /// When they are ready, if nothing comes between; none while they do not run, or if never.
    pub(super) fn ready_at(&self) -> Option<Time> {
        match self.life {
            ContainerPhase::Running { ready_at, .. } => ready_at,
            _ => None,
        }
    }

    /// When something will be due by itself.
    pub(super) fn due(&self, now: Time) -> Option<Time> {
        match self.life {
            ContainerPhase::Mounting | ContainerPhase::Held { .. } | ContainerPhase::Off => None,
            ContainerPhase::Init { until, .. } => until,
            ContainerPhase::Pulling { until, .. }
            | ContainerPhase::Waiting { until }
            | ContainerPhase::Stopping { until }
            | ContainerPhase::Stopped { until, .. } => Some(until),
            ContainerPhase::Running { ready_at, crashes_at, .. } => {
                [ready_at, crashes_at].into_iter().flatten().filter(|at| *at > now).min()
            }
        }
    }

    pub(super) fn is_live(&self, now: Time) -> bool {
        match self.life {
            ContainerPhase::Running { crashes_at, .. } => crashes_at.is_none_or(|at| at > now),
            ContainerPhase::Stopping { until } => until > now,
            ContainerPhase::Held { live } => live,
            _ => false,
        }
    }

    fn is_ready(&self, now: Time) -> bool {
        matches!(self.life, ContainerPhase::Running { ready_at: Some(at), .. } if at <= now)
    }

    fn container_state(&self) -> ContainerState {
        let waiting = |reason: &str| ContainerState::Waiting { reason: reason.into() };
        match self.life {
            ContainerPhase::Init { .. } => waiting("PodInitializing"),
            ContainerPhase::Mounting | ContainerPhase::Pulling { failures: 0, .. } => {
                let has_init = !self.pod.spec.init_containers.is_empty();
                waiting(if has_init { "PodInitializing" } else { "ContainerCreating" })
            }
            ContainerPhase::Pulling { .. } if let Some(reason) = &self.waits_as => waiting(reason),
            ContainerPhase::Pulling { failures: 1, .. } => waiting("ErrImagePull"),
            ContainerPhase::Pulling { .. } => waiting("ImagePullBackOff"),
            // Its status says it.
            ContainerPhase::Held { .. } => waiting("ContainerCreating"),
            ContainerPhase::Off => ContainerState::ended(255, "Unknown", [None; 2]),
            ContainerPhase::Waiting { .. } if self.crashes == 1 => {
                let [started, finished] = self.last_run.map_or([None; 2], |run| run.map(Some));
                ContainerState::ended(1, "Error", [started, finished])
            }
            ContainerPhase::Waiting { .. } => waiting("CrashLoopBackOff"),
            ContainerPhase::Running { since, .. } => ContainerState::Running { started_at: Some(since) },
            ContainerPhase::Stopping { .. } => ContainerState::Running { started_at: None },
            ContainerPhase::Stopped { ending, .. } => ending.state(self.ran),
        }
    }

    /// The status the kubelet reports for the pod.
    pub(super) fn status(&self, pod: &Pod, are_gates_open: bool, now: Time) -> PodStatus {
        if matches!(self.life, ContainerPhase::Held { .. }) {
            return pod.status.clone();
        }
        let ready = self.is_ready(now);
        let state = self.container_state();
        // One that ended and waits for its image has run. Models getPhase, kubelet_pods.go.
        let is_new = match self.life {
            ContainerPhase::Mounting | ContainerPhase::Init { .. } => true,
            ContainerPhase::Pulling { .. } => self.restarts == 0,
            _ => false,
        };
        let is_new = is_new && !self.apart.is_partial();
        let phase = if is_new { PodPhase::Pending } else { PodPhase::Running };
        let mut status = pod.status.clone();
        status.phase = phase;
        status.container_statuses = pod
            .spec
            .containers
            .iter()
            .map(|container| ContainerStatus {
                name: Rc::clone(&container.name),
                image: Rc::clone(&container.image),
                ready,
                restart_count: self.restarts,
                state: state.clone(),
                ..ContainerStatus::default()
            })
            .collect();
        status.init_container_statuses = self.init_statuses(pod);
        self.report_last_run(&mut status);
        self.report_apart(&mut status);
        let runs_on = self.has_run_since(&pod.status.container_statuses);
        for (container, before) in status.container_statuses.iter_mut().zip(&pod.status.container_statuses) {
            if runs_on && matches!(before.state, ContainerState::Running { .. }) {
                *container = ContainerStatus { ready: container.ready, ..before.clone() };
            }
        }
        let incomplete = self.init.incomplete(pod);
        for condition_type in ["Initialized", "Ready", "ContainersReady"] {
            if condition_type == "Initialized" && !incomplete.is_empty() {
                let message = format!("containers with incomplete status: [{}]", incomplete.join(" "));
                set_condition_with(&mut status, condition_type, false, "ContainersNotInitialized", &message, now);
                continue;
            }
            let is_true = condition_type == "Initialized" || ready;
            let reason = if is_true { "" } else { "ContainersNotReady" };
            let (is_true, reason) = if is_true && condition_type == "Ready" && !are_gates_open {
                (false, "ReadinessGatesNotReady")
            } else {
                (is_true, reason)
            };
            set_condition(&mut status, condition_type, is_true, reason, now);
        }
        status
    }
}

impl Containers {
    /// Whether the containers that run are those that were reported: their ids, images and restarts are told as they were.
    /// Models convertToAPIContainerStatuses, kubelet_pods.go, which reads them of the running containers.
    fn has_run_since(&self, reported: &[ContainerStatus]) -> bool {
        let ContainerPhase::Running { since, .. } = self.life else { return false };
        let started_at = |status: &ContainerStatus| match status.state {
            ContainerState::Running { started_at } => started_at,
            _ => None,
        };
        self.apart.changes.is_empty()
            && reported.iter().find_map(started_at) == Some(since)
            && reported.iter().map(|status| status.restart_count).max() == Some(self.restarts)
    }

    /// How the run before ended, once the containers run again or wait for that. Models convertToAPIContainerStatuses,
    /// kubelet_pods.go.
    fn report_last_run(&self, status: &mut PodStatus) {
        let is_told_by_state = matches!(self.life, ContainerPhase::Waiting { .. }) && self.crashes == 1;
        let Some([started, finished]) = self.last_run.filter(|_| !is_told_by_state && !self.apart.is_partial()) else {
            return;
        };
        let run = json!({"exitCode": 1, "reason": "Error", "startedAt": started, "finishedAt": finished});
        for container in &mut status.container_statuses {
            container.extra.insert("lastState".to_owned(), json!({"terminated": run}));
        }
    }
}

/// Sets a condition, moving its transition time only if its status changes.
pub(super) fn set_condition(status: &mut PodStatus, condition_type: &str, is_true: bool, reason: &str, now: Time) {
    set_condition_with(status, condition_type, is_true, reason, "", now);
}

/// As above, with a message.
pub(super) fn set_condition_with(
    status: &mut PodStatus,
    condition_type: &str,
    is_true: bool,
    reason: &str,
    message: &str,
    now: Time,
) {
    let word = if is_true { "True" } else { "False" };
    let at = status.conditions.iter().position(|condition| &*condition.condition_type == condition_type);
    let before = at.map(|at| &*status.conditions[at]);
    if before.is_some_and(|before| says(before, word, reason, message)) {
        return;
    }
    let same = before.filter(|before| &*before.status == word).cloned().unwrap_or_default();
    let condition = PodCondition {
        condition_type: shared(condition_type),
        status: shared(word),
        reason: shared(reason),
        message: shared(message),
        last_transition_time: same.last_transition_time.or(Some(now)),
        extra: same.extra,
    };
    match at {
        Some(at) => status.conditions[at] = condition.into(),
        None => status.conditions.push(condition.into()),
    }
}

/// Whether a condition is as it would be set.
fn says(condition: &PodCondition, status: &str, reason: &str, message: &str) -> bool {
    &*condition.status == status
        && &*condition.reason == reason
        && &*condition.message == message
        && condition.last_transition_time.is_some()
}

/// By container, an image.
pub(super) type Images = Rc<[(Rc<str>, Rc<str>)]>;

/// What a pod's containers are apart from each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PerContainer {
    /// The pod's address, from the network of its node.
    pub(super) ip: Rc<str>,
    /// By container, the image that was asked for when the kubelet last looked.
    pub(super) wanted: Images,
    /// By container, the image that it was last started with.
    pub(super) started: Images,
    /// Containers that were stopped to be started with another image; empty where every container shares one life.
    pub(super) changing: Vec<Rc<str>>,
    /// How often each container was stopped for that.
    pub(super) changes: Vec<Rc<str>>,
    /// Since when the containers run that are not being changed.
    pub(super) since: Option<Time>,
}

/// The pod's readiness gates, in order.
pub(crate) fn readiness_gates(pod: &Pod) -> impl Iterator<Item = &str> {
    let gates = pod.spec.extra.get("readinessGates").and_then(Value::as_array);
    gates.into_iter().flatten().filter_map(|gate| gate.get("conditionType")?.as_str())
}

pub(super) fn is_open(pod: &Pod, gate: &str) -> bool {
    pod.condition(gate).is_some_and(|condition| &*condition.status == "True")
}

/// Whether every readiness gate is open.
pub(super) fn are_gates_open(pod: &Pod) -> bool {
    readiness_gates(pod).all(|gate| is_open(pod, gate))
}
