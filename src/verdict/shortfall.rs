//! How far a workload is from what it was asked to be, of one moment or event by event.

use super::ordered::Ordered;
use super::pods::{owners, pods};
use crate::objects::clone_set::Lifecycle;
use crate::objects::{Controlled, Kind, Object, Pod, PodPhase};
use crate::reconcile::daemon_set::stays_on;
use crate::reconcile::{AtHook, revision_of};
use crate::sim::Cluster;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How far a workload is from what it was asked to be, in pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, schemars::JsonSchema, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shortfall {
    /// Pods that should be ready and are not.
    pub unavailable: i32,
    /// Pods that should be of the newest revision and are not.
    pub outdated: i32,
    /// Pods that should be gone, or are going.
    pub surplus: i32,
    /// Pods that wait for whoever works a lifecycle hook.
    pub hooked: i32,
    /// Whether its controller has not seen the last change of its spec.
    pub unseen: bool,
}

impl Shortfall {
    /// Whether nothing is left to be done.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// How many pods are left to be put right; a spec that was not seen counts as one.
    pub fn open(self) -> i32 {
        let left = [self.unavailable, self.outdated, self.surplus, self.hooked, i32::from(self.unseen)];
        left.into_iter().fold(0, i32::saturating_add)
    }
}

/// How far a workload is from what it was asked to be; nothing of what is no workload.
pub fn shortfall(cluster: &Cluster, object: &Object) -> Shortfall {
    Tally::default().shortfall(cluster, object)
}

/// A workload's pods, counted. Asked again later in the same run it looks only at those that have changed.
#[derive(Default)]
pub struct Tally {
    basis: Option<Basis>,
    /// How many versions of objects the run's record had.
    seen: usize,
    /// By uid.
    pods: BTreeMap<Rc<str>, Counts>,
    sum: Counts,
}

/// What pods are counted by.
#[derive(PartialEq)]
struct Basis {
    owners: Vec<Rc<str>>,
    /// The ordinals that a set asks for: the first, how many, and those left out.
    range: Option<(i32, i32, BTreeSet<i32>)>,
    /// From this place on a pod is to be of this revision.
    update: Option<(i32, Rc<str>)>,
    /// Whether a pod that has ended stands for none: another is made beside it, and it is left.
    leaves_ended: bool,
    /// Nodes on which a daemon stays that would not be made there again: a Ready one stands for none. One that is not is told of, as on
    /// a node that does not answer.
    left_on: BTreeSet<Rc<str>>,
    /// The newest revision of a CloneSet, which is to have a number of pods of it, whichever these are.
    newest: Option<Rc<str>>,
    lifecycle: Option<Lifecycle>,
}

/// What pods count as.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Those that are meant to be there.
    live: i32,
    ready: i32,
    surplus: i32,
    outdated: i32,
    /// Live ones of a CloneSet's newest revision.
    updated: i32,
    hooked: i32,
}

impl Counts {
    fn add(&mut self, other: Self, by: i32) {
        self.live += by * other.live;
        self.ready += by * other.ready;
        self.surplus += by * other.surplus;
        self.outdated += by * other.outdated;
        self.updated += by * other.updated;
        self.hooked += by * other.hooked;
    }
}

impl Basis {
    fn of(cluster: &Cluster, object: &Object) -> Self {
        let set = Ordered::of(object)
            .filter(|set| set.updates_itself() && !object.controlled().is_some_and(Controlled::is_paused));
        let update = set.map(|set| (set.partition(), Rc::clone(set.update_revision)));
        let range = Ordered::of(object).map(Ordered::range);
        let leaves_ended = range.is_none() && object.kind() != Kind::Pod;
        let newest =
            if let Object::CloneSet(set) = object { Some(Rc::clone(&set.status.update_revision)) } else { None };
        let lifecycle = object.controlled().and_then(Controlled::lifecycle).cloned();
        let left_on = left_on(cluster, object);
        Self { owners: owners(cluster, object), range, update, leaves_ended, left_on, newest, lifecycle }
    }

