//! Large workloads: created, and rolled to another image, each in a process of its own. Prints the processor's time, the
//! memory and the slowest seek beside their goals, and fails where one of them is missed.
//!
//! `cargo bench --bench size -- ordered-1000 deployment` runs the cases whose names contain one of the words;
//! `--limit 240` gives each case 240 seconds of the processor's time in place of 120.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_types,
    reason = "a benchmark measures real time"
)]

mod large;
#[cfg(not(target_arch = "wasm32"))]
mod machine;
mod real_time;

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use super::large::{CASES, Case, slowest_seek};
    use super::{machine, real_time};
    use setscope::objects::Kind;
    use setscope::session::Session;
    use std::collections::BTreeMap;
    use std::process;
    use std::time::Instant;

    /// Seconds of the processor's time that a case has to end in.
    const LIMIT: f64 = 120.0;
    /// Times are looked at after this many moves.
    const LOOK_EVERY: u64 = 64;
    /// How much more an event, syncs apart, may cost in the largest run than in the smallest: the processor's caches hold less of it.
    const GROWTH: f64 = 8.0;
    /// Microseconds of the median sync: for each pod, and beside them.
    const SYNC_US: (f64, f64) = (0.060, 15.0);

    /// Milliseconds of the processor's time that this process took.
    fn processor_ms() -> f64 {
        let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0.0_f64) / 1e6
    }

    /// Megabytes that this process held at most.
    fn peak_mb() -> f64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0_f64) / 1024.0
    }

    /// What was measured of a case, in the order in which its process prints it.
    const FIGURES: usize = 8;
    struct Figures {
        create_ms: f64,
        roll_ms: f64,
        events: f64,
        /// Microseconds of an event in which no controller syncs.
        event_us: f64,
        syncs: f64,
        /// Microseconds of the median sync.
        sync_us: f64,
        megabytes: f64,
        seek_ms: f64,
    }

    impl Figures {
        fn to_line(&self) -> String {
            let &Self { create_ms, roll_ms, events, event_us, syncs, sync_us, megabytes, seek_ms } = self;
            let all: [f64; FIGURES] = [create_ms, roll_ms, events, event_us, syncs, sync_us, megabytes, seek_ms];
            all.map(|figure| figure.to_string()).join(" ")
        }

        fn of_line(line: &str) -> Option<Self> {
            let figures: Vec<f64> = line.split(' ').filter_map(|figure| figure.parse().ok()).collect();
            let [create_ms, roll_ms, events, event_us, syncs, sync_us, megabytes, seek_ms] =
                <[f64; FIGURES]>::try_from(figures).ok()?;
            Some(Self { create_ms, roll_ms, events, event_us, syncs, sync_us, megabytes, seek_ms })
        }
    }

    /// Steps to the end, and notes how long syncs and other events take. False if that takes too long.
    fn settle(session: &mut Session, times: &mut [Vec<f64>; 2], limit: f64) -> bool {
        loop {
            let start = Instant::now();
            if !session.step() {
                return true;
            }
            times[usize::from(session.has_just_synced())].push(start.elapsed().as_secs_f64() * 1e6);
            if session.position().0.is_multiple_of(LOOK_EVERY) && processor_ms() > limit * 1000.0 {
                println!("not done after {limit} s, at event {}", session.position().0);
                return false;
            }
        }
    }

    /// What a case's process does: prints its figures, or how far it came.
    fn run(case: &Case, limit: f64) {
        let mut times = [Vec::new(), Vec::new()];
        let start = processor_ms();
        let mut session = case.start();
        if !settle(&mut session, &mut times, limit) {
            return;
        }
        let created = processor_ms();
        session.command(case.roll()).unwrap();
        if !settle(&mut session, &mut times, limit) {
            return;
        }
        let rolled = processor_ms();
        assert!(case.is_rolled(&session), "every pod is there and rolled");
        let megabytes = peak_mb();
        let [mut others, mut syncs] = times;
        others.sort_by(f64::total_cmp);
        syncs.sort_by(f64::total_cmp);
        // What takes longest was interrupted.
        let usual = &others[..others.len() * 99 / 100];
        let figures = Figures {
            create_ms: created - start,
            roll_ms: rolled - created,
            events: (others.len() + syncs.len()) as f64,
            event_us: usual.iter().sum::<f64>() / usual.len() as f64,
            syncs: syncs.len() as f64,
            sync_us: syncs[syncs.len() / 2],
            megabytes,
            seek_ms: slowest_seek(&mut session, &processor_ms),
        };
        println!("{}", figures.to_line());
    }

    /// The figures of a case, run in a process of its own, or what it says in their place.
    fn measure(case: &Case, limit: f64) -> Result<Figures, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let limit = limit.to_string();
        let output = process::Command::new(program).args(["--case", &case.name(), "--limit", &limit]).output();
        let output = output.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said.lines().last().unwrap_or_default();
        Figures::of_line(last).ok_or_else(|| {
            if last.is_empty() { String::from_utf8_lossy(&output.stderr).into_owned() } else { last.to_owned() }
        })
    }

    /// Prints the table and lists what falls short.
    fn report(cases: &[&Case], limit: f64) -> Vec<String> {
        // The goals are what is asked of any machine; one that is slower than that of Go's figures has more time.
        let slowness = machine::slowness(&processor_ms).max(1.0);
        println!("the goals of times are scaled by {slowness:.2}");
        println!(
            "{:>16} {:>10} {:>10} {:>9} {:>8} {:>9} {:>8} {:>9} {:>9} {:>6} {:>6} {:>8} {:>6}",
            "",
            "create ms",
            "roll ms",
            "goal ms",
            "events",
            "µs/event",
            "syncs",
            "µs/sync",
            "goal µs",
            "MB",
            "goal",
            "seek ms",
            "goal"
        );
        let mut problems = Vec::new();
        let mut smallest: BTreeMap<Kind, f64> = BTreeMap::new();
        for case in cases {
            let name = case.name();
            let figures = match measure(case, limit * slowness) {
                Ok(figures) => figures,
                Err(why) => {
                    println!("{name:>16} {why}");
                    problems.push(format!("{name}: {why}"));
                    continue;
                }
            };
            let Figures { create_ms, roll_ms, events, event_us, syncs, sync_us, megabytes, seek_ms } = figures;
            let (goal, seek_goal) = (case.milliseconds * slowness, case.seek * slowness);
            let sync_goal = (SYNC_US.0 * f64::from(case.pods) + SYNC_US.1) * slowness;
            println!(
                "{name:>16} {create_ms:>10.0} {roll_ms:>10.0} {goal:>9.0} {events:>8} {event_us:>9.1} {syncs:>8} \
                 {sync_us:>9.1} {sync_goal:>9.1} {megabytes:>6.0} {:>6.0} {seek_ms:>8.1} {seek_goal:>6.1}",
                case.megabytes
            );
            let mut expect = |what: &str, figure: f64, goal: f64, unit: &str| {
                if figure > goal {
                    problems.push(format!("{name}: {what} {figure:.1} {unit}, not {goal:.1}"));
                }
            };
            expect("created and rolled in", create_ms + roll_ms, goal, "ms");
            expect("takes", megabytes, case.megabytes, "MB");
            expect("a seek takes up to", seek_ms, seek_goal, "ms");
            if case.kind() == Kind::StatefulSet {
                expect("half the syncs take more than", sync_us, sync_goal, "µs");
            }
            let smallest = *smallest.entry(case.kind()).or_insert(event_us);
            expect("an event that is no sync takes", event_us, GROWTH * smallest, "µs");
        }
        problems
    }

    pub(super) fn main() {
        let mut arguments = std::env::args().skip(1);
        let (mut words, mut limit, mut alone) = (Vec::new(), LIMIT, None);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--limit" => limit = arguments.next().and_then(|limit| limit.parse().ok()).unwrap_or(LIMIT),
                "--case" => alone = arguments.next(),
                // What cargo adds.
                "--bench" => {}
                _ => words.push(argument),
            }
        }
        if let Some(case) = CASES.iter().find(|case| Some(case.name()) == alone) {
            return run(case, limit);
        }
        let is_asked_for =
            |case: &&Case| words.is_empty() || words.iter().any(|word| case.name().contains(word.as_str()));
        let cases: Vec<&Case> = CASES.iter().filter(is_asked_for).collect();
        real_time::measure(|_| report(&cases, limit))
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::main();
}

