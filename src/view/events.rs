//! The events of the API, as kubectl lists them, newest first.

use super::EventRow;
use crate::kubectl::event_age;
use crate::objects::EventType;
use crate::session::Session;

const SHOWN: usize = 100;

/// As many as the page has room for.
pub fn events(session: &Session) -> Vec<EventRow> {
    let cluster = session.cluster();
    let now = cluster.now();
    let mut newest: Vec<(usize, &std::rc::Rc<crate::sim::EventRecord>)> = Vec::new();
    for (at, event) in cluster.trace().api_events.iter().enumerate().rev() {
        if newest.get(SHOWN - 1).is_some_and(|(_, last)| last.last >= event.last) {
            continue;
        }
        let place = newest.partition_point(|(_, other)| other.last >= event.last);
        newest.insert(place, (at, event));
        newest.truncate(SHOWN);
    }
    let row = |(at, event): (usize, &std::rc::Rc<crate::sim::EventRecord>)| {
        let kind = event.about.kind.singular();
        EventRow {
            key: at.to_string(),
            warning: event.event_type == EventType::Warning,
            reason: event.reason.to_string(),
            age: event_age(now, event),
            from: event.component,
            about: format!("{kind}/{}", event.about.name),
            message: event.message.to_string(),
        }
    };
    newest.into_iter().map(row).collect()
}
