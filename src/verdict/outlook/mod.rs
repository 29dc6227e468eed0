//! What becomes of every workload if nobody does anything: one run without help, in which all are counted.

mod judged;
mod peers;

use crate::bounds;
use crate::objects::{Kind, Object, ObjectRef, Time};
use crate::session::Session;
use crate::session::dump::{CAME, Event, Held};
use crate::sim::Cluster;
use crate::verdict::acts::Acts;
use crate::verdict::anew::{Anew, made_anew};
use crate::verdict::available::available_at;
use crate::verdict::awaits::Await;
use crate::verdict::belongings::Belongings;
use crate::verdict::known::{Ends, Verdict, Why};
use crate::verdict::lasted::{Watch, reference};
use crate::verdict::pods::{is_being_deleted, pods, takes};
use crate::verdict::shortfall::{Shortfall, Tally};
use crate::verdict::told::{joining, of_pods};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How long a workload may come no nearer to what it was asked to be, in milliseconds: longer than any timer of a cluster but those
/// that a workload itself sets.
const HORIZON_MS: i64 = 3_600_000;
/// Events that a run without help may take, beside those that its pods need.
const EVENTS: u64 = bounds::EVENTS.most();
/// Events that each pod may need.
const EVENTS_OF_POD: u64 = 60;
/// So many times the pods that there are or should be may be made.
const MADE: usize = bounds::MADE.most() as usize;
/// Where nothing has changed in so many events, all later than so many milliseconds, nothing comes: a controller that tries again
/// at once, and each time does nothing, goes on for ever.
const QUIET: (u64, i64) = (10_000, 600_000);
/// Virtual milliseconds in which every controller syncs each of its objects once.
const FIRST_SYNCS_MS: i64 = 100;

/// One workload in the run.
struct Watched {
    workload: ObjectRef,
    is_deleted: bool,
    tally: Tally,
    /// How far it was from what it was asked to be at the run's moment.
    found: Shortfall,
    lingers_since: Option<i64>,
    /// The fewest pods that were left to be put right, and since when that is so.
    nearest: (i32, i64),
    outcome: Option<Outcome>,
    first: Option<Acts>,
    next: Option<Acts>,
    /// That making a pod was refused.
    refused: Option<Watch>,
    /// That nothing of it has moved for long.
    stands: Option<Watch>,
    /// That it is made anew again and again.
    anew: Option<Anew>,
}

/// What the run came to for one workload.
struct Outcome {
    ends: Ends,
    available_after: Option<i64>,
    staying: Vec<Rc<str>>,
}

/// A run without help on its way.
pub(crate) struct Outlook {
    run: Session,
    before: Session,
    start: i64,
    first: u64,
    events: u64,
    holds: Vec<Held>,
    /// How many versions of objects have been looked at.
    seen: usize,
    /// The position after the last of them.
    changed: u64,
    /// The run once every controller has synced each of its objects.
    rest: Option<Session>,
    watched: Vec<Watched>,
    /// How many syncs have been looked at.
    synced: usize,
    /// Which of them has an object.
    belongings: Belongings,
    /// States of pods at the run's moment, by uid.
    states: BTreeMap<Rc<str>, Watch>,
    /// What is on its way to pods then, by uid.
    awaits: BTreeMap<Rc<str>, Await>,
    /// Nodes that are taken to get Ready, though nothing shows it, by name: how long ago they came, in milliseconds, where the text
    /// says that they are not.
    joining: BTreeMap<Rc<str>, Option<i64>>,
    pods: BTreeSet<Rc<str>>,
    most_pods: usize,
    open: usize,
    /// How long one of them may come no nearer, in milliseconds.
    horizon: i64,
    /// When one of them may have come no nearer for too long.
    deadline: i64,
}

/// How long a workload of the run may come no nearer to what it was asked to be, in milliseconds: a pod may have to be Ready for longer
/// than any other timer runs before it counts.
pub fn horizon(cluster: &Cluster) -> i64 {
    let longest = cluster.workloads().map(Object::min_ready_seconds).max().unwrap_or(0);
    HORIZON_MS.saturating_add(i64::from(longest.max(0)).saturating_mul(1_000))
}

/// Whether a workload of the run that has come no nearer since one moment has had its time by another; both in milliseconds.
pub(crate) fn is_too_late(cluster: &Cluster, since: i64, next: i64) -> bool {
    let over = next.saturating_sub(since);
    over > HORIZON_MS && over > horizon(cluster)
}

/// The pods that all workloads ask for. A DaemonSet asks for none before its controller has looked at the nodes.
fn asked(cluster: &Cluster) -> usize {
    let objects = Kind::ALL.iter().filter(|kind| kind.is_workload()).flat_map(|kind| cluster.objects(*kind));
    let of = |object: &Object| match object {
        Object::DaemonSet(_) => cluster.nodes().count(),
        object => usize::try_from(object.desired()).unwrap_or(0),
    };
    objects.map(of).fold(0, usize::saturating_add)
}

