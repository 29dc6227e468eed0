//! kubectl's verbs, a file or folder for each.

mod autoscale;
mod cordon;
pub(super) mod delete;
pub(super) mod describe;
pub(super) mod drain;
mod edit;
pub(super) mod get;
mod label;
mod logs;
pub(super) mod manifests;
mod patch;
pub(super) mod rollout;
mod scale;
mod set;
pub(super) mod taint;

use super::args::Verb;

/// Every verb, in the order of help.
pub(super) const VERBS: &[Verb] = &[
    get::VERB,
    describe::VERB,
    scale::VERB,
    autoscale::VERB,
    set::VERB,
    patch::VERB,
    edit::VERB,
    manifests::APPLY,
    manifests::CREATE,
    manifests::REPLACE,
    delete::VERB,
    rollout::VERB,
    label::LABEL,
    label::ANNOTATE,
    cordon::CORDON,
    cordon::UNCORDON,
    drain::VERB,
    taint::VERB,
    logs::VERB,
];