    fn count(&self, object: &Object, set: Option<&Ordered<'_>>, pod: &Pod) -> Counts {
        let is_left = pod.is_ready() && self.left_on.contains(&pod.spec.node_name);
        if (self.leaves_ended && pod.has_ended() || is_left) && !pod.is_terminating() {
            return Counts::default();
        }
        let is_old = |(first, update): &(i32, Rc<str>)| {
            set.is_some_and(|set| set.index(pod) >= i64::from(*first)) && revision_of(pod) != &**update
        };
        // A pod beyond the ordinals that are asked for stands in for none of them.
        let is_live = !pod.is_terminating() && set.is_none_or(|set| set.in_range(pod));
        Counts {
            live: i32::from(is_live),
            ready: i32::from(is_live && pod.is_ready()),
            surplus: i32::from(!is_live),
            outdated: i32::from(self.update.as_ref().is_some_and(is_old)),
            updated: i32::from(is_live && self.newest.as_ref().is_some_and(|newest| is_of(newest, pod))),
            hooked: i32::from(AtHook::of(object, pod).is_some()),
        }
    }
}

impl Tally {
    /// How far the workload is from what it was asked to be.
    pub(crate) fn shortfall(&mut self, cluster: &Cluster, object: &Object) -> Shortfall {
        let to = cluster.trace().history.len();
        let new: Vec<usize> = self.basis.iter().flat_map(|_| self.seen..to).collect();
        self.shortfall_with(cluster, object, &new)
    }

    /// The same, where of all versions since the last time those at these places alone may be of its pods.
    pub fn shortfall_with(&mut self, cluster: &Cluster, object: &Object, places: &[usize]) -> Shortfall {
        if let Object::Pod(pod) = object {
            return of_pod(pod);
        }
        self.count(cluster, object, places);
        let Counts { live, ready, surplus, outdated, updated, hooked } = self.sum;
        let desired = object.desired();
        let most = desired.saturating_add(kept_above(object));
        Shortfall {
            // What is kept above the replicas is to be ready, too.
            unavailable: live.min(most).max(desired).saturating_sub(ready).max(0),
            outdated: outdated.saturating_add(outdated_besides(object, updated)),
            surplus: surplus.saturating_add(live.saturating_sub(most).max(0)),
            hooked,
            unseen: object.observed_generation().is_some_and(|seen| seen < object.metadata().generation),
        }
    }

    fn count(&mut self, cluster: &Cluster, object: &Object, places: &[usize]) {
        let (basis, set) = (Basis::of(cluster, object), Ordered::of(object));
        let is_own = |pod: &Pod| pod.metadata.controller_of().is_some_and(|owner| basis.owners.contains(&owner.uid));
        let history = &cluster.trace().history;
        if self.basis.as_ref() == Some(&basis) && self.seen <= history.len() {
            for version in places.iter().filter_map(|place| history.get(*place)) {
                if let Object::Pod(pod) = &version.object {
                    let now =
                        if version.gone || !is_own(pod) { None } else { Some(basis.count(object, set.as_ref(), pod)) };
                    self.put(&pod.metadata.uid, now);
                }
            }
        } else {
            (self.pods, self.sum) = Default::default();
            for pod in pods(cluster, object) {
                self.put(&pod.metadata.uid, Some(basis.count(object, set.as_ref(), pod)));
            }
        }
        (self.basis, self.seen) = (Some(basis), history.len());
    }

    fn put(&mut self, uid: &Rc<str>, now: Option<Counts>) {
        let before = match now {
            Some(now) => {
                self.sum.add(now, 1);
                self.pods.insert(Rc::clone(uid), now)
            }
            None => self.pods.remove(uid),
        };
        before.into_iter().for_each(|before| self.sum.add(before, -1));
    }
}

