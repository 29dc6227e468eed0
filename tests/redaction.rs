//! What leaves is only what is meant to leave: links, saved runs, reports and pictures of a real cluster's run hold what the
//! simulation reads, and are the same run.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

mod marks;
mod words;

use crate::kit;
use marks::{MARK, documents, marked};

use serde_json::Value;
use setscope::diagnosis::{CONDITIONS, Diagnosis, Gist, Told, diagnose};
use setscope::kubectl::manifest::Listing;
use setscope::objects::ObjectRef;
use setscope::session::Session;
use setscope::session::comparison;
use setscope::session::dump::{self, Options};
use setscope::session::lanes::Lanes;
use setscope::session::redact;
use setscope::session::scenario::{self, About};
use setscope::session::variants::Variant;
use setscope::view::Export;
use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|ending| ["yaml", "json", "txt"].iter().any(|own| ending == *own)) {
            all.push(path);
        }
    }
}

/// Whether the text is objects alone.
fn is_objects(text: &str) -> bool {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let (objects, unreadable) = listing.finish();
    unreadable.is_none() && !objects.is_empty() && objects.iter().all(|listed| listed.value["kind"].is_string())
}

/// Every text of the tests that a person could open, with a name. What `verdict` and `stories` open is made of the scenarios that
/// `golden` has states of, which start from nothing.
fn written() -> Vec<(String, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    for folder in ["cases", "damaged", "diagnosis", "forms", "manifests", "rollout", "what_ifs"] {
        files(&home.join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&home).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    };
    paths.iter().map(read).collect()
}

/// Those of objects alone, and every recorded moment.
fn texts() -> Vec<(String, String)> {
    let written = written().into_iter().filter(|(_, text)| is_objects(text));
    let recorded = kit::dumps().into_iter().map(|(name, moment, text)| (format!("{name} at {moment}"), text));
    written.chain(recorded).collect()
}

fn run(text: &str) -> Option<Session> {
    dump::open(text, &Options::default()).ok()?.session(1).ok()
}

/// Everything that can be made of a run for others.
fn leaving(session: &Session, (link_alone, has_figure): (bool, bool)) -> Vec<(String, String)> {
    let about = About::default();
    let link = ("link".to_owned(), scenario::write_redacted(session, &about));
    if link_alone {
        return vec![link];
    }
    let passed_on = scenario::run_redacted(session).unwrap();
    let set = passed_on.cluster().workloads().next().map(|object| object.reference());
    let mut all = vec![link];
    for (export, name, _) in Export::ALL {
        all.push((name.to_owned(), export.text(&passed_on, &about, set.as_ref())));
    }
    for (variant, name) in Variant::ALL {
        let lanes = set.iter().flat_map(|set| variant.lanes(session, set)).collect();
        if let Ok(lanes) = Lanes::start(lanes, 1, 3) {
            all.push((name.to_owned(), comparison::write(&lanes, &about)));
        }
    }
    if has_figure {
        all.push(("figure".to_owned(), figure(session)));
    }
    all
}

/// Of every how many-th text a figure is made, by the command.
const FIGURES: u32 = 8;

/// What `setscope figure` makes of a scenario that was saved with its values: a picture's words, its sentences.
fn figure(session: &Session) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(scenario::write(session, &About::default()).as_bytes()).unwrap();
    let made = ["html", "svg"].map(|form| {
        let ended = Command::new(SETSCOPE).args(["figure", "-o", form]).arg(file.path()).output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap()
    });
    made.concat()
}

/// That nothing of what leaves has a mark.
fn assert_unmarked(name: &str, session: &Session, parts: (bool, bool)) {
    for (what, left) in leaving(session, parts) {
        for mark in [MARK, "172.31."] {
            let found = left.lines().find(|line| line.contains(mark));
            assert_eq!(found, None, "{name}: in the {what}");
        }
    }
}

