//! Our small object types and k8s-openapi's full ones agree: each reads what the other writes, and nothing is lost on the way.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

use flate2::read::GzDecoder;
use k8s_openapi::api::{apps, core};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use setscope::objects::{ControllerRevision, Node, PersistentVolumeClaim, Pod, StatefulSet};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Objects compared, by kind.
type Seen = BTreeMap<&'static str, usize>;

/// Each type reads what the other has written as it reads the original.
#[track_caller]
fn agree<Ours, Theirs>(text: &str)
where
    Ours: Serialize + DeserializeOwned + PartialEq + Debug,
    Theirs: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let read = |error: serde_json::Error| panic!("{error}: {text}");
    let ours: Ours = serde_json::from_str(text).unwrap_or_else(read);
    let theirs: Theirs = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let from_ours: Theirs = serde_json::from_str(&serde_json::to_string(&ours).unwrap()).unwrap();
    let mut differences = Vec::new();
    let of_theirs = |value: &Theirs| serde_json::to_value(value).unwrap();
    compare("", &of_theirs(&theirs), &of_theirs(&from_ours), &mut differences);
    assert!(differences.is_empty(), "what ours writes, theirs reads otherwise: {differences:#?} {text}");
    let from_theirs: Ours = serde_json::from_str(&serde_json::to_string(&theirs).unwrap()).unwrap();
    let (from_theirs, ours) = (serde_json::to_value(&from_theirs).unwrap(), serde_json::to_value(&ours).unwrap());
    compare("", &ours, &from_theirs, &mut differences);
    assert!(differences.is_empty(), "what theirs writes, ours reads otherwise: {differences:#?}");
}

/// Lists the paths at which two values differ, but for what Go does not tell apart: k8s-openapi adds required texts that are
/// empty and the kind of a claim template, and we write structs that are empty, as Go does.
fn compare(path: &str, want: &Value, got: &Value, differences: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for key in want.keys().chain(got.keys().filter(|key| !want.contains_key(*key))) {
                let (want, got) = (want.get(key).unwrap_or(&Value::Null), got.get(key).unwrap_or(&Value::Null));
                compare(&format!("{path}.{key}"), want, got, differences);
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (index, (want, got)) in want.iter().zip(got).enumerate() {
                compare(&format!("{path}[{index}]"), want, got, differences);
            }
        }
        (Value::Null, Value::String(added)) if added.is_empty() => {}
        (Value::Null, Value::Object(added)) if added.is_empty() => {}
        // "If none of them is specified, the default one is ContainerStateWaiting", says the API of a state.
        (Value::Null, waiting) if path.ends_with(".state.waiting") && waiting["reason"] == "" => {}
        (Value::Null, state) if path.ends_with(".state") && state["waiting"]["reason"] == "" => {}
        (Value::Null, _) if path.ends_with("].apiVersion") || path.ends_with("].kind") => {}
        _ if want != got => differences.push(format!("{path}: {want} / {got}")),
        _ => {}
    }
}

fn agree_as(kind: &'static str, object: &Value, seen: &mut Seen) {
    let mut object = object.clone();
    let version = if matches!(kind, "StatefulSet" | "ControllerRevision") { "apps/v1" } else { "v1" };
    object["apiVersion"] = version.into();
    object["kind"] = kind.into();
    let text = object.to_string();
    match kind {
        "StatefulSet" => agree::<StatefulSet, apps::v1::StatefulSet>(&text),
        "ControllerRevision" => agree::<ControllerRevision, apps::v1::ControllerRevision>(&text),
        "Pod" => agree::<Pod, core::v1::Pod>(&text),
        "PersistentVolumeClaim" => agree::<PersistentVolumeClaim, core::v1::PersistentVolumeClaim>(&text),
        _ => agree::<Node, core::v1::Node>(&text),
    }
    *seen.entry(kind).or_default() += 1;
}

const LISTS: [(&str, &str); 4] = [
    ("pods", "Pod"),
    ("controllerRevisions", "ControllerRevision"),
    ("persistentVolumeClaims", "PersistentVolumeClaim"),
    ("nodes", "Node"),
];

#[test]
fn the_objects_of_the_recorded_runs_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut seen = Seen::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with("-public.jsonl.gz") && !path.to_string_lossy().contains("functions") {
            let file = BufReader::new(GzDecoder::new(std::fs::File::open(&path).unwrap()));
            // Random walks: every sixtieth run is another situation.
            for line in file.lines().step_by(60) {
                let input = &serde_json::from_str::<Value>(&line.unwrap()).unwrap()["input"];
                if input["statefulSet"].is_object() {
                    agree_as("StatefulSet", &input["statefulSet"], &mut seen);
                }
                for (list, kind) in LISTS {
                    let objects = input[list].as_array().into_iter().flatten();
                    objects.for_each(|object| agree_as(kind, object, &mut seen));
                }
            }
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    assert!(seen.values().all(|count| *count > 5), "{seen:?}");
}

#[test]
fn the_manifests_and_what_becomes_of_them_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manifests");
    let mut seen = Seen::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut session = Session::empty(Release::default(), 1, 3);
        session.command(Command::Apply { manifest: text.into() }).unwrap();
        session.advance(60_000);
        let cluster = session.cluster();
        let mut all = |kind, value: Result<Value, _>| agree_as(kind, &value.unwrap(), &mut seen);
        cluster.stateful_sets().for_each(|it| all("StatefulSet", serde_json::to_value(&**it)));
        cluster.pods().for_each(|it| all("Pod", serde_json::to_value(&**it)));
        cluster.claims().for_each(|it| all("PersistentVolumeClaim", serde_json::to_value(&**it)));
        cluster.revisions().for_each(|it| all("ControllerRevision", serde_json::to_value(&**it)));
        cluster.nodes().for_each(|it| all("Node", serde_json::to_value(&**it)));
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}
