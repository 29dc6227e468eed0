//! What an event costs does not grow with the cluster: the processor's time of the scheduler, the kubelets, the API server and
//! what keeps the record of it, at 100, 1,000 and 10,000 pods; nor what a pod costs in a drain.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "the benchmarks use the rest")]
#[path = "../benches/large/mod.rs"]
mod large;

use crate::kit::Processor;
use large::{Case, Workload};
use setscope::kubectl::{Command, done};
use setscope::objects::ObjectRef;
use setscope::sim::Budget;
use std::time::Duration;

/// How much more an event may cost. What looks at every pod would cost ten times as much, or a hundred.
const GROWTH: f64 = 3.0;
/// The best of so many tries counts: other programs take the caches too.
const TIMES: usize = 3;

fn ns(spent: Duration) -> f64 {
    spent.as_secs_f64() * 1e9
}

/// Nanoseconds of an event that is no sync, on the way to a workload of this size.
fn event_ns(workload: Workload, pods: i32) -> f64 {
    let case = Case { workload, pods, milliseconds: 0.0, megabytes: 0.0 };
    let (mut processor, mut session) = (Processor::of_this_thread(), case.start());
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
    let case = Case { workload: Workload::Parallel, pods, milliseconds: 0.0, megabytes: 0.0 };
    let (mut processor, mut session) = (Processor::of_this_thread(), case.start());
    while session.step() {}
    let set = ObjectRef { kind: case.kind(), namespace: "default".into(), name: "web".into() };
    let budget = Some(Budget { min_available: pods, always_allow: false });
    let drain = |node: &str| Command::Drain { node: node.into(), timeout: None };
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

/// The most that something costs at one of the sizes, in terms of the first of them.
fn growth(cost: &impl Fn(i32) -> f64, sizes: &[i32]) -> f64 {
    let costs: Vec<f64> = sizes.iter().map(|pods| cost(*pods)).collect();
    costs.iter().fold(0.0, |most: f64, cost| most.max(cost / costs[0]))
}

#[track_caller]
fn assert_no_growth(workload: Workload, sizes: &[i32]) {
    assert_costs_no_more(|pods| event_ns(workload, pods), sizes);
}

#[track_caller]
fn assert_costs_no_more(cost: impl Fn(i32) -> f64, sizes: &[i32]) {
    let tries = (0..TIMES).map(|_| growth(&cost, sizes));
    let mut seen = Vec::new();
    for growth in tries {
        if growth <= GROWTH {
            return;
        }
        seen.push(growth);
    }
    panic!("it costs {seen:?} times as much in a larger cluster");
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
fn a_pod_costs_the_same_in_a_drain_under_a_budget_of_1000_and_10000_pods() {
    assert_costs_no_more(drain_ns, &[1_000, 10_000]);
}
