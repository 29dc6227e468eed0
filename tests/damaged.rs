//! Texts that somebody damaged by hand or a tool cut: each ends soon, with a status and a word about what is wrong.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

use setscope::session::dump::{self, Options};
use setscope::session::scenario::{self, About};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");

/// Seconds of a processor's time and KiB of memory that a line may take, in a program that is not optimized too.
const LIMITS: (u32, u32) = (20, 1 << 20);

/// Each text, the command's status for it, and the words that it says.
const TEXTS: [(&str, i32, &str); 23] = [
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
    ("b02-revision-data.yaml", 3, "There is no workload here"),
    ("b03-not-stuck-1500.yaml", 0, "by itself in about 18"),
    ("b03-stuck-by-count.yaml", 0, "by itself in about 23"),
    ("b06-leak.json", 0, "statefulset/w (namespace d): not there yet"),
    ("b07-escape.json", 1, "webhook \\u{1b}]0;PWN"),
    ("b08-uid-twice.json", 0, "several objects have one: owners are told by their names"),
    ("b08-uids-as-they-were.yaml", 0, "as it was asked to be"),
    ("b08-uids-redacted.yaml", 0, "as it was asked to be"),
    ("b09-time-9999.yaml", 3, "are ahead of all others, and are taken as the present: Node n1"),
    ("b10-event-null.yaml", 1, "it stays so until ResourceQuota q"),
    ("b12-nothing.yaml", 3, "pod/a (namespace default): not known"),
    ("b14-counts-at-their-end.yaml", 1, "restarted 2147483647 times"),
    (
        "b15-replicas-below-0.yaml",
        2,
        "line 1, column 1: StatefulSet a: no cluster has it: `spec.replicas` is -2147483648",
    ),
    ("b16-statuses-at-their-ends.yaml", 3, "statefulset/sts-up (namespace d): not known"),
    ("b17-deadline.yaml", 3, "pod/own (namespace d): not known: own has activeDeadlineSeconds"),
    ("b18-pod-without-time.yaml", 1, "secret \"s\""),
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
    ends(&["diagnose", "-f", path])
}

/// The status of a line, and all that it says; no status where it asks for more than it may.
fn ends(arguments: &[&str]) -> (Option<i32>, String) {
    let script = format!("ulimit -t {}; ulimit -v {}; exec \"$0\" \"$@\"", LIMITS.0, LIMITS.1);
    let mut command = Command::new("sh");
    command.args(["-c", &script, SETSCOPE]).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
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

/// The verbs that answer about a cluster's text.
const VERBS: [&[&str]; 6] = [
    &["diagnose"],
    &["ways-out"],
    &["ways-out", "--try", "kubectl rollout restart sts/w -n d"],
    &["upgrade"],
    &["release", "--to", "v1.36"],
    &["rollout"],
];

#[test]
fn every_answer_says_what_was_made_of_a_damaged_text() {
    let twice = folder().join("b08-uid-twice.json").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.yaml");
    fs::write(&cut, fs::read_to_string(&twice).unwrap() + "\n---\nkind: Pod\n  metadata: [\n").unwrap();
    let cut = cut.to_str().unwrap();
    for (text, words) in [(&*twice, "owners are told by their names"), (cut, "is left out with its document")] {
        for (verb, form) in VERBS.into_iter().flat_map(|verb| ["text", "md", "json"].map(|form| (verb, form))) {
            let change: &[&str] = if verb == ["rollout"] { &["-f", &twice] } else { &[] };
            let (ended, said) = ends(&[verb, &["-f", text], change, &["-o", form]].concat());
            // What is there before a change has to be read whole.
            let is_refused = verb == ["rollout"] && text == cut;
            assert_eq!(ended == Some(2), is_refused, "{verb:?} {form}: {said}");
            assert!(is_refused || said.contains(words), "{verb:?} {form}: {said}");
        }
    }
}

#[test]
fn no_answer_is_that_all_is_well_where_a_part_is_not_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("cluster.yaml");
    let well = fs::read_to_string(self::folder().join("b08-uids-as-they-were.yaml")).unwrap();
    let other = r#"{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "own-0", "namespace": "d", "uid": "own-0",
        "ownerReferences": [{"apiVersion": "example.com/v1", "kind": "Shard", "name": "own", "uid": "s", "controller": true}]},
        "spec": {"containers": [{"name": "c", "image": "i"}]}, "status": {"phase": "Pending"}}"#;
    fs::write(&text, format!("{well}\n---\n{other}\n")).unwrap();
    for (verb, form) in VERBS[..5].iter().flat_map(|verb| ["text", "md", "json"].map(|form| (verb, form))) {
        let (ended, said) = ends(&[verb, &["-f", text.to_str().unwrap(), "-o", form][..]].concat());
        assert_eq!(ended, Some(3), "{verb:?} {form}: {said}");
        assert!(said.contains("own") && said.contains("hard"), "{verb:?} {form}: {said}");
    }
}

