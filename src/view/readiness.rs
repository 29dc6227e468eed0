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
}

/// What is said of one pod, the same of several that are alike in all but their names, and whether a template may bring it about,
/// so that the one before may end it.
const OF_SEVERAL: [(&str, &str, bool); 5] = [
    ("{} is {} and not Ready.", "{} are {} and not Ready.", true),
    ("{} is not Ready: {}.", "{} are not Ready: {}.", true),
    ("{} is terminating.", "{} are terminating.", false),
    ("{} has no node.", "{} have no node.", false),
    ("{} has no node; the scheduler says: {}", "{} have no node; the scheduler says: {}", false),
];

impl Unavailable {
    fn of_one(&self) -> Option<&'static (&'static str, &'static str, bool)> {
        OF_SEVERAL.iter().find(|(one, ..)| *one == self.text.template())
    }

    /// The template of the same sentence about several pods; none of what is told of each.
    pub(super) fn of_several(&self) -> Option<&'static str> {
        self.of_one().map(|(_, several, _)| *several)
    }

    /// Whether the same is said of another, but for its name.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let (own, its) = (&self.text, &other.text);
        let is_same = || own.args().get(1..) == its.args().get(1..);
        self.of_one().is_some() && own.template() == its.template() && is_same()
    }

    /// Whether the template before may end it.
    pub(super) fn is_of_template(&self) -> bool {
        self.of_one().is_some_and(|(.., is_of_template)| *is_of_template)
    }
}

/// Why the pod is not available; none if it is. `min_ready` is in seconds.
pub(super) fn unavailable(cluster: &Cluster, pod: &Pod, min_ready: i32) -> Option<Unavailable> {
    let (name, node) = (&pod.metadata.name, &pod.spec.node_name);
    let by_time = |text: Text| Some(Unavailable { text, stuck: false, sure: None });
    if is_unreachable(cluster, pod) {
        let text = text!("{} is on {}, {}.", name, node, how_lost(cluster, node));
        return Some(Unavailable { text, stuck: true, sure: None });
    }
    if pod.is_terminating() {
        return Some(Unavailable { text: text!("{} is terminating.", name), stuck: is_held(cluster, pod), sure: None });
    }
    if pod.has_ended() {
        return None;
    }
    if is_running_and_ready(pod) {
        let since = pod.condition("Ready").and_then(|ready| ready.last_transition_time)?;
        let left = since.plus_seconds(min_ready.into()).0 - cluster.now().0;
        let text = text!("{} is Ready, and counts as available in {} (minReadySeconds).", name, text::left(left));
        return (left > 0).then_some(Unavailable { text, stuck: false, sure: None });
    }
    if let Some(refused) = pod.condition("PodScheduled").filter(|scheduled| &*scheduled.status == "False") {
        let reason = cluster.why_unschedulable(pod);
        let stuck = reason.is_some_and(|reason| !passes(cluster, pod, &reason));
        let text = match &*refused.message {
            "" => text!("{} has no node.", name),
            said => text!("{} has no node; the scheduler says: {}", name, said),
        };
        return Some(Unavailable { text, stuck, sure: None });
    }
    if let Some(text) = attached_elsewhere(cluster, pod) {
        return by_time(text);
    }
    if is_held(cluster, pod) {
        let status = status_word(pod, cluster.release().kubectl());
        return Some(Unavailable { text: text!("{} is {} and not Ready.", name, status), stuck: true, sure: None });
    }
    match fault(cluster, pod) {
        Some((_, Behavior::NeedsPeer)) | None => {
            let Unavailable { text, stuck, .. } = expected(cluster, pod);
            Some(Unavailable {
                text: text!("{} is not Ready. {}.", name, text),
                stuck,
                sure: Some(text!("{} is not Ready.", name)),
            })
        }
        Some((image, behavior)) => Some(Unavailable {
            text: text!("{} is not Ready: {}.", name, fault_text(image, behavior)),
            stuck: true,
            sure: None,
        }),
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
        return Unavailable { text: text!("Nothing ends this wait by itself"), stuck: true, sure: None };
    }
    Unavailable { text: when_ready(cluster, pod), stuck: false, sure: None }
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
