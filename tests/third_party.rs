//! THIRD-PARTY.txt says what is in the program and the page, and under which license each part is: it is made of Cargo.lock and of
//! the packages' own files. `UPDATE_EXPECT=1 cargo test --test it third_party::` writes it.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What is built: the command for these, the page for the last.
const TARGETS: [&str; 4] =
    ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc", "wasm32-unknown-unknown"];

/// The license that is taken where a package leaves the choice, the first that it offers.
const TAKEN: [&str; 8] =
    ["Apache-2.0", "MIT", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "MPL-2.0", "MPL-2.0+", "Unicode-3.0"];

fn metadata(target: &str) -> Value {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["metadata", "--format-version", "1", "--locked", "--features", "page"];
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .args(["--filter-platform", target])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The packages that are linked, without those that only build or test: by name and version.
fn packages() -> BTreeMap<(String, String), Value> {
    let mut all = BTreeMap::new();
    for target in TARGETS {
        let metadata = metadata(target);
        let nodes: BTreeMap<&str, &Value> = metadata["resolve"]["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| (node["id"].as_str().unwrap(), node))
            .collect();
        let root = metadata["resolve"]["root"].as_str().unwrap();
        let (mut seen, mut left) = (BTreeSet::from([root]), vec![root]);
        while let Some(id) = left.pop() {
            for dependency in nodes[id]["deps"].as_array().unwrap() {
                let is_linked = dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
                let package = dependency["pkg"].as_str().unwrap();
                if is_linked && seen.insert(package) {
                    left.push(package);
                }
            }
        }
        for package in metadata["packages"].as_array().unwrap() {
            let word = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
            if seen.contains(&*word("id")) && word("id") != root {
                all.insert((word("name"), word("version")), package.clone());
            }
        }
    }
    all
}

/// The licenses that are taken of an expression: all of `AND`, one of `OR`.
fn taken(expression: &str) -> Vec<&'static str> {
    let groups = expression.split(" AND ").map(|group| {
        let group = group.trim_matches(['(', ')']).replace(" OR ", "/");
        let offered: Vec<&str> =
            group.split('/').map(|one| one.trim().trim_end_matches(" WITH LLVM-exception")).collect();
        TAKEN
            .into_iter()
            .find(|license| offered.contains(license))
            .unwrap_or_else(|| panic!("none of the licenses of {expression:?} is one that is taken"))
    });
    groups.collect()
}

/// The text of a license that a package comes with, if it does.
fn text(package: &Value, license: &str) -> Option<String> {
    let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.to_uppercase().starts_with("LICEN") || name.to_uppercase().starts_with("COPYING"))
        .collect();
    names.sort();
    let word = license.split('-').next().unwrap().to_uppercase();
    let own = names.iter().find(|name| name.to_uppercase().contains(&word));
    let only = || names.first().filter(|_| names.len() == 1);
    let text = std::fs::read_to_string(folder.join(own.or_else(only)?)).ok()?;
    Some(text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned())
}

const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// The text for a package that comes without it.
fn usual(package: &Value, license: &str) -> String {
    assert_eq!(license, "MIT", "{} comes without the text of its license", package["name"]);
    let authors: Vec<&str> = package["authors"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let holders = if authors.is_empty() {
        format!("the authors of {}", package["name"].as_str().unwrap())
    } else {
        authors.join(", ")
    };
    format!("MIT License\n\nCopyright (c) {holders}\n\n{MIT}")
}

/// The license of the font that the command draws pictures with.
const FONT: &str = "src/bin/setscope/fonts/LICENSE";

fn third_party() -> String {
    let mut listed = String::new();
    // Each text once, with those who have it.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ((name, version), package) in packages() {
        let licenses = taken(package["license"].as_str().unwrap());
        let source = package["repository"].as_str().map_or_else(
            || format!("https://crates.io/crates/{name}/{version}"),
            |repository| repository.trim_end_matches(".git").to_owned(),
        );
        writeln!(listed, "{name} {version}: {} ({source})", licenses.join(" and ")).unwrap();
        // That of Apache-2.0 is LICENSE.
        for license in licenses.into_iter().filter(|license| *license != "Apache-2.0") {
            let text = text(&package, license).unwrap_or_else(|| usual(&package, license));
            texts.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    let font = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FONT)).unwrap();
    let font = font.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim().to_owned();
    texts.entry(font).or_default().push("DejaVu Sans 2.37".to_owned());
    let mut all = "\
What SetScope's program and page are made of besides its own code, which is under the Apache License 2.0 (LICENSE). Each package
is named with the license that it is taken under and the place of its source; packages under MPL-2.0 are used unchanged, and their
source is there as well as at https://crates.io. The text of the Apache License 2.0 is LICENSE; the others stand below.

"
    .to_owned();
    all.push_str(&listed);
    for (text, names) in texts {
        write!(all, "\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", ")).unwrap();
    }
    all
}

#[test]
fn what_the_program_is_made_of_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("THIRD-PARTY.txt");
    let made = third_party();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let told = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        told == made,
        "THIRD-PARTY.txt is not of this Cargo.lock: UPDATE_EXPECT=1 cargo test --test it third_party::"
    );
}
