//! The dependencies between the layers releases, go_yaml ← objects ← reconcile ← sim ← kubectl ← session ← verdict ← trial ← view, diagnosis ← page ← app: a layer
//! names only layers to its left, and within a layer no two modules depend on each other. The view and the diagnosis both read the
//! verdict, and neither names the other.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LAYERS: [&str; 13] = [
    "releases",
    "go_yaml",
    "objects",
    "reconcile",
    "sim",
    "kubectl",
    "session",
    "verdict",
    "trial",
    "view",
    "diagnosis",
    "page",
    "app",
];

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

/// Layers beside each other: neither names the other.
const SIBLINGS: [&str; 2] = ["view", "diagnosis"];

/// The layers to the right of its own, or beside it, that a source names, as `layer names other`.
fn wrong_dependencies(layer: &str, text: &str) -> Vec<String> {
    let index = LAYERS.iter().position(|known| *known == layer).unwrap();
    let beside = SIBLINGS.iter().filter(|other| SIBLINGS.contains(&layer) && **other != layer);
    let wrong: BTreeSet<&str> = LAYERS[index + 1..].iter().chain(beside).copied().collect();
    let named = wrong.into_iter().filter(|other| text.contains(&format!("crate::{other}")));
    named.map(|other| format!("{layer} names {other}")).collect()
}

#[test]
fn no_layer_names_one_to_its_right() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in LAYERS {
        let files = sources(&source.join(layer));
        assert!(!files.is_empty(), "{layer} is empty");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            assert_eq!(wrong_dependencies(layer, &text), Vec::<String>::new(), "{}", file.display());
        }
    }
}

#[test]
fn a_dependency_in_the_wrong_direction_is_noticed() {
    assert_eq!(wrong_dependencies("reconcile", "use crate::sim::Cluster;"), ["reconcile names sim"]);
    assert_eq!(wrong_dependencies("diagnosis", "use crate::view::Explanation;"), ["diagnosis names view"]);
}

