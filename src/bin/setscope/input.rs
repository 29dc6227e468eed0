//! What is read, and how what is wrong with it is told.

use setscope::session::Refusal;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The text of a file; `-` is standard input.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let read = if file.as_os_str() == "-" {
        if std::io::stdin().is_terminal() {
            eprintln!("Reading what kubectl prints from standard input; it ends with Ctrl-D. -f names a file.");
        }
        std::io::stdin().read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map(|_| text).map_err(|error| format!("{}: {error}", file.display()))
}

/// A refusal, each problem with its line.
pub(crate) fn words(refusal: &Refusal) -> String {
    let lines = refusal.problems.iter().map(|problem| {
        let place = match (problem.line, problem.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            _ => String::new(),
        };
        let remedy = problem.remedy.as_ref().filter(|remedy| !remedy.is_empty());
        let remedy = remedy.map_or_else(String::new, |remedy| format!("\n  {remedy}"));
        format!("{place}{}{remedy}", problem.message())
    });
    lines.collect::<Vec<_>>().join("\n")
}
