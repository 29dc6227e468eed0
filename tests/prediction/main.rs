//! Whole dumps of a real control plane are opened, and what the simulation says will follow is compared with what followed.
//! `SETSCOPE_RECORDINGS=<folder>` takes other recordings of the same form, and prints without judging.
//! `SETSCOPE_DIFFERENCES=<name or all>` prints what differs. `WRITE_PREDICTION=1` renews what is expected.
#![allow(clippy::unwrap_used, dead_code, reason = "a test, and parts of another one")]
#![cfg(not(target_arch = "wasm32"))]

#[path = "../control_plane/compare.rs"]
mod compare;
#[path = "../control_plane/recording.rs"]
mod recording;
#[path = "../control_plane/simulated.rs"]
mod simulated;

use recording::{Recording, milliseconds};
use setscope::objects::Time;
use setscope::session::dump::{self, Options};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The moments of a recording's dumps, with their texts as a person pastes them: objects, then nodes.
fn dumps(recording: &Recording) -> Vec<(i64, String, String)> {
    let pair = |pair: &[serde_json::Value]| {
        let text = |at: usize| pair[at]["text"].as_str().unwrap().to_owned();
        let name = format!("{} {}", pair[0]["at"], pair[0]["moment"].as_str().unwrap());
        (milliseconds(&pair[0]["start"]), name, format!("{}---\n{}", text(0), text(1)))
    };
    recording.dumps.chunks(2).map(pair).collect()
}

/// What differs in what follows a dump.
fn differences(recording: &Recording, moment: i64, text: &str) -> Vec<String> {
    // Whoever pastes a text knows when it was printed; it says no more than when something last changed.
    let options = Options { taken_at: Some(Time(recording.started_at + moment)), ..Options::default() };
    let opened = dump::open(text, &options);
    let session =
        opened.as_ref().map_err(Clone::clone).and_then(|dump| dump.session_with(1, simulated::settings(recording)));
    let session = match session {
        Ok(session) => session,
        Err(refusal) => return refusal.messages().collect(),
    };
    let mut told = compare::what_followed(recording, moment, &simulated::go_on(recording, session, moment));
    if !told.is_empty() {
        let assumed = opened.unwrap().assumptions;
        told.extend(assumed.iter().map(|assumption| format!("assumed: {}", assumption.text)));
    }
    told
}

#[test]
fn what_follows_is_what_followed() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prediction");
    let others = std::env::var_os("SETSCOPE_RECORDINGS").map(PathBuf::from);
    let recordings = recording::all(&others.clone().unwrap_or_else(|| home.join("dumps")));
    assert!(!recordings.is_empty(), "there are no recordings");
    let shown = std::env::var("SETSCOPE_DIFFERENCES").unwrap_or_default();
    let (mut lines, mut sum) = (String::new(), (0, 0));
    for recording in &recordings {
        let mut predicted = (0, 0);
        let mut told = String::new();
        for (moment, name, text) in dumps(recording) {
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
    if others.is_some() {
        return;
    }
    let file = home.join("expected.txt");
    if std::env::var_os("WRITE_PREDICTION").is_some() {
        std::fs::write(&file, &lines).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(lines == expected, "differs from {}: renew it with WRITE_PREDICTION=1\n{lines}", file.display());
}
