//! What people ask before they act, as docs/command.md shows it: each question with its answer is a block there, run here on the whole
//! dump that it names. `UPDATE_EXPECT=1 cargo test --test it what_ifs::` writes the answers anew.
#![allow(clippy::unwrap_used, reason = "a test")]

mod asked;
mod autoscalers;
mod fifteen;
mod recorded;
mod volumes;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn home(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a line of a block prints in the folder of the dumps with what is set before it, and its exit status below it where that is not 0.
fn answer(line: &str) -> String {
    let words = words(line);
    let (settings, words) = words.split_at(words.iter().position(|word| word == "setscope").unwrap());
    let settings = settings.iter().map(|word| word.split_once('=').unwrap());
    let mut setscope = Command::new(env!("CARGO_BIN_EXE_setscope"));
    setscope.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
    let run = setscope.args(&words[1..]).envs(settings).current_dir(home("tests/what_ifs")).output().unwrap();
    let status = run.status.code().unwrap();
    let mut text = String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap();
    if status != 0 {
        text.push_str(&format!("(exit status {status})\n"));
    }
    text
}

/// The words of a line whose quoted ones have no quotes in them.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Each question of a file of such blocks, with its answer written anew where that is asked for.
fn check(file: &str, least: usize) {
    let file = home(file);
    let held = fs::read_to_string(&file).unwrap();
    let (mut written, mut asked, mut is_answer) = (String::new(), 0, false);
    for line in held.lines() {
        if let Some(question) = line.strip_prefix("$ ") {
            written.push_str(&format!("{line}\n{}", answer(question)));
            (asked, is_answer) = (asked + 1, true);
        } else if line == "```" || !is_answer {
            is_answer = false;
            written.push_str(&format!("{line}\n"));
        }
    }
    assert!(asked >= least, "only {asked} questions are found");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &written).unwrap();
    }
    let differs = held.lines().zip(written.lines()).find(|(held, written)| held != written);
    assert!(held == written || std::env::var_os("UPDATE_EXPECT").is_some(), "the first difference: {differs:?}");
}

#[test]
fn every_question_of_the_documentation_has_its_answer() {
    check("docs/command.md", 45);
}

#[test]
fn what_is_seldom_asked_has_its_answer_too() {
    check("tests/what_ifs/seldom.md", 15);
}
