//! What a run starts from.

use crate::objects::{Kind, Object};
use crate::releases::{Gates, Release};
use crate::sim::{Cluster, Settings};

/// What there is at position 0 of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// Nothing but nodes.
    Empty {
        /// How many.
        nodes: usize,
    },
    /// These objects as they are: uids, resource versions, times and status. Times are of the run's clock.
    Objects(Vec<Object>),
}

impl Start {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        match self {
            Self::Empty { nodes } => *nodes,
            Self::Objects(objects) => objects.iter().filter(|object| object.kind() == Kind::Node).count(),
        }
    }

    /// The cluster at position 0.
    pub(super) fn cluster(&self, release: Release, gates: Gates, seed: u64, settings: Settings) -> Cluster {
        match self {
            Self::Empty { nodes } => {
                let mut cluster = Cluster::new(release, gates, seed);
                cluster.set_settings(settings);
                (0..*nodes).for_each(|_| cluster.add_node());
                cluster
            }
            Self::Objects(objects) => Cluster::with_objects(release, gates, seed, objects, settings),
        }
    }
}