/// The events that a run without help may take.
pub fn limit(cluster: &Cluster) -> u64 {
    let pods = asked(cluster).saturating_add(cluster.pods().count());
    EVENTS.saturating_add(EVENTS_OF_POD.saturating_mul(pods as u64))
}

/// The pods that a run which began with so many may have made, or have, where its workloads ask for what they do in this cluster.
fn most_pods(before: usize, cluster: &Cluster) -> usize {
    before.saturating_add(asked(cluster)).saturating_mul(MADE).saturating_add(300)
}

/// Whether what was asked has taken more looks at pods and nodes than anybody waits for.
pub(crate) fn has_looked_enough(cluster: &Cluster) -> bool {
    cluster.looks() > bounds::LOOKS.most()
}

/// Whether a run has made so many pods since it was this cluster that making them has no end, as where a kubelet rejects each, or has
/// looked at so many that nobody waits for its end.
fn takes_too_much(before: &Cluster, now: &Cluster) -> bool {
    now.pods().count() > most_pods(before.pods().count(), now) || has_looked_enough(now)
}

/// Events between two counts of the pods.
const LOOK: u64 = 128;

/// Whether a run that began as `start` has taken more than so many events, or more work than anybody waits for: then what becomes of
/// it is not known.
pub fn has_run_out(start: &Session, run: &Session, limit: u64) -> bool {
    let events = run.position().0 - start.position().0;
    events > limit || events.is_multiple_of(LOOK) && takes_too_much(start.cluster(), run.cluster())
}

/// What is known of every workload, and the run once every controller has synced each of its objects.
pub struct Judged {
    /// Of each workload, in the order of kinds and names.
    pub verdicts: Vec<Verdict>,
    /// The run then.
    pub rest: Session,
    /// Events that were followed.
    pub events: u64,
}

/// What becomes of every workload of a run from its moment on.
pub fn judge(session: &Session, events: &[Event], holds: &[Held]) -> Judged {
    let mut outlook = Outlook::new(session, events, holds);
    while outlook.advance(EVENTS) {}
    outlook.finish()
}

/// What is told of: every workload but the ReplicaSets of Deployments, and pods that none of them controls. ReplicaSets that somebody
/// else owns are told of where they have pods, or should.
fn subjects(cluster: &Cluster) -> Vec<ObjectRef> {
    let objects = || Kind::ALL.iter().filter(|kind| kind.is_workload()).flat_map(|kind| cluster.objects(*kind));
    let known: BTreeSet<&Rc<str>> = objects().map(|object| &object.metadata().uid).collect();
    let is_told = |object: &&Object| match object {
        Object::ReplicaSet(set) => set.metadata.controller_of().is_none_or(|owner| {
            !known.contains(&owner.uid) && (object.desired() > 0 || !pods(cluster, object).is_empty())
        }),
        object => object.is_workload(),
    };
    let mut all: Vec<ObjectRef> = objects().filter(is_told).map(Object::reference).collect();
    let has_workloads = !all.is_empty();
    for pod in cluster.pods() {
        let is_own = pod.metadata.controller_of().is_some_and(|owner| known.contains(&owner.uid));
        let is_well = pod.is_ready() && !pod.is_terminating();
        let is_own = is_own || cluster.workloads().any(|object| takes(object, pod));
        if !is_own && !(has_workloads && (is_well || pod.has_ended())) {
            all.push(reference(pod));
        }
    }
    all
}

