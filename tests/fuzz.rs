//! Random and damaged texts: links, scenario files, lines for a terminal. Nothing panics, nothing runs on for ever, and
//! what is refused is refused in words. `./dev fuzz` runs these for longer.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{pack, presets, unpack};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use setscope::session::kubectl::{Line, parse, write};
use setscope::session::{Refusal, Session, scenario};

/// A change of a text at a place.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index, usize),
    Put(Index, String),
    Repeat(Index),
    Number(Index, i64),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let one = prop_oneof![
        (any::<Index>(), 1..40_usize).prop_map(|(at, length)| Damage::Cut(at, length)),
        (any::<Index>(), "[ -~\n\t]{1,8}|[{}\\[\\]&*!|>'\"%@`#:,?-]{1,3}|.{1,3}")
            .prop_map(|(at, text)| Damage::Put(at, text)),
        any::<Index>().prop_map(Damage::Repeat),
        (any::<Index>(), any::<i64>()).prop_map(|(at, number)| Damage::Number(at, number)),
    ];
    proptest::collection::vec(one, 1..5)
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for damage in damages {
        if text.is_empty() {
            break;
        }
        match damage {
            Damage::Cut(at, length) => {
                let at = at.index(text.len());
                text.drain(at..(at + length).min(text.len()));
            }
            Damage::Put(at, put) => {
                let at = at.index(text.len());
                text.splice(at..at, put.chars());
            }
            Damage::Repeat(at) => {
                let at = at.index(text.len());
                let line: Vec<char> = text[at..].iter().take(200).copied().collect();
                text.splice(at..at, line);
            }
            Damage::Number(at, number) => {
                let digits: Vec<usize> = (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
                if let Some(at) = digits.get(at.index(digits.len().max(1))) {
                    text.splice(*at..=*at, number.to_string().chars());
                }
            }
        }
    }
    text.into_iter().collect()
}

fn is_in_words(refusal: &Refusal) -> bool {
    !refusal.problems.is_empty() && refusal.problems.iter().all(|problem| !problem.message.is_empty())
}

fn words() -> impl Strategy<Value = String> {
    let known = [
        "get",
        "describe",
        "scale",
        "set",
        "image",
        "patch",
        "edit",
        "delete",
        "rollout",
        "undo",
        "restart",
        "status",
        "history",
        "label",
        "cordon",
        "uncordon",
        "drain",
        "taint",
        "fail",
        "recover",
        "node",
        "zone",
        "pod",
        "pods",
        "sts",
        "sts/web",
        "web",
        "web-0",
        "pod/web-1",
        "node-a",
        "zone-b",
        "pvc",
        "nodes",
        "app=app:2",
        "*=app:3",
        "--replicas=5",
        "--replicas",
        "-1",
        "2147483648",
        "-p",
        "{\"spec\":{\"replicas\":0}}",
        "spec: [",
        "--force",
        "--grace-period=0",
        "--cascade=orphan",
        "--to-revision=9",
        "-n",
        "kube-system",
        "-w",
        "-o",
        "wide",
        "quota",
        "budget",
        "always-allow",
        "none",
        "webhook",
        "denies",
        "recreate",
        "Parallel",
        "app:1",
        "needs-peer",
        "crash",
        "node.kubernetes.io/out-of-service=x:NoExecute",
        "node.kubernetes.io/out-of-service-",
        "a/b/c",
        "=",
        "/",
        "'",
    ];
    prop_oneof![4 => select(known.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_scenario_is_read_or_refused_in_words(which in any::<Index>(), damages in damages()) {
        let presets = presets();
        let (_, text) = &presets[which.index(presets.len())];
        match scenario::read(&damaged(text, &damages)) {
            Ok((session, about)) => {
                // What was read can be shared and opened again.
                let text = scenario::write(&session, &about);
                let again = scenario::read(&text).map_err(|refusal| TestCaseError::fail(format!("{refusal:?}\n{text}")))?;
                prop_assert_eq!(again.0.cluster().fingerprint(), session.cluster().fingerprint(), "{}", text);
            }
            Err(refusal) => prop_assert!(is_in_words(&refusal), "{:?}", refusal),
        }
    }

    #[test]
    fn a_damaged_link_is_read_or_is_none(which in any::<Index>(), damages in damages()) {
        let presets = presets();
        let (_, text) = &presets[which.index(presets.len())];
        let read = unpack(&damaged(&pack(text), &damages)).map(|text| scenario::read(&text));
        if let Some(Err(refusal)) = read {
            prop_assert!(is_in_words(&refusal), "{:?}", refusal);
        }
    }

    #[test]
    fn lines_of_known_words_are_done_or_answered(lines in proptest::collection::vec(proptest::collection::vec(words(), 1..7), 1..6)) {
        let (_, text) = presets().swap_remove(0);
        let (mut session, _): (Session, _) = scenario::read(&text).unwrap();
        for line in lines {
            let line = line.join(" ");
            match parse(&line, session.cluster()) {
                Ok(Line::Do(commands)) => for command in commands {
                    prop_assert!(parse(&write(&command), session.cluster()).is_ok() || matches!(&*write(&command), "kubectl apply -f -"), "{} as {}", line, write(&command));
                    if let Err(refusal) = session.command(command) {
                        prop_assert!(is_in_words(&refusal), "{}: {:?}", line, refusal);
                    }
                    session.advance(500);
                },
                Ok(Line::Show(_)) => {}
                Err(answer) => prop_assert!(!answer.is_empty()),
            }
        }
    }
}
