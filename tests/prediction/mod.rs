//! Whole dumps of a real control plane are opened, and what the simulation says will follow is compared with what followed.
//! `SETSCOPE_RECORDINGS=<folder>` takes other recordings of the same form, and prints without judging.
//! `SETSCOPE_DIFFERENCES=<name or all>` prints what differs. `WRITE_PREDICTION=1` renews what is expected.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::control_plane::{compare, recording, simulated};
use crate::kit::truth;
mod moments;

use recording::{Recording, milliseconds};
use setscope::objects::Time;
use setscope::session::dump::{self, Options};
use setscope::view::Part;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The moments of a recording, with their texts: whole dumps as a person pastes them, objects and then nodes; of a recording without
/// dumps, its objects put together.
fn texts(recording: &Recording) -> Vec<(i64, String, Result<String, String>)> {
    if recording.dumps.is_empty() {
        let specs = moments::specs(recording);
        let with_text = |(at, name)| (at, name, moments::text(recording, &specs, at));
        return moments::of(recording).into_iter().map(with_text).collect();
    }
    let pair = |pair: &[serde_json::Value]| {
        let text = |at: usize| pair[at]["text"].as_str().unwrap().to_owned();
        let name = format!("{} {}", pair[0]["at"], pair[0]["moment"].as_str().unwrap());
        (milliseconds(&pair[0]["start"]), name, Ok(format!("{}---\n{}", text(0), text(1))))
    };
    recording.dumps.chunks(2).map(pair).collect()
}

/// What differs in what follows a dump.
fn differences(recording: &Recording, moment: i64, text: &Result<String, String>) -> Vec<String> {
    let text = match text {
        Ok(text) => text,
        Err(missing) => return vec![format!("no spec of {missing}")],
    };
    // Whoever pastes a text knows when it was printed; it says no more than when something last changed.
    let options = Options { taken_at: Some(Time(recording.started_at + moment)), ..Options::default() };
    let opened = dump::open(text, &options);
    let session = opened
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|dump| dump.session_with(1, simulated::settings_at(recording, moment)));
    let session = match session {
        Ok(session) => session,
        Err(refusal) => return refusal.messages().collect(),
    };
    let known = if recording.dumps.is_empty() { moments::known(recording, moment) } else { Vec::new() };
    let mut told = compare::what_followed(recording, moment, &simulated::go_on(recording, session, moment, &known));
    if !told.is_empty() {
        let assumed = opened.unwrap().assumptions;
        told.extend(assumed.iter().map(|assumption| format!("assumed: {}", assumption.text)));
    }
    told
}

/// A line for each recording and their sum; what differs is printed if it is asked for.
fn report(recordings: &[Recording]) -> (String, usize, usize) {
    let shown = std::env::var("SETSCOPE_DIFFERENCES").unwrap_or_default();
    let (mut lines, mut sum) = (String::new(), (0, 0));
    for recording in recordings {
        let mut predicted = (0, 0);
        let mut told = String::new();
        for (moment, name, text) in texts(recording) {
            let differences = differences(recording, moment, &text);
            predicted.1 += 1;
            if differences.is_empty() {
                predicted.0 += 1;
                continue;
            }
            writeln!(told, "  at {name}").unwrap();
            differences.iter().for_each(|difference| writeln!(told, "    {difference}").unwrap());
        }
        println!("{}: {}/{}", recording.id, predicted.0, predicted.1);
        writeln!(lines, "{}: {}/{}", recording.id, predicted.0, predicted.1).unwrap();
        if shown == "all" || shown == recording.id {
            print!("{told}");
        }
        sum = (sum.0 + predicted.0, sum.1 + predicted.1);
    }
    writeln!(lines, "sum: predicted {}/{}", sum.0, sum.1).unwrap();
    println!("sum: predicted {}/{}", sum.0, sum.1);
    (lines, sum.0, sum.1)
}

/// Fails where a line is not the expected one; how many of how many are predicted.
fn is_as_expected(folder: &str, file: &str) -> (usize, usize) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let recordings = recording::all(&home.join(folder));
    assert!(!recordings.is_empty(), "there are no recordings");
    let (lines, predicted, all) = report(&recordings);
    let file = home.join("prediction").join(file);
    if std::env::var_os("WRITE_PREDICTION").is_some() {
        std::fs::write(&file, &lines).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(lines == expected, "differs from {}: renew it with WRITE_PREDICTION=1\n{lines}", file.display());
    (predicted, all)
}

fn others_are_asked_for() -> bool {
    std::env::var_os("SETSCOPE_RECORDINGS").is_some()
}

/// The versions whose dumps were kept, newest first, each with its folder and what is expected of it.
const DUMPS: [(&str, &str, &str); 2] =
    [("1.36.3", "prediction/dumps-1.36", "expected-1.36.txt"), ("1.20.2", "prediction/dumps", "expected.txt")];

#[test]
fn what_follows_a_dump_is_what_followed() {
    if others_are_asked_for() {
        return;
    }
    let counts = DUMPS.map(|(version, folder, file)| {
        let (equal, all) = is_as_expected(folder, file);
        Part { name: version.to_owned(), equal, all }
    });
    truth::states("dumps", &counts).unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn what_follows_a_moment_of_a_run_is_what_followed() {
    if !others_are_asked_for() {
        is_as_expected("control_plane/recordings", "expected_moments.txt");
    }
}

#[test]
fn other_recordings_are_compared_and_not_judged() {
    if let Some(folder) = std::env::var_os("SETSCOPE_RECORDINGS").map(PathBuf::from) {
        let recordings = recording::all(&folder);
        assert!(!recordings.is_empty(), "there are no recordings");
        report(&recordings);
    }
}
