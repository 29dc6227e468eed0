//! What others have made of what kubectl printed, undone line by line: a word processor, an editor, a program that wraps it.

use super::forms::{self, Mixed};
use super::plain::plain;
use crate::kubectl::Refusal;
use crate::kubectl::manifest::{Listed, Listing, Unreadable};
use crate::text::Text;
use serde_json::Value;
use std::rc::Rc;

/// The text without what others have made of it, and what is said of that.
pub(super) fn mended(text: Rc<str>) -> (Rc<str>, Option<Text>) {
    let text = out_of_ansible(&text).unwrap_or(text);
    match with_plain_quotes(&text) {
        Some((text, said)) => (text, Some(said)),
        None => (text, None),
    }
}

/// What go-yaml says of a tab where there is to be a blank.
const TABS: [&str; 2] = ["found character that cannot start any token", "found a tab character"];

/// The text without the tabs that indent it, where it cannot be read for these, and what is said of that.
pub(super) fn for_reading(text: &Rc<str>, error: Option<&Unreadable>) -> Option<(Rc<str>, Text)> {
    let said = error?.message.to_string();
    without_tabs(text).filter(|_| TABS.iter().any(|words| said.contains(words)))
}

/// The objects of a text that has nothing else, read as it is opened.
///
/// # Errors
/// It has none, or some of what it says is in another form, or cannot be read.
pub(crate) fn objects_alone(text: &str) -> Result<Vec<Value>, Refusal> {
    let (mut text, _) = mended(plain(text.into()));
    loop {
        let mixed = forms::cut(&text);
        if let Some((line, what)) = mixed.as_ref().and_then(|mixed| mixed.told.other()) {
            let command = super::command();
            return Err(super::read::at(
                *line,
                text!(
                    "here begins {}, in which names may stand anywhere: give objects alone, as `{}` prints them",
                    what.clone(),
                    command
                ),
            ));
        }
        let mut listing = Listing::new(mixed.map_or_else(|| Rc::clone(&text), |Mixed { yaml, .. }| yaml));
        while listing.advance() {}
        if let Some((without, _)) = for_reading(&text, listing.unreadable()) {
            text = without;
            continue;
        }
        let (mut listed, unreadable) = listing.finish();
        out_of_watch(&mut listed);
        let is_object = |one: &Listed| one.value.get("kind").is_some_and(Value::is_string);
        if unreadable.is_some() || listed.is_empty() || !listed.iter().all(is_object) {
            let own = forms::named(&text);
            let other = || text!("only objects can be redacted, as `{}` prints them", super::command());
            return Err(Refusal::own(own.unwrap_or_else(other)));
        }
        return Ok(listed.into_iter().map(|one| one.value).collect());
    }
}

/// Quotes as a word processor sets them, and what they were.
const CURLY: [(&[char], char); 2] = [(&['“', '”', '„', '‟'], '"'), (&['‘', '’', '‚', '‛'], '\'')];

/// A text with plain quotes in the place of curly ones that stand around a name or a value, and what is said of that.
fn with_plain_quotes(text: &Rc<str>) -> Option<(Rc<str>, Text)> {
    // Where a value begins, in YAML and in JSON.
    let begins = |line: &str, quotes: &[char]| {
        let own = line.trim_start().trim_start_matches("- ");
        own.starts_with(quotes)
            || quotes
                .iter()
                .any(|quote| [": ", ":", "{", "[", ", "].iter().any(|mark| own.contains(&format!("{mark}{quote}"))))
    };
    let mut first = None;
    let mut mended = String::with_capacity(text.len());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let mut line = line.to_owned();
        for (quotes, plain) in CURLY {
            if line.contains(quotes) && begins(&line, quotes) {
                line = line.replace(quotes, &plain.to_string());
                first.get_or_insert(at + 1);
            }
        }
        mended.push_str(&line);
    }
    let said = text!(
        "The quotes of line {} are those of a word processor: they are read as plain ones, there and below.",
        first?
    );
    Some((mended.into(), said))
}

/// How wide a tab is where editors set it in the place of blanks.
const STOP: usize = 8;

/// A text with blanks in the place of the tabs that indent it, and what is said of that: YAML takes no tabs there. Where all of it is
/// indented by tabs each stands for a level, and else for the blanks up to the next stop.
fn without_tabs(text: &Rc<str>) -> Option<(Rc<str>, Text)> {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indents = || text.lines().map(|line| &line[..indent(line)]);
    let first = indents().position(|own| own.contains('\t'))? + 1;
    // Behind the tabs two blanks stand beside a hyphen.
    let is_level = indents().all(|own| own.starts_with('\t') || own.is_empty() || own == "  ");
    let mut mended = String::with_capacity(text.len() * 2);
    for line in text.split_inclusive('\n') {
        let (own, rest) = line.split_at(indent(line));
        let mut width = 0;
        for letter in own.chars() {
            width += match letter {
                '\t' if is_level => 2,
                '\t' => STOP - width % STOP,
                _ => 1,
            };
        }
        mended.extend(std::iter::repeat_n(' ', width));
        mended.push_str(rest);
    }
    let said = match is_level {
        true => text!("Line {} is indented by tabs, which YAML does not take: each is read as two blanks.", first),
        false => text!(
            "Line {} is indented by tabs, which YAML does not take: they are read as blanks up to the next eighth column.",
            first
        ),
    };
    Some((mended.into(), said))
}

/// What Ansible calls what a command printed, or what somebody has it print, line by line.
const LINES: [&str; 2] = ["stdout_lines\": [", "\"msg\": ["];
/// The same in one.
const WHOLE: [&str; 2] = ["stdout\": \"", "\"msg\": \""];
/// How the result of a task begins: with a word, and the machine in brackets.
const RESULT: (&str, [&str; 4]) = (" => {", ["ok: [", "changed: [", "fatal: [", "failed: ["]);

