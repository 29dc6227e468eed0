//! What-ifs whose answer was recorded: a real 1.36.3 control plane's whole dump from before the lines, and the one from after them; and
//! of runs without whole dumps what its watch saw.

use crate::control_plane::recording::{self, Recording, milliseconds};
use crate::control_plane::simulated::before;
use crate::kit;
use serde_json::Value;
use setscope::kubectl::manifest::read_value;
use setscope::trial::{Course, Rehearsal};
use setscope::verdict::judge;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

/// A run's name, the moments of the two dumps in tenths of a second, and the lines between them.
type Recorded = (&'static str, i64, i64, &'static str);

const RECORDED: [Recorded; 14] = [
    ("d01b-healthy-claims", 350, 820, "kubectl delete pod web-1"),
    (
        "d01c-healthy-trio",
        300,
        820,
        "kubectl set image sts/web app=app:2 && kubectl set image deploy/dep app=app:2 && kubectl set image ds/agent app=app:2",
    ),
    // An image that never gets ready, rolled back: that alone does not help, and its pod has to be deleted.
    ("d02a-rollback", 380, 550, "kubectl rollout undo sts/web"),
    ("d02a-rollback", 380, 1_020, "kubectl rollout undo sts/web && sleep 23 && kubectl delete pod web-2"),
    ("d03a-badpull", 450, 640, "kubectl rollout undo sts/web"),
    ("d03a-badpull", 450, 1_070, "kubectl rollout undo sts/web && sleep 18 && kubectl delete pod web-2"),
    (
        "d06a-canary",
        570,
        1_070,
        r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'"#,
    ),
    ("d07a-ondelete", 330, 720, "kubectl delete pod web-1"),
    ("d10a-loss-force", 550, 4_600, "setscope fail node p10a-a kubelet"),
    ("d14a-paused", 380, 920, "kubectl rollout resume deploy/dep"),
    ("d15a-ds-blocked", 350, 920, "kubectl rollout undo ds/agent"),
    ("d19a-cordoned", 480, 920, "kubectl uncordon p19a-a p19a-b p19a-c"),
    ("d22a-no-room", 450, 680, "kubectl rollout undo sts/web"),
    (
        "d25a-partition-all",
        380,
        870,
        r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}}}}'"#,
    ),
];

/// A run without whole dumps, the first of the lines that are tried as its recording has it, and the moment until which they are and
/// at which what came of them is looked at, in seconds. What was there before them is what the simulation makes of the commands up to
/// then.
const RUNS: [(&str, &str, i64); 13] = [
    // Drains, with budgets and without.
    ("n-drain-dep", "kubectl drain $NODE0:web-1 --ignore-daemonsets --timeout=25s", 60),
    ("n-pdb-two", "kubectl drain $NODE:web-1 --ignore-daemonsets --timeout=25s", 60),
    ("n-pdb-two", "kubectl drain $NODE:web-2 --ignore-daemonsets --timeout=25s", 95),
    ("n-pdb-unready-healthy", "kubectl drain $NODE:web-1 --ignore-daemonsets --timeout=12s", 60),
    ("kc-drain", "kubectl drain node-a --ignore-daemonsets --timeout=8s", 40),
    // Retention, in and out again.
    ("n-pvc-scaled-p", "kubectl scale sts web --replicas=1", 51),
    ("n-pvc-scaled-p", "kubectl delete sts web", 110),
    ("n-pvc-deleted-o", "kubectl delete sts web", 62),
    ("n-pvc-patch", "kubectl scale sts web --replicas=1", 95),
    // Without its pods, and created again around them, or with them.
    ("sts-o-orphan", "kubectl delete sts web --cascade=orphan", 45),
    ("dep-orphan", "kubectl delete deploy dep --cascade=orphan", 40),
    ("n-recreate-o", "kubectl delete sts web", 60),
    ("n-dep-evict", "setscope evict pod $DEP0", 60),
];

/// What is there at a moment: pods and claims by uid, and how many pods are Ready.
#[derive(Debug, Default)]
struct Moment {
    names: BTreeMap<String, String>,
    claims: BTreeMap<String, String>,
    ready: i64,
}

/// What goes between two moments, by name, and how many pods are Ready at the second one.
type Becomes = (Vec<String>, Vec<String>, i64);

impl Moment {
    /// Takes an object in, as a dump or a watch has it.
    fn add(&mut self, kind: &str, uid: String, name: String, conditions: &Value, is_going: bool) {
        match kind {
            "Pod" => {
                let is_ready = |one: &Value| one["type"] == "Ready" && one["status"] == "True";
                let is_ready = conditions.as_array().into_iter().flatten().any(is_ready);
                self.ready += i64::from(is_ready && !is_going);
                self.names.insert(uid, name);
            }
            "PersistentVolumeClaim" => drop(self.claims.insert(uid, name)),
            _ => {}
        }
    }

