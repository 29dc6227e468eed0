//! A value as YAML that people like to read: names first, block style, quotes only where they are needed.

use crate::go_yaml::resolve;
use crate::objects::{write_json, write_quoted};
use serde_json::{Map, Value};

/// Says where a key stands among the others.
type Rank = fn(&str) -> i64;

/// The value as YAML. Null fields are left out.
pub fn write(value: &Value) -> String {
    write_ranked(value, rank)
}

/// The value as kubectl writes it: every field by its name.
pub(crate) fn write_by_name(value: &Value) -> String {
    write_ranked(value, |_| 0)
}

fn write_ranked(value: &Value, rank: Rank) -> String {
    let mut text = String::new();
    match value {
        Value::Object(fields) if !fields.is_empty() => write_map(fields, 0, rank, &mut text),
        Value::Array(items) if !items.is_empty() => write_list(items, 0, rank, &mut text),
        scalar => {
            write_scalar(scalar, &mut text);
            text.push('\n');
        }
    }
    text
}

/// `apiVersion`, `kind`, `metadata`, `name` first and `status` last, the others by name.
fn rank(key: &str) -> i64 {
    match key {
        "apiVersion" | "setscope" | "at" => 0,
        "kind" | "title" | "after" => 1,
        "metadata" | "text" => 2,
        "name" => 3,
        "status" | "run" => 5,
        _ => 4,
    }
}

fn indent(depth: usize, text: &mut String) {
    (0..depth).for_each(|_| text.push_str("  "));
}

fn write_map(fields: &Map<String, Value>, depth: usize, rank: Rank, text: &mut String) {
    // Of a pod's conditions Go writes this time also where it is none.
    let is_written = |key: &str, value: &Value| !value.is_null() || key == "lastProbeTime";
    let mut fields: Vec<_> = fields.iter().filter(|(key, value)| is_written(key, value)).collect();
    fields.sort_by_key(|(key, _)| rank(key));
    for (index, (key, value)) in fields.into_iter().enumerate() {
        // The first key of a map in a list stands behind the dash.
        if index > 0 || !text.ends_with("- ") {
            indent(depth, text);
        }
        write_text(key, text);
        text.push(':');
        write_behind_key(value, depth, rank, text);
    }
}

fn write_behind_key(value: &Value, depth: usize, rank: Rank, text: &mut String) {
    match value {
        Value::Object(fields) if fields.values().any(|value| !value.is_null()) => {
            text.push('\n');
            write_map(fields, depth + 1, rank, text);
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            write_list(items, depth, rank, text);
        }
        Value::String(string) if is_block(string) => {
            text.push_str(if string.ends_with('\n') { " |\n" } else { " |-\n" });
            for line in string.lines() {
                if !line.is_empty() {
                    indent(depth + 1, text);
                }
                text.push_str(line);
                text.push('\n');
            }
        }
        scalar => {
            text.push(' ');
            write_scalar(scalar, text);
            text.push('\n');
        }
    }
}

fn write_list(items: &[Value], depth: usize, rank: Rank, text: &mut String) {
    for item in items {
        indent(depth, text);
        text.push_str("- ");
        match item {
            Value::Object(fields) if fields.values().any(|value| !value.is_null()) => {
                write_map(fields, depth + 1, rank, text)
            }
            Value::Array(inner) if !inner.is_empty() => {
                text.push('\n');
                write_list(inner, depth + 1, rank, text);
            }
            scalar => {
                write_scalar(scalar, text);
                text.push('\n');
            }
        }
    }
}

fn write_scalar(value: &Value, text: &mut String) {
    match value {
        Value::String(string) => write_text(string, text),
        Value::Object(_) => text.push_str("{}"),
        Value::Array(_) => text.push_str("[]"),
        other => write_json(other, text),
    }
}

fn write_text(string: &str, text: &mut String) {
    if is_plain(string) {
        text.push_str(string);
    } else {
        // JSON's quoting is YAML's; the parser wants characters outside the printable ones escaped too.
        write_quoted(string, "\u{7f}\u{2028}\u{2029}", text);
    }
}

/// Whether the text is several lines that can stand as they are.
fn is_block(string: &str) -> bool {
    let is_plain = |character: char| character == '\n' || (!character.is_control() && character != '\u{feff}');
    string.contains('\n')
        && string.chars().all(is_plain)
        && !string.starts_with([' ', '\n'])
        && !string.ends_with("\n\n")
        && !string.contains(['\u{85}', '\u{2028}', '\u{2029}'])
}

/// Whether the text can stand without quotes and is read as the same text.
fn is_plain(string: &str) -> bool {
    let inner = |character: char| character.is_ascii_graphic() || character == ' ';
    resolve(string.to_owned(), "").is_ok_and(|value| value.is_string())
        && string.starts_with(|first: char| first.is_ascii_alphanumeric() || "_./$(".contains(first))
        && !string.ends_with([' ', ':'])
        && string.chars().all(inner)
        && !string.contains(": ")
        && !string.contains(" #")
        && !matches!(string, "y" | "Y" | "n" | "N")
        && !is_date(string)
}

/// What older readers of YAML take for a time.
fn is_date(string: &str) -> bool {
    let digits =
        |from: usize, to: usize| string.get(from..to).is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    digits(0, 4) && digits(5, 7) && digits(8, 10) && string.get(4..5) == Some("-") && string.get(7..8) == Some("-")
}
