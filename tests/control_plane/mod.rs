//! Runs what real control planes of 1.20.2 and 1.36.3 were recorded doing and compares what people see of it: README.md has the rules.
//! `SETSCOPE_RECORDINGS=<folder>` takes other recordings of the same form, and prints without judging.
//! `SETSCOPE_DIFFERENCES=<name or all>` prints every difference of a scenario.
//! `WRITE_CONTROL_PLANE=1` renews what is expected.
#![allow(clippy::unwrap_used, reason = "a test")]

pub(crate) mod compare;
pub(crate) mod recording;
pub(crate) mod simulated;
use crate::kit::truth;

use compare::{PARTS, Score, compare};
use recording::Recording;
use setscope::view::{Compared, Part};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Scores = [Score; 6];

fn line(name: &str, scores: &Scores) -> String {
    let mut line = format!("{name}:");
    for (part, score) in PARTS.iter().zip(scores) {
        write!(line, " {part} {}/{}", score.equal, score.all).unwrap();
    }
    line
}

/// Every recording on as many threads as there are cores, by name.
fn compare_all(recordings: &[Recording]) -> BTreeMap<String, (Scores, Vec<String>)> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(recording) = recordings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let compared = compare(recording, &simulated::run(recording));
            found.lock().unwrap().insert(recording.id.clone(), compared);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap()
}

/// What is told of a folder of recordings: a line for each and their sum, and the sum itself.
fn told(folder: &Path) -> (Vec<String>, usize, Scores) {
    let recordings = recording::all(folder);
    assert!(!recordings.is_empty(), "there are no recordings");
    let compared = compare_all(&recordings);
    let shown = std::env::var("SETSCOPE_DIFFERENCES").unwrap_or_default();
    let mut sum = Scores::default();
    let mut lines = Vec::new();
    // The harness keeps what `println!` says of a test that passes.
    let mut output = std::io::stdout().lock();
    for (name, (scores, told)) in &compared {
        lines.push(line(name, scores));
        sum.iter_mut().zip(scores).for_each(|(sum, score)| sum.add(*score));
        writeln!(output, "{}", lines.last().unwrap()).unwrap();
        if shown == "all" || shown == *name {
            told.iter().for_each(|difference| writeln!(output, "  {difference}").unwrap());
        }
    }
    lines.push(line("sum", &sum));
    writeln!(output, "{}", lines.last().unwrap()).unwrap();
    (lines, compared.len(), sum)
}

/// The versions that were recorded, newest first, each with its folder and what is expected of it.
const RECORDED: [(&str, &str, &str); 2] =
    [("1.36.3", "recordings-1.36", "expected-1.36.txt"), ("1.20.2", "recordings", "expected.txt")];

#[test]
fn a_real_control_plane_did_the_same() {
    if let Some(others) = std::env::var_os("SETSCOPE_RECORDINGS") {
        told(Path::new(&others));
        return;
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/control_plane");
    let mut counts = Vec::new();
    let mut changes = String::new();
    for (version, folder, file) in RECORDED {
        let (lines, scenarios, sum) = told(&home.join(folder));
        let file = home.join(file);
        let now = lines.join("\n") + "\n";
        if std::env::var_os("WRITE_CONTROL_PLANE").is_some() {
            std::fs::write(&file, &now).unwrap();
        }
        changes += &changed(&std::fs::read_to_string(&file).unwrap_or_default(), &now);
        counts.push(counted(version, scenarios, &sum));
    }
    assert!(changes.is_empty(), "look at each line, then renew what is expected with WRITE_CONTROL_PLANE=1\n{changes}");
    truth::states("controlPlane", &counts).unwrap_or_else(|problem| panic!("{problem}"));
}

fn counted(version: &str, scenarios: usize, sum: &Scores) -> Compared {
    let part = |(name, score): (&&str, &Score)| Part { name: (*name).to_owned(), equal: score.equal, all: score.all };
    Compared { of: version.to_owned(), recorded: scenarios, parts: PARTS.iter().zip(sum).map(part).collect() }
}

/// The lines that are not the same.
fn changed(expected: &str, now: &str) -> String {
    let known: std::collections::BTreeSet<&str> = expected.lines().collect();
    now.lines().filter(|line| !known.contains(line)).map(|line| format!("{line}\n")).collect()
}
