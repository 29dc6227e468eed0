//! Recorded answers of the real API server and kubectl, given again: verdict, messages and the stored object.
//!
//! `SETSCOPE_ANSWERS` takes other files, or folders of them, separated by commas or as in PATH.
#![allow(clippy::unwrap_used, reason = "a test")]

#[cfg(not(target_arch = "wasm32"))]
mod compare;
#[cfg(not(target_arch = "wasm32"))]
mod replay;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../kit/truth.rs"]
mod truth;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    replay::run()
}

#[cfg(target_arch = "wasm32")]
fn main() {}
