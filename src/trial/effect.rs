//! What a command sets going, and when that is over.

use super::awaited::Awaited;
use super::draining::Drain;
use super::held::{held, of_pod};
use crate::kubectl::{Command, status_word};
use crate::objects::{ContainerState, ContainerStatus, Controlled, Kind, Object, ObjectRef, Pod, UpdateStrategyType};
use crate::sim::{Behavior, Cascade, Cluster, FILE_SYSTEM, NodeHealth, Outcome, Verb, Write};
use crate::text::Text;
use crate::verdict::{Ordered, Shortfall, Tally, pods};
use std::rc::Rc;

/// The reason of a container that waits to be started again.
const BACK_OFF: &str = "CrashLoopBackOff";

/// What a command sets going.
#[derive(Clone, Debug)]
pub enum Effect {
    /// The workload becomes what it is asked to be.
    Rollout {
        /// The workload.
        workload: ObjectRef,
        /// How many pods it was asked for then: what a later line asks for beyond them is that line's.
        replicas: Option<i32>,
        /// Whether its pods were to be of another template, which a later one overtakes.
        is_of_template: bool,
    },
    /// The workload gets as many pods as it is asked for, of whichever template.
    Scaled(ObjectRef),
    /// These objects go: by kind, namespace and name, and by uid.
    Going(Vec<(ObjectRef, Rc<str>)>),
    /// Pods are evicted from a node.
    Drain(Drain),
    /// The pods of nodes go, are collected or stay, each by its tolerations.
    Evictions(Vec<Rc<str>>),
    /// Nodes are noticed to be lost, and then the same.
    Loss(Vec<Rc<str>>),
    /// The pods of a node that has no object any more are collected.
    Collected(Rc<str>),
    /// Nodes answer again.
    Return(Vec<Rc<str>>),
    /// Containers of an image do what they do from now on.
    Behaves(Rc<str>, Behavior),
    /// A claim gets what it asks for.
    Grows(ObjectRef),
    /// A pod is reported anew.
    Reported(ObjectRef, Rc<str>),
    /// Somebody waits for what is said of objects.
    Awaited(Awaited),
}

fn uid_of(cluster: &Cluster, key: &ObjectRef) -> Option<Rc<str>> {
    cluster.get(key).ok().map(|object| Rc::clone(&object.metadata().uid))
}

fn with_uid(cluster: &Cluster, key: &ObjectRef) -> Vec<(ObjectRef, Rc<str>)> {
    uid_of(cluster, key).map(|uid| (key.clone(), uid)).into_iter().collect()
}

