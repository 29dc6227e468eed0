//! Runs side by side: two to four lanes on one clock and one script of commands, each with its own workload, release, feature
//! gates or values. What they have in common is given once; what differs between them is counted and marked.

mod account;
mod again;
mod outcome;

use super::session::{Scenario, Session};
use crate::kubectl::{Command, Refusal};
use crate::objects::{Object, ObjectRef, Pod};
use crate::reconcile::Release;
use crate::sim::{Cluster, START};
pub(crate) use account::Accounts;
pub use account::Until;
pub use again::Again;
pub(crate) use outcome::Stretch;
use outcome::selects;
pub use outcome::{Copies, Kept, Outcome, Recovery};
use std::rc::Rc;

/// How many lanes there may be.
pub(crate) const LANES: std::ops::RangeInclusive<usize> = 2..=4;
/// Replicas that each lane's workload may ask for: as many as a scenario holds.
const REPLICAS: i32 = super::scenario::REPLICAS;

/// How one lane starts.
#[derive(Clone, Debug)]
pub struct Start {
    /// A few words.
    pub name: String,
    /// Its release.
    pub release: Release,
    /// Feature gates that are not as the release has them by default.
    pub gates: Vec<(Rc<str>, bool)>,
    /// Its first manifest, with one workload.
    pub manifest: Rc<str>,
}

/// One of the runs.
#[derive(Clone)]
pub struct Lane {
    /// A few words.
    pub name: String,
    /// The run.
    pub session: Session,
    /// Its workload: what commands of the script are aimed at.
    pub set: ObjectRef,
}

/// Two to four runs. Cloning them is cheap.
#[derive(Clone)]
pub struct Lanes {
    lanes: Vec<Lane>,
    /// The moment from which the table counts, in milliseconds since the start.
    since: i64,
}

/// The pods of one lane at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub pods: i32,
    /// Ready ones that are not terminating.
    pub available: i32,
    /// Those being deleted.
    pub terminating: i32,
}

/// A moment from which on the lanes differ, or differ in another way, or are alike again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// In milliseconds since the start.
    pub at: i64,
    /// The pods of each lane.
    pub counts: Vec<Counts>,
}

impl Mark {
    /// Whether every lane has the same.
    pub fn is_alike(&self) -> bool {
        self.counts.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// What a lane came to since the counting began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Milliseconds from then to the last change of a pod; none if nothing changed.
    pub settled_after: Option<i64>,
    /// The most pods short of the wanted number at one moment.
    pub most_unavailable: i32,
    /// Pods that were made in the place of others: those of a growing workload do not count.
    pub recreated: i32,
    /// Containers that were started again in a pod that stayed.
    pub restarts: i32,
    /// Names that no pod had before, beyond those of a growing workload.
    pub names_changed: i32,
    /// Claims that no pod uses now.
    pub claims_left: i32,
}

impl Lanes {
    /// Lanes with the same seed and nodes, each with its manifest applied.
    ///
    /// # Errors
    /// The number of lanes, or what is wrong with a manifest.
    pub fn start(starts: Vec<Start>, seed: u64, nodes: usize) -> Result<Self, Refusal> {
        if !LANES.contains(&starts.len()) {
            return Err(Refusal::own(text!("two to four runs can be compared")));
        }
        let mut lanes = Vec::new();
        for Start { name, release, gates, manifest } in starts {
            let mut session = Session::new(Scenario {
                seed,
                release,
                gates,
                start: super::Start::Empty { nodes },
                commands: Vec::new(),
            });
            session.command(Command::Apply { manifest })?;
            lanes.push(Lane::of(name, session)?);
        }
        Ok(Self { lanes, since: 0 })
    }

    /// How each lane started, to start again from.
    pub fn starts(&self) -> Vec<Start> {
        self.lanes.iter().map(Lane::start).collect()
    }

    /// The same script from the start for other lanes: each takes the commands of one that was there, by its place. What
    /// its new workload or release refuses is left out.
    ///
    /// # Errors
    /// The number of lanes, or what is wrong with a manifest; then these lanes stay.
    pub fn again(&self, starts: Vec<(Start, usize)>) -> Result<Self, Refusal> {
        let mut again = Again::new(self, starts)?;
        again.go_on(|| true);
        Ok(again.end())
    }

    /// The lanes, in order.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    pub(super) fn all(&mut self) -> &mut [Lane] {
        &mut self.lanes
    }

    /// One lane, to look around in it or to give it a value of its own.
    pub fn lane(&mut self, index: usize) -> Option<&mut Lane> {
        self.lanes.get_mut(index)
    }

    /// The clock, in milliseconds since the start.
    pub fn now(&self) -> i64 {
        self.lanes.iter().map(|lane| lane.session.cluster().now().0 - START.0).max().unwrap_or(0)
    }

