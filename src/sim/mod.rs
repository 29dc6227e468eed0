//! The cluster around the controllers: an API store, lagging caches, a work queue, a scheduler, kubelets, nodes, volumes,
//! a virtual clock and one seed. It takes one event at a time and knows nothing of who watches.

mod choice;
mod cluster;
mod containers;
mod disruption;
mod dns;
mod event_correlator;
mod event_queue;
mod eviction;
mod failure;
mod fingerprint;
mod gc;
mod held;
mod in_place;
mod index;
mod init_containers;
mod kubelet;
mod kubelet_events;
mod life;
mod log;
mod map;
mod names;
mod node;
mod node_failure;
mod operations;
mod owned;
mod probes;
mod provisioner;
mod queries;
mod queue;
mod rng;
mod scheduler;
mod settings;
mod start;
mod store;
mod taint;
#[cfg(test)]
mod tests;
mod trace;
mod volume;
mod worker;

pub use crate::releases::PodEnd;
pub use choice::Choice;
pub use cluster::{Cluster, START};
pub use containers::LiveContainers;
pub use dns::{DnsRecord, NoAddress};
pub use eviction::Budget;
pub use failure::Failure;
pub use log::Log;
pub use operations::Cascade;
pub use queries::NodeHealth;
pub use scheduler::{Misfit, Unschedulable};
pub use settings::{Behaviour, Settings, StorageClass};
pub use store::Admission;
pub use trace::{EventRecord, ObjectVersion, Outcome, SyncRecord, Trace, TraceEvent, Verb, Write};
pub use volume::Attachment;
