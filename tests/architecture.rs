//! The arrows between the rooms: releases ← objects ← reconcile ← sim ← kubectl ← session ← view ← page ← app. Left never names right.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

use std::collections::{BTreeMap, BTreeSet};
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

// Inside a room no two modules need each other. A module is a file or a folder directly in the room; it needs another one
// that it names by `super::` or by `crate::<room>::`, by its own name or by that of something the room re-exports from it.

/// Needs that may close a circle: room, module and what it needs (`*` for each), and why that is wanted.
const WANTED: &[(&str, &str, &str, &str)] = &[
    (
        "objects",
        "object",
        "workload",
        "an Object is one of the types; what all workloads have in common is an `impl Object`",
    ),
    ("reconcile", "rules", "*", "the sum of the rules of each kind, which stand in the kind's folder"),
    ("sim", "*", "cluster", "a part of the cluster, such as its scheduler, is an `impl Cluster` in a file of its own"),
];

type Needs = BTreeMap<String, BTreeSet<String>>;

/// The source without comments, strings and what only tests have.
fn production(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("'\"'") {
            rest = &rest[3..];
        } else if first == '"' {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, letter)| {
                let ends = *letter == '"' && !escaped;
                escaped = *letter == '\\' && !escaped;
                ends
            });
            rest = &rest[end.map_or(rest.len(), |(at, _)| at + 1)..];
        } else if rest.starts_with("#[cfg(test)]\nmod ") || rest.starts_with("#[cfg(all(test") {
            // A module of tests is the last thing in its file, or a line of its own.
            let line = rest.find("mod ").and_then(|at| rest[at..].find(['{', ';']).map(|end| at + end));
            rest = line.filter(|at| rest[*at..].starts_with(';')).map_or("", |at| &rest[at + 1..]);
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The paths of a tree such as `super::{a, b::{self, C as D}}`, each with the name under which it is known.
fn paths_of_tree(tree: &str) -> Vec<(String, String)> {
    let Some((before, inside)) = tree.trim().split_once('{') else {
        let (path, name) =
            tree.trim().split_once(" as ").unwrap_or((tree.trim(), tree.rsplit("::").next().unwrap_or(tree)));
        return vec![(path.to_owned(), name.trim().to_owned())];
    };
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in inside.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| paths_of_tree(&format!("{before}{part}"))).collect()
}

/// Every path that code names by `super` or `crate`, in a `use` or in place.
fn paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(at) = ["super::", "crate::"].iter().filter_map(|word| rest.find(word)).min() {
        let is_use = rest[..at].trim_end().ends_with("use");
        let of_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
        let end = if is_use { rest[at..].find(';') } else { rest[at..].find(|letter| !of_path(letter)) };
        let end = at + end.unwrap_or(rest.len() - at);
        paths.extend(paths_of_tree(&rest[at..end]).into_iter().map(|(path, _)| path));
        rest = &rest[end..];
    }
    paths
}

/// The module that each name which the room re-exports comes from.
fn exports(code: &str, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(tree, _)| tree);
    let paths = uses.flat_map(paths_of_tree);
    let export = |(path, name): (String, String)| {
        let module = path.trim_start_matches("self::").split("::").next()?.to_owned();
        modules.contains(&module).then_some((name, module))
    };
    paths.filter_map(export).collect()
}

/// What each module of a room needs. A source comes with its module and with how many `super` lead from it to the room.
fn needs(room: &str, root: &str, sources: &[(String, usize, String)]) -> Needs {
    let modules: BTreeSet<String> = sources.iter().map(|(module, ..)| module.clone()).collect();
    let exports = exports(&production(root), &modules);
    let mut needs = Needs::new();
    for (module, depth, text) in sources {
        let needed = needs.entry(module.clone()).or_default();
        for path in paths(&production(text)) {
            let up = "super::".repeat(*depth);
            let inside = path.strip_prefix(&format!("crate::{room}::")).or_else(|| path.strip_prefix(&up));
            let name = inside.and_then(|path| path.split("::").next()).filter(|name| *name != "super");
            let Some(name) = name else { continue };
            let other = if modules.contains(name) { Some(name) } else { exports.get(name).map(String::as_str) };
            needed.extend(other.filter(|other| other != module).map(str::to_owned));
        }
    }
    needs
}

