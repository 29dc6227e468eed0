//! What a trial does to one workload on its way.

use super::claims::{ChangedClaim, Mixed, changed, mixed, prefixes};
use super::doubt::doubted;
use super::effect::unfinished;
use super::lone::{Owner, owner};
use super::lost_claims::LostClaims;
use super::no_node::{NoNode, without_node};
use crate::objects::{Kind, Object, ObjectRef, PersistentVolumeClaim, Pod, Typed};
use crate::session::Session;
use crate::session::dump::Held;
use crate::sim::{Cluster, NodeHealth, TraceEvent};
use crate::text::Text;
use crate::verdict::{Astray, Shortfall, State, Tally, Verdict, astray, owners, pods};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A second copy of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The pod's name.
    pub pod: Rc<str>,
    /// Where the other one runs.
    pub node: Rc<str>,
}

/// A workload when it had the fewest Ready pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeastReady {
    /// Which one.
    pub workload: ObjectRef,
    /// Its Ready pods.
    pub ready: i32,
    /// Pods that it wanted.
    pub desired: i32,
}

impl LeastReady {
    /// Whether it had fewer than it wanted.
    pub(crate) fn is_low(&self) -> bool {
        self.ready < self.desired
    }
}

/// One workload on its way through a trial.
#[derive(Clone, Debug)]
pub struct Course {
    /// Which one.
    pub workload: ObjectRef,
    /// How it stood before; none of one that was made on the way.
    pub before: Option<Verdict>,
    /// How it stands afterwards; none of one that is gone.
    pub after: Option<Verdict>,
    /// Whether another object has its name now: somebody deleted it and created it again.
    pub is_recreated: bool,
    /// The kind that it was of, where the other object is of another one.
    pub was: Option<Kind>,
    /// Claims that are otherwise than its claim templates say now: which field, its value, and the template's.
    pub mixed: Vec<Mixed>,
    /// Claims of its pods that are the same and ask for, or have, something else than before.
    pub changed_claims: Vec<ChangedClaim>,
    /// Pods that it wanted before, and wants afterwards.
    pub desired: (i32, i32),
    /// Its Ready pods before and afterwards.
    pub ready: (i32, i32),
    /// Pods that were there before and are not any more.
    pub replaced: Vec<Rc<str>>,
    /// Of these the names that another pod has now.
    pub kept_names: Vec<Rc<str>>,
    /// Pods that it has and that were made on the way, each with its node; empty where it has none.
    pub made: Vec<(Rc<str>, Rc<str>)>,
    /// The most pods that it wanted at once.
    pub most_desired: i32,
    /// The most pods that were not Ready at once.
    pub most_not_ready: i32,
    /// For how long so many were not, in milliseconds.
    pub most_not_ready_ms: i64,
    /// For how long it had no Ready pod while it wanted one, in milliseconds.
    pub without_ready_ms: i64,
    /// Claims that were its own before and that are still the same, without those that were being deleted before.
    pub kept_claims: Vec<Rc<str>>,
    /// Claims that were its own before and that are gone or being deleted, or other ones of that name.
    pub lost_claims: LostClaims,
    /// Pods that it wants and that are not Ready at the end.
    pub not_ready: i32,
    /// What it lacks at the end; none if nothing.
    pub lacks: Option<Text>,
    /// Why pods of it have no node at the end, and what would make them fit.
    pub without_node: Vec<NoNode>,
    /// Of a pod that no workload of the run controls and that is gone, or on its way: who makes it again.
    pub lost: Option<Owner>,
    /// Pods of it that the scheduler may preempt for others.
    pub preempted: Vec<Rc<str>>,
    /// Second copies that ran beside the pods, or whose containers run on where nobody can end them.
    pub copies: Vec<Copy>,
    /// Pods of it that run where it is not known whether their volumes can be reached.
    pub astray: Vec<Astray>,
    /// Pods that it had, that stay and that nothing owns any more, while it goes on.
    pub released: Vec<Rc<str>>,
    /// When KEDA makes pods again where none is left.
    pub scaled_from_none: Option<Text>,
}

