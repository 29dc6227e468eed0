//! Marks in what is no object: tables, descriptions, logs, pasted terminals. Nothing in them says which word is whose, so the reading
//! does: the last word of a line is marked where the text with the mark is read as the same objects, but for the mark, and where no
//! field that is listed has it.
//!
//! Not marked are words of which a part is read as a name, a number or a moment, and those that the form itself is made of.
#![allow(clippy::unwrap_used, reason = "a test")]

use super::marks::{MARK, documents, is_listed};
use serde_json::Value;
use setscope::kubectl::Command;
use setscope::objects::Object;
use setscope::session::dump::{self, Dump, Options};

fn opened(text: &str) -> Option<Dump> {
    dump::open(text, &Options::default()).ok().filter(|dump| !dump.objects.is_empty())
}

/// What was read: objects, and those that commands apply.
fn values(dump: &Dump) -> Vec<Value> {
    let applied = dump.commands.iter().filter_map(|command| match command {
        Command::Apply { manifest } => Some(&**manifest),
        _ => None,
    });
    dump.objects.iter().map(Object::to_value).chain(applied.flat_map(documents)).collect()
}

/// Whether a listed field of these, or the name of a field, has the mark.
fn is_named(is_free: bool, value: &Value) -> bool {
    match value {
        Value::String(text) => !is_free && text.contains(MARK),
        Value::Array(items) => items.iter().any(|item| is_named(is_free, item)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| name.contains(MARK) || is_named(is_free && !is_listed(name, value), value)),
        _ => false,
    }
}

/// The text with this mark at the end of a line.
fn with_mark(lines: &[&str], at: usize, mark: &str) -> String {
    let line = |(own, line): (usize, &&str)| if own == at { format!("{line}{mark}\n") } else { format!("{line}\n") };
    lines.iter().enumerate().map(line).collect()
}

/// The text with marks, and how many; none where it is not opened.
pub(super) fn marked(text: &str) -> Option<(String, u32)> {
    let before = values(&opened(text)?);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let (mut out, mut count) = (String::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let mark = format!("-{MARK}{at}");
        let is_free = || {
            let dump = opened(&with_mark(&lines, at, &mark))?;
            let after = values(&dump);
            let same = serde_json::to_string(&after).ok()?.replace(&mark, "") == serde_json::to_string(&before).ok()?;
            Some(same && !after.iter().any(|value| is_named(true, value)))
        };
        // Of YAML in it the key says whose the word is; a revision's bytes are not among the values.
        let key = line.trim_start_matches([' ', '-']).split(':').next().unwrap_or_default();
        let may_be = line.ends_with(char::is_alphanumeric) && !is_listed(key, &Value::Null);
        let takes = may_be && is_free().unwrap_or(false);
        out.push_str(line);
        if takes {
            out.push_str(&mark);
            count += 1;
        }
        out.push('\n');
    }
    Some((out, count))
}
