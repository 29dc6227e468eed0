//! What an event costs does not grow with the cluster: the processor's time of the scheduler, the kubelets, the API server and
//! what keeps the record of it, at 100, 1,000 and 10,000 pods.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the benchmarks use the rest")]
#[path = "../benches/large/mod.rs"]
mod large;

use large::{Case, Workload};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// How much more an event may cost. What looks at every pod would cost ten times as much, or a hundred.
const GROWTH: f64 = 3.0;
/// The best of so many tries counts: other programs take the caches too.
const TIMES: usize = 3;

/// What the processor spent on this thread, in nanoseconds; what other programs take does not count.
struct Processor(File);

impl Processor {
    fn of_this_thread() -> Self {
        Self(File::open("/proc/thread-self/schedstat").unwrap())
    }

    fn ns(&self) -> f64 {
        let mut text = [0; 64];
        let length = self.0.read_at(&mut text, 0).unwrap();
        let text = std::str::from_utf8(&text[..length]).unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    }
}

/// Nanoseconds of an event that is no sync, on the way to a workload of this size.
fn event_ns(workload: Workload, pods: i32) -> f64 {
    let case = Case { workload, pods, milliseconds: 0.0, megabytes: 0.0 };
    let (processor, mut session) = (Processor::of_this_thread(), case.start());
    let (mut events, mut spent) = (0, 0.0);
    loop {
        let before = processor.ns();
        if !session.step() {
            return spent / f64::from(events);
        }
        if !session.has_just_synced() {
            spent += processor.ns() - before;
            events += 1;
        }
    }
}

/// The most that an event costs at one of the sizes, in terms of the first of them.
fn growth(workload: Workload, sizes: &[i32]) -> f64 {
    let costs: Vec<f64> = sizes.iter().map(|pods| event_ns(workload, *pods)).collect();
    costs.iter().fold(0.0, |most: f64, cost| most.max(cost / costs[0]))
}

#[track_caller]
fn assert_no_growth(workload: Workload, sizes: &[i32]) {
    let tries = (0..TIMES).map(|_| growth(workload, sizes));
    let mut seen = Vec::new();
    for growth in tries {
        if growth <= GROWTH {
            return;
        }
        seen.push(growth);
    }
    panic!("an event costs {seen:?} times as much in a larger cluster");
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
