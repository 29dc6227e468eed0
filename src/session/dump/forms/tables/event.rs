//! Events: of a table, of a description, of a log.

use super::super::time;
use super::super::tree::{Fullness, Line, Tree, ago};
use super::Row;
use crate::objects::Kind;

/// What happened to an object.
pub(in super::super) struct Happened<'t> {
    pub(in super::super) kind: &'t str,
    pub(in super::super) namespace: Option<&'t str>,
    pub(in super::super) name: &'t str,
    pub(in super::super) event_type: &'t str,
    pub(in super::super) reason: &'t str,
    pub(in super::super) message: &'t str,
}

/// An event, without its times.
pub(in super::super) fn event(happened: &Happened<'_>, line: Line<'_>, fullness: Fullness) -> Tree {
    let mut event = Tree::new("Event", &format!("{}.line-{}", happened.name, line.number), line, fullness);
    event.put("involvedObject.kind", happened.kind, line);
    event.put("involvedObject.name", happened.name, line);
    if happened.kind != Kind::Node.as_str()
        && let Some(namespace) = happened.namespace
    {
        event.put("involvedObject.namespace", namespace, line);
        event.put("metadata.namespace", namespace, line);
    }
    event.put("type", happened.event_type, line);
    event.put("reason", happened.reason, line);
    event.put("message", happened.message, line);
    event
}

/// Writes what `2m (x12 over 30m)` says into an event.
pub(in super::super) fn seen(event: &mut Tree, age: &str, line: Line<'_>) {
    let Some((last, first, count)) = time::event(age) else { return };
    event.put("lastTimestamp", ago(last), line);
    event.put("firstTimestamp", ago(first), line);
    event.put("count", count, line);
}

/// The kind that kubectl writes small, such as `persistentvolumeclaim`.
pub(super) fn kind(word: &str) -> String {
    let word = word.split('.').next().unwrap_or_default();
    match Kind::of_resource(word) {
        Some(kind) => kind.as_str().to_owned(),
        None => word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect(),
    }
}

/// A row of `kubectl get events`.
pub(super) fn read(row: &Row<'_, '_>) -> Option<Tree> {
    let object = row.cell("OBJECT");
    // Before 1.14 the kind had a column of its own.
    let (kind, name) = match object.split_once('/') {
        Some((word, name)) => (kind(word), name),
        None => (row.cell("KIND").to_owned(), row.cell("NAME").split('.').next().unwrap_or_default()),
    };
    if kind.is_empty() || name.is_empty() {
        return None;
    }
    let happened = Happened {
        kind: &kind,
        namespace: row.namespace(),
        name,
        event_type: row.cell("TYPE"),
        reason: row.cell("REASON"),
        message: row.cell("MESSAGE"),
    };
    let mut event = event(&happened, row.line, Fullness::Row);
    seen(&mut event, [row.cell("LAST SEEN"), row.cell("LASTSEEN")].concat().as_str(), row.line);
    let first = time::age([row.cell("FIRST SEEN"), row.cell("FIRSTSEEN")].concat().as_str());
    if let Some(first) = first {
        event.put("firstTimestamp", ago(first), row.line);
    }
    if let Some(count) = row.number("COUNT") {
        event.put("count", count, row.line);
    }
    Some(event)
}
