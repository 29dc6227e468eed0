//! A node's kubelet: it looks at each of its pods and takes the one step that is due. What it looks at is the state, so a
//! wake-up too many does nothing, and after an outage one look at every pod puts everything right.
//!
//! Simplified: except in an update in place, the containers of a pod start, crash and become ready together, as the worst of
//! their images does, and each counts the restart.

mod adopt;
mod steps;

use super::event_queue::round_up;
use super::failure::Failure;
use super::held::Held;
use super::hold::Fault;
use super::kubelet_events::KubeletEvent;
use super::life::{ContainerPhase, Containers, Ending, PerContainer, are_gates_open, set_condition};
use super::refs::pod_ref;
use super::rng::Rng;
use super::settings::{Behavior, Settings};
use super::store::DEFAULT_GRACE;
use crate::objects::{Container, ContainerState, ObjectRef, Pod, PodPhase, PodStatus, Time};
use crate::releases::{ClusterGates, PodEnd};
use std::rc::Rc;

/// How often a kubelet compares every status with what the API has. Models syncPeriod, status_manager.go.
const STATUS_TICK_MS: i64 = 10_000;
/// Starting from an image that the node already has.
const STARTING_MS: i64 = 300;

/// A machine and its kubelet.
#[derive(Clone, Debug)]
pub(super) struct Kubelet {
    joined: Time,
    pub(super) zone: Rc<str>,
    pub(super) failure: Option<Failure>,
    /// When it failed, if it has.
    pub(super) failed_at: Time,
    /// Set while no lease is renewed: since when.
    pub(super) silent_since: Option<Time>,
    /// By pod uid.
    pods: Held,
    images: Vec<Rc<str>>,
    chance: Rng,
    /// Of its pods' network.
    pub(super) number: usize,
    /// Addresses given so far.
    addresses: u32,
}

/// What the kubelet wants done after a look at a pod.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// The status to report, if it changed.
    pub(super) status: Option<PodStatus>,
    /// When to look again.
    pub(super) again_at: Option<Time>,
    /// The containers have stopped: the object may go.
    pub(super) stopped: bool,
    /// A container was started.
    pub(super) started: bool,
    /// What to tell people.
    pub(super) events: Vec<KubeletEvent>,
}

impl Look {
    fn start(&mut self, container: &Container) {
        self.started = true;
        self.events.push(KubeletEvent::Created(Rc::clone(&container.name)));
        self.events.push(KubeletEvent::Started(Rc::clone(&container.name)));
    }
}

impl Kubelet {
    pub(super) fn new(joined: Time, zone: Rc<str>, chance: Rng) -> Self {
        Self {
            joined,
            zone,
            failure: None,
            failed_at: joined,
            silent_since: None,
            pods: Held::default(),
            images: Vec::new(),
            chance,
            number: 0,
            addresses: 0,
        }
    }

    /// The machine has these images already.
    pub(super) fn keep_images(&mut self, images: impl Iterator<Item = Rc<str>>) {
        self.images.extend(images);
    }

    /// Whether it works on its pods and the API hears of it.
    pub(super) fn answers(&self) -> bool {
        self.failure.is_none()
    }

    /// The last lease renewal before the silence; none while it is not silent.
    pub(super) fn last_heartbeat(&self, every: i64) -> Option<Time> {
        self.silent_since.map(|silent| self.renewed_at(silent, every))
    }

    /// The last lease renewal before now.
    pub(super) fn renewed_at(&self, now: Time, every: i64) -> Time {
        let until = self.silent_since.unwrap_or(now);
        Time(self.joined.0 + (until.0 - self.joined.0).div_euclid(every) * every)
    }

    /// The pods it has containers of, running or not.
    pub(super) fn held(&self) -> impl Iterator<Item = &Rc<Pod>> {
        self.pods.iter().map(|containers| &containers.pod)
    }

    /// What ends within a while ends soon. For the model check.
    pub(super) fn make_due(&mut self, soon: Time, within: Time) {
        self.pods.change_all(|containers| containers.life.make_due(soon, within));
    }

    /// Its pods' containers by uid, without their times. For the model check.
    pub(super) fn lives(&self) -> impl Iterator<Item = (Rc<str>, (u8, bool, i32))> {
        self.pods.iter().map(|containers| {
            let (life, is_ready) = containers.life.kind();
            (Rc::clone(&containers.pod.metadata.uid), (life, is_ready, containers.restarts))
        })
    }

