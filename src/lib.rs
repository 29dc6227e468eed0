//! SetScope: the StatefulSet controller's decisions on a simulated cluster, explained.
//!
//! The rooms, each naming only those before it: `objects` (the API's values), `reconcile` (the ported controllers), `sim` (the
//! cluster around them), `session` (what people do, logged), `view` (what is drawn, as plain data), `app` (the page).
//!
//! The feature `workloads` (on by default) adds CloneSet, ReplicaSet, Deployment and DaemonSet. The first page is built
//! without it, so that it weighs what a StatefulSet weighs. It adds variants to the closed enums `objects::Kind`,
//! `objects::Object` and `reconcile::Rule` and to the matches over them; everything else of it stands in files of its own:
//! `objects::{clone_set, workload}`, `reconcile::{clone_set, replica_set, deployment, daemon_set, workload}`,
//! `sim::{workloads, in_place}`, `session::{workloads, lanes}`, `view::{clones, board}`. Without the feature the compiler still sees to it that
//! every rule of a StatefulSet has its words; a run of StatefulSets decides the same with and without it.
pub mod objects;
pub mod reconcile;
pub mod session;
pub mod sim;
pub mod view;

#[cfg(target_arch = "wasm32")]
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod js;
