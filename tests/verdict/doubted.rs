//! Over every text of objects in tests/cases: what a text leaves out or does not date is no ground for a promise.

use super::aged::objects;
use crate::kit;

use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, Told, diagnose};
use setscope::session::dump::{self, Options};
use setscope::verdict::Ends;
use std::fs;

const WORKLOADS: [&str; 3] = ["StatefulSet", "Deployment", "DaemonSet"];

/// What is promised of the workload, where the text is opened at all.
fn promised(objects: &[Value], own: &Value) -> Option<String> {
    let text: Vec<String> = objects.iter().map(Value::to_string).collect();
    let dump = dump::open(&text.join("\n---\n"), &Options::default()).ok()?;
    let all = diagnose(&dump.session(1).ok()?, Told::from(&dump), CONDITIONS);
    let metadata = &own["metadata"];
    let one = all.iter().map(|one| &one.verdict).find(|verdict| {
        let workload = &verdict.workload;
        own["kind"] == *workload.kind.as_str()
            && metadata["name"] == *workload.name
            && metadata["namespace"].as_str().is_none_or(|space| *space == *workload.namespace)
    })?;
    // What is kept on purpose is well whatever its template is.
    (matches!(one.ends, Ends::ByItself { .. }) && !one.is_well()).then(|| format!("{:?} {:?}", one.state, one.ends))
}

/// A change of the template that nobody has seen, at a time that nothing tells.
fn changed(objects: &[Value], own: usize) -> Option<Vec<Value>> {
    let mut all = objects.to_vec();
    let value = all.get_mut(own)?;
    let seen = value.pointer("/status/observedGeneration")?.as_i64()?;
    value.pointer("/metadata/managedFields").is_none().then_some(())?;
    *value.pointer_mut("/metadata/generation")? = json!(seen + 1);
    *value.pointer_mut("/spec/template/spec/containers/0/image")? = json!("changed.example.com/x:9");
    Some(all)
}

/// The same text without the pods that the workload controls, itself or by ReplicaSets, where its status counts some.
fn without_pods(objects: &[Value], own: usize) -> Option<Vec<Value>> {
    let value = objects.get(own)?;
    let counted = ["replicas", "currentNumberScheduled"].iter().find_map(|name| value["status"][name].as_i64());
    counted.filter(|counted| *counted > 0)?;
    let is_of = |value: &Value, uid: &Value| {
        let mut owners = value["metadata"]["ownerReferences"].as_array().into_iter().flatten();
        !uid.is_null() && owners.any(|owner| owner["uid"] == *uid)
    };
    let own = &value["metadata"]["uid"];
    let sets = objects.iter().filter(|set| is_of(set, own)).map(|set| &set["metadata"]["uid"]);
    let uids: Vec<&Value> = sets.chain([own]).collect();
    let kept = objects.iter().filter(|one| one["kind"] != "Pod" || !uids.iter().any(|uid| is_of(one, uid)));
    let kept: Vec<Value> = kept.cloned().collect();
    (kept.len() < objects.len()).then_some(kept)
}

#[test]
fn what_a_text_leaves_out_or_does_not_date_is_promised_by_nothing() {
    let (mut tried, mut wrong) = (0, Vec::new());
    let files = fs::read_dir(kit::folder("tests/cases")).unwrap().map(|entry| entry.unwrap().path());
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "yaml")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let Some(objects) = objects(&fs::read_to_string(&path).unwrap()) else { continue };
        let workloads = (0..objects.len()).filter(|at| WORKLOADS.iter().any(|kind| objects[*at]["kind"] == *kind));
        for at in workloads {
            let forms = [("changed", changed(&objects, at)), ("without its pods", without_pods(&objects, at))];
            for (how, form) in forms {
                let Some(form) = form else { continue };
                tried += 1;
                if let Some(promise) = promised(&form, &objects[at]) {
                    wrong.push(format!("{name}: {} {how}: {promise}", objects[at]["metadata"]["name"]));
                }
            }
        }
    }
    assert!(tried > 200, "only {tried} were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
