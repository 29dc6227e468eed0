//! What is made anew over and over: each look finds it on its way, or well for a while, and it does not stay so.

use super::lasted::reference;
use super::ordered::Ordered;
use super::pods::pods;
use crate::objects::{Kind, Object, ObjectRef, Pod, PodPhase, Time};
use crate::reconcile::parent_and_ordinal;
use crate::session::dump::Event;
use crate::sim::Cluster;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Made anew fewer times, it may have been somebody who tried something.
const TIMES: u64 = 5;
/// The same of what is scaled up and down again at intervals shorter than an autoscaler waits before it scales down
/// (--horizontal-pod-autoscaler-downscale-stabilization): no load does that. In times and milliseconds.
const FASTER_THAN_LOAD: (u64, i64) = (3, 300_000);
/// Who makes something anew goes on for as long as the last time is not older than so many of the times between.
const RECENT: i64 = 3;
/// What is made anew at longer intervals than this is there in between, in milliseconds.
const SHORT_MS: i64 = 120_000;
/// The same of pods that others than their controller take away: no load and no rollout does that.
const TAKEN_MS: i64 = 1_800_000;
/// The same of pods that were evicted for what is not told: a node that lacks something is free of it again after some minutes
/// (--eviction-pressure-transition-period).
const UNTOLD_MS: i64 = 300_000;
/// So many times as long as it takes to be as asked it may stay so.
const FACTOR: i64 = 5;
/// What is scaled up and down again at longer intervals than this, in milliseconds, may follow its load.
const SCALED_MS: i64 = 600_000;
/// What the kubelet says of a pod that it evicts for what that pod itself uses: the next one comes to the same.
const OWN_LIMIT: [&str; 4] = [
    "the total limit of containers",
    "exceeded its local ephemeral storage limit",
    "exceeds the limit",
    // Of a node that lacks something: a container of it uses more than it asks for.
    "has larger consumption of",
];

/// What happens again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is made anew itself.
    Itself,
    /// Pods of it are made, far more than it asks for.
    Pods,
    /// The same, and others than its controller take them away.
    Taken,
    /// Its template is changed back and forth.
    Template,
    /// It is scaled up and down again.
    Scaled,
    /// Its pods are evicted for what they use.
    Evicted,
    /// Its pods end, are not started again, and others are made in their place.
    Failed,
    /// Its pods are preempted, and find a place again when what was more urgent has ended.
    Preempted,
}

/// That a workload, or one of its pods, is made anew again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anew {
    /// What is made anew: the workload, or a pod of it.
    pub what: ObjectRef,
    /// What happens to it.
    pub how: How,
    /// How often it was made.
    pub times: u64,
    /// Of what is scaled, the least and the most that its events name, where they name two.
    pub between: Option<(i32, i32)>,
    /// From the first time to the last, in milliseconds.
    pub over_ms: i64,
    /// How long the last time is ago, in milliseconds.
    pub ago_ms: i64,
}

/// Moments at which something was made.
#[derive(Default)]
struct Made {
    times: u64,
    first: Option<Time>,
    last: Option<Time>,
}

impl Made {
    fn see(&mut self, times: u64, first: Time, last: Time) {
        self.times = self.times.saturating_add(times);
        self.first = Some(self.first.map_or(first, |known| known.min(first)));
        self.last = self.last.max(Some(last));
    }

    fn anew(&self, what: ObjectRef, now: Time) -> Option<Anew> {
        self.going_on(what, now).filter(|anew| anew.times >= TIMES)
    }

    /// The same, however few times it was.
    fn going_on(&self, what: ObjectRef, now: Time) -> Option<Anew> {
        let (first, last) = self.first.zip(self.last)?;
        let (over_ms, ago_ms) = (last.0.saturating_sub(first.0).max(0), now.0.saturating_sub(last.0).max(0));
        let anew = Anew { what, how: How::Itself, times: self.times, between: None, over_ms, ago_ms };
        let is_going_on = ago_ms <= anew.interval_ms().max(1_000).saturating_mul(RECENT);
        is_going_on.then_some(anew)
    }
}

impl Anew {
    /// The time between two times, in milliseconds.
    fn interval_ms(&self) -> i64 {
        self.over_ms / i64::try_from(self.times.saturating_sub(1)).unwrap_or(i64::MAX).max(1)
    }

    /// Whether what takes so many milliseconds to be as asked does not stay so for long.
    pub(super) fn undoes(&self, after_ms: i64) -> bool {
        match self.how {
            How::Itself | How::Pods | How::Template => {
                self.interval_ms() <= after_ms.saturating_mul(FACTOR).max(SHORT_MS)
            }
            How::Taken | How::Failed | How::Preempted => self.interval_ms() <= TAKEN_MS,
            How::Scaled => self.interval_ms() <= SCALED_MS,
            How::Evicted => true,
        }
    }
}

