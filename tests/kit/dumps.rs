//! Recorded outputs of `kubectl get … -o yaml`.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// The objects and the nodes of a recorded moment, seconds since the start of its run.
pub(crate) fn dump(name: &str, at: i64) -> (String, String) {
    let records = records(name);
    let dumps: Vec<&Value> = records.iter().filter(|line| line["record"] == "dump" && line["at"] == at).collect();
    let text =
        |which: &str| dumps.iter().find(|dump| dump["which"] == which).unwrap()["text"].as_str().unwrap().to_owned();
    (text("objects"), text("nodes"))
}

/// The same of another folder of recordings, at a moment in tenths of a second.
pub(crate) fn dump_in(folder: &str, name: &str, tenths: i64) -> (String, String) {
    let records = records_in(folder, name);
    let is_at = |line: &Value| line["at"].as_f64().is_some_and(|at| (at * 10.0).round() as i64 == tenths);
    let text = |which: &str| {
        let mut dumps = records.iter().filter(|line| line["record"] == "dump" && line["which"] == which && is_at(line));
        dumps.next().unwrap()["text"].as_str().unwrap().to_owned()
    };
    (text("objects"), text("nodes"))
}

/// Every recorded moment: the run's name, the moment, and what a person would paste.
pub(crate) fn dumps() -> Vec<(String, String, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prediction/dumps");
    let files = std::fs::read_dir(home).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = files
        .filter_map(|path| Some(path.file_name()?.to_str()?.strip_suffix(".jsonl.gz")?.to_owned()))
        .filter(|name| name.starts_with('d'))
        .collect();
    names.sort();
    let mut all = Vec::new();
    for name in names {
        let records = records(&name);
        let of =
            |which: &'static str| records.iter().filter(move |dump| dump["record"] == "dump" && dump["which"] == which);
        for (objects, nodes) in of("objects").zip(of("nodes")) {
            let text = |dump: &Value| dump["text"].as_str().unwrap().to_owned();
            let moment = format!("{} {}", objects["at"], objects["moment"].as_str().unwrap());
            all.push((name.clone(), moment, format!("{}---\n{}", text(objects), text(nodes))));
        }
    }
    all
}

fn records(name: &str) -> Vec<Value> {
    records_in("dumps", name)
}

fn records_in(folder: &str, name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/prediction/{folder}/{name}.jsonl.gz"));
    let mut lines = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut lines).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
