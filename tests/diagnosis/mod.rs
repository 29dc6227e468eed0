//! Every condition has a small cluster in which it holds and one in which it does not, in a folder of its name; and which hold in
//! the recorded dumps of a real control plane stands in recorded.txt (`UPDATE_EXPECT=1` renews it).
#![allow(clippy::unwrap_used, reason = "a test")]

mod assumed;
use crate::kit;
mod opened;
pub(crate) mod small;
mod ways_out;

use expect_test::expect_file;
use setscope::diagnosis::{CONDITIONS, Diagnosis, Gravity, diagnose, diagnose_with_run};
use setscope::session::dump::{self, Options};
use setscope::verdict::State;
use setscope::view::Stands;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn diagnosed(text: &str) -> Vec<Diagnosis> {
    diagnosed_with_words(text).0
}

/// With where each workload's controller stands.
fn diagnosed_with_words(text: &str) -> (Vec<Diagnosis>, Vec<Stands>) {
    let dump = dump::open(text, &Options::default()).unwrap();
    let found = dump.session(1).unwrap();
    let (all, run) = diagnose_with_run(&found, &dump, CONDITIONS);
    let stands = all.iter().map(|one| Stands::of(&run, &found, &one.verdict)).collect();
    (all, stands)
}

fn names(all: &[Diagnosis]) -> BTreeSet<String> {
    all.iter().flat_map(|one| &one.findings).map(|finding| finding.condition.name.to_owned()).collect()
}

fn told(all: &[Diagnosis], stands: &[Stands]) -> String {
    let mut told = String::new();
    for (one, Stands { explanation, .. }) in all.iter().zip(stands) {
        writeln!(told, "  {}: {}. {}", one.verdict.word(), explanation.headline, explanation.reason).unwrap();
        for finding in &one.findings {
            writeln!(told, "  {}: {}", finding.condition.name, finding.text).unwrap();
        }
    }
    told
}

/// The files of a condition: `holds.yaml` and `not.yaml`, which must be there, and those of other kinds of workload.
fn files(folder: &Path) -> BTreeSet<String> {
    let others =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    others.chain(["holds.yaml", "not.yaml"].map(str::to_owned)).collect()
}

