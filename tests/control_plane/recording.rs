//! A recorded scenario of a real control plane: what was done, and every change that its watch saw.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One file.
pub(crate) struct Recording {
    pub(crate) id: String,
    /// When it ended, in milliseconds since its start.
    pub(crate) until: i64,
    pub(crate) namespace: String,
    /// The prefix of its nodes' names.
    pub(crate) pool: String,
    pub(crate) commands: Vec<Value>,
    pub(crate) changes: Vec<Value>,
    /// What the controller manager logged of its StatefulSets: milliseconds since the start, text.
    pub(crate) log: Vec<(i64, String)>,
}

fn lines(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every recording in a folder, by name; `controller-log.jsonl.gz` beside them holds the log of all.
pub(crate) fn all(folder: &Path) -> Vec<Recording> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    paths.sort();
    let is_log = |path: &PathBuf| path.ends_with("controller-log.jsonl.gz");
    let log: Vec<Value> = paths.iter().filter(|path| is_log(path)).flat_map(|path| lines(path)).collect();
    paths.iter().filter(|path| !is_log(path)).map(|path| read(path, &log)).collect()
}

fn read(path: &Path, log: &[Value]) -> Recording {
    let mut lines = lines(path);
    let head = lines.remove(0);
    let text = |key: &str| head[key].as_str().unwrap_or_default().to_owned();
    let of = |record: &str| lines.iter().filter(|line| line["record"] == record).cloned().collect::<Vec<_>>();
    let id = text("id");
    let logged = log.iter().filter(|line| line["scenario"] == id.as_str());
    let logged = logged.map(|line| (milliseconds(&line["t"]), line["text"].as_str().unwrap().to_owned())).collect();
    Recording {
        until: milliseconds(&head["until"]) * 1000,
        namespace: text("ns"),
        pool: text("pool"),
        commands: of("command"),
        changes: of("change"),
        log: logged,
        id,
    }
}

/// A number of milliseconds, whole or not.
pub(crate) fn milliseconds(value: &Value) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "times of a recording are small")]
    value.as_f64().map_or(0, |number| number.round() as i64)
}