    /// Where what is known ends, in milliseconds since the start.
    pub fn end(&self) -> i64 {
        self.lanes.iter().map(|lane| lane.session.latest().now().0 - START.0).max().unwrap_or(0)
    }

    /// The table counts from now on.
    pub fn count_from_here(&mut self) {
        self.count_from(self.now());
    }

    /// The table counts from this moment on, in milliseconds since the start.
    pub(crate) fn count_from(&mut self, since: i64) {
        self.since = since;
    }

    /// The moment from which the table counts.
    pub fn since(&self) -> i64 {
        self.since
    }

    /// Lets virtual milliseconds pass in every lane.
    pub fn advance(&mut self, milliseconds: i64) {
        for lane in &mut self.lanes {
            lane.session.advance(milliseconds);
        }
    }

    /// The same, moment by moment, for as long as `goes_on` says. How many have passed.
    pub fn advance_while(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> i64 {
        let start = self.now();
        let end = start + milliseconds;
        while self.next_at().is_some_and(|at| at <= end) {
            self.next_moment();
            if !goes_on() {
                return self.now() - start;
            }
        }
        self.advance(end - self.now());
        milliseconds
    }

    /// Goes to a moment of the known runs, in milliseconds since the start.
    pub fn seek(&mut self, milliseconds: i64) {
        self.seek_while(milliseconds, || true);
    }

    /// The same, for as long as `goes_on` says after an event. Whether all are there; else they are at different moments, and a
    /// later call goes on from there.
    pub fn seek_while(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> bool {
        self.lanes.iter_mut().all(|lane| lane.session.seek_while(milliseconds, &mut goes_on))
    }

    /// Goes to a moment, in milliseconds since the start, which may be later than what is known.
    pub fn reach(&mut self, milliseconds: i64) {
        self.reach_while(milliseconds, || true);
    }

    /// The same, for as long as `goes_on` says after an event. Whether all are there.
    pub fn reach_while(&mut self, milliseconds: i64, mut goes_on: impl FnMut() -> bool) -> bool {
        self.lanes.iter_mut().all(|lane| lane.session.reach_while(milliseconds, &mut goes_on))
    }

    /// When anything next happens in any lane, in milliseconds since the start.
    fn next_at(&self) -> Option<i64> {
        self.lanes.iter().filter_map(|lane| lane.session.next_move_at()).map(|at| at.0 - START.0).min()
    }

    /// Goes to the next moment at which anything happens in any lane. False if nothing is left.
    pub fn next_moment(&mut self) -> bool {
        let Some(next) = self.next_at() else { return false };
        // What is due now, and what it leads to at once.
        self.advance((next - self.now()).max(0));
        true
    }

    /// Goes back to the moment before at which anything happened. False at the start.
    pub fn moment_before(&mut self) -> bool {
        let now = self.now();
        let before = |lane: &Lane| {
            let happened = lane.session.cluster().trace().events.iter().rev();
            let mut happened = happened.map(|(at, _)| at.0 - START.0);
            happened.find(|at| *at < now)
        };
        let to = self.lanes.iter().filter_map(before).max();
        self.seek(to.unwrap_or(0));
        now > 0
    }

    /// Whether nothing is due in any lane any more.
    pub(crate) fn is_settled(&self) -> bool {
        self.lanes.iter().all(|lane| lane.session.next_move_at().is_none())
    }

    /// Up to where results count: as far as the runs are known, if all are known as far. One that was given a command of its own at
    /// an earlier moment is known up to there alone.
    pub(crate) fn counts_until(&self) -> Until {
        let mut ends = self.lanes.iter().map(|lane| lane.session.latest().now());
        let first = ends.next();
        if ends.all(|end| Some(end) == first) { Until::End } else { Until::Cursor }
    }

    /// Whether nothing is due any more where the results end.
    pub(crate) fn is_known_to_settle(&self) -> bool {
        match self.counts_until() {
            Until::Cursor => self.is_settled(),
            Until::End => self.lanes.iter().all(|lane| lane.session.latest().next_event_at().is_none()),
        }
    }

    /// The same moment, in milliseconds since the start.
    pub(crate) fn counted_to(&self) -> i64 {
        match self.counts_until() {
            Until::Cursor => self.now(),
            Until::End => self.end(),
        }
    }

    /// Whether the counting begins where the results end, or later.
    pub(crate) fn is_before_counting(&self) -> bool {
        self.counted_to() <= self.since
    }

    /// What their records say now.
    pub(crate) fn accounts(&self) -> Accounts {
        let mut accounts = Accounts::default();
        accounts.follow(self);
        accounts
    }

    /// Where the lanes begin to differ, differ otherwise, or are alike again, as far as the runs are known.
    pub fn marks(&self) -> Vec<Mark> {
        Self::marks_of(&self.accounts().courses())
    }

    /// The marks of these courses.
    pub(crate) fn marks_of(courses: &[Vec<(i64, Counts)>]) -> Vec<Mark> {
        let mut times: Vec<i64> = courses.iter().flatten().map(|(at, _)| *at).collect();
        times.sort();
        times.dedup();
        let mut marks: Vec<Mark> = Vec::new();
        let mut reached = vec![0; courses.len()];
        for at in times {
            let held = |(course, reached): (&Vec<(i64, Counts)>, &mut usize)| {
                *reached += course[*reached..].iter().take_while(|(since, _)| *since <= at).count();
                reached.checked_sub(1).map_or_else(Counts::default, |last| course[last].1)
            };
            let mark = Mark { at, counts: courses.iter().zip(&mut reached).map(held).collect() };
            let was_alike = marks.last().is_none_or(Mark::is_alike);
            let is_news = marks.last().is_none_or(|last| last.counts != mark.counts);
            if is_news && !(was_alike && mark.is_alike()) {
                marks.push(mark);
            }
        }
        marks
    }

    /// What each lane came to for those who use its workload.
    pub fn outcomes(&self) -> Vec<Outcome> {
        self.accounts().results(self, Until::Cursor).into_iter().map(|(outcome, _)| outcome).collect()
    }

    /// Results of each lane.
    pub fn table(&self) -> Vec<Figures> {
        self.accounts().results(self, Until::Cursor).into_iter().map(|(_, figures)| figures).collect()
    }
}

/// The command with the lane's workload in the place of the one it names.
pub(super) fn aimed(mut command: Command, own: &ObjectRef) -> Command {
    if let Some(set) = command.workload_mut() {
        *set = own.clone();
    }
    if let Command::DeleteSet { set, .. } | Command::SetBudget { set, .. } = &mut command {
        *set = own.clone();
    }
    command
}

/// A lane's workloads ask for no more than can be compared while the page is used.
fn stay_small(session: &Session) -> Result<(), Refusal> {
    match session.cluster().workloads().filter_map(Object::replicas).find(|replicas| *replicas > REPLICAS) {
        None => Ok(()),
        Some(replicas) => Err(Refusal::own(text!(
            "{} replicas are too many for a comparison: it holds at most {}",
            replicas,
            REPLICAS
        ))),
    }
}

/// How many pods the workload should have: a DaemonSet one for each node that may have one.
fn wanted(cluster: &Cluster, set: &ObjectRef) -> i32 {
    cluster.get(set).map_or(0, Object::desired)
}

impl Lane {
    /// How it started.
    pub(crate) fn start(&self) -> Start {
        let scenario = self.session.scenario();
        let manifest = match scenario.commands.first().map(|first| &first.command) {
            Some(Command::Apply { manifest }) => Rc::clone(manifest),
            _ => "".into(),
        };
        Start { name: self.name.clone(), release: scenario.release, gates: scenario.gates.clone(), manifest }
    }

    /// Gives it a command, aimed at its own workload.
    ///
    /// # Errors
    /// The API server's refusal; then nothing has changed.
    pub fn give(&mut self, command: &Command) -> Result<(), Refusal> {
        let before = self.session.clone();
        self.session.command(aimed(command.clone(), &self.set))?;
        stay_small(&self.session).inspect_err(|_| self.session = before)
    }

    /// How many pods its workload should have: a DaemonSet one for each node that may have one.
    pub(crate) fn wanted(&self) -> i32 {
        wanted(self.session.cluster(), &self.set)
    }

    /// A run with its first workload that belongs to nothing.
    fn of(name: String, session: Session) -> Result<Self, Refusal> {
        stay_small(&session)?;
        let is_root = |object: &&Object| object.metadata().controller_of().is_none();
        let set = session.cluster().workloads().find(is_root).map(Object::reference);
        let set = set.ok_or_else(|| Refusal::own(text!("a lane needs a workload")))?;
        Ok(Self { name, session, set })
    }

    /// Its pods, by name, those that have ended left out.
    pub fn pods(&self) -> Vec<Rc<Pod>> {
        let cluster = self.session.cluster();
        let is_own = selects(cluster, &self.set);
        cluster.pods().filter(|pod| is_own(pod) && !pod.has_ended()).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Kind;

    #[test]
    fn what_changes_a_workload_is_aimed_at_the_lanes_own() {
        let named = |name: &str| ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: name.into() };
        let restart = |name| Command::Restart { set: named(name) };
        assert_eq!(aimed(restart("shop"), &named("web")), restart("web"));
        // A claim is no workload, and keeps its name.
        let claim = ObjectRef { kind: Kind::PersistentVolumeClaim, ..named("data-web-0") };
        let resize = Command::patch(claim, "{}".into());
        assert_eq!(aimed(resize.clone(), &named("web")), resize);
    }
}