/// None of its pods is there yet, and its status does not say how many it asks for.
#[test]
fn many_new_pods_of_a_daemon_set_are_no_reason_to_give_up() {
    let folder = tempfile::tempdir().unwrap();
    let node = |at: usize| {
        format!(
            "{{apiVersion: v1, kind: Node, metadata: {{name: n{at}, uid: n{at}}}, status: {{allocatable: {{pods: '1000'}}, \
             conditions: [{{type: Ready, status: 'True'}}]}}}}\n---\n"
        )
    };
    let workload = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: w, namespace: d, uid: w}, spec: {selector: \
        {matchLabels: {a: w}}, template: {metadata: {labels: {a: w}}, spec: {containers: [{name: c, image: i}]}}}}\n";
    let file = folder.path().join("cluster.yaml");
    fs::write(&file, (0..350).map(node).collect::<String>() + workload).unwrap();
    let (ended, said) = diagnosed(file.to_str().unwrap());
    assert_eq!(ended, Some(0), "{said}");
}

/// Each sync makes a pod and deletes it again, for ever: whoever follows that has to give up.
#[test]
fn what_is_given_up_is_not_known_and_neither_stuck_nor_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("cluster.yaml");
    let kinds = "sts,pods,controllerrevisions,nodes";
    let (ended, said) = ends(&["run", SCENARIO, "--until", "40300ms", "--get", kinds, "-o", "yaml"]);
    assert_eq!(ended, Some(0), "{said}");
    fs::write(&text, said).unwrap();
    let text = text.to_str().unwrap();
    let verbs: [&[&str]; 9] = [
        &["diagnose", "--release", "v1.37"],
        &["diagnose", "--release", "v1.37", "-o", "json"],
        &["diagnose", "--release", "v1.37", "-o", "md"],
        &["ways-out", "--release", "v1.37"],
        &["ways-out", "--release", "v1.37", "--try", "kubectl annotate sts web a=b"],
        &["release", "--to", "v1.37"],
        &["rollout", "--release", "v1.37", "-f", text],
        &["rollout", "--release", "v1.37", "-o", "junit", "-f", text],
        &["rollout", "--release", "v1.37", "-o", "sarif", "-f", text],
    ];
    for verb in verbs {
        let (ended, said) = ends(&[verb, &["-f", text]].concat());
        assert_eq!(ended, Some(3), "{verb:?}: {said}");
        let words = said.to_lowercase();
        assert!(words.contains("not known") || words.contains("notknown"), "{verb:?}: {said}");
        assert!(words.contains(" events and ") || verb.contains(&"json"), "{verb:?}: {said}");
        for wrong in ["stays stuck", "nothing ends this", "\"ruleid\": \"stuck\"", "no pod is touched"] {
            assert!(!words.contains(wrong), "{verb:?}: {said}");
        }
    }
}

#[test]
fn what_is_at_its_end_or_missing_is_counted_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("cluster.yaml");
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"allocatable":{"pods":"50"},"conditions":[{"status":"True","type":"Ready"}]}}"#;
    let last = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"d","uid":"u","generation":9223372036854775807},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"image":"i","name":"c"}]}}}}"#;
    let pod = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d","uid":"p"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]},"status":{"phase":"Pending"}}"#;
    let event = r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"d"},"involvedObject":{"kind":"Pod","name":"p","namespace":"d"},"reason":"FailedMount","message":"m","type":"Warning","count":3,"lastTimestamp":"2026-10-21T10:00:00Z"}"#;
    for objects in [[node, last], [pod, event]] {
        fs::write(&text, objects.join("\n---\n")).unwrap();
        for verb in [&["release", "--to", "v1.36"][..], &["ways-out", "-o", "json"]] {
            let (ended, said) = ends(&[verb, &["-f", text.to_str().unwrap()]].concat());
            assert!(ended.is_some_and(|status| status <= 3), "{verb:?}: {said}");
        }
    }
}

