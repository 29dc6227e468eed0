//! What the recorded runs of OpenKruise's controllers have in common: how they are read, and the API server behind them.

mod recorder;

pub use recorder::Recorder;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use setscope::objects::ControllerRevision;
use std::rc::Rc;

/// A field of a vector as a value of its type. Go writes the state of a container that has none as `{}`.
pub fn read<T: DeserializeOwned>(input: &Value, name: &str) -> T {
    let mut value = input[name].clone();
    for pod in value.as_array_mut().into_iter().flatten() {
        let containers = pod.pointer_mut("/status/containerStatuses").and_then(Value::as_array_mut);
        for container in containers.into_iter().flatten() {
            let fields = container.as_object_mut().unwrap();
            assert!(fields.remove("state").is_none_or(|state| state == json!({})), "a container has a state");
        }
    }
    serde_json::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether a vector's feature gate is on.
pub fn is_gate_on(input: &Value, name: &str, default: bool) -> bool {
    input["featureGates"][name].as_bool().unwrap_or(default)
}

/// An event as it is compared: what follows `, pod: ` or `, pvc: ` is JSON.
pub fn readable(event: &Value) -> Value {
    let mut event = event.clone();
    let message = event["message"].as_str().unwrap_or_default().to_owned();
    for mark in [", pod: {", ", pvc: {"] {
        if let Some(at) = message.find(mark) {
            let (text, dump) = message.split_at(at + mark.len() - 1);
            event["message"] = json!(text);
            event["dump"] = serde_json::from_str(dump).unwrap();
        }
    }
    event
}

#[derive(Deserialize)]
struct RawRevisions {
    input: RawInput,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawInput {
    controller_revisions: Vec<Rc<ControllerRevision>>,
}

/// The revisions of a vector. Their bytes are hashed, so they are read from the line itself.
pub fn revisions(line: &str) -> Vec<Rc<ControllerRevision>> {
    let RawRevisions { input: RawInput { controller_revisions } } = serde_json::from_str(line).unwrap();
    controller_revisions
}
