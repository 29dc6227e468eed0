//! The cursor over a run.

use super::apply;
use super::start::Start;
use crate::kubectl::{Command, Refusal};
use crate::objects::{Object, ObjectRef, Time};
use crate::reconcile::{Gates, Release};
use crate::sim::{Cluster, START, Settings, SyncRecord, TraceEvent};
use std::rc::Rc;

/// Moves between two snapshots.
const SNAPSHOT_EVERY: u64 = 64;

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
    /// The cluster after the last known move, kept while the cursor is not there.
    end: Option<Rc<Cluster>>,
}

struct Snapshot {
    moves: u64,
    applied: usize,
    cluster: Cluster,
}

/// Branches beyond this are forgotten, oldest first.
const BRANCHES: usize = 8;

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
        let mut cluster = scenario.start.cluster(scenario.release, scenario.controller(), scenario.seed);
        cluster.set_settings(settings);
        let first = Snapshot { moves: 0, applied: 0, cluster: cluster.clone() };
        let branch =
            Branch { number: 1, scenario: Rc::new(scenario), known: 0, snapshots: vec![Rc::new(first)], end: None };
        Self { branch, others: Vec::new(), cluster, moves: 0, applied: 0, made: 1 }
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
            Ok(Object::StatefulSet(set)) => apply::manifest_of(set).into(),
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

    /// Makes the cursor the end of the run; what lay behind it stays as a branch.
    fn fork(&mut self) {
        if self.moves < self.branch.known {
            self.remember_branch();
            self.made += 1;
            self.branch.number = self.made;
        }
        Rc::make_mut(&mut self.branch.scenario).commands.truncate(self.applied);
        self.branch.snapshots.retain(|snapshot| snapshot.moves <= self.moves);
        self.branch.known = self.moves;
        self.branch.end = None;
    }

    fn remember_branch(&mut self) {
        self.others.push(Rc::new(self.branch.clone()));
        if self.others.len() > BRANCHES {
            self.others.remove(0);
        }
    }

    /// Takes one event, or repeats the command that came next. False if there is neither.
    pub fn step(&mut self) -> bool {
        let next = self.branch.scenario.commands.get(self.applied);
        if let Some(logged) = next.filter(|next| next.after == self.moves) {
            self.cluster.wait_until(Time(START.0 + logged.at));
            // It was carried out here before, from the same state.
            let _ = apply::apply(&mut self.cluster, &logged.command);
            self.applied += 1;
        } else if !self.cluster.step() {
            return false;
        }
        self.moves += 1;
        if self.moves > self.branch.known {
            self.branch.known = self.moves;
            self.branch.end = None;
        }
        let snapshots = &mut self.branch.snapshots;
        if snapshots.last().is_none_or(|last| last.moves + SNAPSHOT_EVERY <= self.moves) {
            let snapshot = Snapshot { moves: self.moves, applied: self.applied, cluster: self.cluster.clone() };
            snapshots.push(Rc::new(snapshot));
        }
        true
    }

    /// Steps until a sync of the controller is done. False if nothing is left.
    pub fn step_sync(&mut self) -> bool {
        while self.step() {
            if self.has_just_synced() {
                return true;
            }
        }
        false
    }

    /// The first position that has something to show: 0, or that after the first manifest where there are but nodes at 0.
    pub fn first_position(&self) -> u64 {
        match self.branch.scenario.start {
            Start::Empty { .. } => 1,
            Start::Objects(_) => 0,
        }
    }

    /// Goes back by one event or command. False at the first position.
    pub fn step_back(&mut self) -> bool {
        if self.moves <= self.first_position() {
            return false;
        }
        self.go_to(self.moves - 1);
        true
    }

    /// Goes back to the end of the previous sync, or to the first position if there is none. False there.
    pub fn step_sync_back(&mut self) -> bool {
        let (start, first) = (self.moves, self.first_position());
        let mut before = start;
        while before > first {
            self.go_to(before.saturating_sub(SNAPSHOT_EVERY).max(first));
            let from = self.moves;
            let mut synced = None;
            while self.moves < before {
                if self.has_just_synced() {
                    synced = Some(self.moves);
                }
                if !self.step() {
                    break;
                }
            }
            if let Some(moves) = synced.filter(|moves| *moves > first) {
                self.go_to(moves);
                return true;
            }
            before = from;
        }
        self.go_to(first);
        start > first
    }

    /// Whether the last event was a sync of the controller.
    pub fn has_just_synced(&self) -> bool {
        matches!(self.cluster.trace().happenings.last(), Some((_, TraceEvent::Synced(_))))
    }

    /// Goes to the moment right after this many moves, by the nearest snapshot before it.
    pub fn go_to(&mut self, moves: u64) {
        self.jump(moves < self.moves, |snapshot| snapshot.moves <= moves);
        while self.moves < moves && self.step() {}
    }

    /// Goes to a virtual moment, in milliseconds since the start, further than the run is known if need be.
    pub fn reach(&mut self, milliseconds: i64) {
        self.seek(milliseconds);
        self.advance(START.0 + milliseconds - self.cluster.now().0);
    }

    /// Goes to a virtual moment of the known run, in milliseconds since the start.
    pub fn seek(&mut self, milliseconds: i64) {
        let at = Time(START.0 + milliseconds.max(0)).min(self.latest().now());
        self.jump(at < self.cluster.now(), |snapshot| snapshot.cluster.now() <= at);
        while self.moves < self.branch.known && self.next_move_at().is_some_and(|next| next <= at) {
            self.step();
        }
        self.cluster.wait_until(at);
    }

    /// Takes the last snapshot that is not too late, if that is nearer than where the cursor is.
    #[inline(never)]
    fn jump(&mut self, back: bool, fits: impl Fn(&Snapshot) -> bool) {
        let Some(snapshot) = self.branch.snapshots.iter().rev().find(|snapshot| fits(snapshot)).cloned() else {
            return;
        };
        if !back && snapshot.moves <= self.moves {
            return;
        }
        self.leave();
        self.cluster = snapshot.cluster.clone();
        self.applied = snapshot.applied;
        self.moves = snapshot.moves;
    }

    /// Keeps what is known of the end before the cursor goes elsewhere.
    fn leave(&mut self) {
        let later = self.branch.end.as_ref().is_none_or(|end| end.now() < self.cluster.now());
        if self.moves == self.branch.known && later {
            self.branch.end = Some(Rc::new(self.cluster.clone()));
        }
    }

    /// The cluster at the end of the known run, whose record holds the whole of it.
    pub fn latest(&self) -> &Cluster {
        self.branch.end.as_deref().filter(|end| end.now() > self.cluster.now()).unwrap_or(&self.cluster)
    }

    /// Goes to right before the last command, unless that is before the first position. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.applied.checked_sub(1).filter(|last| *last > 0 || self.first_position() == 0) else {
            return false;
        };
        let Logged { after, at, .. } = self.branch.scenario.commands[last];
        self.go_to(after);
        self.cluster.wait_until(Time(START.0 + at));
        true
    }

    /// Goes to right after the next command that is known. False if there is none.
    pub fn redo(&mut self) -> bool {
        let next = self.branch.scenario.commands.get(self.applied).map(|next| next.after + 1);
        next.is_some_and(|after| {
            self.go_to(after);
            true
        })
    }

    /// The branch the cursor is on, and those left behind, oldest first.
    pub fn branches(&self) -> (&Branch, &[Rc<Branch>]) {
        (&self.branch, &self.others)
    }

    /// Goes over to a branch left behind, at the same moment or at its end, if that is earlier.
    pub fn switch(&mut self, number: usize) {
        let Some(at) = self.others.iter().position(|other| other.number == number) else { return };
        self.leave();
        let other = Branch::clone(&self.others[at]);
        let now = self.cluster.now().0 - START.0;
        self.others[at] = Rc::new(self.branch.clone());
        self.stand_on(other);
        self.seek(now);
    }

    /// Makes a branch the present one and goes to its end.
    fn stand_on(&mut self, branch: Branch) {
        self.branch = branch;
        if let Some(end) = &self.branch.end {
            self.cluster = Cluster::clone(end);
            self.moves = self.branch.known;
            self.applied = self.branch.scenario.commands.len();
        }
    }

    /// Keeps the run of another session as a branch left behind, at its end.
    pub fn keep(&mut self, mut other: Self) {
        other.leave();
        self.made += 1;
        self.others.push(Rc::new(Branch { number: self.made, ..other.branch }));
    }

    /// A session of its own for each branch left behind, oldest first, at its end.
    pub fn left_behind(&self) -> impl Iterator<Item = Self> {
        let alone = |branch: &Rc<Branch>| {
            let mut session = self.clone();
            session.others.clear();
            session.stand_on(Branch::clone(branch));
            session
        };
        self.others.iter().map(alone)
    }

    /// Gives the same commands at the same moments to another release, or with other feature gates, on a branch of its own.
    /// What that release refuses is left out and returned.
    pub fn run_under(&mut self, release: Release, gates: Vec<(Rc<str>, bool)>) -> Vec<(Command, Refusal)> {
        let old = self.scenario().clone();
        let now = |session: &Self| session.cluster.now().0 - START.0;
        let (here, end) = (now(self), self.latest().now().0 - START.0);
        let mut other = Self::new(Scenario { release, gates, ..old.clone() });
        let mut refused = Vec::new();
        for logged in old.commands {
            other.advance(logged.at - now(&other));
            if let Err(refusal) = other.command(logged.command.clone()) {
                refused.push((logged.command, refusal));
            }
        }
        other.advance(end - now(&other));
        self.open(other);
        self.seek(here);
        refused
    }

    /// Takes over another run at its moment; this one stays as a branch.
    pub fn open(&mut self, other: Self) {
        self.leave();
        self.remember_branch();
        self.made += 1;
        (self.branch, self.cluster) = (Branch { number: self.made, ..other.branch }, other.cluster);
        (self.moves, self.applied) = (other.moves, other.applied);
    }

    /// Lets virtual milliseconds pass, taking everything that falls due.
    pub fn advance(&mut self, milliseconds: i64) {
        let until = Time(self.cluster.now().0 + milliseconds);
        while self.next_move_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.cluster.wait_until(until);
    }

    /// When the next event or logged command is due.
    pub(super) fn next_move_at(&self) -> Option<Time> {
        match self.branch.scenario.commands.get(self.applied) {
            Some(next) if next.after == self.moves => Some(Time(START.0 + next.at).max(self.cluster.now())),
            _ => self.cluster.next_event_at(),
        }
    }

    /// Goes back to the first position and forgets what was to come; the run as it was stays as a branch.
    pub fn reset(&mut self) {
        self.go_to(self.first_position());
        self.fork();
    }

    /// How many commands of the log lie before the cursor.
    pub fn commands_given(&self) -> usize {
        self.applied
    }

    /// Whether more falls due at the cursor's own moment: then the moment alone does not say where the cursor is.
    pub fn is_amid_a_moment(&self) -> bool {
        self.next_move_at().is_some_and(|at| at <= self.cluster.now())
    }

    /// How many events and commands lie before the cursor, and how many are known in all.
    pub fn position(&self) -> (u64, u64) {
        (self.moves, self.branch.known)
    }
}

