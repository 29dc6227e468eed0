//! The objects of a moment of a recorded run, put together: what a change says of an object is taken from the recording, and the
//! specs, which it does not hold, from the manifests and commands, as a simulation of them leaves them.

use crate::control_plane::recording::{Recording, milliseconds};
use crate::control_plane::simulated::{self, Specs};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The moments that are looked at: right before each command but the first, and half way between commands.
pub(crate) fn of(recording: &Recording) -> Vec<(i64, String)> {
    let mut times: Vec<i64> = recording
        .commands
        .iter()
        .filter(|command| !command["show"].is_string() && !command["watch"].is_string())
        .map(|command| recording.reached(command))
        .collect();
    times.push(recording.until);
    let mut moments = Vec::new();
    for pair in times.windows(2) {
        // Commands that follow one another at once have no moment between them.
        if pair[1] - pair[0] < 4_000 {
            continue;
        }
        let middle = (pair[0] + pair[1]) / 2;
        moments.push((middle, format!("{} between", seconds(middle))));
        if pair[1] < recording.until {
            let before = pair[1] - 400;
            moments.push((before, format!("{} before the next command", seconds(before))));
        }
    }
    moments
}

fn seconds(at: i64) -> String {
    format!("{}.{}", at / 1_000, at % 1_000 / 100)
}

/// A `List` of the objects at a moment; or the name of one whose spec no simulation of the commands has.
pub(crate) fn text(recording: &Recording, specs: &Specs, moment: i64) -> Result<String, String> {
    let mut last: BTreeMap<&str, &Value> = BTreeMap::new();
    for change in recording.changes.iter().filter(|change| milliseconds(&change["t"]) <= moment) {
        let uid = change["uid"].as_str().unwrap_or_default();
        if change["type"] == "DELETED" {
            last.remove(uid);
        } else {
            last.insert(uid, change);
        }
    }
    let present: Vec<&Value> = last.into_values().collect();
    let uids: BTreeMap<String, &str> = present
        .iter()
        .map(|change| (format!("{}/{}", word(change, "kind"), word(change, "name")), word(change, "uid")))
        .collect();
    let mut items = Vec::new();
    for change in &present {
        let is_one = |other: &&Value| {
            other["type"] == "ADDED"
                && (&other["kind"], &other["name"]) == (&change["kind"], &change["name"])
                && milliseconds(&other["t"]) <= moment
        };
        let number = recording.changes.iter().filter(is_one).count();
        items.extend(object(recording, specs, &uids, change, number)?);
    }
    // A node that has not changed yet is not in the recording; one that joins later begins there.
    let is_recorded = |name: &Value| {
        let first = recording.changes.iter().find(|change| change["kind"] == "Node" && change["name"] == *name);
        first.is_some_and(|first| milliseconds(&first["t"]) <= moment || first["type"] == "ADDED")
    };
    items.extend(specs.nodes.iter().filter(|node| !is_recorded(&node["metadata"]["name"])).cloned());
    Ok(json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string())
}

fn word<'a>(change: &'a Value, key: &str) -> &'a str {
    change[key].as_str().unwrap_or_default()
}

fn object(
    recording: &Recording,
    specs: &Specs,
    uids: &BTreeMap<String, &str>,
    change: &Value,
    number: usize,
) -> Result<Option<Value>, String> {
    let (kind, name) = (word(change, "kind"), word(change, "name"));
    let generation = change["generation"].as_i64().unwrap_or(0);
    let spec = match kind {
        "Pod" => specs.pod(change),
        "Event" => return Ok(Some(event(change))),
        "Node" => specs.node(recording, name),
        "Lease" => return Ok(None),
        _ => specs.of(kind, name, number, generation),
    };
    let Some(mut value) = spec else { return Err(format!("{kind} {name} of generation {generation}")) };
    let owners = change["owners"].as_array().into_iter().flatten().filter_map(Value::as_str).map(|owner| {
        let plain = owner.trim_end_matches('*');
        let (kind, name) = plain.split_once('/').unwrap();
        let version = if kind == "Node" { "v1" } else { "apps/v1" };
        json!({
            "apiVersion": version, "kind": kind, "name": name, "uid": uids.get(plain).copied().unwrap_or("gone"),
            "controller": owner.ends_with('*'), "blockOwnerDeletion": true,
        })
    });
    let mut metadata = json!({
        "name": name, "uid": change["uid"], "resourceVersion": change["rv"], "creationTimestamp": change["created"],
        "ownerReferences": owners.collect::<Vec<_>>(),
    });
    if kind != "Node" {
        metadata["namespace"] = recording.namespace.clone().into();
    }
    let fields = [
        ("deletionTimestamp", "deletionTimestamp"),
        ("grace", "deletionGracePeriodSeconds"),
        ("generation", "generation"),
        ("finalizers", "finalizers"),
        ("labels", "labels"),
        ("annotations", "annotations"),
    ];
    for (from, to) in fields {
        if !change[from].is_null() {
            metadata[to] = change[from].clone();
        }
    }
    if kind == "Node" {
        metadata["labels"] = value["metadata"]["labels"].clone();
    }
    value["metadata"] = metadata;
    match kind {
        "Pod" => complete_pod(&mut value, change),
        "Node" => complete_node(&mut value, change),
        "PersistentVolumeClaim" => {
            value["status"]["phase"] = change["phase"].clone();
            value["spec"]["volumeName"] = change["volume"].clone();
        }
        "ControllerRevision" => value["revision"] = change["revision"].clone(),
        "StatefulSet" | "Deployment" | "ReplicaSet" => {
            value["spec"]["replicas"] = change["replicas"].clone();
            value["status"] = change["status"].clone();
        }
        _ => value["status"] = change["status"].clone(),
    }
    Ok(Some(value))
}