/// Whether the events tell that the workload, or one of its pods, is made anew again and again.
pub(crate) fn made_anew(cluster: &Cluster, object: &Object, events: &[Event]) -> Option<Anew> {
    let now = cluster.now();
    let scaled = || scaled_sets(object, events);
    of_uids(cluster, object, events, now)
        .or_else(|| of_scaled_ordinals(cluster, object, events))
        .or_else(|| of_ordinals(object, events, now))
        .or_else(|| of_evictions(cluster, object, events, now))
        .or_else(|| of_failures(cluster, object, now))
        .or_else(|| of_preemptions(cluster, object, events, now))
        .or_else(|| of_templates(object, scaled().0, now))
        .or_else(|| of_many(cluster, object, events, now))
        .or_else(|| of_scalings(cluster, object, scaled(), now))
}

/// How often each ReplicaSet of a Deployment was scaled up and down by its events, and the numbers that these name.
type Scaled<'e> = (BTreeMap<&'e str, [Made; 2]>, BTreeSet<i32>);

fn scaled_sets<'e>(object: &Object, events: &'e [Event]) -> Scaled<'e> {
    let (mut by_set, mut numbers) = Scaled::default();
    let scaled = events.iter().filter(|event| is_of(event, object) && &*event.reason == "ScalingReplicaSet");
    for event in scaled {
        // Scaled up replica set web-5d4f to 2 from 1; behind other words where many such events are told as one.
        let Some((_, said)) = event.message.split_once("Scaled ") else { continue };
        let (way, rest) = match said.split_once(" replica set ") {
            Some(("up", rest)) => (0, rest),
            Some(("down", rest)) => (1, rest),
            _ => continue,
        };
        let mut words = rest.split(' ');
        by_set.entry(words.next().unwrap_or_default()).or_default()[way].see(event.count, event.first, event.last);
        numbers.extend(words.filter_map(|word| word.parse::<i32>().ok()));
    }
    (by_set, numbers)
}

/// A Deployment of which two ReplicaSets take turns: each is scaled up and down again and again.
fn of_templates(object: &Object, by_set: BTreeMap<&str, [Made; 2]>, now: Time) -> Option<Anew> {
    let turns = by_set.into_values().filter_map(|ways| to_and_fro(ways, &object.reference(), now));
    let mut turns: Vec<Anew> = turns.filter(|turn| turn.times >= TIMES).collect();
    turns.sort_by_key(|turn| std::cmp::Reverse(turn.times));
    let second = turns.into_iter().nth(1)?;
    Some(Anew { how: How::Template, ..second })
}

/// A Deployment that is scaled up, and down again by as many, by its events. What a rollout makes of its ReplicaSets, and what a
/// correction takes back, is no scaling: others of them have pods, or are scaled too.
fn of_scalings(cluster: &Cluster, object: &Object, (by_set, numbers): Scaled<'_>, now: Time) -> Option<Anew> {
    let times = |[up, down]: &[Made; 2]| up.times.saturating_add(down.times);
    let all: u64 = by_set.values().map(times).sum();
    let sets = cluster.replica_sets_of(object);
    let is_alone = |(name, ways): &(&str, [Made; 2])| {
        let has_others = sets.iter().any(|set| *set.metadata.name != **name && set.replicas() > 0);
        !has_others && all - times(ways) < times(ways) / 2
    };
    let between = numbers.first().copied().zip(numbers.last().copied()).filter(|(least, most)| least < most);
    let anew = by_set.into_iter().filter(is_alone).find_map(|(_, ways)| to_and_fro(ways, &object.reference(), now))?;
    let is_fast = anew.times >= FASTER_THAN_LOAD.0 && anew.interval_ms() <= FASTER_THAN_LOAD.1;
    (anew.times >= TIMES || is_fast).then_some(Anew { between, ..anew })
}

/// That it goes up and down again as often.
fn to_and_fro([up, down]: [Made; 2], own: &ObjectRef, now: Time) -> Option<Anew> {
    let [first, last] = [up.first.min(down.first)?, up.last.max(down.last)?];
    let both = Made { times: up.times.min(down.times), first: Some(first), last: Some(last) };
    Some(Anew { how: How::Scaled, ..both.going_on(own.clone(), now)? })
}