impl Course {
    /// Whether it wanted pods, had Ready ones and has none any more, as far as that is known.
    pub fn is_outage(&self) -> bool {
        let is_open = self.is_not_known() && self.desired.1 > 0;
        let has_lost_all = self.ready.0 > 0 && self.ready.1 == 0;
        has_lost_all && !is_open && !self.is_left_to_others() && self.scaled_from_none.is_none()
    }

    /// Whether nobody can say how it stands afterwards.
    pub(crate) fn is_not_known(&self) -> bool {
        self.after.as_ref().is_some_and(|after| after.state == State::NotKnown)
    }

    /// How many of the pods that went have another one in their place.
    pub(crate) fn replaced_again(&self) -> i32 {
        i32::try_from(self.replaced.len()).unwrap_or(i32::MAX) - (self.desired.0 - self.desired.1)
    }

    /// Whether it is gone, and Ready pods of it went that nobody makes anew.
    pub fn loses_pods(&self) -> bool {
        self.after.is_none() && self.ready.1 < self.ready.0 && !self.is_left_to_others()
    }

    /// Whether it is gone, and what would make it again is not simulated.
    pub fn is_left_to_others(&self) -> bool {
        matches!(self.lost, Some(Owner::Other(_) | Owner::Untold))
    }

    /// Its claims that asked for more storage on the way.
    pub(crate) fn grown<'a>(&'a self, cluster: &'a Cluster) -> impl Iterator<Item = &'a Rc<PersistentVolumeClaim>> {
        let asked = |claim: &&Rc<PersistentVolumeClaim>| {
            claim.metadata.namespace == self.workload.namespace
                && self
                    .changed_claims
                    .iter()
                    .any(|one| one.claim == claim.metadata.name && one.field == "resources.requests.storage")
        };
        cluster.claims().filter(asked)
    }

    /// A pod of it is evicted from a node again and again: it does not come to rest.
    pub(super) fn is_evicted_again(&mut self, run: &Session, node: &Rc<str>, why: &Text) {
        let cluster = run.cluster();
        let own = cluster.get(&self.workload).map(|object| pods(cluster, object)).unwrap_or_default();
        let is_due = own.iter().any(|pod| pod.spec.node_name == *node && cluster.eviction_due(pod).is_some());
        if is_due {
            self.lacks = Some(why.clone());
        }
    }

    /// Whether anything of it is other than it was.
    pub fn is_touched(&self) -> bool {
        let verdicts = [&self.before, &self.after].map(|verdict| verdict.as_ref().map(Verdict::word));
        self.is_recreated
            || !self.replaced.is_empty()
            || !self.lost_claims.is_empty()
            || !self.changed_claims.is_empty()
            || !self.copies.is_empty()
            || self.lost.is_some()
            || !self.preempted.is_empty()
            || !self.released.is_empty()
            || self.desired.0 != self.desired.1
            || self.ready.0 != self.ready.1
            || self.most_not_ready > (self.desired.0 - self.ready.0).max(0)
            || verdicts[0] != verdicts[1]
    }
}

/// Looks at one workload event by event.
pub(super) struct Watcher {
    /// The one that is there, or was last.
    pub(super) workload: ObjectRef,
    /// The kind that it was of.
    kind: Kind,
    pub(super) before: Option<Verdict>,
    desired: i32,
    uid: Option<Rc<str>>,
    /// Who makes it again, if it is a pod.
    owner: Option<Owner>,
    /// Its pods at the start, by uid.
    pods: BTreeMap<Rc<str>, Rc<str>>,
    /// Their claims, by name.
    claims: BTreeMap<Rc<str>, Rc<PersistentVolumeClaim>>,
    ready_at_first: i32,
    /// The uids of what controls its pods, and of its pods that are Ready and stay.
    owners: Vec<Rc<str>>,
    ready_pods: BTreeSet<Rc<str>>,
    tally: Tally,
    not_ready: i32,
    ready: i32,
    wanted: i32,
    most_wanted: i32,
    /// How far it is from what it was asked to be.
    left: Shortfall,
    since: i64,
    most: i32,
    most_ms: i64,
    without_ms: i64,
}