    /// The pods whose containers run at this moment.
    pub(super) fn live(&self, now: Time) -> impl Iterator<Item = &Rc<Pod>> {
        self.pods.iter().filter(move |containers| containers.is_live(now)).map(|containers| &containers.pod)
    }

    /// The machine goes off: nothing runs, the images stay.
    pub(super) fn lose_power(&mut self, now: Time) {
        let is_ending =
            |life: &ContainerPhase| matches!(life, ContainerPhase::Stopping { .. } | ContainerPhase::Stopped { .. });
        self.pods.retain(|containers| !is_ending(&containers.life));
        self.pods.change_all(|containers| {
            if containers.is_live(now) {
                containers.life = ContainerPhase::Off;
                containers.apart.end_together();
            }
        });
    }

    /// The pod of this uid, if it has containers of it, running or not.
    pub(super) fn holds(&self, uid: &Rc<str>) -> Option<&Rc<Pod>> {
        self.pods.get(uid).map(|containers| &containers.pod)
    }

    /// The pods of this pod's name whose containers run at this moment.
    pub(super) fn live_of_name(&self, pod: &Pod, now: Time) -> impl Iterator<Item = &Rc<Pod>> {
        self.live_named(pod_ref(pod), now)
    }

    /// The pods of this name whose containers run at this moment.
    pub(super) fn live_named(&self, name: ObjectRef, now: Time) -> impl Iterator<Item = &Rc<Pod>> {
        self.pods.named(name).filter(move |containers| containers.is_live(now)).map(|containers| &containers.pod)
    }

    /// Whether the containers of this pod run at this moment.
    pub(super) fn runs(&self, uid: &Rc<str>, now: Time) -> bool {
        self.pods.get(uid).is_some_and(|containers| containers.is_live(now))
    }

    /// The next address of this node's network.
    fn new_address(&mut self, pod: &Pod) -> PerContainer {
        self.addresses += 1;
        let ip = format!("10.244.{}.{}", self.number, self.addresses + 1);
        PerContainer::new(pod, ip.into())
    }

    /// Containers that ask for another image now are stopped, and started with it once it is pulled.
    fn change_in_place(&mut self, pod: &Pod, now: Time, settings: &Settings, look: &mut Look) {
        // Most looks find nothing new: what a snapshot shares is not copied for them.
        if self.pods.get(&pod.metadata.uid).is_none_or(|containers| containers.changed(pod).next().is_none()) {
            return;
        }
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        let ran = matches!(containers.life, ContainerPhase::Running { .. });
        let changed = containers.take_changes(pod);
        let is_early = matches!(containers.life, ContainerPhase::Mounting | ContainerPhase::Init { .. });
        if is_early || matches!(containers.life, ContainerPhase::Stopping { .. }) {
            return;
        }
        for name in changed.iter().filter(|_| ran) {
            look.events.push(KubeletEvent::Restarting(Rc::clone(name)));
        }
        let mut life = self.pull(&pod.spec, now, settings, look);
        if let ContainerPhase::Pulling { until, .. } = &mut life
            && ran
        {
            until.0 += settings.stopping;
        }
        if let Some(containers) = self.pods.get_mut(&pod.metadata.uid) {
            (containers.life, containers.pulling_since) = (life, now);
        }
    }

    /// The init container that waits asks for another image now: what it waited for is over, its back-off too, which is of the
    /// image.
    fn change_init(&mut self, pod: &Pod, now: Time, settings: &Settings, look: &mut Look) {
        let Some(at) = self.pods.get(&pod.metadata.uid).and_then(|containers| containers.changed_init(pod)) else {
            return;
        };
        let life = self.begin(pod, at, now, settings, look);
        if let Some(containers) = self.pods.get_mut(&pod.metadata.uid) {
            containers.pod = Rc::new(pod.clone());
            (containers.life, containers.pulling_since) = (life, now);
        }
    }

    /// Every pod's containers have ended.
    pub(super) fn forget_all(&mut self) {
        self.pods = Held::default();
    }

    /// Whether the pod's volumes have to be attached before its containers can start.
    pub(super) fn needs_volumes(&self, uid: &str) -> bool {
        self.pods.get(uid).is_none_or(|containers| containers.life == ContainerPhase::Mounting)
    }

