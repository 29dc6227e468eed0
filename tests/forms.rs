//! What people hold beside YAML: descriptions, tables, logs, mixed texts, read as far as they go.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use crate::kit::shown;
use proptest::collection::vec;
use proptest::prelude::*;
use setscope::kubectl::{ready_column, status_word};
use setscope::objects::{Object, Pod};
use setscope::releases::Release;
use setscope::session::dump::{self, Dump, Options};
use setscope::session::{Session, scenario};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::rc::Rc;

fn open(text: &str) -> Dump {
    dump::open(text, &Options::default()).unwrap_or_else(|refusal| panic!("{refusal:?}\n{text}"))
}

fn text(name: &str) -> String {
    fs::read_to_string(kit::folder("tests/forms").join(name)).unwrap()
}

fn pods(dump: &Dump) -> impl Iterator<Item = &Rc<Pod>> {
    dump.objects.iter().filter_map(|object| if let Object::Pod(pod) = object { Some(pod) } else { None })
}

/// What a text is read as, in a few lines an object.
fn reading(dump: &Dump) -> String {
    let mut out = String::new();
    for object in &dump.objects {
        let (kind, metadata) = (object.kind().as_str(), object.metadata());
        let owner =
            metadata.controller_of().map_or(String::new(), |owner| format!(" of {}/{}", owner.kind, owner.name));
        writeln!(out, "{kind} {}/{}{owner}", metadata.namespace, metadata.name).unwrap();
        match object {
            Object::Pod(pod) => {
                let word = status_word(pod, dump.release.kubectl());
                let restarts: i32 = pod.status.container_statuses.iter().map(|one| one.restart_count).sum();
                writeln!(
                    out,
                    "  {} {word}, restarted {restarts} times, on {:?}",
                    ready_column(pod),
                    pod.spec.node_name
                )
                .unwrap();
            }
            object => {
                if let Some(replicas) = object.replicas() {
                    writeln!(out, "  wants {replicas}").unwrap();
                }
            }
        }
    }
    for event in &dump.events {
        writeln!(out, "{}/{} {} x{}: {}", event.kind, event.name, event.reason, event.count, event.message).unwrap();
    }
    for one in &dump.assumptions {
        writeln!(out, "? {}", one.text).unwrap();
    }
    for one in &dump.kept {
        writeln!(out, "- {} {}", one.kind, one.name).unwrap();
    }
    out
}

/// Each text of the folder has what it is read as beside it; `UPDATE_EXPECT=1` writes that anew.
#[test]
fn texts_are_read_as_far_as_they_go() {
    let mut names: Vec<String> = fs::read_dir(kit::folder("tests/forms"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".txt"))
        .collect();
    names.sort();
    for name in names {
        let told = match dump::open(&text(&name), &Options::default()) {
            Ok(dump) => {
                dump.session(1).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
                reading(&dump)
            }
            Err(refusal) => format!("refused: {}\n", refusal.problems[0].message()),
        };
        let want = kit::folder("tests/forms").join(name.replace(".txt", ".read"));
        expect_test::expect_file![want].assert_eq(&told);
    }
}

/// What a table tells of a pod: READY, STATUS, RESTARTS, and the owner by its name.
type Row = (String, String, i32, String);

fn rows<'p>(pods: impl Iterator<Item = &'p Rc<Pod>>, release: Release) -> BTreeMap<String, Row> {
    let row = |pod: &Pod| {
        let owner = pod.metadata.controller_of();
        let owner = owner.map_or(String::new(), |owner| format!("{}/{}", owner.kind, owner.name));
        let restarts = pod.status.container_statuses.iter().map(|one| one.restart_count).sum();
        (ready_column(pod), status_word(pod, release.kubectl()), restarts, owner)
    };
    pods.map(|pod| (format!("{}/{}", pod.metadata.namespace, pod.metadata.name), row(pod))).collect()
}

/// The scenarios of the page, at moments of their course.
fn runs() -> Vec<(String, Session)> {
    let mut runs = Vec::new();
    for entry in fs::read_dir(kit::folder("www/scenarios")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".yaml") {
            continue;
        }
        let Ok((session, _)) = scenario::read(&fs::read_to_string(&path).unwrap()) else { continue };
        for after in [0, 20_000, 200_000] {
            let mut session = session.clone();
            session.advance(after);
            runs.push((format!("{name} +{after}"), session));
        }
    }
    runs
}

#[test]
fn what_get_prints_is_read_back() {
    for (name, session) in runs() {
        let printed = shown(&session, "kubectl get pods -A -o wide");
        if printed.starts_with("No resources") {
            continue;
        }
        let tables = ["sts", "deploy", "rs", "ds", "pvc", "nodes", "events"]
            .map(|kind| shown(&session, &format!("kubectl get {kind} -A -o wide")));
        let text = format!("{printed}\n{}", tables.join("\n"));
        let dump = open(&text);
        assert_eq!(
            rows(pods(&dump), session.release()),
            rows(session.cluster().pods(), session.release()),
            "{name}\n{text}"
        );
        dump.session(1).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}\n{text}"));
    }
}

#[test]
fn what_describe_prints_is_read_back() {
    for (name, session) in runs() {
        let names: Vec<_> = session.cluster().pods().map(|pod| pod.metadata.clone()).collect();
        let mut text = String::new();
        for metadata in &names {
            text.push_str(&shown(
                &session,
                &format!("kubectl describe pod {} -n {}", metadata.name, metadata.namespace),
            ));
            text.push_str("\n\n");
        }
        if names.is_empty() {
            continue;
        }
        let dump = open(&text);
        assert_eq!(
            rows(pods(&dump), session.release()),
            rows(session.cluster().pods(), session.release()),
            "{name}\n{text}"
        );
        let by_name = |pod: &Rc<Pod>| (pod.metadata.name.clone(), pod.spec.node_name.clone());
        let mut nodes = [pods(&dump).map(by_name).collect::<Vec<_>>(), session.cluster().pods().map(by_name).collect()];
        nodes.iter_mut().for_each(|all| all.sort());
        assert_eq!(nodes[0], nodes[1], "{name}");
        dump.session(1).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}\n{text}"));
    }
}

/// What happens to a text on its way: letters lost and doubled, lines cut, joined, moved.
fn damaged(text: &str, damages: &[(usize, u8)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, how) in damages {
        let Some(at) = at.checked_rem(letters.len()) else { break };
        match how % 8 {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, letters[at]),
            2 => letters.insert(at, '\n'),
            3 => letters.truncate(at),
            4 => letters[at] = [' ', '\t', ':', '(', '/', '\u{e9}', '\u{feff}', '-'][usize::from(*how) / 8 % 8],
            5 => drop(letters.drain(at..(at + 40).min(letters.len()))),
            6 => letters.extend_from_within(at..(at + 200).min(letters.len())),
            _ => letters.rotate_left(at % 50),
        }
    }
    letters.into_iter().collect()
}

proptest! {
    #![proptest_config(kit::random::cases(256))]

    #[test]
    fn a_damaged_text_is_read_or_refused_in_words(which in any::<usize>(), damages in vec((any::<usize>(), any::<u8>()), 0..12)) {
        let names = ["mixed.txt", "describe-pod.txt", "powershell-all.txt", "describe-sts-events.txt", "describe-node-claim.txt", "log.txt", "pods-table.txt"];
        let text = damaged(&text(names[which % names.len()]), &damages);
        match dump::open(&text, &Options::default()) {
            Ok(dump) => drop(dump.session(1)),
            Err(refusal) => prop_assert!(refusal.problems.iter().all(|problem| !problem.message().is_empty())),
        }
    }
}
