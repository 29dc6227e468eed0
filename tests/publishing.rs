//! What a release is handed out as: its manifests name what the others build, and have only fields that are documented.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::folder;
use serde_json::Value;
use setscope::session::manifest;
use std::collections::BTreeSet;
use std::fs;

fn text(name: &str) -> String {
    fs::read_to_string(folder("").join(name)).unwrap()
}

/// .krew.yaml as krew-release-bot fills it in: https://krew.sigs.k8s.io/docs/developer-guide/release/automating/
fn krew() -> Value {
    let line = |line: &str| match line.split_once("{{ addURIAndSha \"") {
        Some((indent, rest)) => {
            let (uri, _) = rest.split_once('"').unwrap();
            format!("{indent}uri: {uri}\n{indent}sha256: {}", "0".repeat(64))
        }
        None => line.to_owned(),
    };
    let filled: Vec<String> = text(".krew.yaml").lines().map(line).collect();
    manifest::read_value(&filled.join("\n").replace("{{ .TagName }}", "v1.2.3")).unwrap()
}

#[track_caller]
fn has_only(value: &Value, known: &[&str]) {
    let unknown: Vec<_> = value.as_object().unwrap().keys().filter(|name| !known.contains(&name.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?} in {value}");
}

fn word(value: &Value) -> &str {
    value.as_str().filter(|word| !word.is_empty()).unwrap_or_else(|| panic!("{value} is no word"))
}

/// The fields of krew's `index.Plugin`, and what its `validation` asks of them: https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/
#[test]
fn krew_takes_the_manifest() {
    let plugin = krew();
    has_only(&plugin, &["apiVersion", "kind", "metadata", "spec"]);
    assert_eq!(plugin["apiVersion"], "krew.googlecontainertools.github.com/v1alpha2");
    assert_eq!(plugin["kind"], "Plugin");
    has_only(&plugin["metadata"], &["name"]);
    assert_eq!(plugin["metadata"]["name"], "setscope");
    let spec = &plugin["spec"];
    has_only(spec, &["version", "homepage", "shortDescription", "description", "caveats", "platforms"]);
    assert_eq!(spec["version"], "v1.2.3");
    let short = word(&spec["shortDescription"]);
    assert!(short.len() <= 50 && !short.contains('\n') && !short.ends_with('.'), "{short}");
    let longest = text(".krew.yaml").lines().map(str::len).max().unwrap();
    assert!(longest < 200, "{longest}");
    let built = text("dist-workspace.toml");
    let mut selected = BTreeSet::new();
    for platform in spec["platforms"].as_array().unwrap() {
        has_only(platform, &["selector", "uri", "sha256", "files", "bin"]);
        has_only(&platform["selector"], &["matchLabels"]);
        has_only(&platform["selector"]["matchLabels"], &["os", "arch"]);
        assert!(selected.insert(platform["selector"].to_string()), "{platform} is there twice");
        let archive = word(&platform["uri"]).rsplit('/').next().unwrap();
        let ending = if archive.ends_with(".zip") { ".zip" } else { ".tar.gz" };
        let target = archive.strip_prefix("setscope-").and_then(|rest| rest.strip_suffix(ending)).unwrap();
        assert!(built.contains(&format!("\"{target}\"")), "dist builds no {target}");
        assert!(built.contains(&format!("archive = \"{ending}\"")), "dist makes no {ending}");
        let files = platform["files"].as_array().unwrap();
        files.iter().for_each(|file| has_only(file, &["from", "to"]));
        assert!(files.iter().any(|file| file["to"] == platform["bin"]), "{platform} has no program");
        assert!(files.iter().any(|file| word(&file["from"]).ends_with("/LICENSE")), "{platform} has no license");
    }
    assert_eq!(selected.len(), 5);
}

/// Every action is pinned to a commit, with its version beside it, and every workflow says what it may do.
/// `dist generate` puts the commits of dist-workspace.toml, which has the versions, into its own.
#[test]
fn workflows_are_pinned_and_may_only_read_by_default() {
    for entry in fs::read_dir(folder(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display();
        // dist writes it, and makes the release with it.
        let is_dists = path.ends_with("release.yml");
        assert!(is_dists || text.contains("\npermissions:\n  contents: read\n"), "{name}");
        for line in text.lines().filter(|line| line.trim_start().trim_start_matches("- ").starts_with("uses: ")) {
            let (_, action) = line.split_once("uses: ").unwrap();
            let is_pinned = action.split_once('@').is_some_and(|(_, rest)| {
                let (commit, version) = rest.split_once(" # v").unwrap_or((rest, ""));
                let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_commit && (is_dists || !version.is_empty())
            });
            assert!(is_pinned || action.starts_with("./"), "{name}: {line}");
        }
    }
}