/// The needs of a room as it is.
fn needs_of(room: &str) -> Needs {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(room);
    let mut found = Vec::new();
    for path in sources(&folder) {
        let inside: Vec<String> =
            path.strip_prefix(&folder).unwrap().iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        let module = inside[0].trim_end_matches(".rs").to_owned();
        if module == "mod" || inside.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        let depth = inside.len() - usize::from(inside.last().is_some_and(|name| name == "mod.rs"));
        found.push((module, depth, std::fs::read_to_string(&path).unwrap()));
    }
    needs(room, &std::fs::read_to_string(folder.join("mod.rs")).unwrap(), &found)
}

/// The modules that need each other, directly or through others.
fn circles(needs: &Needs) -> BTreeSet<BTreeSet<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&String> = vec![from];
        while let Some(module) = next.pop() {
            for other in needs.get(module).into_iter().flatten() {
                if reached.insert(other.clone()) {
                    next.push(other);
                }
            }
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> = needs.keys().map(|module| (module, reached(module))).collect();
    let circle = |(module, reached): (&&String, &BTreeSet<String>)| {
        let back = reached.iter().filter(|other| all.get(other).is_some_and(|theirs| theirs.contains(*module)));
        let circle: BTreeSet<String> = back.cloned().collect();
        (!circle.is_empty()).then_some(circle)
    };
    all.iter().filter_map(circle).collect()
}

fn without(room: &str, mut needs: Needs, wanted: &[(&str, &str, &str, &str)]) -> Needs {
    for (_, module, needed, _) in wanted.iter().filter(|(of, ..)| *of == room) {
        for (_, of_module) in needs.iter_mut().filter(|(name, _)| *module == "*" || name == module) {
            of_module.retain(|other| *needed != "*" && other != needed);
        }
    }
    needs
}

#[test]
fn no_two_modules_of_a_room_need_each_other() {
    // The circles of the last two, page and app, are still to be cut.
    for room in &ROOMS[..7] {
        let needs = needs_of(room);
        assert!(needs.values().flatten().count() > 2, "{room}: no module names another: {needs:?}");
        let circles = circles(&without(room, needs, WANTED));
        assert!(circles.is_empty(), "{room}: {circles:?}");
    }
}

#[test]
fn every_wanted_circle_is_one() {
    for (at, (room, module, needed, _)) in WANTED.iter().enumerate() {
        let mut others = WANTED.to_vec();
        others.remove(at);
        assert!(
            !circles(&without(room, needs_of(room), &others)).is_empty(),
            "{room}: {module} may need {needed} freely"
        );
    }
}

#[test]
fn a_circle_is_noticed_however_it_is_written() {
    let circle = |one: &str, other: &str| {
        let source = |module: &str, depth, text: &str| (module.to_owned(), depth, text.to_owned());
        let found = [source("one", 1, one), source("other", 2, other), source("third", 1, "use crate::sim::Cluster;")];
        circles(&needs("view", "pub use one::{One as First, Two};\nmod other;", &found))
    };
    let both: BTreeSet<_> = [BTreeSet::from(["one".to_owned(), "other".to_owned()])].into();
    assert_eq!(circle("use super::other::A;", "use crate::view::one::B;"), both);
    assert_eq!(circle("use super::{third, other::{self, A}};", "use super::super::one;"), both);
    assert_eq!(circle("fn a() { super::other::a() }", "use crate::view::First;"), both);
    for one in ["// use super::other::A;", "#[cfg(test)]\nmod tests {\n    use super::other::A;\n}", "\"super::other\""]
    {
        assert_eq!(circle(one, "use crate::view::one::B;"), BTreeSet::new(), "{one}");
    }
}