#[test]
fn nothing_leaves_that_the_dialog_does_not_list() {
    let (mut opened, mut marks) = (0, 0);
    for (name, text) in texts() {
        if run(&text).is_none() {
            continue;
        }
        let (text, count) = marked(&text, false).unwrap_or_else(|| panic!("{name} cannot be marked"));
        let mut session = dump::open(&text, &Options::default())
            .unwrap_or_else(|refusal| panic!("{name} is not opened once it is marked: {refusal:?}"))
            .session(1)
            .unwrap();
        session.advance(1_000);
        // Files are made of the run that the link is made of: of recorded moments a part is enough.
        assert_unmarked(&name, &session, (name.contains(" at ") && opened % 5 != 0, opened % FIGURES == 0));
        opened += 1;
        marks += count;
    }
    assert!(opened > 600 && marks > 20_000, "{opened} texts with {marks} marks");
}

#[test]
fn nothing_leaves_of_tables_descriptions_and_logs() {
    let (mut opened, mut marks) = (0, 0);
    for (name, text) in written().into_iter().filter(|(_, text)| !is_objects(text)) {
        let Some((text, count)) = words::marked(&text) else { continue };
        let mut session = run(&text).unwrap_or_else(|| panic!("{name} is not opened once it is marked"));
        session.advance(1_000);
        assert_unmarked(&name, &session, (false, opened % FIGURES == 0));
        opened += 1;
        marks += count;
    }
    assert!(opened > 200 && marks > 1_000, "{opened} texts with {marks} marks");
}

/// The verbs that answer whoever gave the text. What `mcp` answers is what they print as JSON.
const ANSWERS: [&[&str]; 5] = [&["diagnose"], &["ways-out"], &["upgrade"], &["rollout"], &["release", "--to", "v1.36"]];
const FORMS: [&str; 3] = ["text", "md", "json"];

/// What would come of the drain of its first node, and of a restart and an end of its first workload.
fn tried(session: &Session) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let node = session.cluster().nodes().next().map(|node| words(&["drain", &node.metadata.name]));
    let workload = session.cluster().workloads().next().map(|object| {
        let ObjectRef { kind, namespace, name } = object.reference();
        let line = |verb: &str| format!("kubectl {verb} {}/{name} -n {namespace}", kind.singular());
        words(&["ways-out", "--try", &line("rollout restart"), "--try", &line("delete")])
    });
    node.into_iter().chain(workload).collect()
}

/// Of every how many-th text; SETSCOPE_ALL=1 tries all of them.
const ANSWERED: usize = 40;

#[test]
fn an_answer_quotes_names_fields_and_messages_alone() {
    let mut wrong = BTreeSet::new();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let written = texts().into_iter().filter(|(name, text)| !name.contains(" at ") && run(text).is_some());
    for (name, text) in written.step_by(if std::env::var_os("SETSCOPE_ALL").is_some() { 1 } else { ANSWERED }) {
        let (text, _) = marked(&text, true).unwrap();
        file.as_file_mut().set_len(0).unwrap();
        file.rewind().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let asked = ANSWERS
            .iter()
            .map(|verb| verb.iter().map(ToString::to_string).collect())
            .chain(tried(&run(&text).unwrap()));
        for (verb, form) in asked.flat_map(|verb: Vec<String>| FORMS.map(|form| (verb.clone(), form))) {
            let ended = Command::new(SETSCOPE).args(&verb).args(["-o", form, "-f"]).arg(file.path()).output().unwrap();
            let said = String::from_utf8(ended.stdout).unwrap();
            let found = said.lines().filter(|line| line.contains(MARK) || line.contains("172.31."));
            wrong.extend(found.map(|line| format!("{name}: {verb:?} -o {form}: {line}")));
        }
    }
    assert_eq!(wrong, BTreeSet::new());
}

/// What is said of each workload, without a word.
fn verdicts(session: &Session, told: Told<'_>) -> Vec<String> {
    diagnose(session, told, CONDITIONS)
        .iter()
        .map(|one| {
            let findings: Vec<String> = one
                .findings
                .iter()
                .map(|found| format!("{} {:?} {:?} {:?}", found.condition.name, found.gravity, found.cause, found.pod))
                .collect();
            let verdict = &one.verdict;
            let ends = format!("{:?}", verdict.ends).split(['(', '{']).next().unwrap().to_owned();
            format!(
                "{:?} {:?} {ends} {:?} {:?} {findings:?}",
                one.workload, verdict.state, verdict.available_after, one.stop
            )
        })
        .collect()
}

