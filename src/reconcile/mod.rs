//! The ported decision logic. A sync is a function of what the controller's cache holds; it writes only through the
//! [`Api`] it is handed and leaves one [`Decision`] at each point where the real code decides.

pub mod advanced_stateful_set;
mod api;
mod back_off;
mod cache;
mod changes;
pub mod clone_set;
mod controller;
mod controllers;
pub mod daemon_set;
mod decision;
pub mod deployment;
mod enqueue;
mod go_sort;
mod in_place;
mod ordinals;
mod own_writes;
mod pods;
pub mod replica_set;
mod revisions;
mod rules;
mod stage;
pub mod stateful_set;
mod sync_cache;
mod template_hash;
mod workload;

pub use crate::releases::{Gates, Release};
pub use api::MetadataPatch;
pub use api::{Api, OwnerPatch, SyncError};
pub use back_off::BackOff;
pub use cache::{Cache, List, Namespace, WatchEvent};
pub use changes::{CHANGES, Change, changes};
pub use controller::{Context, Controller, Observed, Outcome, RATE_LIMITED};
pub use controllers::CONTROLLERS;
pub use decision::{Decision, Diffs, Facts, Subject};
pub use in_place::{AtHook, RefMetadata, UpdateSpec, in_place_update_spec, is_gate_of_update, is_in_grace, updated_at};
pub use own_writes::{OwnWrite, check_own_writes};
pub(crate) use pods::REVISION_LABEL;
pub use pods::{
    is_available, is_created, is_failed, is_healthy, is_running_and_ready, parent_and_ordinal, revision_of,
};
pub use revisions::{hash_revision_data, template_patch};
pub use rules::Rule;
pub use stage::{Source, Stage, Weight};
pub use sync_cache::{CachedClone, SyncCache};
pub(crate) use template_hash::{TEMPLATE_HASH_LABEL, template_hash};
pub(crate) use workload::template_text;
