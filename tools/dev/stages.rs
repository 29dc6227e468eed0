//! `./dev test`: every check and test there is, a stage each, in two lanes: the tests, and beside them the page as it is published
//! with what needs it. A stage is a process of its own, which this program starts of itself; one that fails stops no other.

#![allow(clippy::disallowed_types, reason = "it says how long each stage takes")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::need::{self, Browser};
use crate::page;
use crate::shell::{Done, answers, between, command, empty_folder, output, reaches, read, run, run_and_keep, say};
use crate::{BINDGEN_RUNNER, WASM};

/// What stages write, their logs among it.
const WORK: &str = "target/dev";
/// What begins a line about something that could not be looked at here: it is said again at the end.
const NOT_CHECKED: &str = "NOT CHECKED:";

/// How what passed and failed is counted.
#[derive(Clone, Copy)]
enum Count {
    /// The stage is one check.
    One,
    /// A closing line of each test program.
    Cargo,
    /// The closing lines of Node.js' test runner.
    Node,
}

pub(crate) struct Stage {
    name: &'static str,
    count: Count,
    check: fn() -> Done,
}

const fn stage(name: &'static str, count: Count, check: fn() -> Done) -> Stage {
    Stage { name, count, check }
}

const TOOLS: Stage = stage("tools", Count::One, all_tools);
/// Others wait for what it makes.
const BUILD: Stage = stage("release build", Count::One, page::build);
/// The lane beside the tests, for most of the time on one core.
const PAGE: [Stage; 9] = [
    BUILD,
    stage("weight", Count::One, page::weigh),
    stage("clippy", Count::One, clippy),
    stage("clippy wasm32", Count::One, clippy_wasm),
    stage("fresh clone", Count::One, fresh_clone),
    stage("supply chain", Count::One, supply_chain),
    stage("workflows", Count::One, workflows),
    stage("documentation", Count::One, documentation),
    stage("package", Count::One, package),
];
const TESTS: [Stage; 3] = [
    stage("format", Count::One, format),
    stage("native tests", Count::Cargo, native_tests),
    stage("browser tests", Count::Cargo, browser_tests),
];
/// What is tested of the built page. Sizes with the fonts of that name: tests/e2e/fonts.mjs says which there are.
const BUILT: [Stage; 4] = [
    stage("end-to-end tests", Count::Node, || e2e_tests("tests/e2e", 2, &need::generators())),
    stage("sizes with inter", Count::Node, || sizes("inter")),
    stage("sizes with dejavu", Count::Node, || sizes("dejavu")),
    stage("sizes with liberation", Count::Node, || sizes("liberation")),
];
/// With nothing beside them: they look at what moves and how fast.
const ALONE: Stage = stage("end-to-end tests alone", Count::Node, || e2e_tests("tests/e2e/alone", 1, &[]));

fn stages() -> impl Iterator<Item = Stage> {
    [TOOLS].into_iter().chain(TESTS).chain(PAGE).chain(BUILT).chain([ALONE])
}

/// The stages of these names, each of which may have several words.
pub(crate) fn named(names: &[String]) -> Result<Vec<Stage>, String> {
    let line = names.join(" ");
    let mut rest = line.as_str();
    let mut chosen = Vec::new();
    while !rest.is_empty() {
        let found = stages().filter(|stage| begins_with(rest, stage.name)).max_by_key(|stage| stage.name.len());
        let Some(stage) = found else {
            let known: Vec<_> = stages().map(|stage| stage.name).collect();
            return Err(format!("`{rest}` begins with no stage: these are {}", known.join(", ")));
        };
        rest = rest[stage.name.len()..].trim_start();
        chosen.push(stage);
    }
    Ok(chosen)
}

