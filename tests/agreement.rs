//! Our small object types agree with the full ones: k8s-openapi's, and for OpenKruise's kinds a list of their fields. Each reads
//! what the other writes as it reads the original, and nothing is lost on the way.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::folder;
use flate2::read::GzDecoder;
use k8s_openapi::api::{apps, core};
use k8s_openapi::apimachinery::pkg::{apis::meta, util::intstr::IntOrString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use setscope::objects::{
    AdvancedStatefulSet, CloneSet, ControllerRevision, DaemonSet, Deployment, Kind, Node, PersistentVolumeClaim, Pod,
    ReplicaSet, StatefulSet,
};
use setscope::reconcile::Release;
use setscope::session::{Command, Session, manifest};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};

/// Reads a value as some type, and writes it again.
type Reads = fn(&Value) -> Result<Value, String>;

/// Objects compared, by kind.
type Seen = BTreeMap<Kind, usize>;

/// How we read objects of a kind, and how others do.
fn readers(kind: Kind) -> (Reads, Reads) {
    match kind {
        Kind::StatefulSet => (read::<StatefulSet>, read::<apps::v1::StatefulSet>),
        Kind::Pod => (read::<Pod>, read::<core::v1::Pod>),
        Kind::PersistentVolumeClaim => (read::<PersistentVolumeClaim>, read::<core::v1::PersistentVolumeClaim>),
        Kind::ControllerRevision => (read::<ControllerRevision>, read::<apps::v1::ControllerRevision>),
        Kind::Node => (read::<Node>, read::<core::v1::Node>),
        Kind::CloneSet => {
            (read::<CloneSet>, |value| read_as(&fields(include_str!("agreement/clone_set.yaml")), value, ""))
        }
        Kind::AdvancedStatefulSet => (read::<AdvancedStatefulSet>, |value| {
            read_as(&fields(include_str!("agreement/advanced_stateful_set.yaml")), value, "")
        }),
        Kind::ReplicaSet => (read::<ReplicaSet>, read::<apps::v1::ReplicaSet>),
        Kind::Deployment => (read::<Deployment>, read::<apps::v1::Deployment>),
        Kind::DaemonSet => (read::<DaemonSet>, read::<apps::v1::DaemonSet>),
    }
}

fn read<T: Serialize + DeserializeOwned>(value: &Value) -> Result<Value, String> {
    let read: T = T::deserialize(value).map_err(|error| error.to_string())?;
    serde_json::to_value(&read).map_err(|error| error.to_string())
}

fn fields(text: &str) -> Value {
    manifest::read_value(text).unwrap()
}

/// Reads a value as the fields say: no other field, each of its type.
fn read_as(fields: &Value, value: &Value, path: &str) -> Result<Value, String> {
    let known = |reads: Reads| reads(value).map_err(|error| format!("{path}: {error}"));
    match (fields, value) {
        (_, Value::Null) => Ok(Value::Null),
        (Value::Object(fields), Value::Object(values)) => {
            let read = |(name, value): (&String, &Value)| {
                let path = format!("{path}.{name}");
                let fields = fields.get(name).ok_or_else(|| format!("{path} is no field"))?;
                Ok((name.clone(), read_as(fields, value, &path)?))
            };
            values.iter().map(read).collect::<Result<Map<_, _>, _>>().map(Value::Object)
        }
        (Value::Array(element), Value::Array(values)) => {
            let read = |value| read_as(&element[0], value, &format!("{path}[]"));
            values.iter().map(read).collect::<Result<Vec<_>, _>>().map(Value::Array)
        }
        (Value::String(name), _) => match &**name {
            "bool" => known(read::<bool>),
            "int32" => known(read::<i32>),
            "int64" => known(read::<i64>),
            "string" => known(read::<String>),
            "labels" => known(read::<BTreeMap<String, String>>),
            "IntOrString" => known(read::<IntOrString>),
            "Time" => known(read::<meta::v1::Time>),
            "LabelSelector" => known(read::<meta::v1::LabelSelector>),
            "ObjectMeta" => known(read::<meta::v1::ObjectMeta>),
            "PersistentVolumeClaim" => known(read::<core::v1::PersistentVolumeClaim>),
            "PodTemplateSpec" => known(read::<core::v1::PodTemplateSpec>),
            other => panic!("{path}: the type {other} is not known"),
        },
        _ => Err(format!("{path} has another shape: {value}")),
    }
}