    /// When the pod's containers, which run, will be ready; none if never.
    pub(super) fn ready_at(&self, uid: &str) -> Option<Time> {
        self.pods.get(uid).and_then(Containers::ready_at)
    }

    /// What the pod's image does has changed: a container that runs takes it up from now on.
    pub(super) fn behave(&mut self, pod: &Pod, now: Time, settings: &Settings) {
        let Some(containers) = self.pods.get_mut(&pod.metadata.uid) else { return };
        containers.behave_init(now);
        let ContainerPhase::Running { since, ready_at, .. } = containers.life else { return };
        if ready_at.is_some() && behavior_of(pod, settings) == Behavior::NeedsPeer {
            return;
        }
        containers.run(pod, behavior_of(pod, settings), now, settings);
        let ContainerPhase::Running { ready_at: new_ready, crashes_at, .. } = containers.life else { return };
        // One that is ready already stays so.
        let ready_at = new_ready.map(|new| ready_at.map_or(new, |old| old.min(new)));
        containers.life = ContainerPhase::Running { since, ready_at, crashes_at };
    }

    /// A peer runs: a container that waits for one is ready soon.
    pub(super) fn meet_peer(&mut self, uid: &str, now: Time, settings: &Settings) {
        let Some(containers) = self.pods.get_mut(uid) else { return };
        let ContainerPhase::Running { since, ready_at: None, crashes_at } = containers.life else { return };
        let pod = Rc::clone(&containers.pod);
        let ready_at = containers.probed(&pod, since, Some(Time(now.0 + settings.readiness)), settings).ready_at;
        containers.life = ContainerPhase::Running { since, ready_at, crashes_at };
    }

    /// The pod has ended: its containers are no more.
    pub(super) fn drop_pod(&mut self, uid: &str) {
        self.pods.remove(uid);
    }

    /// The object is gone: whatever runs is asked to stop. When it will have; none if nothing runs.
    pub(super) fn stop_orphan(&mut self, uid: &str, now: Time, settings: &Settings) -> Option<Time> {
        let containers = self.pods.get_mut(uid)?;
        let grace = containers.pod.spec.termination_grace_period_seconds.unwrap_or(DEFAULT_GRACE);
        let until = match containers.life {
            ContainerPhase::Running { .. } | ContainerPhase::Held { live: true } => {
                Time(now.0 + settings.stopping.min(grace.saturating_mul(1000)))
            }
            ContainerPhase::Stopping { until } => until,
            _ => now,
        };
        if until <= now {
            self.pods.remove(uid);
            return None;
        }
        containers.life = ContainerPhase::Stopping { until };
        Some(until)
    }

    /// The pod's container exits now. False if none runs.
    pub(super) fn crash(&mut self, uid: &str, now: Time) -> bool {
        match self.pods.get_mut(uid).map(|containers| &mut containers.life) {
            Some(ContainerPhase::Running { crashes_at, .. }) => {
                *crashes_at = Some(now);
                true
            }
            _ => false,
        }
    }

    /// The readiness probe of the pod's containers passes from now on, or never. False if none runs.
    pub(super) fn probe(&mut self, uid: &str, passes: bool, now: Time) -> bool {
        match self.pods.get_mut(uid).map(|containers| &mut containers.life) {
            Some(ContainerPhase::Running { ready_at, .. }) => {
                *ready_at = passes.then_some(now);
                true
            }
            _ => false,
        }
    }

