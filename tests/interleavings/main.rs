//! Every interleaving of a small cluster: two nodes, two ordinals, one node failure and its repair, one template change, one
//! scale. Explored by stateright, printed with the number of states.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod model;
mod world;

use model::{Interleavings, Story};
use setscope::reconcile::Mutation;
use setscope::sim::Failure;
use stateright::{Checker, HasDiscoveries, Model};
use std::io::Write;

/// Explores everything; says what was broken, and how many states there are.
fn explore(model: Interleavings) -> (Vec<&'static str>, usize) {
    let edges = model.edges();
    let again = model.again();
    let checker = model
        .checker()
        .threads(1)
        .target_state_count(800_000)
        .finish_when(HasDiscoveries::AnyFailures)
        .spawn_dfs()
        .join();
    let mut broken: Vec<&'static str> = checker.discoveries().into_keys().collect();
    broken.sort_unstable();
    if broken.is_empty() && edges.lock().unwrap().strays(&again) > 0 {
        broken.push(model::SETTLES);
    }
    say(&format!("depth {} steps {}", checker.max_depth(), checker.state_count()));
    (broken, checker.unique_state_count())
}

/// Written past the test harness's capture, so that it is seen in a passing run too.
fn say(text: &str) {
    writeln!(std::io::stdout(), "{text}").unwrap();
}

#[test]
fn whatever_comes_first_the_promises_hold_and_it_settles() {
    for (name, story) in stories() {
        let (broken, states) = explore(Interleavings::of(story, None));
        say(&format!("{name}: {states} states"));
        say(&format!("{broken:?}"));
    }
}

fn stories() -> Vec<(&'static str, Story)> {
    let f = Failure::KubeletStopped;
    let l = std::env::var("L").unwrap().parse().unwrap();
    vec![
        ("no failure", Story { from: 1, to: 2, failure: f, most_behind: l, left_out: [false, false, true, true] }),
        ("no scale", Story { from: 2, to: 2, failure: f, most_behind: l, left_out: [true, false, false, false] }),
        ("no change", Story { from: 1, to: 2, failure: f, most_behind: l, left_out: [false, true, false, false] }),
        ("all", Story { from: 1, to: 2, failure: f, most_behind: l, left_out: [false, false, false, false] }),
    ]
}

#[test]
fn every_fault_seeded_into_the_port_is_caught() {
    let (up, down) = (stories().remove(0).1, stories().remove(1).1);
    for (mutation, story, promise) in [
        (Mutation::WaitsForNobody, up, model::ORDER),
        (Mutation::TerminatingIsGone, up, model::ONE_NAME),
        (Mutation::RollsUpwards, down, model::DESCENDS),
    ] {
        let (broken, states) = explore(Interleavings::of(story, Some(mutation)));
        say(&format!("{mutation:?}: caught after {states} states"));
        assert_eq!(broken, [promise], "{mutation:?}");
    }
}
