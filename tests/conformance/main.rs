//! Replays recorded runs of the real controller and compares writes, events, status, error and uncached reads exactly.
//! `SETSCOPE_VECTORS=<file or folder>` replays those files instead of the ones kept beside the tests.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod clone_set;
mod recorder;
mod vector;

use recorder::Recorder;
use serde_json::{Value, json};
use setscope::reconcile::stateful_set::{Observed, sync};
use setscope::reconcile::{Decision, Release, Rule};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;
use vector::Vector;

const SHOWN_DIFFERENCES: usize = 3;

/// What came of the vectors of one file.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    unported: usize,
    shown: Vec<String>,
    rules: BTreeSet<Rule>,
}

/// Runs one vector: the decisions it took, and how its output differs from the recorded one.
fn replay(vector: &Vector) -> (Vec<Decision>, Vec<String>) {
    let input = &vector.input;
    let set = Rc::new(input.stateful_set.clone());
    let claims = input.persistent_volume_claims.iter();
    let claims = claims.map(|claim| (claim.metadata.name.clone(), Rc::clone(claim))).collect();
    let observed = Observed {
        now: input.now,
        set: &set,
        pods: &input.pods,
        revisions: &input.controller_revisions,
        claims: &claims,
    };
    let mut recorder = Recorder::new(input);
    let mut decisions = Vec::new();
    let error = sync(&observed, &mut recorder, &mut decisions).err().map(|error| error.0);
    let want = &vector.output;
    let mut differences = Vec::new();
    compare("actions", &json!(want.actions), &json!(recorder.actions), &mut differences);
    compare("events", &json!(want.events), &json!(recorder.events), &mut differences);
    compare("status", &want.status, &recorder.status, &mut differences);
    compare("error", &json!(want.error), &json!(error), &mut differences);
    compare("reads", &json!(want.reads), &json!(recorder.reads), &mut differences);
    (decisions, differences)
}

/// Lists the paths at which two values differ.
fn compare(path: &str, want: &Value, got: &Value, differences: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            let keys: BTreeSet<&String> = want.keys().chain(got.keys()).collect();
            for key in keys {
                let absent = Value::Null;
                let (want, got) = (want.get(key), got.get(key));
                if want.is_some() != got.is_some() {
                    differences.push(difference(&format!("{path}.{key}"), want, got));
                } else {
                    let (want, got) = (want.unwrap_or(&absent), got.unwrap_or(&absent));
                    compare(&format!("{path}.{key}"), want, got, differences);
                }
            }
        }
        (Value::Array(want), Value::Array(got)) => {
            for index in 0..want.len().max(got.len()) {
                let at = format!("{path}[{index}]");
                match (want.get(index), got.get(index)) {
                    (Some(want), Some(got)) => compare(&at, want, got, differences),
                    (want, got) => differences.push(difference(&at, want, got)),
                }
            }
        }
        _ if want != got => differences.push(difference(path, Some(want), Some(got))),
        _ => {}
    }
}

fn difference(path: &str, want: Option<&Value>, got: Option<&Value>) -> String {
    let show = |value: Option<&Value>| value.map_or("(absent)".to_owned(), Value::to_string);
    format!("    {path}\n      recorded {}\n      ported   {}", show(want), show(got))
}

fn replay_file(path: &Path) -> Tally {
    let mut tally = Tally::default();
    for line in vector::lines(path) {
        let version: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if version["version"].as_str().and_then(Release::of_version).is_none() {
            tally.unported += 1;
            continue;
        }
        let vector: Vector = match serde_json::from_str(&line) {
            Ok(vector) => vector,
            Err(error) => {
                tally.failed += 1;
                tally.shown.push(format!("  {}: cannot be read: {error}", version["id"]));
                continue;
            }
        };
        let (decisions, differences) = replay(&vector);
        tally.rules.extend(decisions.iter().map(|decision| decision.rule));
        if differences.is_empty() {
            tally.passed += 1;
        } else {
            tally.failed += 1;
            let id = format!("  {} ({})", vector.id, vector.version);
            tally.shown.push(std::iter::once(id).chain(differences.into_iter().take(6)).collect::<Vec<_>>().join("\n"));
        }
    }
    tally
}

/// Written past the test harness's capture, so that it is seen in a passing run too.
fn say(text: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{text}").unwrap();
}

#[test]
fn every_recorded_run_is_reproduced_exactly() {
    let (mut failed, mut replayed) = (0, 0);
    for path in vector::files() {
        let tally = replay_file(&path);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let total = tally.passed + tally.failed;
        let unported = if tally.unported > 0 { format!(", {} unported", tally.unported) } else { String::new() };
        say(&format!("{name}: {}/{total}{unported}", tally.passed));
        tally.shown.iter().take(SHOWN_DIFFERENCES).for_each(|shown| say(shown));
        failed += tally.failed;
        replayed += total;
    }
    assert!(failed == 0, "{failed} recorded runs differ");
    assert!(replayed > 0 || std::env::var_os("SETSCOPE_VECTORS").is_some(), "no vectors were found");
}

#[test]
fn every_rule_is_taken_in_a_recorded_run() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let taken: BTreeSet<Rule> = vector::files_in(&kept).iter().flat_map(|path| replay_file(path).rules).collect();
    let taken = &taken | &clone_set::replay_all().rules;
    let missing: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| !taken.contains(rule)).collect();
    assert!(missing.is_empty(), "no recorded run takes {missing:?}");
}

#[test]
fn a_recorded_run_that_is_changed_is_noticed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/v1.20.2-unit.jsonl.gz");
    let line = vector::lines(&path).next().unwrap();
    let mut value: Value = serde_json::from_str(&line).unwrap();
    value["output"]["actions"][1]["object"]["metadata"]["labels"]["app"] = json!("other");
    value["output"]["status"]["replicas"] = json!(7);
    let vector: Vector = serde_json::from_str(&value.to_string()).unwrap();
    let (_, differences) = replay(&vector);
    assert_eq!(differences.len(), 2, "{differences:?}");
}
