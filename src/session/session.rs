//! A run: its log, and the cursor in it.

mod branches;
mod cursor;
mod rerun;

use super::apply;
use super::bounds;
use super::start::Start;
use crate::kubectl::{Command, Refusal};
use crate::objects::{ObjectRef, Time};
use crate::reconcile::{Gates, Release};
use crate::sim::{Cluster, START, Settings};
pub(crate) use rerun::Rerun;
use std::rc::Rc;

/// The work between two snapshots of a short run: a move counts 1, each further change of an object in it 1 more, and a sync 1
/// more for each `OBJECTS` that the cluster holds. Going to a moment repeats no more than that, however large the cluster is.
const SNAPSHOT_EVERY: u64 = 1_350;
const OBJECTS: u64 = 1_000;
/// Snapshots that a branch keeps at most: of a longer run every other one goes, and later ones are as far apart. Those of a
/// short run are near each other; the first halving saves memory where a replay of twice as many moves takes no time yet.
const SNAPSHOTS: usize = 1_024;
const OF_SHORT_RUN: usize = 16;

/// A command in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// How many moves (events and commands) lie before it.
    pub after: u64,
    /// The virtual moment at which it was given, in milliseconds since the start.
    pub at: i64,
    /// The command.
    pub command: Command,
}

/// What a run is made of: replaying it gives the same bytes of state.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The seed of every chance.
    pub seed: u64,
    /// The release whose controller runs.
    pub release: Release,
    /// Feature gates that are not as the release has them by default.
    pub gates: Vec<(Rc<str>, bool)>,
    /// What there is at position 0.
    pub start: Start,
    /// The commands, oldest first.
    pub commands: Vec<Logged>,
}

/// A run: its log, the cluster at the moment the person looks at, and the branches left behind. Cloning it is cheap.
#[derive(Clone)]
pub struct Session {
    branch: Branch,
    others: Vec<Rc<Branch>>,
    cluster: Cluster,
    /// Moves before the cursor.
    moves: u64,
    /// Commands of the log that lie before the cursor.
    applied: usize,
    /// How many branches were ever made.
    made: usize,
    /// The work since the last snapshot before the cursor.
    work: u64,
}

/// One line of history: its log, and what is known of it.
#[derive(Clone)]
pub struct Branch {
    /// Counts from 1 in the order of making.
    pub number: usize,
    /// Its log.
    pub scenario: Rc<Scenario>,
    /// How many moves it is known to have.
    pub known: u64,
    snapshots: Vec<Rc<Snapshot>>,
    /// The work from one snapshot to the next.
    snapshot_every: u64,
    /// The cluster after the last known move, kept while the cursor is not there.
    end: Option<Rc<Cluster>>,
}

struct Snapshot {
    moves: u64,
    /// The work of the whole branch before it.
    done: u64,
    applied: usize,
    cluster: Cluster,
}

impl Session {
    /// A run of this manifest on three nodes, at its start.
    ///
    /// # Errors
    /// What is wrong with the manifest.
    pub fn start(manifest: &str, seed: u64) -> Result<Self, Refusal> {
        let mut session = Self::empty(Release::default(), seed, 3);
        session.command(Command::Apply { manifest: manifest.into() })?;
        Ok(session)
    }

    /// A run without any object but its nodes.
    pub fn empty(release: Release, seed: u64, nodes: usize) -> Self {
        Self::new(Scenario { seed, release, gates: Vec::new(), start: Start::Empty { nodes }, commands: Vec::new() })
    }

    /// The start of a scenario, before its first command.
    pub(super) fn new(scenario: Scenario) -> Self {
        Self::with_settings(scenario, Settings::default())
    }

