//! What a lane's record says of its workload's pods, read moment by moment: a record that has grown is read on from where the
//! reading ended.

use super::outcome::{Kept, Outcome, Stretch, is_available, outcome};
use super::{Counts, Figures, Lane, Lanes, wanted};
use crate::kubectl::Command;
use crate::objects::{ContainerStatus, LabelSelector, Object, ObjectRef, Pod, Time};
use crate::session::Logged;
use crate::sim::{Cluster, ObjectVersion, START};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the records of all lanes say.
#[derive(Default)]
pub(crate) struct Accounts(Vec<OfLane>);

/// Up to where results count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The moment at which the lanes are.
    Cursor,
    /// Where what is known of them ends.
    End,
}

impl Until {
    fn cluster(self, lane: &Lane) -> &Cluster {
        match self {
            Self::Cursor => lane.session.cluster(),
            Self::End => lane.session.latest(),
        }
    }

    /// The commands that had been given by then.
    fn given(self, lane: &Lane) -> &[Logged] {
        let known = &lane.session.scenario().commands;
        match self {
            Self::Cursor => &known[..lane.session.commands_given()],
            Self::End => known,
        }
    }
}

/// What is counted of a lane.
pub(super) struct Span<'a> {
    /// The cluster at the end of it.
    pub(super) cluster: &'a Cluster,
    pub(super) set: &'a ObjectRef,
    /// Its beginning, in milliseconds since the start.
    pub(super) since: i64,
    pub(super) given: &'a [Logged],
}

/// What one lane's record says up to its end, and up to the cursor if that is elsewhere.
#[derive(Default)]
struct OfLane {
    whole: Account,
    here: Option<Account>,
}

/// What a record says up to some moment.
#[derive(Default)]
pub(super) struct Account {
    of: Option<Of>,
    /// So many moments are read.
    taken: usize,
    /// By uid, those that are gone included.
    pods: BTreeMap<Rc<str>, Known>,
    /// Of the pods there are.
    all: Counts,
    /// As the workload asks for.
    wanted: i32,
    /// Every state that the pods were in together, with the moment from which on.
    course: Vec<(i64, Counts)>,
    /// The same with what was asked for.
    stretches: Vec<Stretch>,
    /// The last moment at which a pod changed.
    last_change: Option<i64>,
    /// Pods that were made while none had gone yet and none was there before: the workload comes to its number.
    first_ones: i32,
    some_went: bool,
    /// Names of pods that were made before the counting began.
    names_before: BTreeSet<Rc<str>>,
    /// Names of the pods that were there when it began, and of their claims; none before it has begun.
    held: Option<Held>,
}

/// What an account is of.
#[derive(Clone, PartialEq)]
struct Of {
    branch: usize,
    set: ObjectRef,
    /// None where the workload is gone: then every pod counts.
    selector: Option<LabelSelector>,
    /// The counting begins then, in milliseconds since the start.
    since: i64,
}

/// Names of pods, and of claims.
type Held = (BTreeSet<Rc<str>>, BTreeSet<Rc<str>>);

/// A pod that there is or was.
struct Known {
    pod: Rc<Pod>,
    /// Nothing once it is gone.
    counts: Counts,
    /// Whether it was made after the counting began.
    is_made: bool,
    /// When the counting began, and now.
    restarts: (i32, i32),
}

impl Accounts {
    /// Takes in what the lanes' records have gained, or everything of other lanes.
    pub(crate) fn follow(&mut self, lanes: &Lanes) {
        self.0.resize_with(lanes.lanes().len(), OfLane::default);
        for (own, lane) in self.0.iter_mut().zip(lanes.lanes()) {
            let (latest, cluster) = (lane.session.latest(), lane.session.cluster());
            own.whole.follow(lane, latest, lanes.since());
            let is_at_end = latest.trace().history.len() == cluster.trace().history.len();
            own.here = (!is_at_end).then(|| {
                let mut here = own.here.take().unwrap_or_default();
                here.follow(lane, cluster, lanes.since());
                here
            });
        }
    }

