//! `setscope test`: runs scenarios and checks what they assert.

use crate::command::Output;
use crate::input::{read, words};
use crate::junit::{self, Case, Problem};
use clap::ValueEnum;
use setscope::session::comparison::{self, Opened};
use setscope::session::{manifest, scenario};
use setscope::view::assertions::{check, check_lanes};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenarios, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// For CI systems, as XML.
    Junit,
}

/// The scenarios at a path: the file itself, or every .yaml file in the folder, by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        inside.push((entry.path(), entry.file_type().map_err(unreadable)?.is_symlink()));
    }
    inside.sort();
    let mut all = Vec::new();
    for (path, is_link) in inside {
        if path.is_dir() {
            // A link may lead back up, and what it leads to is somewhere else all the same.
            if is_link {
                continue;
            }
            all.extend(files(&path)?);
        } else if path.extension().is_some_and(|end| end == "yaml" || end == "yml") {
            let text = read(&path)?;
            // A manifest beside the scenarios is not one of them.
            if scenario::is_scenario(&text) {
                all.push(path);
            }
        }
    }
    Ok(all)
}

/// What is wrong with one scenario, and how much it asserts.
fn problems(path: &Path) -> Result<(Vec<String>, usize), String> {
    let text = read(path)?;
    let told = |refusal| format!("{}: {}", path.display(), words(&refusal));
    let (mut opened, _) = comparison::open(&text).map_err(told)?;
    let value = manifest::read_value(&text).map_err(|_| format!("{}: it cannot be read", path.display()))?;
    let entries = value["assert"].as_array().cloned().unwrap_or_default();
    let mut wrong = Vec::new();
    for entry in &entries {
        let checked = match &mut opened {
            Opened::Run(session) => check(session, entry),
            Opened::Lanes(lanes) => check_lanes(lanes, entry),
        };
        wrong.extend(checked.err().map(|problem| format!("{entry}: {problem}")));
    }
    Ok((wrong, entries.len()))
}

pub(crate) fn run(args: &Args) -> Output {
    let mut all = Vec::new();
    for path in &args.paths {
        all.extend(files(path)?);
    }
    if all.is_empty() {
        let names: Vec<String> = args.paths.iter().map(|path| path.display().to_string()).collect();
        return Err(format!("there is no scenario in {}", names.join(", ")));
    }
    let results: Vec<Outcome> = all.iter().map(|path| (path.display().to_string(), problems(path))).collect();
    let unreadable = results.iter().any(|(_, result)| result.is_err());
    let failed = results.iter().any(|(_, result)| result.as_ref().is_ok_and(|(wrong, _)| !wrong.is_empty()));
    let printed = match args.output {
        Form::Text => text(&results),
        Form::Junit => junit(results),
    };
    Ok((printed.into(), if unreadable { 2 } else { u8::from(failed) }))
}

/// A scenario's name, and what is wrong with it and how much it asserts, or why it could not be read.
type Outcome = (String, Result<(Vec<String>, usize), String>);

fn text(results: &[Outcome]) -> String {
    let (mut out, mut failed, mut unreadable) = (String::new(), 0, 0);
    for (name, result) in results {
        match result {
            Ok((wrong, count)) if wrong.is_empty() => {
                let _ = writeln!(out, "ok      {name} ({count} assertions)");
            }
            Ok((wrong, _)) => {
                failed += 1;
                let _ = writeln!(out, "FAILED  {name}");
                wrong.iter().for_each(|problem| {
                    let _ = writeln!(out, "        {problem}");
                });
            }
            Err(error) => {
                unreadable += 1;
                let _ = writeln!(out, "ERROR   {error}");
            }
        }
    }
    let _ = writeln!(out, "{} scenarios, {failed} failed, {unreadable} could not be read", results.len());
    out
}

/// As CI systems read it: a case for each scenario.
fn junit(results: Vec<Outcome>) -> String {
    let case = |(name, result): Outcome| {
        let problem = match result {
            Ok((wrong, _)) => (!wrong.is_empty()).then(|| Problem::Failure(wrong.join("\n"))),
            Err(words) => Some(Problem::Error(words)),
        };
        Case { class: "setscope".to_owned(), name, problem }
    };
    let cases: Vec<Case> = results.into_iter().map(case).collect();
    junit::suite("setscope", &cases)
}
