//! The cursor over a run.

use super::apply;
use super::command::{Command, Refusal};
use crate::objects::{Object, ObjectRef};
use crate::reconcile::Release;
use crate::sim::{Cluster, Happening};
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
    /// Nodes at the start.
    pub nodes: usize,
    /// The commands, oldest first.
    pub commands: Vec<Logged>,
}

/// A run: its log, and the cluster at the moment the person looks at. Cloning it is cheap.
#[derive(Clone)]
pub struct Session {
    scenario: Rc<Scenario>,
    cluster: Cluster,
    /// Moves before the cursor, and the most that were ever before it.
    moves: (u64, u64),
    /// Commands of the log that lie before the cursor.
    applied: usize,
    snapshots: Vec<Rc<Snapshot>>,
}

struct Snapshot {
    moves: u64,
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
        let mut cluster = Cluster::new(release, seed);
        (0..nodes).for_each(|_| cluster.add_node());
        let scenario = Scenario { seed, release, nodes, commands: Vec::new() };
        let first = Snapshot { moves: 0, applied: 0, cluster: cluster.clone() };
        Self { scenario: Rc::new(scenario), cluster, moves: (0, 0), applied: 0, snapshots: vec![Rc::new(first)] }
    }

    /// A run replayed from its log, at its last command.
    ///
    /// # Errors
    /// The first command that is refused: the log is not of this version.
    pub fn replay(scenario: &Scenario) -> Result<Self, Refusal> {
        let mut session = Self::empty(scenario.release, scenario.seed, scenario.nodes);
        for logged in &scenario.commands {
            while session.moves.0 < logged.after && session.step() {}
            session.cluster.wait_until(crate::objects::Time(crate::sim::START.0 + logged.at));
            session.command(logged.command.clone())?;
        }
        Ok(session)
    }

    /// The log.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The cluster at the cursor.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The release whose controller runs.
    pub fn release(&self) -> Release {
        self.scenario.release
    }

    /// The set as it is now, as YAML; empty if it does not exist.
    pub fn manifest(&self, set: &ObjectRef) -> Rc<str> {
        match self.cluster.get(set) {
            Ok(Object::StatefulSet(set)) => apply::manifest_of(set).into(),
            _ => "".into(),
        }
    }

    /// Logs and applies a command at the cursor; later commands are forgotten.
    ///
    /// # Errors
    /// The API server's refusal; then nothing has changed.
    pub fn command(&mut self, command: Command) -> Result<(), Refusal> {
        let mut cluster = self.cluster.clone();
        apply::apply(&mut cluster, &command)?;
        let at = self.cluster.now().0 - crate::sim::START.0;
        let scenario = Rc::make_mut(&mut self.scenario);
        scenario.commands.truncate(self.applied);
        scenario.commands.push(Logged { after: self.moves.0, at, command });
        self.snapshots.retain(|snapshot| snapshot.moves <= self.moves.0);
        self.cluster = cluster;
        self.applied += 1;
        self.moves.0 += 1;
        self.moves.1 = self.moves.0;
        Ok(())
    }

    /// Takes one event, or repeats the command that came next. False if there is neither.
    pub fn step(&mut self) -> bool {
        if let Some(logged) = self.scenario.commands.get(self.applied).filter(|next| next.after == self.moves.0) {
            self.cluster.wait_until(crate::objects::Time(crate::sim::START.0 + logged.at));
            // It was carried out here before, from the same state.
            let _ = apply::apply(&mut self.cluster, &logged.command);
            self.applied += 1;
        } else if !self.cluster.step() {
            return false;
        }
        self.moves.0 += 1;
        self.moves.1 = self.moves.1.max(self.moves.0);
        if self.snapshots.last().is_none_or(|last| last.moves + SNAPSHOT_EVERY <= self.moves.0) {
            let snapshot = Snapshot { moves: self.moves.0, applied: self.applied, cluster: self.cluster.clone() };
            self.snapshots.push(Rc::new(snapshot));
        }
        true
    }

    /// Steps until a sync of the controller is done. False if nothing is left.
    pub fn step_sync(&mut self) -> bool {
        while self.step() {
            if matches!(self.cluster.trace().happenings.last(), Some((_, Happening::Synced(_)))) {
                return true;
            }
        }
        false
    }

    /// Goes back by one event or command, but not before the first manifest. False at the start.
    pub fn step_back(&mut self) -> bool {
        if self.moves.0 <= 1 {
            return false;
        }
        self.go_to(self.moves.0 - 1);
        true
    }

    /// Goes to the moment right after this many moves, by the nearest snapshot before it.
    pub fn go_to(&mut self, moves: u64) {
        let before = self.snapshots.iter().rev().find(|snapshot| snapshot.moves <= moves);
        if let Some(snapshot) = before.filter(|snapshot| moves < self.moves.0 || snapshot.moves > self.moves.0) {
            self.cluster = snapshot.cluster.clone();
            self.applied = snapshot.applied;
            self.moves.0 = snapshot.moves;
        }
        while self.moves.0 < moves && self.step() {}
    }

    /// Lets virtual milliseconds pass, taking everything that falls due.
    pub fn advance(&mut self, milliseconds: i64) {
        let until = crate::objects::Time(self.cluster.now().0 + milliseconds);
        while self.next_move_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.cluster.wait_until(until);
    }

    /// When the next event or logged command is due.
    fn next_move_at(&self) -> Option<crate::objects::Time> {
        let command = self.scenario.commands.get(self.applied);
        let command = command.map(|next| (next.after, crate::objects::Time(crate::sim::START.0 + next.at)));
        match command {
            Some((after, at)) if after == self.moves.0 => Some(at.max(self.cluster.now())),
            _ => self.cluster.next_event_at(),
        }
    }

    /// Goes back to the start and forgets every command after the first manifest.
    pub fn reset(&mut self) {
        self.go_to(0);
        Rc::make_mut(&mut self.scenario).commands.truncate(1);
        self.snapshots.truncate(1);
        self.moves.1 = 0;
        self.step();
    }

    /// How many events and commands lie before the cursor, and how many are known in all.
    pub fn position(&self) -> (u64, u64) {
        self.moves
    }
}

impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        self.moves == other.moves && self.cluster.now() == other.cluster.now() && self.scenario == other.scenario
    }
}

/// The log: what it takes to see the same again.
impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("scenario", &self.scenario).field("moves", &self.moves).finish_non_exhaustive()
    }
}
