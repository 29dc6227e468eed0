//! The cluster around the controllers: an API store, lagging caches, a work queue, a scheduler, kubelets, nodes, volumes,
//! a virtual clock and one seed. It takes one event at a time and knows nothing of who watches.

mod agenda;
mod cluster;
mod informer;
mod kubelet;
mod node;
mod queue;
mod rng;
mod scheduler;
mod settings;
mod store;
mod trace;
mod worker;

pub use cluster::{Cluster, NodeHealth, START};
pub use settings::{Behaviour, Settings};
pub use trace::{EventRecord, Happening, Moment, Outcome, SyncRecord, Trace, Verb, Write};
