//! What a dead node really does, on the clock: each kind of failure with each way out, and the presets about them.
//! T0 is the moment of the failure: a heartbeat, a look of the node monitor and a loop of the pod garbage collector.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod failures;
#[path = "../kit/mod.rs"]
mod kit;
mod presets;
mod releases;
mod workloads;
mod zones_and_volumes;