/// Each type reads what the other has written as it reads the original.
#[track_caller]
fn agree(kind: Kind, object: &Value, seen: &mut Seen) {
    let mut object = object.clone();
    object["apiVersion"] = kind.api_version().into();
    object["kind"] = kind.as_str().into();
    let (ours, theirs) = readers(kind);
    let read = |reads: Reads, value: &Value| reads(value).unwrap_or_else(|error| panic!("{error}: {object}"));
    let (own, other) = (read(ours, &object), read(theirs, &object));
    let mut differences = Vec::new();
    compare("", &other, &read(theirs, &own), &mut differences);
    assert!(differences.is_empty(), "what ours writes, theirs reads otherwise: {differences:#?} {object}");
    compare("", &own, &read(ours, &other), &mut differences);
    assert!(differences.is_empty(), "what theirs writes, ours reads otherwise: {differences:#?} {object}");
    *seen.entry(kind).or_default() += 1;
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

/// Where the input of a recorded run has objects: one, or a list of them.
const INPUTS: [(&str, Kind); 10] = [
    ("statefulSet", Kind::StatefulSet),
    ("cloneSet", Kind::CloneSet),
    ("replicaSet", Kind::ReplicaSet),
    ("deployment", Kind::Deployment),
    ("daemonSet", Kind::DaemonSet),
    ("pods", Kind::Pod),
    ("controllerRevisions", Kind::ControllerRevision),
    ("persistentVolumeClaims", Kind::PersistentVolumeClaim),
    ("nodes", Kind::Node),
    ("replicaSets", Kind::ReplicaSet),
];

#[test]
fn the_objects_of_the_recorded_runs_agree() {
    let mut seen = Seen::new();
    for entry in fs::read_dir(folder("tests/vectors")).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with("-public.jsonl.gz") && !path.to_string_lossy().contains("functions") {
            let file = BufReader::new(GzDecoder::new(File::open(&path).unwrap()));
            // Random walks: every sixtieth run is another situation.
            for line in file.lines().step_by(60) {
                let input = &serde_json::from_str::<Value>(&line.unwrap()).unwrap()["input"];
                for (field, kind) in INPUTS {
                    match &input[field] {
                        Value::Array(objects) => objects.iter().for_each(|object| agree(kind, object, &mut seen)),
                        Value::Null => {}
                        object => {
                            // The group tells kinds of one name apart.
                            let version = object["apiVersion"].as_str().unwrap_or_default();
                            agree(Kind::named(version, kind.as_str()).unwrap_or(kind), object, &mut seen);
                        }
                    }
                }
            }
        }
    }
    assert!(Kind::ALL.iter().all(|kind| seen.get(kind).is_some_and(|count| *count > 5)), "{seen:?}");
}

#[test]
fn the_manifests_and_what_becomes_of_them_agree() {
    let mut seen = Seen::new();
    for place in ["tests/manifests", "tests/manifests/charts", "www/starters"] {
        for entry in fs::read_dir(folder(place)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let text = fs::read_to_string(path).unwrap();
            let mut session = Session::empty(Release::default(), 1, 3);
            session.command(Command::Apply { manifest: text.into() }).unwrap();
            session.advance(60_000);
            for kind in Kind::ALL {
                let objects = session.cluster().objects(*kind);
                objects.for_each(|object| agree(*kind, &object.to_json(), &mut seen));
            }
        }
    }
    assert_eq!(seen.len(), Kind::ALL.len(), "{seen:?}");
}

#[test]
fn every_field_of_an_affinity_agrees() {
    let expressions =
        json!([{"key": "disk", "operator": "In", "values": ["ssd"]}, {"key": "gpu", "operator": "Exists"}]);
    let of_name = json!([{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]);
    let pod_term = json!({
        "labelSelector": {"matchLabels": {"app": "db"}, "matchExpressions": expressions},
        "namespaces": ["one", "two"], "namespaceSelector": {}, "topologyKey": "zone",
        "matchLabelKeys": ["a"], "mismatchLabelKeys": ["b"],
    });
    let of_pods = json!({
        "requiredDuringSchedulingIgnoredDuringExecution": [pod_term, {"topologyKey": "kubernetes.io/hostname"}],
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "podAffinityTerm": pod_term}],
    });
    let affinity = json!({
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": expressions, "matchFields": of_name}],
            },
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "preference": {"matchExpressions": expressions}},
                {"weight": 2, "preference": {}},
            ],
        },
        "podAffinity": of_pods,
        "podAntiAffinity": of_pods,
    });
    let mut seen = Seen::new();
    for affinity in [affinity, json!({}), json!({"nodeAffinity": {}, "podAffinity": {}})] {
        let pod = json!({"metadata": {"name": "p"}, "spec": {"containers": [], "affinity": affinity}});
        assert_eq!(read::<Pod>(&pod).unwrap()["spec"]["affinity"], affinity);
        agree(Kind::Pod, &pod, &mut seen);
    }
}

#[test]
fn a_field_that_is_misspelled_or_of_another_type_is_noticed() {
    let fields = fields(include_str!("agreement/clone_set.yaml"));
    for (text, problem) in [
        ("{spec: {scaleStrategy: {enablePvcReuse: true}}}", ".spec.scaleStrategy.enablePvcReuse is no field"),
        (
            "{status: {conditions: [{reason: 5}]}}",
            ".status.conditions[].reason: invalid type: integer `5`, expected a string",
        ),
        ("{spec: {replicas: 3000000000}}", ".spec.replicas: invalid value: integer `3000000000`, expected i32"),
    ] {
        assert_eq!(read_as(&fields, &manifest::read_value(text).unwrap(), ""), Err(problem.to_owned()));
    }
}
