//! The format of a recorded run. See tests/vectors/README.md.

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;
use setscope::objects::{ControllerRevision, PersistentVolumeClaim, Pod, Reason, StatefulSet, Time};
use setscope::reconcile::{Gates, Release};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Deserialize)]
pub struct Vector {
    pub id: String,
    pub version: String,
    pub input: Input,
    pub output: Output,
}

impl Vector {
    /// What its release does, with the feature gates it was recorded with.
    pub fn gates(&self) -> Gates {
        let release = Release::of_version(&self.version).expect("a ported release");
        let mut gates = release.gates();
        for (name, on) in &self.input.feature_gates {
            *gates.feature(name).unwrap_or_else(|| panic!("{}: unknown feature gate {name}", self.id)) = *on;
        }
        gates
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Input {
    pub now: Time,
    pub stateful_set: StatefulSet,
    pub pods: Vec<Rc<Pod>>,
    pub controller_revisions: Vec<Rc<ControllerRevision>>,
    pub persistent_volume_claims: Vec<Rc<PersistentVolumeClaim>>,
    #[serde(default)]
    pub api_errors: Vec<Refusal>,
    #[serde(default)]
    pub api_only: ApiOnly,
    #[serde(default)]
    pub cache_only: Vec<Named>,
    /// What the controller remembers of its own earlier writes.
    #[serde(default)]
    pub own_writes: Vec<RememberedWrite>,
    /// Feature gates set otherwise than by the release's defaults.
    #[serde(default)]
    pub feature_gates: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RememberedWrite {
    pub resource: String,
    pub wrote_resource_version: Rc<str>,
    pub read_resource_version: Rc<str>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ApiOnly {
    pub stateful_set: Option<StatefulSet>,
    pub pods: Vec<Rc<Pod>>,
    pub controller_revisions: Vec<Rc<ControllerRevision>>,
    pub persistent_volume_claims: Vec<Rc<PersistentVolumeClaim>>,
}

#[derive(Deserialize)]
pub struct Named {
    pub resource: String,
    pub name: String,
}

#[derive(Deserialize, Clone)]
pub struct Refusal {
    pub verb: String,
    pub resource: String,
    #[serde(default)]
    pub subresource: String,
    #[serde(default)]
    pub name: String,
    pub reason: Reason,
    pub error: String,
    pub times: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Output {
    pub actions: Vec<Value>,
    pub events: Vec<Value>,
    pub status: Value,
    pub error: Option<String>,
    #[serde(default)]
    pub reads: Vec<Value>,
    pub requeue_after_seconds: Option<Value>,
}

/// The vector files at a place, by name.
pub fn files_in(place: &Path) -> Vec<PathBuf> {
    if !place.is_dir() {
        return vec![place.to_path_buf()];
    }
    let entries = std::fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| [".jsonl", ".jsonl.gz"].iter().any(|end| path.to_string_lossy().ends_with(end)));
    // Those have a form of their own: see clone_set.rs.
    files.retain(|path| !path.file_name().unwrap_or_default().to_string_lossy().starts_with("cloneset-"));
    files.sort();
    files
}

/// The lines of a vector file, unpacked if need be.
pub fn lines(path: &Path) -> impl Iterator<Item = String> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader: Box<dyn Read> =
        if path.extension().is_some_and(|end| end == "gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    BufReader::new(reader).lines().map(|line| line.unwrap()).filter(|line| !line.trim().is_empty())
}
