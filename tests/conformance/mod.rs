//! Replays recorded runs of the real controllers and compares writes, events, status, error and uncached reads exactly.
//! `SETSCOPE_VECTORS=<file or folder>` replays those files instead of the ones kept beside the tests.
#![allow(unreachable_pub, reason = "a test binary has no outside")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod advanced_stateful_set;
mod clone_set;
mod kruise;
mod requests;
mod stateful_set;
use crate::kit::truth;
mod vector;
mod workloads;

use serde_json::Value;
use setscope::objects::Kind;
use setscope::reconcile::{Decision, Release, Rule, daemon_set, replica_set, stateful_set as sets};
use setscope::releases::{Basis, Evidence};
use setscope::view::{ControllerCount, UnrecordedRule};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use vector::Header;

const SHOWN_DIFFERENCES: usize = 3;

/// Replays the recorded runs of one kind.
pub struct Replayer {
    /// The kind whose controller was recorded.
    pub kind: Kind,
    /// Whether a line is such a run.
    pub reads: fn(&Header) -> bool,
    /// Runs a line.
    pub replay: fn(&str) -> Result<Replay, serde_json::Error>,
}

/// What came of a run.
pub struct Replay {
    /// What the controller decided.
    pub decisions: Vec<Decision>,
    /// How its output differs from the recorded one.
    pub differences: Vec<String>,
}

/// Every kind of recorded run. A line that none of these reads counts as unported.
const REPLAYERS: [Replayer; 7] = [
    advanced_stateful_set::REPLAYER,
    stateful_set::REPLAYER,
    clone_set::REPLAYER,
    clone_set::FUNCTIONS,
    workloads::DEPLOYMENT,
    workloads::REPLICA_SET,
    workloads::DAEMON_SET,
];

/// What came of the recorded runs of one file.
#[derive(Default)]
struct Tally {
    /// The file's name.
    name: String,
    /// The version that its runs were recorded from, such as `v1.20.2`.
    version: String,
    /// The kind whose controller was recorded; none if none of the runs is ported.
    kind: Option<Kind>,
    /// How many runs were reproduced, of how many; by function where they are not whole syncs.
    counts: BTreeMap<String, (usize, usize)>,
    unported: usize,
    shown: Vec<String>,
    rules: BTreeSet<Rule>,
}

impl Tally {
    /// The Kubernetes release, if it is one of Kubernetes.
    fn release(&self) -> Option<Release> {
        Release::of_version(&self.version)
    }

    fn passed(&self) -> usize {
        self.counts.values().map(|(passed, _)| passed).sum()
    }

    fn total(&self) -> usize {
        self.counts.values().map(|(_, total)| total).sum()
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
        let header: Header = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Some(replayer) = REPLAYERS.iter().find(|replayer| (replayer.reads)(&header)) else {
            tally.unported += 1;
            continue;
        };
        tally.kind = Some(replayer.kind);
        let (id, version) = (header.id, header.version);
        let count = tally.counts.entry(header.function.unwrap_or_default()).or_default();
        count.1 += 1;
        match (replayer.replay)(&line) {
            Err(error) => tally.shown.push(format!("  {id}: cannot be read: {error}")),
            Ok(Replay { decisions, differences }) => {
                tally.rules.extend(decisions.iter().map(|decision| decision.rule));
                if differences.is_empty() {
                    count.0 += 1;
                } else {
                    let shown = std::iter::once(format!("  {id} ({version})")).chain(differences.into_iter().take(6));
                    tally.shown.push(shown.collect::<Vec<_>>().join("\n"));
                }
            }
        }
        tally.version = version;
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
        let unported = if tally.unported > 0 { format!(", {} unported", tally.unported) } else { String::new() };
        let parts = tally.counts.iter().filter(|(function, _)| !function.is_empty());
        let parts: String = parts.map(|(function, (passed, total))| format!(", {function} {passed}/{total}")).collect();
        say(&format!("{}: {}/{}{parts}{unported}", tally.name, tally.passed(), tally.total()));
        let shown = std::env::var("SETSCOPE_SHOWN").ok().and_then(|shown| shown.parse().ok());
        tally.shown.iter().take(shown.unwrap_or(SHOWN_DIFFERENCES)).for_each(|shown| say(shown));
    }
    let failed: usize = tallies.iter().map(|tally| tally.total() - tally.passed()).sum();
    let replayed: usize = tallies.iter().map(Tally::passed).sum();
    assert!(failed == 0, "{failed} recorded runs differ");
    assert!(replayed > 0 || std::env::var_os("SETSCOPE_VECTORS").is_some(), "no vectors were found");
}

/// Rules that no recorded run takes, and why.
const NOT_RECORDED: &[(Rule, &str)] = &[
    (
        Rule::StatefulSet(sets::Rule::UpdateRecreateWaits),
        "the strategy Recreate is read from KEP-3541; no controller that has it could be run",
    ),
    (
        Rule::ReplicaSet(replica_set::Rule::ReplicasBehindOwnWrites),
        "of 1.36 only the StatefulSet controller was recorded; the check is the one that its runs take",
    ),
    (
        Rule::DaemonSet(daemon_set::Rule::DaemonsBehindOwnWrites),
        "of 1.36 only the StatefulSet controller was recorded; the check is the one that its runs take",
    ),
];

