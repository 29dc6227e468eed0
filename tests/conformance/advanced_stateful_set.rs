//! Replays recorded runs of OpenKruise's Advanced StatefulSet controller.

use crate::conformance::kruise::{Recorder, is_gate_on, read, readable, revisions};
use crate::conformance::vector::Header;
use crate::conformance::{Replay, Replayer, compare};
use serde_json::{Value, json};
use setscope::objects::{AdvancedStatefulSet, Kind, Object, Pod, Time};
use setscope::reconcile::advanced_stateful_set::{Gates, sync};
use setscope::reconcile::{List, Observed};
use std::rc::Rc;

pub const REPLAYER: Replayer = Replayer { kind: Kind::AdvancedStatefulSet, reads, replay };

fn reads(header: &Header) -> bool {
    header.id.starts_with("as-") && header.input.contains_key("statefulSet")
}

fn gates(input: &Value) -> Gates {
    let is_on = |name, default| is_gate_on(input, name, default);
    Gates {
        preparing_update_as_update: is_on("PreparingUpdateAsUpdate", false),
        env_from_metadata: is_on("InPlaceUpdateEnvFromMetadata", true),
    }
}

fn replay(line: &str) -> Result<Replay, serde_json::Error> {
    let vector: Value = serde_json::from_str(line)?;
    let (input, want) = (&vector["input"], &vector["output"]);
    let set = Rc::new(of_type::<AdvancedStatefulSet>(&input["statefulSet"])?);
    let pods: Vec<Rc<Pod>> = read(input, "pods");
    let claims: Vec<_> = read(input, "persistentVolumeClaims");
    let claims: List<_> = claims.into_iter().collect();
    let revisions = revisions(line);
    let now: Time = read(input, "now");
    let observed = Observed {
        pods: (&pods).into(),
        claims: &claims,
        revisions: (&revisions).into(),
        ..Observed::alone(now, &set)
    };
    let mut recorder = Recorder::new(Object::AdvancedStatefulSet(Rc::clone(&set)), &observed, &input["faults"]);
    let mut decisions = Vec::new();
    let outcome = sync(gates(input), &observed, &mut recorder, &mut decisions);
    let mut differences = Vec::new();
    let mut check = |name: &str, got: Value| compare(name, &want[name], &got, &mut differences);
    check("actions", json!(recorder.actions));
    check("status", recorder.status);
    check("error", json!(outcome.error.map(|error| error.0)));
    check("requeueAfterSeconds", json!(outcome.requeue_after.map_or(0, |delay| delay.as_secs())));
    let events = |events: &[Value]| events.iter().map(readable).collect::<Value>();
    compare("events", &events(want["events"].as_array().unwrap()), &events(&recorder.events), &mut differences);
    Ok(Replay { decisions, differences })
}

/// The set without the kind it carries.
fn of_type<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    let mut value = value.clone();
    for name in ["apiVersion", "kind"] {
        value.as_object_mut().unwrap().remove(name);
    }
    serde_json::from_value(value)
}
