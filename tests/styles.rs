//! The style sheets style what the page draws: each of their classes is named by a source.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Classes of which a source names the beginning, and makes the end of a value.
const BUILT: [&str; 5] = ["cluster__finding--", "cluster__workload--", "panel--", "part--", "said--"];

/// The files below a folder that end so, without those of tests.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| match path.is_dir() {
        true if path.ends_with("tests") => Vec::new(),
        true => files(&path, end),
        false => vec![path],
    };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|own| own == end)).collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let first = parts.next().unwrap_or_default();
    std::iter::once(first).chain(parts.filter_map(|part| part.split_once("*/").map(|(_, rest)| rest))).collect()
}

/// The classes that a style sheet names: what follows a full stop that stands in no word and before no digit.
fn classes(sheet: &str) -> BTreeSet<String> {
    let sheet = without_comments(sheet);
    let ends_word = |at: usize| sheet[..at].chars().next_back().is_some_and(is_of_name);
    let stops = sheet.match_indices('.').filter(|(at, _)| !ends_word(*at));
    let names = stops.map(|(at, _)| sheet[at + 1..].chars().take_while(|letter| is_of_name(*letter)).collect());
    names.filter(|name: &String| name.starts_with(|letter: char| letter.is_ascii_alphabetic())).collect()
}

/// The classes of a style sheet that no source names.
fn unused(sheet: &str, named: &BTreeSet<String>) -> Vec<String> {
    let is_named = |class: &str| {
        named.contains(class) || BUILT.iter().any(|begin| class.starts_with(begin) && named.contains(*begin))
    };
    classes(sheet).into_iter().filter(|class| !is_named(class)).collect()
}

fn named(sources: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let words = |text: String| text.split(|letter| !is_of_name(letter)).map(str::to_owned).collect::<Vec<_>>();
    sources.into_iter().flat_map(words).collect()
}

#[test]
fn every_class_of_a_style_sheet_is_drawn_by_some_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = [("src/app", "rs"), ("src/view", "rs"), ("www", "js"), ("www", "html")].into_iter();
    let sources = sources.flat_map(|(folder, end)| files(&root.join(folder), end)).chain([root.join("index.html")]);
    let named = named(sources.map(|path| text(&path)));
    let sheets: Vec<PathBuf> = ["src/app", "www"].iter().flat_map(|folder| files(&root.join(folder), "css")).collect();
    assert!(sheets.len() > 20, "{sheets:?}");
    for sheet in sheets {
        assert_eq!(unused(&text(&sheet), &named), Vec::<String>::new(), "{}", sheet.display());
    }
    for begin in BUILT {
        assert!(named.contains(begin), "{begin} is made nowhere");
    }
}

#[test]
fn a_class_that_nothing_draws_is_noticed() {
    let named = named(["html! { <p class=\"pod is-ready\"> }".to_owned(), "format!(\"panel--{id}\")".to_owned()]);
    let sheet = "/* .gone */ .pod, .panel--why { top: .5em; &.is-ready .pod__name { margin: 0.5px } }";
    assert_eq!(unused(sheet, &named), ["pod__name"]);
}
