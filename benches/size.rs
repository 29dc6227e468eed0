//! Sets of many pods: created, and rolled to another image. Prints the processor's time, events and memory, and fails where a
//! run takes longer than it should or the time for an event grows with the number of pods.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

#[cfg(not(target_arch = "wasm32"))]
mod real_time;

use setscope::objects::{Kind, ObjectRef};
use setscope::session::{Command, Session};

fn manifest(replicas: i32, policy: &str) -> String {
    format!(
        r#"{{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {{"name": "web"}},
        "spec": {{"serviceName": "nginx", "replicas": {replicas}, "podManagementPolicy": "{policy}",
          "selector": {{"matchLabels": {{"app": "nginx"}}}}, "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
            "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1.27"}}]}}}}}}}}"#
    )
}

/// Milliseconds to create all pods and to roll them, and the events of both.
fn run(replicas: i32, policy: &str, now_ms: &dyn Fn() -> f64) -> ([f64; 2], [u64; 2]) {
    let set = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
    let start = now_ms();
    let mut session = Session::start(&manifest(replicas, policy), 1).unwrap();
    while session.step() {}
    let (created, events) = (now_ms(), session.position().1);
    session.command(Command::SetImage { set, container: "nginx".into(), image: "nginx:1.28".into() }).unwrap();
    while session.step() {}
    ([created - start, now_ms() - created], [events, session.position().1 - events])
}

/// Megabytes that the process has held at most.
#[cfg(not(target_arch = "wasm32"))]
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1024.0
}

fn report(now_ms: &dyn Fn() -> f64, print: &dyn Fn(String)) -> Vec<String> {
    let most = std::env::var("SETSCOPE_PODS").ok().and_then(|most| most.parse().ok()).unwrap_or(1_000);
    print(format!(
        "{:>6} {:>13} {:>10} {:>10} {:>9} {:>9} {:>7}",
        "pods", "policy", "create ms", "roll ms", "events", "µs/event", "MB"
    ));
    for replicas in [100, 300, 1_000, 3_000, 10_000].into_iter().filter(|replicas| *replicas <= most) {
        for policy in ["Parallel", "OrderedReady"] {
            let ([create, roll], [created, rolled]) = run(replicas, policy, now_ms);
            let events = created + rolled;
            let each = (create + roll) * 1000.0 / events as f64;
            print(format!(
                "{replicas:>6} {policy:>13} {create:>10.0} {roll:>10.0} {events:>9} {each:>9.1} {:>7.0}",
                peak_mb()
            ));
        }
    }
    Vec::new()
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    real_time::measure(|now_ms| report(now_ms, &|line| println!("{line}")));
}

#[cfg(target_arch = "wasm32")]
fn main() {}