#[test]
fn only_the_app_names_the_browser() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for layer in &LAYERS[..LAYERS.len() - 1] {
        for file in sources(&source.join(layer)) {
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

// Within a layer no two modules depend on each other, directly or through others. A module is a file or a folder directly in
// the layer's folder. It depends on another one that it names by `super::` or by `crate::<layer>::`, by the module's name or
// by that of something that the layer re-exports from it.

/// Dependencies that may close a cycle: layer, module and what it depends on (`*` for any), and the reason.
const ALLOWED: &[(&str, &str, &str, &str)] =
    &[("reconcile", "rules", "*", "the enum of all kinds' rules, each of which is in its kind's folder")];

type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// The source without comments, strings and test modules.
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
            // A test module is the last item of its file, or declared by a line `mod tests;`.
            let line = rest.find("mod ").and_then(|at| rest[at..].find(['{', ';']).map(|end| at + end));
            rest = line.filter(|at| rest[*at..].starts_with(';')).map_or("", |at| &rest[at + 1..]);
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    code
}

/// The paths of a `use` tree such as `super::{a, b::{self, C as D}}`, each with the name that it brings into scope.
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

/// Every path that starts with `super` or `crate`, in a `use` or in an expression.
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

/// The module from which the layer re-exports each name.
fn exports(code: &str, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let uses = code.split("use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(tree, _)| tree);
    let paths = uses.flat_map(paths_of_tree);
    let export = |(path, name): (String, String)| {
        let module = path.trim_start_matches("self::").split("::").next()?.to_owned();
        modules.contains(&module).then_some((name, module))
    };
    paths.filter_map(export).collect()
}

/// What each module of a layer depends on. A source comes with its module and with how many `super` lead from it to the layer.
fn dependencies(layer: &str, root: &str, sources: &[(String, usize, String)]) -> Dependencies {
    let modules: BTreeSet<String> = sources.iter().map(|(module, ..)| module.clone()).collect();
    let exports = exports(&production(root), &modules);
    let mut graph = Dependencies::new();
    for (module, depth, text) in sources {
        let target = graph.entry(module.clone()).or_default();
        for path in paths(&production(text)) {
            let up = "super::".repeat(*depth);
            let inside = path.strip_prefix(&format!("crate::{layer}::")).or_else(|| path.strip_prefix(&up));
            let name = inside.and_then(|path| path.split("::").next()).filter(|name| *name != "super");
            let Some(name) = name else { continue };
            let other = if modules.contains(name) { Some(name) } else { exports.get(name).map(String::as_str) };
            target.extend(other.filter(|other| other != module).map(str::to_owned));
        }
    }
    graph
}

/// What each module of a layer in src depends on.
fn dependencies_of(layer: &str) -> Dependencies {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer);
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
    dependencies(layer, &std::fs::read_to_string(folder.join("mod.rs")).unwrap(), &found)
}

/// The groups of modules that depend on each other, directly or through others.
fn cycles(graph: &Dependencies) -> BTreeSet<BTreeSet<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&String> = vec![from];
        while let Some(module) = next.pop() {
            for other in graph.get(module).into_iter().flatten() {
                if reached.insert(other.clone()) {
                    next.push(other);
                }
            }
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> = graph.keys().map(|module| (module, reached(module))).collect();
    let cycle = |(module, reached): (&&String, &BTreeSet<String>)| {
        let back = reached.iter().filter(|other| all.get(other).is_some_and(|theirs| theirs.contains(*module)));
        let cycle: BTreeSet<String> = back.cloned().collect();
        (!cycle.is_empty()).then_some(cycle)
    };
    all.iter().filter_map(cycle).collect()
}

fn without(layer: &str, mut graph: Dependencies, allowed: &[(&str, &str, &str, &str)]) -> Dependencies {
    for (_, module, target, _) in allowed.iter().filter(|(of, ..)| *of == layer) {
        for (_, named) in graph.iter_mut().filter(|(name, _)| *module == "*" || name == module) {
            named.retain(|other| *target != "*" && other != target);
        }
    }
    graph
}

#[test]
fn no_two_modules_of_a_layer_depend_on_each_other() {
    for layer in LAYERS {
        let graph = dependencies_of(layer);
        assert!(graph.values().any(|named| !named.is_empty()), "{layer}: no module depends on another: {graph:?}");
        let cycles = cycles(&without(layer, graph, ALLOWED));
        assert!(cycles.is_empty(), "{layer}: {cycles:?}");
    }
}

#[test]
fn every_allowed_dependency_closes_a_cycle() {
    for (at, (layer, module, target, _)) in ALLOWED.iter().enumerate() {
        let mut others = ALLOWED.to_vec();
        others.remove(at);
        assert!(
            !cycles(&without(layer, dependencies_of(layer), &others)).is_empty(),
            "{layer}: {module} may depend on {target} without being listed"
        );
    }
}

#[test]
fn a_cycle_is_noticed_however_it_is_written() {
    let cycle = |one: &str, other: &str| {
        let source = |module: &str, depth, text: &str| (module.to_owned(), depth, text.to_owned());
        let found = [source("one", 1, one), source("other", 2, other), source("third", 1, "use crate::sim::Cluster;")];
        cycles(&dependencies("view", "pub use one::{One as First, Two};\nmod other;", &found))
    };
    let both: BTreeSet<_> = [BTreeSet::from(["one".to_owned(), "other".to_owned()])].into();
    assert_eq!(cycle("use super::other::A;", "use crate::view::one::B;"), both);
    assert_eq!(cycle("use super::{third, other::{self, A}};", "use super::super::one;"), both);
    assert_eq!(cycle("fn a() { super::other::a() }", "use crate::view::First;"), both);
    for one in ["// use super::other::A;", "#[cfg(test)]\nmod tests {\n    use super::other::A;\n}", "\"super::other\""]
    {
        assert_eq!(cycle(one, "use crate::view::one::B;"), BTreeSet::new(), "{one}");
    }
}

/// Lines that write to a field of a `Value` by indexing it, which panics where the value is a text, a number or a list.
fn writes_by_index(text: &str) -> Vec<&str> {
    const READS: [&str; 2] = ["let ", "=="];
    let product = text.split("#[cfg(test)]").next().unwrap();
    let is_write = |line: &&str| {
        let changes = ["\"].take()", "\"].as_array_mut()", "\"].as_object_mut()", "\"].get_mut(", "\"].pointer_mut("];
        let assigns =
            line.split_once("\"] = ").is_some_and(|(place, _)| !READS.iter().any(|read| place.contains(read)));
        assigns || changes.iter().any(|change| line.contains(change)) || is_borrowed(line)
    };
    product.lines().filter(is_write).collect()
}

/// Whether a field that is named by indexing is borrowed to be changed.
fn is_borrowed(line: &str) -> bool {
    line.split("&mut ").skip(1).any(|rest| {
        let end = rest.find(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter)));
        end.is_some_and(|end| rest[end..].starts_with("[\""))
    })
}

#[test]
fn no_field_of_a_value_is_written_by_indexing() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&source) {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_test = file.components().any(|part| part.as_os_str() == "tests") || file.ends_with("tests.rs");
        let writes = if is_test { Vec::new() } else { writes_by_index(&text) };
        assert_eq!(writes, Vec::<&str>::new(), "`objects::slot` makes what is not there: {}", file.display());
    }
}

#[test]
fn a_field_that_is_written_by_indexing_is_noticed() {
    let lines = ["value[\"a\"] = b;", "value[\"a\"][\"b\"].take()", "f(&mut value[\"a\"])"];
    assert_eq!(writes_by_index(&lines.join("\n")), lines);
    assert_eq!(writes_by_index("let a = &value[\"a\"];\nvalue[\"a\"] == b"), Vec::<&str>::new());
}