    /// Looks at a pod as the API has it, and takes the step that is due.
    /// Its containers are created once its volumes are `mounted`.
    pub(super) fn look(
        &mut self,
        pod: &Rc<Pod>,
        mounted: bool,
        now: Time,
        settings: &Settings,
        gates: &ClusterGates,
    ) -> Look {
        let uid = &pod.metadata.uid;
        if let Some(grace) = pod.metadata.deletion_grace_period_seconds {
            if settings.holds.does_not_end(pod) {
                return Look::default();
            }
            let mut look = self.stop(pod, now, grace.saturating_mul(1000), settings, gates);
            look.status = look.status.or_else(|| without_node_lost(&pod.status)).filter(|_| !look.stopped);
            return look;
        }
        if pod.has_ended() {
            self.pods.remove(uid);
            return Look::default();
        }
        let mut look = Look::default();
        if self.pods.get(uid).is_none() {
            if let Some((reason, message)) = settings.holds.rejection(pod) {
                return reject(pod, reason, message);
            }
            if behavior_of(pod, settings) == Behavior::Rejected {
                return reject(pod, &"NodePorts".into(), &"Pod Predicate NodePorts failed".into());
            }
        }
        let mounted = mounted && !settings.holds.cannot_begin(pod);
        if self.needs_volumes(uid) {
            let life = if mounted { self.begin(pod, 0, now, settings, &mut look) } else { ContainerPhase::Mounting };
            let (apart, probed_since) = match self.pods.remove(uid) {
                Some(known) => (known.apart, known.probed_since),
                None => (self.new_address(pod), now),
            };
            let containers = Containers { probed_since, ..Containers::new(pod, life, now, apart) };
            self.pods.insert(containers);
        }
        self.change_in_place(pod, now, settings, &mut look);
        self.change_init(pod, now, settings, &mut look);
        while self.advance(pod, now, settings, &mut look) {}
        let Some(containers) = self.pods.get(uid) else { return look };
        look.again_at = containers.due(now);
        let status = containers.status(pod, are_gates_open(pod) && !settings.holds.keeps_gate_closed(pod), now);
        look.status = (status != pod.status).then_some(status);
        look
    }

    /// Cut off, it works on from what it last knew, and reports nothing.
    pub(super) fn carry_on(&mut self, uid: &str, now: Time, settings: &Settings) -> Look {
        let mut look = Look::default();
        let known = self.pods.get(uid).map(|containers| Rc::clone(&containers.pod));
        if let Some(pod) = known {
            while self.advance(&pod, now, settings, &mut look) {}
        }
        look.again_at = self.pods.get(uid).and_then(|containers| containers.due(now)).filter(|at| *at > now);
        look
    }

    /// When a kubelet that was cut off corrects what others said of its pods meanwhile.
    /// Models needsReconcile, status_manager.go.
    pub(super) fn corrects_at(&self, now: Time, settings: &Settings) -> Time {
        match settings.end {
            Some(PodEnd::NextTick { every, first }) => next_tick(self.joined, now, every, first),
            _ => next_tick(self.joined, now, STATUS_TICK_MS, 0),
        }
    }

    /// Stops the containers of a pod that is deleted, within a grace of so many milliseconds.
    fn stop(&mut self, pod: &Pod, now: Time, grace: i64, settings: &Settings, gates: &ClusterGates) -> Look {
        let mut look = Look::default();
        let duration = match settings.holds.end_of_grace(pod) {
            Some(ends) => (ends.0 - now.0).max(0),
            None => settings.stopping.min(grace),
        };
        let end = settings.end.unwrap_or(gates.pod_end);
        let uid = &pod.metadata.uid;
        let joined = self.joined;
        let Some(containers) = self.pods.get_mut(uid) else { return Look { stopped: true, ..look } };
        let is_held = matches!(containers.life, ContainerPhase::Held { live: false });
        if is_held && pod.has_ended() {
            self.pods.remove(uid);
            return Look { stopped: true, ..look };
        }
        let is_unstarted = is_held && !has_run(pod)
            || matches!(
                containers.life,
                ContainerPhase::Mounting | ContainerPhase::Init { .. } | ContainerPhase::Pulling { .. }
            );
        let until = match containers.life {
            ContainerPhase::Stopping { until } if gates.shorter_grace_hastens_stop => until.min(Time(now.0 + duration)),
            ContainerPhase::Stopping { until } | ContainerPhase::Stopped { until, .. } => until,
            ContainerPhase::Running { .. } | ContainerPhase::Held { live: true } => {
                let names = containers.pod.spec.containers.iter().map(|container| Rc::clone(&container.name));
                look.events.extend(names.map(KubeletEvent::Stopping));
                Time(now.0 + duration)
            }
            _ => now,
        };
        let gone_at = match end {
            _ if matches!(containers.life, ContainerPhase::Stopped { .. }) => until,
            PodEnd::AtOnce => until,
            PodEnd::After(milliseconds) => Time(until.0 + milliseconds),
            PodEnd::NextTick { every, first } => next_tick(joined, until, every, first),
        };
        if gone_at <= now {
            self.pods.remove(uid);
            look.stopped = true;
            return look;
        }
        look.again_at = Some(if until > now { until } else { gone_at });
        match containers.life {
            ContainerPhase::Stopped { .. } => {}
            _ if until > now => containers.life = ContainerPhase::Stopping { until },
            _ if is_unstarted && !gates.unstarted_pods_fail => {
                containers.life = ContainerPhase::Stopped { until: gone_at, ending: Ending::Completed };
            }
            _ => {
                let ending = match containers.life {
                    _ if is_unstarted => Ending::NeverStarted,
                    ContainerPhase::Waiting { .. } | ContainerPhase::Off | ContainerPhase::Held { live: false } => {
                        Ending::Crashed
                    }
                    _ if grace < settings.stopping && gates.ends_in_terminal_phase => Ending::Killed,
                    _ => Ending::Completed,
                };
                containers.life = ContainerPhase::Stopped { until: gone_at, ending };
                containers.ran[1] = Some(now);
                let status = containers.status(pod, are_gates_open(pod) && !settings.holds.keeps_gate_closed(pod), now);
                look.status = Some(if gates.ends_in_terminal_phase { ended(status, ending, now) } else { status });
            }
        }
        look
    }
}

