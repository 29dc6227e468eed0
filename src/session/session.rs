//! The cursor over a run.

use super::{Command, Refusal};
use crate::reconcile::Release;
use crate::sim::Cluster;
use std::rc::Rc;

/// A run: its commands, and the cluster at the moment the person looks at.
#[derive(Clone)]
pub struct Session {
    cluster: Cluster,
}

impl Session {
    /// A run of this manifest on three nodes, at its start.
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
        self.cluster.release()
    }

    /// The set as it is now, as YAML; empty if it does not exist.
    pub fn manifest(&self, _set: &crate::objects::ObjectRef) -> Rc<str> {
        "".into()
    }

    /// Logs and applies a command at the cursor; later commands are forgotten.
    ///
    /// # Errors
    /// The API server's refusal; then nothing has changed.
    pub fn command(&mut self, _command: Command) -> Result<(), Refusal> {
        Ok(())
    }

    /// Takes one event, or repeats the command that came next. False if there is neither.
    pub fn step(&mut self) -> bool {
        false
    }

    /// Steps until a sync of the controller is done. False if nothing is left.
    pub fn step_sync(&mut self) -> bool {
        false
    }

    /// Goes back by one event or command. False at the start.
    pub fn step_back(&mut self) -> bool {
        false
    }

    /// Lets virtual milliseconds pass, taking everything that falls due.
    pub fn advance(&mut self, _milliseconds: i64) {}

    /// Goes back to the start and forgets every command after the first manifest.
    pub fn reset(&mut self) {}

    /// How many events and commands lie before the cursor, and how many are known in all.
    pub fn position(&self) -> (u64, u64) {
        (0, 0)
    }
}