#[cfg(target_arch = "wasm32")]
mod wasm {
    use super::large::{CASES, Case, slowest_seek};
    use wasm_bindgen_test::{Criterion, wasm_bindgen_bench};

    /// How many times as long as natively it may take.
    const NATIVE: f64 = 3.0;

    /// Milliseconds of creating, of rolling, and of the slowest seek.
    fn measure(case: &Case, now_ms: &dyn Fn() -> f64) -> [f64; 3] {
        let start = now_ms();
        let mut session = case.start();
        while session.step() {}
        let created = now_ms();
        session.command(case.roll()).unwrap();
        while session.step() {}
        let rolled = now_ms();
        assert!(case.is_rolled(&session), "every pod is there and rolled");
        [created - start, rolled - created, slowest_seek(&mut session, now_ms)]
    }

    fn report(now_ms: &dyn Fn() -> f64, machine: f64, print: &dyn Fn(String)) -> Vec<String> {
        let slowness = machine.max(1.0);
        print(format!("the goals are scaled by {slowness:.2}"));
        print(format!(
            "{:>16} {:>10} {:>10} {:>9} {:>8} {:>6}",
            "", "create ms", "roll ms", "goal ms", "seek ms", "goal"
        ));
        let mut problems = Vec::new();
        // V8 compiles what runs for the first time: that is no part of what a case costs, and is told by itself.
        let [create, roll, _] = measure(&CASES[0], now_ms);
        print(format!("{:>16} {create:>10.0} {roll:>10.0}", "while compiling"));
        for case in &CASES {
            let (name, [create, roll, seek]) = (case.name(), measure(case, now_ms));
            let (goal, seek_goal) = (case.milliseconds * NATIVE * slowness, case.seek * slowness);
            print(format!("{name:>16} {create:>10.0} {roll:>10.0} {goal:>9.0} {seek:>8.1} {seek_goal:>6.1}"));
            if create + roll > goal || seek > seek_goal {
                problems.push(name);
            }
        }
        problems
    }

    // The runner starts it as a benchmark.
    #[wasm_bindgen_bench]
    fn large_workloads_are_created_rolled_and_gone_through_in_time(_: &mut Criterion) {
        super::real_time::measure_in_wasm(report);
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
