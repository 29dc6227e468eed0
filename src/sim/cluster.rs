//! The cluster: one step takes one event.

use super::{Settings, Trace};
use crate::objects::{ControllerRevision, Node, ObjectRef, PersistentVolumeClaim, Pod, StatefulSet, Time};
use std::rc::Rc;

/// What is true of a node's machine, which the API learns late or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeHealth {
    /// The kubelet renews its lease.
    Running,
    /// The kubelet has stopped answering since this moment.
    Failed {
        /// When it was last heard of.
        since: Time,
    },
}

/// The simulated cluster.
#[derive(Clone)]
pub struct Cluster {
    now: Time,
    settings: Settings,
    trace: Trace,
}

impl Cluster {
    /// The virtual clock.
    pub fn now(&self) -> Time {
        self.now
    }

    /// When the next event is due; none if the cluster has settled.
    pub fn next_event_at(&self) -> Option<Time> {
        None
    }

    /// How many events have been taken.
    pub fn events_taken(&self) -> u64 {
        0
    }

    /// The record of the run.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Delays and misbehaving images.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The sets as the API server holds them, by name.
    pub fn stateful_sets(&self) -> impl Iterator<Item = &Rc<StatefulSet>> {
        [].into_iter()
    }

    /// The pods as the API server holds them, by name.
    pub fn pods(&self) -> impl Iterator<Item = &Rc<Pod>> {
        [].into_iter()
    }

    /// The claims as the API server holds them, by name.
    pub fn claims(&self) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        [].into_iter()
    }

    /// The revisions as the API server holds them, by name.
    pub fn revisions(&self) -> impl Iterator<Item = &Rc<ControllerRevision>> {
        [].into_iter()
    }

    /// The nodes as the API server holds them, by name.
    pub fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        [].into_iter()
    }

    /// What is true of a node's machine.
    pub fn node_health(&self, _name: &str) -> NodeHealth {
        NodeHealth::Running
    }

    /// When the work queue will try the set again after a failed sync, and how often it has failed.
    pub fn retry_of(&self, _set: &ObjectRef) -> Option<(Time, u32)> {
        None
    }
}