#[test]
fn an_opened_link_says_the_same_as_the_run_that_it_was_made_of() {
    let cases = texts().into_iter().filter(|(name, _)| name.starts_with("cases") || name.starts_with("diagnosis"));
    let mut compared = 0;
    for (name, text) in cases {
        let Some(session) = run(&text) else { continue };
        let read = |text: String| scenario::read(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).0;
        let whole = read(scenario::write(&session, &About::default()));
        let link = scenario::write_redacted(&session, &About::default());
        let redacted = read(link);
        assert_eq!(verdicts(&redacted, Told::default()), verdicts(&whole, Told::default()), "{name}");
        let [once, again] =
            [scenario::write, scenario::write_redacted].map(|write| write(&redacted, &About::default()));
        assert!(once == again, "{name}: once is enough");
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

/// A text whose uids are all this one, or are not there.
fn with_uid(text: &str, uid: Option<&str>) -> String {
    fn set(value: &mut Value, uid: Option<&str>) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| set(item, uid)),
            Value::Object(fields) => {
                match uid {
                    Some(uid) if fields.contains_key("uid") => drop(fields.insert("uid".to_owned(), uid.into())),
                    _ => drop(fields.remove("uid")),
                }
                fields.values_mut().for_each(|value| set(value, uid));
            }
            _ => {}
        }
    }
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let documents = listing.finish().0.into_iter().map(|listed| {
        let mut value = listed.value;
        set(&mut value, uid);
        value.to_string()
    });
    documents.collect::<Vec<String>>().join("\n---\n")
}

