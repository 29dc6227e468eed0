//! The dictionary of www/lang has every text that the page can show: every template in the code, and whatever whole runs, every
//! rule and every scenario make of them.

use super::super::kinds::RuleText;
use super::super::{Dictionary, flow, pod_details, revisions, status, sync};
use super::{View, build, sync_record};
use crate::reconcile::{Decision, Facts, Release, Rule, changes};
use crate::session::variants::Variant;
use crate::session::{Session, comparison, lesson, manifest, scenario};
use crate::text::seen;
use crate::view::{Export, Timeline, branches, compare, lanes};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

thread_local! {
    static DICTIONARY: Dictionary =
        Dictionary::read(&text_of("www/lang/zh.txt")).unwrap_or_else(|problem| panic!("{problem}"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| match path.strip_prefix(root()).ok().and_then(Path::to_str) {
            Some(inner) if path.is_dir() => files(inner),
            _ => vec![path],
        })
        .collect()
}

/// Tells all that is missing at once.
#[track_caller]
fn are_translated(templates: impl IntoIterator<Item = impl AsRef<str>>) {
    let missing: BTreeSet<String> = DICTIONARY.with(|dictionary| {
        let all = templates.into_iter().map(|template| template.as_ref().to_owned());
        all.filter(|template| !dictionary.has(template)).collect()
    });
    assert!(missing.is_empty(), "{} texts: {missing:#?}", missing.len());
}

fn presets() -> Vec<PathBuf> {
    let files = files("www/scenarios").into_iter();
    files.filter(|path| path.extension().is_some_and(|end| end == "yaml") && !path.ends_with("web.yaml")).collect()
}

/// Whether it shows one difference between releases: there are many of these, and what they show is in other runs too.
fn is_of_releases(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("scenarios/releases"))
}

/// The texts of a view that stand in tables.
fn table_texts(view: &View) -> Vec<&str> {
    let Some(controls) = &view.controls else { return Vec::new() };
    let means = controls.more.iter().map(|field| field.means.template());
    means.chain(controls.release.changes.iter().map(|change| change.0)).collect()
}

/// Looks at what the tabs and the menus say of a moment.
fn look_around(session: &Session) -> Vec<&'static str> {
    let mut texts = Vec::new();
    if let Some(sync) = sync(session, None, None, 100) {
        texts.extend(sync.stages.iter().map(|stage| stage.title));
        texts.extend(sync.stages.iter().flat_map(|stage| &stage.steps).map(|step| step.rule));
    }
    if let Some(status) = status(session, None, None) {
        texts.extend(status.rows.iter().map(|row| row.means));
    }
    revisions(session, None, [None; 2]);
    for pod in session.cluster().pods() {
        pod_details(session, None, &pod.metadata.name);
    }
    texts
}

/// After so many events a scenario has said what it says: a livelock never settles.
const MAX_EVENTS: u64 = 2_000;

#[test]
fn every_moment_of_every_scenario_is_told_in_chinese() {
    let mut all: BTreeSet<String> = BTreeSet::new();
    let mut own = |texts: Vec<&str>| all.extend(texts.into_iter().map(str::to_owned));
    for path in presets() {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let Ok((mut session, about)) = scenario::read(&text) else { continue };
        own(vec![&about.title, &about.text]);
        own(about.told.iter().map(|told| &*told.text).collect());
        if is_of_releases(&path) {
            continue;
        }
        session.go_to(1);
        while session.position().0 < MAX_EVENTS && session.step() {
            let view = build(&session, None);
            super::says_what_ends_it(&view);
            own(table_texts(&view));
            if session.has_just_synced() {
                own(look_around(&session));
            }
        }
        let Some(set) = build(&session, None).controls.map(|controls| controls.set.clone()) else { continue };
        let mut line = Timeline::default();
        line.follow(&session, &set);
        let rows = line.ordinals.iter().chain(&line.nodes);
        rows.for_each(|row| row.spans.iter().for_each(|span| drop(row.words(span))));
        flow(&session, Some(&set), None).unwrap_or_else(|| panic!("no chart"));
        session.run_under(Release::V1_17, Vec::new());
        own(table_texts(&build(&session, None)));
        branches(&session);
        let beside = compare(&session, 1).or_else(|| compare(&session, 0));
        own(beside.iter().flat_map(|one| one.counts.iter().map(|(name, _)| *name)).collect());
    }
    all.extend(seen::templates());
    assert!(all.len() > 400, "only {} texts", all.len());
    are_translated(all);
}

/// At so many moments each comparison is looked at: a view of it goes through whole runs.
const MOMENTS: i64 = 24;

