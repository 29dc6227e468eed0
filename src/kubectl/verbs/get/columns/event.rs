//! `kubectl get events`.

use super::{At, Column, Table, table};
use crate::kubectl::age::age;
use crate::sim::EventRecord;
use std::rc::Rc;

const COLUMNS: &[Column<EventRecord>] = &[
    Column::new("LAST SEEN", |event, at| age(at.now.0 - event.last.0)),
    Column::new("TYPE", |event, _| event.event_type.as_str().to_owned()),
    Column::new("REASON", |event, _| event.reason.to_string()),
    Column::new("OBJECT", |event, _| format!("{}/{}", event.about.kind.singular(), event.about.name)),
    Column::wide("SUBOBJECT", |_, _| String::new()),
    Column::wide("SOURCE", |event, _| event.component.to_owned()),
    Column::new("MESSAGE", |event, _| event.message.trim().to_owned()),
    Column::wide("FIRST SEEN", |event, at| age(at.now.0 - event.first.0)),
    Column::wide("COUNT", |event, _| event.count.to_string()),
];

/// The table of these events, in the order of their names, which begin with the object's; and each one's namespace.
pub(in super::super) fn events(at: At, is_wide: bool, events: &[&EventRecord]) -> (Vec<Rc<str>>, Table) {
    let mut events = events.to_vec();
    // A dot follows the object's name: events of web-0 come before those of web.
    let name = |event: &EventRecord| (format!("{}.", event.about.name), event.first);
    events.sort_by_cached_key(|event| name(event));
    let namespaces = events.iter().map(|event| Rc::clone(&event.about.namespace)).collect();
    (namespaces, table(COLUMNS, at, is_wide, events.into_iter().map(|event| (event, at.now))))
}
