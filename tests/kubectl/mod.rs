//! What kubectl prints and answers, to the blank.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod answers;
mod completion;
mod pods;
mod selectors;
mod services;
mod tables;
mod workloads;
