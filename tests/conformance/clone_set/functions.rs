//! The CloneSet controller's inner functions, alone.

use super::{all_numbers, gates};
use crate::conformance::kruise::read;
use crate::conformance::vector::Header;
use crate::conformance::{Replay, Replayer, compare};
use serde::Deserialize;
use serde_json::{Value, json};
use setscope::objects::clone_set_v1alpha1::{default_v1alpha1, v1beta1_of};
use setscope::objects::{CloneSet, ControllerRevision, IntOrPercent, Json, Kind, Node, Pod, PodTemplateSpec, Time};
use setscope::reconcile::clone_set::{
    Gates, Purpose, Situation, calculate_diffs, choose_pods_to_delete, limit_waiting, partition_replicas, sort_waiting,
};
use setscope::reconcile::{CachedClone, Diffs, Release, hash_revision_data, in_place_update_spec, template_patch};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Deserialize)]
struct FunctionVector {
    #[serde(rename = "fn")]
    function: String,
    input: Value,
    output: Value,
}

fn diffs(input: &Value) -> Value {
    let (set, pods): (CloneSet, Vec<Rc<Pod>>) = (read(input, "cloneSet"), read(input, "pods"));
    let (current, update): (String, String) = (read(input, "currentRevision"), read(input, "updateRevision"));
    let situation =
        Situation { set: &set, current: &current, update: &update, gates: gates(input), now: read(input, "now") };
    let pods: Vec<CachedClone> = pods.iter().map(|pod| situation.read(pod)).collect();
    let numbers = |purpose: Purpose| all_numbers(&calculate_diffs(situation, &pods, purpose));
    json!({"forScale": numbers(Purpose::Scale), "forUpdate": numbers(Purpose::Update)})
}

fn order(input: &Value) -> Value {
    let (set, pods): (CloneSet, Vec<Rc<Pod>>) = (read(input, "cloneSet"), read(input, "pods"));
    let (now, target): (Time, String) = (read(input, "now"), read(input, "targetRevision"));
    let situation = Situation { set: &set, current: &target, update: &target, gates: Gates::default(), now };
    let plain: Vec<&Rc<Pod>> = pods.iter().collect();
    let pods: Vec<CachedClone> = pods.iter().map(|pod| situation.read(pod)).collect();
    let sorted = sort_waiting(&set, &plain, &read::<Vec<usize>>(input, "waitUpdateIndexes"));
    let diffs = Diffs {
        update: read(input, "updateNum"),
        update_max_unavailable: read(input, "updateMaxUnavailable"),
        ..Diffs::default()
    };
    let limited = limit_waiting(now, &diffs, &target, &pods, sorted.clone());
    json!({"sorted": sorted, "limited": limited})
}

fn deletions(input: &Value) -> Value {
    let set: CloneSet = read(input, "cloneSet");
    let nodes: Option<Vec<Rc<Node>>> = read(input, "nodes");
    let (old, new): (Vec<Rc<Pod>>, Vec<Rc<Pod>>) = (read(input, "notUpdatedPods"), read(input, "updatedPods"));
    let (old, new): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = (old.iter().collect(), new.iter().collect());
    let counts = (read(input, "totalDiff"), read(input, "currentRevDiff"));
    let chosen = choose_pods_to_delete(&set, &nodes.unwrap_or_default(), read(input, "now"), counts, (&old, &new));
    chosen.iter().map(|pod| json!(pod.metadata.name)).collect()
}

fn in_place(input: &Value) -> Value {
    let name: String = read(input, "newName");
    let revision = |name: &str, data: &str| -> ControllerRevision {
        serde_json::from_value(json!({"metadata": {"name": name}, "data": input[data], "revision": 1})).unwrap()
    };
    let (old, new) = (revision("old", "oldData"), revision(&name, "newData"));
    let spec = in_place_update_spec(&old, &new, read(input, "gracePeriodSeconds"), gates(input).env_from_metadata);
    spec.map_or(Value::Null, |spec| {
        assert_eq!(*spec.revision, *name);
        let metadata = spec.container_ref_metadata.iter().map(|(container, metadata)| {
            let mut value = json!({"creationTimestamp": null});
            for (kind, labels) in [("labels", &metadata.labels), ("annotations", &metadata.annotations)] {
                if !labels.is_empty() {
                    value[kind] = labels.to_json();
                }
            }
            (container.to_string(), value)
        });
        let mut value = json!({
            "containerImages": spec.container_images,
            "containerRefMetadata": metadata.collect::<BTreeMap<_, _>>(),
            "graceSeconds": spec.grace_seconds,
            "updateEnvFromMetadata": spec.update_env_from_metadata,
        });
        if let Some(patch) = spec.metadata_patch {
            value["metaDataPatch"] = patch;
        }
        value
    })
}

fn partition(input: &Value) -> Value {
    let partition: Option<IntOrPercent> = read(input, "partition");
    match partition_replicas(partition.as_ref(), read(input, "replicas")) {
        Ok(value) => json!({"value": value, "error": null}),
        Err(error) => json!({"value": 0, "error": error}),
    }
}

fn revision_name(input: &Value) -> Value {
    let template: PodTemplateSpec = read(input, "template");
    let data = template_patch(&Release::V1_28.gates(), &template);
    let hash = hash_revision_data(data.text(), read(input, "collisionCount"));
    let name: String = read(input, "name");
    json!({"dataRaw": **data.text(), "hash": hash, "name": format!("{name}-{hash}")})
}

fn conversion(input: &Value) -> Value {
    let mut set = input["v1alpha1"].clone();
    default_v1alpha1(&mut set);
    json!({"defaultedV1alpha1": set, "v1beta1": v1beta1_of(set.clone())})
}

type Function = fn(&Value) -> Value;

const FUNCTION_NAMES: [(&str, Function); 7] = [
    ("calculateDiffs", diffs),
    ("sortAndLimitUpdate", order),
    ("choosePodsToDelete", deletions),
    ("inPlaceUpdateSpec", in_place),
    ("calculatePartitionReplicas", partition),
    ("revisionName", revision_name),
    ("defaultAndConvert", conversion),
];

pub const FUNCTIONS: Replayer = Replayer { kind: Kind::CloneSet, reads, replay };

fn reads(header: &Header) -> bool {
    let is_known = |function: &str| FUNCTION_NAMES.iter().any(|(name, _)| *name == function);
    header.version.starts_with("openkruise/") && header.function.as_deref().is_some_and(is_known)
}

fn replay(line: &str) -> Result<Replay, serde_json::Error> {
    let vector: FunctionVector = serde_json::from_str(line)?;
    let mut differences = Vec::new();
    for (_, run) in FUNCTION_NAMES.iter().filter(|(name, _)| *name == vector.function) {
        compare("output", &vector.output, &run(&vector.input), &mut differences);
    }
    Ok(Replay { decisions: Vec::new(), differences })
}
