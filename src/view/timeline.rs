//! The whole run at a glance: a row for each ordinal and each node, spans by state, marks for syncs and commands.

use super::kinds::{Weight, deciding, is_named_for};
use super::status_word::look_of;
use super::time_folds::{FoldedRow, Folds};
use super::time_row::{TimeRow, turn};
use super::time_shares::{Share, Shares};
use super::versions::short;
use super::{PodAppearance, text};
use crate::kubectl::act_line;
use crate::objects::{Kind, Node, Object, ObjectRef, Pod};
use crate::reconcile::{Decision, parent_and_ordinal, revision_of};
use crate::session::{Command, Logged, Session};
use crate::sim::{ObjectVersion, Outcome, START, SyncRecord, Verb};
use crate::text::Text;
use std::rc::Rc;

/// The run that is known, past and future, in milliseconds since the start. It grows with the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Where the cursor stands.
    pub now: i64,
    /// Where what is known ends.
    pub end: i64,
    /// By ordinal, or in the order of making; what once had a pod keeps its row.
    pub ordinals: Vec<Rc<TimeRow>>,
    /// By age.
    pub nodes: Vec<Rc<TimeRow>>,
    /// The syncs of the set, in bundles of which only the last one grows.
    pub syncs: Vec<Rc<Vec<SyncMark>>>,
    /// The commands.
    pub acts: Rc<Vec<ActMark>>,
    /// The rows of ordinals as there is room for, with those of pods to come; and those of nodes.
    pub folds: [Folds; 2],
    /// Of more pods than there are rows for, how many were in which state, and the most there were at once.
    pub shares: Rc<(Vec<Share>, u32)>,
    /// From which moments on the controller stood at which row, where each ordinal has one; at none while it had nothing to do.
    pub path: Rc<Vec<(i64, Option<usize>)>>,
    /// Branch and set it was made for, and how many moments and syncs of their record it has taken in.
    made_for: Option<(usize, ObjectRef)>,
    taken: (usize, usize),
    /// The revisions in the order in which they were made.
    revisions: Vec<Rc<str>>,
    /// The names of all pods there were, in the order of their making.
    names: Vec<Rc<str>>,
    /// The ordinal of each row, and its pod.
    pods: Vec<(i32, Option<Rc<Pod>>)>,
    /// The pods by their state.
    counts: Shares,
    /// From which moments on the controller stood at which ordinal.
    stops: Vec<(i64, Option<i32>)>,
}

/// One sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncMark {
    /// When it ran.
    pub at: i64,
    /// Whether it wrote anything.
    pub wrote: bool,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActMark {
    /// When it was given.
    pub at: i64,
    /// Its line.
    pub text: String,
    /// Whether it breaks something.
    pub fault: bool,
}

/// More pods than this are a strip, which opens into their rows.
const STRIP: usize = 20;

/// Syncs in one bundle.
const BUNDLE: usize = 128;

impl Timeline {
    /// Takes in what the run has gained, or everything if it is another run or another set.
    pub(crate) fn follow(&mut self, session: &Session, set: &ObjectRef) {
        let latest = session.latest();
        let trace = latest.trace();
        if !self.is_of(session, set) {
            *self = Self { made_for: Some((session.branches().0.number, set.clone())), ..Self::default() };
        }
        let (history, syncs) = self.taken;
        self.taken = (trace.history.len(), trace.syncs.len());
        // The syncs say in which order revisions were made, which pods are drawn by.
        trace.syncs.since(syncs).filter(|sync| sync.subject == *set).for_each(|sync| self.take_sync(sync));
        for moment in trace.history.since(history) {
            match &moment.object {
                Object::Pod(pod) if pod.metadata.namespace == set.namespace => self.take_pod(set, moment, pod),
                Object::Node(node) => self.take_node(moment, node),
                _ => {}
            }
        }
        let commands = &session.scenario().commands;
        if self.acts.len() != commands.len() {
            self.acts = Rc::new(commands.iter().map(act_mark).collect());
        }
        self.now = session.cluster().now().0 - START.0;
        self.end = (latest.now().0 - START.0).max(1);
    }

