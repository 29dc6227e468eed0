//! What several tests need: scenarios, links, a terminal, runs to begin with.
#![allow(clippy::unwrap_used, reason = "a test")]

mod dumps;
mod host;
mod manifests;
mod processor;
pub(crate) mod random;
mod run;
mod starters;
mod terminal;
pub(crate) mod truth;

pub(crate) use dumps::{dump, dump_in, dumps};
pub(crate) use host::{link, open_link};
pub(crate) use manifests::{CLAIMS, kind_of, manifest, workload, workload_of};
pub(crate) use processor::Processor;
pub(crate) use run::{Run, is_ready, state_and_image};
pub(crate) use setscope::view::assertions::{check, refutation};
pub(crate) use starters::{WEB, daemon_set, deployment, image, in_place, start, under};
pub(crate) use terminal::{check_shown, expect_shown, give, pod, reference, says, settle, shown, web};

use std::fs;
use std::path::PathBuf;

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Name and text of every scenario of one run.
pub(crate) fn presets() -> Vec<(String, String)> {
    files("www/scenarios", false)
}

/// Name and text of every scenario of several runs side by side.
pub(crate) fn comparisons() -> Vec<(String, String)> {
    files("www/scenarios", true)
}

/// Name and text of every scenario that shows a difference between releases.
pub(crate) fn releases() -> Vec<(String, String)> {
    files("www/scenarios/releases", false)
}

/// Name and text of every lesson.
pub(crate) fn lessons() -> Vec<(String, String)> {
    files("www/lessons", false)
}

/// web.yaml is the manifest that the page starts with.
fn files(place: &str, with_lanes: bool) -> Vec<(String, String)> {
    let files = fs::read_dir(folder(place)).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end == "yaml") && !path.ends_with("web.yaml"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .filter(|(_, text)| text.contains("\nlanes:\n") == with_lanes)
        .collect();
    found.sort();
    found
}