/// Nodes whose taints would keep a new daemon of the set off, and let one stay that came before them, where there are such daemons.
fn left_on(cluster: &Cluster, object: &Object) -> BTreeSet<Rc<str>> {
    match object {
        Object::DaemonSet(set) if set.status.number_misscheduled > 0 => {
            let nodes = cluster.nodes().filter(|node| stays_on(set, node));
            nodes.map(|node| Rc::clone(&node.metadata.name)).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// Pods above its replicas that a Deployment keeps: while it is paused between two templates it is scaled to its replicas and its
/// surge. Models scale of pkg/controller/deployment/sync.go.
fn kept_above(object: &Object) -> i32 {
    match object {
        Object::Deployment(deployment) if deployment.spec.paused && deployment.outdated() > 0 => deployment.limits().0,
        _ => 0,
    }
}

/// A pod by itself is to be ready, or to have done its work.
fn of_pod(pod: &Pod) -> Shortfall {
    let is_well = pod.is_ready() || pod.status.phase == PodPhase::Succeeded;
    Shortfall { unavailable: i32::from(!is_well), surplus: i32::from(pod.is_terminating()), ..Shortfall::default() }
}

/// Whether the pod is of this revision; a label may name it by its hash alone.
fn is_of(revision: &str, pod: &Pod) -> bool {
    let own = revision_of(pod);
    revision == own || revision.strip_suffix(own).is_some_and(|rest| rest.ends_with('-'))
}

/// Pods without an ordinal that an update is to replace or change. Where they are only counted in the status, that may be late; of a
/// CloneSet it counts how many are to be updated.
fn outdated_besides(object: &Object, updated: i32) -> i32 {
    let left = match object {
        Object::CloneSet(set) if set.is_paused() => 0,
        Object::CloneSet(set) => set.status.expected_updated_replicas.saturating_sub(updated),
        _ => object.controlled().map_or(0, Controlled::to_update),
    };
    left.max(0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::{Tally, shortfall};
    use crate::kubectl::Command;
    use crate::objects::{Kind, ObjectRef};
    use crate::session::Session;
    use crate::sim::Failure;

    #[test]
    fn counted_event_by_event_it_is_what_it_is_counted_anew() {
        for (kind, version) in [
            (Kind::StatefulSet, "apps/v1"),
            (Kind::AdvancedStatefulSet, "apps.kruise.io/v1beta1"),
            (Kind::CloneSet, "apps.kruise.io/v1alpha1"),
            (Kind::Deployment, "apps/v1"),
        ] {
            let manifest = format!(
                r#"{{"apiVersion": "{version}", "kind": "{}", "metadata": {{"name": "web"}}, "spec": {{"replicas": 4,
                "serviceName": "web", "selector": {{"matchLabels": {{"app": "web"}}}},
                "template": {{"metadata": {{"labels": {{"app": "web"}}}},
                "spec": {{"containers": [{{"name": "web", "image": "web:1"}}]}}}}}}}}"#,
                kind.as_str()
            );
            let manifest =
                if kind.has_ordinals() { manifest } else { manifest.replace(r#""serviceName": "web", "#, "") };
            let mut session = Session::start(&manifest, 1).unwrap();
            let set = ObjectRef { kind, namespace: "default".into(), name: "web".into() };
            let (container, image) = ("web".into(), "web:2".into());
            let mut tally = Tally::default();
            let mut seen = std::collections::BTreeSet::new();
            for command in [
                Command::Scale { set: set.clone(), replicas: 5 },
                Command::SetImage { set: set.clone(), container, image },
                Command::FailNode { node: "node-a".into(), failure: Failure::PowerLost },
                Command::RemoveNode { node: "node-a".into() },
                Command::Scale { set: set.clone(), replicas: 2 },
            ] {
                for _ in 0..120 {
                    let cluster = session.cluster();
                    let object = cluster.get(&set).unwrap();
                    let left = shortfall(cluster, object);
                    assert_eq!(tally.shortfall(cluster, object), left, "{kind:?} before {command:?}");
                    seen.insert((left.unavailable, left.outdated, left.surplus));
                    session.step();
                }
                session.command(command).unwrap();
            }
            assert!(seen.len() > 10, "{kind:?} {seen:?}");
        }
    }
}
