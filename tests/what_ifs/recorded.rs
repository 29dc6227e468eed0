//! What-ifs whose answer was recorded: a real 1.36.3 control plane's whole dump from before the lines, and the one from after them.

use crate::kit;
use serde_json::Value;
use setscope::kubectl::manifest::read_value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

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

/// What is there at a moment: pods and claims by uid, and how many pods are Ready.
#[derive(Debug, Default)]
struct Moment {
    names: BTreeMap<String, String>,
    claims: BTreeMap<String, String>,
    ready: i64,
}

fn moment(text: &str) -> Moment {
    let list = read_value(text).unwrap();
    let mut moment = Moment::default();
    for object in list["items"].as_array().unwrap() {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (uid, name) = (word(&object["metadata"]["uid"]), word(&object["metadata"]["name"]));
        match object["kind"].as_str().unwrap() {
            "Pod" => {
                let conditions = object["status"]["conditions"].as_array().into_iter().flatten();
                let is_ready = conditions.clone().any(|one| one["type"] == "Ready" && one["status"] == "True");
                moment.ready += i64::from(is_ready && object["metadata"]["deletionTimestamp"].is_null());
                moment.names.insert(uid, name);
            }
            "PersistentVolumeClaim" => drop(moment.claims.insert(uid, name)),
            _ => {}
        }
    }
    moment
}

fn gone(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> BTreeSet<String> {
    before.iter().filter(|(uid, _)| !after.contains_key(*uid)).map(|(_, name)| name.clone()).collect()
}

fn tried(text: &str, lines: &str) -> Value {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("what-if-recorded.yaml");
    std::fs::write(&file, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_setscope"));
    let output = command.args(["ways-out", "-o", "json", "--try", lines, "-f"]).arg(&file).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{lines}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn what_was_recorded_is_what_is_foretold() {
    let mut differ = Vec::new();
    for (name, from, to, lines) in RECORDED {
        let at = |tenths: i64| kit::dump_in("dumps-1.36", name, tenths);
        let ((objects, nodes), (afterwards, _)) = (at(from), at(to));
        let (before, after) = (moment(&objects), moment(&afterwards));
        let answer = tried(&format!("{objects}---\n{nodes}"), lines);
        let workloads = answer["workloads"].as_array().unwrap();
        let names = |field: &str| {
            let lists = workloads.iter().flat_map(|one| one[field].as_array().unwrap());
            lists.map(|name| name.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
        };
        let ready: i64 = workloads.iter().map(|one| one["ready"]["after"].as_i64().unwrap()).sum();
        let foretold = (names("podsReplaced"), names("claimsLost"), ready);
        let recorded = (gone(&before.names, &after.names), gone(&before.claims, &after.claims), after.ready);
        if foretold != recorded {
            differ.push(format!("{name} from {from} to {to}: foretold {foretold:?}, recorded {recorded:?}"));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