    /// The start of a scenario in a cluster where things take other times than they do by default. The text of the run does
    /// not say so: this is for comparing with clusters that are known otherwise.
    pub fn with_settings(mut scenario: Scenario, settings: Settings) -> Self {
        scenario.commands.clear();
        let cluster = scenario.start.cluster(scenario.release, scenario.controller(), scenario.seed, settings);
        let first = Snapshot { moves: 0, done: 0, applied: 0, cluster: cluster.clone() };
        let branch = Branch {
            number: 1,
            scenario: Rc::new(scenario),
            known: 0,
            snapshots: vec![Rc::new(first)],
            snapshot_every: SNAPSHOT_EVERY,
            end: None,
        };
        Self { branch, others: Vec::new(), cluster, moves: 0, applied: 0, made: 1, work: 0 }
    }

    /// A run replayed from its log, at its last command.
    ///
    /// # Errors
    /// The first command that is refused: the log is not of this version.
    pub fn replay(scenario: &Scenario) -> Result<Self, Refusal> {
        let mut session = Self::new(scenario.clone());
        for logged in &scenario.commands {
            while session.moves < logged.after && session.step() {}
            session.cluster.wait_until(Time(START.0 + logged.at));
            session.command(logged.command.clone())?;
        }
        Ok(session)
    }

    /// The log.
    pub fn scenario(&self) -> &Scenario {
        &self.branch.scenario
    }

    /// Whether it began with the objects of a text.
    pub(crate) fn is_of_text(&self) -> bool {
        matches!(self.branch.scenario.start, Start::Objects(_))
    }

    /// The cluster at the cursor.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The release whose controller runs.
    pub fn release(&self) -> Release {
        self.branch.scenario.release
    }

    /// The set as it is now, as YAML; empty if it does not exist.
    pub fn manifest(&self, set: &ObjectRef) -> Rc<str> {
        match self.cluster.get(set) {
            Ok(object) if object.is_workload() => super::workloads::manifest_of(object),
            _ => "".into(),
        }
    }

    /// Logs and applies a command at the cursor. In the past this starts a branch; the one it leaves is kept.
    ///
    /// # Errors
    /// The API server's refusal; then nothing has changed.
    pub fn command(&mut self, command: Command) -> Result<(), Refusal> {
        let mut cluster = self.cluster.clone();
        apply::apply(&mut cluster, &command)?;
        bounds::check(&self.cluster, &cluster)?;
        self.log(cluster, command);
        Ok(())
    }

    fn log(&mut self, cluster: Cluster, command: Command) {
        self.fork();
        let at = self.cluster.now().0 - START.0;
        Rc::make_mut(&mut self.branch.scenario).commands.push(Logged { after: self.moves, at, command });
        self.cluster = cluster;
        self.applied += 1;
        self.moves += 1;
        self.branch.known = self.moves;
    }

    /// Takes one event, or repeats the command that came next. False if there is neither.
    pub fn step(&mut self) -> bool {
        if self.repeat() {
            return true;
        }
        let changes = self.cluster.changes();
        let stepped = self.cluster.step();
        if stepped {
            self.moved(changes);
        }
        stepped
    }

    /// Does what is known to come next: takes the snapshot after it, or repeats the command. False if the next move is an event.
    fn repeat(&mut self) -> bool {
        if let Some(known) = self.branch.snapshot_after(self.moves + 1) {
            self.restore(&known);
            return true;
        }
        let next = self.branch.scenario.commands.get(self.applied);
        let Some(logged) = next.filter(|next| next.after == self.moves) else { return false };
        let changes = self.cluster.changes();
        self.cluster.wait_until(Time(START.0 + logged.at));
        // It was carried out here before, from the same state.
        let _ = apply::apply(&mut self.cluster, &logged.command);
        self.applied += 1;
        self.moved(changes);
        true
    }

