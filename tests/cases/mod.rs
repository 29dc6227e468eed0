//! Public cases: minimal texts of what people reported of real clusters, each with what is right beside it.
//!
//! `<case>.yaml` is opened by `diagnose` and `ways-out`; `<case>-old.yaml` and `<case>-new.yaml` are told as a rollout. `<case>.right`
//! begins with the truth in a sentence, and goes on with blocks: a line with the verb, then what its answer has to be. `exit:` is the
//! exit status or `not` one; `says:` are words that the answer has; `not:` words that it does not have. How many public ones there are stands in
//! README.md, their names begin with `a`, `c`, `e`, `f`, `g`, `h`, `i`, `j`, `l`, `o`, `p`, `q`, `r`, `s`, `t`, `u`, `v` or `z`; all others are texts of our own for kinds that the others leave out; a case with a line `open: why` is one that is not answered rightly yet: it is counted, and not asked. `SETSCOPE_CASES=<folder>` tries others.
#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "a test, which waits no longer than a person does")]

use crate::kit::truth;

use setscope::view::Part;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Longer than this nobody waits for an answer, not even of a program that is not optimized, beside others on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> PathBuf {
    std::env::var_os("SETSCOPE_CASES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"), PathBuf::from)
}

/// The words of a line; what stands in double quotes is one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(words).collect()
}

/// The arguments of a block's first line.
fn arguments(case: &str, line: &str) -> Vec<String> {
    let file = |suffix: &str| folder().join(format!("{case}{suffix}.yaml")).display().to_string();
    let mut words = words(line).into_iter();
    let verb = words.next().unwrap();
    let mut arguments = vec![verb.clone()];
    let mut rest: Vec<String> = words.collect();
    if rest.first().is_some_and(|word| word == "alone") {
        rest.remove(0);
        arguments.extend(["-f".into(), file("")]);
    } else if verb == "rollout" {
        arguments.extend(["-f".into(), file("-old"), "-f".into(), file("-new")]);
    } else {
        arguments.extend(["-f".into(), file("")]);
    }
    arguments.extend(rest);
    arguments
}

/// What the headlines of a diagnosis, or the ways out, say otherwise than the exit status; none if nothing.
fn contradicts(verb: &str, answer: &str, status: Option<i32>) -> Option<String> {
    let status = status.filter(|status| [0, 1, 3].contains(status))?;
    let is_of_workload = |line: &&str| !line.starts_with([' ', '#']) && line.contains(" (namespace ");
    let headlines = || answer.lines().filter(is_of_workload).filter_map(|line| Some(line.split_once("): ")?.1));
    let any = |begins: &[&str]| headlines().any(|words| begins.iter().any(|own| words.starts_with(own)));
    let told = match verb {
        "diagnose" if any(&["stuck", "available"]) => 1,
        "diagnose" if any(&["not known"]) || answer.starts_with("There is no workload here") => 3,
        "diagnose" => 0,
        "ways-out" if answer.contains("gets well by itself, or is well") => 0,
        "ways-out" if status == 0 => 1,
        _ => return None,
    };
    (told != status).then(|| format!("it says what has the exit status {told}"))
}

/// What is wrong with the answers to one case.
fn wrong(case: &str, right: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut asked, mut answer, mut status) = (String::new(), String::new(), None);
    let is_asked = |line: &&str| !line.is_empty() && !line.starts_with('#') && !line.starts_with("open: ");
    for line in right.lines().filter(is_asked) {
        let is_wrong = match line.split_once(": ") {
            Some(("exit", wanted)) => match wanted.strip_prefix("not ") {
                Some(other) => status == Some(other.parse().unwrap()),
                None => status != Some(wanted.parse::<i32>().unwrap()),
            },
            Some(("says", words)) => !answer.contains(words),
            Some(("not", words)) => answer.contains(words),
            _ => {
                let began = Instant::now();
                let run = Command::new(env!("CARGO_BIN_EXE_setscope")).args(arguments(case, line)).output().unwrap();
                (asked, status) = (line.to_owned(), run.status.code());
                answer = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
                // Other forms and one workload's own answer have no such lines.
                if let Some(problem) = contradicts(line, &answer, status) {
                    wrong.push(format!("{case} {asked}: {problem} (exit status {status:?})\n{answer}"));
                }
                began.elapsed() > PATIENCE
            }
        };
        if is_wrong {
            wrong.push(format!("{case} {asked}: {line} (exit status {status:?})\n{answer}"));
        }
    }
    wrong
}

#[test]
fn every_case_gets_its_right_answer() {
    let mut cases: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.retain(|path| path.extension().is_some_and(|extension| extension == "right"));
    cases.sort();
    assert!(!cases.is_empty(), "{} has no cases", folder().display());
    let of = |path: &PathBuf| {
        let case = path.file_stem().unwrap().to_str().unwrap();
        wrong(case, &fs::read_to_string(path).unwrap())
    };
    let is_open = |path: &PathBuf| fs::read_to_string(path).unwrap().lines().any(|line| line.starts_with("open: "));
    let (open, closed): (Vec<&PathBuf>, Vec<&PathBuf>) = cases.iter().partition(|path| is_open(path));
    let wrong: Vec<Vec<String>> = closed.into_iter().map(of).filter(|wrong| !wrong.is_empty()).collect();
    assert!(wrong.is_empty(), "{} cases are wrong:\n\n{}", wrong.len(), wrong.concat().join("\n"));
    if std::env::var_os("SETSCOPE_CASES").is_some() {
        return;
    }
    let is_public = |path: &&PathBuf| {
        path.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(['a', 'c', 'e', 'f', 'g', 'h', 'i', 'j', 'l', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v', 'z'])
    };
    let all = cases.iter().filter(is_public).count();
    let open = open.into_iter().filter(is_public).count();
    let counted = Part { name: "answers".into(), equal: all - open, all };
    truth::states("cases", &counted).unwrap_or_else(|problem| panic!("{problem}"));
}
