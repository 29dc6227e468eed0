//! Why a pod does not count yet, and whether time ends that.

use super::status_word::{PodStatus, how_lost, is_unreachable, pod_status};
use super::text;
use super::ways_out::attached_elsewhere;
use crate::kubectl::status_word;
use crate::objects::{ContainerState, Kind, ObjectRef, Pod};
use crate::reconcile::is_running_and_ready;
use crate::sim::{Behavior, Cluster, Unschedulable, What};
use crate::text::Text;
use std::rc::Rc;

/// Why a pod is not available.
pub(super) struct Unavailable {
    /// In a sentence.
    pub(super) text: Text,
    /// The same without its name, where other pods may be so too.
    pub(super) alike: Option<Alike>,
    /// Whether nothing ends it before someone acts.
    pub(super) stuck: bool,
    /// What is true of it whatever comes, where the sentence says when it is expected to be Ready.
    pub(super) sure: Option<Text>,
}

/// What several pods may be alike in, which is said once of all.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Alike {
    /// They are deleted, and run on.
    Terminating,
    /// The scheduler finds no node for them, in these words.
    Unscheduled(Rc<str>),
    /// Something holds them in what kubectl calls so.
    Held(String),
    /// An image that does not become ready.
    Fault(Rc<str>, Behavior),
}

impl Alike {
    /// Of one pod.
    fn of_one(&self, name: &str) -> Text {
        match self {
            Self::Terminating => text!("{} is terminating.", name),
            Self::Unscheduled(said) if said.is_empty() => text!("{} has no node.", name),
            Self::Unscheduled(said) => text!("{} has no node; the scheduler says: {}", name, said),
            Self::Held(word) => text!("{} is {} and not Ready.", name, word),
            Self::Fault(image, behavior) => text!("{} is not Ready: {}.", name, fault_text(image, *behavior)),
        }
    }

    /// Of several.
    pub(super) fn of_all(&self, names: Text) -> Text {
        match self {
            Self::Terminating => text!("{} are terminating.", names),
            Self::Unscheduled(said) if said.is_empty() => text!("{} have no node.", names),
            Self::Unscheduled(said) => text!("{} have no node; the scheduler says: {}", names, said),
            Self::Held(word) => text!("{} are {} and not Ready.", names, word),
            Self::Fault(image, behavior) => text!("{} are not Ready: {}.", names, fault_text(image, *behavior)),
        }
    }

    /// Whether it may come with the template, so that the one before may end it.
    pub(super) fn is_of_template(&self) -> bool {
        matches!(self, Self::Held(_) | Self::Fault(..))
    }
}

impl Unavailable {
    fn new(text: Text, stuck: bool) -> Self {
        Self { text, alike: None, stuck, sure: None }
    }

    fn alike(name: &str, alike: Alike, stuck: bool) -> Self {
        Self { text: alike.of_one(name), alike: Some(alike), stuck, sure: None }
    }
}

/// Why the pod is not available; none if it is. `min_ready` is in seconds.
pub(super) fn unavailable(cluster: &Cluster, pod: &Pod, min_ready: i32) -> Option<Unavailable> {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    if is_unreachable(cluster, pod) {
        let text = text!("{} is on {}, {}.", name, node, how_lost(cluster, node));
        return Some(Unavailable::new(text, true));
    }
    if pod.is_terminating() {
        return Some(Unavailable::alike(name, Alike::Terminating, is_held(cluster, pod)));
    }
    if pod.has_ended() {
        return None;
    }
    if is_running_and_ready(pod) {
        let since = pod.condition("Ready").and_then(|ready| ready.last_transition_time)?;
        let left = since.plus_seconds(min_ready.into()).0 - cluster.now().0;
        let text = text!("{} is Ready, and counts as available in {} (minReadySeconds).", name, text::left(left));
        return (left > 0).then(|| Unavailable::new(text, false));
    }
    if let Some(refused) = pod.condition("PodScheduled").filter(|scheduled| &*scheduled.status == "False") {
        let reason = cluster.why_unschedulable(pod);
        let stuck = reason.is_some_and(|reason| !passes(cluster, pod, &reason));
        return Some(Unavailable::alike(name, Alike::Unscheduled(Rc::clone(&refused.message)), stuck));
    }
    if let Some(text) = attached_elsewhere(cluster, pod) {
        return Some(Unavailable::new(text, false));
    }
    if is_held(cluster, pod) {
        let status = status_word(pod, cluster.release().kubectl());
        return Some(Unavailable::alike(name, Alike::Held(status), true));
    }
    match fault(cluster, pod) {
        Some((_, Behavior::NeedsPeer)) | None => {
            let Unavailable { text, stuck, .. } = expected(cluster, pod);
            let sure = Some(text!("{} is not Ready.", name));
            Some(Unavailable { sure, ..Unavailable::new(text!("{} is not Ready. {}.", name, text), stuck) })
        }
        Some((image, behavior)) => Some(Unavailable::alike(name, Alike::Fault(Rc::clone(image), behavior), true)),
    }
}