fn begins_with(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

// ---- running them

#[derive(Debug, PartialEq)]
struct Tally {
    passed: u32,
    failed: u32,
}

impl Count {
    /// What a stage printed, what its runner of tests wrote, and whether it came to a good end.
    fn tally(self, printed: &str, tap: &str, good: bool) -> Tally {
        let mut tally = match self {
            Self::One => Tally { passed: u32::from(good), failed: 0 },
            Self::Cargo => Tally {
                passed: sum(printed, "test result: ", " passed"),
                failed: sum(printed, "test result: ", " failed"),
            },
            Self::Node => {
                Tally { passed: total(tap, "# pass "), failed: total(tap, "# fail ") + total(tap, "# cancelled ") }
            }
        };
        // A runner that failed without naming a test, or that ran none, is a failure too.
        if tally.failed == 0 && (!good || tally.passed == 0) {
            tally.failed = 1;
        }
        tally
    }
}

/// The numbers right before `unit` in the lines that begin so.
fn sum(text: &str, beginning: &str, unit: &str) -> u32 {
    let lines = text.lines().filter(|line| line.starts_with(beginning));
    lines.filter_map(|line| line.split_once(unit)?.0.rsplit(' ').next()?.parse::<u32>().ok()).sum()
}

/// The numbers that end the lines that begin so.
fn total(text: &str, beginning: &str) -> u32 {
    text.lines().filter_map(|line| line.strip_prefix(beginning)?.trim().parse::<u32>().ok()).sum()
}

/// What came of the stages up to now.
#[derive(Default)]
struct Report {
    lines: Vec<String>,
    not_checked: Vec<String>,
    passed: u32,
    failed: u32,
}

impl Report {
    fn add(&mut self, name: &str, tally: &Tally, took: Duration) {
        let Tally { passed, failed } = tally;
        let word = word(tally);
        self.lines.push(format!("{name:<30} {word:<7} {passed:>5} passed {failed:>5} failed {:>6} s", took.as_secs()));
        self.passed += passed;
        self.failed += failed;
    }
}

fn word(tally: &Tally) -> &'static str {
    if tally.failed == 0 { "ok" } else { "FAILED" }
}

fn tap_file() -> PathBuf {
    Path::new(WORK).join("e2e.tap")
}

/// Runs a stage, each line that it prints after `prefix`, keeps them in a log of its name, and adds what came of it.
fn run_stage(stage: &Stage, prefix: &str, report: &Mutex<Report>) {
    let start = Instant::now();
    say(&format!("{prefix}\n{prefix}---- {}", stage.name));
    if matches!(stage.count, Count::Node) {
        let _ = std::fs::remove_file(tap_file());
    }
    let program = std::env::current_exe().unwrap_or_default();
    let kept = run_and_keep(Command::new(program).args(["stage", stage.name]).stdin(Stdio::null()), prefix);
    let _ = std::fs::write(Path::new(WORK).join(format!("{}.log", stage.name.replace(' ', "-"))), &kept.text);
    let tap = std::fs::read_to_string(tap_file()).unwrap_or_default();
    let tally = stage.count.tally(&kept.text, &tap, kept.outcome.is_ok());
    say(&format!("{prefix}---- {}: {} after {} s", stage.name, word(&tally), start.elapsed().as_secs()));
    if let Ok(mut report) = report.lock() {
        report.add(stage.name, &tally, start.elapsed());
        report.not_checked.extend(kept.text.lines().filter(|line| line.starts_with(NOT_CHECKED)).map(str::to_owned));
    }
}

/// The stage of that name, in the process that was started for it.
pub(crate) fn run_one(arguments: &[String]) -> Done {
    match named(arguments)?.as_slice() {
        [stage] => (stage.check)(),
        _ => Err("stage takes one name".to_owned()),
    }
}

fn page_lane(report: &Mutex<Report>, built: Sender<()>) {
    for stage in PAGE {
        run_stage(&stage, "  | ", report);
        // Nobody waits for a second message.
        let _ = built.send(());
    }
}

