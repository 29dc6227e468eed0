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
    /// Whether nothing ends it before someone acts.
    pub(super) stuck: bool,
    /// What is true of it whatever comes, where the sentence says when it is expected to be Ready.
    pub(super) sure: Option<Text>,
    /// What others may be kept by in the same way; none where each pod has its own time or node.
    pub(super) shared: Option<Shared>,
}

/// What keeps pods from being available, if several are alike in it told once.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shared {
    Terminating,
    NoNode,
    /// What the scheduler says.
    NotScheduled(Rc<str>),
    /// Held, with the status that kubectl prints.
    Unready(String),
    /// What is wrong with its image.
    Faulty(Text),
}

impl Shared {
    fn of(self, name: &str, stuck: bool) -> Unavailable {
        let text = match &self {
            Self::Terminating => text!("{} is terminating.", name),
            Self::NoNode => text!("{} has no node.", name),
            Self::NotScheduled(said) => text!("{} has no node; the scheduler says: {}", name, said),
            Self::Unready(status) => text!("{} is {} and not Ready.", name, status),
            Self::Faulty(fault) => text!("{} is not Ready: {}.", name, fault),
        };
        Unavailable { text, stuck, sure: None, shared: Some(self) }
    }

    /// The same of several pods.
    pub(super) fn of_several(&self, names: Text) -> Text {
        match self {
            Self::Terminating => text!("{} are terminating.", names),
            Self::NoNode => text!("{} have no node.", names),
            Self::NotScheduled(said) => text!("{} have no node; the scheduler says: {}", names, said),
            Self::Unready(status) => text!("{} are {} and not Ready.", names, status),
            Self::Faulty(fault) => text!("{} are not Ready: {}.", names, fault),
        }
    }

    /// Whether a template may bring it about, so that the one before may end it.
    pub(super) fn is_of_template(&self) -> bool {
        matches!(self, Self::Unready(_) | Self::Faulty(_))
    }
}

/// Why the pod is not available; none if it is. `min_ready` is in seconds.
pub(super) fn unavailable(cluster: &Cluster, pod: &Pod, min_ready: i32) -> Option<Unavailable> {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    let own = |text: Text, stuck: bool| Some(Unavailable { text, stuck, sure: None, shared: None });
    if is_unreachable(cluster, pod) {
        return own(text!("{} is on {}, {}.", name, node, how_lost(cluster, node)), true);
    }
    if pod.is_terminating() {
        return Some(Shared::Terminating.of(name, is_held(cluster, pod)));
    }
    if pod.has_ended() {
        return None;
    }
    if is_running_and_ready(pod) {
        let left = text::left(available_in(cluster, pod, min_ready)?);
        return own(text!("{} is Ready, and counts as available in {} (minReadySeconds).", name, left), false);
    }
    if let Some(refused) = pod.condition("PodScheduled").filter(|scheduled| &*scheduled.status == "False") {
        let reason = cluster.why_unschedulable(pod);
        let stuck = reason.is_some_and(|reason| !passes(cluster, pod, &reason));
        let said = Rc::clone(&refused.message);
        let shared = if said.is_empty() { Shared::NoNode } else { Shared::NotScheduled(said) };
        return Some(shared.of(name, stuck));
    }
    if let Some(text) = attached_elsewhere(cluster, pod) {
        return own(text, false);
    }
    if is_held(cluster, pod) {
        let status = status_word(pod, cluster.release().kubectl());
        return Some(Shared::Unready(status).of(name, true));
    }
    match fault(cluster, pod) {
        Some((_, Behavior::NeedsPeer)) | None => {
            let Unavailable { text, stuck, .. } = expected(cluster, pod);
            Some(Unavailable {
                text: text!("{} is not Ready. {}.", name, text),
                stuck,
                sure: Some(text!("{} is not Ready.", name)),
                shared: None,
            })
        }
        Some((image, behavior)) => Some(Shared::Faulty(fault_text(image, behavior)).of(name, true)),
    }
}

/// The milliseconds until a Ready pod has been Ready for so many seconds; none if it has, or is not Ready.
pub(super) fn available_in(cluster: &Cluster, pod: &Pod, min_ready: i32) -> Option<i64> {
    let since = pod.condition("Ready").filter(|ready| &*ready.status == "True")?.last_transition_time?;
    Some(since.plus_seconds(min_ready.into()).0 - cluster.now().0).filter(|left| *left > 0)
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
        return Unavailable { text: text!("Nothing ends this wait by itself"), stuck: true, sure: None, shared: None };
    }
    Unavailable { text: when_ready(cluster, pod), stuck: false, sure: None, shared: None }
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
