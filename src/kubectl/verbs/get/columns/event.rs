//! `kubectl get events`.

use super::{At, Column, Table, table};
use crate::kubectl::age::age;
use crate::sim::EventRecord;
use std::cmp::Ordering;
use std::rc::Rc;

const COLUMNS: &[Column<EventRecord>] = &[
    Column::new("LAST SEEN", |event, at| age(at.now.0 - event.last.0)),
    Column::new("TYPE", |event, _| event.event_type.as_str().to_owned()),
    Column::new("REASON", |event, _| event.reason.to_string()),
    Column::new("OBJECT", |event, _| format!("{}/{}", event.about.kind.singular(), event.about.name)),
    Column::wide("SUBOBJECT", |event, _| event.field.to_string()),
    Column::wide("SOURCE", |event, _| event.component.to_owned()),
    Column::new("MESSAGE", |event, _| event.message.trim().to_owned()),
    Column::wide("FIRST SEEN", |event, at| age(at.now.0 - event.first.0)),
    Column::wide("COUNT", |event, _| event.count.to_string()),
];

/// The table of these events, in the order of their names, which begin with the object's; and the namespace of each row.
pub(in super::super) fn events(at: At, is_wide: bool, events: &[&EventRecord]) -> (Vec<Rc<str>>, Table) {
    let mut events: Vec<(usize, &EventRecord)> = events.iter().copied().enumerate().collect();
    let order = |(at, one): &(usize, &EventRecord), (other_at, other): &(usize, &EventRecord)| {
        by_name(&one.about.name, &other.about.name).then_with(|| (one.first, at).cmp(&(other.first, other_at)))
    };
    // Of very many only those that are printed are put in order.
    if at.most < events.len() {
        events.select_nth_unstable_by(at.most, order);
    }
    let printed = at.most.min(events.len());
    events[..printed].sort_unstable_by(order);
    let events = events.into_iter().map(|(_, event)| event).collect::<Vec<_>>();
    let namespaces = events.iter().map(|event| Rc::clone(&event.about.namespace)).collect();
    (namespaces, table(COLUMNS, at, is_wide, events.into_iter().map(|event| (event, at.now))))
}

/// A dot follows the object's name: events of web-0 come before those of web.
fn by_name(one: &str, other: &str) -> Ordering {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let common = one.len().min(other.len());
    let next = |name: &[u8]| name.get(common).copied().unwrap_or(b'.');
    one[..common].cmp(&other[..common]).then_with(|| next(one).cmp(&next(other))).then(one.len().cmp(&other.len()))
}

#[cfg(test)]
mod tests {
    use super::by_name;

    #[test]
    fn a_dot_follows_each_name() {
        let names = ["web", "web-0", "web-0.a", "web.a", "web-10", "web-1", "we", "web-", "a"];
        for one in names {
            for other in names {
                assert_eq!(by_name(one, other), format!("{one}.").cmp(&format!("{other}.")), "{one} {other}");
            }
        }
    }
}
