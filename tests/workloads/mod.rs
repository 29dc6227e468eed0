//! Advanced StatefulSet, CloneSet, ReplicaSet, Deployment and DaemonSet in the simulated cluster, beside StatefulSet.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod advanced_stateful_sets;
mod board;
mod clone_sets;
mod compare;
mod daemon_sets;
mod deployments;
mod lines;
mod newer_releases;
mod properties;
mod rules;
