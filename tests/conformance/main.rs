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
use setscope::objects::{ControllerRevision, Kind};
use setscope::reconcile::stateful_set::sync;
use setscope::reconcile::{Decision, Gates, Mutation, Release, Rule};
use setscope::reconcile::{List, Observed, Outcome, OwnWrite, check_own_writes};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::OnceLock;
use vector::Vector;

const SHOWN_DIFFERENCES: usize = 3;

/// What came of the vectors of one file.
#[derive(Default)]
struct Tally {
    /// The file's name.
    name: String,
    /// The version that its vectors were recorded from, such as `v1.20.2`.
    version: String,
    passed: usize,
    failed: usize,
    unported: usize,
    shown: Vec<String>,
    rules: BTreeSet<Rule>,
}

impl Tally {
    fn release(&self) -> Release {
        Release::of_version(&self.version).unwrap()
    }
}

fn kept_vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// The vectors kept beside the tests, replayed once for all tests.
fn kept() -> &'static [Tally] {
    static KEPT: OnceLock<Vec<Tally>> = OnceLock::new();
    KEPT.get_or_init(|| replay_files(&vector::files_in(&kept_vectors())))
}

/// Each file on a thread of its own.
fn replay_files(paths: &[PathBuf]) -> Vec<Tally> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = paths.iter().map(|path| scope.spawn(|| replay_file(path))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Runs one vector: the decisions it took, and how its output differs from the recorded one.
fn replay(vector: &Vector) -> (Vec<Decision>, Vec<String>) {
    replay_with(vector, vector.gates())
}

/// The same with other gates.
fn replay_with(vector: &Vector, gates: Gates) -> (Vec<Decision>, Vec<String>) {
    let input = &vector.input;
    let set = Rc::new(input.stateful_set.clone());
    let claims: List<_> = input.persistent_volume_claims.iter().cloned().collect();
    let observed = Observed {
        pods: &input.pods,
        revisions: &cached_revisions(input),
        claims: &claims,
        ..Observed::alone(input.now, &set)
    };
    let mut recorder = Recorder::new(input);
    let mut decisions = Vec::new();
    let rule = Rule::CacheBehindOwnWrites;
    let behind = check_own_writes(gates.waits_for_own_writes, &own_writes(input), rule, &mut decisions);
    let returned = match behind {
        Ok(()) => sync(&gates, &observed, &mut recorder, &mut decisions),
        Err(error) => Outcome { error: Some(error), ..Outcome::default() },
    };
    let again = returned.requeue_after.map(|delay| delay.as_secs());
    let error = returned.error.map(|error| error.0);
    let want = &vector.output;
    let mut differences = Vec::new();
    compare("actions", &json!(want.actions), &json!(recorder.actions), &mut differences);
    compare("events", &json!(want.events), &json!(recorder.events), &mut differences);
    compare("status", &want.status, &recorder.status, &mut differences);
    compare("error", &json!(want.error), &json!(error), &mut differences);
    compare("requeueAfterSeconds", &json!(want.requeue_after_seconds), &json!(again), &mut differences);
    compare("reads", &json!(want.reads), &json!(recorder.reads), &mut differences);
    (decisions, differences)
}

/// An informer holds one object of a name: a planted revision hides the one whose name it has.
fn cached_revisions(input: &vector::Input) -> Vec<Rc<ControllerRevision>> {
    let all = &input.controller_revisions;
    let is_hidden = |at: usize| all[at + 1..].iter().any(|later| later.metadata.name == all[at].metadata.name);
    (0..all.len()).filter(|at| !is_hidden(*at)).map(|at| Rc::clone(&all[at])).collect()
}

fn own_writes(input: &vector::Input) -> Vec<OwnWrite> {
    let kinds = [Kind::Pod, Kind::PersistentVolumeClaim, Kind::StatefulSet];
    let own_write = |write: &vector::RememberedWrite| OwnWrite {
        kind: kinds.into_iter().find(|kind| kind.resource() == write.resource).unwrap(),
        written: Rc::clone(&write.wrote_resource_version),
        read: Rc::clone(&write.read_resource_version),
    };
    input.own_writes.iter().map(own_write).collect()
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
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut tally = Tally { name, ..Tally::default() };
    for line in vector::lines(path) {
        let header: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let version = header["version"].as_str().unwrap_or_default();
        if Release::of_version(version).is_none() {
            tally.unported += 1;
            continue;
        }
        if tally.version != version {
            version.clone_into(&mut tally.version);
        }
        let vector: Vector = match serde_json::from_str(&line) {
            Ok(vector) => vector,
            Err(error) => {
                tally.failed += 1;
                tally.shown.push(format!("  {}: cannot be read: {error}", header["id"]));
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
    let others;
    let tallies = match std::env::var_os("SETSCOPE_VECTORS") {
        None => kept(),
        Some(place) => {
            others = replay_files(&vector::files_in(Path::new(&place)));
            &others
        }
    };
    for tally in tallies {
        let total = tally.passed + tally.failed;
        let unported = if tally.unported > 0 { format!(", {} unported", tally.unported) } else { String::new() };
        say(&format!("{}: {}/{total}{unported}", tally.name, tally.passed));
        tally.shown.iter().take(SHOWN_DIFFERENCES).for_each(|shown| say(shown));
    }
    let failed: usize = tallies.iter().map(|tally| tally.failed).sum();
    let replayed: usize = tallies.iter().map(|tally| tally.passed).sum();
    assert!(failed == 0, "{failed} recorded runs differ");
    assert!(replayed > 0 || std::env::var_os("SETSCOPE_VECTORS").is_some(), "no vectors were found");
}

#[test]
fn every_rule_is_taken_in_a_recorded_run_and_only_where_it_holds() {
    let taken: BTreeSet<Rule> = kept().iter().flat_map(|tally| &tally.rules).copied().collect();
    let taken = &taken | &clone_set::replay_all().rules;
    // Of the others no runs were recorded: tests/workloads/rules.rs covers them in the simulation.
    let is_recorded = |rule: &Rule| matches!(rule.kind(), Kind::StatefulSet | Kind::CloneSet);
    let missing: Vec<Rule> =
        Rule::ALL.iter().copied().filter(|rule| is_recorded(rule) && !taken.contains(rule)).collect();
    assert!(missing.is_empty(), "no recorded run takes {missing:?}");
    for tally in kept() {
        let release = tally.release();
        let holds = |rule: &&Rule| rule.source(release).holds_in(release);
        let strange: Vec<&Rule> = tally.rules.iter().filter(|rule| !holds(rule)).collect();
        assert!(strange.is_empty(), "{} takes {strange:?}, which do not hold in {}", tally.name, release.name());
    }
}

/// Whether it has runs of its own: one that differs from another release in a feature gate's default is proved by that one.
fn is_recorded(release: Release) -> bool {
    Release::of_version(release.profile().proved_on) == Some(release)
}

fn on_by_default(release: Release, gate: &str) -> bool {
    release.gates().feature(gate).is_some_and(|gate| *gate)
}

#[test]
fn every_feature_gate_is_switched_both_ways_in_a_recorded_run() {
    for release in Release::ALL.into_iter().filter(|release| is_recorded(*release)) {
        let mut seen = BTreeSet::new();
        for path in
            vector::files_in(&kept_vectors()).iter().filter(|path| path.to_string_lossy().contains(release.name()))
        {
            for line in vector::lines(path) {
                let vector: Vector = serde_json::from_str(&line).unwrap();
                let defaults =
                    release.feature_gates().iter().map(|name| (name.to_string(), on_by_default(release, name)));
                let gates = defaults.filter(|(name, _)| !vector.input.feature_gates.contains_key(name));
                seen.extend(gates.chain(vector.input.feature_gates.clone()));
            }
        }
        let known =
            release.feature_gates().iter().flat_map(|name| [(name.to_string(), false), (name.to_string(), true)]);
        assert_eq!(seen, known.collect(), "{}", release.name());
    }
}

#[test]
fn the_table_says_what_is_reproduced() {
    let table = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let mut missing = Vec::new();
    for release in Release::ALL.into_iter().filter(|release| is_recorded(*release)) {
        let tallies: Vec<&Tally> = kept().iter().filter(|tally| tally.release() == release).collect();
        let passed = tallies.iter().map(|tally| tally.passed).sum();
        let total: usize = tallies.iter().map(|tally| tally.failed).sum::<usize>() + passed;
        let taken: BTreeSet<&Rule> = tallies.iter().flat_map(|tally| &tally.rules).collect();
        let hold: Vec<&Rule> = Rule::ALL
            .iter()
            .filter(|rule| rule.kind() == Kind::StatefulSet && rule.source(release).holds_in(release))
            .collect();
        let version = tallies.first().map_or(release.name(), |tally| &tally.version);
        let (runs, reproduced) = (thousands(total), thousands(passed));
        let row = format!("| {version} | {runs} | {reproduced} | {} of {} |", taken.len(), hold.len());
        say(&row);
        let left: Vec<_> = hold.into_iter().filter(|rule| !taken.contains(rule)).collect();
        if !left.is_empty() {
            say(&format!("  taken only in other releases: {left:?}"));
        }
        if !table.contains(&row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md should have these rows:\n{}", missing.join("\n"));
}

/// 6811 as `6,811`.
fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn a_recorded_run_that_is_changed_is_noticed() {
    let path = kept_vectors().join("v1.20.2-unit.jsonl.gz");
    let line = vector::lines(&path).next().unwrap();
    let mut value: Value = serde_json::from_str(&line).unwrap();
    value["output"]["actions"][1]["object"]["metadata"]["labels"]["app"] = json!("other");
    value["output"]["status"]["replicas"] = json!(7);
    let vector: Vector = serde_json::from_str(&value.to_string()).unwrap();
    let (_, differences) = replay(&vector);
    assert_eq!(differences.len(), 2, "{differences:?}");
}

#[test]
fn every_fault_seeded_into_the_port_makes_recorded_runs_differ() {
    for release in ["v1.20.2", "v1.34.0"] {
        for mutation in Mutation::ALL {
            let path = kept_vectors().join(format!("{release}-unit.jsonl.gz"));
            let lines = vector::lines(&path);
            let differs = |line: String| {
                let vector: Vector = serde_json::from_str(&line).unwrap();
                let gates = Gates { mutation: Some(mutation), ..vector.gates() };
                !replay_with(&vector, gates).1.is_empty()
            };
            let differing = lines.step_by(3).map(differs).filter(|differs| *differs).count();
            say(&format!("{mutation:?} in {release}: {differing} recorded runs differ"));
            assert!(differing > 0, "{mutation:?} is not noticed in {release}");
        }
    }
}
