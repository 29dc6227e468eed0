//! Lines tried in a branch of a run, in slices: whoever draws a page between them stays responsive.

mod ended;
mod going;

use super::awaited::TIMED_OUT;
use super::course::{Course, Watcher};
use super::effect::Effect;
use super::ending;
use super::line::{Tried, act, in_newest_form};
use super::lone;
use super::namespace::elsewhere;
use super::nodes::Changed;
use super::nothing;
use super::outcome::{Act, Outcome};
use super::passed_over::PassedOver;
use super::services::{CutOff, Selecting, services};
use super::turn::Turn;
use super::verbs::shown;
use crate::kubectl::{Context, Problem, Refusal};
use crate::objects::{Object, ObjectRef, Pod, Typed};
use crate::session::Session;
use crate::session::dump::{Dump, Held, Kept};
use crate::sim::Cluster;
use crate::text::Text;
use crate::verdict::{Belongings, Verdict, has_run_out, is_too_late, limit};
use going::Block;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Virtual milliseconds in which whatever watches an object has seen a change of it.
const SEEN_MS: i64 = 1_000;
/// Virtual milliseconds that a cluster is looked at once all has ended: collectors come by in these.
const AFTERWARDS_MS: i64 = 60_000;
/// What ended and began again so often goes on so.
const AGAIN: u32 = 3;

/// What came of lines.
pub struct Rehearsed {
    /// Each line.
    pub lines: Vec<Tried>,
    /// Each workload, those that are touched first.
    pub workloads: Vec<Course>,
    /// Each node that was drained, in order, with the least that was Ready in its turn.
    pub turns: Vec<Turn>,
    /// Nodes that are otherwise than before.
    pub nodes: Vec<Changed>,
    /// Services that sent to pods and select none any more.
    pub cut_off: Vec<CutOff>,
    /// When all that they set going had ended, or nothing went on any more, in milliseconds from the run's moment.
    pub after: i64,
    /// The branch, at its end.
    pub run: Session,
}

impl Rehearsed {
    /// Whether every line came to its end, or to that of a later one.
    pub(crate) fn is_done(&self) -> bool {
        let is_done =
            |tried: &Tried| matches!(tried.outcome, Outcome::Done | Outcome::Nothing(_) | Outcome::Overtaken(_));
        self.lines.iter().all(is_done)
    }
}

/// Files by their paths.
pub type Files = Box<dyn Fn(&str) -> Option<String>>;

/// Lines that are being tried.
pub struct Rehearsal {
    start: Session,
    run: Session,
    verdicts: Vec<Verdict>,
    holds: Vec<Held>,
    /// Objects of the text that are not simulated.
    kept: Vec<Kept>,
    /// Whether its CloneSets are patched as of v1alpha1.
    speaks_v1alpha1: bool,
    /// Its Services.
    services: Vec<Selecting>,
    namespace: Rc<str>,
    files: Files,
    /// Lines that have not begun, the next one last.
    waiting: Vec<String>,
    tried: Vec<Tried>,
    /// The clusters before and after each line's commands.
    around: Vec<(Cluster, Cluster)>,
    /// What the last line waits for before the next one begins.
    block: Block,
    watchers: Vec<Watcher>,
    /// Where each is, by what it looks at.
    places: BTreeMap<ObjectRef, usize>,
    /// Which of them an object is of.
    belongings: Belongings,
    turns: Vec<Turn>,
    seen: usize,
    /// When anything last came nearer to its end, or went farther from it, and how many lines had not ended or begun.
    progress: (i64, [usize; 2]),
    /// Whether a workload has done so since.
    has_moved: bool,
    limit: u64,
    /// When all had ended; none while something goes on.
    settled_at: Option<i64>,
    is_over: bool,
    ran_out: bool,
}

/// What becomes of a line that is not carried out. Where it is the simulator that does not know how, a cluster may well do it.
fn not_carried_out(line: &str, refusal: &Refusal) -> Outcome {
    let why = Text::list("; ", refusal.problems.iter().map(Problem::advice));
    if refusal.is_own() && going::is_kubectl(line) { Outcome::LeftOut(why) } else { Outcome::Refused(why) }
}