#[test]
fn every_comparison_is_told_in_chinese() {
    let mut all: BTreeSet<String> = Variant::ALL.iter().map(|(_, name)| (*name).to_owned()).collect();
    let mut compared = 0;
    for path in presets() {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let Ok((mut runs, about)) = comparison::read(&text) else { continue };
        compared += 1;
        all.extend([about.title, about.text]);
        all.extend(about.told.into_iter().map(|told| told.text));
        let end = runs.end();
        for part in 1..=MOMENTS {
            runs.seek(end * part / MOMENTS);
            let view = lanes(&runs);
            all.extend(view.lanes.into_iter().map(|lane| lane.name.clone()));
            all.extend(
                view.table
                    .into_iter()
                    .flat_map(|row| [row.name, row.short])
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    // A lane's name may be that of a release or a kind.
    all.retain(|text| text.contains(' '));
    all.extend(seen::templates());
    assert!(compared >= 9 && all.len() > 80, "only {compared} comparisons, {} texts", all.len());
    are_translated(all);
}

/// What is said of the differences between any two releases: each is one between two neighbors, there and back.
fn changes_of_releases() -> impl Iterator<Item = String> {
    let neighbors = Release::ALL.into_iter().zip(Release::ALL.into_iter().skip(1));
    let both_ways = neighbors.flat_map(|(older, newer)| [(older, newer), (newer, older)]);
    both_ways.flat_map(|(own, other)| {
        let (own, other) = (own.profile(), other.profile());
        changes((&own.controller, own), (&other.controller, other)).map(|(_, words)| words.to_owned())
    })
}

#[test]
fn every_rule_is_told_in_chinese() {
    let sync = sync_record();
    let facts = [
        Facts::None,
        Facts::Count(1),
        Facts::Count(3),
        Facts::Unavailable { unavailable: 3, allowed: 2 },
        Facts::Span { from: 0, to: 0 },
        Facts::Span { from: 0, to: 4 },
        Facts::Split { replicas: 3, condemned: 1 },
        Facts::Claimed { owned: 3, adopted: 1, released: 2 },
        Facts::Scaled { is_new: true, from: 1, to: 2 },
        Facts::Scaled { is_new: false, from: 2, to: 1 },
    ];
    let mut all = BTreeSet::new();
    for rule in Rule::ALL {
        all.insert(rule.says().to_owned());
        for release in Release::ALL {
            rule.holds(rule.source(release));
        }
        for facts in &facts {
            let decision = Decision::at(*rule, 1).with(facts.clone());
            let text = rule.sentence(&sync, &decision);
            let chinese = DICTIONARY.with(|dictionary| dictionary.translate(&text));
            assert!(chinese.chars().any(|letter| letter > '\u{2e80}'), "{rule:?}: {text}: {chinese}");
        }
    }
    all.extend(changes_of_releases());
    all.extend(seen::templates());
    are_translated(all);
}

#[test]
fn the_list_of_scenarios_is_in_chinese() {
    let list = manifest::read_value(&text_of("www/scenarios/index.json")).unwrap_or_default();
    let entries = list["scenarios"].as_array().cloned().unwrap_or_default();
    assert!(entries.len() >= 15);
    are_translated(
        entries.iter().flat_map(|one| ["title", "text"].map(|name| one[name].as_str().unwrap_or_default().to_owned())),
    );
    are_translated(Export::ALL.iter().filter(|one| !one.1.starts_with("kubectl")).map(|one| one.1));
}

#[test]
fn how_true_this_is_is_told_in_chinese() {
    let truth = crate::view::truth(&text_of("www/truth.json")).unwrap_or_else(|problem| panic!("{problem}"));
    let cells = truth.releases.iter().flat_map(|(_, cells)| cells);
    let lines = truth.sections.iter().flat_map(|(title, lines)| std::iter::once(title).chain(lines));
    for text in cells.chain(lines) {
        let chinese = DICTIONARY.with(|dictionary| dictionary.translate(text));
        assert!(chinese.chars().any(|letter| letter > '\u{2e80}'), "{text}: {chinese}");
    }
    are_translated(seen::templates());
}

/// The templates of `text!` in a source file.
fn templates(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let source: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    let uses = source.split("text!(").skip(1).map(str::trim_start).filter_map(|from| from.strip_prefix('"'));
    uses.filter_map(|from| {
        let end = from.char_indices().find(|(at, letter)| *letter == '"' && !from[..*at].ends_with('\\'))?.0;
        let joined: String = from[..end].split("\\\n").map(str::trim_start).collect();
        Some(joined.replace("\\n", "\n").replace("\\\"", "\""))
    })
    .collect()
}

/// The program's files, without tests.
fn sources() -> Vec<PathBuf> {
    files("src").into_iter().filter(|path| !path.to_string_lossy().contains("/tests")).collect()
}

/// The templates of every `text!` in the program, and of the lists that `Text::list` joins.
fn all_templates() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for path in sources() {
        let source = fs::read_to_string(&path).unwrap_or_default();
        all.extend(templates(&source));
        let separators = source.split("Text::list(\"").skip(1).filter_map(|from| from.split_once('"'));
        all.extend(separators.map(|(separator, _)| format!("{{}}{}{{}}", separator.replace("\\n", "\n"))));
    }
    all
}

#[test]
fn every_template_in_the_code_is_in_the_dictionary() {
    let all = all_templates();
    assert!(all.len() > 600, "only {} templates", all.len());
    are_translated(all);
}

/// The lines of the dictionary that none of these texts uses, and that are nowhere in the sources either: tables hold
/// texts that are no `text!`, and the page's scripts have a few of their own.
fn unused<'a>(dictionary: &'a Dictionary, texts: &BTreeSet<String>, sources: &str) -> Vec<&'a str> {
    let used: BTreeSet<&str> = texts.iter().filter_map(|text| dictionary.entries_of(text)).flatten().collect();
    dictionary.templates().filter(|line| !used.contains(line) && !sources.contains(line)).collect()
}

