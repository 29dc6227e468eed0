//! What a kubelet does about a pod that is changed while it runs: containers whose image changed are restarted, the others
//! run on; the pod keeps its node and its address, and is Ready only while its readiness gates are open.

use super::life::{ContainerPhase, Containers, Images, PerContainer, is_open, readiness_gates};
use crate::objects::{ContainerState, ContainerStatus, Pod, PodCondition, PodStatus, Time, shared};
use serde_json::{Value, json};
use std::rc::Rc;

/// The gate that OpenKruise adds.
const KRUISE_READY: &str = "KruisePodReady";

fn images_of(pod: &Pod) -> Images {
    let pair = |container: &crate::objects::Container| (Rc::clone(&container.name), Rc::clone(&container.image));
    pod.spec.containers.iter().map(pair).collect()
}

fn image<'a>(images: &'a Images, name: &str) -> Option<&'a Rc<str>> {
    images.iter().find(|(known, _)| **known == *name).map(|(_, image)| image)
}

/// Whether a readiness gate was opened or closed.
pub(super) fn are_gates_changed(old: &Pod, new: &Pod) -> bool {
    readiness_gates(new).any(|gate| is_open(old, gate) != is_open(new, gate))
}

/// OpenKruise's pod webhook gives the pods of its own workloads a gate, which its readiness controller opens as soon as they
/// are there: here in the same moment. A lifecycle hook with `markPodNotReady` closes it.
/// Models pkg/webhook/pod/mutating and pkg/controller/podreadiness of openkruise/kruise.
pub(super) fn open_kruise_gate(pod: &mut Pod, now: Time) {
    if pod.metadata.controller_of().is_none_or(|owner| !owner.api_version.starts_with("apps.kruise.io/")) {
        return;
    }
    let gate = json!({"conditionType": KRUISE_READY});
    let spec = Rc::make_mut(&mut pod.spec);
    match spec.extra.entry("readinessGates").or_insert_with(|| json!([])) {
        Value::Array(gates) if !gates.contains(&gate) => gates.push(gate),
        _ => {}
    }
    let open = PodCondition {
        condition_type: KRUISE_READY.into(),
        status: "True".into(),
        last_transition_time: Some(now),
        ..PodCondition::default()
    };
    pod.status.conditions.push(open.into());
}

impl PerContainer {
    pub(super) fn new(pod: &Pod, ip: Rc<str>) -> Self {
        Self { ip, wanted: images_of(pod), ..Self::default() }
    }

    /// The containers that run were started with the images asked for.
    pub(super) fn note_started(&mut self) {
        self.started = Rc::clone(&self.wanted);
    }

    /// Every container ended: they share one life again.
    pub(super) fn end_together(&mut self) {
        self.changing.clear();
    }

    /// Whether a start concerns the container.
    pub(super) fn is_to_start(&self, name: &Rc<str>) -> bool {
        !self.is_partial() || self.changing.contains(name)
    }

    /// Whether some containers run on while others are changed.
    pub(super) fn is_partial(&self) -> bool {
        !self.changing.is_empty()
    }
}

impl Containers {
    /// The names of containers that now ask for another image.
    pub(super) fn changed<'p>(&self, pod: &'p Pod) -> impl Iterator<Item = &'p Rc<str>> {
        let is_changed = |container: &&crate::objects::Container| {
            image(&self.apart.wanted, &container.name).is_some_and(|wanted| *wanted != container.image)
        };
        pod.spec.containers.iter().filter(is_changed).map(|container| &container.name)
    }

    /// The same, which is noted. None is to be stopped that has not started.
    pub(super) fn take_changes(&mut self, pod: &Pod) -> Vec<Rc<str>> {
        let changed: Vec<Rc<str>> = self.changed(pod).cloned().collect();
        self.apart.wanted = images_of(pod);
        self.pod = Rc::new(pod.clone());
        if let ContainerPhase::Running { since, .. } = self.life {
            self.apart.since = self.apart.since.filter(|_| self.apart.is_partial()).or(Some(since));
            self.apart.changes.extend(changed.iter().cloned());
            self.apart.changing.clone_from(&changed);
        }
        changed
    }

    /// What sets the containers apart in the status that is reported.
    pub(super) fn report_apart(&self, status: &mut PodStatus) {
        let apart = &self.apart;
        let is_known = !matches!(self.life, ContainerPhase::Mounting);
        if is_known {
            status.pod_ip = Rc::clone(&apart.ip);
        }
        for container in &mut status.container_statuses {
            if let Some(started) = image(&apart.started, &container.name) {
                container.image = Rc::clone(started);
                container.image_id = shared(&image_id(started));
            }
            let changes = apart.changes.iter().filter(|name| **name == container.name).count();
            container.restart_count += i32::try_from(changes).unwrap_or(i32::MAX);
            if apart.is_partial() && !apart.changing.contains(&container.name) {
                run_on(container, apart.since);
            }
        }
    }
}

fn run_on(container: &mut ContainerStatus, since: Option<Time>) {
    container.ready = true;
    container.state = ContainerState::Running { started_at: since };
}

fn hash(image: &str) -> u64 {
    image.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// An image's size in bytes: the same wherever it is pulled.
pub(super) fn image_size(image: &str) -> u64 {
    20_000_000 + hash(image) % 180_000_000
}

/// An image's digest: another one for every image.
fn image_id(image: &str) -> String {
    let hash = hash(image);
    let name = image.rsplit_once(':').map_or(image, |(name, _)| name);
    format!("{name}@sha256:{hash:016x}")
}