impl Rehearsal {
    /// Begins at a run's moment. `verdicts` say how each workload stands there, `holds` what the run's text shows to be held.
    pub fn new(
        session: &Session,
        verdicts: Vec<Verdict>,
        holds: &[Held],
        lines: Vec<String>,
        namespace: Rc<str>,
        files: Files,
    ) -> Self {
        let cluster = session.cluster();
        let watchers = verdicts.iter().map(|verdict| Watcher::new(cluster, &verdict.workload, Some(verdict.clone())));
        let mut watchers: Vec<Watcher> = watchers.collect();
        let own: BTreeSet<ObjectRef> = verdicts.iter().map(|verdict| verdict.workload.clone()).collect();
        for key in lone::pods(cluster).into_iter().filter(|key| !own.contains(key)) {
            if let Ok(Object::Pod(pod)) = cluster.get(&key) {
                watchers.push(Watcher::new(cluster, &key, Some(lone::verdict(pod))));
            }
        }
        let mut waiting = lines;
        waiting.reverse();
        let mut belongings = Belongings::default();
        for (at, watcher) in watchers.iter().enumerate() {
            belongings.add(cluster, &watcher.workload, at);
        }
        let places = watchers.iter().enumerate().map(|(at, watcher)| (watcher.workload.clone(), at)).collect();
        Self {
            watchers,
            places,
            belongings,
            run: session.clone(),
            start: session.clone(),
            verdicts,
            holds: holds.to_vec(),
            kept: Vec::new(),
            speaks_v1alpha1: false,
            services: services(cluster),
            namespace,
            files,
            waiting,
            tried: Vec::new(),
            around: Vec::new(),
            block: Block::None,
            turns: Vec::new(),
            seen: cluster.trace().history.len(),
            progress: (cluster.now().0, [0, 0]),
            has_moved: true,
            limit: limit(cluster),
            settled_at: None,
            is_over: false,
            ran_out: false,
        }
    }

    /// With what the text has beside what is simulated: some objects write replicas too.
    #[must_use]
    pub fn beside(mut self, dump: &Dump) -> Self {
        self.kept.clone_from(&dump.kept);
        self.speaks_v1alpha1 = dump.speaks_v1alpha1;
        self.services.extend(dump.services.iter().map(|own| Selecting {
            namespace: Rc::clone(&own.namespace),
            name: Rc::clone(&own.name),
            selector: own.selector.clone(),
        }));
        self
    }

    fn after(&self) -> i64 {
        self.run.cluster().now().0 - self.start.cluster().now().0
    }