fn complete_pod(pod: &mut Value, change: &Value) {
    pod["spec"]["nodeName"] = change["node"].clone();
    pod["spec"]["tolerations"] = change["tolerations"].clone();
    let containers = change["containers"].as_array().into_iter().flatten().map(|container| {
        let mut status: Map<String, Value> = container.as_object().unwrap().clone();
        let restarts = status.remove("restarts").unwrap_or_default();
        status.insert("restartCount".into(), restarts);
        Value::Object(status)
    });
    let mut status = json!({
        "phase": change["phase"], "conditions": change["conditions"],
        "containerStatuses": containers.collect::<Vec<_>>(),
    });
    for (from, to) in [("ip", "podIP"), ("reason", "reason"), ("message", "message")] {
        if !change[from].is_null() {
            status[to] = change[from].clone();
        }
    }
    pod["status"] = status;
}

fn complete_node(node: &mut Value, change: &Value) {
    for field in ["taints", "unschedulable"] {
        node["spec"][field] = change[field].clone();
    }
    node["status"]["conditions"] = change["conditions"].clone();
    for field in ["volumesAttached", "volumesInUse"] {
        node["status"][field] = change[field].clone();
    }
}

fn event(change: &Value) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Event", "type": change["etype"],
        "metadata": { "name": change["name"], "namespace": change["ns"], "creationTimestamp": change["created"] },
        "involvedObject": change["about"], "reason": change["reason"], "message": change["message"],
        "count": change["count"], "lastTimestamp": change["last"], "eventTime": change["eventTime"],
        "series": change["series"],
    })
}

/// What whoever looks at the cluster knows and the objects do not say: lines that were given before the moment, about images, delays,
/// quotas, and pods and nodes of which nothing is seen yet.
pub(crate) fn known(recording: &Recording, moment: i64) -> Vec<String> {
    let lines =
        recording.commands.iter().filter_map(|command| Some((recording.reached(command), command["line"].as_str()?)));
    let earlier: Vec<(i64, &str)> = lines.filter(|(at, line)| *at <= moment && line.starts_with("setscope ")).collect();
    let is_known = |(at, line): &(i64, &str)| {
        let words: Vec<&str> = line.split(' ').collect();
        let of_object = |name: &str| {
            let is_its = |other: &&Value| other["name"] == name && milliseconds(&other["t"]) <= moment;
            recording.changes.iter().filter(is_its).collect::<Vec<_>>()
        };
        match words[..] {
            ["setscope", "image" | "ready-after" | "quota" | "webhook", ..] => true,
            ["setscope", "unready" | "ready", "pod", pod] => {
                let made = of_object(pod).into_iter().rfind(|change| change["type"] == "ADDED");
                made.is_some_and(|made| milliseconds(&made["t"]) < *at)
            }
            ["setscope", "fail", "node", node, _] => {
                let last = of_object(node).last().copied();
                let recovered = format!("setscope recover node {node}");
                !last.is_some_and(|node| node["conditions"].to_string().contains("\"Unknown\""))
                    && !earlier.iter().any(|(other, line)| other > at && *line == recovered)
            }
            _ => false,
        }
    };
    earlier.iter().filter(|line| is_known(line)).map(|(_, line)| (*line).to_owned()).collect()
}

/// The specs of a recording's objects.
pub(crate) fn specs(recording: &Recording) -> Specs {
    simulated::specs(recording)
}
