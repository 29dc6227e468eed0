//! What the recorded runs of every kind have in common: their files, and which kind a line is of. See tests/vectors/README.md.

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use setscope::objects::{Cause, Reason};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// What says of which kind a recorded run is.
#[derive(Deserialize)]
pub struct Header {
    pub id: String,
    /// What it was recorded from, such as `v1.20.2` or `openkruise/kruise@07169cfac7b9`.
    pub version: String,
    /// The function, where it is not a whole sync.
    #[serde(rename = "fn")]
    pub function: Option<String>,
    /// What is given to it, by name.
    pub input: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize, Clone)]
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
    /// The status cause that a controller asks for.
    pub cause: Option<Cause>,
    pub error: String,
    pub times: i32,
}

/// The vector files at a place, by name.
pub fn files_in(place: &Path) -> Vec<PathBuf> {
    if !place.is_dir() {
        return vec![place.to_path_buf()];
    }
    let entries = std::fs::read_dir(place).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| [".jsonl", ".jsonl.gz"].iter().any(|end| path.to_string_lossy().ends_with(end)));
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
