//! Advanced StatefulSet, CloneSet, ReplicaSet, Deployment and DaemonSet in the simulated cluster, beside StatefulSet.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod advanced_stateful_sets;
mod board;
mod clone_sets;
mod compare;
mod daemon_sets;
mod deployments;
#[path = "../kit/mod.rs"]
mod kit;
mod lines;
mod newer_releases;
mod properties;
mod rules;
