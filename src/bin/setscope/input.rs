//! What is read, and how what is wrong with it is told.

use crate::bundle;
use crate::printed::{is_looked_at, place_in, tell};
use setscope::session::Refusal;
use setscope::session::dump;
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The text of a file, or of what a folder or an archive has that is read; `-` is standard input.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
    if file.as_os_str() == "-" {
        if std::io::stdin().is_terminal() {
            tell("Reading what kubectl prints from standard input; it ends with Ctrl-D. -f names a file.\n")?;
        }
        return text(file, &mut std::io::stdin());
    }
    if std::fs::metadata(file).map_err(wrong)?.is_dir() {
        return bundle::folder(file);
    }
    text(file, &mut File::open(file).map_err(wrong)?)
}

/// What begins so is no text.
const PICTURES: [&[u8]; 5] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF-"];

/// The text of a stream that may be an archive.
fn text(file: &Path, stream: &mut dyn Read) -> Result<String, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut first = Vec::new();
    (&mut *stream).take(512).read_to_end(&mut first).map_err(wrong)?;
    if PICTURES.iter().any(|magic| first.starts_with(magic)) {
        return Err(format!("{}: a picture cannot be read, only what kubectl prints as text", file.display()));
    }
    if first.starts_with(b"PK\x03\x04") {
        return Err(format!("{}: a zip archive: unpack it, and name the folder", file.display()));
    }
    let is_packed = first.starts_with(b"\x1f\x8b");
    let is_archive = first.get(257..262) == Some(b"ustar");
    let mut whole = first.as_slice().chain(stream);
    if is_packed || is_archive {
        return bundle::archive(file, &mut whole, is_packed);
    }
    let mut bytes = Vec::new();
    // One more than is read at most says that it is too long.
    whole.take(dump::MAX_TEXT_BYTES as u64 * 2 + 1).read_to_end(&mut bytes).map_err(wrong)?;
    Ok(decoded(bytes))
}

/// A text in UTF-8, or in UTF-16 as Windows PowerShell writes it, though its mark may be lost. A few bytes that are neither do not
/// matter: they are in what some program logged.
pub(crate) fn decoded(bytes: Vec<u8>) -> String {
    let units = |of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        units.skip_while(|unit| *unit == 0xfeff).collect::<Vec<u16>>()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] | [1..=255, 0, 1..=255, 0, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)),
        [0xfe, 0xff, ..] | [0, 1..=255, 0, 1..=255, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)),
        _ => String::from_utf8(bytes).unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned()),
    }
}

/// What is said of a text that cannot be read where it ends, or that ends in the middle of a line: kubectl ends each of its own.
fn if_cut_off(text: &str, refusal: &Refusal) -> &'static str {
    let last = text.trim_end().lines().count();
    let is_last = refusal.problems.iter().any(|problem| problem.line.is_some_and(|line| line >= last));
    let is_open = !text.trim_end().ends_with(['}', ']']) && (!text.ends_with('\n') || is_last && last > 1);
    // What is no text at all has no end of a line.
    if is_open && !text.contains('\0') { "; the text may be cut off at its end" } else { "" }
}

/// A refusal of this text, with the first line that is wrong where a person looks at what is said.
pub(crate) fn refused(text: &str, refusal: &Refusal) -> String {
    let said = words(refusal) + if_cut_off(text, refusal);
    let place = refusal.problems.iter().find_map(|problem| problem.line.zip(problem.column));
    match place {
        Some((line, column)) if is_looked_at(&std::io::stderr()) => format!("{said}\n{}", place_in(text, line, column)),
        _ => said,
    }
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