#[test]
fn lines_about_many_pods_end_soon() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("cluster.yaml");
    let many = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"d","uid":"u"},"spec":{"replicas":500,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"image":"i","name":"c"}]}}}}"#;
    let node = r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"pods":"5000"},"conditions":[{"status":"True","type":"Ready"}]}}"#;
    fs::write(&text, [many, node].join("\n---\n")).unwrap();
    let (ended, said) = ends(&["release", "--to", "v1.36", "-f", text.to_str().unwrap()]);
    assert_eq!(ended, Some(0), "{said}");
}

#[test]
fn a_scenario_starts_with_no_objects_that_uids_do_not_tell_apart() {
    let text = |set: &str, pod: &str, owner: &str| {
        format!(
            "setscope: 1\nobjects:\n- {{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: w, namespace: d, uid: {set:?}}}, \
             spec: {{selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, \
             spec: {{containers: [{{name: c, image: i}}]}}}}}}}}\n- {{apiVersion: v1, kind: Pod, metadata: {{name: w-0, \
             namespace: d, uid: {pod:?}, labels: {{a: b}}, ownerReferences: [{{apiVersion: apps/v1, kind: StatefulSet, \
             name: w, uid: {owner:?}, controller: true}}]}}}}\n"
        )
    };
    assert!(scenario::read(&text("u", "v", "u")).is_ok());
    // The owner of this name is another one now.
    assert!(scenario::read(&text("u", "v", "earlier")).is_ok());
    // A uid that is missing can be any, as long as nothing names it.
    assert!(scenario::read(&text("u", "", "u")).is_ok());
    let twice = "objects[0]: StatefulSet w has the uid of another object; give each its own";
    let owner = "objects[1]: the uid by which Pod w-0 names its owner says nothing; give the owner one of its own, and name it by that";
    for (set, pod, named, words) in [("u", "u", "u", twice), ("u", "v", "", owner), ("", "v", "u", owner)] {
        let refusal = scenario::read(&text(set, pod, named)).unwrap_err();
        assert_eq!(refusal.messages().collect::<Vec<_>>(), [words]);
    }
}

const SCENARIO: &str = "www/scenarios/parallel-livelock.yaml";
const WELL: &str = "tests/damaged/b08-uids-as-they-were.yaml";

/// Lines that ask for too much or for nothing, each with its status and its words.
const LINES: [(&[&str], i32, &str); 10] = [
    (&["run", SCENARIO, "--until", "160h"], 0, "pod/web-0"),
    (&["run", SCENARIO, "--until", "9223372036854775807ms"], 2, "a run is followed for a week at most"),
    (&["run", SCENARIO, "--until", "2562047788015h"], 2, "a run is followed for a week at most"),
    (&["rollout", "--nodes", "1000000", "-f", WELL, "-f", WELL], 2, "at most 5000 nodes are simulated"),
    (&["rollout", "--nodes", "18446744073709551615", "-f", WELL, "-f", WELL], 2, "at most 5000 nodes are simulated"),
    (&["upgrade", "--return", "9223372036854775807ms", "-f", WELL], 1, "invalid time interval"),
    (&["diagnose", "-f", "/dev/zero"], 2, "at most 67108864 are read"),
    (&["test", "tests/vectors"], 2, "there is no scenario in tests/vectors"),
    (&["ways-out", "-o", "md", "-f", WELL], 0, "Every workload gets well by itself, or is well."),
    (&["cluster", "--watch", "--every", "0"], 2, "0 is not in 1.."),
];

#[test]
fn what_asks_for_too_much_or_for_nothing_is_told_so() {
    for (line, status, words) in LINES {
        let (ended, said) = ends(line);
        assert_eq!(ended, Some(status), "{line:?}: {said}");
        assert!(said.contains(words), "{line:?}: {said}");
    }
}

