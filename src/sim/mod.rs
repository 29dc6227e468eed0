//! The cluster around the controllers: an API store, lagging caches, a work queue, a scheduler, kubelets, nodes, volumes,
//! a virtual clock and one seed. It takes one event at a time and knows nothing of who watches.

mod cluster;
mod settings;
mod trace;

pub use cluster::{Cluster, NodeHealth};
pub use settings::{Behaviour, Settings};
pub use trace::{EventRecord, Outcome, SyncRecord, Trace, Verb, Write};
