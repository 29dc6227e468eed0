//! Random and damaged texts: links, scenario files, lines for a terminal. Nothing panics, nothing runs on forever, and
//! what is refused is refused in words. `./dev fuzz` runs these for longer.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use crate::kit::{link, open_link, presets};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use setscope::kubectl::{Line, parse, write};
use setscope::session::{Refusal, Session, dump, scenario};

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
    !refusal.problems.is_empty() && refusal.problems.iter().all(|problem| !problem.message().is_empty())
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
    #![proptest_config(kit::random::cases(256))]

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
    fn a_damaged_link_is_opened_or_refused(which in any::<Index>(), damages in damages()) {
        let presets = presets();
        let (_, text) = &presets[which.index(presets.len())];
        let link = link(text);
        let (_, fragment) = link.split_once('#').unwrap();
        let opened = open_link(&damaged(fragment, &damages));
        if let Ok(Err(refusal)) = opened.map(|text| scenario::read(&text)) {
            prop_assert!(is_in_words(&refusal), "{:?}", refusal);
        }
    }

    #[test]
    fn damaged_dumps_are_opened_or_refused(damages in damages()) {
        let (objects, nodes) = kit::dump("d06a-canary", 57);
        let text = damaged(&format!("{nodes}---\n{objects}"), &damages);
        match dump::open(&text, &dump::Options::default()).and_then(|dump| dump.session(1)) {
            Ok(mut session) => (0..2_000).for_each(|_| { session.step(); }),
            Err(refusal) => prop_assert!(is_in_words(&refusal), "{:?}", refusal),
        }
    }

    #[test]
    fn lines_of_known_words_are_done_or_answered(lines in proptest::collection::vec(proptest::collection::vec(words(), 1..7), 1..6)) {
        let (_, text) = presets().swap_remove(0);
        let (mut session, _): (Session, _) = scenario::read(&text).unwrap();
        for line in lines {
            let line = line.join(" ");
            match parse(&line, session.cluster()) {
                Ok(Line::Do(commands) | Line::Stop { commands, .. }) => for command in commands {
                    prop_assert!(parse(&write(&command), session.cluster()).is_ok() || matches!(&*write(&command), "kubectl apply -f -"), "{} as {}", line, write(&command));
                    if let Err(refusal) = session.command(command) {
                        prop_assert!(is_in_words(&refusal), "{}: {:?}", line, refusal);
                    }
                    session.advance(500);
                },
                Ok(Line::Show(_)) => {}
                Err(answer) => prop_assert!(!answer.to_string().is_empty()),
            }
        }
    }
}

/// A run of a set of one with this pod spec, and these lines each at 30 s.
fn run(spec: &str, lines: &[&str]) -> String {
    let manifest = format!(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: web}}\nspec:\n  serviceName: web\n  \
         selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: web}}}}\n    spec:\n      {spec}\n      \
         containers: [{{name: app, image: app}}]\n"
    );
    let lines: String = lines.iter().map(|line| format!("  - {{at: 30, do: {line:?}}}\n")).collect();
    let manifest = manifest.replace('\n', "\n      ");
    format!("setscope: 1\nrun:\n  - at: 0\n    apply: |\n      {manifest}\n{lines}")
}

#[test]
fn what_random_texts_once_broke_stays_whole() {
    for (spec, lines) in [
        // More milliseconds than a number holds.
        ("terminationGracePeriodSeconds: 9223372036854775807", &["kubectl delete pod web-0"][..]),
        (
            "tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 9223372036854775807}]",
            &[
                "setscope fail node node-a kubelet",
                "setscope fail node node-b kubelet",
                "setscope fail node node-c kubelet",
            ],
        ),
        // A run that ends with events due at its last moment.
        ("terminationGracePeriodSeconds: 0", &["kubectl delete pod web-0"]),
        // A word that is only one word between quotes.
        ("restartPolicy: Always", &["kubectl set image sts/web 'app=app 2'", "setscope image 'app 2' never-ready"]),
    ] {
        let (session, about) = scenario::read(&run(spec, lines)).unwrap();
        let written = scenario::write(&session, &about);
        let (mut again, _) = scenario::read(&written).unwrap();
        assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint(), "{written}");
        again.advance(3_600_000);
    }
}
