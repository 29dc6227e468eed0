//! Going to a moment and one step back in a long run: 100 pods, 10,000 events. Natively it is a program; as WebAssembly it
//! is a test that runs in Node, built as the page is built. Both print the same table and fail if one of them takes longer
//! than a frame of 16 ms. The statistic is the slowest: a person sees each one, and the fastest of many would hide a moment
//! that is far from a snapshot. So that another process does not fail it, each place is measured several times, and the
//! fastest time of a place counts.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

mod real_time;

use setscope::objects::{Kind, ObjectRef};
use setscope::session::{Command, Session};
use setscope::sim::START;

const PODS: i32 = 100;
const EVENTS: u64 = 10_000;
const PLACES: usize = 100;
const TIMES: usize = 5;
const FRAME_MS: f64 = 16.0;

fn long_run() -> Session {
    let manifest = format!(
        r#"{{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {{"name": "web"}},
        "spec": {{"serviceName": "nginx", "replicas": {PODS}, "podManagementPolicy": "Parallel",
          "selector": {{"matchLabels": {{"app": "nginx"}}}}, "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
            "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1.27"}}]}}}}}}}}"#
    );
    let set = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
    let mut session = Session::start(&manifest, 1).unwrap();
    for round in 0.. {
        while session.step() {}
        if session.position().1 >= EVENTS {
            break;
        }
        let image = format!("nginx:{round}").as_str().into();
        session.command(Command::SetImage { set: set.clone(), container: "nginx".into(), image }).unwrap();
    }
    session
}

/// Sorted milliseconds of seeking to places all over the run, and of a step back from each.
fn measure(session: &mut Session, now_ms: &dyn Fn() -> f64) -> [Vec<f64>; 2] {
    let end = session.latest().now().0 - START.0;
    let mut fastest = [[f64::MAX; 2]; PLACES];
    for _ in 0..TIMES {
        for (place, [seek, step]) in fastest.iter_mut().enumerate() {
            let part = i64::try_from(place * 37 % PLACES).unwrap();
            let start = now_ms();
            session.seek(end * part / 100);
            let there = now_ms();
            session.step_back();
            *seek = seek.min(there - start);
            *step = step.min(now_ms() - there);
        }
    }
    [0, 1].map(|act| {
        let mut times: Vec<f64> = fastest.iter().map(|times| times[act]).collect();
        times.sort_by(f64::total_cmp);
        times
    })
}

/// Prints the table and lists what falls short.
fn report(now_ms: &dyn Fn() -> f64, print: &dyn Fn(String)) -> Vec<String> {
    let start = now_ms();
    let mut session = long_run();
    print(format!("{} events at {PODS} pods, run in {:.0} ms", session.position().1, now_ms() - start));
    print(format!("{:>10} {:>12} {:>12}", "", "median", "slowest"));
    let figures = measure(&mut session, now_ms);
    let mut problems = Vec::new();
    for (name, times) in ["seek", "step back"].iter().zip(figures) {
        let (median, slowest) = (times[PLACES / 2], times[PLACES - 1]);
        print(format!("{name:>10} {median:>9.3} ms {slowest:>9.3} ms"));
        if slowest >= FRAME_MS {
            problems.push(format!("a {name} takes {slowest:.1} ms, longer than a frame"));
        }
    }
    problems
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    real_time::measure(|now_ms| report(now_ms, &|line| println!("{line}")));
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use wasm_bindgen_test::{Criterion, wasm_bindgen_bench};

    // The runner starts it as a benchmark; the measuring is the same as natively.
    #[wasm_bindgen_bench]
    fn a_moment_of_a_long_run_is_there_within_a_frame(_: &mut Criterion) {
        super::real_time::measure_in_wasm(|now_ms, _, print| super::report(now_ms, print));
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
