//! The project's commands: `./dev help` names them. One program of the standard library alone, which `./dev` compiles in seconds;
//! Cargo knows it as the test `dev`, so that it is formatted, linted and tested like all else, and nobody installs it.
//!
//! It needs what `./dev` has seen to, Rust with a linker, and installs the rest where it can, saying what and why first.

mod need;
mod page;
mod shell;
mod stages;

use std::process::ExitCode;

use need::Browser;
use shell::{Done, command, run, run_and_keep, say};

const WASM: &str = "wasm32-unknown-unknown";
/// The test programs of Cargo run so as WebAssembly.
const BINDGEN_RUNNER: (&str, &str) = ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");

const HELP: &str = "\
./dev serve   builds the page and serves it on http://127.0.0.1:8080/
              (--port <number> for another port, --debug for quick rebuilds of a slower program)
./dev test    runs every check and test there is and ends in a count (./dev test <stage>... runs only those)
./dev build   makes dist/, the page to publish, and prints what it weighs
./dev parts   makes what an archive of a release holds beside the command: the page, manual pages, completions
./dev fuzz    throws random texts and runs at the program, longer than ./dev test does (./dev fuzz <cases>),
              and goes through every interleaving of a small cluster
./dev bench   measures a sync, going through a long run, large sets and opening a large cluster, natively, as WebAssembly
              and in the browser
What is missing is installed first, where it can be, and named before it is.";

/// `./dev fuzz`: the property tests that `./dev test` runs briefly: links, scenario files, lines, manifests, random runs; damaged texts
/// in all verbs of the command, each within 20 s and 1 GiB; every interleaving.
fn fuzz(arguments: &[String]) -> Done {
    need::node()?;
    let cases = |otherwise: &str| arguments.first().map_or(otherwise, String::as_str).to_owned();
    // Not optimized: numbers that overflow are only noticed so.
    let properties =
        "cargo test --test it --test extremes -- fuzz:: extreme_ lines:: properties:: manifests:: workloads::";
    run(command(properties).env("PROPTEST_CASES", cases("5000")))?;
    // Optimized, and with overflow checks.
    run(command("cargo test --profile interleavings --test mutated").env("SETSCOPE_MUTATED", cases("100000")))?;
    // Optimized: one story has more than a million states.
    run(&mut command("cargo test --profile interleavings --features seeded-faults --test interleavings"))
}

/// `./dev bench`: all three are measured, whatever comes of the first.
fn bench(arguments: &[String]) -> Done {
    need::node()?;
    need::bindgen("its runner runs the benchmark as WebAssembly")?;
    let benches = "--bench sync --bench seek --bench size --bench open --no-fail-fast";
    say("==> natively");
    let native = run_and_keep(command(&format!("cargo bench {benches}")).args(arguments), "");
    let machine =
        native.text.lines().find_map(|line| line.strip_prefix("machine ")).unwrap_or_default().trim().to_owned();
    // Optimized as the page is, not as a native benchmark is.
    say("==> as WebAssembly, in Node.js");
    let mut wasm = command(&format!("cargo bench --profile release --target {WASM} {benches}"));
    let wasm = run(wasm.args(arguments).env("SETSCOPE_MACHINE", &machine).env(BINDGEN_RUNNER.0, BINDGEN_RUNNER.1));
    say("==> in the browser");
    page::build()?;
    need::e2e_packages()?;
    let browser = Browser::find()?;
    let page = run(browser.given_to(command("node tests/e2e/bench.mjs").env("SETSCOPE_MACHINE", &machine)));
    native.outcome.and(wasm).and(page)
}

/// Exit codes: 1 where something failed, 2 where the line was wrong.
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (verb, rest) = arguments.split_first().map_or(("help", &[][..]), |(verb, rest)| (verb.as_str(), rest));
    let outcome = match verb {
        "serve" => match page::Serve::parse(rest) {
            Ok(serve) => serve.run(),
            Err(wrong) => return refused(&wrong),
        },
        "test" => match stages::named(rest) {
            Ok(chosen) => stages::test(&chosen),
            Err(wrong) => return refused(&wrong),
        },
        "build" => page::build_and_weigh(),
        "parts" => page::parts(),
        "fuzz" => fuzz(rest),
        "bench" => bench(rest),
        // What the program asks of itself.
        "stage" => stages::run_one(rest),
        "announce" => page::announce(rest),
        "help" => {
            say(HELP);
            Ok(())
        }
        _ => return refused(HELP),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("!!! {why}");
            ExitCode::FAILURE
        }
    }
}

fn refused(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}
