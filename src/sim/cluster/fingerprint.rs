//! The state of a cluster as one number, by which two runs are compared.

use super::Cluster;
use crate::reconcile::{Decision, Subject};
use crate::sim::trace::{EventRecord, SyncRecord};
use serde_json::{Value, json};

/// FNV-1a of the canonical JSON of everything that is put in: no whitespace, keys in order.
struct Fingerprint(u64);

impl Fingerprint {
    fn put(&mut self, value: &Value) {
        for byte in value.to_string().bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Cluster {
    /// A number that two clusters share only if every object, every decision, every event and the clock are the same.
    /// Moments in objects count in whole seconds, as the API writes them.
    pub fn fingerprint(&self) -> u64 {
        let mut fingerprint = Fingerprint(0xcbf2_9ce4_8422_2325);
        fingerprint.put(&self.now().0.into());
        self.world.store.all().for_each(|object| fingerprint.put(&object.fields()));
        let trace = self.trace();
        trace.syncs.iter().for_each(|sync| fingerprint.put(&sync_value(sync)));
        trace.api_events.iter().for_each(|event| fingerprint.put(&event_value(event)));
        trace.events.iter().for_each(|(at, event)| fingerprint.put(&json!([at.0, event])));
        fingerprint.0
    }
}

fn sync_value(sync: &SyncRecord) -> Value {
    let decisions: Vec<Value> = sync.decisions.iter().map(decision_value).collect();
    json!([sync.number, sync.at.0, sync.subject, sync.is_found(), decisions, sync.writes, sync.error])
}

fn decision_value(decision: &Decision) -> Value {
    let rule = format!("{}/{}", decision.rule.kind().as_str(), decision.rule.name());
    let subject = match &decision.subject {
        Subject::Object => Value::Null,
        Subject::Ordinal(ordinal) => json!({ "ordinal": ordinal }),
        // What tells pods of one owner apart. A ReplicaSet shows in the numbers it is scaled by.
        Subject::Pod(name) => json!({"pod": name.rsplit('-').next().unwrap_or(name)}),
        Subject::ReplicaSet(_) => Value::Null,
    };
    json!([rule, subject, decision.facts])
}

fn event_value(event: &EventRecord) -> Value {
    let times = [event.first.0, event.last.0];
    json!([event.about, event.event_type, event.reason, event.message, event.component, times, event.count])
}
