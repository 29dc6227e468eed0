//! SetScope without a browser: says of a cluster where its controllers stand and what would help, and of a manifest what it
//! would do. It reads only, and sends nothing.
#![cfg_attr(target_arch = "wasm32", allow(unused))]
// What is written goes through `printed`, which knows what a terminal obeys and that nobody may be reading.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(not(target_arch = "wasm32"))]
mod bundle;
#[cfg(not(target_arch = "wasm32"))]
mod command;
#[cfg(not(target_arch = "wasm32"))]
mod diagnose;
#[cfg(not(target_arch = "wasm32"))]
mod drain;
#[cfg(not(target_arch = "wasm32"))]
mod figure;
#[cfg(not(target_arch = "wasm32"))]
mod input;
#[cfg(not(target_arch = "wasm32"))]
mod junit;
#[cfg(not(target_arch = "wasm32"))]
mod mcp;
#[cfg(not(target_arch = "wasm32"))]
mod no_node;
#[cfg(not(target_arch = "wasm32"))]
mod plugin;
#[cfg(not(target_arch = "wasm32"))]
mod png;
#[cfg(not(target_arch = "wasm32"))]
mod printed;
#[cfg(not(target_arch = "wasm32"))]
mod redact;
#[cfg(not(target_arch = "wasm32"))]
mod rehearse;
#[cfg(not(target_arch = "wasm32"))]
mod release;
#[cfg(not(target_arch = "wasm32"))]
mod rollout;
#[cfg(not(target_arch = "wasm32"))]
mod run;
#[cfg(not(target_arch = "wasm32"))]
mod scenarios;
#[cfg(not(target_arch = "wasm32"))]
mod schema;
#[cfg(not(target_arch = "wasm32"))]
mod values;
#[cfg(not(target_arch = "wasm32"))]
mod watch;
#[cfg(not(target_arch = "wasm32"))]
mod ways_out;
#[cfg(not(target_arch = "wasm32"))]
mod web;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    command::run()
}

// The page has a program of its own.
#[cfg(target_arch = "wasm32")]
fn main() {}
