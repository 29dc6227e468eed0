//! The history of a set's template: its revisions, which pods are at which, and what one changes over another.

use super::act::act;
use super::build::{in_context, without_ordinals};
use super::context::{Context, revision};
use super::{Act, Revision, text, workload_revisions};
use crate::objects::{Json, ObjectRef, json_text};
use crate::reconcile::revision_of;
use crate::session::{Command, Session};
use crate::text::Text;
use serde_json::Value;
use std::cmp::Reverse;

/// The history, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Revisions {
    /// One a revision.
    pub rows: Vec<RevisionRow>,
    /// The numbers of the two that are compared, the older template first; none if there is only one.
    pub compared: Option<[i64; 2]>,
    /// What differs between their templates.
    pub changes: Vec<Change>,
}

/// One revision.
#[derive(Clone, Debug, PartialEq)]
pub struct RevisionRow {
    /// `revision`, which orders the history.
    pub number: i64,
    /// Name, letter and hue.
    pub revision: Revision,
    /// kubectl's age.
    pub age: String,
    /// The pods made from it, such as `web-0 to web-2`.
    pub pods: Text,
    /// `status.currentRevision` names it.
    pub current: bool,
    /// `status.updateRevision` names it.
    pub update: bool,
    /// The way back to it; none if the template is already its own.
    pub undo: Option<Act>,
}

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Such as `spec.containers[nginx].image`.
    pub path: String,
    /// Its value in the first; empty if it is not there.
    pub old: String,
    /// Its value in the second.
    pub new: String,
}

/// The history, with two revisions compared: those chosen, or the current and the update one. None if there is no set.
#[inline(never)]
pub fn revisions(session: &Session, set: Option<&ObjectRef>, chosen: [Option<i64>; 2]) -> Option<Revisions> {
    if let Some(set) = without_ordinals(session, set) {
        return workload_revisions::revisions(session, &set, chosen);
    }
    let context = in_context(session, set)?;
    let mut newest_first = context.revisions.clone();
    newest_first.sort_by_key(|revision| Reverse(revision.revision));
    let rows: Vec<RevisionRow> = newest_first
        .iter()
        .map(|own| row(&context, own.revision, &own.metadata.name, own.metadata.creation_timestamp))
        .collect();
    let template = |number: i64| {
        let own = newest_first.iter().find(|own| own.revision == number);
        own.and_then(|own| own.data.template().ok()).map_or(Value::Null, |template| template.to_json())
    };
    Some(compared_rows(rows, chosen, &template))
}

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

fn row(context: &Context<'_>, number: i64, name: &str, made: Option<crate::objects::Time>) -> RevisionRow {
    let status = &context.set.status;
    let at_it = context.pods.iter().filter(|(_, pod)| revision_of(pod) == name);
    let mut ordinals: Vec<i32> = at_it.map(|(ordinal, _)| *ordinal).collect();
    let update = *status.update_revision == *name;
    let undo =
        || act(text!("Roll back to this"), Command::RollBack { set: context.key.clone(), to: number }, Text::default());
    RevisionRow {
        number,
        revision: revision(&context.revisions, name),
        age: made.map_or_else(String::new, |made| crate::kubectl::age(context.cluster.now().0 - made.0)),
        pods: if ordinals.is_empty() { text!("no pod") } else { text::pods(context.name(), &mut ordinals) },
        current: *status.current_revision == *name,
        update,
        undo: (!update).then(undo),
    }
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