#[test]
fn a_folder_that_leads_back_to_itself_is_looked_through_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios/on-delete.yaml"), folder.path().join("a.yaml"))
        .unwrap();
    for (name, to) in [("one", "."), ("other", "..")] {
        std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
    }
    let (ended, said) = ends(&["test", folder.path().to_str().unwrap()]);
    assert_eq!((ended, said.lines().last()), (Some(0), Some("1 scenarios, 0 failed, 0 could not be read")), "{said}");
}

#[test]
fn a_text_is_read_in_the_letters_of_power_shell_and_one_that_is_cut_off_is_told_so() {
    let (folder, text) =
        (tempfile::tempdir().unwrap(), fs::read_to_string(folder().join("b08-uids-as-they-were.yaml")).unwrap());
    let file = folder.path().join("cluster.yaml");
    let said_of = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        diagnosed(file.to_str().unwrap())
    };
    let whole = said_of(text.as_bytes());
    for mark in ["\u{feff}", ""] {
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let units: Vec<u8> = format!("{mark}{text}").encode_utf16().flat_map(bytes).collect();
            assert_eq!(said_of(&units), whole, "{mark:?}");
        }
    }
    let (ended, said) = said_of(&text.as_bytes()[..300]);
    assert!(ended == Some(2) && said.contains("may be cut off at its end"), "{said}");
}

#[test]
fn whoever_has_read_enough_is_no_error_and_what_cannot_be_written_is() {
    let place = tempfile::tempdir().unwrap();
    let text = folder().join("b08-uids-as-they-were.yaml");
    let shell = |line: &str| {
        let line = format!("{{ {SETSCOPE} diagnose -f {} {line}", text.display());
        Command::new("sh").args(["-c", &line]).current_dir(place.path()).status().unwrap().code()
    };
    // The status of what is before the bar.
    assert_eq!(shell("; echo $? >&2; } 2>status | true; exit $(cat status)"), Some(0));
    if std::path::Path::new("/dev/full").exists() {
        assert_eq!(shell(">/dev/full 2>/dev/full; }"), Some(2));
    }
}

#[test]
fn nothing_of_a_text_reaches_a_terminal_or_markdown_with_power_over_it() {
    for form in ["text", "md"] {
        let text = folder().join("b07-escape.json");
        let (_, said) = ends(&["diagnose", "-o", form, "-f", text.to_str().unwrap()]);
        assert!(!said.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\t'), "{said}");
    }
}

#[test]
fn a_set_and_its_copy_that_name_one_revision_are_opened_again_from_their_link() {
    let set = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\n\
             metadata: {{name: {name}, namespace: d, uid: {name}, generation: 1, creationTimestamp: '2026-01-31T11:00:00Z'}}\n\
             spec: {{replicas: 1, serviceName: a, selector: {{matchLabels: {{a: {name}}}}}, template: {{metadata: {{labels: {{a: {name}}}}}, \
             spec: {{containers: [{{name: c, image: i}}]}}}}}}\n\
             status: {{replicas: 1, readyReplicas: 1, observedGeneration: 1, currentRevision: a-1, updateRevision: a-1}}\n"
        )
    };
    let text = ["web", "copy"].map(set).join("---\n");
    let session = dump::open(&text, &Options::default()).unwrap().session(1).unwrap();
    let link = scenario::write_redacted(&session, &About::default());
    assert!(scenario::read(&link).is_ok(), "{:?}", scenario::read(&link).unwrap_err());
}

#[test]
fn what_was_cut_out_is_told_of_the_namespace_that_is_asked_for() {
    let pod = |space: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: in-{space}, namespace: {space}, uid: {space}}}\n\
             spec: {{nodeName: n1, containers: [{{name: c, image: i}}]}}\nstatus: {{phase: Pending}}\n"
        )
    };
    let text = ["a", "b"].map(pod).join("---\n");
    let options = Options { namespace: Some("a".into()), ..Options::default() };
    let dump = dump::open(&text, &options).unwrap();
    let said: Vec<String> = dump.assumptions.iter().map(|one| one.text.to_string()).collect();
    let of = |name: &str| said.iter().any(|one| one.contains("metadata.creationTimestamp") && one.contains(name));
    assert!(of("in-a") && !of("in-b"), "{said:?}");
}