impl Watcher {
    pub(super) fn new(cluster: &Cluster, workload: &ObjectRef, before: Option<Verdict>) -> Self {
        let object = cluster.get(workload).ok();
        let own = object.map(|object| pods(cluster, object)).unwrap_or_default();
        let pods = own.iter().map(|pod| (Rc::clone(&pod.metadata.uid), Rc::clone(&pod.metadata.name))).collect();
        let names: BTreeSet<&Rc<str>> = own.iter().flat_map(|pod| pod.claim_names()).collect();
        let prefixes = object.map(prefixes).unwrap_or_default();
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            let name = &claim.metadata.name;
            let is_made = |prefix: &String| matches!(name.strip_prefix(&**prefix).map(str::parse::<u32>), Some(Ok(_)));
            claim.metadata.namespace == workload.namespace && (names.contains(name) || prefixes.iter().any(is_made))
        };
        let claims = cluster.claims().filter(is_own);
        let claims = claims.map(|claim| (Rc::clone(&claim.metadata.name), Rc::clone(claim))).collect();
        let mut watcher = Self {
            desired: object.map_or(0, desired),
            uid: object.map(|object| Rc::clone(&object.metadata().uid)),
            owner: if let Some(Object::Pod(pod)) = object { Some(owner(pod)) } else { None },
            workload: workload.clone(),
            kind: workload.kind,
            before,
            pods,
            claims,
            ready_at_first: 0,
            owners: Vec::new(),
            ready_pods: BTreeSet::new(),
            tally: Tally::default(),
            not_ready: 0,
            ready: 0,
            wanted: 0,
            most_wanted: 0,
            left: Shortfall::default(),
            since: cluster.now().0,
            most: 0,
            most_ms: 0,
            without_ms: 0,
        };
        watcher.look(cluster, &[]);
        watcher.ready_at_first = watcher.ready;
        watcher
    }

    /// The pods that it has, or that it left behind, alone or with a ReplicaSet.
    fn own<'a>(&self, cluster: &'a Cluster) -> Vec<&'a Rc<Pod>> {
        let mut own = cluster.get(&self.workload).map(|object| pods(cluster, object)).unwrap_or_default();
        let known: BTreeSet<&Rc<str>> = own.iter().map(|pod| &pod.metadata.uid).collect();
        let key = |name: &Rc<str>| {
            let namespace = Rc::clone(&self.workload.namespace);
            ObjectRef { kind: Kind::Pod, namespace, name: Rc::clone(name) }
        };
        let left = self.pods.iter().filter(|(uid, _)| !known.contains(uid)).filter_map(|(uid, name)| {
            let pod = cluster.get(&key(name)).ok().and_then(Pod::of).filter(|pod| pod.metadata.uid == *uid)?;
            let is_left = pod.metadata.controller_of().is_none_or(|owner| &*owner.kind == "ReplicaSet");
            is_left.then_some(pod)
        });
        let mut left: Vec<&Rc<Pod>> = left.collect();
        left.sort_by_key(|pod| Rc::clone(&pod.metadata.name));
        own.extend(left);
        own
    }

    /// Whether it has a pod, or left it behind.
    fn has(&self, pod: &Pod) -> bool {
        let (uid, owner) = (&pod.metadata.uid, pod.metadata.controller_of());
        let is_left = || self.pods.contains_key(uid) && owner.is_none_or(|owner| &*owner.kind == "ReplicaSet");
        self.owners.contains(uid) || owner.is_some_and(|owner| self.owners.contains(&owner.uid)) || is_left()
    }

    /// Counts the time since the last look, and the pods as they are now, of which the versions at these places are new: so it is asked
    /// whenever anything of it has changed.
    pub(super) fn look(&mut self, cluster: &Cluster, places: &[usize]) {
        self.pass(cluster.now().0);
        let object = cluster.get(&self.workload).ok();
        let owners = object.map(|object| owners(cluster, object)).unwrap_or_default();
        let is_up = |pod: &Pod| pod.is_ready() && !pod.is_terminating();
        if owners == self.owners {
            for version in places.iter().filter_map(|place| cluster.trace().history.get(*place)) {
                let Object::Pod(pod) = &version.object else { continue };
                if !version.gone && is_up(pod) && self.has(pod) {
                    self.ready_pods.insert(Rc::clone(&pod.metadata.uid));
                } else {
                    self.ready_pods.remove(&pod.metadata.uid);
                }
            }
        } else {
            self.owners = owners;
            let up = self.own(cluster).into_iter().filter(|pod| is_up(pod));
            self.ready_pods = up.map(|pod| Rc::clone(&pod.metadata.uid)).collect();
        }
        self.ready = i32::try_from(self.ready_pods.len()).unwrap_or(i32::MAX);
        let wanted = cluster.get(&self.workload).map_or(0, desired);
        let lost = if self.workload.kind == Kind::DaemonSet { self.not_ready_on_nodes(cluster) } else { 0 };
        self.not_ready = (wanted - self.ready).max(lost);
        self.wanted = wanted;
        self.most_wanted = self.most_wanted.max(wanted);
        self.left = object.map(|object| self.tally.shortfall_with(cluster, object, places)).unwrap_or_default();
        if self.not_ready > self.most {
            (self.most, self.most_ms) = (self.not_ready, 0);
        }
    }

    /// Nodes with a pod of it and without a Ready one: a DaemonSet does not want a pod on a lost node, and keeps the one there.
    fn not_ready_on_nodes(&self, cluster: &Cluster) -> i32 {
        let own = self.own(cluster);
        cluster.count_looks(own.len());
        let on = |is: fn(&Pod) -> bool| {
            // One that has no node yet is beside the old one, where the update surges.
            let pods = own.iter().filter(|pod| !pod.is_terminating() && !pod.spec.node_name.is_empty() && is(pod));
            pods.map(|pod| &pod.spec.node_name).collect::<BTreeSet<_>>()
        };
        i32::try_from(on(|_| true).difference(&on(Pod::is_ready)).count()).unwrap_or(i32::MAX)
    }

    fn pass(&mut self, now: i64) {
        let passed = (now - self.since).max(0);
        self.since = now;
        if self.not_ready > 0 && self.not_ready == self.most {
            self.most_ms += passed;
        }
        if self.wanted > 0 && self.ready == 0 {
            self.without_ms += passed;
        }
    }

    /// Whether this one, of another kind, has its name and takes its pods over once it is gone.
    pub(super) fn is_followed_by(&self, other: &ObjectRef) -> bool {
        let ObjectRef { kind, namespace, name } = &self.workload;
        let is_named = (namespace, name) == (&other.namespace, &other.name);
        is_named && *kind != other.kind && kind.has_ordinals() && other.kind.has_ordinals()
    }

    /// How many are Ready now.
    pub(super) fn ready_now(&self) -> LeastReady {
        LeastReady { workload: self.workload.clone(), ready: self.ready, desired: self.wanted }
    }

    /// How far it is from its end: pods that it wants and that are not Ready, and those that are left to be put right.
    pub(super) fn distance(&self) -> (i32, i32) {
        (self.not_ready, self.left.open())
    }

    /// The same in all that it lacks.
    pub(super) fn left(&self) -> Shortfall {
        self.left
    }

    /// Whether it is as it was asked to be, or gone.
    pub(super) fn is_finished(&self) -> bool {
        self.left.open() == 0
    }

    /// The second copies of its pods that ran in the meantime.
    fn copies(&self, start: &Cluster, end: &Cluster, own: &[&Rc<Pod>]) -> Vec<Copy> {
        let is_own = |pod: &ObjectRef| {
            pod.namespace == self.workload.namespace
                && (own.iter().any(|one| one.metadata.name == pod.name)
                    || self.pods.values().any(|name| *name == pod.name))
        };
        let is_placed =
            |name: &Rc<str>| own.iter().any(|pod| pod.metadata.name == *name && !pod.spec.node_name.is_empty());
        let mut copies = Vec::new();
        for (_, event) in end.trace().events.since(start.trace().events.len()) {
            let (pod, node) = match event {
                TraceEvent::SecondStarted { pod, other: node } | TraceEvent::GhostLeft { pod, node } => (pod, node),
                // Its node's object is gone: nobody waits for the kubelet to end it, however long that takes.
                TraceEvent::Collected { pod } if is_placed(&pod.name) => match start.get(pod) {
                    Ok(Object::Pod(old)) if start.node_health(&old.spec.node_name) == NodeHealth::Running => {
                        (pod, &old.spec.node_name)
                    }
                    _ => continue,
                },
                _ => continue,
            };
            let copy = Copy { pod: Rc::clone(&pod.name), node: Rc::clone(node) };
            if is_own(pod) && !copies.contains(&copy) {
                copies.push(copy);
            }
        }
        copies
    }

    pub(super) fn finish(
        self,
        start: &Cluster,
        run: &Session,
        judged: Option<Verdict>,
        holds: &[Held],
        drained: &[&Rc<str>],
    ) -> Course {
        let end = run.cluster();
        let astray = end.get(&self.workload).map(|object| astray(start, run, object, drained)).unwrap_or_default();
        let after = judged.map(|verdict| doubted(verdict, self.before.as_ref(), holds, [start, end], &astray));
        let own = self.own(end);
        let there: BTreeSet<&Rc<str>> = own.iter().map(|pod| &pod.metadata.uid).collect();
        let names: BTreeSet<&Rc<str>> = own.iter().map(|pod| &pod.metadata.name).collect();
        let replaced: Vec<Rc<str>> =
            self.pods.iter().filter(|(uid, _)| !there.contains(uid)).map(|(_, name)| Rc::clone(name)).collect();
        let is_released = |pod: &&&Rc<Pod>| {
            self.workload.kind != Kind::Pod
                && self.pods.contains_key(&pod.metadata.uid)
                && pod.metadata.controller_of().is_none()
        };
        let released = own.iter().filter(is_released).map(|pod| Rc::clone(&pod.metadata.name)).collect();
        let is_made = |pod: &&&Rc<Pod>| !self.pods.contains_key(&pod.metadata.uid);
        let made = own.iter().filter(is_made);
        let made = made.map(|pod| (Rc::clone(&pod.metadata.name), Rc::clone(&pod.spec.node_name))).collect();
        let mut kept_names = replaced.clone();
        kept_names.retain(|name| names.contains(name));
        let lost_claims = LostClaims::between(start, end, self.claims.values());
        let lost = lost_claims.all();
        let is_kept = |(name, claim): &(&Rc<str>, &Rc<PersistentVolumeClaim>)| {
            !lost.contains(name) && claim.metadata.deletion_timestamp.is_none()
        };
        let kept_claims = self.claims.iter().filter(is_kept).map(|(name, _)| Rc::clone(name)).collect();
        let copies = self.copies(start, end, &own);
        let uid = end.get(&self.workload).ok().map(|object| &object.metadata().uid);
        let is_recreated = uid.is_some_and(|uid| self.uid.as_ref().is_some_and(|old| old != uid));
        // A pod of its name that somebody made is another one.
        let is_going = match end.get(&self.workload) {
            Ok(object) => object.metadata().deletion_timestamp.is_some(),
            Err(_) => true,
        };
        Course {
            lost: self.owner.clone().filter(|_| is_going),
            preempted: Vec::new(),
            is_recreated,
            was: Some(self.kind).filter(|kind| *kind != self.workload.kind),
            mixed: mixed(end, &self.workload),
            changed_claims: changed(self.claims.values(), start, end),
            scaled_from_none: None,
            released: if is_going { Vec::new() } else { released },
            desired: (self.desired, end.get(&self.workload).map_or(0, desired)),
            ready: (self.ready_at_first, self.ready),
            before: self.before,
            after,
            replaced,
            kept_names,
            made,
            not_ready: self.not_ready,
            lacks: unfinished(end, &self.workload),
            without_node: end.get(&self.workload).map(|object| without_node(run, object)).unwrap_or_default(),
            most_desired: self.most_wanted.max(self.desired),
            most_not_ready: self.most,
            most_not_ready_ms: self.most_ms,
            without_ready_ms: self.without_ms,
            kept_claims,
            lost_claims,
            copies,
            astray,
            workload: self.workload,
        }
    }
}

/// Pods that it wants; of a pod by itself one.
fn desired(object: &Object) -> i32 {
    if matches!(object, Object::Pod(_)) { 1 } else { object.desired() }
}
