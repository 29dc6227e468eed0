//! Recorded outputs of `kubectl get … -o yaml`.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// The objects and the nodes of a recorded moment, seconds since the start of its run.
pub(crate) fn dump(name: &str, at: i64) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/prediction/dumps/{name}.jsonl.gz"));
    let mut lines = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut lines).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let dumps: Vec<Value> = lines.filter(|line| line["record"] == "dump" && line["at"] == at).collect();
    let text =
        |which: &str| dumps.iter().find(|dump| dump["which"] == which).unwrap()["text"].as_str().unwrap().to_owned();
    (text("objects"), text("nodes"))
}
