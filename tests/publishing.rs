//! What a release is handed out as: its manifests name what the others build, and have only fields that are documented.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::folder;
use serde_json::{Value, json};
use setscope::session::manifest;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

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
        // dist puts what is in a .tar.gz into a folder of the archive's name, and a .zip has none. krew gives another name to one file
        // alone: what a pattern finds goes into a folder of that name.
        let (within, program) = match ending {
            ".zip" => (String::new(), "setscope.exe"),
            _ => (format!("setscope-{target}/"), "setscope"),
        };
        let files = platform["files"].as_array().unwrap();
        files.iter().for_each(|file| has_only(file, &["from", "to"]));
        let moved: Vec<_> = files.iter().map(|file| (word(&file["from"]), word(&file["to"]))).collect();
        let [program, license] = [program, "LICENSE"].map(|name| format!("{within}{name}"));
        assert_eq!(moved, [(&*program, word(&platform["bin"])), (&*license, ".")], "{target}");
    }
    assert_eq!(selected.len(), 5);
}

/// Whose repository it is. Cargo.toml alone says so.
fn owner() -> String {
    let text = text("Cargo.toml");
    let (_, rest) = text.split_once("repository = \"https://github.com/").unwrap();
    rest.split_once("/setscope\"").unwrap().0.to_owned()
}

const REPOSITORY: &str = "https://github.com/";
const TAP: &str = "/homebrew-tap\"";

/// A text that names this owner wherever it names the repository, or the tap beside it.
fn of_owner(owner: &str, text: &str) -> String {
    let repository = |part: &str| match part.split_once('/') {
        Some((_, rest)) if rest.starts_with("setscope") => format!("{owner}/{rest}"),
        _ => part.to_owned(),
    };
    let mut parts = text.split(REPOSITORY);
    let first = parts.next().unwrap().to_owned();
    let text = parts.fold(first, |text, part| text + REPOSITORY + &repository(part));
    let mut parts: Vec<&str> = text.split(TAP).collect();
    let last = parts.pop().unwrap();
    let taps = parts.into_iter().map(|part| format!("{}\"{owner}{TAP}", part.rsplit_once('"').unwrap().0));
    taps.collect::<String>() + last
}

/// The texts of a folder and of the folders in it.
fn texts(folder: &Path, all: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, all);
        } else if let Ok(text) = fs::read_to_string(&path) {
            all.push((path, text));
        }
    }
}

/// `UPDATE_EXPECT=1 cargo test --test it publishing::` writes the owner whom Cargo.toml names into the others.
#[test]
fn whose_repository_it_is_stands_in_cargo_toml_and_is_written_from_there() {
    let owner = owner();
    let named = ["Cargo.toml", "dist-workspace.toml", ".krew.yaml", ".github/workflows/release.yml"];
    for name in named {
        expect_test::expect_file![folder(name)].assert_eq(&of_owner(&owner, &text(name)));
    }
    let mut all = Vec::new();
    for place in [".github", "docs", "src", "tools", "www"] {
        texts(&folder(place), &mut all);
    }
    let single = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "ARCHITECTURE.md",
        "action.yml",
        "dev",
        "index.html",
    ];
    all.extend(single.map(|name| (folder(name), text(name))));
    for (path, text) in all {
        if !path.ends_with("release.yml") {
            let elsewhere = of_owner("nobody", &text);
            assert!(elsewhere == text, "{} names whose repository it is", path.display());
        }
    }
    assert_eq!(
        of_owner("me", "https://github.com/you/setscope/a \"you/homebrew-tap\""),
        "https://github.com/me/setscope/a \"me/homebrew-tap\""
    );
}

/// What dist 0.34 reads under `[dist]`: https://axodotdev.github.io/cargo-dist/book/reference/config.html
const DIST: [&str; 26] = [
    "allow-dirty",
    "cargo-dist-version",
    "ci",
    "dist",
    "installers",
    "tap",
    "publish-jobs",
    "plan-jobs",
    "github-build-setup",
    "post-announce-jobs",
    "github-custom-job-permissions",
    "targets",
    "unix-archive",
    "windows-archive",
    "install-path",
    "install-updater",
    "github-attestations",
    "pr-run-mode",
    "features",
    "include",
    "auto-includes",
    "checksum",
    "formula",
    "hosting",
    "local-artifacts-jobs",
    "global-artifacts-jobs",
];

/// The value of a key of dist-workspace.toml, as it is written.
fn of_dist(key: &str) -> String {
    let text = text("dist-workspace.toml");
    let (_, rest) = text.split_once(&format!("\n{key} = ")).unwrap_or_else(|| panic!("no {key}"));
    rest.lines().next().unwrap().to_owned()
}

/// The words in quotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// The steps before each build.
fn build_setup() -> Value {
    let place = of_dist("github-build-setup");
    let steps = text(&format!(".github/workflows/{}", place.trim_matches('"')));
    manifest::read_value(&format!("steps:\n{steps}")).unwrap()["steps"].take()
}

