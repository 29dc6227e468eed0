//! CloneSet, ReplicaSet, Deployment and DaemonSet in the simulated cluster, beside StatefulSet.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(all(not(target_arch = "wasm32"), feature = "workloads"))]

mod board;
mod clone_sets;
mod compare;
mod daemon_sets;
mod deployments;
mod lines;
mod properties;
mod rules;
mod run;
