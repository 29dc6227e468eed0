//! Every bound is met: what goes beyond it ends with the words that the table promises. docs/bounds.md is made of the table.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

use crate::kit::{folder, says, settle, start};
use flate2::Compression;
use flate2::write::GzEncoder;
use setscope::bounds::{ALL, Beyond, LOOKS};
use setscope::diagnosis::{CONDITIONS, diagnose_with_run};
use setscope::session::dump::{self, Options};
use setscope::session::scenario;
use setscope::trial::{Outcome, Rehearsal};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const DEPLOYMENT: &str = "apiVersion: apps/v1, kind: Deployment, metadata: {name: NAME, namespace: d, uid: NAME}, spec: {replicas: COUNT, \
    selector: {matchLabels: {a: NAME}}, template: {metadata: {labels: {a: NAME}}, spec: {containers: [{name: c, image: i}]}}}";

fn deployment(name: &str, replicas: u64) -> String {
    format!("{{{}}}", DEPLOYMENT.replace("NAME", name).replace("COUNT", &replicas.to_string()))
}

/// A line of the command with a text on its standard input: its status, and all that it says.
fn ends(arguments: &[&str], text: &[u8]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setscope"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may have read enough before the end.
    let _ = child.stdin.take().unwrap().write_all(text);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn refused(text: &str) -> String {
    scenario::read(text).unwrap_err().messages().collect()
}

/// A packed archive of one file of so many bytes, which are all 0.
fn archive(bytes: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("zeros.bin").unwrap();
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_cksum();
    let packed = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let piece = 16 << 20;
    let pieces = usize::try_from(bytes.div_ceil(piece)).unwrap();
    [packed(header.as_bytes()), packed(&vec![0; usize::try_from(piece).unwrap()]).repeat(pieces)].concat()
}

/// What goes beyond the bound of this name by one, and what is then said.
fn beyond(of: &str, most: u64, place: &Path) -> String {
    let diagnosed = |text: &str, status: i32| {
        let (ended, said) = ends(&["diagnose", "-f", "-"], text.as_bytes());
        assert_eq!(ended, Some(status), "{of}: {said}");
        said
    };
    let read = |path: &Path| {
        let (ended, said) = ends(&["diagnose", "-f", path.to_str().unwrap()], b"");
        assert_eq!(ended, Some(2), "{of}: {said}");
        said
    };
    match of.split(' ').take(3).collect::<Vec<_>>().join(" ").as_str() {
        "Bytes of a" => diagnosed(&"a".repeat(usize::try_from(most + 1).unwrap()), 2),
        "Files of a" => {
            (0..=most).for_each(|at| drop(fs::File::create(place.join(format!("{at}.png"))).unwrap()));
            read(place)
        }
        "Bytes of an" => {
            let path = place.join("dump.tar.gz");
            fs::write(&path, archive(most)).unwrap();
            read(&path)
        }
        "Folders in one" => {
            let inner = (0..=most).fold(place.to_owned(), |inner, _| inner.join("in"));
            fs::create_dir_all(inner).unwrap();
            read(place)
        }
        "Replicas of one" if of.contains("text") => diagnosed(&deployment("a", most + 1), 3),
        "Replicas of one" => {
            let mut session = start();
            settle(&mut session);
            says(&mut session, &format!("scale sts web --replicas={}", most + 1))
        }
        "Replicas of all" => {
            let half = most / 2 + 1;
            let node = |at: u64| format!("{{apiVersion: v1, kind: Node, metadata: {{name: n{at}, uid: n{at}}}}}");
            let nodes: Vec<String> = (0..most / 100).map(node).collect();
            let daemons = (0..101).map(|at| {
                let daemon = deployment(&format!("d{at}"), 1).replace("Deployment", "DaemonSet");
                daemon.replace("replicas: 1, ", "")
            });
            let daemons: Vec<String> = nodes.into_iter().chain(daemons).collect();
            let told = diagnosed(&daemons.join("\n---\n"), 2);
            assert!(told.contains(&format!("{} replicas together", most + most / 100)), "{told}");
            diagnosed(&[deployment("a", half), deployment("b", half)].join("\n---\n"), 2)
        }
        "Nodes of `rollout" => {
            let well = folder("tests/damaged").join("b08-uids-as-they-were.yaml");
            let count = (most + 1).to_string();
            let (ended, said) = ends(&["rollout", "--nodes", &count, "-f", well.to_str().unwrap()], b"");
            assert_eq!(ended, Some(2), "{said}");
            said
        }
        "Replicas of a" => {
            refused(&format!("setscope: 1\nrun:\n- at: 0\n  apply: \"{}\"\n", deployment("a", most + 1)))
        }
        "Nodes of a" => refused(&format!("setscope: 1\nnodes: {}\n", most + 1)),
        "Pods of a" => {
            let apply = |name: &str| format!("- at: 0\n  apply: \"{}\"\n", deployment(name, 1_000));
            let run: String = ["a", "b", "c", "e", "f", "g"].iter().map(|name| apply(name)).collect();
            refused(&format!("setscope: 1\nnodes: 100\nrun:\n{run}open: 600\n"))
        }
        "Events and commands" => refused(&format!(
            "setscope: 1\nrun:\n- at: 0\n  apply: \"{}\"\n- at: 1\n  do: setscope image i crashes\nopen: 604800\n",
            deployment("a", 100)
        )),
        "Seconds of a" => refused(&format!("setscope: 1\nopen: {}\n", most + 1)),
        other => panic!("nothing goes beyond {other}"),
    }
}

/// Bounds that other tests go beyond.
const ELSEWHERE: [(&str, &str, &str); 6] = [
    ("Events for which", "tests/diagnosis/ways_out.rs", "what_no_work_is_left_for_is_not_tried_and_does_not_help"),
    ("Events that a", "tests/damaged.rs", "what_is_given_up_is_not_known_and_neither_stuck_nor_an_error"),
    ("Pods and nodes", "src/verdict/outlook/mod.rs", "what_too_many_looks_would_tell_is_not_known"),
    ("Times that as", "tests/damaged.rs", "what_is_given_up_is_not_known_and_neither_stuck_nor_an_error"),
    ("Values that a", "src/kubectl/verbs/get/json_path.rs", "looks at more than 1000000 values"),
    ("Bytes that a", "src/kubectl/verbs/get/json_path.rs", "prints more than 16 MiB"),
];

#[test]
fn what_goes_beyond_a_bound_is_told_so() {
    for bound in ALL {
        if let Some((_, file, test)) = ELSEWHERE.iter().find(|(of, ..)| bound.of.starts_with(of)) {
            assert!(fs::read_to_string(folder(".").join(file)).unwrap().contains(test), "{file}: {test}");
            continue;
        }
        let place = tempfile::tempdir().unwrap();
        let said = beyond(bound.of, bound.native, place.path());
        let most = bound.native;
        let numbers = [most.to_string(), format!("{} MiB", most >> 20), "a week".to_owned()];
        assert!(numbers.iter().any(|number| said.contains(number)), "{}: {said}", bound.of);
    }
}

fn number(most: u64) -> String {
    match most {
        0 => "–".to_owned(),
        most if most % (1 << 20) == 0 => format!("{} MiB", most >> 20),
        most => {
            let digits = most.to_string();
            let groups = digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
            groups.collect::<Vec<_>>().join(",")
        }
    }
}

/// `docs/bounds.md`, written anew with `UPDATE_EXPECT=1 cargo test --test it bounds::`.
#[test]
fn the_docs_list_every_bound() {
    let mut text = "# Bounds\n\nWhat SetScope takes at most. Each bound is told where it is met; nothing is cut off without a word.\n\n\
        | of what | the command | a page | more is |\n|---|---|---|---|\n"
        .to_owned();
    for bound in ALL {
        let [native, page] = [bound.native, bound.page].map(number);
        text.push_str(&format!("| {} | {native} | {page} | {} |\n", bound.of, bound.beyond.words()));
    }
    assert!(ALL.iter().any(|bound| bound.beyond == Beyond::NotKnown));
    let file = folder("docs").join("bounds.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), text);
}

#[test]
fn a_rehearsal_takes_what_the_verdicts_before_it_have_left() {
    let dump = dump::open(&deployment("web", 40), &Options::default()).unwrap();
    let ends = |left: Option<usize>| {
        let (workloads, session) = diagnose_with_run(&dump.session(1).unwrap(), &dump, CONDITIONS);
        if let Some(left) = left {
            session.cluster().forget_looks();
            session.cluster().count_looks(usize::try_from(LOOKS.most()).unwrap() - left);
        }
        let verdicts = workloads.into_iter().map(|one| one.verdict).collect();
        let lines =
            ["kubectl rollout restart deploy/web -n d", "sleep 300", "kubectl scale deploy/web -n d --replicas=3"];
        let lines = lines.map(str::to_owned).to_vec();
        let files = Box::new(|_: &str| None);
        let rehearsed = Rehearsal::new(&session, verdicts, &[], lines, "d".into(), files).to_the_end();
        rehearsed.lines.iter().map(|line| line.outcome.clone()).collect::<Vec<_>>()
    };
    assert_eq!(ends(None), vec![Outcome::Done; 3]);
    // Neither the restart nor the sleep has come to its end by then.
    let ends = ends(Some(200));
    assert!(matches!(ends[..], [Outcome::NotKnown(_), Outcome::NotKnown(_), Outcome::NotReached]), "{ends:?}");
}