#[test]
fn dist_takes_its_file_and_release_yml_is_of_it() {
    let file = text("dist-workspace.toml");
    let (_, dist) = file.split_once("\n[dist]\n").unwrap();
    let (dist, _) = dist.split_once("\n[dist.").unwrap();
    let keys = dist.lines().filter(|line| !line.starts_with(['#', ' ', ']'])).filter_map(|line| line.split_once(" = "));
    let keys: Vec<&str> = keys.map(|(key, _)| key).collect();
    assert!(keys.len() > 15 && keys.iter().all(|key| DIST.contains(key)), "{keys:?}");
    let release = text(".github/workflows/release.yml");
    let version = of_dist("cargo-dist-version").trim_matches('"').to_owned();
    assert!(release.contains(&format!("/v{version}/cargo-dist-installer.sh")));
    // A dist of this version names a workflow beside its own so.
    for key in ["plan-jobs", "post-announce-jobs"] {
        for name in quoted(&of_dist(key)) {
            let name = name.strip_prefix("./").unwrap();
            let job = format!("\n  custom-{name}:\n");
            assert!(
                release.contains(&job) && release.contains(&format!("uses: $/.github/workflows/{name}.yml\n")),
                "{name}"
            );
            assert!(text(&format!(".github/workflows/{name}.yml")).contains("\n  workflow_call:\n"), "{name}");
        }
    }
    for step in build_setup().as_array().unwrap() {
        has_only(step, &["name", "uses", "with"]);
        let (name, action) = (word(&step["name"]), word(&step["uses"]));
        assert!(release.contains(&format!("- name: \"{name}\"\n        uses: \"{action}\"\n")), "{step}");
        assert!(
            quoted(&file).contains(&action.split_once('@').unwrap().1),
            "{action} is none of github-action-commits"
        );
    }
}

/// Files that are there, or that `./dev parts` writes; and `./dev parts` hands out what build-setup.yml asks for.
#[test]
fn archives_hold_what_is_there_or_made_before() {
    let include = of_dist("include");
    for name in quoted(&include) {
        assert!(name.starts_with("target/parts/") || folder(name).exists(), "{name}");
    }
    for part in ["target/parts/man", "target/parts/completions", "NOTICE", "THIRD-PARTY.txt"] {
        assert!(quoted(&include).contains(&part), "{part}");
    }
    assert_eq!(of_dist("features"), "[\"page\"]");
    assert!(text("src/bin/setscope/web.rs").contains("include_dir!(\"$CARGO_MANIFEST_DIR/dist\")"));
    let parts = manifest::read_value(&text(".github/workflows/parts.yml")).unwrap();
    let steps = parts["jobs"]["parts"]["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["run"] == "./dev parts"));
    let handed = &steps.last().unwrap()["with"];
    let setup = build_setup();
    assert_eq!((&handed["name"], &handed["path"]), (&setup[0]["with"]["name"], &"dist\ntarget/parts\n".into()));
}

/// The fields of a composite action: https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
#[test]
#[cfg(unix)]
fn the_action_tells_what_a_change_would_do() {
    let action = manifest::read_value(&text("action.yml")).unwrap();
    has_only(&action, &["name", "description", "branding", "inputs", "outputs", "runs"]);
    has_only(&action["branding"], &["icon", "color"]);
    for (name, input) in action["inputs"].as_object().unwrap() {
        has_only(input, &["description", "required", "default"]);
        assert!(input["required"] == true || input["default"].is_string(), "{name}");
    }
    has_only(&action["runs"], &["using", "steps"]);
    let steps = action["runs"]["steps"].as_array().unwrap();
    for step in steps {
        has_only(step, &["id", "if", "shell", "env", "run"]);
        assert_eq!(step["shell"], "bash", "{step}");
    }
    let run = word(&steps.iter().find(|step| step["id"] == "rollout").unwrap()["run"]);
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("action");
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    let there = Path::new(env!("CARGO_BIN_EXE_setscope")).parent().unwrap();
    for (case, status) in [("partition", 0), ("immutable-field", 1)] {
        let [old, new] = ["old", "new"].map(|which| folder("tests/rollout").join(format!("{case}-{which}.yaml")));
        let (summary, output) = (home.join(format!("{case}.md")), home.join(format!("{case}.out")));
        let ended = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", run])
            .env("PATH", format!("{}:{}", there.display(), std::env::var("PATH").unwrap()))
            .envs([("OLD", &old), ("NEW", &new), ("RUNNER_TEMP", &home)])
            .envs([("GITHUB_STEP_SUMMARY", &summary), ("GITHUB_OUTPUT", &output)])
            .env("NODES", "")
            .status()
            .unwrap();
        assert!(ended.success(), "{case}: {ended}");
        assert_eq!(fs::read_to_string(&output).unwrap(), format!("status={status}\n"), "{case}");
        assert!(fs::read_to_string(&summary).unwrap().contains("statefulset/"), "{case}");
    }
}

/// Every action is pinned to a commit, with its version beside it, and every workflow says what it may do.
/// `dist generate` puts the commits of dist-workspace.toml, which has the versions, into its own.
#[test]
fn workflows_are_pinned_and_may_only_read_by_default() {
    for entry in fs::read_dir(folder(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display();
        let workflow = manifest::read_value(&text).unwrap();
        assert_eq!(workflow["permissions"], json!({ "contents": "read" }), "{name}");
        let jobs = workflow["jobs"].as_object().unwrap();
        let writes = jobs.iter().filter(|(_, job)| job["permissions"]["contents"] == "write");
        let writes: Vec<&String> = writes.map(|(job, _)| job).collect();
        let is_dists = path.ends_with("release.yml");
        // It makes the release.
        assert_eq!(writes, if is_dists { vec!["host"] } else { vec![] }, "{name}");
        for line in text.lines().filter(|line| line.trim_start().trim_start_matches("- ").starts_with("uses: ")) {
            let action = line.split_once("uses: ").unwrap().1.trim_matches('"');
            let is_pinned = action.split_once('@').is_some_and(|(_, rest)| {
                let (commit, version) = rest.split_once(" # v").unwrap_or((rest, ""));
                let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
                is_commit && (is_dists || !version.is_empty())
            });
            assert!(is_pinned || action.starts_with("$/"), "{name}: {line}");
        }
    }
}
