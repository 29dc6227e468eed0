//! SetScope without a browser: reads what kubectl prints of a cluster, says where its controllers stand, and tries what would
//! help. It reads only, and sends nothing.
#![cfg_attr(target_arch = "wasm32", allow(unused))]

#[cfg(not(target_arch = "wasm32"))]
mod command;
#[cfg(not(target_arch = "wasm32"))]
mod diagnose;
#[cfg(not(target_arch = "wasm32"))]
mod ways_out;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    command::run()
}

// The page has a program of its own.
#[cfg(target_arch = "wasm32")]
fn main() {}
