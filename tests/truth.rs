//! docs/fidelity.md tells what the page "How true is this?" tells, and README.md its sum: all are made of `www/truth.json`, which
//! the tests that compare with recordings write. `WRITE_TRUTH=1` renews both files.
#![allow(clippy::unwrap_used, reason = "a test")]

use setscope::releases::Basis;
use setscope::view::{Counts, Part, Truth, truth};
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

/// What was recorded, against what, and what differs, in four lines.
fn in_four_lines(counts: &Counts) -> String {
    let sum =
        |parts: &mut dyn Iterator<Item = &Part>| parts.fold((0, 0), |sum, part| (sum.0 + part.equal, sum.1 + part.all));
    let of = |(equal, all): (usize, usize)| format!("{} of {}", thousands(equal), thousands(all));
    // A reconstruction is not the real release.
    let recorded = counts.controllers.iter().filter(|one| one.basis != Basis::Reconstructed);
    let runs = recorded.fold((0, 0), |sum, one| (sum.0 + one.reproduced, sum.1 + one.runs));
    let planes: Vec<&str> = counts.control_plane.iter().map(|plane| &*plane.of).collect();
    let plane = |name: &str| {
        of(sum(&mut counts.control_plane.iter().flat_map(|plane| &plane.parts).filter(|part| part.name == name)))
    };
    let verdicts = sum(&mut counts.api_server.parts.iter().filter(|part| part.name == "verdicts"));
    let lines = [
        format!(
            "{} recorded runs of the real controllers are reproduced in every write, event, status and error.",
            of(runs)
        ),
        format!(
            "Beside real control planes of {}, {} changes of pods, {} statuses and {} outputs of kubectl are equal.",
            planes.join(" and "),
            plane("pods"),
            plane("statuses"),
            plane("kubectl")
        ),
        format!(
            "{} whole dumps go on as the real cluster did, {} verdicts of the real API server are the same, and {} texts rebuilt from public reports get the right answer.",
            of(sum(&mut counts.dumps.iter())),
            of(verdicts),
            of((counts.cases.equal, counts.cases.all))
        ),
        "[docs/fidelity.md](docs/fidelity.md) says which release rests on what, what differs, and what is simplified."
            .to_owned(),
    ];
    lines.map(|line| format!("- {line}\n")).concat()
}

fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// Fails where the part between the marks is not what was counted, which `WRITE_TRUTH=1` puts there.
fn tells(name: &str, counted: &str) {
    let file = path(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(FROM).expect("the mark");
    let (told, after) = rest.split_once(TO).expect("the second mark");
    if told != counted && std::env::var_os("WRITE_TRUTH").is_some() {
        std::fs::write(&file, [before, FROM, counted, TO, after].concat()).unwrap();
        return;
    }
    assert_eq!(told, counted, "WRITE_TRUTH=1 cargo test --test it truth:: renews {name}");
}

#[test]
fn the_documents_tell_what_the_tests_counted() {
    tells("docs/fidelity.md", &as_markdown(&stored()));
    let counts = std::fs::read_to_string(path("www/truth.json")).unwrap();
    tells("README.md", &in_four_lines(&Counts::read(&serde_json::from_str(&counts).unwrap())));
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
