//! The events of the API, as kubectl lists them, newest first.

use super::EventRow;
use super::print::event_age;
use crate::objects::EventType;
use crate::objects::sorted_by_number;
use crate::sim::Cluster;

const SHOWN: usize = 100;

pub(super) fn events(cluster: &Cluster) -> Vec<EventRow> {
    let now = cluster.now();
    let events: Vec<_> = cluster.trace().events.iter().enumerate().rev().collect();
    let events = sorted_by_number(events, |(_, event)| -event.last.0);
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
    events.into_iter().take(SHOWN).map(row).collect()
}
