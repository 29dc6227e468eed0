//! What a dead node really does, on the clock: each kind of failure with each way out, and the presets about them.
//! T0 is the moment of the failure: a heartbeat, a look of the node monitor and a loop of the pod garbage collector.
#![allow(clippy::unwrap_used, reason = "a test")]

mod failures;
mod presets;
mod releases;
mod workloads;
mod zones_and_volumes;
