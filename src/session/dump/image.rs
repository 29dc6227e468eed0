//! What the containers of each image do, and which pods fail their readiness probe though others of their image pass it.

use super::assume::{About, Assumed};
use super::node::{is_ready, pods};
use crate::kubectl::Command;
use crate::objects::{ContainerState, ContainerStatus, Object, Pod, Time};
use crate::order::Order;
use crate::sim::{Behavior, START};
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A container that was never ready is expected to become so for this long, if nothing tells how long that takes.
const PATIENCE_MS: i64 = 60_000;

/// One container: its image, and what its status says.
struct Seen<'a> {
    pod: &'a Rc<Pod>,
    image: Rc<str>,
    status: &'a ContainerStatus,
}

fn seen(objects: &[Object]) -> Vec<Seen<'_>> {
    let of_pod = |pod: &'_ Rc<Pod>| -> Vec<(Rc<str>, usize)> {
        let named = |at: usize| {
            let name = &pod.status.container_statuses[at].name;
            let container = pod.spec.containers.iter().find(|container| container.name == *name)?;
            Some((Rc::clone(&container.image), at))
        };
        (0..pod.status.container_statuses.len()).filter_map(named).collect()
    };
    let all = pods(objects).flat_map(|pod| {
        of_pod(pod).into_iter().map(move |(image, at)| Seen { pod, image, status: &pod.status.container_statuses[at] })
    });
    all.collect()
}

fn started(status: &ContainerStatus) -> Option<Time> {
    if let ContainerState::Running { started_at } = &status.state { *started_at } else { None }
}

fn is_running(status: &ContainerStatus) -> bool {
    matches!(status.state, ContainerState::Running { .. })
}

fn ready_since(pod: &Pod) -> Option<Time> {
    pod.condition("Ready").filter(|ready| &*ready.status == "True").and_then(|ready| ready.last_transition_time)
}

/// How long containers took from their start to their readiness: the middle one.
fn readiness(seen: &[Seen<'_>]) -> Option<i64> {
    let took = |one: &Seen<'_>| {
        let [start, ready] = [started(one.status).filter(|_| one.status.restart_count == 0)?, ready_since(one.pod)?];
        Some((ready.0 - start.0).max(0))
    };
    let mut all: Vec<i64> = seen.iter().filter_map(took).collect();
    all.order();
    all.get(all.len() / 2).copied()
}

/// What keeps a container from running, by the reason why it waits.
fn waits_for(reason: &str) -> Option<Behavior> {
    match reason {
        "ErrImagePull"
        | "ImagePullBackOff"
        | "InvalidImageName"
        | "ErrImageNeverPull"
        | "RegistryUnavailable"
        | "CreateContainerConfigError"
        | "CreateContainerError" => Some(Behavior::CannotBePulled),
        "CrashLoopBackOff" => Some(Behavior::Crashes),
        _ => None,
    }
}

/// What a container cannot do by itself, as its status tells.
fn fault(one: &Seen<'_>, patience: i64) -> Option<Behavior> {
    match &one.status.state {
        ContainerState::Waiting { reason } => waits_for(reason),
        ContainerState::Terminated { .. } if one.pod.metadata.deletion_timestamp.is_none() => Some(Behavior::Crashes),
        ContainerState::Running { started_at } if !one.status.ready => {
            let since = started_at.unwrap_or(START);
            (START.0 - since.0 > patience).then_some(Behavior::NeverReady)
        }
        _ => None,
    }
}

/// Whether the pod was ready before, with the containers that it has now.
fn was_ready(one: &Seen<'_>) -> bool {
    let since = one.pod.condition("Ready").and_then(|ready| ready.last_transition_time);
    let initialized = one.pod.condition("Initialized").and_then(|done| done.last_transition_time);
    // A pod that was never ready has been unready since it was initialized or, at the latest, since its container started.
    let first = started(one.status).into_iter().chain(initialized).max();
    since.zip(first).is_some_and(|(since, first)| since > first)
}

