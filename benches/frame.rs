//! What a frame costs the page's state while many pods play, without the browser's part.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a benchmark measures real time"
)]

use setscope::page::{Msg, Opening, State, Theme};
use std::rc::Rc;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sizes: Vec<usize> = args.iter().filter_map(|word| word.parse().ok()).collect();
    let ordered = args.iter().any(|word| word == "ordered");
    for pods in sizes {
        run(pods, ordered);
    }
}

fn run(pods: usize, ordered: bool) {
    let start = Instant::now();
    let clock = move || start.elapsed().as_secs_f64() * 1e3;
    let opening = Opening {
        addressed: Ok(None),
        named: false,
        saved: None,
        learned: None,
        embedded: true,
        locked: false,
        unknown: Vec::new(),
        theme: Theme::Auto,
        clock: Rc::new(clock),
    };
    let (mut state, _) = State::open(opening).unwrap();
    let policy = if ordered { "OrderedReady" } else { "Parallel" };
    let manifest = format!(
        "{{\"apiVersion\": \"apps/v1\", \"kind\": \"StatefulSet\", \"metadata\": {{\"name\": \"many\"}}, \"spec\": {{\"serviceName\": \"many\", \"replicas\": {pods}, \"podManagementPolicy\": \"{policy}\", \"selector\": {{\"matchLabels\": {{\"app\": \"many\"}}}}, \"template\": {{\"metadata\": {{\"labels\": {{\"app\": \"many\"}}}}, \"spec\": {{\"containers\": [{{\"name\": \"main\", \"image\": \"registry.k8s.io/pause:3.9\"}}]}}}}}}}}"
    );
    state.reduce(Msg::Apply(manifest.as_str().into()));
    state.reduce(Msg::Toggle);
    let mut times = Vec::new();
    for _ in 0..400 {
        if !state.playback.playing {
            break;
        }
        let began = Instant::now();
        state.reduce(Msg::Tick(16));
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    let all: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() as f64 * part) as usize).min(times.len() - 1)];
    println!(
        "{pods} {policy}: {} ticks, {all:.0} ms, p50 {:.2} p95 {:.2} most {:.2}, {:?} {:?}",
        times.len(),
        at(0.5),
        at(0.95),
        at(1.0),
        state.stage.view.clock.to_string(),
        state.stage.view.summary.as_ref().map(|one| one.ready)
    );
}