    fn of_dump(text: &str) -> Self {
        let list = read_value(text).unwrap();
        let mut moment = Self::default();
        for object in list["items"].as_array().unwrap() {
            let (metadata, status) = (&object["metadata"], &object["status"]);
            let is_going = !metadata["deletionTimestamp"].is_null();
            moment.add(
                &word(&object["kind"]),
                word(&metadata["uid"]),
                word(&metadata["name"]),
                &status["conditions"],
                is_going,
            );
        }
        moment
    }

    /// By the last change of each object that a watch had seen by then. Generated names are those of their workload.
    fn of_recording(recording: &Recording, at: i64) -> Self {
        let mut last: BTreeMap<String, &Value> = BTreeMap::new();
        for change in recording.changes.iter().filter(|change| milliseconds(&change["t"]) <= at) {
            last.insert(word(&change["uid"]), change);
        }
        let mut moment = Self::default();
        for (uid, change) in last.into_iter().filter(|(_, change)| change["type"] != "DELETED") {
            let owner = word(&change["owners"][0]);
            let name = match owner.split_once('/') {
                Some(("ReplicaSet" | "DaemonSet", _)) => word(&change["labels"]["app"]),
                _ => word(&change["name"]),
            };
            moment.add(
                &word(&change["kind"]),
                uid,
                name,
                &change["conditions"],
                !change["deletionTimestamp"].is_null(),
            );
        }
        moment
    }

    fn becomes(&self, after: &Self) -> Becomes {
        (gone(&self.names, &after.names), gone(&self.claims, &after.claims), after.ready)
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn gone(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let gone = before.iter().filter(|(uid, _)| !after.contains_key(*uid)).map(|(_, name)| name.clone());
    sorted(gone)
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn tried(text: &str, lines: &str) -> Value {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("what-if-recorded.yaml");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_setscope"));
    let output = command.args(["ways-out", "-o", "json", "--try", lines, "-f"]).arg(&file).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{lines}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// What is foretold of lines in a run that was recorded without whole dumps.
fn foretold(recording: &Recording, place: usize, until: i64) -> Becomes {
    let (session, lines, files) = before(recording, place, until);
    let verdicts = judge(&session, &[], &[]).verdicts;
    let files = Box::new(move |path: &str| files.get(path).cloned());
    let rehearsed = Rehearsal::new(&session, verdicts, &[], lines, "default".into(), files).to_the_end();
    let names = |course: &Course| -> Vec<String> {
        let is_named = course.workload.kind.has_ordinals();
        let name = |pod: &Rc<str>| if is_named { pod.to_string() } else { course.workload.name.to_string() };
        course.replaced.iter().map(name).collect()
    };
    let all = || rehearsed.workloads.iter();
    let claims = all().flat_map(|course| course.lost_claims.all()).map(|claim| claim.to_string());
    (sorted(all().flat_map(names)), sorted(claims), all().map(|course| i64::from(course.ready.1)).sum())
}

#[test]
fn what_was_recorded_is_what_is_foretold() {
    let mut differ = Vec::new();
    for (name, from, to, lines) in RECORDED {
        let at = |tenths: i64| kit::dump_in("dumps-1.36", name, tenths);
        let ((objects, nodes), (afterwards, _)) = (at(from), at(to));
        let answer = tried(&format!("{objects}---\n{nodes}"), lines);
        let workloads = answer["workloads"].as_array().unwrap();
        let names = |field: &str| sorted(workloads.iter().flat_map(|one| one[field].as_array().unwrap()).map(word));
        let ready: i64 = workloads.iter().map(|one| one["ready"]["after"].as_i64().unwrap()).sum();
        let foretold = (names("podsReplaced"), names("claimsLost"), ready);
        let recorded = Moment::of_dump(&objects).becomes(&Moment::of_dump(&afterwards));
        if foretold != recorded {
            differ.push(format!("{name} from {from} to {to}: foretold {foretold:?}, recorded {recorded:?}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn what_was_recorded_without_whole_dumps_is_what_is_foretold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/control_plane/recordings-1.36");
    let recordings = recording::all(&folder);
    let mut differ = Vec::new();
    for (id, first, until) in RUNS {
        let recording = recordings.iter().find(|recording| recording.id == id).unwrap();
        let place = recording.commands.iter().position(|command| command["do"] == first).unwrap();
        let at = milliseconds(&recording.commands[place]["start"]);
        let [before, after] = [at - 1, until * 1_000 - 1].map(|at| Moment::of_recording(recording, at));
        let (foretold, recorded) = (foretold(recording, place, until * 1_000), before.becomes(&after));
        if foretold != recorded {
            differ.push(format!("{id}: {first} until {until} s: foretold {foretold:?}, recorded {recorded:?}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
