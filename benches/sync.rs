//! One full sync of the StatefulSet controller: in steady state, and with a rolling-update delete. Natively it is a
//! program; as WebAssembly it is a test that runs in Node, built as the page is built. Both print the same table and
//! fail if a sync is not as much faster than the real Go controller as it should be, or grows faster than linearly.
//!
//! The statistic is the fastest of many short batches, with the median beside it. A sync does the same work every time, so
//! whatever makes one batch slower than another is not the sync but the rest of the machine: other processes can only add
//! time, never take it away. A batch is shorter than what a busy machine gives a program at a stretch, so that many are
//! not interrupted. Batches of all sizes take turns, so that a slow spell hits every size alike and not their growth.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[cfg(not(target_arch = "wasm32"))]
mod machine;
mod real_time;

use serde_json::{Value, json};
use setscope::objects::{ApiError, ControllerRevision, Event, Kind, Object, ObjectRef, Pod, StatefulSet, Time};
use setscope::reconcile::stateful_set::sync;
use setscope::reconcile::{
    Api, Decision, Gates, Observed, OwnerPatch, Release, Rule, SyncCache, hash_revision_data, stateful_set,
    template_patch,
};
use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

/// Pods, and the microseconds of a full sync of the Go controller 1.36.3 in steady state on the machine that `slowness`
/// compares with; beyond 1,000 pods in proportion.
const SIZES: [(i32, f64); 6] =
    [(3, 215.0), (10, 225.0), (100, 515.0), (1_000, 3_620.0), (5_000, 18_100.0), (10_000, 36_200.0)];

/// Milliseconds that a batch takes at least.
const BATCH_MS: f64 = 1.0;

/// Syncs before a batch. Go's figures, too, are of one sync after another; a turn of the other sizes leaves other pods in
/// the processor's caches, and where one cache holds what another gave up, it takes more than one sync to bring them back.
const WARM_UP: u32 = 4;

/// How often every figure has its turn at least, and the milliseconds spent on all of a release.
const ROUNDS: usize = 100;
const BUDGET_MS: f64 = 3000.0;

/// An API server that accepts everything.
struct Accept;

impl Api for Accept {
    fn get(&mut self, kind: Kind, _: &str, name: &str) -> Result<Object, ApiError> {
        Err(ApiError::not_found(kind.resource(), name))
    }
    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        Ok(object)
    }
    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        Ok(object)
    }
    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        Ok(object)
    }
    fn patch_owner(&mut self, _: &ObjectRef, _: &OwnerPatch) -> Result<(), ApiError> {
        Ok(())
    }
    fn delete(&mut self, _: &ObjectRef) -> Result<(), ApiError> {
        Ok(())
    }
    fn record(&mut self, _: Event) {}
}

struct Situation {
    set: Rc<StatefulSet>,
    /// By name, as the cache lists them.
    pods: RefCell<Vec<Rc<Pod>>>,
    revisions: Vec<Rc<ControllerRevision>>,
    /// A controller that runs keeps them from sync to sync.
    sync_cache: RefCell<SyncCache>,
}

