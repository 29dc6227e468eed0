//! What kubectl says in the place of objects: errors, and that there is nothing.

use super::tree::Line;
use super::{Form, Part, Told};
use crate::text::Text;

pub(super) const FORM: Form = Form {
    what: || text!("what kubectl says in the place of objects"),
    begins: |text| is_said(text),
    goes_on: |_, _| false,
    read,
};

/// What kubectl says of a pod that it evicts: its namespace, which the table beside it may leave out.
pub(super) const EVICTIONS: Form = Form {
    what: || text!("what kubectl says of evictions"),
    begins: |text| evicted(text).is_some(),
    goes_on: |text, _| evicted(text).is_some(),
    read: read_evictions,
};

/// The namespace and the name of the pod that such a line is about.
fn evicted(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix("error when evicting pods/\"") {
        let (name, rest) = rest.split_once("\" -n \"")?;
        return Some((rest.split_once('"')?.0, name));
    }
    let rest = text.strip_prefix("evicting pod ")?;
    rest.split_whitespace().next()?.split_once('/').filter(|(space, name)| !space.is_empty() && !name.is_empty())
}

fn read_evictions(part: &Part<'_>, told: &mut Told) {
    let all = part.lines.iter().filter_map(|line| evicted(line.text));
    told.spaces.extend(all.map(|(space, name)| (name.to_owned(), space.to_owned())));
}

/// How such lines begin.
const BEGINNINGS: [&str; 11] = [
    "Error from server",
    "error from server",
    "No resources found",
    "Unable to connect to the server",
    "The connection to the server",
    "error: You must be logged in",
    "error: the server doesn't have",
    "error: no matches for",
    "error: context ",
    "error: ",
    WAITED,
];

/// What `kubectl wait` says of each object for which it waited in vain.
const WAITED: &str = "timed out waiting for the condition on ";

fn is_said(text: &str) -> bool {
    BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

fn read(part: &Part<'_>, told: &mut Told) {
    for line in &part.lines {
        match line.text.trim().trim_start_matches("error: ").strip_prefix(WAITED) {
            Some(object) => told.waited.push((line.number, printable(object))),
            None => told.said.push(sentence(line)),
        }
    }
}

/// Those for which `kubectl wait` waited in vain, each with its line.
pub(super) fn in_vain(waited: &[(usize, String)]) -> Option<Text> {
    let (line, _) = waited.first()?;
    let names = Text::names(waited.iter().map(|(_, object)| object.as_str()));
    Some(text!(
        "kubectl waited for {} in vain (line {}), and does not say why: give what `{}` prints",
        names,
        *line,
        super::super::command()
    ))
}

/// kubectl's words, as far as they are repeated.
fn printable(text: &str) -> String {
    /// Characters.
    const MAX_REPEATED: usize = 300;
    text.trim().chars().filter(|letter| !letter.is_control()).take(MAX_REPEATED).collect()
}

/// What such a line means.
fn sentence(line: &Line<'_>) -> Text {
    let words = printable(line.text);
    if words.starts_with("No resources found") {
        return text!(
            "kubectl found nothing there (line {}): name the namespace with -n, or take every one with -A",
            line.number
        );
    }
    if words.contains("denied the request") {
        return text!(
            "the API server refused a command (line {}), and nothing was changed by it: {}",
            line.number,
            words
        );
    }
    if words.contains("(Forbidden)") {
        return text!("kubectl was not allowed to read this (line {}): {}", line.number, words);
    }
    text!("kubectl answered with an error (line {}): {}", line.number, words)
}
