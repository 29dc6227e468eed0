//! Over every text of objects in tests/cases: what was cut out of a text turns nothing well, and promises nothing.

use super::aged::objects;
use crate::kit;
use serde_json::Value;
use setscope::diagnosis::{CONDITIONS, Told, diagnose};
use setscope::session::dump::{self, Options};
use std::fs;
use std::path::PathBuf;

/// Fields that every cluster prints, and that somebody, or a tool that makes texts neat, may have taken out everywhere.
const FIELDS: [&str; 10] = [
    "creationTimestamp",
    "status",
    "containerStatuses",
    "nodeName",
    "startedAt",
    "lastState",
    "finishedAt",
    "lastTransitionTime",
    "generation",
    "observedGeneration",
];
/// Of each text every how many-th is cut.
const EVERY: usize = 5;

/// The cases, by name.
fn cases() -> Vec<PathBuf> {
    let all = fs::read_dir(kit::folder("tests/cases")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = all.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    cases.sort();
    cases
}

fn without(value: &Value, field: &str) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| without(item, field)).collect(),
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, _)| *name != field);
            Value::Object(kept.map(|(name, value)| (name.clone(), without(value, field))).collect())
        }
        other => other.clone(),
    }
}

/// Whether no workload needs anybody, by its verdict; nothing where the text is not opened.
fn is_green(objects: &[Value]) -> Option<bool> {
    let text: Vec<String> = objects.iter().map(Value::to_string).collect();
    let dump = dump::open(&text.join("\n---\n"), &Options::default()).ok()?;
    let all = diagnose(&dump.session(1).ok()?, Told::from(&dump), CONDITIONS);
    Some(dump.not_followed.is_empty() && dump.oversized.is_empty() && all.iter().all(|one| !one.verdict.is_open()))
}

#[test]
fn what_was_cut_out_of_a_text_turns_nothing_well() {
    let every = if std::env::var_os("SETSCOPE_MUTATED").is_some() { 1 } else { EVERY };
    let (mut tried, mut wrong) = (0, Vec::new());
    for (number, path) in cases().into_iter().enumerate() {
        let Some(whole) = objects(&fs::read_to_string(&path).unwrap()) else { continue };
        if is_green(&whole) != Some(false) {
            continue;
        }
        for field in FIELDS.iter().skip(number % every).step_by(every) {
            let cut: Vec<Value> = whole.iter().map(|object| without(object, field)).collect();
            if cut != whole {
                tried += 1;
                if is_green(&cut) == Some(true) {
                    wrong.push(format!("{} without {field}", path.file_stem().unwrap().to_string_lossy()));
                }
            }
        }
    }
    assert!(tried > 200, "only {tried} were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What people give most: workloads and their pods.
const WORKLOADS_AND_PODS: [&str; 6] = ["StatefulSet", "Deployment", "DaemonSet", "CloneSet", "ReplicaSet", "Pod"];
const NODES: [&str; 1] = ["Node"];
const PODS: [&str; 1] = ["Pod"];

/// The objects of those kinds, or all others.
fn of_kinds(objects: &[Value], kinds: &[&str], is_in: bool) -> Vec<Value> {
    let is_one = |object: &&Value| object["kind"].as_str().is_some_and(|kind| kinds.contains(&kind)) == is_in;
    objects.iter().filter(is_one).cloned().collect()
}

/// A text that has no nodes shows neither that a pod finds one, nor when it was made; one without pods that are not well, not what
/// holds them.
#[test]
fn without_nodes_or_without_pods_nothing_is_promised_to_end_by_itself() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for path in cases() {
        let Some(whole) = objects(&fs::read_to_string(&path).unwrap()) else { continue };
        let alone = of_kinds(&whole, &WORKLOADS_AND_PODS, true);
        let [without_nodes, mut without_pods] = [&NODES, &PODS].map(|kinds| of_kinds(&whole, kinds, false));
        if is_green(&whole) != Some(false) {
            without_pods.clear();
        }
        for (what, part) in [("alone", alone), ("without nodes", without_nodes), ("without pods", without_pods)] {
            if part.is_empty() || part == whole {
                continue;
            }
            let text: Vec<String> = part.iter().map(Value::to_string).collect();
            let Ok(dump) = dump::open(&text.join("\n---\n"), &Options::default()) else { continue };
            let Ok(session) = dump.session(1) else { continue };
            let all = diagnose(&session, Told::from(&dump), CONDITIONS);
            tried += 1;
            for one in all.iter().filter(|one| one.verdict.word() == "recovers") {
                wrong.push(format!("{} {what}: {}", path.file_stem().unwrap().to_string_lossy(), one.workload.name));
            }
        }
    }
    assert!(tried > 400, "only {tried} were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Copied from a terminal, or from an issue that was too long: kubectl prints the List's kind last.
#[test]
fn a_text_without_its_end_promises_nothing() {
    let (mut tried, mut wrong) = ([0; 2], Vec::new());
    for path in cases() {
        let whole = fs::read_to_string(&path).unwrap();
        let is_printed = whole.starts_with("apiVersion: v1\nitems:") && whole.contains("\nkind: List");
        let Some(objects) = objects(&whole).filter(|all| is_printed && is_green(all) == Some(false)) else { continue };
        let json = serde_json::json!({ "apiVersion": "v1", "items": objects, "kind": "List" });
        for (form, text) in [whole.clone(), format!("{json:#}")].iter().enumerate() {
            let lines: Vec<&str> = text.lines().collect();
            for part in [5, 8] {
                let cut = lines[..lines.len() * part / 10].join("\n");
                let Ok(dump) = dump::open(&cut, &Options::default()) else {
                    continue;
                };
                tried[form] += 1;
                let Ok(session) = dump.session(1) else { continue };
                let all = diagnose(&session, Told::from(&dump), CONDITIONS);
                if !dump.leaves_out() || all.iter().any(|one| one.verdict.word() == "recovers") {
                    wrong.push(format!(
                        "{part} of 10 of {} in form {form}: {:?}",
                        path.display(),
                        all.iter().map(|one| one.verdict.word()).collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    assert!(tried.iter().all(|tried| *tried > 200), "only {tried:?} were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
