//! The history of a set's template: its revisions, which pods are at which, and what one changes over another.

use super::act::act;
use super::build::{in_context, without_ordinals};
use super::kinds::{Context, revision};
use super::template_diff::compared_rows;
use super::{RevisionRow, Revisions, text, workload_revisions};
use crate::objects::{Json, ObjectRef};
use crate::order::Order;
use crate::reconcile::revision_of;
use crate::session::{Command, Session};
use crate::text::Text;
use serde_json::Value;
use std::cmp::Reverse;

/// The history, with two revisions compared: those chosen, or the current and the update one. None if there is no set.
pub fn revisions(session: &Session, set: Option<&ObjectRef>, chosen: [Option<i64>; 2]) -> Option<Revisions> {
    if let Some(set) = without_ordinals(session, set) {
        return workload_revisions::revisions(session, &set, chosen);
    }
    let context = in_context(session, set)?;
    let mut newest_first = context.revisions.clone();
    newest_first.order_by_key(|revision| Reverse(revision.revision));
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

fn row(context: &Context<'_>, number: i64, name: &str, made: Option<crate::objects::Time>) -> RevisionRow {
    let status = &context.set.status;
    let at_it = context.pods().iter().filter(|(_, pod)| revision_of(pod) == name);
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