/// All files of every condition; `DIAGNOSIS=<name>` prints what is said of them.
#[test]
fn each_condition_holds_where_it_should_and_nowhere_else() {
    let shown = std::env::var("DIAGNOSIS").unwrap_or_default();
    let mut problems = String::new();
    let home = kit::folder("tests/diagnosis");
    for condition in CONDITIONS {
        let names_of_files = files(&home.join(condition.name));
        for file in names_of_files {
            let holds = file.starts_with("holds");
            let name = format!("{}/{file}", condition.name);
            let Ok(text) = fs::read_to_string(home.join(&name)) else {
                writeln!(problems, "{name} is missing").unwrap();
                continue;
            };
            let small = small::read(&text);
            let all = std::panic::catch_unwind(|| diagnosed_with_words(&small.text));
            let Ok((all, stands)) = all else {
                writeln!(problems, "{name} cannot be opened").unwrap();
                continue;
            };
            let found = names(&all);
            let mut expected: BTreeSet<String> = small.also.iter().cloned().collect();
            if holds {
                expected.insert(condition.name.to_owned());
            } else {
                assert!(!expected.contains(condition.name), "{name}");
            }
            if found != expected {
                writeln!(problems, "{name} gives {found:?}, not {expected:?}\n{}", told(&all, &stands)).unwrap();
            } else if shown == condition.name || shown == "all" {
                println!("{name}\n{}", told(&all, &stands));
            }
            for finding in all.iter().flat_map(|one| &one.findings) {
                let evidence = &finding.evidence;
                if evidence.is_empty() || evidence.iter().any(|one| one.value.is_null()) && evidence.len() == 1 {
                    writeln!(problems, "{name}: {} rests on nothing", finding.condition.name).unwrap();
                }
            }
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn every_folder_is_a_conditions() {
    let known: BTreeSet<&str> = CONDITIONS.iter().map(|condition| condition.name).collect();
    for entry in fs::read_dir(kit::folder("tests/diagnosis")).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        assert!(!entry.path().is_dir() || known.contains(name.as_str()), "{name} is no condition");
    }
}

#[test]
fn a_set_whose_ready_pod_does_not_stay_is_not_as_asked() {
    let state = |file: &str| {
        let text = fs::read_to_string(kit::folder("tests/diagnosis/toleration-runs-out").join(file)).unwrap();
        diagnosed(&small::read(&text).text)[0].verdict.state
    };
    assert_eq!(state("not.yaml"), State::AsAsked);
    assert_ne!(state("holds.yaml"), State::AsAsked);
}

#[test]
fn a_set_that_is_well_is_said_to_be_so_with_what_an_edit_would_do() {
    let on_edit = |text: &str| diagnosed(&small::read(text).text)[0].on_edit.to_string();
    let rolls = on_edit("pods: {web-0: {}, web-1: {}, web-2: {}}");
    assert!(rolls.starts_with("Nothing is wrong") && rolls.ends_with("It would next delete web-2."), "{rolls}");
    let held = on_edit(
        "set: {with: {spec: {updateStrategy: {type: OnDelete, rollingUpdate: null}}}}\npods: {web-0: {}, web-1: {}, web-2: {}}",
    );
    assert!(held.ends_with("no pod would be replaced for it. Its update strategy is OnDelete."), "{held}");
    assert_eq!(on_edit("pods: {web-0: {}, web-1: {}, web-2: {ready: false, for: 250}}"), "");
}

#[test]
fn the_line_to_look_for_is_the_deciding_calls_or_none() {
    let line = |text: &str| {
        let (all, stands) = diagnosed_with_words(&small::read(text).text);
        (all[0].stop.as_ref().unwrap().check, stands[0].log.clone())
    };
    let unready = "pods: {web-0: {}, web-1: {ready: false, for: 250}, web-2: {}}";
    let (_, log) = line(unready);
    assert_eq!(
        log.unwrap(),
        "\"StatefulSet is waiting for Pod to be Running and Ready\" statefulSet=\"default/web\" pod=\"default/web-1\""
    );
    let (_, log) = line(&format!("kubelet: v1.20.2\n{unready}"));
    assert_eq!(log.unwrap(), "StatefulSet default/web is waiting for Pod web-1 to be Running and Ready");
    // No release logs that it waits for an old claim, though the same sync logs its status and its revisions.
    let old_claim = fs::read_to_string(kit::folder("tests/diagnosis/waits-for-old-claim/holds.yaml")).unwrap();
    for (text, says) in [
        (&*old_claim, "claim"),
        ("set: {kind: Deployment}\npods: {web-0: {}, web-1: {ready: false, for: 250}, web-2: {}}", ""),
    ] {
        let (check, log) = line(text);
        assert!(check.contains(says), "{check}");
        assert_eq!(log, None, "{check}");
    }
}

/// Moments of the recorded dumps, in seconds since the start of each run.
fn moments() -> Vec<(String, String, String)> {
    kit::dumps().into_iter().collect()
}

#[test]
fn conditions_of_the_recorded_dumps() {
    let mut lines = String::new();
    for (name, moment, text) in moments() {
        writeln!(lines, "{name} {moment}").unwrap();
        for one in diagnosed(&text) {
            let health = one.verdict.word();
            writeln!(lines, "  {}/{}: {health}", one.workload.kind.singular(), one.workload.name).unwrap();
            for finding in &one.findings {
                writeln!(lines, "    {}: {}", finding.condition.name, finding.text).unwrap();
            }
        }
    }
    expect_file!["recorded.txt"].assert_eq(&lines);
}

#[test]
fn what_is_well_has_no_finding() {
    for (name, moment, text) in moments() {
        if name.starts_with("d01") {
            let found = names(&diagnosed(&text));
            assert!(found.is_empty(), "{name} {moment}: {found:?}");
        }
    }
}

/// What comes by itself and does not make the workload well: their sentences say so.
const NO_CURE: [&str; 2] = ["eviction-due", "being-deleted"];

/// Whether a workload gets well is tried; a finding that says that nothing ends it would say the opposite, and so would one
/// that says that it ends.
#[test]
fn what_gets_well_by_itself_is_not_called_stuck_and_what_does_not_is_not_called_waiting() {
    let mut problems = String::new();
    let mut see = |name: &str, text: &str| {
        for one in diagnosed(text) {
            let gravities: Vec<Gravity> = one.findings.iter().map(|finding| finding.gravity).collect();
            for finding in &one.findings {
                let is_wrong = match finding.gravity {
                    Gravity::Stuck => !one.verdict.is_open(),
                    Gravity::Waiting => {
                        let is_cure = !NO_CURE.contains(&finding.condition.name);
                        one.verdict.is_open() && is_cure && !gravities.contains(&Gravity::Stuck)
                    }
                    Gravity::Notice => false,
                };
                if is_wrong {
                    writeln!(problems, "{name} {}: {}: {}", one.verdict.word(), finding.condition.name, finding.text)
                        .unwrap();
                }
            }
        }
    };
    for (name, moment, text) in moments() {
        see(&format!("{name} {moment}"), &text);
    }
    let home = kit::folder("tests/diagnosis");
    for condition in CONDITIONS {
        for file in files(&home.join(condition.name)) {
            let name = format!("{}/{file}", condition.name);
            see(&name, &small::read(&fs::read_to_string(home.join(&name)).unwrap()).text);
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
}

/// Conditions whose sentence says that a pod goes by itself, with the seconds in which it does.
const PROMISES: [(&str, i64); 2] = [("terminating-without-node", 60), ("freed-by-out-of-service", 20)];

#[test]
fn a_pod_that_is_said_to_go_goes_in_time() {
    let mut problems = String::new();
    for (name, seconds) in PROMISES {
        let home = kit::folder("tests/diagnosis").join(name);
        for file in files(&home).iter().filter(|file| file.starts_with("holds")) {
            let text = fs::read_to_string(home.join(file)).unwrap();
            let dump = dump::open(&small::read(&text).text, &Options::default()).unwrap();
            let mut session = dump.session(1).unwrap();
            let all = diagnose(&session, &dump, CONDITIONS);
            let promised = all.iter().flat_map(|one| &one.findings).filter(|finding| finding.condition.name == name);
            let pods: Vec<_> = promised.map(|finding| finding.pod.clone().unwrap()).collect();
            assert!(!pods.is_empty(), "{name}/{file} has none");
            session.advance(seconds * 1_000);
            for pod in pods {
                let uid = format!("{pod}-uid");
                if session.cluster().pods().any(|other| *other.metadata.uid == *uid) {
                    writeln!(problems, "{name}/{file}: {pod} is still there after {seconds} s").unwrap();
                }
            }
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn what_one_text_cannot_tell_is_said_with_what_would() {
    let unsettled = |text: &str| {
        let all = diagnosed(&small::read(text).text);
        all[0].unsettled.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let starting = unsettled("pods: {web-0: {}, web-1: {}, web-2: {ready: false, waiting: ContainerCreating, for: 1}}");
    assert!(starting.contains("in a minute"), "{starting}");
    let pending = unsettled(
        "pods: {web-0: {claim: data-web-0, unscheduled: '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'}}\n\
         claims: {data-web-0: {pending: true}}",
    );
    assert!(pending.contains("kubectl get pv,storageclasses,volumeattachments -o yaml"), "{pending}");
    assert_eq!(unsettled("pods: {web-0: {}, web-1: {}, web-2: {}}"), "");
}