#[test]
fn every_line_of_the_dictionary_is_used() {
    let mut texts = all_templates();
    texts.extend(authored());
    texts.extend(table_entries());
    let sources = sources().into_iter().map(|path| fs::read_to_string(path).unwrap_or_default());
    let sources = sources.chain(["www/host.js", "www/boot.js", "index.html"].map(text_of)).collect::<String>();
    let sources = sources.replace(['`', '\\'], "");
    DICTIONARY.with(|dictionary| {
        let unused = unused(dictionary, &texts, &sources);
        assert!(unused.is_empty(), "{} lines: {unused:#?}", unused.len());
    });
}

#[test]
fn a_line_that_nothing_uses_is_noticed() {
    let dictionary = Dictionary::read("Pods => Pod 们\nNodes => 节点\nCopied => 已复制")
        .unwrap_or_else(|problem| panic!("{problem}"));
    let texts = BTreeSet::from(["Pods.".to_owned()]);
    assert_eq!(unused(&dictionary, &texts, "say(\"Copied.\")"), ["Nodes"]);
}

/// The texts of every lesson.
fn lesson_texts() -> BTreeSet<String> {
    let files = files("www/lessons").into_iter().filter(|path| path.extension().is_some_and(|end| end == "yaml"));
    let texts = files.flat_map(|path| {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let lesson = lesson::read(&text).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", path.display()));
        lesson.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()
    });
    texts.collect()
}

#[test]
fn every_lesson_is_in_chinese() {
    let texts = lesson_texts();
    assert!(texts.len() > 200, "only {} texts", texts.len());
    are_translated(texts);
}

/// What people wrote into scenarios and lessons.
fn authored() -> BTreeSet<String> {
    let list = manifest::read_value(&text_of("www/scenarios/index.json")).unwrap_or_default();
    let entries = list["scenarios"].as_array().cloned().unwrap_or_default();
    let word = |one: &serde_json::Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    let counts = manifest::read_value(&text_of("www/truth.json")).unwrap_or_default();
    let reasons = counts["rules"].as_array().into_iter().flatten().map(|rule| word(rule, "why"));
    let mut all: BTreeSet<String> =
        entries.iter().flat_map(|one| ["title", "text"].map(|name| word(one, name))).chain(reasons).collect();
    for path in presets() {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if let Ok((_, about)) = scenario::read(&text) {
            all.extend([about.title, about.text]);
            all.extend(about.told.into_iter().map(|told| told.text));
        } else if let Ok((runs, about)) = comparison::read(&text) {
            all.extend([about.title, about.text]);
            all.extend(about.told.into_iter().map(|told| told.text));
            all.extend(lanes(&runs).lanes.into_iter().map(|lane| lane.name.clone()));
        }
    }
    all.extend(lesson_texts());
    all
}

/// The texts of tables: of rules, of what releases changed, of what can be compared and saved.
fn table_entries() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = Variant::ALL.iter().map(|(_, name)| (*name).to_owned()).collect();
    all.extend(Export::ALL.iter().map(|one| one.1.to_owned()));
    for rule in Rule::ALL {
        all.insert(rule.says().to_owned());
    }
    for release in Release::ALL {
        all.insert(release.profile().note.to_owned());
    }
    all.extend(changes_of_releases());
    all
}

#[test]
fn a_text_is_translated_with_what_fills_it() {
    let lines =
        "{} is waiting at {} => {2} 处，{1} 在等待\n{} pods => {} 个 Pod\nIt waits => 它在等待\n{}, {} => {}、{}";
    let dictionary = Dictionary::read(lines).unwrap_or_else(|problem| panic!("{problem}"));
    let check = |text: &crate::text::Text, want: &str| assert_eq!(dictionary.translate(text), want);
    check(&text!("{} is waiting at {}", "web", "web-1"), "web-1 处，web 在等待");
    check(
        &text!("It waits. {} is waiting at {}.", text!("{} pods", 3), "web-1"),
        "它在等待。web-1 处，3 个 Pod 在等待。",
    );
    check(&crate::text::Text::list(", ", ["a", "b"].map(crate::text::Text::verbatim)), "a、b");
    assert!(dictionary.missing().is_empty());
    check(&text!("Nobody knows {}", "it"), "Nobody knows it");
    assert_eq!(dictionary.missing(), ["Nobody knows {}"]);
}