/// All stages, or those chosen.
pub(crate) fn test(chosen: &[Stage]) -> Done {
    std::fs::create_dir_all(WORK).map_err(|error| format!("{WORK} cannot be made: {error}"))?;
    let report = Mutex::new(Report::default());
    if chosen.is_empty() {
        all(&report);
    }
    for stage in chosen {
        run_stage(stage, "", &report);
    }
    let report = report.into_inner().map_err(|_| "a stage did not come to its end")?;
    let lines = report.lines.iter().chain(&report.not_checked);
    say(&format!(
        "\n{}\n\n{} passed, {} failed",
        lines.map(String::as_str).collect::<Vec<_>>().join("\n"),
        report.passed,
        report.failed
    ));
    if report.failed == 0 {
        Ok(())
    } else {
        Err("./dev test found failures: target/dev has a log of each stage".to_owned())
    }
}

fn all(report: &Mutex<Report>) {
    // First: the stages install what they lack, and two of them at once must not install the same.
    run_stage(&TOOLS, "", report);
    std::thread::scope(|scope| {
        let (send, built) = std::sync::mpsc::channel();
        let lane = scope.spawn(move || page_lane(report, send));
        for stage in TESTS {
            run_stage(&stage, "", report);
        }
        // The first message comes after the build. None comes where the lane has ended without it.
        let _ = built.recv();
        for stage in BUILT {
            run_stage(&stage, "", report);
        }
        if lane.join().is_err()
            && let Ok(mut report) = report.lock()
        {
            report.add("the stages of the page", &Tally { passed: 0, failed: 1 }, Duration::ZERO);
        }
    });
    run_stage(&ALONE, "", report);
}

// ---- what they do

fn all_tools() -> Done {
    need::builder()?;
    need::e2e_packages()?;
    Browser::find()?;
    need::bindgen("its runner runs the tests in the browser")
}

fn format() -> Done {
    run(&mut command("cargo fmt --all -- --check"))
}

/// The command holds the page, which has to be built before.
fn clippy() -> Done {
    run(&mut command("cargo clippy --all-targets --features seeded-faults,page -- -D warnings"))
}

fn clippy_wasm() -> Done {
    run(&mut command(&format!("cargo clippy --target {WASM} --lib --bins --test browser -- -D warnings")))
}

fn native_tests() -> Done {
    need::node()?;
    run(&mut command("cargo test --features seeded-faults --no-fail-fast"))
}

fn browser_tests() -> Done {
    let browser = Browser::find()?;
    need::bindgen("its runner runs the tests in the browser")?;
    let driver = Path::new(WORK).join("webdriver.json");
    // no-sandbox: Chromium refuses to run as root with it, as in a container; only our own tests are opened.
    let options = format!(
        r#"{{ "goog:chromeOptions": {{ "binary": {:?}, "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] }} }}"#,
        browser.chrome
    );
    std::fs::write(&driver, options).map_err(|error| format!("{} cannot be written: {error}", driver.display()))?;
    let limit = std::env::var("WASM_BINDGEN_TEST_TIMEOUT").unwrap_or_else(|_| "300".to_owned());
    let mut tests = command(&format!("cargo test --target {WASM} --test browser"));
    // The tests run in the folder of the package, which this is.
    let driver = std::path::absolute(&driver).map_err(|error| error.to_string())?;
    tests.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", driver).env("WASM_BINDGEN_TEST_TIMEOUT", limit);
    run(browser.given_to(tests.env(BINDGEN_RUNNER.0, BINDGEN_RUNNER.1)))
}

/// The tests of the built page that are directly in a folder, some of its files at once.
fn e2e_tests(folder: &str, at_once: u32, variables: &[(&str, PathBuf)]) -> Done {
    if !page::is_built() {
        return Err("there is no built page to test".to_owned());
    }
    need::e2e_packages()?;
    let browser = Browser::find()?;
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{folder} cannot be read: {error}"))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    let mut node = command(&format!(
        "node --test --test-concurrency={at_once} --test-reporter=spec --test-reporter-destination=stdout \
         --test-reporter=tap --test-reporter-destination={}",
        tap_file().display()
    ));
    run(browser.given_to(node.args(files).envs(variables.iter().map(|(name, value)| (name, value)))))
}

fn sizes(fonts: &str) -> Done {
    e2e_tests("tests/e2e/sizes", 2, &[("SETSCOPE_FONTS", PathBuf::from(fonts))])
}

