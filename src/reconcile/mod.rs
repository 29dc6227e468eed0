//! The ported decision logic. A sync is a function of what the controller's cache holds; it writes only through the
//! `Api` it is handed and leaves one `Decision` at each point where the real code decides.

mod api;
mod changes;
pub mod clone_set;
pub mod daemon_set;
mod decision;
pub mod deployment;
mod mutation;
mod pods;
mod release;
pub mod replica_set;
mod revisions;
mod rules;
pub mod stateful_set;
mod template_fields;
mod template_hash;
mod workload;
mod workload_gates;

pub use api::MetadataPatch;
pub use api::{Api, OwnerPatch, SyncError};
pub use changes::{AROUND, CHANGES, Change, changes, changes_around};
pub use decision::{Decision, Facts};
pub use mutation::Mutation;
pub use pods::{
    has_ended, is_available, is_created, is_failed, is_healthy, is_running_and_ready, is_terminating,
    parent_and_ordinal, revision_of,
};
pub use release::{FeatureGate, Gates, Release};
pub use revisions::{hash_revision_data, template_patch};
pub(crate) use template_hash::template_hash;
pub use rules::{Rule, Source, Stage};
pub use workload::Outcome;
pub use workload_gates::{ScalingMessage, WorkloadGates};
pub(crate) use workload::template_text;