/// A set whose higher pods are deleted and made again while its first one is not: an update comes to all, unless a partition keeps
/// that one old. One that has failed is deleted to be made again, and its set says so.
fn of_scaled_ordinals(cluster: &Cluster, object: &Object, events: &[Event]) -> Option<Anew> {
    let (own, now) = (object.reference(), cluster.now());
    let set = Ordered::of(object).filter(|set| set.partition() <= 0)?;
    let is_repaired = |event: &Event| is_of(event, object) && event.reason.starts_with("Recreating");
    if events.iter().any(is_repaired) {
        return None;
    }
    let first = (set.start()..=i32::MAX).find(|ordinal| !set.is_reserved(*ordinal))?;
    let mut by_ordinal: BTreeMap<i32, [Made; 2]> = BTreeMap::new();
    for event in events.iter().filter(|event| is_of(event, object)) {
        let way = match &*event.reason {
            "SuccessfulCreate" => 0,
            "SuccessfulDelete" => 1,
            _ => continue,
        };
        let Some((_, ordinal)) = pod_in(&event.message).and_then(parent_and_ordinal) else { continue };
        by_ordinal.entry(ordinal).or_default()[way].see(event.count, event.first, event.last);
    }
    if by_ordinal.get(&first).is_some_and(|[_, deleted]| deleted.times > 0) {
        return None;
    }
    let all = by_ordinal.into_values().filter_map(|ways| to_and_fro(ways, &own, now));
    let most = all.filter(|anew| anew.times >= TIMES).max_by_key(|anew| anew.times)?;
    // Events are told of some pods alone where there are many: the first one was made anew too.
    let began = now.0.saturating_sub(most.ago_ms).saturating_sub(most.over_ms);
    let is_new = |pod: &Rc<Pod>| {
        parent_and_ordinal(&pod.metadata.name).is_some_and(|(_, ordinal)| ordinal == first)
            && pod.metadata.creation_timestamp.is_some_and(|made| made.0 > began)
    };
    (!pods(cluster, object).into_iter().any(is_new)).then_some(most)
}

/// The pod in `create Pod web-0 in StatefulSet web successful`.
fn pod_in(message: &str) -> Option<&str> {
    message.split(' ').skip_while(|word| *word != "Pod").nth(1)
}

/// Pods that were evicted one after the other for what they use themselves. A controller that takes each away says so, and leaves the last
/// one at most.
fn of_evictions(cluster: &Cluster, object: &Object, events: &[Event], now: Time) -> Option<Anew> {
    let is_evicted = |pod: &&Rc<Pod>| {
        let status = &pod.status;
        status.phase == PodPhase::Failed
            && &*status.reason == "Evicted"
            && (status.message.is_empty() || OWN_LIMIT.iter().any(|words| status.message.contains(words)))
    };
    let mut made = Made::default();
    for at in pods(cluster, object).into_iter().filter(is_evicted).filter_map(|pod| pod.metadata.creation_timestamp) {
        made.see(1, at, at);
    }
    if made.times > 0 {
        let is_repaired = |event: &&Event| matches!(&*event.reason, "FailedDaemonPod" | "RecreatingFailedPod");
        let repaired = events.iter().filter(is_repaired).filter(|event| is_of(event, object));
        repaired.for_each(|event| made.see(event.count, event.first, event.last));
    }
    let anew = made.anew(object.reference(), now)?;
    // Where it is not told why, as in a row, those that come fast after each other tell that it goes on.
    let is_told = pods(cluster, object).into_iter().any(|pod| is_evicted(&pod) && !pod.status.message.is_empty());
    (is_told || anew.interval_ms() <= UNTOLD_MS).then_some(Anew { how: How::Evicted, ..anew })
}

/// Pods that have ended one after the other for no reason of a node's, as where a container is not to be started again: a workload
/// without ordinals makes the next one and leaves them.
fn of_failures(cluster: &Cluster, object: &Object, now: Time) -> Option<Anew> {
    let has_failed = |pod: &&Rc<Pod>| pod.status.phase == PodPhase::Failed && pod.status.reason.is_empty();
    let mut made = Made::default();
    for at in pods(cluster, object).into_iter().filter(has_failed).filter_map(|pod| pod.metadata.creation_timestamp) {
        made.see(1, at, at);
    }
    let anew = made.anew(object.reference(), now)?;
    is_more_than_asked(&anew, object).then_some(Anew { how: How::Failed, ..anew })
}

