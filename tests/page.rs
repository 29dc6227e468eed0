//! What must hold of the page's source before it is ever built: its policy and what it bundles.
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn html() -> String {
    fs::read_to_string(root().join("index.html")).expect("index.html is there")
}

fn stylesheets(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry that can be read").path();
        // The pages beside the page have a style sheet of their own.
        if path.ends_with("www/pages") {
            continue;
        }
        if path.is_dir() {
            found.extend(stylesheets(&path));
        } else if path.extension().is_some_and(|extension| extension == "css") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_stylesheet_is_bundled_tokens_first() {
    let html = html();
    let (head, body) = html.split_once("<body>").expect("index.html has a body");
    let named = |part: &str, start: &str| -> Vec<String> {
        let end = "\">";
        part.lines().filter_map(|line| Some(line.trim().strip_prefix(start)?.strip_suffix(end)?.to_owned())).collect()
    };
    let first = named(head, r#"<link data-trunk rel="css" href=""#);
    assert_eq!(first[0], "www/tokens.css", "the order of the layers is declared in tokens.css");
    // Sheets of the body must not hold up the first picture: they stand where only boot.js takes them from.
    let kept = body.split_once(r#"<template id="styles">"#).and_then(|(_, rest)| rest.split_once("</template>"));
    let (kept, rest) = kept.expect("the body has a template of style sheets");
    assert!(
        !rest.contains("<link")
            && body.matches("<link data-trunk rel=\"css\"").count() == kept.matches("<link").count(),
        "a style sheet of the body stands outside of the template"
    );
    let later = named(kept, r#"<link data-trunk rel="css" media="not all" href=""#);
    let mut bundled: Vec<String> = first.into_iter().chain(later).collect();
    bundled.sort();
    let folders = ["src/app", "www"].into_iter().flat_map(|folder| stylesheets(&root().join(folder)));
    let name = |path: PathBuf| path.strip_prefix(root()).expect("it stands under the root").display().to_string();
    assert_eq!(bundled, folders.map(name).collect::<Vec<_>>());
}

#[test]
fn every_script_is_a_file_and_no_element_has_a_style() {
    let html = html();
    let scripts: Vec<_> =
        html.match_indices("<script").map(|(at, _)| html[at..].lines().next().unwrap_or("")).collect();
    assert!(!scripts.is_empty(), "the page starts by a script");
    for script in scripts {
        assert!(script.contains(" src=") && script.ends_with("></script>"), "an inline script: {script}");
    }
    for forbidden in ["<style", " style=", " onclick=", " onload=", "javascript:", "http://", "https://"] {
        assert!(!html.contains(forbidden), "index.html holds {forbidden}");
    }
}

#[test]
fn no_script_but_the_theme_is_asked_for_before_the_first_picture() {
    let html = html();
    let picture = html.find("www/first-picture.html").expect("index.html has the first picture");
    let before: Vec<_> = html[..picture].lines().filter(|line| line.contains("<script")).map(str::trim).collect();
    assert_eq!(before, [r#"<script data-trunk src="www/theme.js"></script>"#]);
}

#[test]
fn the_policy_comes_before_anything_it_governs() {
    let html = html();
    let policy = html.find("Content-Security-Policy").expect("index.html has a policy");
    for governed in ["<script", "<link"] {
        assert!(html.find(governed).is_some_and(|at| policy < at), "{governed} stands before the policy");
    }
}

#[test]
fn the_pages_beside_it_are_as_strict() {
    let policy = |html: &str| {
        html.split("Content-Security-Policy\" content=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .map(str::to_owned)
    };
    let own = policy(&html());
    assert!(own.is_some());
    for name in ["embed.html", "embed.zh.html", "example.html"] {
        let html = fs::read_to_string(root().join("www/pages").join(name)).expect("the page is there");
        assert_eq!(policy(&html), own, "{name}");
        // What is shown as code is for a page of another origin.
        let unquoted: String = html.split("</pre>").filter_map(|part| part.split("<pre").next()).collect();
        for forbidden in ["<style", " style=", " onclick=", " onload=", "javascript:", "http://", "https://"] {
            assert!(!unquoted.contains(forbidden), "{name} holds {forbidden}");
        }
        assert!(html.contains(r#"<link rel="stylesheet" href="pages.css">"#));
        assert_eq!(html.matches("<script").count(), html.matches(r#"<script type="module" src=""#).count());
    }
}