    /// Every state that each lane's pods were in together, with the moment from which on, as far as the runs are known.
    pub(crate) fn courses(&self) -> Vec<Vec<(i64, Counts)>> {
        self.0.iter().map(|own| own.whole.course.clone()).collect()
    }

    /// How many pods each lane had available of how many, as far as the runs are known.
    pub(crate) fn availability(&self) -> Vec<Vec<Stretch>> {
        self.0.iter().map(|own| own.whole.stretches(0)).collect()
    }

    /// What each lane came to for those who use its workload, and its results.
    pub(crate) fn results(&self, lanes: &Lanes, until: Until) -> Vec<(Outcome, Figures)> {
        let of = |(lane, own): (&Lane, &OfLane)| {
            let cluster = until.cluster(lane);
            let account = own.here.as_ref().filter(|_| until == Until::Cursor).unwrap_or(&own.whole);
            let span = Span { cluster, set: &lane.set, since: lanes.since(), given: until.given(lane) };
            (outcome(&span, account), account.figures(&span))
        };
        lanes.lanes().iter().zip(&self.0).map(of).collect()
    }
}

impl Account {
    /// Takes in what the record of this cluster has gained.
    fn follow(&mut self, lane: &Lane, cluster: &Cluster, since: i64) {
        let selector = cluster.get(&lane.set).ok().and_then(Object::selector).cloned();
        let branch = lane.session.branches().0.number;
        let of = Some(Of { branch, set: lane.set.clone(), selector, since });
        let history = &cluster.trace().history;
        if self.of != of || self.taken > history.len() {
            *self = Self { of, ..Self::default() };
        }
        let Some(of) = self.of.clone() else { return };
        for moment in history.since(self.taken) {
            self.take(&of, moment);
        }
        self.taken = history.len();
    }

    fn take(&mut self, of: &Of, moment: &ObjectVersion) {
        let at = moment.at.0 - START.0;
        if at > of.since && self.held.is_none() {
            self.held = Some(self.holds());
        }
        match &moment.object {
            Object::Pod(pod) if of.is_own(pod) => self.take_pod(of, (at, moment.gone), pod),
            object if object.kind() == of.set.kind && object.reference() == of.set => {
                self.wanted = if moment.gone { 0 } else { object.desired() };
            }
            _ => return,
        }
        let stretch = Stretch { at, available: self.all.available, wanted: self.wanted };
        match self.stretches.last_mut() {
            // What happens in one moment counts as one.
            Some(last) if last.at == at => *last = stretch,
            _ => self.stretches.push(stretch),
        }
    }

    fn take_pod(&mut self, of: &Of, (at, is_gone): (i64, bool), pod: &Rc<Pod>) {
        let after = Time(START.0 + of.since);
        let counts = if is_gone { Counts::default() } else { Counts::of(pod) };
        let restarts = ContainerStatus::restarts(pod.status.container_statuses.iter());
        let is_before = pod.metadata.creation_timestamp.is_some_and(|made_at| made_at <= after);
        if is_before && !self.names_before.contains(&pod.metadata.name) {
            self.names_before.insert(Rc::clone(&pod.metadata.name));
        }
        let (all, first_ones) = (&mut self.all, &mut self.first_ones);
        let is_first_one = !is_before && !self.some_went && self.names_before.is_empty();
        let known = self.pods.entry(Rc::clone(&pod.metadata.uid)).or_insert_with(|| Known {
            pod: Rc::clone(pod),
            counts: Counts::default(),
            is_made: false,
            restarts: (0, 0),
        });
        if !is_before && !known.is_made {
            known.is_made = true;
            *first_ones += i32::from(is_first_one);
        }
        all.add(known.counts, -1);
        all.add(counts, 1);
        (known.counts, known.pod) = (counts, Rc::clone(pod));
        known.restarts = (if at <= of.since { restarts } else { known.restarts.0 }, restarts);
        self.some_went |= is_gone || pod.is_terminating();
        self.last_change = Some(at);
        match self.course.last_mut() {
            Some(last) if last.0 == at => last.1 = self.all,
            _ => self.course.push((at, self.all)),
        }
    }