impl Effect {
    /// What a command sets going, from the cluster before it; nothing of one that is over at once.
    pub(crate) fn of(before: &Cluster, after: &Cluster, command: &Command) -> Vec<Self> {
        let one = |effect| vec![effect];
        if let Some(set) = command.workload() {
            return one(Self::of_workload(before, after, &set));
        }
        match command {
            Command::Autoscale { target, .. } => one(Self::rollout(after, target)),
            Command::Patch { set, .. } if set.kind == Kind::PersistentVolumeClaim => one(Self::Grows(set.clone())),
            Command::Apply { .. } => {
                let changed = |object: &&Object| {
                    let held = before.get(&object.reference()).ok();
                    held.is_none_or(|held| held.metadata().resource_version != object.metadata().resource_version)
                };
                let claims = after.objects(Kind::PersistentVolumeClaim).filter(changed);
                let claims = claims.map(|object| Self::Grows(object.reference()));
                let of = |object: &Object| Self::of_workload(before, after, &object.reference());
                let workloads = after.workloads().filter(changed).map(of);
                let pods = after.objects(Kind::Pod).filter(changed).map(of);
                workloads.chain(pods).chain(claims).collect()
            }
            Command::DeletePod { pod, .. } => one(Self::Going(with_uid(before, pod))),
            Command::EvictPod { pod }
            | Command::CompletePod { pod }
            | Command::CrashPod { pod }
            | Command::SetReady { pod, .. } => one(reported(before, pod)),
            Command::DeleteClaim { claim } => one(Self::Going(with_uid(before, claim))),
            Command::DeleteSet { set, cascade } => {
                let mut going = with_uid(before, set);
                if *cascade != Cascade::Orphan
                    && let Ok(object) = before.get(set)
                {
                    going.extend(pods(before, object).into_iter().map(|pod| of_pod(pod)));
                }
                one(Self::Going(going))
            }
            Command::Drain { node, how } => one(Self::Drain(Drain::new(before, node, how))),
            Command::RemoveNode { node } => one(Self::Collected(Rc::clone(node))),
            Command::FailNode { node, .. } => one(Self::Loss(vec![Rc::clone(node)])),
            Command::FailZone { zone, .. } => one(Self::Loss(before.zone(zone))),
            Command::RecoverNode { node } => one(Self::Return(vec![Rc::clone(node)])),
            Command::RecoverZone { zone } => one(Self::Return(before.zone(zone))),
            Command::TaintOutOfService { node, effect } | Command::Taint { node, effect, .. }
                if **effect == *"NoExecute" =>
            {
                one(Self::Evictions(vec![Rc::clone(node)]))
            }
            Command::SetBehavior { image, behavior } => one(Self::Behaves(Rc::clone(image), *behavior)),
            _ => Vec::new(),
        }
    }

    /// That a workload becomes what it is asked to be.
    pub(crate) fn rollout(cluster: &Cluster, workload: &ObjectRef) -> Self {
        let replicas = cluster.get(workload).ok().and_then(Object::replicas);
        Self::Rollout { workload: workload.clone(), replicas, is_of_template: true }
    }

    /// What a change of a workload's spec sets going.
    fn of_workload(before: &Cluster, after: &Cluster, workload: &ObjectRef) -> Self {
        match [before, after].map(|cluster| cluster.get(workload)) {
            [Ok(old), Ok(new)] if old.template() == new.template() => match old.replicas() == new.replicas() {
                true => Self::Rollout { workload: workload.clone(), replicas: new.replicas(), is_of_template: false },
                false => Self::Scaled(workload.clone()),
            },
            _ => Self::rollout(after, workload),
        }
    }

    /// Whether a later effect asks for something else of the same, so that this one does not come to its end.
    pub(super) fn is_overtaken_by(&self, later: &Self, [before, after]: [&Cluster; 2]) -> bool {
        let differs = |workload: &ObjectRef, is: fn(&Object, &Object) -> bool| match [before, after]
            .map(|cluster| cluster.get(workload))
        {
            [Ok(old), Ok(new)] => is(old, new),
            _ => false,
        };
        match (self, later) {
            (Self::Rollout { workload, is_of_template: true, .. }, Self::Rollout { workload: other, .. }) => {
                workload == other
                    && differs(workload, |old, new| old.template() != new.template() || is_held_back(old, new))
            }
            (Self::Scaled(workload), Self::Rollout { workload: other, .. } | Self::Scaled(other)) => {
                workload == other && differs(workload, |old, new| old.replicas() != new.replicas())
            }
            _ => false,
        }
    }

    /// Whether a later effect has the pods made anew of which this one counts the Ready ones: where it does not come to its end, that may
    /// be for the other's template.
    pub(super) fn is_followed_by(&self, later: &Self) -> bool {
        match (self, later) {
            (
                Self::Rollout { workload, is_of_template: false, .. } | Self::Scaled(workload),
                Self::Rollout { workload: other, is_of_template: true, .. },
            ) => workload == other,
            _ => false,
        }
    }