    /// Whether it is of this set in this run, of which it may lack what came last.
    pub(crate) fn is_of(&self, session: &Session, set: &ObjectRef) -> bool {
        let ((history, syncs), trace) = (self.taken, session.latest().trace());
        let number = session.branches().0.number;
        self.made_for.as_ref().is_some_and(|(branch, own)| *branch == number && own == set)
            && history <= trace.history.len()
            && syncs <= trace.syncs.len()
    }

    /// Folds the rows, from the first ordinal that ever had a pod to the last that shall have one.
    /// `places` are the names of the pods on the stage by ordinal.
    pub fn fold<'a>(&mut self, places: impl Iterator<Item = (i32, &'a str)>) {
        let first = self.ordinals.iter().position(|row| !row.spans.is_empty()).unwrap_or(self.ordinals.len());
        let mut places = places.peekable();
        let mut rows = Vec::with_capacity(self.ordinals.len());
        let mut ordinals = Vec::with_capacity(self.ordinals.len());
        for (at, (row, (ordinal, _))) in self.ordinals.iter().zip(&self.pods).enumerate() {
            while let Some((place, name)) = places.next_if(|(place, _)| place < ordinal) {
                rows.push(FoldedRow::ToCome(name));
                ordinals.push(place);
            }
            places.next_if(|(place, _)| place == ordinal);
            if at >= first {
                rows.push(FoldedRow::Known(row));
                ordinals.push(*ordinal);
            }
        }
        for (place, name) in places {
            rows.push(FoldedRow::ToCome(name));
            ordinals.push(place);
        }
        let [pods, nodes] = &mut self.folds;
        pods.take_pods(&rows);
        nodes.take_nodes(&self.nodes);
        let row_of = |ordinal: i32| ordinals.binary_search(&ordinal).ok();
        let shares = if rows.len() > STRIP { self.counts.drawn() } else { Default::default() };
        let path = match pods.are_many() {
            true => Vec::new(),
            false => self.stops.iter().map(|(at, stop)| (*at, stop.and_then(row_of))).collect(),
        };
        renew(&mut self.shares, shares);
        renew(&mut self.path, path);
    }

    fn take_sync(&mut self, sync: &SyncRecord) {
        for write in &sync.writes {
            let versions = matches!(write.kind, Kind::ControllerRevision | Kind::ReplicaSet);
            let made = versions && write.verb == Verb::Create;
            if made && write.outcome == Outcome::Done && !self.revisions.contains(&write.name) {
                self.revisions.push(Rc::clone(&write.name));
            }
        }
        let stop = deciding(&sync.decisions).filter(|decision| decision.rule.weight() >= Weight::Waits);
        let stop = stop.and_then(Decision::ordinal);
        if self.stops.last().map_or(stop.is_some(), |(_, last)| *last != stop) {
            self.stops.push((sync.at.0 - START.0, stop));
        }
        if self.syncs.last().is_none_or(|bundle| bundle.len() >= BUNDLE) {
            self.syncs.push(Rc::default());
        }
        if let Some(bundle) = self.syncs.last_mut() {
            let wrote = !sync.writes.is_empty();
            Rc::make_mut(bundle).push(SyncMark { at: sync.at.0 - START.0, wrote });
        }
    }

    fn take_pod(&mut self, set: &ObjectRef, moment: &ObjectVersion, pod: &Rc<Pod>) {
        let Some(ordinal) = self.row_of(set, pod) else { return };
        let at = self.pods.partition_point(|(own, _)| *own < ordinal);
        if self.pods.get(at).is_none_or(|(own, _)| *own != ordinal) {
            let name = &pod.metadata.name;
            // What tells pods without ordinals apart is the end of their names.
            let label = if set.kind.has_ordinals() { name.clone() } else { short(name).into() };
            self.names.push(Rc::clone(name));
            self.ordinals.insert(at, Rc::new(TimeRow { label, ..TimeRow::default() }));
            self.pods.insert(at, (ordinal, None));
        }
        let revision = match pod.metadata.labels.get("pod-template-hash") {
            Some(hash) => hash,
            None => revision_of(pod),
        };
        let known = self.revisions.iter().position(|own| ends_alike(own, revision));
        let hue = known.unwrap_or_else(|| {
            self.revisions.push(revision.into());
            self.revisions.len() - 1
        });
        let look = if self.is_lost(&pod.spec.node_name) { PodAppearance::Unreachable } else { look_of(pod) };
        self.pods[at].1 = (!moment.gone).then(|| Rc::clone(pod));
        let next = (!moment.gone).then_some((look, Some(hue), stays(look, pod)));
        let at_ms = moment.at.0 - START.0;
        self.counts.turn(at_ms, self.ordinals[at].lasting(), next.map(|(look, ..)| look));
        turn(&mut self.ordinals[at], at_ms, next);
    }

    /// The number of a pod's row, if the pod is one of the set: its ordinal, or its place in the order of making.
    fn row_of(&self, set: &ObjectRef, pod: &Pod) -> Option<i32> {
        if set.kind.has_ordinals() {
            let (parent, ordinal) = parent_and_ordinal(&pod.metadata.name)?;
            return (*parent == *set.name && ordinal >= 0).then_some(ordinal);
        }
        let known = self.names.iter().position(|name| *name == pod.metadata.name);
        is_named_for(pod, set).then_some(i32::try_from(known.unwrap_or(self.names.len())).unwrap_or(i32::MAX))
    }

    fn is_lost(&self, node: &str) -> bool {
        let row = self.nodes.iter().find(|row| &*row.label == node);
        let last = row.and_then(|row| row.spans.last());
        !node.is_empty() && last.is_none_or(|span| span.to.is_some() || span.look == PodAppearance::Unreachable)
    }

    fn take_node(&mut self, moment: &ObjectVersion, node: &Node) {
        let (name, at) = (&node.metadata.name, moment.at.0 - START.0);
        let index = self.nodes.iter().position(|row| row.label == *name).unwrap_or_else(|| {
            self.nodes.push(Rc::new(TimeRow { label: Rc::clone(name), ..TimeRow::default() }));
            self.nodes.len() - 1
        });
        let look = match (node.is_ready(), node.spec.unschedulable) {
            (false, _) => PodAppearance::Unreachable,
            (true, true) => PodAppearance::Pending,
            (true, false) => PodAppearance::Ready,
        };
        turn(&mut self.nodes[index], at, (!moment.gone).then_some((look, None, false)));
        let lost = moment.gone || look == PodAppearance::Unreachable;
        for (row, (_, pod)) in self.ordinals.iter_mut().zip(&self.pods) {
            let Some(pod) = pod.as_ref().filter(|pod| pod.spec.node_name == *name) else { continue };
            let look = if lost { PodAppearance::Unreachable } else { look_of(pod) };
            let hue = row.spans.last().and_then(|span| span.hue);
            self.counts.turn(at, row.lasting(), Some(look));
            turn(row, at, Some((look, hue, stays(look, pod))));
        }
    }
}

