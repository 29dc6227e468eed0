//! The cursor over a run.

use super::{Command, Refusal};
use crate::reconcile::Release;
use crate::sim::Cluster;

/// A run: its commands, and the cluster at the moment the person looks at.
#[derive(Clone)]
pub struct Session {
    cluster: Cluster,
    release: Release,
}

impl Session {
    /// A run of this manifest on three nodes, paused at its start with the set already settled.
    ///
    /// # Errors
    /// What is wrong with the manifest.
    pub fn start(_manifest: &str, _seed: u64) -> Result<Self, Refusal> {
        Err(Refusal { problems: Vec::new() })
    }

    /// The cluster at the cursor.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The release whose controller runs.
    pub fn release(&self) -> Release {
        self.release
    }

    /// Logs and applies a command at the cursor; later commands are forgotten.
    ///
    /// # Errors
    /// The API server's refusal; then nothing has changed.
    pub fn command(&mut self, _command: Command) -> Result<(), Refusal> {
        Ok(())
    }

    /// Takes one event. False if there is none.
    pub fn step(&mut self) -> bool {
        false
    }

    /// Takes events until the next sync of the controller is done. False if there is none.
    pub fn step_sync(&mut self) -> bool {
        false
    }

    /// Goes back by one event or command. False at the start.
    pub fn step_back(&mut self) -> bool {
        false
    }

    /// Lets virtual milliseconds pass, taking every event that falls due.
    pub fn advance(&mut self, _milliseconds: i64) {}

    /// Goes back to the start and forgets every command after the first manifest.
    pub fn reset(&mut self) {}

    /// How many events have been taken, and how many of the run are known.
    pub fn position(&self) -> (u64, u64) {
        (0, 0)
    }
}