    /// What of a workload's shortfall is its own: not what another line asks for.
    fn own(&self, left: Shortfall, object: &Object) -> Shortfall {
        match self {
            Self::Rollout { replicas, .. } => {
                let more = object.replicas().zip(*replicas).map_or(0, |(now, then)| now.saturating_sub(then).max(0));
                Shortfall { unavailable: left.unavailable.saturating_sub(more).max(0), ..left }
            }
            // A rollout of an earlier line may have its pods beside them.
            Self::Scaled(_) => {
                let surge = if let Object::Deployment(own) = object { own.limits().0 } else { 0 };
                let surplus = if left.outdated > 0 { left.surplus.saturating_sub(surge).max(0) } else { left.surplus };
                Shortfall { outdated: 0, surplus, ..left }
            }
            _ => left,
        }
    }

    /// Forgets what it waited for and has come: of what goes from the end on, so that what is left there is what it waits for.
    pub(super) fn forget_past(&mut self, cluster: &Cluster) {
        match self {
            Self::Going(all) => {
                while all.pop_if(|(key, uid)| uid_of(cluster, key).is_none_or(|now| now != *uid)).is_some() {}
            }
            Self::Drain(drain) => drain.look(cluster),
            Self::Awaited(awaited) => awaited.look(cluster),
            _ => {}
        }
    }

    /// When kubectl next gives up waiting for what has not come, on the run's clock.
    pub(super) fn until(&self, cluster: &Cluster) -> Option<i64> {
        match self {
            Self::Awaited(awaited) => Some(awaited.until),
            Self::Drain(drain) => drain.until(cluster),
            _ => None,
        }
    }

    /// The workload that it is about alone: while nothing of that changes, it is neither over nor begins again.
    pub(super) fn workload(&self) -> Option<&ObjectRef> {
        match self {
            Self::Rollout { workload, .. } | Self::Scaled(workload) => Some(workload),
            _ => None,
        }
    }

    /// Whether every pod has to be looked at to tell whether it still waits.
    pub(super) fn goes_through_pods(&self) -> bool {
        matches!(self, Self::Evictions(_) | Self::Loss(_) | Self::Collected(_) | Self::Behaves(..))
    }

    /// Whether it still waits for something; `left` says how far a workload is from its end, where that has been counted.
    pub(super) fn is_pending(&self, cluster: &Cluster, left: impl Fn(&ObjectRef) -> Option<Shortfall>) -> bool {
        match self.workload().map(|workload| (left(workload), cluster.get(workload))) {
            Some((Some(left), Ok(object))) => {
                cluster.autoscaled_soon(object).is_some() || !self.own(left, object).is_none()
            }
            _ => match self {
                Self::Going(all) => !all.is_empty(),
                Self::Drain(drain) => drain.is_pending(cluster),
                _ => self.pending(cluster).is_some(),
            },
        }
    }

    /// What it still waits for; none once it is over.
    pub(crate) fn pending(&self, cluster: &Cluster) -> Option<Text> {
        match self {
            Self::Rollout { workload, .. } | Self::Scaled(workload) => {
                unfinished_of(cluster, workload, |left, object| self.own(left, object))
            }
            Self::Going(all) => {
                let stays = |(key, uid): &&(ObjectRef, Rc<str>)| uid_of(cluster, key).is_some_and(|now| now == *uid);
                all.iter().find(stays).map(|(key, _)| held(cluster, key))
            }
            Self::Drain(drain) => drain.pending(cluster),
            Self::Evictions(nodes) => nodes.iter().find_map(|node| evicting(cluster, node)),
            Self::Loss(nodes) => nodes.iter().find_map(|node| losing(cluster, node)),
            Self::Collected(node) => {
                let is_back = cluster.nodes().any(|own| own.metadata.name == *node);
                let left = cluster.pods().find(|pod| pod.spec.node_name == *node && !is_back);
                left.map(|pod| text!("{} waits to be collected", pod.metadata.name))
            }
            Self::Return(nodes) => {
                let is_away = |node: &&Rc<str>| {
                    let object = cluster.nodes().find(|own| own.metadata.name == **node);
                    object.is_none_or(|node| !node.is_ready())
                };
                nodes.iter().find(is_away).map(|node| text!("{} is not Ready", node))
            }
            Self::Grows(key) => growing(cluster, key),
            Self::Awaited(awaited) => awaited.pending(cluster),
            Self::Behaves(image, behavior) => misbehaving(cluster, image, *behavior),
            Self::Reported(key, version) => {
                let object = cluster.get(key).ok()?;
                let is_same = object.metadata().resource_version == *version;
                is_same.then(|| text!("nobody reports {} anew", key.name))
            }
        }
    }

