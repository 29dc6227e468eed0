//! Every comparison under www/scenarios runs, and every assertion in it holds; its link is short and opens the same.
//!
//! An entry of `assert` is about one lane, by its name, at one moment in seconds. It may say several of these:
//!
//! ```yaml
//! - {at: 60, lane: Parallel, pods: 5, available: 4, terminating: 1}
//! - {at: 60, lane: Parallel, tags: {"1": 3, "2": 2}}      # how many pods have an image of this tag
//! - {at: 60, lane: Parallel, pod: web-0, node: node-a, tag: "1"}
//! - {at: 60, lane: Parallel, headline: is waiting at web-0} # a part of the headline of its explanation
//! - {at: 60, lane: Parallel, event: FailedCreate}         # seen by then
//! - {at: 60, lane: Parallel, figures: {recreated: 1}}     # of the table
//! ```
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod kit;

use kit::{comparisons, link, open_link};
use serde_json::{Map, Value, json};
use setscope::objects::Pod;
use setscope::session::lanes::Lanes;
use setscope::session::{comparison, manifest};
use setscope::view;
use std::collections::BTreeMap;

fn open(name: &str, text: &str) -> Lanes {
    comparison::read(text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).0
}

fn tag(pod: &Pod) -> &str {
    pod.spec.containers[0].image.rsplit(':').next().unwrap()
}

/// What an entry may speak of, as it is in the lane.
fn seen(lanes: &Lanes, place: usize, wanted: &Map<String, Value>) -> Value {
    let lane = &lanes.lanes()[place];
    let (pods, figures) = (lane.pods(), lanes.table()[place]);
    let count = |is: &dyn Fn(&Pod) -> bool| pods.iter().filter(|pod| is(pod)).count();
    let is_terminating = |pod: &Pod| pod.metadata.deletion_timestamp.is_some();
    let is_ready = |pod: &Pod| pod.condition("Ready").is_some_and(|ready| &*ready.status == "True");
    let mut tags: BTreeMap<&str, i32> = BTreeMap::new();
    pods.iter().for_each(|pod| *tags.entry(tag(pod)).or_default() += 1);
    let named = pods.iter().find(|pod| wanted.get("pod").is_some_and(|name| *name == *pod.metadata.name));
    let shown = view::lanes(lanes);
    let events: Vec<String> = view::events(&lane.session).iter().map(|event| event.reason.to_string()).collect();
    json!({
        "pods": pods.len(),
        "available": count(&|pod| is_ready(pod) && !is_terminating(pod)),
        "terminating": count(&is_terminating),
        "tags": tags,
        "pod": named.map(|pod| &*pod.metadata.name),
        "node": named.map(|pod| &*pod.spec.node_name),
        "tag": named.map(|pod| tag(pod)),
        "headline": shown.lanes[place].headline,
        "event": events,
        "figures": {"settledAfter": figures.settled_after, "mostUnavailable": figures.most_unavailable,
            "recreated": figures.recreated, "restarts": figures.restarts, "namesChanged": figures.names_changed,
            "claimsLeft": figures.claims_left},
    })
}

/// What is wrong with an entry, or does not hold.
fn check(lanes: &mut Lanes, entry: &Value) -> Result<(), String> {
    let mut fields = entry.as_object().cloned().ok_or("an assertion is a map")?;
    let at = fields.remove("at").and_then(|at| at.as_i64()).ok_or("`at` is missing")?;
    let name = fields.remove("lane").ok_or("`lane` is missing")?;
    let place = lanes.lanes().iter().position(|lane| name == *lane.name).ok_or("there is no such lane")?;
    if fields.is_empty() {
        return Err("an assertion says something".to_owned());
    }
    for lane in 0..lanes.lanes().len() {
        lanes.lane(lane).unwrap().session.reach(at * 1000);
    }
    let seen = seen(lanes, place, &fields);
    for (key, wanted) in &fields {
        let held = seen.get(key).ok_or_else(|| format!("{key:?} is no part of an assertion"))?;
        let holds = match (held, wanted) {
            (Value::String(held), Value::String(part)) if key == "headline" => held.contains(part),
            (Value::Array(all), one) => all.contains(one),
            (Value::Object(held), Value::Object(wanted)) if key == "figures" => {
                wanted.iter().all(|(key, wanted)| held.get(key) == Some(wanted))
            }
            (held, wanted) => held == wanted,
        };
        if !holds {
            return Err(format!("{key} is {held}, not {wanted}"));
        }
    }
    Ok(())
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
            wrong.extend(check(&mut lanes, &entry).err().map(|problem| format!("{name}: {entry}: {problem}")));
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
        (json!({"at": 5, "lane": "Deployment", "pod": 1}), "pod is null, not 1"),
        (json!({"at": 5, "lane": "Deployment", "pods": 2}), "pods is 1, not 2"),
        (json!({"at": 5, "lane": "Deployment", "event": "Nothing"}), "event is ["),
        (json!({"at": 5, "lane": "Deployment", "figures": {"recreated": 2}}), "figures is {"),
        (json!({"at": 5, "lane": "Deployment", "state": 2}), "\"state\" is no part of an assertion"),
    ] {
        let problem = check(&mut lanes, &entry).unwrap_err();
        assert!(problem.starts_with(wrong), "{entry}: {problem}");
    }
    assert_eq!(check(&mut lanes, &json!({"at": 5, "lane": "Deployment", "pods": 1})), Ok(()));
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