/// What the program is made of: deny.toml says what it may be.
fn supply_chain() -> Done {
    const ADVISORIES: &str = "https://github.com/rustsec/advisory-db";
    need::deny()?;
    run(&mut command("cargo deny --locked check licenses bans sources"))?;
    if reaches(ADVISORIES) {
        return run(&mut command("cargo deny --locked check advisories"));
    }
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let fetched = home.is_ok_and(|home| Path::new(&home).join("advisory-dbs").is_dir());
    if fetched && run(&mut command("cargo deny --locked check --disable-fetch advisories")).is_ok() {
        say(&format!(
            "Advisories were checked with those that were fetched before: {ADVISORIES} cannot be reached from here."
        ));
    } else {
        say(&format!("{NOT_CHECKED} advisories, whose database is {ADVISORIES}: it cannot be reached from here."));
    }
    Ok(())
}

/// The workflows, by actionlint. It does not know yet that `$/` is this repository, as dist writes it
/// (https://github.blog/changelog/2026-07-30-reference-same-repository-actions-with-self-repository-syntax/).
fn workflows() -> Done {
    const FOLDER: &str = ".github/workflows";
    let place = Path::new(WORK).join("lint");
    empty_folder(&place)?;
    // actionlint takes a folder with a repository in it for a project.
    empty_folder(&place.join(".git"))?;
    empty_folder(&place.join(FOLDER))?;
    for name in crate::shell::files(Path::new(FOLDER)) {
        let file = format!("{FOLDER}/{name}");
        let text = read(&file)?.replace("uses: $/", "uses: ./");
        std::fs::write(place.join(&file), text).map_err(|error| format!("{file} cannot be copied: {error}"))?;
    }
    run(need::actionlint()?.current_dir(place))
}

/// The library's documentation, in which every link leads somewhere. Its examples are run with the native tests.
fn documentation() -> Done {
    run(command("cargo doc --locked --no-deps --lib").env("RUSTDOCFLAGS", "-D warnings"))
}

/// Where Cargo puts what it compiled, as a clone or a package elsewhere has to be told.
fn cargo_target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    std::path::absolute(&folder).unwrap_or(folder)
}

/// What a user of the library or of `cargo install` gets: packed, and checked where nothing else of the repository is.
fn package() -> Done {
    run(&mut command("cargo package --locked --allow-dirty --no-verify --quiet"))?;
    let manifest = read("Cargo.toml")?;
    let version = between(&manifest, "\nversion = \"", "\"").ok_or("Cargo.toml names no version")?;
    let name = format!("setscope-{version}");
    let place = Path::new(WORK).join("package");
    empty_folder(&place)?;
    let packed = cargo_target().join("package").join(format!("{name}.crate"));
    run(command("tar -xzf").arg(packed).arg("-C").arg(&place))?;
    let mut check = command("cargo check --locked --lib --bin setscope");
    run(check.current_dir(place.join(name)).env("CARGO_TARGET_DIR", cargo_target()))
}

/// What a new user does: clone, and serve the page in either way. Nothing is shared with the clone but what Cargo compiled of equal
/// files.
fn fresh_clone() -> Done {
    need::builder()?;
    need::e2e_packages()?;
    let browser = Browser::find()?;
    let commit = output(&mut command("git rev-parse HEAD")).trim().to_owned();
    if commit.is_empty() {
        return Err("this folder is no git repository, so there is no commit to clone".to_owned());
    }
    let clone = PathBuf::from(output(&mut command("mktemp -d")).trim());
    if !clone.is_dir() {
        return Err("`mktemp -d` made no folder to clone to".to_owned());
    }
    let shown = clone_to(&clone, &commit).and_then(|()| {
        shows_page(&clone, "trunk serve", &browser)?;
        shows_page(&clone, "./dev serve", &browser)
    });
    let _ = std::fs::remove_dir_all(clone);
    shown
}

fn clone_to(clone: &Path, commit: &str) -> Done {
    run(command("git clone --quiet --no-checkout .").arg(clone))?;
    run(command("git checkout --quiet --detach").arg(commit).current_dir(clone))?;
    same_times(clone)
}