impl Outlook {
    /// Nothing has happened yet since the run's moment.
    pub(crate) fn new(session: &Session, events: &[Event], holds: &[Held]) -> Self {
        let (run, cluster) = (session.clone(), session.cluster());
        let now = cluster.now();
        let mut outlook = Self {
            before: session.clone(),
            holds: holds.to_vec(),
            start: now.0,
            first: run.position().0,
            changed: run.position().0,
            events: limit(cluster),
            seen: cluster.trace().history.len(),
            rest: None,
            watched: Vec::new(),
            synced: cluster.trace().syncs.len(),
            belongings: Belongings::default(),
            states: BTreeMap::new(),
            awaits: BTreeMap::new(),
            joining: joining(cluster, events),
            pods: cluster.pods().map(|pod| Rc::clone(&pod.metadata.uid)).collect(),
            most_pods: most_pods(cluster.pods().count(), cluster),
            open: 0,
            horizon: horizon(cluster),
            deadline: now.0.saturating_add(horizon(cluster)),
            run,
        };
        let came = events.iter().filter(|event| &*event.reason == CAME);
        let came: BTreeMap<_, Time> = came.map(|event| ((&event.namespace, &event.name), event.last)).collect();
        let told = of_pods(events);
        for pod in cluster.pods() {
            let told = told.get(&(&pod.metadata.namespace, &pod.metadata.name)).copied().unwrap_or_default();
            let came = came.get(&(&pod.metadata.namespace, &pod.metadata.name)).copied();
            outlook.awaits.extend(told.awaits(cluster, pod).map(|awaits| (Rc::clone(&pod.metadata.uid), awaits)));
            if let Some(state) = Watch::of_pod(cluster, pod, came, told) {
                outlook.states.insert(Rc::clone(&pod.metadata.uid), state);
            }
        }
        for workload in subjects(cluster) {
            let Ok(object) = cluster.get(&workload) else { continue };
            outlook.belongings.add(cluster, &workload, outlook.watched.len());
            let mut own = vec![workload.clone()];
            own.extend(
                cluster.replica_sets_of(object).iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()),
            );
            let mut tally = Tally::default();
            let found = tally.shortfall(cluster, object);
            outlook.watched.push(Watched {
                is_deleted: is_being_deleted(cluster, &workload),
                refused: Watch::of_workload(&own, events),
                stands: Watch::of_standing(cluster, object, found, events),
                anew: made_anew(cluster, object, events),
                lingers_since: None,
                nearest: (i32::MAX, now.0),
                outcome: None,
                first: None,
                next: None,
                workload,
                tally,
                found,
            });
        }
        outlook.open = outlook.watched.len();
        for at in 0..outlook.watched.len() {
            outlook.look(at, &[]);
        }
        outlook
    }

    /// Follows it for at most so many events. False if there is nothing left to be seen.
    pub(crate) fn advance(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if self.rest.is_some() && self.open == 0 {
                return false;
            }
            let next = self.run.cluster().next_event_at().map_or(i64::MAX, |at| at.0);
            if self.rest.is_none() && next > self.start + FIRST_SYNCS_MS {
                self.come_to_rest();
                continue;
            }
            if next > self.deadline {
                self.end_those_that_stand(next);
                continue;
            }
            let position = self.run.position().0;
            if position - self.changed >= QUIET.0 && self.after() >= QUIET.1 {
                self.end_those_that_stand(i64::MAX);
                continue;
            }
            if position - self.first >= self.events
                || self.pods.len() > self.most_pods
                || has_looked_enough(self.run.cluster())
            {
                self.run_out();
                continue;
            }
            self.run.step();
            self.see_changes();
        }
        true
    }

    /// How many workloads are decided, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (self.watched.len() - self.open, self.watched.len())
    }

    fn after(&self) -> i64 {
        self.run.cluster().now().0 - self.start
    }

    /// Every controller has synced each of its objects: what is as it was asked to be now was so from the first.
    fn come_to_rest(&mut self) {
        let left = self.start + FIRST_SYNCS_MS - self.run.cluster().now().0;
        self.run.advance(left);
        let syncs = &self.run.cluster().trace().syncs;
        for sync in syncs.since(self.synced) {
            if let Some(one) = self.belongings.named(&sync.subject).and_then(|at| self.watched.get_mut(at))
                && one.first.is_none()
            {
                one.first = Acts::of(sync);
            }
        }
        self.synced = syncs.len();
        self.rest = Some(self.run.clone());
        for at in 0..self.watched.len() {
            self.look(at, &[]);
        }
    }

    /// Looks at the workloads that the last event has touched.
    fn see_changes(&mut self) {
        let after = self.after();
        let mut touched: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let history = &self.run.cluster().trace().history;
        for (place, version) in (self.seen..).zip(history.since(self.seen)) {
            let [has, lost] = self.belongings.see(&version.object);
            if let Object::Pod(pod) = &version.object {
                let uid = &pod.metadata.uid;
                if let Some(state) = self.states.get_mut(uid) {
                    state.see(pod, version.gone, after);
                }
                if self.pods.insert(Rc::clone(uid))
                    && let Some(refused) = has.and_then(|at| self.watched[at].refused.as_mut())
                {
                    refused.see_moved(after);
                }
            }
            for at in [has, lost].into_iter().flatten() {
                touched.entry(at).or_default().push(place);
            }
        }
        if history.len() > self.seen {
            (self.seen, self.changed) = (history.len(), self.run.position().0);
        }
        if self.rest.is_some() {
            let syncs = &self.run.cluster().trace().syncs;
            for sync in syncs.since(self.synced) {
                if let Some(one) = self.belongings.named(&sync.subject).and_then(|at| self.watched.get_mut(at))
                    && one.next.is_none()
                {
                    one.next = Acts::of(sync);
                }
            }
            self.synced = syncs.len();
        }
        for (at, places) in touched {
            self.look(at, &places);
        }
    }

    /// Looks at one workload as it is now, of which the versions at these places are new.
    fn look(&mut self, at: usize, places: &[usize]) {
        let (now, cluster) = (self.run.cluster().now().0, self.run.cluster());
        let Some(one) = self.watched.get_mut(at).filter(|one| one.outcome.is_none()) else { return };
        let (left, is_well) = match cluster.get(&one.workload) {
            Ok(object) => {
                let left = one.tally.shortfall_with(cluster, object, places);
                let is_kept = object.metadata().deletion_timestamp.is_none();
                let lingers = is_kept
                    && object.desired() > 0
                    && Shortfall { surplus: 0, ..left }.is_none()
                    && left.surplus > 0
                    && all_terminate(cluster, object, left.surplus);
                one.lingers_since = lingers.then(|| one.lingers_since.unwrap_or(now));
                (left, !one.is_deleted && left.is_none())
            }
            Err(_) => (Shortfall::default(), one.is_deleted),
        };
        if left != one.found
            && let Some(stands) = &mut one.stands
        {
            stands.see_moved(now - self.start);
        }
        let open = left.open();
        if open < one.nearest.0 {
            one.nearest = (open, now);
        }
        let is_leaving = |object| is_leaving(cluster, object);
        if is_well && self.rest.is_some() && !cluster.get(&one.workload).is_ok_and(is_leaving) {
            let available = cluster.get(&one.workload).ok().and_then(|object| available_at(cluster, object));
            let well_at = available.map_or(now, |at| at.0);
            one.outcome = Some(Outcome {
                ends: Ends::ByItself { after: well_at - self.start },
                available_after: None,
                staying: vec![],
            });
            self.open -= 1;
        }
    }

    /// Ends what has come no nearer for too long before the next event, and sees when the next may have.
    fn end_those_that_stand(&mut self, next: i64) {
        let (start, cluster) = (self.start, self.run.cluster());
        self.deadline = i64::MAX;
        for one in self.watched.iter_mut().filter(|one| one.outcome.is_none()) {
            let until = one.nearest.1.saturating_add(self.horizon);
            if next <= until {
                self.deadline = self.deadline.min(until);
                continue;
            }
            let object = cluster.get(&one.workload).ok();
            let own = object.map(|object| pods(cluster, object)).unwrap_or_default();
            let staying = own.iter().filter(|pod| pod.is_terminating()).map(|pod| Rc::clone(&pod.metadata.name));
            one.outcome = Some(Outcome {
                ends: Ends::Never,
                available_after: one.lingers_since.map(|since| since - start),
                staying: staying.collect(),
            });
            self.open -= 1;
        }
    }

    /// Ends what is not decided when the run may not go on.
    fn run_out(&mut self) {
        if self.rest.is_none() {
            self.rest = Some(self.run.clone());
        }
        let why = Why::Budget { events: self.run.position().0 - self.first, ms: self.after() };
        for one in self.watched.iter_mut().filter(|one| one.outcome.is_none()) {
            let ends = Ends::NotKnown(why.clone());
            one.outcome = Some(Outcome { ends, available_after: None, staying: Vec::new() });
        }
        self.open = 0;
    }
}