    /// Goes on for so many events. False once it is over.
    pub(crate) fn advance(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if self.is_over {
                return false;
            }
            self.mark_ended();
            if self.tried.iter().any(|tried| tried.again >= AGAIN) {
                self.is_over = true;
                continue;
            }
            if self.goes_on_with_last() || self.is_unblocked() && !self.waiting.is_empty() {
                self.begin_next();
                continue;
            }
            let next = self.run.cluster().next_event_at().map_or(i64::MAX, |at| at.0);
            let now = self.run.cluster().now().0;
            let seen_at = self.last_begin() + SEEN_MS;
            let wakes_at = match self.block {
                Block::Until(at) if at > now => at,
                _ => i64::MAX,
            };
            let starts_at = if self.waiting.is_empty() || !self.is_passed() { now } else { self.starts_at() };
            let ahead = [seen_at, starts_at].into_iter().chain(self.gives_up_at()).filter(|at| *at > now);
            let wakes_at = ahead.fold(wakes_at, i64::min);
            if wakes_at < next {
                self.run.advance(wakes_at - now);
                continue;
            }
            let is_settled = now >= seen_at && self.waiting.is_empty() && self.is_settled();
            self.settled_at = if is_settled { self.settled_at.or(Some(now)) } else { None };
            if self.settled_at.is_some_and(|at| next > at + AFTERWARDS_MS) {
                self.is_over = true;
                continue;
            }
            let open = self.tried.iter().filter(|tried| tried.took.is_none()).count();
            let left = [open, self.waiting.len()];
            if std::mem::take(&mut self.has_moved) || left != self.progress.1 {
                self.progress = (now, left);
            }
            if is_too_late(self.run.cluster(), self.progress.0, next) {
                self.is_over = true;
                continue;
            }
            let position = self.run.position().0 - self.start.position().0;
            if position > self.limit {
                // A line may have asked for more pods.
                self.limit = self.limit.max(limit(self.run.cluster()));
            }
            if has_run_out(&self.start, &self.run, self.limit) {
                (self.is_over, self.ran_out) = (true, true);
                continue;
            }
            self.run.step();
            self.see();
        }
        true
    }

    /// Tries them to the end.
    pub fn to_the_end(mut self) -> Rehearsed {
        while self.advance(1_000) {}
        self.finish()
    }

    fn last_begin(&self) -> i64 {
        self.start.cluster().now().0 + self.tried.last().map_or(0, |tried| tried.at)
    }

    /// Sees what the last event has changed.
    fn see(&mut self) {
        let cluster = self.run.cluster();
        let history = &cluster.trace().history;
        let (mut touched, mut pods): (BTreeMap<usize, Vec<usize>>, Vec<Rc<Pod>>) = Default::default();
        for (place, version) in (self.seen..).zip(history.since(self.seen)) {
            for at in self.belongings.see(&version.object).into_iter().flatten() {
                touched.entry(at).or_default().push(place);
            }
            pods.extend(Pod::of(&version.object).cloned());
        }
        self.seen = history.len();
        for tried in self.tried.iter_mut().filter(|tried| tried.is_looked_at) {
            let is_touched = |workload: &ObjectRef| self.places.get(workload).is_none_or(|at| touched.contains_key(at));
            tried.is_looked_at = !tried.effects.iter().filter_map(Effect::workload).any(is_touched);
        }
        for (at, places) in touched {
            let watcher = &mut self.watchers[at];
            let before = watcher.distance();
            watcher.look(cluster, &places);
            self.has_moved |= watcher.distance() != before;
            if let Some(turn) = self.turns.last_mut() {
                turn.look(at, watcher);
            }
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.look_at_budgets(cluster, pods.iter().flat_map(|pod| cluster.budgets_over(pod)));
            turn.look_at_evictions(cluster, &pods);
        }
    }

    fn begin_next(&mut self) {
        if let Some(mut tried) = self.tried.pop_if(|tried| !tried.then.is_empty()) {
            let before = self.run.cluster().clone();
            self.carry_out(&mut tried);
            return self.has_begun(tried, before);
        }
        // An eviction that was refused to the last ends the lines, as && does.
        let cluster = self.run.cluster();
        let refused = |tried: &Tried| tried.effects.iter().find_map(|effect| effect.refused(cluster));
        let is_late = matches!(self.block, Block::Await(_, until) if cluster.now().0 >= until);
        let late =
            || self.tried.last().filter(|tried| is_late && tried.took.is_none()).map(|_| Text::verbatim(TIMED_OUT));
        if let Some(why) = self.tried.last().and_then(refused).or_else(late) {
            if let Some(tried) = self.tried.last_mut() {
                tried.outcome = Outcome::Refused(why);
            }
            return self.stop();
        }
        let Some(line) = self.waiting.pop() else { return };
        let mut tried = Tried::new(line, self.after());
        let before = self.run.cluster().clone();
        let read = RefCell::new(Vec::new());
        let files = |path: &str| {
            let text = (self.files)(path);
            read.borrow_mut().extend(text.clone());
            text
        };
        let context = Context { namespace: &self.namespace, files: &files };
        let mut asked = act(&context, &tried.line, &before);
        if let Ok(act) = &mut asked {
            tried.passed_over = PassedOver::of(&tried.line, act, &read.take(), &before);
            if let Some(words) = tried.passed_over.unserved.clone() {
                *act = Act::Known(Outcome::Refused(words));
            } else if tried.passed_over.is_all {
                *act = Act::Known(tried.passed_over.outcome());
            }
        }
        match asked {
            Err(refusal) => tried.outcome = not_carried_out(&tried.line, &elsewhere(&self.start, &context, refusal)),
            Ok(Act::Show) => (self.block, tried.took, tried.outcome) = (Block::None, Some(0), shown(&tried.line)),
            Ok(Act::Known(outcome)) => (self.block, tried.took, tried.outcome) = (Block::None, Some(0), outcome),
            Ok(Act::Await(workload)) => {
                let until = ending::timeout(&tried.line).map_or(i64::MAX, |ms| before.now().0 + ms);
                (self.block, tried.effects) =
                    (Block::Await(workload.clone(), until), vec![Effect::rollout(&before, &workload)])
            }
            Ok(Act::Wait(awaited)) => (self.block, tried.effects) = (Block::Effects, vec![Effect::Awaited(awaited)]),
            Ok(Act::Sleep(ms)) => (self.block, tried.took) = (Block::Until(self.run.cluster().now().0 + ms), Some(ms)),
            Ok(Act::Do(commands, None)) if commands.is_empty() => {
                (self.block, tried.took) = (Block::None, Some(0));
                tried.outcome = Outcome::Nothing(text!("nothing that is there is meant by it"));
            }
            Ok(Act::Do(commands, stop)) => {
                let sent = |command| if self.speaks_v1alpha1 { in_newest_form(command) } else { command };
                tried.then = commands.into_iter().map(sent).collect();
                tried.then.reverse();
                tried.stop = stop.map(|error| Problem::new(error).text());
                self.carry_out(&mut tried);
            }
        }
        self.around.push((before.clone(), self.run.cluster().clone()));
        self.has_begun(tried, before);
    }

    fn has_begun(&mut self, mut tried: Tried, before: Cluster) {
        let stops = matches!(tried.outcome, Outcome::Refused(_) | Outcome::Never(_) | Outcome::LeftOut(_));
        if stops {
            tried.took = Some(0);
        } else if let Some(why) = nothing::of_same_spec(&before, self.run.cluster(), &tried.commands) {
            (tried.outcome, tried.took) = (Outcome::Nothing(why), Some(0));
        }
        tried.dropped = nothing::dropped_of(self.run.cluster(), &tried.commands);
        self.tried.push(tried);
        if let Some((_, after)) = self.around.last_mut() {
            *after = self.run.cluster().clone();
        }
        if stops {
            self.stop();
        }
        self.notice_new_workloads(&before);
        self.see();
        // What a line changes of budgets and labels is of no pod that an event changes.
        let cluster = self.run.cluster();
        if let Some(turn) = self.turns.last_mut() {
            turn.look_at_budgets(cluster, cluster.all_disruption_budgets());
        }
    }

    /// No further line begins.
    fn stop(&mut self) {
        self.block = Block::Ever;
        let at = self.after();
        while let Some(line) = self.waiting.pop() {
            self.tried.push(Tried { outcome: Outcome::NotReached, took: Some(0), ..Tried::new(line, at) });
            let cluster = self.run.cluster().clone();
            self.around.push((cluster.clone(), cluster));
        }
    }

    /// Workloads that there were not, and pods that a line has made since this cluster.
    fn notice_new_workloads(&mut self, before: &Cluster) {
        let cluster = self.run.cluster();
        let known: BTreeSet<&ObjectRef> = self.watchers.iter().map(|watcher| &watcher.workload).collect();
        let is_own = |object: &&Object| {
            let is_of_deployment = matches!(object, Object::ReplicaSet(set) if set.metadata.controller_of().is_some());
            !is_of_deployment && !known.contains(&object.reference())
        };
        let pods = lone::made(before, cluster).into_iter().filter(|key| !known.contains(key));
        let new: Vec<ObjectRef> = cluster.workloads().filter(is_own).map(Object::reference).chain(pods).collect();
        for key in new {
            self.has_moved = true;
            let is_followed =
                |watcher: &Watcher| watcher.is_followed_by(&key) && cluster.get(&watcher.workload).is_err();
            if let Some(at) = self.watchers.iter().position(is_followed) {
                self.belongings.add(cluster, &key, at);
                self.places.insert(key.clone(), at);
                self.watchers[at].workload = key;
                self.watchers[at].look(cluster, &[]);
                continue;
            }
            let (at, watcher) = (self.watchers.len(), Watcher::new(cluster, &key, None));
            self.belongings.add(cluster, &key, at);
            self.places.insert(key, at);
            if let Some(turn) = self.turns.last_mut() {
                turn.look(at, &watcher);
            }
            self.watchers.push(watcher);
        }
    }
}