#[test]
fn uids_that_are_taken_out_change_no_verdict() {
    let said = |text: &str| {
        let dump = dump::open(text, &Options::default()).unwrap();
        verdicts(&dump.session(1).unwrap(), Told::from(&dump))
    };
    // A recorded moment takes long; SETSCOPE_ALL=1 tries all of them.
    let is_all = std::env::var_os("SETSCOPE_ALL").is_some();
    let mut wrong = Vec::new();
    for (at, (name, text)) in texts().into_iter().enumerate() {
        // What was retyped is not written again as it was.
        if name.starts_with("forms")
            || run(&text).is_none()
            || rests_on_uids(&text)
            || (!is_all && name.contains(" at ") && at % 6 != 0)
        {
            continue;
        }
        let before = said(&text);
        for uid in [Some("REDACTED"), None] {
            if said(&with_uid(&text, uid)) != before {
                wrong.push(format!("{name} with {uid:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Whether an object is owned by one of a name that is there with another uid: nothing but the uid tells the two apart.
fn rests_on_uids(text: &str) -> bool {
    let objects = dump::open(text, &Options::default()).unwrap().objects;
    objects.iter().any(|own| {
        own.metadata().controller_of().is_some_and(|owner| {
            objects.iter().map(|other| (other.kind(), other.metadata())).any(|(kind, other)| {
                (kind.as_str(), &other.name, &other.namespace) == (&*owner.kind, &owner.name, &own.metadata().namespace)
                    && other.uid != owner.uid
            })
        })
    })
}

/// Words that stand for what they are, wherever they are: of Kubernetes' messages, and of its fields.
fn is_word(part: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let public =
            "kubernetes k8s kruise apps statefulset failure domain lifecycle stopped nodeclass zone region arch io sha256 normal zonal local
            multi anti non amd64 arm64 kube updating coredns pause kueue root metrics v1beta1";
        include_str!("../src/session/redact/words.txt").split_whitespace().chain(public.split(' ')).collect()
    });
    let is_amount = || part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len() < 3;
    let starts_with_digit = part.starts_with(|letter: char| letter.is_ascii_digit());
    let is_number = part.len() < 3 || starts_with_digit && (part.len() < 8 || is_amount());
    is_number || WORDS.contains(&*part.to_ascii_lowercase())
}

/// The parts of what somebody named or wrote: of everything but what has words of Kubernetes.
fn given(field: &str, value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let is_given = "name namespace generateName serviceName nodeName hostname image imageID uid value command args message
                nominatedNodeName claimName secretName key topologyKey serviceAccountName storageClassName volumeName podIP hostIP
                label clusterIP containerID providerID";
            // Kubernetes' own images are the same everywhere.
            let is_public = text.contains("kubernetes.io/") || text.starts_with("registry.k8s.io/");
            if is_given.split_whitespace().any(|given| given == field) && !is_public {
                let parts = text.split(|letter: char| !letter.is_alphanumeric());
                all.extend(parts.filter(|part| !is_word(part)).map(str::to_owned));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| given(field, item, all)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_label = ["labels", "matchLabels", "nodeSelector"].contains(&field);
                given(if is_label { "label" } else { name }, value, all);
            }
        }
        _ => {}
    }
}

#[test]
fn a_redacted_cluster_has_the_same_diagnosis_and_no_name_that_was_given() {
    let said = |text: &str| -> Vec<Gist> {
        let dump = dump::open(text, &Options::default()).unwrap();
        diagnose(&dump.session(1).unwrap(), Told::from(&dump), CONDITIONS).iter().map(Diagnosis::gist).collect()
    };
    // A recorded moment takes long; SETSCOPE_ALL=1 tries all of them.
    let is_all = std::env::var_os("SETSCOPE_ALL").is_some();
    let (mut wrong, mut left, mut redacted_texts, mut parts) = (Vec::new(), Vec::new(), 0, 0);
    for (at, (name, text)) in texts().into_iter().enumerate() {
        if run(&text).is_none() || (!is_all && name.contains(" at ") && at % 6 != 0) {
            continue;
        }
        let mut redacted = redact::cluster(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let before: Vec<Gist> = said(&text).iter().map(|one| one.renamed(|name| redacted.name(name))).collect();
        let after = match dump::open(redacted.text(), &Options::default()) {
            Ok(_) => said(redacted.text()),
            Err(refusal) => panic!("{name}: {refusal:?}"),
        };
        if before != after {
            wrong.push(format!("{name}:\n  {before:?}\n  {after:?}"));
        }
        let mut names = BTreeSet::new();
        documents(&text).iter().for_each(|value| given("", value, &mut names));
        let mut stand_ins = BTreeSet::new();
        documents(redacted.text()).iter().for_each(|value| given("", value, &mut stand_ins));
        left.extend(names.intersection(&stand_ins).map(|part| format!("{name}: {part}")));
        redacted_texts += 1;
        parts += names.len();
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(left, Vec::<String>::new());
    assert!(redacted_texts > 60 && parts > 1_000, "{redacted_texts} texts with {parts} parts of names");
}

#[test]
fn what_no_list_has_is_in_no_redacted_cluster() {
    let mut marks = 0;
    for (name, text) in texts().into_iter().filter(|(name, _)| !name.contains(" at ")) {
        if run(&text).is_none() {
            continue;
        }
        let (text, count) = marked(&text, false).unwrap();
        let redacted = redact::cluster(&text).unwrap();
        for mark in [MARK, "172.31."] {
            assert_eq!(redacted.text().lines().find(|line| line.contains(mark)), None, "{name}");
        }
        marks += count;
    }
    assert!(marks > 1_000, "{marks}");
}

#[test]
fn what_is_no_object_is_not_redacted() {
    let refusal = |text: &str| redact::cluster(text).map(|_| ()).unwrap_err().problems[0].text().to_string();
    assert!(refusal("NAME READY\nweb-0 1/1\n").contains("`kubectl get"), "{}", refusal("NAME READY\nweb-0 1/1\n"));
    let table = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n$ kubectl get pods\nNAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          5d\n";
    assert!(refusal(table).contains("here begins a table"), "{}", refusal(table));
}

#[test]
fn objects_are_redacted_however_they_are_opened() {
    let plain = "apiVersion: v1\nkind: Node\nmetadata:\n  name: \"machine\"\n";
    let want = redact::cluster(plain).unwrap().text().to_owned();
    assert!(!want.contains("machine"));
    let fenced = format!("This is it:\n```yaml\n{plain}```\nThanks, machine.\n");
    let colored = plain.replace("Node", "\u{1b}[32mNode\u{1b}[0m");
    for text in [fenced, colored, plain.replace('"', "\u{201c}"), plain.replace("  name", "\tname")] {
        assert_eq!(redact::cluster(&text).unwrap().text(), want, "{text}");
    }
}