/// No API server prints such a node for longer than a minute; people cut conditions out.
#[test]
fn a_node_of_which_nothing_says_whether_it_is_ready_makes_what_needs_it_not_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cluster.yaml");
    let said_of = |node: &str, pod: &str| {
        let metadata = |name: &str| {
            format!("{{name: {name}, namespace: d, uid: {name}, creationTimestamp: '2026-01-01T00:00:00Z'}}")
        };
        let node =
            format!("apiVersion: v1\nkind: Node\nmetadata: {}\n{node}", metadata("n1").replace("namespace: d, ", ""));
        let pod = format!("apiVersion: v1\nkind: Pod\nmetadata: {}\n{pod}", metadata("a"));
        fs::write(&file, format!("{node}\n---\n{pod}\n")).unwrap();
        diagnosed(file.to_str().unwrap())
    };
    let pod = |node: &str, ready: &str| {
        format!(
            "spec: {{{node}containers: [{{name: c, image: i}}]}}\nstatus: {{phase: {}, startTime: '2026-01-01T00:00:00Z', {}conditions: [{{type: Ready, status: '{ready}'}}]}}",
            if ready == "True" { "Running" } else { "Pending" },
            if ready == "True" {
                "containerStatuses: [{name: c, image: i, imageID: i, ready: true, restartCount: 0, state: {running: {startedAt: '2026-01-01T00:00:00Z'}}}], "
            } else {
                ""
            }
        )
    };
    let (there, anywhere) = (pod("nodeName: n1, ", "False"), pod("", "False"));
    for node in [
        "",
        "status: {}",
        "status: {conditions: []}",
        "status: {conditions: [{type: MemoryPressure, status: 'False'}]}",
        "status: {conditions: [{type: Ready}]}",
    ] {
        for pod in [&there, &anywhere] {
            let (ended, said) = said_of(node, pod);
            assert_eq!(ended, Some(3), "{node}: {said}");
            assert!(said.contains("the text does not say whether that is Ready"), "{node}: {said}");
            assert!(said.contains("kubectl get node n1 -o yaml"), "{node}: {said}");
        }
        // It could not be so where the node was lost.
        let (ended, said) = said_of(node, &pod("nodeName: n1, ", "True"));
        assert_eq!(ended, Some(0), "{node}: {said}");
        assert!(said.contains("n1 is taken to be Ready"), "{node}: {said}");
    }
    // What the text does say counts.
    for node in [
        "status: {conditions: [{type: Ready, status: Unknown}]}",
        "spec: {taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]}",
    ] {
        let (_, said) = said_of(node, &there);
        assert!(!said.contains("does not say whether"), "{node}: {said}");
    }
}

#[test]
fn numbers_at_their_limits_in_a_status_or_a_strategy_are_counted_with() {
    let pod = |owner: &str| {
        let owner = format!("ownerReferences: [{{{owner}, name: w, uid: w, controller: true}}]");
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: w-0, namespace: d, uid: p, labels: {{a: b}}, {owner}}}\nspec: {{containers: [{{name: c, image: i}}]}}\n"
        )
    };
    let template = "selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}";
    for count in [i32::MAX, i32::MIN, -1] {
        for (owner, spec, status) in [
            ("apiVersion: apps/v1, kind: StatefulSet", "serviceName: s, ".to_owned(), format!("replicas: {count}")),
            (
                "apiVersion: apps/v1, kind: Deployment",
                String::new(),
                format!("replicas: {count}, readyReplicas: {count}"),
            ),
            (
                "apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet",
                format!(
                    "updateStrategy: {{maxUnavailable: {count}, maxSurge: {count}}}, scaleStrategy: {{maxUnavailable: {count}}}, "
                ),
                "replicas: 1".to_owned(),
            ),
        ] {
            let workload = owner.replace(", ", "\n");
            let text = format!(
                "{workload}\nmetadata: {{name: w, namespace: d, uid: w}}\nspec: {{replicas: 3, {spec}{template}}}\nstatus: {{{status}}}\n{}",
                pod(owner)
            );
            let mut file = tempfile::NamedTempFile::new().unwrap();
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            for verb in ["diagnose", "upgrade"] {
                let (ended, said) = ends(&[verb, "-f", file.path().to_str().unwrap()]);
                assert!(
                    matches!(ended, Some(0..=3)) && !said.contains("panicked"),
                    "{count} {owner}: {ended:?} {said}"
                );
            }
        }
    }
}