/// The situation of the recorded `bench` vectors at any size: every pod Ready at the first revision, and, to roll, a
/// template with another image.
fn situation(gates: &Gates, replicas: i32, rolling: bool) -> Situation {
    let owner = json!([{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true, "kind": "StatefulSet",
        "name": "web", "uid": "set-000001"}]);
    let set = |image: &str, status: Value| -> StatefulSet {
        serde_json::from_value(json!({
            "metadata": {"creationTimestamp": "2024-01-01T00:00:00Z", "generation": 2, "labels": {"app": "web"},
                "name": "web", "namespace": "default", "uid": "set-000001"},
            "spec": {"podManagementPolicy": "OrderedReady", "replicas": replicas, "revisionHistoryLimit": 10,
                "selector": {"matchLabels": {"app": "web"}}, "serviceName": "nginx",
                "template": {"metadata": {"labels": {"app": "web"}},
                    "spec": {"containers": [{"image": image, "name": "main", "resources": {}}]}},
                "updateStrategy": {"rollingUpdate": {"partition": 0}, "type": "RollingUpdate"}},
            "status": status}))
        .unwrap()
    };
    let revision = |image: &str, number: i64| -> ControllerRevision {
        let data = template_patch(gates, &set(image, json!({"replicas": 0})).spec.template);
        let hash = hash_revision_data(data.text(), 0);
        let text = json!({"data": null, "metadata": {"creationTimestamp": "2024-01-01T00:00:00Z",
            "labels": {"app": "web", "controller.kubernetes.io/hash": hash}, "name": format!("web-{hash}"),
            "namespace": "default", "ownerReferences": owner, "uid": format!("rev-{number}")}, "revision": number});
        serde_json::from_str(&text.to_string().replace("null", data.text())).unwrap()
    };
    let old = revision("nginx:1.19", 1);
    let current = old.metadata.name.clone();
    let mut revisions = vec![old];
    let image = if rolling { "foo" } else { "nginx:1.19" };
    if rolling {
        revisions.push(revision(image, 2));
    }
    let update = revisions.last().unwrap().metadata.name.clone();
    let status = json!({"availableReplicas": replicas, "collisionCount": 0, "currentReplicas": replicas, "currentRevision": current,
        "observedGeneration": 2, "readyReplicas": replicas, "replicas": replicas, "updateRevision": update,
        "updatedReplicas": if rolling { 0 } else { replicas }});
    let pod = |ordinal: i32| -> Rc<Pod> {
        let name = format!("web-{ordinal}");
        let value = json!({
            "metadata": {"creationTimestamp": "2024-01-01T00:00:00Z", "name": name, "namespace": "default",
                "labels": {"app": "web", "controller-revision-hash": current, "statefulset.kubernetes.io/pod-name": name},
                "ownerReferences": owner, "uid": format!("pod-{ordinal:06}")},
            "spec": {"containers": [{"image": "nginx:1.19", "name": "main"}], "hostname": name, "nodeName": "node-0",
                "subdomain": "nginx"},
            "status": {"phase": "Running", "conditions": [
                {"lastTransitionTime": "2024-01-01T00:00:00Z", "status": "True", "type": "Ready"}]}});
        Rc::new(serde_json::from_value(value).unwrap())
    };
    let mut pods: Vec<Rc<Pod>> = (0..replicas).map(pod).collect();
    pods.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
    Situation {
        set: Rc::new(set(image, status)),
        pods: RefCell::new(pods),
        revisions: revisions.into_iter().map(Rc::new).collect(),
        sync_cache: RefCell::default(),
    }
}

/// One pod has changed since the last sync: that is what wakes the controller.
fn sync_once(gates: &Gates, situation: &Situation) -> Vec<Decision> {
    let mut pods = situation.pods.borrow_mut();
    let middle = pods.len() / 2;
    pods[middle] = Rc::new(Pod::clone(&pods[middle]));
    let observed = Observed {
        pods: pods[..].into(),
        revisions: (&situation.revisions).into(),
        sync_cache: Some(&situation.sync_cache),
        ..Observed::alone(Time(0), &situation.set)
    };
    let mut decisions = Vec::new();
    let outcome = sync(gates, black_box(&observed), &mut Accept, &mut decisions);
    assert_eq!(outcome.error, None);
    decisions
}

/// A situation, how many syncs a batch of it has, and the microseconds of a sync in each batch so far.
struct Figure {
    situation: Situation,
    times: u32,
    batches: Vec<f64>,
}

impl Figure {
    fn of(gates: &Gates, situation: Situation, shows: Rule, now_ms: &dyn Fn() -> f64) -> Self {
        assert!(sync_once(gates, &situation).iter().any(|decision| decision.rule == shows));
        let mut figure = Self { situation, times: 1, batches: Vec::new() };
        while figure.batch(gates, now_ms) < BATCH_MS {
            figure.times *= 2;
        }
        figure
    }

    /// The milliseconds of one batch.
    fn batch(&self, gates: &Gates, now_ms: &dyn Fn() -> f64) -> f64 {
        let run = |times: u32| (0..times).for_each(|_| drop(black_box(sync_once(gates, &self.situation))));
        run(WARM_UP);
        let start = now_ms();
        run(self.times);
        now_ms() - start
    }

