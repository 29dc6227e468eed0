//! The claim of a pod whose volumes no line tells, where the scheduler speaks of one.

use super::super::super::claim::speaks_of_unbound;
use super::super::super::clock;
use super::super::tree::{Fullness, slot};
use super::{All, key};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn word<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// The claims that a pod names.
fn claims_of(pod: &Value) -> impl Iterator<Item = &str> {
    let volumes = pod.pointer("/spec/volumes").and_then(Value::as_array);
    volumes.into_iter().flatten().map(|volume| word(volume, "/persistentVolumeClaim/claimName"))
}

/// A row's pod of which the scheduler says so has the claim that waits for a volume, if no other of its namespace does that no pod names.
pub(super) fn mount(all: &mut All) {
    let is = |value: &&Value, kind: &str| key(value)[0] == kind;
    let mut said: BTreeMap<[&str; 2], &Value> = BTreeMap::new();
    for event in all.values().filter(|value| is(value, "Event") && word(value, "/reason") == "FailedScheduling") {
        let of = ["/involvedObject/namespace", "/involvedObject/name"].map(|path| word(event, path));
        let known = said.entry(of).or_insert(event);
        if clock::newest(known) <= clock::newest(event) {
            *known = event;
        }
    }
    said.retain(|_, event| speaks_of_unbound(word(event, "/message")));
    let mut found = Vec::new();
    for [space, name] in said.into_keys() {
        let Some(at) = all.find(["Pod", space, name]) else { continue };
        let (fullness, pod) = (all.objects[at].0, &all.objects[at].1.value);
        if fullness != Fullness::Row || claims_of(pod).next().is_some() {
            continue;
        }
        let is_named = |claim: &str| {
            all.values().filter(|pod| is(pod, "Pod")).any(|pod| claims_of(pod).any(|named| named == claim))
        };
        let claims = all.values().filter(|value| is(value, "PersistentVolumeClaim"));
        let mut waiting = claims
            .filter(|claim| key(claim)[1] == space && word(claim, "/status/phase") == "Pending")
            .map(|claim| key(claim)[2])
            .filter(|claim| !is_named(claim));
        // Those of sets are named after their pods, and are given to them with the set.
        if let (Some(claim), None) = (waiting.next(), waiting.next())
            && !claim.ends_with(&format!("-{name}"))
        {
            found.push((at, name.to_owned(), claim.to_owned()));
        }
    }
    for (at, pod, claim) in found {
        *slot(&mut all.objects[at].1.value, "spec.volumes[0]") =
            json!({ "name": claim, "persistentVolumeClaim": { "claimName": claim } });
        all.note(text!(
            "{} has claim {}: the scheduler says that one of its claims has no volume, and of the claims that no pod names this one alone has none.",
            pod,
            claim
        ));
    }
}
