//! When the scheduler last tried pods that it could not place: they stand in its queue by that.

use super::read::Event;
use crate::objects::{Json, Object, PodCondition, Shared, Time};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Writes what the events say of it into the pods' conditions, which have a field for it that the scheduler leaves empty.
pub(super) fn note(objects: &mut [Object], events: &[Event]) {
    let mut tried: BTreeMap<(&str, &str), Time> = BTreeMap::new();
    for event in events.iter().filter(|event| &*event.reason == "FailedScheduling") {
        let last = tried.entry((&event.namespace, &event.name)).or_default();
        *last = event.last.max(*last);
    }
    for object in objects {
        let Object::Pod(pod) = object else { continue };
        let at = tried.get(&(&*pod.metadata.namespace, &*pod.metadata.name)).map(Json::to_json);
        let Some(at) = at else { continue };
        let conditions = &mut Rc::make_mut(pod).status.conditions;
        let is_scheduled = |condition: &&mut Shared<PodCondition>| &*condition.condition_type == "PodScheduled";
        if let Some(condition) = conditions.iter_mut().find(is_scheduled).filter(|it| &*it.status == "False") {
            condition.extra.insert("lastProbeTime".into(), at);
        }
    }
}