    fn measure(&mut self, gates: &Gates, now_ms: &dyn Fn() -> f64) {
        let time = self.batch(gates, now_ms);
        self.batches.push(time * 1000.0 / f64::from(self.times));
    }

    /// The fastest batch and the median.
    fn result(mut self) -> (f64, f64) {
        self.batches.sort_by(f64::total_cmp);
        (self.batches[0], self.batches[self.batches.len() / 2])
    }
}

/// By size: a sync in steady state and one that deletes a pod to roll it, in microseconds, fastest and median.
fn measure(gates: &Gates, now_ms: &dyn Fn() -> f64) -> Vec<[(f64, f64); 2]> {
    let of_size = |(replicas, _): (i32, f64)| {
        let (steady, rolling) = (situation(gates, replicas, false), situation(gates, replicas, true));
        [
            Figure::of(gates, steady, stateful_set::Rule::StatusUnchanged.into(), now_ms),
            Figure::of(gates, rolling, stateful_set::Rule::UpdateDeleted.into(), now_ms),
        ]
    };
    let mut figures: Vec<[Figure; 2]> = SIZES.into_iter().map(of_size).collect();
    let start = now_ms();
    while figures[0][0].batches.len() < ROUNDS || now_ms() - start < BUDGET_MS {
        figures.iter_mut().flatten().for_each(|figure| figure.measure(gates, now_ms));
    }
    figures.into_iter().map(|pair| pair.map(Figure::result)).collect()
}

/// Prints a table for the newest release that Go was measured at and one for the oldest, and lists what falls short.
/// `machine` is how many times as long as the machine of Go's figures this one takes.
fn report(now_ms: &dyn Fn() -> f64, machine: f64, wanted: f64, print: &dyn Fn(String)) -> Vec<String> {
    print(format!(
        "this machine takes {machine:.2} times as long as the one of Go's figures, which are scaled by that"
    ));
    let releases = [Release::V1_36, Release::V1_20].iter();
    releases.flat_map(|release| report_on(*release, now_ms, (machine, wanted), print)).collect()
}

fn report_on(
    release: Release,
    now_ms: &dyn Fn() -> f64,
    (machine, wanted): (f64, f64),
    print: &dyn Fn(String),
) -> Vec<String> {
    let mut problems = Vec::new();
    print(format!("{}, in µs: the fastest batch (the median)", release.name()));
    print(format!("{:>6} {:>20} {:>12} {:>8} {:>20}", "pods", "steady", "Go, steady", "ratio", "rolling delete"));
    let mut previous: Option<(f64, f64)> = None;
    for ((replicas, go), [(time, median), (roll, roll_median)]) in
        SIZES.into_iter().zip(measure(&release.gates(), now_ms))
    {
        let go = go * machine;
        let ratio = go / time;
        print(format!(
            "{replicas:>6} {time:>9.2} {:>10} {go:>12.0} {ratio:>7.1}× {roll:>9.2} {:>10}",
            format!("({median:.2})"),
            format!("({roll_median:.2})")
        ));
        if ratio < wanted {
            problems.push(format!("{replicas} pods: {ratio:.1} times as fast as Go, not {wanted}"));
        }
        // A quarter more than linear is noise of these measurements.
        if let Some((pods, before)) = previous
            && time / before > 1.25 * f64::from(replicas) / pods
        {
            problems.push(format!("from {pods} to {replicas} pods the time grows {:.1} times", time / before));
        }
        previous = Some((f64::from(replicas), time));
    }
    problems
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    real_time::measure(|now_ms| {
        let machine = machine::slowness(now_ms);
        println!("machine {machine:.3}");
        report(now_ms, machine, 20.0, &|line| println!("{line}"))
    });
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use wasm_bindgen_test::{Criterion, wasm_bindgen_bench};

    // The runner starts it as a benchmark; the measuring is the same as natively.
    #[wasm_bindgen_bench]
    fn a_sync_is_8_times_as_fast_as_the_real_controllers(_: &mut Criterion) {
        super::real_time::measure_in_wasm(|now_ms, machine, print| super::report(now_ms, machine, 8.0, print));
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