/// Whether a container of the pod was ever started, by its status.
fn has_run(pod: &Pod) -> bool {
    let ran = |state: &ContainerState| !matches!(state, ContainerState::Waiting { .. });
    pod.status.container_statuses.iter().any(|status| status.restart_count > 0 || ran(&status.state))
}

/// When a kubelet that joined then next looks at all statuses.
fn next_tick(joined: Time, after: Time, every: i64, first: i64) -> Time {
    let start = joined.0 + first;
    Time(start + round_up(after.0 + 1 - start, every))
}

/// The last status of a pod, in releases that give it a phase of its own.
/// Models getPhase, kubelet_pods.go, and generatePodReadyConditionForTerminalPhase, generate.go.
fn ended(mut status: PodStatus, ending: Ending, now: Time) -> PodStatus {
    let (phase, reason) = match ending {
        Ending::Completed => (PodPhase::Succeeded, "PodCompleted"),
        Ending::Crashed | Ending::Killed | Ending::NeverStarted => (PodPhase::Failed, "PodFailed"),
    };
    status.phase = phase;
    for condition_type in ["Ready", "ContainersReady"] {
        set_condition(&mut status, condition_type, false, reason, now);
    }
    status
}

/// What the kubelet reports of a pod that asks for other nodes than its own.
pub(super) fn unsuited(pod: &Pod) -> Look {
    let message = "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector";
    reject(pod, &"NodeAffinity".into(), &message.into())
}

/// What the kubelet reports of a pod that its node cannot take.
fn reject(pod: &Pod, reason: &Rc<str>, message: &Rc<str>) -> Look {
    let mut status = pod.status.clone();
    status.phase = PodPhase::Failed;
    status.reason = Rc::clone(reason);
    status.message = Rc::clone(message);
    let event = KubeletEvent::Rejected(Rc::clone(reason), Rc::clone(message));
    Look { status: Some(status), events: vec![event], ..Look::default() }
}

/// A kubelet that returns takes back what the node controller said in its place.
fn without_node_lost(status: &PodStatus) -> Option<PodStatus> {
    (&*status.reason == "NodeLost").then(|| PodStatus { reason: "".into(), message: "".into(), ..status.clone() })
}

/// The worst of the pod's containers decides.
pub(super) fn behavior_of(pod: &Pod, settings: &Settings) -> Behavior {
    let behaviors = pod.spec.containers.iter().map(|container| settings.behavior_of(pod, container));
    // A sidecar that is held unready keeps its pod so.
    let sidecars = pod.spec.init_containers.iter().filter(|container| container.is_sidecar());
    let unready = |container: &&Container| settings.holds.fault_of(pod, &container.name) == Some(Fault::NeverReady);
    let behaviors = behaviors.chain(sidecars.filter(unready).map(|_| Behavior::NeverReady));
    let rank = |behavior: &Behavior| match behavior {
        Behavior::Healthy => 0,
        Behavior::NeedsPeer => 1,
        Behavior::NeverReady => 2,
        Behavior::Crashes => 3,
        Behavior::CannotBePulled => 4,
        Behavior::Rejected => 5,
    };
    behaviors.max_by_key(rank).unwrap_or_default()
}