/// Pods that the scheduler took away for more urgent ones, by its events: what is more urgent once takes each of them once.
fn of_preemptions(cluster: &Cluster, object: &Object, events: &[Event], now: Time) -> Option<Anew> {
    let sets = cluster.replica_sets_of(object).into_iter().map(|set| &set.metadata.name);
    let owners: BTreeSet<&Rc<str>> = sets.chain([&object.metadata().name]).collect();
    let is_own = |event: &&Event| {
        let owner = event.name.rsplit_once('-').map(|(owner, _)| owner);
        &*event.kind == "Pod"
            && &*event.reason == "Preempted"
            && event.namespace == object.metadata().namespace
            && owners.iter().any(|own| owner == Some(&***own))
    };
    let mut made = Made::default();
    events.iter().filter(is_own).for_each(|event| made.see(event.count, event.first, event.last));
    let anew = made.going_on(object.reference(), now).filter(|anew| anew.times >= FASTER_THAN_LOAD.0)?;
    is_more_than_asked(&anew, object).then_some(Anew { how: How::Preempted, ..anew })
}

/// Whether it happened to more pods than the workload asks for.
fn is_more_than_asked(anew: &Anew, object: &Object) -> bool {
    anew.times > u64::try_from(object.desired()).unwrap_or(0)
}

fn is_about(event: &Event, own: &ObjectRef) -> bool {
    *event.kind == *own.kind.as_str() && event.name == own.name && event.namespace == own.namespace
}

/// Whether it is about this object, and not about one that had its name before.
fn is_of(event: &Event, object: &Object) -> bool {
    let uid = &object.metadata().uid;
    is_about(event, &object.reference()) && (event.uid.is_empty() || uid.is_empty() || event.uid == *uid)
}

/// Events about objects of its name with other uids: it was deleted and made again.
fn of_uids(cluster: &Cluster, object: &Object, events: &[Event], now: Time) -> Option<Anew> {
    let of = |own: &ObjectRef, uid: &Rc<str>, created: Option<Time>| {
        let mut first: BTreeMap<&Rc<str>, Time> = BTreeMap::new();
        for event in events.iter().filter(|event| is_about(event, own) && !event.uid.is_empty()) {
            let known = first.entry(&event.uid).or_insert(event.first);
            *known = event.first.min(*known);
        }
        if let Some(created) = created {
            first.insert(uid, created);
        }
        let mut made = Made::default();
        first.values().for_each(|at| made.see(1, *at, *at));
        made.anew(own.clone(), now)
    };
    let metadata = object.metadata();
    let own = of(&object.reference(), &metadata.uid, metadata.creation_timestamp);
    own.or_else(|| {
        let pods = pods(cluster, object).into_iter().filter(|_| object.kind().has_ordinals());
        let of_pod = |pod: &Rc<Pod>| of(&reference(pod), &pod.metadata.uid, pod.metadata.creation_timestamp);
        pods.filter_map(of_pod).max_by_key(|anew| anew.times)
    })
}

/// Pods of a set that are made under the same name again and again, by its own events.
fn of_ordinals(object: &Object, events: &[Event], now: Time) -> Option<Anew> {
    if !object.kind().has_ordinals() {
        return None;
    }
    let mut by_pod: BTreeMap<&str, Made> = BTreeMap::new();
    let made = events.iter().filter(|event| is_of(event, object) && &*event.reason == "SuccessfulCreate");
    for event in made {
        if let Some(pod) = pod_in(&event.message) {
            by_pod.entry(pod).or_default().see(event.count, event.first, event.last);
        }
    }
    let anew = |(pod, made): (&str, Made)| {
        let namespace = Rc::clone(&object.metadata().namespace);
        made.anew(ObjectRef { kind: Kind::Pod, namespace, name: pod.into() }, now)
    };
    by_pod.into_iter().filter_map(anew).max_by_key(|anew| anew.times)
}

/// Pods without ordinals: far more were made than there are, and as many were deleted.
fn of_many(cluster: &Cluster, object: &Object, events: &[Event], now: Time) -> Option<Anew> {
    if object.kind().has_ordinals() || object.kind() == Kind::Pod {
        return None;
    }
    let sets = cluster.replica_sets_of(object).into_iter().map(|set| Object::ReplicaSet(Rc::clone(set)));
    let owners: Vec<Object> = sets.chain([object.clone()]).collect();
    let [mut made, mut deleted] = [Made::default(), Made::default()];
    for event in events.iter().filter(|event| owners.iter().any(|own| is_of(event, own))) {
        match &*event.reason {
            "SuccessfulCreate" => made.see(event.count, event.first, event.last),
            "SuccessfulDelete" => deleted.see(event.count, event.first, event.last),
            _ => {}
        }
    }
    // A rollout and a scaling make each pod once or twice.
    let most = u64::try_from(object.desired()).unwrap_or(0).saturating_mul(3).saturating_add(TIMES);
    let how = if made.times.saturating_sub(deleted.times) > most { How::Taken } else { How::Pods };
    (made.times > most).then(|| made.anew(object.reference(), now))?.map(|anew| Anew { how, ..anew })
}
