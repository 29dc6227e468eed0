//! Every interleaving of a small cluster: two nodes, two ordinals, one node failure and its repair, one template change, one
//! scale. Explored by stateright, printed with the number of states.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod model;
mod world;

use model::{Interleavings, Story};
use setscope::reconcile::Gates;
use setscope::sim::Failure;
use stateright::{Checker, HasDiscoveries, Model};
use std::io::Write;
use world::RELEASE;

/// Steps of one exploration, each an event taken in a state. A story with more is explored so far.
const STEPS: usize = 400_000;
/// Steps of the story of all three at once, which has more than a million states. `./dev fuzz`, optimized, visits them all;
/// `./dev test` stops early, and so cannot tell there whether each state can still settle.
const STEP_LIMIT: usize = if cfg!(debug_assertions) { STEPS / 4 } else { usize::MAX };

/// What came of an exploration.
#[derive(Debug)]
struct Report {
    broken: Vec<&'static str>,
    states: usize,
    /// Whether every state was visited.
    whole: bool,
}

fn explore(story: Story, gates: Gates, steps: usize) -> Report {
    let model = Interleavings::of(story, gates);
    let graph = model.graph();
    let done = HasDiscoveries::AnyFailures;
    let checker = model.checker().threads(1).target_state_count(steps).finish_when(done).spawn_dfs().join();
    let mut broken: Vec<&'static str> = checker.discoveries().into_keys().collect();
    broken.sort_unstable();
    let whole = broken.is_empty() && checker.state_count() < steps;
    if whole && graph.lock().unwrap().strays() > 0 {
        broken.push(model::SETTLES);
    }
    Report { broken, states: checker.unique_state_count(), whole }
}

/// Written past the test harness's capture, so that it is seen in a passing run too.
fn say(text: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{text}").unwrap();
}

#[track_caller]
fn check(name: &str, story: Story, steps: usize) -> Report {
    let report = explore(story, RELEASE.gates(), steps);
    say(&format!("{name}: {} states{}", report.states, if report.whole { ", all there are" } else { "" }));
    assert!(report.broken.is_empty(), "{name}: {:?}", report.broken);
    report
}

/// A cache so slow that no retry of a status write sees anything newer.
const SLOW: i64 = 50;
/// One in which the second retry sees every change so far.
const QUICK: i64 = 20;

const EVERYTHING: Story =
    Story { from: 1, to: 2, changes: true, failure: Some(Failure::KubeletStopped), most_behind: 1, cache_lag: SLOW };

#[test]
fn a_scale_while_a_node_fails_and_returns_settles_whatever_comes_first() {
    for failure in [Failure::KubeletStopped, Failure::PowerLost] {
        let story = Story { changes: false, failure: Some(failure), ..EVERYTHING };
        assert!(check(&format!("scale up, {failure:?}"), story, STEPS).whole);
    }
    let story = Story { from: 2, to: 1, changes: false, ..EVERYTHING };
    assert!(check("scale down, KubeletStopped", story, STEPS).whole);
}

#[test]
fn a_scale_during_a_template_change_settles_whatever_comes_first() {
    assert!(check("scale up, change", Story { failure: None, ..EVERYTHING }, STEPS).whole);
}

#[test]
fn all_three_at_once_keep_the_promises() {
    for (retries, cache_lag) in [("refused", SLOW), ("answered", QUICK)] {
        let name = format!("scale up, change, KubeletStopped, retries {retries}");
        let report = check(&name, Story { cache_lag, ..EVERYTHING }, STEP_LIMIT);
        assert!(report.whole || cfg!(debug_assertions), "{name}: {report:?}");
    }
}

#[test]
#[cfg(feature = "seeded-faults")]
fn every_fault_seeded_into_the_port_is_caught() {
    use setscope::releases::Mutation;
    let both = Story { from: 2, to: 2, failure: None, ..EVERYTHING };
    for (mutation, story, promise) in [
        (Mutation::WaitsForNobody, EVERYTHING, model::ORDER),
        (Mutation::TerminatingIsGone, EVERYTHING, model::ONE_NAME),
        (Mutation::RollsUpwards, both, model::DESCENDS),
    ] {
        let gates = Gates { mutation: Some(mutation), ..RELEASE.gates() };
        let report = explore(story, gates, STEPS);
        say(&format!("{mutation:?}: caught within {} states", report.states));
        assert!(report.broken.contains(&promise), "{mutation:?}: {report:?}");
    }
}