impl Scenario {
    /// What the controller does, feature gates as they are set.
    pub fn controller(&self) -> Gates {
        let mut gates = self.release.gates();
        for (name, on) in &self.gates {
            gates.feature(name).into_iter().for_each(|gate| *gate = *on);
        }
        gates
    }
}

/// Where two runs first decide differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The earlier of the two moments, in milliseconds since the start.
    pub at: i64,
    /// The sync of each run, if it has as many.
    pub syncs: [Option<Rc<SyncRecord>>; 2],
}

impl Session {
    /// Where this run, as far as it is known, first decides differently from another branch.
    pub fn difference_from(&self, other: &Branch) -> Option<Difference> {
        let other = &other.end.as_ref()?.trace().syncs;
        let own = &self.latest().trace().syncs;
        let at = (0..own.len().max(other.len())).find(|at| match (own.get(*at), other.get(*at)) {
            (Some(own), Some(other)) => own.decisions != other.decisions,
            _ => true,
        })?;
        let syncs = [own.get(at).cloned(), other.get(at).cloned()];
        let moment = syncs.iter().flatten().map(|sync| sync.at.0 - START.0).min()?;
        Some(Difference { at: moment, syncs })
    }
}

impl Branch {
    /// The cluster at its end; none for the branch whose end is at the cursor.
    pub fn end(&self) -> Option<&Cluster> {
        self.end.as_deref()
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
