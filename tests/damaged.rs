//! Texts that somebody damaged by hand or a tool cut: each ends soon, with a status and a word about what is wrong.
#![allow(clippy::unwrap_used, clippy::disallowed_types, reason = "a test, which waits no longer than a person does")]
#![cfg(unix)]

use setscope::session::scenario;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");

/// The longest that a text may take here, in a program that is not optimized, on a machine that does other things beside. The 20 s of
/// the program as it is handed out are held by `./dev fuzz`.
const LIMIT: Duration = Duration::from_secs(180);

/// Each text, the command's status for it, and the words that it says.
const TEXTS: [(&str, i32, &str); 19] = [
    (
        "b01-no-operator.yaml",
        2,
        "line 1, column 1: ReplicaSet a: no cluster has it: `spec.selector`: \"Is\" is not a valid",
    ),
    (
        "b01-selector-expression-rs.yaml",
        2,
        "line 1, column 1: ReplicaSet a: no cluster has it: `spec.selector` (!a) does not match",
    ),
    (
        "b01-selector-labels-cloneset.yaml",
        2,
        "line 1, column 1: CloneSet a: no cluster has it: `spec.selector` (a=b) does not match",
    ),
    (
        "b01-selector-labels-deploy.yaml",
        2,
        "line 1, column 1: Deployment a: no cluster has it: `spec.selector` (a=b) does not match",
    ),
    (
        "b01-selector-labels-ds.yaml",
        2,
        "line 1, column 1: DaemonSet a: no cluster has it: `spec.selector` (a=b) does not match",
    ),
    (
        "b01-selector-labels-rs.yaml",
        2,
        "line 1, column 1: ReplicaSet a: no cluster has it: `spec.selector` (a=b) does not match",
    ),
    ("b02-revision-data.yaml", 0, ""),
    ("b03-not-stuck-1500.yaml", 0, "by itself in about 18"),
    ("b03-stuck-by-count.yaml", 0, "by itself in about 23"),
    ("b06-leak.json", 0, "statefulset/w (namespace d): not there yet"),
    ("b07-escape.json", 1, "Webhook \\u{1b}]0;PWN"),
    ("b08-uid-twice.json", 0, "several objects have one: owners are told by their names"),
    ("b08-uids-as-they-were.yaml", 0, "as it was asked to be"),
    ("b08-uids-redacted.yaml", 0, "as it was asked to be"),
    ("b09-time-9999.yaml", 1, "are ahead of all others, and are taken as the present: Node n1"),
    ("b10-event-null.yaml", 1, "it stays so until ResourceQuota q"),
    ("b12-nothing.yaml", 0, "pod/a (namespace default)"),
    ("b14-counts-at-their-end.yaml", 1, "restarted 2147483647 times"),
    (
        "c28-redacted-labels.yaml",
        2,
        "line 4, column 1: CloneSet web: no cluster has it: `spec.selector` (app=web) does not match \
         `spec.template.metadata.labels` (app=pinned); probably labels were redacted",
    ),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/damaged")
}

/// The status of `setscope diagnose` for a text, and all that it says.
fn diagnosed(path: &str) -> (Option<i32>, String) {
    let mut command = Command::new(SETSCOPE);
    command.args(["diagnose", "-f", path]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, since) = (command.spawn().unwrap(), Instant::now());
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if since.elapsed() > LIMIT => {
                child.kill().unwrap();
                panic!("{path} takes longer than {LIMIT:?}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut said = String::new();
    child.stdout.unwrap().read_to_string(&mut said).unwrap();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    (status.code(), said)
}

#[test]
fn each_damaged_text_ends_soon_with_a_word() {
    let mut files: Vec<String> =
        fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, TEXTS.map(|(name, ..)| name), "each has its expectation");
    for (name, status, words) in TEXTS {
        let (ended, said) = diagnosed(folder().join(name).to_str().unwrap());
        assert_eq!(ended, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
        assert!(status != 2 || said.trim_end().lines().count() == 1, "one line: {said}");
    }
}

#[test]
fn a_scenario_starts_with_no_workload_that_no_cluster_has() {
    for kind in ["apps/v1/StatefulSet", "apps/v1/Deployment", "apps/v1/ReplicaSet", "apps/v1/DaemonSet"]
        .into_iter()
        .chain(["apps.kruise.io/v1beta1/CloneSet", "apps.kruise.io/v1beta1/StatefulSet"])
    {
        let (version, kind) = kind.rsplit_once('/').unwrap();
        let text = format!(
            "setscope: 1\nobjects:\n- apiVersion: {version}\n  kind: {kind}\n  metadata: {{name: a, namespace: d, uid: u}}\n  \
             spec: {{selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: c}}}}, \
             spec: {{containers: [{{name: c, image: i}}]}}}}}}\n"
        );
        let refusal = format!("{:?}", scenario::read(&text).unwrap_err());
        assert!(refusal.contains("no cluster has it: `spec.selector`"), "{refusal}");
    }
}
