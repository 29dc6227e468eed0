//! Over every table, description and log in tests/cases and tests/forms: what was left out as it was copied turns nothing well.

use super::aged::objects;
use crate::kit;
use setscope::diagnosis::{CONDITIONS, Told, diagnose};
use setscope::session::dump::{self, Options};
use std::fs;

/// Parts of a description that people leave out, or that a filter takes away. One without `Controlled By` is of a pod that nobody
/// controls.
const SECTIONS: [&str; 8] =
    ["Events", "Conditions", "Containers", "Status", "Replicas", "Pods Status", "Node", "Start Time"];

/// Whether a line has the titles of a table.
fn is_titles(line: &str) -> bool {
    let begins = ["NAME", "LAST SEEN", "LASTSEEN"].iter().any(|title| line.starts_with(title));
    begins && !line.contains(|letter: char| letter.is_ascii_lowercase())
}

fn is_command(line: &str) -> bool {
    let words = line.trim_start_matches(['$', '#', ' ']);
    ["kubectl ", "k ", "oc "].iter().any(|program| words.starts_with(program))
}

/// The lines without a part of a description.
fn without_section<'t>(lines: &[&'t str], section: &str) -> Vec<&'t str> {
    let mut is_in = false;
    let is_kept = |line: &&&str| {
        let begins = line.strip_prefix(section).is_some_and(|rest| rest.starts_with(':'));
        is_in = begins || is_in && (line.is_empty() || line.starts_with([' ', '\t']));
        !is_in
    };
    lines.iter().filter(is_kept).copied().collect()
}

/// Whether no workload needs anybody; nothing where the text is not opened or has none.
fn is_green(text: &str) -> Option<bool> {
    let dump = dump::open(text, &Options::default()).ok()?;
    let all = diagnose(&dump.session(1).ok()?, Told::from(&dump), CONDITIONS);
    (!all.is_empty()).then(|| all.iter().all(|one| !one.verdict.is_open()))
}

#[test]
fn what_was_left_out_of_a_table_or_a_description_turns_nothing_well() {
    let (mut tried, mut wrong) = (0, Vec::new());
    let folders = ["tests/cases", "tests/forms"].map(kit::folder);
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let is_text = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "yaml" || end == "txt");
    for path in files.filter(is_text) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        if objects(&text).is_some() || is_green(&text) != Some(false) {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let mut cuts = vec![
            ("titles", lines.iter().filter(|line| !is_titles(line)).copied().collect::<Vec<_>>()),
            ("commands", lines.iter().filter(|line| !is_command(line)).copied().collect()),
        ];
        cuts.extend(SECTIONS.map(|section| (section, without_section(&lines, section))));
        for (what, cut) in cuts.into_iter().filter(|(_, cut)| cut.len() < lines.len()) {
            tried += 1;
            if is_green(&cut.join("\n")) == Some(true) {
                wrong.push(format!("{} without {what}", path.file_stem().unwrap().to_string_lossy()));
            }
        }
    }
    assert!(tried > 200, "only {tried} were tried");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
