//! When the scheduler last tried pods that it could not place: they stand in its queue by that.

use super::read::Event;
use crate::objects::{Json, Object, PodCondition, Shared, Time};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Writes what the events say of it into the pods' conditions, which have a field for it that the scheduler leaves empty; and why, where
/// a table has the condition without it.
pub(super) fn note(objects: &mut [Object], events: &[Event]) {
    let mut tried: BTreeMap<(&str, &str), (Time, &Rc<str>)> = BTreeMap::new();
    for event in events.iter().filter(|event| &*event.reason == "FailedScheduling") {
        let last = tried.entry((&event.namespace, &event.name)).or_insert((event.last, &event.message));
        if event.last >= last.0 {
            *last = (event.last, &event.message);
        }
    }
    for object in objects {
        let Object::Pod(pod) = object else { continue };
        let told = tried.get(&(&*pod.metadata.namespace, &*pod.metadata.name));
        let Some((at, message)) = told.map(|(at, message)| (at.to_json(), Rc::clone(message))) else { continue };
        let conditions = &mut Rc::make_mut(pod).status.conditions;
        let is_scheduled = |condition: &&mut Shared<PodCondition>| &*condition.condition_type == "PodScheduled";
        if let Some(condition) = conditions.iter_mut().find(is_scheduled).filter(|it| &*it.status == "False") {
            if condition.message.is_empty() {
                condition.message = message;
            }
            condition.extra.insert("lastProbeTime".into(), at);
        }
    }
}
