//! README.md tells what the page "How true is this?" tells: both are made of `www/truth.json`, which the tests that compare with
//! recordings write. `WRITE_TRUTH=1` renews the part of README.md.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::view::{Truth, truth};
use std::fmt::Write;
use std::path::Path;

const FROM: &str = "<!-- how true: written by tests/truth.rs -->\n";
const TO: &str = "<!-- how true: end -->";

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn stored() -> Truth {
    truth(&std::fs::read_to_string(path("www/truth.json")).unwrap()).unwrap()
}

fn as_markdown(truth: &Truth) -> String {
    let mut text = format!("| | {} |\n|---{}|\n", truth.kinds.join(" | "), "|---".repeat(truth.kinds.len()));
    for (release, cells) in &truth.releases {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        writeln!(text, "| {release} | {} |", cells.join(" | ")).unwrap();
    }
    for (title, lines) in &truth.sections {
        writeln!(text, "\n{title}:\n").unwrap();
        lines.iter().for_each(|line| writeln!(text, "- {line}").unwrap());
    }
    text
}

#[test]
fn the_readme_tells_what_the_tests_counted() {
    let file = path("README.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = readme.split_once(FROM).expect("README.md has the mark");
    let (told, after) = rest.split_once(TO).expect("README.md has the second mark");
    let counted = as_markdown(&stored());
    if told != counted && std::env::var_os("WRITE_TRUTH").is_some() {
        std::fs::write(&file, [before, FROM, &counted, TO, after].concat()).unwrap();
        return;
    }
    assert_eq!(told, counted, "WRITE_TRUTH=1 cargo test --test it truth:: renews README.md");
}

#[test]
fn every_kind_is_told_of_in_every_release() {
    let truth = stored();
    assert_eq!(truth.kinds, ["StatefulSet", "Deployment", "ReplicaSet", "DaemonSet"]);
    assert_eq!(truth.releases.len(), setscope::reconcile::Release::ALL.len());
    assert!(truth.releases.iter().all(|(_, cells)| cells.len() == truth.kinds.len()));
    assert!(truth.releases[0].1[0].to_string().contains("not the real release"), "v1.37 is a reconstruction");
    assert!(truth.sections.iter().all(|(_, lines)| !lines.is_empty()));
}

/// The sentences of doc comments that begin with `Simplified:`.
fn admitted(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        if file.is_dir() {
            found.extend(admitted(&file));
            continue;
        }
        let source = std::fs::read_to_string(&file).unwrap_or_default();
        let docs = source
            .lines()
            .map(|line| line.trim_start().strip_prefix("//").map_or("\n", |doc| doc.trim_start_matches(['/', '!'])));
        let docs: String = docs.collect();
        for after in docs.split("Simplified: ").skip(1) {
            let sentence = after.split(['\n', '.']).next().unwrap().replace('`', "");
            let (first, rest) = sentence.split_at(1);
            found.push([&first.to_uppercase(), rest, "."].concat());
        }
    }
    found
}

#[test]
fn what_a_module_calls_simplified_is_told() {
    let truth = stored();
    let (_, told) = truth.sections.last().unwrap();
    let told: Vec<String> = told.iter().map(ToString::to_string).collect();
    let admitted = admitted(&path("src"));
    assert!(admitted.len() > 4, "{admitted:#?}");
    for sentence in admitted {
        assert!(told.contains(&sentence), "{sentence}\nsrc/view/truth.rs has:\n{}", told.join("\n"));
    }
}

#[test]
fn what_is_no_such_file_is_an_error() {
    assert!(truth("{\"controllers\": 3}").is_err());
}
