//! Every scenario under www/scenarios runs, and every assertion in it holds: what its text claims is what happens.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{check, comparisons, folder, presets};
use serde_json::{Value, json};
use setscope::session::{comparison, manifest, scenario};
use setscope::sim::START;
use setscope::view;
use std::fs;

#[test]
fn every_assertion_of_every_scenario_holds() {
    let mut wrong = Vec::new();
    for (name, text) in presets() {
        let entries = manifest::read_value(&text).unwrap()["assert"].take();
        let (mut session, _) = scenario::read(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let entries = entries.as_array().cloned().unwrap_or_default();
        assert!(entries.len() >= 3, "{name} asserts too little");
        for entry in entries {
            wrong.extend(check(&mut session, &entry).err().map(|problem| format!("{name}: {entry}: {problem}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_assertion_that_says_something_unknown_is_wrong() {
    let (_, text) = presets().swap_remove(0);
    let (mut session, _) = scenario::read(&text).unwrap();
    for (entry, wrong) in [
        (json!({"at": 5, "pod": "web-0", "state": "Running"}), "\"state\" is no part of an assertion about pod"),
        (json!({"at": 5}), "an assertion says something"),
        (json!({"at": 5, "stand": "Nothing to do"}), "\"stand\" is no part of an assertion about headline"),
        (json!({"pod": "web-0", "status": "Running"}), "an assertion has `at`, or `from` and `to`"),
        (json!({"from": 5, "pod": "web-0", "status": "Running"}), "`to` is missing"),
        (json!({"at": 5, "never": {"pod": "web-0"}}), "beside `never` stand only `from` and `to`"),
    ] {
        assert_eq!(check(&mut session, &entry), Err(wrong.to_owned()));
    }
    assert!(
        check(&mut session, &json!({"at": 15, "pod": "web-0", "status": "Pending"})).is_err(),
        "what does not hold"
    );
    assert_eq!(check(&mut session, &json!({"at": 15, "pod": "web-0", "status": "Running"})), Ok(()));
}

/// What a scenario can be about; the first of its tags is its group on the page.
const TAGS: [&str; 6] = ["node loss", "rollout", "scaling", "storage", "releases", "kinds"];

/// The picture of a scenario begins a little before the moment it opens at, and ends a little after what it tells last.
fn start(open: i64, last: i64) -> i64 {
    (open - (last - open) / 12).max(0)
}

fn end(open: i64, last: i64) -> i64 {
    last + (last - open) / 4 + 10_000
}

/// The order of the list is the order on the page; titles and texts are the scenarios' own.
/// `WRITE_INDEX=1 cargo test --test it presets::` writes it anew.
#[test]
fn the_list_names_every_scenario_as_it_names_itself() {
    let path = folder("www/scenarios/index.json");
    let listed = fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut order: Value = serde_json::from_str(&listed).unwrap();
    let order = order["scenarios"].take().as_array().cloned().unwrap_or_default();
    let place = |file: &str| order.iter().position(|entry| entry["file"] == file).unwrap_or(usize::MAX);
    let mut entries: Vec<Value> = presets()
        .into_iter()
        .chain(comparisons())
        .map(|(name, text)| {
            let (opened, about) = comparison::open(&text).unwrap();
            let words = about.text.split_whitespace().count();
            assert!(!about.title.is_empty() && (6..=60).contains(&words), "{name}: {words} words");
            assert!(text.lines().any(|line| line.starts_with("open: ")), "{name} opens at a moment");
            let tags = manifest::read_value(&text).unwrap()["tags"].clone();
            let known = |tag: &Value| TAGS.iter().any(|known| tag == known);
            assert!(tags.as_array().is_some_and(|tags| !tags.is_empty() && tags.iter().all(known)), "{name}: {tags}");
            let mut entry =
                json!({"file": format!("{name}.yaml"), "title": about.title, "text": about.text, "tags": tags});
            let (first, last) = (about.told.first().unwrap().at, about.told.last().unwrap().at);
            assert!(about.told.is_sorted_by_key(|told| told.at), "{name} is told in order");
            let picture = match opened {
                comparison::Opened::Lanes(mut lanes) => {
                    entry["lanes"] = lanes.lanes().len().into();
                    assert!(lanes.now() < first, "{name} opens before what it tells");
                    let from = lanes.now();
                    (0..lanes.lanes().len()).for_each(|lane| lanes.lane(lane).unwrap().session.reach(end(from, last)));
                    view::thumbnail_of_lanes(&lanes, start(from, last), end(from, last))
                }
                comparison::Opened::Run(mut session) => {
                    let from = session.cluster().now().0 - START.0;
                    assert!(from < first, "{name} opens before what it tells");
                    session.reach(end(from, last));
                    let set = view::sets(session.cluster()).pop().unwrap();
                    view::thumbnail(&session, &set, start(from, last), end(from, last))
                }
            };
            assert!(picture.rows.iter().any(|row| row.contains('R')), "{name}: {picture:?}");
            entry["picture"] = json!({"rows": picture.rows, "acts": picture.acts});
            entry
        })
        .collect();
    entries.sort_by_key(|entry| place(entry["file"].as_str().unwrap()));
    let right = serde_json::to_string_pretty(&json!({"scenarios": entries})).unwrap() + "\n";
    if std::env::var_os("WRITE_INDEX").is_some() {
        fs::write(path, right).unwrap();
    } else {
        assert_eq!(listed, right);
    }
}
