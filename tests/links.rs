//! Links, packed and opened by the page's own host.js: short enough for every scenario, and old ones open forever, as runs that were
//! saved do.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{folder, give, link, open_link, pod, presets, settle, start};
use serde_json::json;
use setscope::objects::Kind;
use setscope::session::comparison::{self, Opened};
use setscope::session::scenario::{self, About};
use setscope::session::{Command, Scenario, Session, Start, manifest};
use setscope::sim::START;
use setscope::view;
use setscope::view::assertions::{check, check_lanes};
use std::collections::BTreeSet;
use std::fs;

/// Characters of a link that mail, chat and issue trackers take.
const SHORT: usize = 1500;

#[test]
fn the_link_of_every_scenario_is_short_and_opens_at_the_same_state() {
    for (name, text) in presets() {
        let (session, about) = scenario::read(&text).unwrap();
        let written = scenario::write(&session, &about);
        let link = link(&written);
        assert!(link.len() < SHORT, "{name}: {} characters", link.len());
        let (_, fragment) = link.split_once('#').unwrap();
        let (again, told) = scenario::read(&open_link(fragment).unwrap()).unwrap();
        assert_eq!(told, about);
        assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint(), "{name}");
    }
}

#[test]
fn a_link_keeps_moments_that_several_events_share() {
    for (name, text) in presets() {
        let (mut session, about) = scenario::read(&text).unwrap();
        let known = session.position().1;
        for moves in (1..known).step_by(11) {
            session.go_to(moves);
            let (again, _) = scenario::read(&scenario::write(&session, &about)).unwrap();
            assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint(), "{name} after {moves} moves");
        }
    }
}

/// Each file of tests/links begins with its format's version: the fragment, then what it opens at. None is ever changed.
#[test]
fn links_of_every_version_open_at_their_moment() {
    let mut starts = [false; 2];
    for entry in fs::read_dir(folder("tests/links")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let (fragment, opens) = text.split_once('\n').unwrap();
        let opens = manifest::read_value(opens).unwrap();
        let (mut session, about) = scenario::read(&open_link(fragment).unwrap()).unwrap();
        assert_eq!(about.title, opens["title"].as_str().unwrap());
        assert_eq!(session.cluster().now().0 - START.0, opens["milliseconds"].as_i64().unwrap());
        let seconds = opens["milliseconds"].as_f64().unwrap() / 1000.0;
        assert_eq!(check(&mut session, &json!({"at": seconds, "headline": opens["stands"]})), Ok(()));
        starts[usize::from(matches!(session.scenario().start, Start::Objects(_)))] = true;
    }
    assert_eq!(starts, [true; 2], "a link of a run that starts from nodes, and one of a run that starts from objects");
}

#[test]
fn what_is_no_link_is_left_alone_or_refused_in_words() {
    for fragment in ["", "1", "node-b"] {
        assert_eq!(open_link(fragment), Err(String::new()), "{fragment}");
    }
    for fragment in ["1.", "1.!!!!", "1.AAAA", "1.____"] {
        let damaged = "damaged";
        assert_eq!(open_link(fragment), Err(damaged.to_owned()), "{fragment}");
    }
    assert_eq!(open_link("2.AAAA"), Err("version 2 1".to_owned()));
    let bomb = link(&"a".repeat(300 * 1024));
    let (_, fragment) = bomb.split_once('#').unwrap();
    assert!(bomb.len() < SHORT);
    assert_eq!(open_link(fragment), Err("too-large".to_owned()));
}

/// A cluster of which one pod is deleted a second after the run has started.
fn from_objects() -> (Session, About) {
    let mut before = start();
    settle(&mut before);
    let objects = [Kind::Node, Kind::StatefulSet, Kind::ControllerRevision, Kind::PersistentVolumeClaim, Kind::Pod]
        .into_iter()
        .flat_map(|kind| before.cluster().objects(kind).cloned().collect::<Vec<_>>());
    let start = Start::Objects(objects.collect());
    let scenario = Scenario { start, commands: Vec::new(), ..before.scenario().clone() };
    let mut session = Session::replay(&scenario).unwrap();
    session.advance(1000);
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    session.advance(3000);
    (session, About { title: "A cluster as it was found".into(), ..About::default() })
}

/// One link of each kind is kept of every version. `WRITE_LINKS=1 cargo test --test it links::` adds those of a new version.
#[test]
fn links_of_this_version_are_kept() {
    let (_, text) = presets().into_iter().find(|(name, _)| name == "stuck-rollback").unwrap();
    for ((session, about), suffix) in [(scenario::read(&text).unwrap(), ""), (from_objects(), "-from-objects")] {
        let link = link(&scenario::write(&session, &about));
        let (_, fragment) = link.split_once('#').unwrap();
        let (version, _) = fragment.split_once('.').unwrap();
        let file = folder("tests/links").join(format!("{version}{suffix}.txt"));
        if std::env::var_os("WRITE_LINKS").is_some() && !file.exists() {
            let milliseconds = session.cluster().now().0 - START.0;
            let headline = &view::build(&session, None).explanation.headline;
            let opens = format!("title: {}\nmilliseconds: {milliseconds}\nstands: {headline}\n", about.title);
            fs::write(&file, format!("{fragment}\n{opens}")).unwrap();
        }
        assert!(file.exists(), "{} is missing: WRITE_LINKS=1 adds it", file.display());
    }
}

/// Each file of tests/runs begins with the version that it is of, and comes to what it asserts. None is ever changed; a release adds
/// its own.
#[test]
fn runs_of_every_version_come_to_what_they_assert() {
    let mut versions = BTreeSet::new();
    for entry in fs::read_dir(folder("tests/runs")).unwrap() {
        let path = entry.unwrap().path();
        let (name, text) = (path.file_name().unwrap().to_str().unwrap(), fs::read_to_string(&path).unwrap());
        versions.insert(name.split_once('-').unwrap().0.to_owned());
        let entries = manifest::read_value(&text).unwrap()["assert"].as_array().cloned().unwrap_or_default();
        assert!(!entries.is_empty(), "{name}");
        let (mut opened, _) = comparison::open(&text).unwrap();
        for entry in &entries {
            let checked = match &mut opened {
                Opened::Run(session) => check(session, entry),
                Opened::Lanes(lanes) => check_lanes(lanes, entry),
            };
            assert_eq!(checked, Ok(()), "{name}: {entry}");
        }
    }
    for version in ["0.1.0", env!("CARGO_PKG_VERSION")] {
        assert!(versions.contains(version), "{version} has none");
    }
}