/// Keeps the shared value where the new one is equal.
fn renew<T: PartialEq>(shared: &mut Rc<T>, new: T) {
    if **shared != new {
        *shared = Rc::new(new);
    }
}

fn stays(look: PodAppearance, pod: &Pod) -> bool {
    look == PodAppearance::Unreachable && pod.is_terminating()
}

/// Whether two names of a version end in the same hash: some pods bear the name, some only the hash.
fn ends_alike(own: &str, other: &str) -> bool {
    own == other || short(own) == short(other)
}

fn act_mark(logged: &Logged) -> ActMark {
    let fault = matches!(
        logged.command,
        Command::FailNode { .. }
            | Command::FailZone { .. }
            | Command::CrashPod { .. }
            | Command::SetReady { ready: false, .. }
            | Command::EvictPod { .. }
    );
    ActMark { at: logged.at, text: act_line(&logged.command), fault }
}

/// Seconds that people count in.
const STEPS: [i64; 16] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 86_400];

/// How many milliseconds are drawn so that a run of this length fits, and the marks on their axis: at most so many, but
/// for a run of many days. It is more than the run has, so that the scale rests while the run grows; most of all while it
/// plays, since all that stands on the axis moves with the scale.
pub fn axis(end: i64, most: i64, plays: bool) -> (i64, Vec<(i64, Text)>) {
    let step = 1_000 * STEPS.into_iter().find(|step| end <= 1_000 * step * most).unwrap_or(86_400);
    let parts = if plays { 2 } else { 5 };
    let scale = (end * parts / step + 1) * step / parts;
    // A mark at the very end has no room for its words.
    let marks = (0..=(scale - step / 5) / step).map(|index| (index * step, text::left(index * step)));
    (scale, marks.collect())
}
