//! What README and the pages of `docs` show is what happens: their scenario holds, and their lines can be typed. The answers of
//! docs/command.md are held by `what_ifs`, docs/fidelity.md is written by `truth`, and what docs/hosting.md asks of a host is asked of the
//! plugin's own server (`native`) and of the end-to-end tests' (tests/e2e/recipes.test.mjs), which follow the recipes of docs/figures.md.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

use crate::kit;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn page(name: &str) -> String {
    fs::read_to_string(kit::folder("docs").join(name)).unwrap()
}

fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(home.join("img")).unwrap();
    home
}

#[test]
fn the_scenario_of_the_docs_holds() {
    let text = page("scenarios.md");
    let (_, rest) = text.split_once("```yaml\n").unwrap();
    let file = home("docs-scenario").join("scenario.yaml");
    fs::write(&file, rest.split_once("```").unwrap().0).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_setscope")).arg("test").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// What a reader loads is at most the limit that `./dev build` holds the page to.
#[test]
fn the_weight_of_the_page_is_told_as_it_is() {
    let builder = fs::read_to_string(kit::folder("tools/dev/page.rs")).unwrap();
    let (_, limit) = builder.split_once("PAGE_LIMIT: usize = ").unwrap();
    let limit: f64 = limit.split(';').next().unwrap().replace('_', "").parse().unwrap();
    for (name, text) in [
        ("hosting.md", page("hosting.md")),
        ("hosting.html", fs::read_to_string(kit::folder("www/pages/hosting.html")).unwrap()),
    ] {
        let (before, _) = text.split_once(" MB at most").unwrap();
        let told: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
        assert!((0.0..0.1).contains(&(told - limit / 1e6)), "{name} says {told} MB, and the limit is {limit}");
    }
}

/// Those that name files of this repository are run here, the others on texts of these names.
#[test]
fn lines_of_the_readme_can_be_typed() {
    let readme = fs::read_to_string(kit::folder("README.md")).unwrap();
    let home = home("readme");
    std::os::unix::fs::symlink(kit::folder("www"), home.join("www")).unwrap();
    for (name, text) in [("cluster", "cases/c46"), ("old", "rollout/partition-old"), ("new", "rollout/partition-new")] {
        fs::copy(kit::folder("tests").join(format!("{text}.yaml")), home.join(format!("{name}.yaml"))).unwrap();
    }
    let lines: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("    setscope ")).collect();
    assert!(lines.len() >= 6, "{lines:?}");
    for line in lines {
        let command = format!("'{}' {line}", env!("CARGO_BIN_EXE_setscope"));
        let output = Command::new("sh").args(["-c", &command]).current_dir(&home).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(matches!(output.status.code(), Some(0 | 1)) && said.lines().count() > 3, "{line}: {said}");
    }
}

#[test]
fn figures_of_the_docs_can_be_made_and_checked() {
    let home = home("docs-figures");
    fs::copy(kit::folder("www/scenarios/stuck-rollback.yaml"), home.join("stuck-rollback.yaml")).unwrap();
    let text = page("figures.md");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("    setscope ")).collect();
    assert!(lines.len() >= 4, "{lines:?}");
    for line in lines {
        let command = format!("'{}' {line}", env!("CARGO_BIN_EXE_setscope"));
        let output = Command::new("sh").args(["-c", &command]).current_dir(&home).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
