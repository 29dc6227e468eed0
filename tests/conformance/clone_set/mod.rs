//! Replays recorded runs of OpenKruise's CloneSet controller: whole reconciles here, its inner functions beside.
//! A FailedCreate event ends in the object as Go dumps it: that part is compared as JSON, since its order is Go's.

mod functions;

use crate::kruise::{Recorder, is_gate_on, read, readable, revisions};
use crate::vector::{self, Header};
use crate::{Replay, Replayer, compare};
use serde_json::{Value, json};
use setscope::objects::{CloneSet, Kind, Node, Object, Pod, Time};
use setscope::reconcile::clone_set::{Gates, sync};
use setscope::reconcile::{Decision, Diffs, Facts, clone_set};
use setscope::reconcile::{List, Observed};
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub use functions::FUNCTIONS;

pub const REPLAYER: Replayer = Replayer { kind: Kind::CloneSet, reads, replay: replay_line };

fn reads(header: &Header) -> bool {
    header.function.is_none() && header.input.contains_key("cloneSet")
}

fn replay_line(line: &str) -> Result<Replay, serde_json::Error> {
    let (decisions, differences) = replay(line);
    Ok(Replay { decisions, differences })
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

fn gates(input: &Value) -> Gates {
    let is_on = |name, default| is_gate_on(input, name, default);
    Gates {
        partition_rollback: is_on("CloneSetPartitionRollback", false),
        short_hash: is_on("CloneSetShortHash", false),
        preparing_update_as_update: is_on("PreparingUpdateAsUpdate", false),
        env_from_metadata: is_on("InPlaceUpdateEnvFromMetadata", true),
        recreate_for_claims: is_on("RecreatePodWhenChangeVCTInCloneSetGate", false),
    }
}

fn all_numbers(diffs: &Diffs) -> Value {
    json!({
        "scaleUpNum": diffs.scale_up,
        "scaleUpNumOldRevision": diffs.scale_up_old,
        "scaleUpLimit": diffs.scale_up_limit,
        "scaleDownNum": diffs.scale_down,
        "scaleDownNumOldRevision": diffs.scale_down_old,
        "useSurge": diffs.use_surge,
        "useSurgeOldRevision": diffs.use_surge_old,
        "deleteReadyLimit": diffs.delete_ready_limit,
        "updateNum": diffs.update,
        "updateMaxUnavailable": diffs.update_max_unavailable,
    })
}

fn all_diffs(decisions: &[Decision]) -> Value {
    let diffs = decisions.iter().filter_map(|decision| match decision.facts {
        Facts::Diffs(diffs) => Some(all_numbers(&diffs)),
        _ => None,
    });
    let non_zero = |mut numbers: Value| {
        numbers.as_object_mut().unwrap().retain(|_, number| *number != json!(0));
        numbers
    };
    diffs.map(non_zero).collect()
}

/// Runs one vector: the decisions it took, and how its output differs from the recorded one.
fn replay(line: &str) -> (Vec<Decision>, Vec<String>) {
    let vector: Value = serde_json::from_str(line).unwrap();
    let revisions = revisions(line);
    let (input, want) = (&vector["input"], &vector["output"]);
    let set: Rc<CloneSet> = read(input, "cloneSet");
    let pods: Vec<Rc<Pod>> = read(input, "pods");
    let claims: Vec<_> = read(input, "persistentVolumeClaims");
    let claims: List<_> = claims.into_iter().collect();
    let nodes: Option<Vec<Rc<Node>>> = read(input, "nodes");
    let instances: Option<Vec<String>> = read(input, "instanceIDs");
    let now: Time = read(input, "now");
    let observed = Observed {
        pods: &pods,
        claims: &claims,
        revisions: &revisions,
        nodes: &nodes.unwrap_or_default(),
        ..Observed::alone(now, &set)
    };
    let mut recorder = Recorder::new(Object::CloneSet(Rc::clone(&set)), &observed, &input["faults"]);
    let mut instances = instances.unwrap_or_default().into_iter();
    let mut new_instance = || instances.next().expect("an instance more than recorded").into();
    let mut decisions = Vec::new();
    let outcome = sync(gates(input), &observed, &mut recorder, &mut new_instance, &mut decisions);
    let mut differences = Vec::new();
    let mut check = |name: &str, got: Value| compare(name, &want[name], &got, &mut differences);
    check("actions", json!(recorder.actions));
    check("status", recorder.status);
    check("error", json!(outcome.error.map(|error| error.0)));
    check("requeueAfterSeconds", json!(outcome.requeue_after.map_or(0, |delay| delay.as_secs())));
    let diffs = if want["diffs"].is_null() { Value::Null } else { all_diffs(&decisions) };
    check("diffs", diffs);
    let events = |events: &[Value]| events.iter().map(readable).collect::<Value>();
    compare("events", &events(want["events"].as_array().unwrap()), &events(&recorder.events), &mut differences);
    if instances.next().is_some() {
        differences.push("    fewer instances were made up than recorded".to_owned());
    }
    (decisions, differences)
}

/// No recorded run takes a waiting deletion back, so one is made of a run in which only a hook's mark forbids it.
#[test]
fn a_deletion_that_waits_at_an_unmarked_hook_is_taken_back_when_pods_are_missing() {
    let path = kept("cloneset-public.jsonl.gz");
    let line = vector::lines(&path).find(|line| line.contains("\"id\":\"cs-p0052-41\"")).unwrap();
    let unmarked = line.replace(",\"markPodNotReady\":true", "");
    assert_ne!(line, unmarked);
    let (decisions, differences) = replay(&unmarked);
    let taken_back = decisions.iter().find(|decision| decision.rule == clone_set::Rule::DeletionsReconsidered);
    assert_eq!(taken_back.map(|decision| decision.facts), Some(Facts::Count(1)));
    assert!(differences.iter().any(|difference| difference.contains("PreparingNormal")), "{differences:?}");
}

#[test]
fn a_recorded_reconcile_that_is_changed_is_noticed() {
    let line = vector::lines(&kept("cloneset-public.jsonl.gz")).next().unwrap();
    let mut value: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(replay(&line).1, Vec::<String>::new());
    value["output"]["actions"][1]["object"]["metadata"]["labels"]["app"] = json!("other");
    value["output"]["requeueAfterSeconds"] = json!(7);
    assert_eq!(replay(&value.to_string()).1.len(), 2);
}
