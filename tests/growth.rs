//! What an event costs does not grow with the cluster: the processor's time of the scheduler, the kubelets, the API server and
//! what keeps the record of it, at 100, 1,000 and 10,000 pods; nor what a pod costs in a drain, or a workload in a diagnosis.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the benchmarks use the rest")]
#[path = "../benches/large/mod.rs"]
mod large;

use crate::kit::Processor;
use large::{Workload, case};
use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, Told, diagnose};
use setscope::kubectl::{Command, Draining, done};
use setscope::objects::ObjectRef;
use setscope::session::dump::{self, Options};
use setscope::sim::Budget;
use std::time::Duration;

/// How much more an event may cost. What looks at every pod would cost ten times as much, or a hundred; memory that other programs
/// use, too, makes it three and a half at 10,000 pods.
const GROWTH: f64 = 5.0;
/// Tries, of which the best counts: other programs take the caches too.
const TIMES: usize = 3;

fn ns(spent: Duration) -> f64 {
    spent.as_secs_f64() * 1e9
}

/// Nanoseconds of an event that is no sync, on the way to a workload of this size.
fn event_ns(workload: Workload, pods: i32) -> f64 {
    let case = case(workload, pods, [0.0; 3]);
    let (processor, mut session) = (Processor::of_this_thread(), case.start());
    let (mut events, mut spent) = (0, Duration::ZERO);
    loop {
        let before = processor.spent();
        if !session.step() {
            return ns(spent) / f64::from(events);
        }
        if !session.has_just_synced() {
            spent += processor.spent() - before;
            events += 1;
        }
    }
}

/// Nanoseconds for each pod of two drains under a budget that lets few pods go, with what is told of them. The first begins
/// before there is a budget.
fn drain_ns(pods: i32) -> f64 {
    let case = case(Workload::Parallel, pods, [0.0; 3]);
    let (processor, mut session) = (Processor::of_this_thread(), case.start());
    while session.step() {}
    let set = ObjectRef { kind: case.kind(), namespace: "default".into(), name: "web".into() };
    let budget = Some(Budget { min_available: pods, always_allow: false });
    let drain = |node: &str| Command::Drain { node: node.into(), how: Draining::default() };
    session.command(drain("node-b")).unwrap();
    let start = processor.spent();
    session.command(Command::SetBudget { set, budget }).unwrap();
    let refused = session.cluster().refused_evictions("node-b");
    let before = session.cluster().clone();
    session.command(drain("node-a")).unwrap();
    let told = done(&before, session.cluster(), &drain("node-a"));
    let spent = ns(processor.spent() - start);
    assert!(!refused.is_empty() && told.contains("will retry"), "the budget refuses them");
    spent / f64::from(pods)
}