fn is_result(line: &str) -> bool {
    line.contains(RESULT.0) && RESULT.1.iter().any(|word| line.starts_with(word))
}

/// A text with what a command printed in the place of Ansible's account of it.
fn out_of_ansible(text: &Rc<str>) -> Option<Rc<str>> {
    let has = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    let has_lines = has(&LINES);
    if !has_lines && !has(&WHOLE) || !text.contains(LINES[0]) && !text.lines().any(is_result) {
        return None;
    }
    // An object may hold such words.
    if text.lines().any(|line| line.starts_with("apiVersion:")) {
        return None;
    }
    let mut printed = String::with_capacity(text.len());
    let (mut is_list, mut is_any) = (false, false);
    for line in text.lines() {
        let own = line.trim();
        let read = if is_list {
            is_list = !own.starts_with(']');
            serde_json::from_str(own.trim_end_matches(',')).ok()
        } else if let Some((_, rest)) = LINES.iter().find_map(|mark| line.split_once(mark)) {
            is_list = rest.trim().is_empty();
            first_value(&format!("[{rest}"))
        } else {
            let whole = WHOLE.iter().filter(|_| !has_lines).find_map(|mark| line.split_once(mark));
            whole.and_then(|(_, rest)| first_value(&format!("\"{rest}")))
        };
        is_any |= read.is_some();
        match read {
            Some(Value::String(read)) => printed.push_str(&read),
            Some(Value::Array(all)) => {
                printed.push_str(&all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"));
            }
            _ if is_list || own.starts_with(']') || is_ansibles(own) => {}
            _ => printed.push_str(line),
        }
        printed.push('\n');
    }
    is_any.then(|| printed.into())
}

/// Whether a line is Ansible's own.
fn is_ansibles(line: &str) -> bool {
    let is_task = ["TASK [", "PLAY [", "PLAY RECAP"].iter().any(|begin| line.starts_with(begin));
    is_task
        || is_result(line)
        || ["}", "},", "]", "],"].contains(&line)
        || line.starts_with('"') && line.contains("\": ")
}

/// The JSON value that a text begins with.
fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// What `--output-watch-events` wraps each object in; of one that was deleted nothing stays.
pub(super) fn out_of_watch(listed: &mut Vec<Listed>) {
    let is_event = |value: &Value| {
        value.get("type").is_some_and(Value::is_string) && value.get("object").is_some_and(Value::is_object)
    };
    if !listed.iter().any(|one| is_event(&one.value)) {
        return;
    }
    let uid = |value: &Value| value.pointer("/metadata/uid").cloned();
    let mut kept: Vec<Listed> = Vec::new();
    for mut one in listed.drain(..) {
        if is_event(&one.value) {
            let object = one.value.get_mut("object").map(Value::take).unwrap_or_default();
            let is_deleted = one.value.get("type").is_some_and(|kind| kind == "DELETED");
            one.value = object;
            kept.retain(|before| uid(&before.value).is_none() || uid(&before.value) != uid(&one.value));
            if is_deleted {
                continue;
            }
        }
        kept.push(one);
    }
    *listed = kept;
}

#[cfg(test)]
mod tests {
    use super::{out_of_ansible, with_plain_quotes, without_tabs};

    #[test]
    fn quotes_of_a_word_processor_are_plain_ones_where_a_value_begins() {
        let of = |text: &str| with_plain_quotes(&text.into()).map(|(text, _)| text.to_string());
        assert_eq!(of("a:\n- name: “web”\n  x: ‘y’\n").as_deref(), Some("a:\n- name: \"web\"\n  x: 'y'\n"));
        assert_eq!(of("{“a”: {“b”: “c”}}").as_deref(), Some("{\"a\": {\"b\": \"c\"}}"));
        assert_eq!(of("message: it is ‘so’ and “so”\n"), None);
    }

    #[test]
    fn tabs_are_blanks_of_a_level_or_up_to_a_stop() {
        let of = |text: &str| without_tabs(&text.into()).map(|(text, _)| text.to_string());
        assert_eq!(of("a:\n\tb:\n\t\tc: 1\td\n").as_deref(), Some("a:\n  b:\n    c: 1\td\n"));
        assert_eq!(
            of("a:\n  b:\n      c:\n\td: 1\n\t  e: 2\n").as_deref(),
            Some("a:\n  b:\n      c:\n        d: 1\n          e: 2\n")
        );
        assert_eq!(of("a: 1\n  b: \t2\n"), None);
    }

    #[test]
    fn what_a_command_printed_is_taken_out_of_ansibles_account() {
        let of = |text: &str| out_of_ansible(&text.into()).map(|text| text.trim().to_owned());
        let rows = "NAME    READY\nweb-0   \"1/1\"";
        let lines = "ok: [m] => {\n    \"x.stdout_lines\": [\n        \"NAME    READY\",\n        \"web-0   \\\"1/1\\\"\"\n    ]\n}\n";
        assert_eq!(of(lines).as_deref(), Some(rows));
        assert_eq!(of(&lines.replace("x.stdout_lines", "msg")).as_deref(), Some(rows));
        let whole = "ok: [m] => {\"rc\": 0, \"stdout\": \"NAME    READY\\nweb-0   \\\"1/1\\\"\"}\n";
        assert_eq!(of(whole).as_deref(), Some(rows));
        let both = "ok: [m] => {\"stdout\": \"x\", \"stdout_lines\": [\"NAME    READY\", \"web-0   \\\"1/1\\\"\"]}";
        assert_eq!(of(both).as_deref(), Some(rows));
        assert_eq!(of("{\"apiVersion\": \"v1\", \"msg\": \"x\"}"), None);
    }
}
