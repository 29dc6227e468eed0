//! Events as `events.k8s.io` prints them: the same object as that of the core group, of which some fields have other names there
//! (ConvertEvent of pkg/apis/events/v1/conversion.go).

use crate::objects::field;
use serde_json::Value;

/// What the newer group calls fields, and the core group.
const NAMES: [(&str, &str); 6] = [
    ("regarding", "involvedObject"),
    ("note", "message"),
    ("deprecatedCount", "count"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedSource", "source"),
];

/// Gives an event the names of the core group.
pub(super) fn to_core(event: &mut Value) {
    if !event["apiVersion"].as_str().is_some_and(|version| version.starts_with("events.k8s.io/")) {
        return;
    }
    for (own, core) in NAMES {
        let value = event.as_object_mut().and_then(|fields| fields.remove(own));
        if let Some(value) = value {
            *field(event, core) = value;
        }
    }
    *field(event, "apiVersion") = "v1".into();
}