#[test]
fn every_rule_is_taken_in_a_recorded_run_and_only_where_it_holds() {
    let taken: BTreeSet<Rule> = kept().iter().flat_map(|tally| &tally.rules).copied().collect();
    let is_named = |rule: &Rule| NOT_RECORDED.iter().any(|(named, _)| named == rule);
    let missing: Vec<Rule> =
        Rule::ALL.iter().copied().filter(|rule| !taken.contains(rule) && !is_named(rule)).collect();
    for (rule, reason) in NOT_RECORDED {
        assert!(!taken.contains(rule), "{rule:?} is in a recorded run after all: {reason}");
    }
    assert!(missing.is_empty(), "no recorded run takes {missing:?}");
    for tally in kept() {
        let Some(release) = tally.release() else { continue };
        let holds = |rule: &&Rule| rule.source(release).holds_in(release);
        let strange: Vec<&Rule> = tally.rules.iter().filter(|rule| !holds(rule)).collect();
        assert!(strange.is_empty(), "{} takes {strange:?}, which do not hold in {}", tally.name, release.name());
    }
}

/// Whether it has runs of its own: one that differs from another release in a feature gate's default is proved by that one.
fn is_recorded(release: Release) -> bool {
    let profile = release.profile();
    !matches!(profile.basis, Basis::Assumed | Basis::Source) && Release::of_version(profile.proved_on) == Some(release)
}

fn on_by_default(release: Release, gate: &str) -> bool {
    release.gates().feature(gate).is_some_and(|gate| *gate)
}

#[test]
fn the_rules_that_runs_of_each_release_take_are_the_expected_ones() {
    let expected =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/rules.md")).unwrap();
    let mut missing = Vec::new();
    for release in Release::ALL.into_iter().filter(|release| is_recorded(*release)) {
        let is_meant = |tally: &&Tally| tally.kind == Some(Kind::StatefulSet) && tally.release() == Some(release);
        let tallies: Vec<&Tally> = kept().iter().filter(is_meant).collect();
        let passed = tallies.iter().map(|tally| tally.passed()).sum();
        let total = tallies.iter().map(|tally| tally.total()).sum();
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
        if !expected.lines().any(|line| line == row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "tests/conformance/rules.md should have these rows:\n{}", missing.join("\n"));
}

/// The recorded runs of a kind of this version: how many, and how many are reproduced.
fn runs_of(kind: Kind, version: &str) -> (usize, usize) {
    let is_meant = |tally: &&Tally| tally.kind == Some(kind) && tally.version == version;
    let counts = kept().iter().filter(is_meant).map(|tally| (tally.total(), tally.passed()));
    counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn controller_count(kind: Kind, release: &str, Evidence { basis, of }: Evidence) -> ControllerCount {
    let (runs, reproduced) = runs_of(kind, of);
    let (kind, release, of) = (kind.as_str().to_owned(), release.to_owned(), of.to_owned());
    ControllerCount { kind, release, basis, of, runs, reproduced }
}

#[test]
fn the_page_says_what_was_counted() {
    let mut counts = Vec::new();
    for release in Release::ALL {
        let profile = release.profile();
        let of = if profile.basis == Basis::Assumed { profile.assumed_as } else { profile.proved_on };
        let own = Evidence { basis: profile.basis, of };
        counts.push(controller_count(Kind::StatefulSet, release.name(), own));
        for kind in [Kind::Deployment, Kind::ReplicaSet, Kind::DaemonSet] {
            counts.push(controller_count(kind, release.name(), profile.workloads));
        }
    }
    for count in &counts {
        let has_runs = matches!(count.basis, Basis::Recorded | Basis::RecordedWithGates | Basis::Reconstructed);
        assert_eq!(has_runs, count.runs > 0, "{count:?}");
        let is_release = |release: &Release| release.name() == count.of;
        assert!(count.basis != Basis::Assumed || Release::ALL.iter().any(is_release), "{count:?}");
    }
    for tally in kept().iter().filter(|tally| tally.release().is_none()) {
        let kind = match tally.kind.unwrap() {
            Kind::AdvancedStatefulSet => "Advanced StatefulSet".to_owned(),
            kind if tally.counts.contains_key("") => kind.as_str().to_owned(),
            kind => format!("{} functions", kind.as_str()),
        };
        let (runs, reproduced, of) = (tally.total(), tally.passed(), tally.version.clone());
        counts.push(ControllerCount { kind, release: String::new(), basis: Basis::Recorded, of, runs, reproduced });
    }
    let recorded: usize = kept().iter().map(Tally::total).sum();
    let mut told: Vec<_> = counts.iter().map(|one| (&one.kind, &one.of, one.runs)).collect();
    told.sort();
    told.dedup();
    assert_eq!(told.iter().map(|one| one.2).sum::<usize>(), recorded, "every recorded run is told of");
    let rules = NOT_RECORDED.iter().map(|(rule, why)| UnrecordedRule {
        kind: rule.kind().as_str().to_owned(),
        says: rule.says().to_owned(),
        why: (*why).to_owned(),
    });
    let stated = [truth::states("controllers", &counts), truth::states("rules", &rules.collect::<Vec<_>>())];
    stated.into_iter().for_each(|stated| stated.unwrap_or_else(|problem| panic!("{problem}")));
}

/// 6811 as `6,811`.
fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
