//! The arrows between the rooms: releases ← objects ← reconcile ← sim ← kubectl ← session ← view ← page ← app. Left never names right.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

use std::path::{Path, PathBuf};

const ROOMS: [&str; 9] = ["releases", "objects", "reconcile", "sim", "kubectl", "session", "view", "page", "app"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    files
}

/// What a source must not name, as `room names other`.
fn broken_arrows(room: &str, text: &str) -> Vec<String> {
    let own = ROOMS.iter().position(|known| *known == room).unwrap();
    let right = ROOMS[own + 1..].iter().filter(|other| text.contains(&format!("crate::{other}")));
    right.map(|other| format!("{room} names {other}")).collect()
}

#[test]
fn no_room_names_one_to_its_right() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for room in ROOMS {
        let files = sources(&source.join(room));
        assert!(!files.is_empty(), "{room} is empty");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            assert_eq!(broken_arrows(room, &text), Vec::<String>::new(), "{}", file.display());
        }
    }
}

#[test]
fn an_arrow_in_the_wrong_direction_is_noticed() {
    assert_eq!(broken_arrows("reconcile", "use crate::sim::Cluster;"), ["reconcile names sim"]);
}

#[test]
fn only_the_app_names_the_browser() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for room in &ROOMS[..8] {
        for file in sources(&source.join(room)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for browser in ["yew", "web_sys", "js_sys", "wasm_bindgen", "gloo"] {
                assert!(!text.contains(&format!("{browser}::")), "{} names {browser}", file.display());
            }
        }
    }
}

#[test]
fn the_interface_for_javascript_names_the_session_and_the_view() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/js.rs")).unwrap();
    for other in ["objects", "reconcile", "sim", "page", "app"] {
        assert!(!text.contains(&format!("crate::{other}")), "js names {other}");
    }
}