/// Whether something keeps the pod as it is, not Ready or Terminating, until that changes.
pub(super) fn is_held(cluster: &Cluster, pod: &Pod) -> bool {
    let keeps = |what: &What| match what {
        What::DoesNotEnd | What::Finalizer { .. } => pod.is_terminating(),
        What::TakesGrace => false,
        _ => !pod.is_terminating(),
    };
    cluster.holds().of_pod(pod).any(|hold| keeps(&hold.what))
}

/// Whether the pod does not become Ready before somebody acts, as far as the run knows.
pub(super) fn is_kept_unready(cluster: &Cluster, pod: &Pod) -> bool {
    is_held(cluster, pod) || fault(cluster, pod).is_some_and(|(_, behavior)| behavior != Behavior::NeedsPeer)
}

/// The first image of the pod that does not become ready by itself, and what is wrong with it.
pub(super) fn fault<'p>(cluster: &Cluster, pod: &'p Pod) -> Option<(&'p Rc<str>, Behavior)> {
    let images = &cluster.settings().images;
    let mut all = pod.spec.init_containers.iter().chain(pod.spec.containers.iter()).map(|container| &container.image);
    let behavior = |image: &Rc<str>| images.get(&**image).copied().unwrap_or_default();
    all.find(|image| behavior(image) != Behavior::Healthy).map(|image| (image, behavior(image)))
}

/// Whether what keeps a pod from every node ends by itself: its claim is about to be bound. Other reasons last until someone
/// changes a node or the pod.
pub(super) fn passes(cluster: &Cluster, pod: &Pod, reason: &Unschedulable) -> bool {
    let Unschedulable::ClaimUnbound(claim) = reason else { return false };
    let namespace = Rc::clone(&pod.metadata.namespace);
    cluster.is_about_to_bind(&ObjectRef { kind: Kind::PersistentVolumeClaim, namespace, name: Rc::clone(claim) })
}

/// What is wrong with an image.
pub(super) fn fault_text(image: &str, behavior: Behavior) -> Text {
    match behavior {
        Behavior::CannotBePulled => text!("{} cannot be pulled", image),
        Behavior::Crashes => text!("{} crashes", image),
        Behavior::Rejected => text!("{} is rejected by the kubelet", image),
        Behavior::NeverReady | Behavior::NeedsPeer | Behavior::Healthy => text!("{} never becomes ready", image),
    }
}

/// When a pod of a good image becomes ready, or that nothing is due that would make it so.
pub(super) fn expected(cluster: &Cluster, pod: &Pod) -> Unavailable {
    if cluster.next_event_at().is_none() {
        return Unavailable::new(text!("Nothing ends this wait by itself"), true);
    }
    Unavailable::new(when_ready(cluster, pod), false)
}

fn when_ready(cluster: &Cluster, pod: &Pod) -> Text {
    let (settings, now) = (cluster.settings(), cluster.now().0);
    let started = pod.status.container_statuses.iter().find_map(|container| match container.state {
        ContainerState::Running { started_at } => started_at,
        _ => None,
    });
    let has_ended = matches!(pod_status(pod, cluster.release().kubectl()), PodStatus::Waiting(reason) | PodStatus::Ended(reason)
        if matches!(&*reason, "CrashLoopBackOff" | "Error"));
    let ready_at = started.map(|started| cluster.ready_at(pod).map_or(started.0 + settings.readiness, |at| at.0));
    match ready_at {
        Some(ready_at) if ready_at > now => {
            text!("It is expected to be Ready in {}", text::left(ready_at - now))
        }
        Some(_) => text!("It is due to become Ready"),
        None if has_ended => text!("Its container is restarted after a back-off"),
        None if settings.readiness == 0 => text!("Its container is being started"),
        None => text!("Its container is being started, and is Ready {} later", text::left(settings.readiness)),
    }
}