    /// What kept it from being done, though it is over: evictions that were refused to the last, and what was awaited too long.
    pub(crate) fn refused(&self, cluster: &Cluster) -> Option<Text> {
        match self {
            Self::Awaited(awaited) => awaited.refused(cluster),
            Self::Drain(drain) => drain.refused(cluster),
            _ => None,
        }
    }
}

/// Whether a change leaves pods as they are that were to get another template.
fn is_held_back(old: &Object, new: &Object) -> bool {
    let is_kept = |object: &Object| {
        let is_on_delete = |set: &dyn Controlled| set.strategy() == Some(UpdateStrategyType::OnDelete);
        object.controlled().is_some_and(|set| set.is_paused() || is_on_delete(set))
    };
    let partition = |object: &Object| Ordered::of(object).map_or(0, |set| set.partition());
    is_kept(new) && !is_kept(old) || partition(new) > partition(old)
}

/// What a claim that was given less than it asks for waits for.
fn growing(cluster: &Cluster, key: &ObjectRef) -> Option<Text> {
    let Ok(Object::Claim(claim)) = cluster.get(key) else { return None };
    if !claim.is_changing() {
        return None;
    }
    Some(match claim.condition(FILE_SYSTEM) {
        true => text!("the file system of {} grows once a pod that uses it runs: FileSystemResizePending", key.name),
        false => text!("{} waits for the resizer", key.name),
    })
}

fn reported(cluster: &Cluster, pod: &ObjectRef) -> Effect {
    let version = cluster.get(pod).map(|object| Rc::clone(&object.metadata().resource_version)).unwrap_or_default();
    Effect::Reported(pod.clone(), version)
}

/// What a workload still lacks; none once it is as it was asked to be, or gone.
pub(super) fn unfinished(cluster: &Cluster, set: &ObjectRef) -> Option<Text> {
    unfinished_of(cluster, set, |left, _| left)
}

/// The same of a part of what it lacks.
fn unfinished_of(cluster: &Cluster, set: &ObjectRef, part: impl Fn(Shortfall, &Object) -> Shortfall) -> Option<Text> {
    let object = cluster.get(set).ok()?;
    if let Some((autoscaler, to)) = cluster.autoscaled_soon(object) {
        return Some(text!("HorizontalPodAutoscaler {} sets its replicas to {}", autoscaler.metadata.name, to));
    }
    let left = part(Tally::default().shortfall(cluster, object), object);
    if left.is_none() {
        return None;
    }
    if let Some(refusal) = refused_creation(cluster, object) {
        return Some(text!("the API server refuses its next pod: {}", refusal));
    }
    let all = pods(cluster, object);
    let is_open = |pod: &&&Rc<Pod>| !pod.is_ready() && !pod.has_ended() && !pod.is_terminating();
    let why = |pod: &Rc<Pod>| {
        let word = status_word(pod, cluster.release().kubectl());
        let scheduled = pod.condition("PodScheduled").filter(|condition| !condition.message.is_empty());
        match scheduled.filter(|_| pod.spec.node_name.is_empty()) {
            Some(condition) => text!("{} is {}: {}", pod.metadata.name, word, Text::verbatim(&*condition.message)),
            None if word == "Running" => text!("{} is Running and not Ready", pod.metadata.name),
            None => text!("{} is {}", pod.metadata.name, word),
        }
    };
    Some(match (all.iter().find(is_open), all.iter().find(|pod| pod.is_terminating())) {
        (Some(pod), _) => why(pod),
        (None, Some(pod)) => held(cluster, &of_pod(pod).0),
        (None, None) if left.unavailable > 0 => text!("pods that are not there: {}", left.unavailable),
        (None, None) if left.outdated > 0 => text!("pods that are not of the newest revision: {}", left.outdated),
        (None, None) if left.surplus > 0 => text!("pods that are to go: {}", left.surplus),
        (None, None) => text!("its controller has not seen the change"),
    })
}