/// What kubectl prints of so many sets: of the first of four no pod is made yet, of the second one crashes again and again, the
/// others are well.
fn fleet(sets: i32) -> String {
    let moment = "2026-01-31T12:00:00Z";
    let metadata = |name: &str| json!({ "name": name, "namespace": "default", "uid": name, "creationTimestamp": "2026-01-30T12:00:00Z" });
    let mut objects: Vec<Value> = (0..sets / 10)
        .map(|node| {
            json!({ "apiVersion": "v1", "kind": "Node", "metadata": metadata(&format!("node-{node}")), "status": {
                "allocatable": { "cpu": "64", "memory": "64Gi", "pods": "110" }, "nodeInfo": { "kubeletVersion": "v1.34.0" },
                "conditions": [{ "type": "Ready", "status": "True", "lastHeartbeatTime": moment, "lastTransitionTime": moment }] } })
        })
        .collect();
    for set in 0..sets {
        let name = format!("web-{set}");
        let labels = json!({ "app": name });
        let template = json!({ "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "web", "image": "web:1" }] } });
        let (revision, there) = (format!("{name}-1"), if set % 4 == 0 { 0 } else { 3 });
        objects.push(json!({ "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata(&name),
            "spec": { "replicas": 3, "serviceName": name, "selector": { "matchLabels": labels }, "template": template },
            "status": { "replicas": there, "currentRevision": revision, "updateRevision": revision } }));
        let owner =
            json!([{ "apiVersion": "apps/v1", "kind": "StatefulSet", "name": name, "uid": name, "controller": true }]);
        let owned = |name: &str, labels: Value| {
            let mut metadata = metadata(name);
            (metadata["labels"], metadata["ownerReferences"]) = (labels, owner.clone());
            metadata
        };
        objects.push(
            json!({ "apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": owned(&revision, labels.clone()),
            "revision": 1, "data": { "spec": { "template": template } } }),
        );
        for ordinal in 0..there {
            let is_bad = set % 4 == 1 && ordinal == 2;
            let pod = format!("{name}-{ordinal}");
            let labels =
                json!({ "app": name, "controller-revision-hash": revision, "statefulset.kubernetes.io/pod-name": pod });
            let mut spec = template["spec"].clone();
            spec["nodeName"] = format!("node-{}", (set * 3 + ordinal) % (sets / 10)).into();
            let state = if is_bad {
                json!({ "waiting": { "reason": "CrashLoopBackOff" } })
            } else {
                json!({ "running": { "startedAt": moment } })
            };
            let is_ready = if is_bad { "False" } else { "True" };
            objects.push(json!({ "apiVersion": "v1", "kind": "Pod", "metadata": owned(&pod, labels), "spec": spec, "status": {
                "phase": "Running", "conditions": [{ "type": "Ready", "status": is_ready, "lastTransitionTime": "2026-01-30T12:01:00Z" }],
                "containerStatuses": [{ "name": "web", "image": "web:1", "ready": !is_bad, "restartCount": if is_bad { 40 } else { 0 }, "state": state }] } }));
        }
    }
    objects.iter().map(Value::to_string).collect::<Vec<_>>().join("\n---\n")
}

/// Nanoseconds for each workload of a text of so many, from the text to what is said of each.
fn workload_ns(sets: i32) -> f64 {
    let (text, processor) = (fleet(sets), Processor::of_this_thread());
    let start = processor.spent();
    let dump = dump::open(&text, &Options::default()).unwrap();
    let all = diagnose(&dump.session(1).unwrap(), Told::from(&dump), CONDITIONS);
    let spent = ns(processor.spent() - start);
    let of =
        |needs_help| i32::try_from(all.iter().filter(|one| one.verdict.needs_help() == needs_help).count()).unwrap();
    assert_eq!((of(true), of(false)), (sets / 4, sets - sets / 4));
    spent / f64::from(sets)
}

#[track_caller]
fn assert_no_growth(workload: Workload, sizes: &[i32]) {
    assert_costs_no_more(|pods| event_ns(workload, pods), sizes);
}

/// Of each size the best try counts.
#[track_caller]
fn assert_costs_no_more(cost: impl Fn(i32) -> f64, sizes: &[i32]) {
    let mut best = vec![f64::INFINITY; sizes.len()];
    for _ in 0..TIMES {
        for (best, size) in best.iter_mut().zip(sizes) {
            *best = best.min(cost(*size));
        }
        if best.iter().all(|cost| cost / best[0] <= GROWTH) {
            return;
        }
    }
    panic!("it costs {best:?} ns at {sizes:?}");
}

#[test]
fn an_event_costs_the_same_in_a_stateful_set_of_100_1000_and_10000_pods() {
    assert_no_growth(Workload::Parallel, &[100, 1_000, 10_000]);
}

#[test]
fn an_event_costs_the_same_in_a_deployment_of_100_and_1000_pods() {
    assert_no_growth(Workload::Deployment, &[100, 1_000]);
}

#[test]
fn an_event_costs_the_same_in_a_daemon_set_on_100_and_1000_nodes() {
    assert_no_growth(Workload::DaemonSet, &[100, 1_000]);
}

#[test]
fn an_event_costs_the_same_in_a_clone_set_of_100_and_1000_pods() {
    assert_no_growth(Workload::InPlace, &[100, 1_000]);
}

#[test]
fn a_workload_costs_the_same_in_a_diagnosis_of_40_and_320() {
    assert_costs_no_more(workload_ns, &[40, 320]);
}

#[test]
fn a_pod_costs_the_same_in_a_drain_under_a_budget_of_1000_and_10000_pods() {
    assert_costs_no_more(drain_ns, &[1_000, 10_000]);
}
