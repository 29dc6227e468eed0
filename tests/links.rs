//! Links: short enough for every scenario, and old ones open for ever.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod kit;

use kit::{folder, pack, presets, unpack};
use setscope::session::{manifest, scenario};
use setscope::sim::START;
use setscope::view;
use std::fs;

/// Characters of a link that mail, chat and issue trackers take.
const SHORT: usize = 1500;

#[test]
fn the_link_of_every_scenario_is_short_and_opens_at_the_same_state() {
    for (name, text) in presets() {
        let (session, about) = scenario::read(&text).unwrap();
        let written = scenario::write(&session, &about);
        let link = format!("https://setscope.example.org/playground/#{}", pack(&written));
        assert!(link.len() < SHORT, "{name}: {} characters", link.len());
        let (_, fragment) = link.split_once('#').unwrap();
        let (again, told) = scenario::read(&unpack(fragment).unwrap()).unwrap();
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

/// Each file of tests/links is named by its format's version: the fragment, then what it opens at. None is ever changed.
#[test]
fn links_of_every_version_open_at_their_moment() {
    let mut seen = 0;
    for entry in fs::read_dir(folder("tests/links")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let (fragment, opens) = text.split_once('\n').unwrap();
        let opens = manifest::read_value(opens).unwrap();
        let (session, about) = scenario::read(&unpack(fragment).unwrap()).unwrap();
        assert_eq!(about.title, opens["title"].as_str().unwrap());
        assert_eq!(session.cluster().now().0 - START.0, opens["milliseconds"].as_i64().unwrap());
        assert_eq!(view::build(&session, None).explanation.headline, opens["stands"].as_str().unwrap());
        seen += 1;
    }
    assert!(seen >= 1, "one link of each version is kept");
}

#[test]
fn what_is_no_link_is_no_text() {
    for fragment in ["", "1", "1.", "2.AAAA", "1.!!!!", "1.AAAA", "1.____"] {
        assert!(unpack(fragment).is_none_or(|text| text.is_empty()), "{fragment}");
    }
    assert!(unpack(&pack(&"a".repeat(300 * 1024))).is_none(), "what unfolds too far is not read to its end");
}

#[test]
#[ignore = "writes a link to be kept: cargo test --test links keep -- --ignored --nocapture"]
fn keep() {
    let (_, text) = presets().into_iter().find(|(name, _)| name == "stuck-rollback").unwrap();
    let (session, about) = scenario::read(&text).unwrap();
    println!("{}", pack(&scenario::write(&session, &about)));
}
