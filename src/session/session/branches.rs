//! The branches of a run: a command given in the past leaves the run as it was behind.

use super::{Branch, Rerun, Session};
use crate::kubectl::{Command, Refusal};
use crate::reconcile::Release;
use crate::sim::{Cluster, START};
use std::rc::Rc;

/// Branches beyond this are forgotten, oldest first.
const BRANCHES: usize = 8;

impl Session {
    /// Makes the cursor the end of the run; what lay behind it stays as a branch.
    pub(super) fn fork(&mut self) {
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

    pub(super) fn remember_branch(&mut self) {
        self.others.push(Rc::new(self.branch.clone()));
        if self.others.len() > BRANCHES {
            self.others.remove(0);
        }
    }

    /// Keeps what is known of the end before the cursor goes elsewhere.
    pub(super) fn leave(&mut self) {
        let later = self.branch.end.as_ref().is_none_or(|end| end.now() < self.cluster.now());
        if self.moves == self.branch.known && later {
            self.branch.end = Some(Rc::new(self.cluster.clone()));
        }
    }

    /// The cluster at the end of the known run, whose record holds the whole of it.
    pub fn latest(&self) -> &Cluster {
        self.branch.end.as_deref().filter(|end| end.now() > self.cluster.now()).unwrap_or(&self.cluster)
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
    pub(super) fn stand_on(&mut self, branch: Branch) {
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
        let mut rerun = Rerun::new(self, release, gates);
        rerun.go_on(|| true);
        rerun.open_in(self)
    }

    /// Takes over another run at its moment; this one stays as a branch.
    pub(crate) fn open(&mut self, other: Self) {
        self.leave();
        self.remember_branch();
        self.made += 1;
        (self.branch, self.cluster) = (Branch { number: self.made, ..other.branch }, other.cluster);
        (self.moves, self.applied) = (other.moves, other.applied);
    }
}

impl Branch {
    /// The cluster at its end; none for the branch whose end is at the cursor.
    pub fn end(&self) -> Option<&Cluster> {
        self.end.as_deref()
    }
}
