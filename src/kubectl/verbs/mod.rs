//! kubectl's verbs, a file or folder for each.

mod cordon;
pub(super) mod delete;
pub(super) mod describe;
pub(super) mod drain;
mod edit;
pub(super) mod get;
mod label;
mod logs;
mod patch;
pub(super) mod rollout;
mod scale;
mod set;
pub(super) mod taint;

use super::{Args, Error, Line};
use crate::sim::Cluster;

/// One verb: what may follow it, and what a line with it means.
pub(super) struct Verb {
    pub(super) name: &'static str,
    /// What follows, by which help and completion go: `[kind|kind] NAME KEY=VALUE|KEY-`.
    pub(super) usage: &'static str,
    /// Flags that are known, in the order in which they are offered.
    pub(super) flags: &'static [&'static str],
    pub(super) parse: fn(&Args, &Cluster) -> Result<Line, Error>,
}

/// Every verb, in the order of help.
pub(super) const VERBS: &[Verb] = &[
    get::VERB,
    describe::VERB,
    scale::VERB,
    set::VERB,
    patch::VERB,
    edit::VERB,
    delete::VERB,
    rollout::VERB,
    label::VERB,
    cordon::CORDON,
    cordon::UNCORDON,
    drain::VERB,
    taint::VERB,
    logs::VERB,
];

/// Flags that take no value.
pub(super) const SWITCHES: &[&str] = &[
    "-w",
    "--watch",
    "-A",
    "--all-namespaces",
    "--no-headers",
    "--force",
    "--now",
    "--ignore-daemonsets",
    "--delete-emptydir-data",
    "--delete-local-data",
    "--overwrite",
    "--previous",
    "-f",
    "--follow",
];
