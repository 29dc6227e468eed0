//! Every comparison under www/scenarios runs, and every assertion in it holds; its link is short and opens the same.
//! src/view/assertions.rs says what an entry of `assert` may say.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{comparisons, link, open_link};
use serde_json::json;
use setscope::session::lanes::Lanes;
use setscope::session::{comparison, manifest};
use setscope::view::assertions::check_lanes;

fn open(name: &str, text: &str) -> Lanes {
    comparison::read(text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).0
}

#[test]
fn every_assertion_of_every_comparison_holds() {
    let mut wrong = Vec::new();
    let all = comparisons();
    assert!(all.len() >= 9, "{} comparisons", all.len());
    for (name, text) in all {
        let mut lanes = open(&name, &text);
        let entries = manifest::read_value(&text).unwrap()["assert"].as_array().cloned().unwrap_or_default();
        assert!(entries.len() >= 5, "{name} asserts too little");
        for lane in lanes.lanes().iter().map(|lane| lane.name.clone()) {
            assert!(entries.iter().any(|entry| entry["lane"] == *lane), "{name} says nothing of {lane}");
        }
        for entry in entries {
            wrong.extend(check_lanes(&mut lanes, &entry).err().map(|problem| format!("{name}: {entry}: {problem}")));
        }
        assert!(lanes.marks().iter().any(|mark| !mark.is_alike()), "{name} shows a difference");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_assertion_that_does_not_hold_or_says_something_unknown_is_wrong() {
    let (name, text) = comparisons().into_iter().find(|(name, _)| name == "four-workloads").unwrap();
    let mut lanes = open(&name, &text);
    for (entry, wrong) in [
        (json!({"at": 5, "lane": "Deployment"}), "an assertion says something"),
        (json!({"at": 5, "lane": "Job", "pods": 1}), "there is no such lane"),
        (json!({"lane": "Deployment", "pods": 1}), "`at` is missing"),
        (json!({"at": i64::MAX, "lane": "Deployment", "pods": 1}), "9223372036854775807 is no moment of a run"),
        (json!({"at": -1, "lane": "Deployment", "pods": 1}), "-1 is no moment of a run"),
        (json!({"at": 5, "lane": "Deployment", "pod": 1}), "pod is null, not 1"),
        (json!({"at": 5, "lane": "Deployment", "pods": 2}), "pods is 1, not 2"),
        (json!({"at": 5, "lane": "Deployment", "event": "Nothing"}), "event is ["),
        (json!({"at": 5, "lane": "Deployment", "figures": {"recreated": 2}}), "figures is {"),
        (json!({"at": 5, "lane": "Deployment", "state": 2}), "\"state\" is no part of an assertion"),
    ] {
        let problem = check_lanes(&mut lanes, &entry).unwrap_err();
        assert!(problem.starts_with(wrong), "{entry}: {problem}");
    }
    assert_eq!(check_lanes(&mut lanes, &json!({"at": 5, "lane": "Deployment", "pods": 1})), Ok(()));
}

#[test]
fn the_link_of_every_comparison_is_short_and_opens_the_same() {
    for (name, text) in comparisons() {
        let (lanes, about) = comparison::read(&text).unwrap();
        let link = link(&comparison::write(&lanes, &about));
        assert!(link.len() < 1500, "{name}: {} characters", link.len());
        let (_, fragment) = link.split_once('#').unwrap();
        let (again, told) = comparison::read(&open_link(fragment).unwrap()).unwrap();
        assert_eq!((told, again.now(), again.table()), (about, lanes.now(), lanes.table()));
        for (own, other) in lanes.lanes().iter().zip(again.lanes()) {
            assert_eq!(own.session.cluster().fingerprint(), other.session.cluster().fingerprint(), "{name}");
        }
    }
}
