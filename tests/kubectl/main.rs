//! What kubectl prints and answers, to the blank.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod answers;
mod completion;
mod selectors;
mod services;
mod tables;
mod workloads;

#[path = "../kit/mod.rs"]
mod kit;