/// Gives each file of a clone the time of this folder's file of that name where they are equal. Cargo tells by its time whether a file
/// has changed, so it compiles again what differs and nothing else.
fn same_times(clone: &Path) -> Done {
    for name in output(command("git ls-files -z").current_dir(clone)).split_terminator('\0') {
        let (here, there) = (Path::new(name), clone.join(name));
        if let (Ok(ours), Ok(theirs)) = (std::fs::read(here), std::fs::read(&there))
            && ours == theirs
        {
            let written = here.metadata().and_then(|about| about.modified());
            let set = written.and_then(|time| std::fs::File::options().append(true).open(&there)?.set_modified(time));
            set.map_err(|error| format!("the time of {} cannot be set: {error}", there.display()))?;
        }
    }
    Ok(())
}

/// Whether what the command serves, from that folder, shows itself in the browser.
fn shows_page(folder: &Path, line: &str, browser: &Browser) -> Done {
    let failed = |why: String| format!("on a fresh clone, `{line}` did not show the page: {why}");
    let port = (8090..=u16::MAX).find(|port| !answers(*port)).ok_or("no port is free")?;
    let _ = std::fs::remove_dir_all(folder.join("dist"));
    let mut serve = command(line);
    serve.args(["--port", &port.to_string()]).current_dir(folder).env("CARGO_TARGET_DIR", cargo_target());
    let mut server = serve.spawn().map_err(|error| failed(error.to_string()))?;
    let end = Instant::now() + Duration::from_secs(2400);
    let shown = loop {
        if !matches!(server.try_wait(), Ok(None)) {
            break Err("it ended".to_owned());
        }
        if Instant::now() > end {
            break Err("it took more than 40 minutes".to_owned());
        }
        if answers(port) && folder.join("dist/index.html").is_file() {
            let mut look = command("node tests/e2e/fresh-clone.mjs");
            break run(browser.given_to(look.arg(format!("http://127.0.0.1:{port}/"))));
        }
        std::thread::sleep(Duration::from_millis(500));
    };
    // As Ctrl-C does, which lets it end what it started.
    let _ = run(command("kill").arg(server.id().to_string()));
    let _ = server.wait();
    shown.map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runner_is_counted_by_its_closing_lines() {
        let cargo = "test a ... ok\ntest result: ok. 12 passed; 0 failed; 3 ignored\ntest result: FAILED. 4 passed; 2 failed; 0 ignored\n";
        assert_eq!(Count::Cargo.tally(cargo, "", false), Tally { passed: 16, failed: 2 });
        let tap = "# tests 9\n# pass 7\n# fail 1\n# cancelled 1\n";
        assert_eq!(Count::Node.tally("", tap, false), Tally { passed: 7, failed: 2 });
        assert_eq!(Count::One.tally("", "", true), Tally { passed: 1, failed: 0 });
    }

    #[test]
    fn a_runner_that_failed_or_ran_nothing_is_a_failure() {
        assert_eq!(Count::One.tally("", "", false), Tally { passed: 0, failed: 1 });
        assert_eq!(Count::Cargo.tally("error: no test", "", true), Tally { passed: 0, failed: 1 });
        assert_eq!(
            Count::Cargo.tally("test result: ok. 3 passed; 0 failed;", "", false),
            Tally { passed: 3, failed: 1 }
        );
        assert_eq!(Count::Node.tally("", "", true), Tally { passed: 0, failed: 1 });
    }

    #[test]
    fn stages_are_chosen_by_their_names() {
        let chosen = |line: &str| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            named(&words).map(|stages| stages.iter().map(|stage| stage.name).collect::<Vec<_>>())
        };
        assert_eq!(chosen("clippy wasm32 format"), Ok(vec!["clippy wasm32", "format"]));
        assert_eq!(chosen("clippy format"), Ok(vec!["clippy", "format"]));
        assert!(
            chosen("format typo").is_err_and(|why| why.starts_with("`typo` begins with no stage: these are tools, "))
        );
    }
}