/// Whether a pod of it is Ready and does not stay: its toleration runs out.
pub(crate) fn is_leaving(cluster: &Cluster, object: &Object) -> bool {
    pods(cluster, object).iter().any(|pod| cluster.is_to_be_evicted(pod))
}

/// Whether the pods that are too many are all being deleted.
fn all_terminate(cluster: &Cluster, object: &Object, surplus: i32) -> bool {
    let terminating = pods(cluster, object).into_iter().filter(|pod| pod.is_terminating()).count();
    i32::try_from(terminating).is_ok_and(|terminating| terminating == surplus)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::{Ends, Why, judge};
    use crate::bounds;
    use crate::session::Session;

    const DEPLOYMENT: &str = r#"{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 40,
        "selector": {"matchLabels": {"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "web", "image": "web:1"}]}}}}"#;

    #[test]
    fn what_too_many_looks_would_tell_is_not_known() {
        let session = Session::start(DEPLOYMENT, 1).unwrap();
        let ends = |looks: usize| {
            session.cluster().forget_looks();
            session.cluster().count_looks(usize::try_from(bounds::LOOKS.most()).unwrap() - looks);
            judge(&session, &[], &[]).verdicts.remove(0).ends
        };
        // At least one sync after each pod's start, all of which read all pods.
        assert!(matches!(ends(40 * 40), Ends::NotKnown(Why::Budget { events, .. }) if events > 40));
        assert!(matches!(ends(40 * 40 * 10), Ends::ByItself { .. }));
    }
}