/// Syncs that are looked through for the last one of a workload's controllers.
const SYNCS_BACK: usize = 1_000;

/// What the API server said to a creation in the last sync of a workload's controllers, if it refused one.
fn refused_creation(cluster: &Cluster, workload: &Object) -> Option<Text> {
    let sets = cluster.replica_sets_of(workload).into_iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference());
    let syncs = || cluster.trace().syncs.iter().rev().take(SYNCS_BACK);
    let refused = |write: &Write| match &write.outcome {
        Outcome::Refused(_, message) if write.verb == Verb::Create => Some(Text::verbatim(&**message)),
        _ => None,
    };
    sets.chain([workload.reference()]).find_map(|owner| {
        let last = syncs().find(|sync| sync.subject == owner)?;
        last.writes.iter().rev().find_map(refused)
    })
}

/// Pods of a node that wait for their tolerations to run out, or for their end.
fn evicting(cluster: &Cluster, node: &Rc<str>) -> Option<Text> {
    let own = || cluster.pods().filter(|pod| pod.spec.node_name == *node);
    let due =
        own().find(|pod| cluster.eviction_due(pod).is_some()).map(|pod| text!("{} will be evicted", pod.metadata.name));
    due.or_else(|| own().find(|pod| pod.is_terminating()).map(|pod| held(cluster, &of_pod(pod).0)))
}

/// A lost node that nobody has noticed, or whose pods wait to be evicted. Those that stay Terminating there are told of as such.
fn losing(cluster: &Cluster, name: &Rc<str>) -> Option<Text> {
    let node = cluster.nodes().find(|node| node.metadata.name == *name)?;
    let is_lost = cluster.node_health(name) != NodeHealth::Running;
    if is_lost && node.is_ready() {
        return Some(text!("{} is not noticed to be lost yet", name));
    }
    let mut own = cluster.pods().filter(|pod| pod.spec.node_name == *name);
    let due = own.find(|pod| cluster.eviction_due(pod).is_some());
    due.map(|pod| text!("{} will be evicted", pod.metadata.name))
}

/// A pod with the image that does not yet do what its image does.
fn misbehaving(cluster: &Cluster, image: &Rc<str>, behavior: Behavior) -> Option<Text> {
    let runs = |pod: &&Rc<Pod>| {
        let mut containers = pod.spec.init_containers.iter().chain(pod.spec.containers.iter());
        containers.any(|container| container.image == *image) && !pod.has_ended() && !pod.spec.node_name.is_empty()
    };
    let is_open = |pod: &&Rc<Pod>| match behavior {
        Behavior::Crashes => {
            let statuses = pod.status.container_statuses.iter().chain(&pod.status.init_container_statuses);
            let waits = |status: &ContainerStatus| matches!(&status.state, ContainerState::Waiting { reason } if **reason == *BACK_OFF);
            !statuses.into_iter().any(waits)
        }
        Behavior::NeverReady => pod.is_ready(),
        Behavior::Healthy | Behavior::NeedsPeer | Behavior::CannotBePulled | Behavior::Rejected => false,
    };
    let first = cluster.pods().filter(runs).find(is_open);
    first.map(|pod| text!("{} is {}", pod.metadata.name, status_word(pod, cluster.release().kubectl())))
}