    /// Names of the pods that stay, and of their claims.
    fn holds(&self) -> Held {
        let stays = |known: &&Known| known.counts.pods > 0 && known.counts.terminating == 0;
        let pods = || self.pods.values().filter(stays).map(|known| &known.pod);
        let names = pods().map(|pod| Rc::clone(&pod.metadata.name)).collect();
        (names, pods().flat_map(|pod| pod.claim_names().cloned()).collect())
    }

    /// From the moment on at which the counting began, or another one: what lay before counts as that moment.
    pub(super) fn stretches(&self, since: i64) -> Vec<Stretch> {
        let (before, from) = parted(&self.stretches, |stretch| stretch.at <= since);
        let first = before.map(|last| Stretch { at: since, ..*last });
        first.into_iter().chain(from.iter().copied()).collect()
    }

    /// How many of the names and of the claims that pods had when the counting began are those of pods now.
    pub(super) fn kept(&self) -> (Kept, Kept) {
        let now = self.holds();
        let (names, claims) = self.held.as_ref().unwrap_or(&now);
        let kept = |had: &BTreeSet<Rc<str>>, now: &BTreeSet<Rc<str>>| Kept {
            kept: had.intersection(now).count(),
            of: had.len(),
        };
        (kept(names, &now.0), kept(claims, &now.1))
    }

    /// Results of the lane: the span ends where the account does.
    pub(super) fn figures(&self, span: &Span<'_>) -> Figures {
        let (cluster, since) = (span.cluster, span.since);
        let wanted = wanted(cluster, span.set);
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let (before, from) = parted(&self.course, |(at, _)| *at <= since);
        let states = before.into_iter().chain(from);
        let had = before.map_or(0, |(_, had)| had.pods);
        let used: BTreeSet<&Rc<str>> = cluster.pods().flat_map(|pod| pod.claim_names()).collect();
        let made = || self.pods.values().filter(|known| known.is_made).map(|known| &known.pod.metadata.name);
        let new_names: BTreeSet<&Rc<str>> = made().filter(|name| !self.names_before.contains(*name)).collect();
        let grown = self.first_ones + (most_asked(span.given, since) - had.max(self.first_ones)).max(0);
        Figures {
            settled_after: self.last_change.map(|at| at - since).filter(|after| *after > 0),
            most_unavailable: states.map(|(_, counts)| wanted - counts.available).max().unwrap_or(0).max(0),
            recreated: (number(made().count()) - grown).max(0),
            restarts: self
                .pods
                .values()
                .fold(0, |sum, known| sum.saturating_add(known.restarts.1.saturating_sub(known.restarts.0).max(0))),
            names_changed: (number(new_names.len()) - grown).max(0),
            claims_left: number(cluster.claims().filter(|claim| !used.contains(&claim.metadata.name)).count()),
        }
    }
}

/// The last of those for which this holds, and the others, which come after them.
fn parted<T>(all: &[T], holds: impl Fn(&T) -> bool) -> (Option<&T>, &[T]) {
    let (before, from) = all.split_at(all.partition_point(holds));
    (before.last(), from)
}

impl Of {
    fn is_own(&self, pod: &Pod) -> bool {
        self.selector.as_ref().is_none_or(|selector| selector.matches(&pod.metadata.labels))
    }
}

impl Counts {
    fn of(pod: &Pod) -> Self {
        Self { pods: 1, available: is_available(pod).into(), terminating: pod.is_terminating().into() }
    }

    /// With `pods` more, or so many times fewer.
    fn add(&mut self, pods: Self, times: i32) {
        self.pods += times * pods.pods;
        self.available += times * pods.available;
        self.terminating += times * pods.terminating;
    }
}

/// The most replicas that were asked for since a moment.
fn most_asked(given: &[Logged], since: i64) -> i32 {
    let asked = given.iter().filter(|logged| logged.at >= since).map(|logged| match logged.command {
        Command::Scale { replicas, .. } => replicas,
        _ => 0,
    });
    asked.max().unwrap_or(0)
}
