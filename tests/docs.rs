//! What the pages of `docs` show is what happens: their scenario holds, and their lines of `setscope figure` can be typed.
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
