//! Replays recorded runs of OpenKruise's CloneSet controller: whole reconciles here, its inner functions beside.
//! A FailedCreate event ends in the object as Go dumps it: that part is compared as JSON, since its order is Go's.

mod functions;

use crate::conformance::kruise::{Recorder, is_gate_on, read, readable, revisions};
use crate::conformance::vector::{self, Header};
use crate::conformance::{Replay, Replayer, compare};
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
    let diffs = decisions.iter().filter_map(|decision| match &decision.facts {
        Facts::Diffs(diffs) => Some(all_numbers(diffs)),
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
        pods: (&pods).into(),
        claims: &claims,
        revisions: (&revisions).into(),
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
    assert_eq!(taken_back.map(|decision| decision.facts.clone()), Some(Facts::Count(1)));
    assert!(differences.iter().any(|difference| difference.contains("PreparingNormal")), "{differences:?}");
}

/// Runs of which each is tried with a change.
fn some_runs() -> impl Iterator<Item = Value> {
    let path = kept("cloneset-public.jsonl.gz");
    let lines: Vec<String> = vector::lines(&path).collect();
    lines.into_iter().map(|line| serde_json::from_str(&line).unwrap())
}

fn written_to_pod(action: &Value) -> bool {
    action["verb"] == "update" && action["resource"] == "pods" && action["error"].is_null()
}

#[test]
fn a_conflict_on_any_write_to_a_pod_is_told_in_the_servers_words() {
    let mut told = 0;
    for mut run in some_runs().filter(|run| run["input"]["faults"].is_null() && run["output"]["error"].is_null()) {
        let actions = run["output"]["actions"].as_array().cloned().unwrap_or_default();
        let Some(first) = actions.iter().find(|action| written_to_pod(action)) else { continue };
        let fault = |nth: usize| {
            let subresource = first["subresource"].as_str().unwrap_or_default();
            json!({"verb": "update", "resource": "pods", "subresource": subresource, "nth": nth, "error": "Conflict"})
        };
        // As often as it is tried.
        run["input"]["faults"] = (0..4).map(fault).collect();
        let name = first["name"].as_str().unwrap();
        let want = format!("Operation cannot be fulfilled on pods \"{name}\": injected");
        run["output"]["error"] = json!(want);
        let (_, differences) = replay(&run.to_string());
        let is_released = differences.iter().any(|it| it.contains("can't remove Pod") && it.contains(": injected"));
        let is_told = !differences.iter().any(|difference| difference.contains("    error\n"));
        assert!(is_told || is_released, "{}: {differences:?}", run["id"]);
        told += 1;
        let had = run["input"]["cloneSet"]["status"]["conditions"].to_string().contains("FailedUpdate");
        let is_noted = differences.iter().any(|it| it.starts_with("    status") && it.contains("\"FailedUpdate\""));
        let is_noted_in_words = differences.iter().any(|it| it.contains("    status") && it.contains(": injected"));
        assert!(had || !is_noted || is_noted_in_words, "{}: {differences:?}", run["id"]);
    }
    assert!(told > 50, "{told}");
}

#[test]
fn nothing_is_asked_for_when_the_progress_deadline_is_just_reached() {
    let mut tried = 0;
    for mut run in some_runs() {
        let set = &run["input"]["cloneSet"];
        let deadline = set["spec"]["progressDeadlineSeconds"].as_i64();
        let conditions = set["status"]["conditions"].as_array().into_iter().flatten();
        let since = conditions
            .filter(|it| it["type"] == "Progressing" && it["reason"] == "CloneSetUpdated")
            .find_map(|it| Time::parse(it["lastUpdateTime"].as_str()?));
        let (Some(deadline), Some(since)) = (deadline, since) else { continue };
        run["input"]["now"] = json!(since.plus_seconds(deadline).to_string());
        run["output"]["requeueAfterSeconds"] = json!(0);
        let (_, differences) = replay(&run.to_string());
        // Others ask for 5 seconds and more.
        let is_about_it = |it: &&String| it.contains("requeueAfterSeconds") && it.ends_with("ported   1");
        assert_eq!(differences.iter().find(is_about_it), None, "{}", run["id"]);
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
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
