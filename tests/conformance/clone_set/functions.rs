//! The CloneSet controller's inner functions, alone.

use super::{SHOWN_DIFFERENCES, all_numbers, gates, kept, read};
use crate::{compare, say, vector};
use serde::Deserialize;
use serde_json::{Value, json};
use setscope::objects::clone_set_v1alpha1::{default_v1alpha1, v1beta1_of};
use setscope::objects::{CloneSet, ControllerRevision, IntOrPercent, Json, Node, Pod, PodTemplateSpec, Time};
use setscope::reconcile::clone_set::{
    Diffs, Purpose, Situation, calculate_diffs, choose_pods_to_delete, in_place_update_spec, limit_waiting,
    partition_replicas, sort_waiting,
};
use setscope::reconcile::{Release, hash_revision_data, template_patch};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Deserialize)]
struct FunctionVector {
    id: String,
    #[serde(rename = "fn")]
    function: String,
    input: Value,
    output: Value,
}

fn diffs(input: &Value) -> Value {
    let (set, pods): (CloneSet, Vec<Rc<Pod>>) = (read(input, "cloneSet"), read(input, "pods"));
    let pods: Vec<&Rc<Pod>> = pods.iter().collect();
    let (current, update): (String, String) = (read(input, "currentRevision"), read(input, "updateRevision"));
    let situation =
        Situation { set: &set, current: &current, update: &update, gates: gates(input), now: read(input, "now") };
    let numbers = |purpose: Purpose| all_numbers(&calculate_diffs(situation, &pods, purpose));
    json!({"forScale": numbers(Purpose::Scale), "forUpdate": numbers(Purpose::Update)})
}

fn order(input: &Value) -> Value {
    let (set, pods): (CloneSet, Vec<Rc<Pod>>) = (read(input, "cloneSet"), read(input, "pods"));
    let pods: Vec<&Rc<Pod>> = pods.iter().collect();
    let (now, target): (Time, String) = (read(input, "now"), read(input, "targetRevision"));
    let sorted = sort_waiting(&set, &pods, read(input, "waitUpdateIndexes"));
    let diffs = Diffs {
        update: read(input, "updateNum"),
        update_max_unavailable: read(input, "updateMaxUnavailable"),
        ..Diffs::default()
    };
    let limited = limit_waiting((&set, now), &diffs, &target, &pods, sorted.clone());
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
    let spec = in_place_update_spec(&old, &new, read(input, "gracePeriodSeconds"), gates(input));
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

fn replay_function(line: &str) -> (FunctionVector, Vec<String>) {
    let vector: FunctionVector = serde_json::from_str(line).unwrap();
    let input = &vector.input;
    let got = match vector.function.as_str() {
        "calculateDiffs" => diffs(input),
        "sortAndLimitUpdate" => order(input),
        "choosePodsToDelete" => deletions(input),
        "inPlaceUpdateSpec" => in_place(input),
        "calculatePartitionReplicas" => partition(input),
        "revisionName" => revision_name(input),
        "defaultAndConvert" => conversion(input),
        other => panic!("{other} is not known"),
    };
    let mut differences = Vec::new();
    compare("output", &vector.output, &got, &mut differences);
    (vector, differences)
}

#[test]
fn every_recorded_clone_set_function_is_reproduced_exactly() {
    let (mut passed, mut failed) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    for line in vector::lines(&kept("cloneset-functions-public.jsonl.gz")) {
        let (vector, differences) = replay_function(&line);
        let tally = if differences.is_empty() { &mut passed } else { &mut failed };
        let count = tally.entry(vector.function.clone()).or_default();
        *count += 1;
        if !differences.is_empty() && *count <= SHOWN_DIFFERENCES {
            say(&format!("  {} {}", vector.id, vector.function));
            differences.iter().take(6).for_each(|difference| say(difference));
        }
    }
    say(&format!("CloneSet functions: passed {passed:?}, failed {failed:?}"));
    assert!(failed.is_empty() && passed.len() == 7);
}
