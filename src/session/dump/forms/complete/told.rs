//! Pods of which events tell and that have no line of their own, of a Deployment whose row counts more pods than the text has.

use super::super::Listed;
use super::super::owners;
use super::super::status::placeholder;
use super::super::tree::Fullness;
use super::All;
use super::key;
use crate::kubectl::manifest::{Piece, Places};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a kubelet says of a pod whose containers it has not made.
const NOT_MADE: [&str; 3] = ["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"];

fn word<'v>(value: &'v Value, path: &str) -> &'v str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// The Deployment of a pod by its name.
fn deployment(pod: &str) -> Option<&str> {
    let (set, _) = pod.rsplit_once('-')?;
    owners::hash(set).map(|(deployment, _)| deployment)
}

/// How many pods the row of a Deployment counts that are not available, and since when at most, if none of it is.
fn lacks<'a>(all: &'a All, space: &str, name: &str) -> (usize, Option<&'a Value>) {
    let Some(at) = all.find(["Deployment", space, name]) else { return (0, None) };
    let (fullness, listed) = &all.objects[at];
    let number = |path: &str| listed.value.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    let available = number("/status/availableReplicas");
    let missing = number("/status/updatedReplicas").saturating_sub(available);
    let missing = if *fullness == Fullness::Row { usize::try_from(missing).unwrap_or(0) } else { 0 };
    (missing, listed.value.pointer("/metadata/creationTimestamp").filter(|_| available == 0))
}

/// Adds those whose last word is that they cannot be made.
pub(super) fn add(all: &mut All) {
    let mut last: BTreeMap<[String; 2], &Value> = BTreeMap::new();
    let mut has_pods: Vec<[&str; 2]> = Vec::new();
    for value in all.values() {
        match key(value) {
            ["Pod", space, name] => has_pods.extend(deployment(name).map(|of| [space, of])),
            ["Event", ..] if word(value, "/involvedObject/kind") == "Pod" => {
                let of = ["namespace", "name"].map(|field| word(value, &format!("/involvedObject/{field}")).to_owned());
                let known = last.entry(of).or_insert(value);
                if word(known, "/lastTimestamp") <= word(value, "/lastTimestamp") {
                    *known = value;
                }
            }
            _ => {}
        }
    }
    let is_not_made = |event: &Value| NOT_MADE.contains(&word(event, "/reason"));
    let mut added: BTreeMap<[&str; 2], Vec<Listed>> = BTreeMap::new();
    for ([space, name], event) in last.iter().filter(|(_, event)| is_not_made(event)) {
        let Some(of) = deployment(name).map(|of| [space.as_str(), of]) else { continue };
        let own = added.entry(of).or_default();
        let (missing, made) = lacks(all, space, of[1]);
        if !has_pods.contains(&of) && own.len() < missing {
            // A row of events tells when it was last said, and no more.
            own.push(pod(space, name, made.or_else(|| event.pointer("/lastTimestamp"))));
        }
    }
    let added: Vec<Listed> = added.into_values().flatten().collect();
    all.objects.extend(added.into_iter().map(|listed| (Fullness::Row, listed)));
}

/// A pod that is being created since then.
fn pod(space: &str, name: &str, since: Option<&Value>) -> Listed {
    let status = |kind: &str, holds: bool| json!({ "type": kind, "status": if holds { "True" } else { "False" }, "lastTransitionTime": since });
    let value = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "name": name, "namespace": space, "creationTimestamp": since },
        "spec": { "containers": [{ "name": placeholder(0), "image": "" }] },
        "status": {
            "phase": "Pending",
            "conditions": [status("PodScheduled", true), status("Initialized", true), status("ContainersReady", false), status("Ready", false)],
            "containerStatuses": [{
                "name": placeholder(0), "image": "", "imageID": "", "ready": false, "restartCount": 0,
                "state": { "waiting": { "reason": "ContainerCreating" } },
            }],
        },
    });
    // No line of the text says it: it has no place there.
    Listed { line: 1, value, piece: Piece::told(0..0, 0, Value::Null, Places::default()) }
}
