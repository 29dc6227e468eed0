//! Opening what kubectl prints of a large cluster, as YAML and as JSON: how long each part of it takes. Natively it is a
//! program; as WebAssembly it is a test that runs in Node, built as the page is built. Both print the same table and fail where
//! a text takes longer than its goal.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[cfg(not(target_arch = "wasm32"))]
mod machine;
mod real_time;

use serde_json::{Value, json};
use setscope::diagnosis::{CONDITIONS, Diagnosing, Diagnosis};
use setscope::kubectl::manifest;
use setscope::objects::{Kind, Object};
use setscope::session::Session;
use setscope::session::dump::{self, Options, Places};

/// Bytes of the text.
const SIZE: usize = 10 << 20;
/// Milliseconds in which a text is to be open, natively and as WebAssembly.
const GOALS_MS: (f64, f64) = (2_000.0, 5_000.0);
/// Namespaces that the pods are in, each with a workload of its own.
const NAMESPACES: usize = 20;

/// What a cluster of this many pods prints.
fn values(pods: usize) -> Vec<Value> {
    let manifest = |namespace: usize| {
        format!(
            r#"{{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {{"name": "web", "namespace": "space-{namespace}"}},
            "spec": {{"serviceName": "nginx", "replicas": {}, "podManagementPolicy": "Parallel",
              "selector": {{"matchLabels": {{"app": "nginx"}}}}, "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
                "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1.27"}}]}}}}}}}}"#,
            pods / NAMESPACES
        )
    };
    let manifests: Vec<String> = (0..NAMESPACES).map(manifest).collect();
    let mut session = Session::start(&manifests.join("\n"), 1).unwrap();
    while session.step() {}
    let all = Kind::ALL.iter().flat_map(|kind| session.cluster().objects(*kind));
    all.map(Object::to_value).collect()
}

/// Prints the milliseconds of each part and lists what falls short of the goal.
fn report(goal_ms: f64, now_ms: &dyn Fn() -> f64, print: &dyn Fn(String)) -> Vec<String> {
    let pods = 1_000;
    let list = |pods: usize| json!({ "apiVersion": "v1", "kind": "List", "items": values(pods) });
    let pods = SIZE / (manifest::write(&list(pods)).len() / pods);
    let list = list(pods);
    let mut problems = Vec::new();
    for (name, text) in [("yaml", manifest::write(&list)), ("json", format!("{list:#}"))] {
        let start = now_ms();
        let dump = dump::open(&text, &Options::default()).unwrap();
        let read = now_ms();
        let mut diagnosing = Diagnosing::new(dump.session(1).unwrap(), &dump, CONDITIONS);
        let begun = now_ms();
        while diagnosing.advance(&dump) {}
        let (workloads, _) = diagnosing.finish();
        let diagnosed = now_ms();
        let places = Places::of(&dump, workloads.iter().flat_map(Diagnosis::fields));
        let end = now_ms();
        drop(places);
        print(format!(
            "{name}: {} bytes, {} objects: {:.0} ms (read {:.0}, begin {:.0}, diagnose {:.0}, find fields {:.0})",
            text.len(),
            dump.objects.len(),
            end - start,
            read - start,
            begun - read,
            diagnosed - begun,
            end - diagnosed
        ));
        if end - start > goal_ms {
            problems.push(format!("{name} takes {:.0} ms; the goal is {goal_ms:.0}", end - start));
        }
    }
    problems
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    real_time::measure(|now_ms| {
        let goal_ms = GOALS_MS.0 * machine::slowness(now_ms).max(1.0);
        report(goal_ms, now_ms, &|line| println!("{line}"))
    });
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use wasm_bindgen_test::{Criterion, wasm_bindgen_bench};

    #[wasm_bindgen_bench]
    fn ten_megabytes_are_opened(_: &mut Criterion) {
        super::real_time::measure_in_wasm(|now_ms, machine, print| {
            super::report(super::GOALS_MS.1 * machine.max(1.0), now_ms, print)
        });
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