    /// One move was made, from a cluster that had changed so often.
    fn moved(&mut self, changes: u64) {
        self.moves += 1;
        if self.moves > self.branch.known {
            self.branch.known = self.moves;
            self.branch.end = None;
        }
        self.work += (self.cluster.changes() - changes).max(1);
        if self.has_just_synced() {
            self.work += u64::try_from(self.cluster.size()).unwrap_or(u64::MAX) / OBJECTS;
        }
        if self.branch.snapshots.last().is_some_and(|last| last.moves >= self.moves) {
            self.work = 0;
        } else if self.work >= self.branch.snapshot_every {
            let done = std::mem::take(&mut self.work) + self.branch.snapshots.last().map_or(0, |last| last.done);
            let (moves, applied, cluster) = (self.moves, self.applied, self.cluster.clone());
            self.branch.keep_snapshot(Snapshot { moves, done, applied, cluster });
        }
    }

    /// How many commands of the log lie before the cursor.
    pub fn commands_given(&self) -> usize {
        self.applied
    }

    /// Whether a controller has looked at the cluster since the last command of the log: what it said before may be over.
    pub fn has_looked_since_commands(&self) -> bool {
        let looked = self.cluster.trace().syncs.last().map(|sync| sync.at.0 - START.0);
        self.branch.scenario.commands.last().is_none_or(|last| looked.is_some_and(|at| at > last.at))
    }

    /// Whether nobody has done anything since another run's moment: the commands before the cursor are those before its cursor.
    pub fn is_untouched_since(&self, other: &Self) -> bool {
        let (own, others) = (&self.branch.scenario, &other.branch.scenario);
        let of = |one: &Scenario| (one.seed, one.release, one.gates.clone());
        let has_same = || own.commands.get(..self.applied) == others.commands.get(..other.applied);
        own.begins_as(others) && of(own) == of(others) && has_same()
    }

    /// How many events and commands lie before the cursor, and how many are known in all.
    pub fn position(&self) -> (u64, u64) {
        (self.moves, self.branch.known)
    }
}

impl Branch {
    /// The snapshot right after so many moves.
    fn snapshot_after(&self, moves: u64) -> Option<Rc<Snapshot>> {
        let at = self.snapshots.binary_search_by_key(&moves, |snapshot| snapshot.moves).ok()?;
        Some(Rc::clone(&self.snapshots[at]))
    }

    fn keep_snapshot(&mut self, snapshot: Snapshot) {
        self.snapshots.push(Rc::new(snapshot));
        let at_most = if self.snapshot_every == SNAPSHOT_EVERY { OF_SHORT_RUN } else { SNAPSHOTS };
        if self.snapshots.len() > at_most {
            self.snapshot_every *= 2;
            self.thin_out();
        }
    }

    /// Drops each snapshot without which there is about as much work as is to be between two. One move may be more work.
    fn thin_out(&mut self) {
        let most = self.snapshot_every + self.snapshot_every / 4;
        let all = std::mem::take(&mut self.snapshots);
        for (at, snapshot) in all.iter().enumerate() {
            let around = self.snapshots.last().zip(all.get(at + 1));
            if around.is_none_or(|(before, after)| after.done - before.done > most) {
                self.snapshots.push(Rc::clone(snapshot));
            }
        }
    }
}

impl Scenario {
    /// Whether another one begins as it does: with as many nodes or objects, and with the same command.
    pub(crate) fn begins_as(&self, other: &Self) -> bool {
        let begins = |own: &Self| match &own.start {
            Start::Empty { nodes } => (*nodes, 0),
            Start::Objects(objects) => (0, objects.len()),
        };
        begins(self) == begins(other) && self.commands.first() == other.commands.first()
    }

    /// What the controller does, feature gates as they are set.
    pub fn controller(&self) -> Gates {
        let mut gates = self.release.gates();
        for (name, on) in &self.gates {
            gates.feature(name).into_iter().for_each(|gate| *gate = *on);
        }
        gates
    }
}

impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        (self.moves, self.branch.known, self.branch.number) == (other.moves, other.branch.known, other.branch.number)
            && self.cluster.now() == other.cluster.now()
            && self.branch.scenario == other.branch.scenario
    }
}

/// The log: what it takes to see the same again.
impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("scenario", &self.branch.scenario)
            .field("moves", &self.moves)
            .finish_non_exhaustive()
    }
}
