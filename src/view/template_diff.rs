//! What differs between two versions of a template.

use super::{Change, RevisionRow, Revisions};
use crate::objects::json_text;
use serde_json::Value;

/// The rows, with two of them compared.
pub(super) fn compared_rows(
    rows: Vec<RevisionRow>,
    chosen: [Option<i64>; 2],
    template: &dyn Fn(i64) -> Value,
) -> Revisions {
    let compared = compared(&rows, chosen);
    let mut changes = Vec::new();
    if let Some([from, to]) = compared {
        differ("", &template(from), &template(to), &mut changes);
    }
    Revisions { rows, compared, changes }
}

fn compared(rows: &[RevisionRow], chosen: [Option<i64>; 2]) -> Option<[i64; 2]> {
    let [newest, before, ..] = rows else { return None };
    let known = |number: Option<i64>| number.filter(|number| rows.iter().any(|row| row.number == *number));
    let to = rows.iter().find(|row| row.update).unwrap_or(newest).number;
    let from = rows.iter().find(|row| row.current && !row.update).unwrap_or(before).number;
    Some([known(chosen[0]).unwrap_or(from), known(chosen[1]).unwrap_or(to)])
}

/// Lists what differs, field by field; items of a list are told by their name, or else by their place.
fn differ(path: &str, old: &Value, new: &Value, changes: &mut Vec<Change>) {
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
            for key in keys {
                let dot = if path.is_empty() { "" } else { "." };
                differ(&[path, dot, key].concat(), field(old.get(key)), field(new.get(key)), changes);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            let names: Vec<String> = (0..old.len()).map(|at| name_of(old, at)).collect();
            let more: Vec<String> =
                (0..new.len()).map(|at| name_of(new, at)).filter(|it| !names.contains(it)).collect();
            for name in names.iter().chain(&more) {
                let item = |list: &Vec<Value>| (0..list.len()).find(|at| name_of(list, *at) == *name);
                let (was, is) = (item(old).and_then(|at| old.get(at)), item(new).and_then(|at| new.get(at)));
                differ(&[path, "[", name, "]"].concat(), field(was), field(is), changes);
            }
        }
        _ => changes.push(Change { path: path.to_owned(), old: written(old), new: written(new) }),
    }
}

fn field(value: Option<&Value>) -> &Value {
    value.unwrap_or(&Value::Null)
}

fn name_of(list: &[Value], at: usize) -> String {
    list[at]["name"].as_str().map_or_else(|| at.to_string(), str::to_owned)
}

fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => json_text(other),
    }
}
