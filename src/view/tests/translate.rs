//! The dictionary of www/lang has every text that the page can show. `seen` asks it for every view that any of these tests
//! looks at; here it is asked for whole runs, for every rule, and for every text that stands in the code.

use super::super::{Dictionary, clones, flow, revisions, status, story, sync, why};
use super::{View, build, sync_record};
use crate::objects::Kind;
use crate::reconcile::{Decision, Facts, Release, Rule, changes};
use crate::session::variants::Variant;
use crate::session::{Session, comparison, manifest, scenario};
use crate::view::{Act, Export, MarkKind, Timeline, branches, compare, lanes};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Dictionary that stay English inside a translated text: Kubernetes', programs', and names that the scenarios use.
const STAY: &str = "app kubectl kubelet kubelets spec status web nodes nginx node pod sts get set image delete rollout undo drain \
    help scale partition replicas apiVersion kind metadata out of service out-of-service run true false setscope do apply at \
    zone s wide null agent shop clones hooked surge lifecycle controllerrevision persistentvolumeclaim statefulset \
    Pod Ready Running Pending Terminating Failed Succeeded Unknown Parallel Recreate Deployment Node Kubernetes Updating \
    Normal Updated Webhook webhook Delete Error Evicted Completed Markdown";

thread_local! {
    static WORDS: Dictionary = Dictionary::read(&text_of("www/lang/zh.txt")).unwrap_or_else(|problem| panic!("{problem}"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

/// Such as `web-0`.
fn is_name(text: &str) -> bool {
    !text.contains(' ') && text.contains('-') && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// What is wrong with the translation of a text.
fn wrong(text: &str) -> Vec<String> {
    WORDS.with(|words| {
        let said = words.say(text);
        let mut wrong = words.untold();
        wrong.retain(|own| !is_name(own));
        // The API server's words, and the scheduler's, stay as they are.
        if ["refused: ", " says: ", "failed: ", "such as "].iter().any(|before| text.contains(before)) {
            return wrong;
        }
        let left = said
            .as_deref()
            .unwrap_or_default()
            .split(|letter: char| !(letter.is_ascii_alphanumeric() || "-_./:=".contains(letter)));
        let stays: Vec<&str> = STAY.split_whitespace().collect();
        let is_word = |word: &&str| {
            word.len() > 1
                && word.starts_with(|letter: char| letter.is_ascii_alphabetic())
                && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
                && !stays.contains(word)
        };
        wrong.extend(left.filter(is_word).map(|word| format!("{word}, left in: {text}")));
        wrong
    })
}

/// Every text of a view that is the page's own.
fn texts(view: &View) -> Vec<String> {
    let explanation = &view.explanation;
    let mut texts = vec![explanation.headline.clone(), explanation.reason.clone(), explanation.resolution.clone()];
    texts.push([&*explanation.headline, ". ", &*explanation.reason].concat());
    texts.extend([view.clock.clone(), view.progress.clone(), view.last.clone()]);
    texts.extend(view.warnings.clone());
    let mut acts: Vec<&Act> = Vec::new();
    for node in view.nodes.iter() {
        texts.extend(node.conditions.iter().map(|condition| condition.text.clone()));
        texts.extend(node.pods.iter().filter(|pod| pod.ghost).map(|pod| pod.status.clone()));
        texts.extend(node.acts.iter().map(|act| format!("{} ({})", act.label, node.name)));
        acts.extend(node.acts.iter().chain(&node.failures));
    }
    for place in &view.rail.places {
        if place.pod.is_none() {
            texts.push(place.empty.clone());
        }
        acts.extend(place.pod.iter().flat_map(|pod| &pod.acts));
    }
    texts
        .extend([&view.rail.partition, &view.rail.replicas].into_iter().flatten().map(|flag| flag.consequence.clone()));
    if let Some(controls) = &view.controls {
        acts.extend(controls.set_acts.iter().chain(&controls.faults));
        texts.push(controls.partition_means.clone());
        texts.extend(controls.more.iter().map(|field| field.means.to_owned()));
        texts.extend(controls.release.changes.iter().map(|change| change.0.to_owned()));
        texts.extend(controls.release.difference.iter().map(|(_, words)| words.clone()));
    }
    if let Some(board) = &view.board {
        texts.extend(board.cards.iter().flat_map(|card| &card.acts).map(|act| act.label.clone()));
        texts.extend(board.kept_old.iter().map(|(_, words)| words.clone()));
        texts.extend(board.groups.iter().map(|group| group.counts.clone()));
        texts.extend(board.blanks.iter().map(|blank| blank.words.clone()));
        texts.extend(board.next_updated.iter().chain(&board.next_deleted).map(|ranked| ranked.because.clone()));
    }
    texts.extend(acts.into_iter().flat_map(|act| [act.label.clone(), act.risk.clone()]));
    texts
}

fn stage(stage: &super::super::Stage) -> Vec<String> {
    let steps = stage.steps.iter().flat_map(|step| [step.text.clone(), step.rule.to_owned(), step.holds.clone()]);
    std::iter::once(stage.title.to_owned()).chain(steps).collect()
}

/// Every text of a sync's stages has a translation.
#[track_caller]
pub(super) fn are_told(stages: &[super::super::Stage]) {
    are_translated(stages.iter().flat_map(stage));
}

/// Every text of a view has a translation.
#[track_caller]
pub(super) fn is_translated(view: &View) {
    let wrong: Vec<String> = texts(view).iter().flat_map(|text| wrong(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Tells all that is wrong at once.
#[track_caller]
fn are_translated(texts: impl IntoIterator<Item = String>) {
    let wrong: BTreeSet<String> = texts.into_iter().flat_map(|text| wrong(&text)).collect();
    assert!(wrong.is_empty(), "{} texts: {wrong:#?}", wrong.len());
}

/// What the tabs, the menus and the timeline say of a moment.
fn told(session: &Session) -> Vec<String> {
    let mut texts = Vec::new();
    if let Some(sync) = sync(session, None, None) {
        texts.extend([sync.summary, sync.since]);
        texts.extend(sync.writes.into_iter().map(|write| write.text));
    }
    if let Some(status) = status(session, None, None) {
        texts.extend([status.title, status.generation]);
        texts.extend(status.rows.iter().map(|row| row.means.to_owned()));
    }
    let history = revisions(session, None, [None; 2]);
    texts.extend(history.into_iter().flat_map(|history| history.rows).map(|row| row.pods));
    for pod in session.cluster().pods() {
        let Some(story) = story(session, None, &pod.metadata.name) else { continue };
        texts.push(story.next);
        texts.extend(story.decisions.into_iter().flat_map(|told| [told.when, told.text]));
    }
    texts
}

fn presets() -> Vec<PathBuf> {
    let files = files("www/scenarios").into_iter();
    files.filter(|path| path.extension().is_some_and(|end| end == "yaml") && !path.ends_with("web.yaml")).collect()
}

/// Whether it shows one difference between releases: there are many of these, and what they show is in other runs too.
fn is_of_releases(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("scenarios/releases"))
}

#[test]
fn every_moment_of_every_scenario_is_told_in_chinese() {
    let mut all = BTreeSet::new();
    for path in presets() {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let Ok((mut session, about)) = scenario::read(&text) else { continue };
        all.extend([about.title, about.text]);
        if is_of_releases(&path) {
            continue;
        }
        session.go_to(1);
        while session.step() {
            let view = build(&session, None);
            super::says_what_ends_it(&view);
            all.extend(texts(&view));
            if session.has_just_synced() {
                all.extend(told(&session));
            }
        }
        let Some(set) = build(&session, None).controls.map(|controls| controls.set.clone()) else { continue };
        let mut line = Timeline::default();
        line.follow(&session, &set);
        let rows = line.ordinals.iter().chain(&line.nodes);
        all.extend(rows.flat_map(|row| row.spans.iter().map(|span| row.words(span))));
        let chart = flow(&session, Some(&set), None).unwrap_or_else(|| panic!("no chart"));
        all.extend(chart.boxes.into_iter().flat_map(|own| [own.lines.join(" "), own.source]));
        all.insert(chart.title);
        session.run_under(Release::V1_17, Vec::new());
        all.extend(texts(&build(&session, None)));
        all.extend(branches(&session).into_iter().flat_map(|row| [row.title, row.end]));
        let beside = compare(&session, &set, 1).or_else(|| compare(&session, &set, 0));
        all.extend(beside.into_iter().flat_map(|one| one.decided));
    }
    assert!(all.len() > 2_000, "only {} texts", all.len());
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
        let end = runs.end();
        for part in 1..=MOMENTS {
            runs.seek(end * part / MOMENTS);
            let view = lanes(&runs);
            all.extend([view.clock, view.said]);
            all.extend(
                view.marks
                    .into_iter()
                    .filter(|mark| mark.kind != MarkKind::Act && mark.kind != MarkKind::Fault)
                    .map(|mark| mark.words),
            );
            all.extend(view.lanes.into_iter().flat_map(|lane| [lane.name, lane.headline, lane.resolution]));
            all.extend(view.table.into_iter().flat_map(|(name, cells)| cells.into_iter().chain([name.to_owned()])));
        }
    }
    assert!(compared >= 9 && all.len() > 200, "only {compared} comparisons, {} texts", all.len());
    // A lane's name may be that of a release or a kind.
    all.retain(|text| text.contains(' '));
    are_translated(all);
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
        Facts::Instance(*b"x7k2p"),
        Facts::Scaled { is_new: true, from: 1, to: 2 },
        Facts::Scaled { is_new: false, from: 2, to: 1 },
    ];
    let mut all = BTreeSet::new();
    for rule in Rule::ALL {
        all.insert(rule.says().to_owned());
        for release in Release::ALL {
            all.insert(why::holds(*rule, rule.source(release)));
        }
        for facts in facts {
            let decision = Decision { rule: *rule, ordinal: Some(1), facts };
            let own = rule.kind() == Kind::StatefulSet;
            all.insert(if own { why::sentence("web", &sync, decision) } else { clones::sentence("web", &decision) });
        }
    }
    for release in Release::ALL {
        for other in Release::ALL {
            let (own, other) = (release.profile(), other.profile());
            let changes = changes((&own.controller, &own.cluster), (&other.controller, &other.cluster));
            all.extend(changes.map(|(_, words)| words.to_owned()));
        }
    }
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
    are_translated(Export::ALL.iter().filter(|one| !one.1.starts_with("kubectl")).map(|one| one.1.to_owned()));
}

/// A text is taken apart at its full stops, so that an entry with holes that had one inside would not be found everywhere.
#[test]
fn no_entry_with_holes_is_more_than_one_sentence() {
    let long = WORDS.with(|words| {
        let keys = words.keys().filter(|parts| parts.len() > 1 && parts.iter().any(|part| part.contains(". ")));
        keys.map(|parts| parts.join("{}")).collect::<Vec<_>>()
    });
    assert_eq!(long, Vec::<String>::new());
}

/// The texts of a source file that people may see, each in the parts that stand around what is filled in.
fn literals(source: &str) -> Vec<Vec<String>> {
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let from = &rest[at..];
        rest = if from.starts_with("//") {
            from.split_once('\n').map_or("", |(_, rest)| rest)
        } else if from.starts_with("'\"'") || from.starts_with("'\\\"'") {
            &from[3..]
        } else if from.starts_with('"') {
            let mut end = 1;
            while !from[end..].starts_with('"') {
                end += if from[end..].starts_with('\\') {
                    2
                } else {
                    from[end..].chars().next().map_or(1, char::len_utf8)
                };
            }
            found.push(parts(&from[1..end]));
            &from[end + 1..]
        } else {
            &from[1..]
        };
    }
    found
}

/// A format in the parts around its holes.
fn parts(literal: &str) -> Vec<String> {
    let joined: String = literal.split("\\\n").map(str::trim_start).collect();
    let plain = joined.replace("\\n", "\n").replace("\\\"", "\"").replace(['`', '$', '!'], "");
    let mut parts = Vec::new();
    let mut rest = plain.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        parts.push(before.to_owned());
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    parts.push(rest.to_owned());
    parts
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

/// Dictionary that make a text in the code no text of the page: Kubernetes' kinds and fields, SVG, kubectl.
const NO_TEXTS: &str = include_str!("no-texts.txt");

#[test]
fn every_text_in_the_code_is_in_the_dictionary() {
    let keys: Vec<String> = WORDS.with(|words| words.keys().map(|parts| parts.concat().to_lowercase()).collect());
    let styles: String = files("www")
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "css"))
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    let none: BTreeSet<&str> = NO_TEXTS.lines().collect();
    let is_class = |text: &str| {
        text.contains("__") || text.contains("--") || text.split(' ').all(|word| styles.contains(&[".", word].concat()))
    };
    let mut missing = BTreeSet::new();
    for path in files("src/app").into_iter().chain(files("src/page")).chain(files("src/view")) {
        let name = path.to_string_lossy().into_owned();
        if ["/tests/", "/export/", "/print", "/answer.rs", "/kubectl.rs", "/json.rs", "/logs.rs", "no-texts"]
            .iter()
            .any(|own| name.contains(own))
        {
            continue;
        }
        for part in literals(&fs::read_to_string(&path).unwrap_or_default()).concat() {
            let part = part
                .trim()
                .trim_end_matches(['.', ':', ';', ',', '[', ' '])
                .trim_start_matches([',', ';', ':', '.', ']', ' ']);
            let is_label = part.starts_with(|letter: char| letter.is_ascii_uppercase())
                && part[1..].bytes().all(|byte| byte.is_ascii_lowercase());
            let has_words =
                part.split(' ').any(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic()));
            if !has_words || !(part.contains(' ') || is_label) || none.contains(part) || is_class(part) {
                continue;
            }
            let known = part.split(". ").all(|sentence| {
                let sentence = sentence.trim().to_lowercase();
                let is_known = |words: &str| keys.iter().any(|key| key.contains(words));
                is_known(&sentence) || sentence.split(": ").all(is_known)
            });
            if !known {
                missing.insert(format!("{part}    ({})", name.rsplit('/').next().unwrap_or_default()));
            }
        }
    }
    assert!(missing.is_empty(), "{} texts: {missing:#?}", missing.len());
}