/// What images do, and which pods are not ready for reasons of their own.
pub(super) fn behaviors(objects: &[Object], assumed: &mut Assumed<'_>) {
    let seen = seen(objects);
    let took = readiness(&seen);
    if let Some(took) = took {
        assumed.commands.push(Command::SetReadinessDelay { milliseconds: took });
    }
    let patience = took.map_or(PATIENCE_MS, |took| took * 2 + 2_000);
    let mut images: Vec<&Rc<str>> = seen.iter().map(|one| &one.image).collect();
    images.order();
    images.dedup();
    let any_ready = seen.iter().any(|one| one.status.ready);
    let mut unready: Vec<&Rc<Pod>> = Vec::new();
    for image in images {
        let own = seen.iter().filter(|one| one.image == *image);
        let containers: Vec<(&Seen<'_>, Option<Behavior>)> = own.map(|one| (one, fault(one, patience))).collect();
        let is_well = containers.iter().any(|(one, _)| one.status.ready || was_ready(one));
        let fault = containers.iter().find_map(|(_, fault)| *fault);
        // Nobody knows how much later than its newest moment the text was made. Where others are Ready and no container of this
        // image is, a rollout waits for it, and people look at those that wait for long.
        let runs = containers.iter().any(|(one, _)| started(one.status).is_some());
        let fault = fault.or((any_ready && runs).then_some(Behavior::NeverReady));
        let chosen = assumed.options.images.get(image).copied();
        let supposed = if is_well { None } else { fault };
        let is_held_up =
            containers.iter().any(|(one, fault)| fault.is_some() && !one.status.ready && !is_running(one.status));
        if is_well && is_held_up {
            let text = text!(
                "Containers with image {} that do not run start when they are tried again: others with it run.",
                image
            );
            assumed.note(About::Image(Rc::clone(image)), text, chosen.is_some());
        }
        if let Some(behavior) = supposed {
            assumed.note(About::Image(Rc::clone(image)), of_image(image, behavior), chosen.is_some());
        }
        let behavior = chosen.or(supposed);
        if let Some(behavior) = behavior.filter(|behavior| *behavior != Behavior::Healthy) {
            assumed.commands.push(Command::SetBehavior { image: Rc::clone(image), behavior });
        }
        if behavior.is_none() {
            let fails = containers.iter().filter(|(_, fault)| *fault == Some(Behavior::NeverReady));
            // On a node that does not answer nobody asks a probe.
            unready.extend(fails.map(|(one, _)| one.pod).filter(|pod| is_ready(objects, &pod.spec.node_name)));
        }
    }
    for pod in unready {
        let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
        let text = text!("Pod {} stays not ready: others with its image are Ready, so the cause is its own.", name);
        let about = About::Pod(Rc::clone(namespace), Rc::clone(name));
        let pod = Object::Pod(Rc::clone(pod)).reference();
        assumed.assume(about, text, Command::SetReady { pod, ready: false });
    }
}

/// What images of init containers do that no pod has got past.
pub(super) fn of_init_containers(objects: &[Object], assumed: &mut Assumed<'_>) {
    let mut images: BTreeMap<&Rc<str>, Option<Behavior>> = BTreeMap::new();
    for pod in pods(objects).filter(|pod| !pod.is_terminating()) {
        for status in &pod.status.init_container_statuses {
            let mut named = pod.spec.init_containers.iter().filter(|container| container.name == status.name);
            let Some(container) = named.next() else { continue };
            let supposed = images.entry(&container.image).or_default();
            match &status.state {
                // One that got past it counts for more, whichever comes first.
                _ if status.ready => *supposed = Some(Behavior::Healthy),
                ContainerState::Waiting { reason } => *supposed = supposed.or(waits_for(reason)),
                _ => {}
            }
        }
    }
    for (image, supposed) in images {
        let Some(supposed) = supposed.filter(|supposed| *supposed != Behavior::Healthy) else { continue };
        // Containers of a pod may have the image too, and then more is known of it.
        if assumed.assumptions.iter().any(|one| one.about == About::Image(Rc::clone(image))) {
            continue;
        }
        let chosen = assumed.options.images.get(image).copied();
        assumed.note(About::Image(Rc::clone(image)), of_image(image, supposed), chosen.is_some());
        let behavior = chosen.unwrap_or(supposed);
        if behavior != Behavior::Healthy {
            assumed.commands.push(Command::SetBehavior { image: Rc::clone(image), behavior });
        }
    }
}

fn of_image(image: &Rc<str>, behavior: Behavior) -> Text {
    match behavior {
        Behavior::CannotBePulled => text!("Containers with image {} cannot be started, now and later.", image),
        Behavior::Crashes => text!("Containers with image {} crash again each time they are started.", image),
        _ => text!("Containers with image {} run and never become ready.", image),
    }
}
