//! The native command as a person runs it, and as a plugin of kubectl, with a kubectl in its place that plays recordings.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

use crate::kit;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn setscope(arguments: &[&str]) -> Output {
    Command::new(SETSCOPE).args(arguments).output().unwrap()
}

#[track_caller]
fn ends(output: &Output, status: i32) -> String {
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{}{wrong}", said(output));
    said(output)
}

/// What kubectl prints at a recorded moment.
fn recorded(name: &str, at: i64) -> String {
    let (objects, nodes) = kit::dump(name, at);
    format!("{objects}---\n{nodes}")
}

/// A kubectl that plays these texts, one at each reading, the last one again and again; it writes down how it was called.
fn with_kubectl(name: &str, texts: &[String]) -> PathBuf {
    let home = folder(name);
    for (at, text) in texts.iter().enumerate() {
        fs::write(home.join(format!("{at}.yaml")), text).unwrap();
    }
    let last = texts.len() - 1;
    let script = format!(
        r#"#!/bin/sh
cd "{home}"
echo "$@" >> calls
echo "$KUBECONFIG" >> kubeconfig
case "$*" in
  *clonesets*) echo 'error: the server does not have a resource type "clonesets"' >&2; exit 1;;
esac
at=$(grep -c controllerrevisions calls)
at=$((at - 1))
[ "$at" -gt {last} ] && at={last}
cat "$at.yaml"
"#,
        home = home.display()
    );
    fs::write(home.join("kubectl"), script).unwrap();
    fs::set_permissions(home.join("kubectl"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink(SETSCOPE, home.join("kubectl-setscope")).unwrap();
    home
}

/// The plugin as kubectl starts it.
fn plugin(home: &Path, arguments: &[&str]) -> Command {
    let path = format!("{}:{}", home.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(home.join("kubectl-setscope"));
    command.args(arguments).env("PATH", path);
    command
}

#[test]
fn a_stuck_rollback_is_diagnosed_with_lines_of_the_text() {
    let home = folder("diagnose");
    let file = home.join("cluster.yaml");
    fs::write(&file, recorded("d02a-rollback", 55)).unwrap();
    let text = ends(&setscope(&["diagnose", "-f", file.to_str().unwrap()]), 1);
    assert!(text.contains("old-revision-blocks") && text.contains("(line "), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&ends(&setscope(&["diagnose", "-o", "json", "-f", file.to_str().unwrap()]), 1)).unwrap();
    let evidence = &json["workloads"][0]["findings"][0]["evidence"][1];
    let line = usize::try_from(evidence["line"].as_u64().unwrap()).unwrap();
    let there = fs::read_to_string(&file).unwrap().lines().nth(line - 1).unwrap().trim().to_owned();
    assert_eq!(there, format!("updateRevision: {}", evidence["value"].as_str().unwrap()));
    let otherwise = ["diagnose", "-f", file.to_str().unwrap(), "--at", "2026-12-01T00:00:00Z", "--release", "v1.36"];
    let text = ends(&setscope(&otherwise), 1);
    assert!(text.contains("It has not been Ready for 8 d 18 h"), "{text}");
    assert!(
        text.contains("The control plane runs v1.20: the newest kubelet is v1.20.2. (you say otherwise)"),
        "{text}"
    );
    ends(&setscope(&["diagnose", "-f", file.to_str().unwrap(), "--at", "noon"]), 2);
    assert!(text.contains(&format!("What would help: setscope ways-out -f {}", file.display())), "{text}");
    let elsewhere = setscope(&["diagnose", "-f", file.to_str().unwrap(), "-n", "shop"]);
    ends(&elsewhere, 2);
    let told = String::from_utf8(elsewhere.stderr).unwrap();
    assert!(told.contains("nothing in namespace shop; it has d02a-rollback"), "{told}");
    fs::write(&file, "[").unwrap();
    ends(&setscope(&["diagnose", "-f", file.to_str().unwrap()]), 2);
}

#[test]
fn whoever_looks_at_a_terminal_sees_the_lines_of_the_text() {
    let home = folder("snippets");
    let file = home.join("cluster.yaml");
    // What wrote the text has no power over a terminal, wherever it is shown.
    let text = recorded("d02a-rollback", 55).replace("app:2", "app:2\\e[31m");
    fs::write(&file, &text).unwrap();
    let looked_at = |environment: &[(&str, &str)], arguments: &[&str]| {
        let mut command = Command::new(SETSCOPE);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.args(arguments).arg(&file).envs(environment.iter().copied()).output().unwrap()
    };
    let line = text.lines().position(|line| line.trim().starts_with("updateRevision: ")).unwrap() + 1;
    let colored = ends(&looked_at(&[("CLICOLOR_FORCE", "1")], &["diagnose", "-f"]), 1);
    assert!(colored.contains("\u{1b}[") && !colored.contains("\u{1b}[31mq"), "{colored}");
    let plain = ends(&looked_at(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &["diagnose", "-f"]), 1);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(plain.contains("[old-revision-blocks]: ") && plain.contains(&format!("cluster.yaml:{line}:")), "{plain}");
    assert!(plain.contains("^^^^ statefulset/web status.updateRevision"), "{plain}");
    let piped = ends(&looked_at(&[], &["diagnose", "-f"]), 1);
    assert!(piped.contains(&format!("(line {line})")) && !piped.contains("^^^"), "{piped}");
    let json = ends(&looked_at(&[("CLICOLOR_FORCE", "1")], &["diagnose", "-o", "json", "-f"]), 1);
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{json}");
    fs::write(&file, "kind: Pod\nmetadata: {name: ]}\n").unwrap();
    let wrong = looked_at(&[("CLICOLOR_FORCE", "1")], &["diagnose", "-f"]);
    ends(&wrong, 2);
    let wrong = String::from_utf8(wrong.stderr).unwrap();
    assert!(
        wrong.starts_with("setscope: line 2") && wrong.contains("2 | metadata: {name: ]}") && wrong.contains('^'),
        "{wrong}"
    );
}

#[test]
fn a_line_of_ones_own_is_tried_beside_waiting() {
    let file = folder("native-own").join("stuck.yaml");
    fs::write(&file, recorded("d10a-loss-force", 460)).unwrap();
    let file = file.to_str().unwrap();
    let line = "kubectl delete pod web-1 -n d10a-loss-force --grace-period=0 --force";
    let json = ends(&setscope(&["ways-out", "-f", file, "--try", line, "-o", "json"]), 1);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schemaVersion"], 1);
    assert_eq!((&json["lines"][0]["line"], &json["lines"][0]["outcome"]), (&line.into(), &"done".into()), "{json}");
    let web = &json["workloads"][0];
    assert_eq!((&web["before"]["verdict"], &web["after"]["verdict"]), (&"stuck".into(), &"notKnown".into()), "{json}");
    assert_eq!(web["podsReplaced"], serde_json::json!(["web-1"]));
    let text = ends(&setscope(&["ways-out", "-f", file, "--try", line]), 1);
    assert!(
        text.contains("  before: stuck") && text.contains("  after:  not known: web-1 is to run in another zone"),
        "{text}"
    );
    // The text has one namespace, so a line need not name it.
    let short = "kubectl delete pod web-1 --force --grace-period=0";
    assert!(ends(&setscope(&["ways-out", "-f", file, "--try", short]), 1).contains("  after:  not known: web-1"));
    ends(&setscope(&["ways-out", "-f", file, "--try", "kubectl get pods"]), 2);
    // What is refused is told.
    for (wrong, words) in
        [("kubectl delete pod nobody", "refused: pods \"nobody\" not found"), ("kubectl dance", "refused: ")]
    {
        let told = ends(&setscope(&["ways-out", "-f", file, "--try", wrong]), 1);
        assert!(told.contains(words), "{told}");
    }
}

/// Whoever asks under a release that nobody recorded is told so by every verb, however the release is known.
#[test]
fn every_answer_says_that_its_release_was_not_recorded() {
    let home = folder("native-not-recorded");
    let file = |name: &str, text: String| {
        fs::write(home.join(name), text).unwrap();
        home.join(name).to_str().unwrap().to_owned()
    };
    let text = recorded("d06a-canary", 57);
    let node = text.lines().find_map(|line| line.trim().strip_prefix("nodeName: ")).unwrap().to_owned();
    let told = file("told.yaml", text.replace("kubeletVersion: v1.20.2", "kubeletVersion: v1.30.4-gke.1348000"));
    let silent = file("silent.yaml", text);
    let says = "run as v1.30, read from its source and not recorded";
    for form in ["text", "md", "json"] {
        let asked = |file: &str, more: &[&str]| {
            let verbs: [&[&str]; 5] = [
                &["diagnose", "-f", file],
                &["ways-out", "-f", file],
                &["ways-out", "-f", file, "--try", "kubectl scale sts web --replicas=2"],
                &["drain", "-f", file, &node],
                &["rollout", "-f", file, "-f", file],
            ];
            for verb in verbs {
                let text = said(&setscope(&[verb, more, &["-o", form]].concat()));
                assert!(text.contains(says), "{verb:?} {more:?} -o {form}\n{text}");
            }
        };
        asked(&told, &[]);
        asked(&silent, &["--release", "v1.30"]);
        let text = said(&setscope(&["release", "-f", &silent, "--to", "v1.30", "-o", form]));
        assert!(text.contains(says), "release -o {form}\n{text}");
    }
}

#[test]
fn a_manifest_without_a_namespace_is_in_the_default_one() {
    let file = kit::folder("tests/manifests/stateful-set.yaml");
    let scale = "kubectl scale sts web --replicas=2";
    // What is there of a manifest is not known.
    let text = ends(&setscope(&["ways-out", "-f", file.to_str().unwrap(), "--try", scale]), 3);
    assert!(text.contains("statefulset/web (namespace default)") && text.contains("done after"), "{text}");
}

#[test]
fn a_scenario_is_run_to_a_moment() {
    let file = kit::folder("www/scenarios/stuck-rollback.yaml");
    let text = ends(&setscope(&["run", file.to_str().unwrap(), "--until", "1m", "--get", "pods", "-o", "wide"]), 0);
    assert!(text.starts_with("NAME ") && text.contains("node-c"), "{text}");
    let template = r#"jsonpath={range .items[*]}{.metadata.name}{" it's "}{.status.phase}{"\n"}{end}"#;
    let names = ends(&setscope(&["run", file.to_str().unwrap(), "--until", "1m", "--get", "pods", "-o", template]), 0);
    assert!(names.contains("web-0 it's Running\n"), "{names}");
    ends(&setscope(&["run", file.to_str().unwrap(), "--get", "secrets"]), 2);
    ends(&setscope(&["run", "nowhere.yaml"]), 2);
}

const SET: &str = "apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: 'app:1'}]}
";

#[test]
fn a_rollout_is_told_before_anybody_applies_it() {
    let home = folder("rollout");
    let file = |name: &str, text: &str| {
        fs::write(home.join(name), text).unwrap();
        home.join(name).to_str().unwrap().to_owned()
    };
    let (old, new) = (file("old.yaml", SET), file("new.yaml", &SET.replace("app:1", "app:2")));
    let text = ends(&setscope(&["rollout", "-f", &old, "-f", &new]), 0);
    let at = |pod: &str| text.find(&format!("{pod} is deleted")).unwrap();
    assert!(at("web-2") < at("web-1") && at("web-1") < at("web-0"), "from the highest down: {text}");
    assert!(text.contains("at most 1 of 3 not ready"), "{text}");
    assert!(
        text.contains("If the new image does not become ready") && text.contains("web-2 holds the rollout"),
        "{text}"
    );
    // A change of a variable alone is tried as failing too, a change of the number of pods is not.
    let variable = SET.replace("image: 'app:1'", "image: 'app:1', env: [{name: LEVEL, value: debug}]");
    let text = ends(&setscope(&["rollout", "-f", &old, "-f", &file("variable.yaml", &variable)]), 0);
    let (_, trial) = text.split_once("If what the changed template starts does not become ready").unwrap();
    assert!(trial.contains("gets stuck with 1 of 3 not ready") && trial.contains("web-2 holds the rollout"), "{text}");
    let fewer = SET.replace("replicas: 3", "replicas: 2");
    let text = ends(&setscope(&["rollout", "-f", &old, "-f", &file("fewer.yaml", &fewer)]), 0);
    assert!(text.contains("touches no template"), "{text}");
    let stuck = ends(&setscope(&["rollout", "-f", &old, "-f", &new, "--never-ready", "app:2", "-o", "json"]), 1);
    let json: serde_json::Value = serde_json::from_str(&stuck).unwrap();
    assert!(
        json.pointer("/changes/0/change/workloads/0/doneAfterMilliseconds") == Some(&serde_json::Value::Null),
        "{stuck}"
    );
    let refused = file("refused.yaml", &SET.replace("serviceName: web", "serviceName: other"));
    let text = ends(&setscope(&["rollout", "-f", &old, "-f", &refused]), 1);
    assert!(text.contains("change is refused") && text.contains("Forbidden"), "{text}");
    // One file alone is a first rollout, and what cannot be read is no refusal.
    ends(&setscope(&["rollout", "-f", &old]), 0);
    ends(&setscope(&["rollout", "-f", &old, "-f", &file("broken.yaml", "["), "--release", "v1.36"]), 2);
}

/// Each pod that is made is rejected by its node, and the next one is made at once.
#[test]
fn a_rollout_without_an_end_is_cut_short_and_told_in_a_few_lines() {
    let endless = kit::folder("tests/cases").join("c22.yaml");
    let endless = endless.to_str().unwrap();
    let text = ends(&setscope(&["rollout", "-f", endless, "-f", endless]), 3);
    assert!(text.contains("more are created") && text.contains("not known (followed for "), "{text}");
    assert!(text.lines().count() < 40, "{text}");
}

#[test]
fn figures_are_the_same_at_every_making_and_told_when_they_are_not() {
    let home = folder("figures");
    let (scenario, file) = ("www/scenarios/stuck-rollback.yaml", home.join("stuck.svg"));
    let figure = |more: &[&str]| setscope(&[&["figure", scenario, "--at", "60s"], more].concat());
    let picture = ends(&figure(&[]), 0);
    assert_eq!(picture, ends(&figure(&["-o", "svg"]), 0));
    for part in
        ["<title>web: 2 of 3 Ready", "prefers-color-scheme:dark", "web-2 holds the rollout: it never becomes Ready"]
    {
        assert!(picture.contains(part), "{part}");
    }
    fs::write(&file, &picture).unwrap();
    let check = ["--check", file.to_str().unwrap()];
    assert_eq!(ends(&figure(&check), 0), "");
    let later = setscope(&[&["figure", scenario, "--at", "2m"][..], &check].concat());
    assert!(ends(&later, 1).contains("stuck.svg: out of date from line"));
    let html = ends(&figure(&["-o", "html", "--picture", "img/a&b.svg"]), 0);
    assert!(html.starts_with("<figure>\n<img src=\"img/a&amp;b.svg\" alt=\"web: 2 of 3 ready. web-2"), "{html}");
    let md = ends(&figure(&["-o", "md"]), 0);
    assert!(md.starts_with("![web: 2 of 3 ready. web-2 holds the rollout: it never becomes Ready. At "), "{md}");
    assert!(md.contains("](<stuck-rollback.svg>)\n\n**web-2 holds the rollout: it never becomes Ready.** "), "{md}");
}

/// The bytes of the picture are those that were drawn when this was written, on whatever machine: its letters are of no font of the machine.
#[test]
fn a_png_is_the_same_everywhere_and_told_when_it_is_not() {
    let file = folder("figure-png").join("stuck.png");
    let figure = |more: &[&str]| {
        let scenario = ["figure", "www/scenarios/stuck-rollback.yaml", "--at", "60s", "-o", "png"];
        setscope(&[&scenario, more].concat())
    };
    let drawn = figure(&[]).stdout;
    // As wide as two pixels for each of the picture's make it.
    assert!(drawn.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x07\x80"));
    let held = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/stuck-rollback.png");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&held, &drawn).unwrap();
    }
    assert!(
        fs::read(&held).unwrap() == drawn,
        "it is not the picture of {}: UPDATE_EXPECT=1 draws it anew",
        held.display()
    );
    fs::write(&file, &drawn).unwrap();
    let check = ["--check", file.to_str().unwrap()];
    assert_eq!(ends(&figure(&check), 0), "");
    fs::write(&file, &drawn[..100]).unwrap();
    assert!(ends(&figure(&check), 1).contains("stuck.png: out of date from byte 101 on"));
}

#[test]
fn every_verb_has_its_manual_page() {
    let page = ends(&setscope(&["man"]), 0);
    assert!(page.contains(".TH setscope") && page.contains("setscope\\-diagnose"), "{page}");
    assert!(ends(&setscope(&["man", "ways-out"]), 0).contains("\\-\\-try"));
    ends(&setscope(&["man", "nothing"]), 2);
}

#[test]
fn an_archive_of_a_release_has_every_manual_page_and_completion() {
    let home = folder("parts");
    ends(&setscope(&["parts", home.to_str().unwrap()]), 0);
    let names = |part: &str| -> Vec<String> {
        let entries = fs::read_dir(home.join(part)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let help = ends(&setscope(&["--help"]), 0);
    let verbs: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next()).collect();
    let verbs: Vec<_> =
        verbs.into_iter().filter(|verb| verb.starts_with(char::is_lowercase) && *verb != "help").collect();
    assert!(verbs.len() > 10 && !verbs.contains(&"parts"), "{verbs:?}");
    for verb in &verbs {
        assert!(ends(&setscope(&[verb, "--help"]), 0).contains("Exit status"), "{verb}");
    }
    let pages = names("man");
    for verb in verbs {
        assert!(pages.contains(&format!("setscope-{verb}.1")), "{verb}: {pages:?}");
    }
    let scripts = names("completions");
    for script in ["setscope.bash", "_setscope", "setscope.fish", "_setscope.ps1"] {
        assert!(scripts.contains(&script.to_owned()), "{scripts:?}");
    }
}

#[test]
fn scenarios_are_tested() {
    let home = folder("scenarios");
    let scenario = fs::read_to_string(kit::folder("www/scenarios/stuck-rollback.yaml")).unwrap();
    fs::write(home.join("good.yaml"), &scenario).unwrap();
    fs::write(home.join("manifest.yaml"), SET).unwrap();
    let text = ends(&setscope(&["test", home.to_str().unwrap()]), 0);
    assert!(text.contains("1 scenarios, 0 failed"), "{text}");
    let entry = "  - {at: 1, pod: web-0, status: Gone}\n";
    fs::write(home.join("wrong.yaml"), scenario.replace("assert:\n", &format!("assert:\n{entry}"))).unwrap();
    let text = ends(&setscope(&["test", home.to_str().unwrap()]), 1);
    assert!(text.contains("FAILED") && text.contains("wrong.yaml"), "{text}");
    fs::write(home.join("unreadable.yaml"), "setscope: 1\nrun: [{at: 0, do: nothing}]\n").unwrap();
    let xml = ends(&setscope(&["test", "-o", "junit", home.to_str().unwrap()]), 2);
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(
        xml.contains("good.yaml\"/>") && xml.contains("wrong.yaml\"><failure message=\"{&quot;at&quot;:1"),
        "{xml}"
    );
}

#[test]
fn the_plugin_asks_kubectl_and_nothing_but_get() {
    let home = with_kubectl("plugin", &[recorded("d02a-rollback", 55)]);
    let output = plugin(
        &home,
        &["sts/web", "-n", "prod", "--context", "far", "--user", "me", "--as", "ann", "--as-group", "dev"],
    )
    .env("KUBECONFIG", "/else/where")
    .output()
    .unwrap();
    let text = ends(&output, 1);
    assert!(text.contains("old-revision-blocks"), "{text}");
    assert_eq!(fs::read_to_string(home.join("kubeconfig")).unwrap(), "/else/where\n/else/where\n");
    let calls = fs::read_to_string(home.join("calls")).unwrap();
    assert_eq!(calls.lines().count(), 2, "{calls}");
    for call in calls.lines() {
        assert!(
            call.starts_with("get ")
                && call.ends_with("-o yaml --namespace prod --context far --user me --as ann --as-group dev"),
            "{call}"
        );
    }
    assert!(ends(&plugin(&home, &["--help"]).output().unwrap(), 0).contains("Exit status"));
    let text = ends(&plugin(&home, &["sts/web", "--ways-out"]).output().unwrap(), 1);
    assert!(text.contains("1. Delete web-2: well in about"), "{text}");
    ends(&plugin(&home, &["sts/other", "--ways-out"]).output().unwrap(), 2);
    ends(&plugin(&home, &["sts/other"]).output().unwrap(), 2);
    ends(&plugin(&home, &["web"]).output().unwrap(), 2);
}

#[test]
fn kubectl_completes_every_flag_of_the_plugin() {
    let home = with_kubectl("completed", &[String::new()]);
    let help = ends(&plugin(&home, &["--help"]).output().unwrap(), 0);
    let options = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let flags = options.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    let mut flags: Vec<&str> = flags.map(|flag| flag.split('[').next().unwrap()).collect();
    flags.sort_unstable();
    let completes = kit::folder("tools/krew/kubectl_complete-setscope");
    let output = Command::new("sh").arg(completes).args(["sts/web", "--"]).output().unwrap();
    let said = said(&output);
    let completed: Vec<&str> = said.lines().filter(|line| line.starts_with("--")).collect();
    assert_eq!(completed, flags);
}

#[test]
fn a_kubectl_that_answers_nothing_is_told() {
    let home = with_kubectl("refused", &[String::new()]);
    fs::write(home.join("kubectl"), "#!/bin/sh\necho 'error: forbidden' >&2\nexit 1\n").unwrap();
    let output = plugin(&home, &[]).output().unwrap();
    ends(&output, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("forbidden"));
}

#[test]
fn what_happens_is_shown_beside_what_was_predicted() {
    // Nobody does anything while web-1 rolls, then somebody scales: the prediction parts from what is seen.
    let home = with_kubectl("watch", &[recorded("d10a-loss-force", 120), recorded("d10a-loss-force", 260)]);
    let output =
        plugin(&home, &["sts/web", "--watch", "--lines=false", "--every", "1", "--times", "2"]).output().unwrap();
    let text = ends(&output, 1);
    assert_eq!(text.matches("PREDICTED").count(), 2, "{text}");
    let second = text.rsplit("after the first reading").next().unwrap();
    let row = second.lines().find(|line| line.contains("/web-1 ")).unwrap();
    assert!(!row.contains("differs"), "as predicted: {second}");
    let other = with_kubectl("parted", &[recorded("d02a-rollback", 55), recorded("d02a-rollback", 102)]);
    let text =
        ends(&plugin(&other, &["--watch", "--lines=false", "--every", "1", "--times", "2"]).output().unwrap(), 0);
    let second = text.rsplit("after the first reading").next().unwrap();
    let row = second.lines().find(|line| line.contains("/web-2 ")).unwrap();
    assert!(row.contains("differs"), "somebody deleted it meanwhile: {second}");
    // A reading that fails ends nothing.
    let state = recorded("d02a-rollback", 55);
    let shaky = with_kubectl("shaky", &[state.clone(), "kind: [".to_owned(), state]);
    let output = plugin(&shaky, &["--watch", "--lines=false", "--every", "1", "--times", "3"]).output().unwrap();
    assert_eq!(ends(&output, 1).matches("PREDICTED").count(), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1"), "{output:?}");
}

#[test]
fn a_log_of_a_watch_has_a_line_for_each_change() {
    let states =
        [("d02a-rollback", 55), ("d02a-rollback", 55), ("d02a-rollback", 102)].map(|(name, at)| recorded(name, at));
    let home = with_kubectl("lines", &states);
    let output = plugin(&home, &["--watch", "--every", "1", "--times", "3"]).output().unwrap();
    let text = ends(&output, 0);
    let lines: Vec<&str> = text.lines().collect();
    let stands: Vec<&&str> = lines.iter().filter(|line| line.contains(" statefulset/web in d02a-rollback: ")).collect();
    assert_eq!(stands.len(), 2, "{text}");
    assert!(stands[0].contains("stuck") && stands[1].contains("as it was asked to be"), "{text}");
    let of_pod: Vec<&&str> = lines.iter().filter(|line| line.contains(" pod d02a-rollback/web-2: ")).collect();
    assert_eq!(of_pod.len(), 2, "once as it was found, once as it was replaced: {text}");
    assert!(of_pod[1].contains("(predicted: ") && !text.contains("PREDICTED"), "{text}");
}

/// The status line and the body of what is served at a path.
fn fetched(host: &str, path: &str) -> (String, String) {
    let (head, body) = answer(host, path);
    (head.lines().next().unwrap().to_owned(), body)
}

/// The head and the body of what is served at a path.
fn answer(host: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

#[test]
fn the_page_is_served_to_who_has_the_address_with_the_state_once() {
    let text = recorded("d02a-rollback", 55);
    let home = with_kubectl("web", std::slice::from_ref(&text));
    for file in ["index.html", "offline.js"] {
        fs::write(home.join(file), "<!doctype html>").unwrap();
    }
    let arguments = ["--web", "--page", home.to_str().unwrap()];
    let mut child = plugin(&home, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().strip_prefix("http://").unwrap().to_owned();
    let (host, path) = address.split_once('/').unwrap();
    assert!(host.starts_with("127.0.0.1:"), "{address}");
    let token = path.strip_suffix("/?cluster").unwrap();
    // A browser opens connections ahead and asks for nothing on them.
    let idle = TcpStream::connect(host).unwrap();
    let page = fetched(host, &format!("/{token}/?cluster"));
    drop(idle);
    let state = fetched(host, &format!("/{token}/cluster.yaml"));
    let again = fetched(host, &format!("/{token}/cluster.yaml"));
    let guessed = fetched(host, "/index.html");
    // Nothing may keep the page in the browser under an address that ends.
    let worker = fetched(host, &format!("/{token}/offline.js"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(page.1, "<!doctype html>");
    assert_eq!(state.1, text);
    assert!(
        [&again, &guessed, &worker].iter().all(|(head, _)| head.contains("404")),
        "{again:?} {guessed:?} {worker:?}"
    );
}

#[test]
fn the_page_is_served_with_few_file_handles() {
    let home = with_kubectl("few-handles", &[recorded("d02a-rollback", 55)]);
    fs::write(home.join("index.html"), "<!doctype html>").unwrap();
    let script = "ulimit -n 32; exec \"$0\" \"$@\"";
    let path = format!("{}:{}", home.display(), std::env::var("PATH").unwrap());
    let mut limited = Command::new("sh");
    limited.args(["-c", script, home.join("kubectl-setscope").to_str().unwrap(), "--web", "--page"]).arg(&home);
    let mut child = limited.env("PATH", path).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().strip_prefix("http://").unwrap().trim_end_matches("?cluster").to_owned();
    let (host, folder) = address.split_once('/').unwrap();
    let idle: Vec<TcpStream> = (0..10).map(|_| TcpStream::connect(host).unwrap()).collect();
    let page = fetched(host, &format!("/{folder}"));
    drop(idle);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(page.1, "<!doctype html>", "{page:?}");
}

#[test]
fn the_page_is_served_as_the_docs_ask_of_a_host() {
    let docs = fs::read_to_string(kit::folder("docs/hosting.md")).unwrap();
    let (_, asked) = docs.split_once("```http\n").unwrap();
    let asked: Vec<&str> = asked.split_once("```").unwrap().0.lines().collect();
    let home = with_kubectl("hosting", &[recorded("d02a-rollback", 55)]);
    let page = home.join("page");
    for folder in ["scenarios", "schemas"] {
        fs::create_dir_all(page.join(folder)).unwrap();
    }
    let gets: Vec<(&str, &str)> = asked.iter().filter_map(|line| line.strip_prefix("GET ")?.split_once(' ')).collect();
    for (path, _) in gets.iter().filter(|(_, status)| *status == "200").chain(&[("/index.html", "200")]) {
        fs::write(page.join(&path[1..]), "x").unwrap();
    }
    let arguments = ["--web", "--page", page.to_str().unwrap()];
    let mut child = plugin(&home, &arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().strip_prefix("http://").unwrap().trim_end_matches("?cluster").to_owned();
    let (host, folder) = address.split_once('/').unwrap();
    let heads: Vec<String> = gets.iter().map(|(path, _)| answer(host, &format!("/{folder}{}", &path[1..])).0).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(gets.len() >= 5, "{asked:?}");
    for ((path, status), head) in gets.iter().zip(heads) {
        assert!(head.lines().next().unwrap().contains(status), "{path}: {head}");
        let at = asked.iter().position(|line| *line == format!("GET {path} {status}")).unwrap();
        if let Some(kind) = asked.get(at + 1).filter(|line| line.starts_with("Content-Type: ")) {
            assert!(head.to_lowercase().contains(&kind.to_lowercase()), "{path}: {head}");
        }
    }
}

/// A kubectl that prints an empty list, as the real one does where nothing answers or nothing may be read, and ends so.
fn with_empty_kubectl(name: &str, says: &str, status: i32) -> PathBuf {
    let home = folder(name);
    let script = format!(
        "#!/bin/sh\nprintf 'apiVersion: v1\\nitems: []\\nkind: List\\nmetadata:\\n  resourceVersion: \"\"\\n'\nprintf '{says}' >&2\nexit {status}\n"
    );
    fs::write(home.join("kubectl"), script).unwrap();
    fs::set_permissions(home.join("kubectl"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink(SETSCOPE, home.join("kubectl-setscope")).unwrap();
    home
}

#[test]
fn a_server_that_does_not_answer_is_told_once_in_kubectls_words() {
    let refused = "The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?";
    let home = with_empty_kubectl("plugin-down", &format!("{refused}\\n{refused}\\n"), 1);
    for arguments in [&[][..], &["--watch", "--times", "1"], &["--web"]] {
        let output = plugin(&home, arguments).output().unwrap();
        ends(&output, 2);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("setscope: kubectl: {refused}\n"));
    }
}

#[test]
fn what_is_there_is_not_nothing_because_of_what_an_annotation_says() {
    let pod = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    annotations: {x: 'items: []'}\n";
    let home = with_kubectl("plugin-items", &[pod.to_owned()]);
    assert!(ends(&plugin(&home, &[]).output().unwrap(), 3).contains("pod/a"));
}

#[test]
fn a_kubectl_that_a_signal_ends_is_told() {
    let home = with_kubectl("plugin-killed", &[String::new()]);
    fs::write(home.join("kubectl"), "#!/bin/sh\necho 'apiVersion: v1'\nkill -9 $$\n").unwrap();
    let output = plugin(&home, &[]).output().unwrap();
    ends(&output, 2);
    assert!(String::from_utf8(output.stderr).unwrap().contains("signal: 9"));
}

#[test]
fn kubectl_ends_with_what_ends_the_plugin() {
    let home = with_kubectl("plugin-ended", &[String::new()]);
    fs::write(home.join("kubectl"), "#!/bin/sh\necho $$ >asked.new\nmv asked.new asked\nexec sleep 60\n").unwrap();
    let mut child = plugin(&home, &[]).current_dir(&home).stderr(Stdio::null()).spawn().unwrap();
    let until = |is_so: &mut dyn FnMut() -> bool| {
        (0..2_000).any(|_| {
            is_so() || {
                std::thread::sleep(Duration::from_millis(10));
                false
            }
        })
    };
    assert!(until(&mut || home.join("asked").exists()), "kubectl is asked");
    let kubectl = fs::read_to_string(home.join("asked")).unwrap();
    let signal =
        |name: &str, to: &str| Command::new("kill").args([name, to.trim()]).stderr(Stdio::null()).status().unwrap();
    assert!(signal("-TERM", &child.id().to_string()).success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(until(&mut || !signal("-0", &kubectl).success()), "kubectl is still there");
}

#[test]
fn an_empty_namespace_is_told_with_the_ways_to_another() {
    let home = with_empty_kubectl("plugin-empty", "No resources found in default namespace.\\n", 0);
    let output = plugin(&home, &[]).output().unwrap();
    ends(&output, 2);
    assert!(String::from_utf8(output.stderr).unwrap().contains("name the namespace with -n"));
}
