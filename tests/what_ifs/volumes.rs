//! Where the volumes of a text are reached from: its nodes are each alone in a zone, as a recorded dump of 1.36.3 has them, and it lists
//! none, those that are reached from everywhere, or those that stay in the zone of their pod.

use crate::kit;
use serde_json::Value;
use setscope::kubectl::manifest::read_value;
use std::process::Command;

/// The recorded cluster, with a PersistentVolume like this for each of its claims.
fn text(name: &str, affinity: Option<&str>) -> std::path::PathBuf {
    let (objects, nodes) = kit::dump_in("dumps-1.36", "d01b-healthy-claims", 350);
    let mut text = format!("{objects}---\n{nodes}");
    let list = read_value(&objects).unwrap();
    let items = || list["items"].as_array().unwrap().iter();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    for claim in items().filter(|item| affinity.is_some() && item["kind"] == "PersistentVolumeClaim") {
        let ordinal = word(&claim["metadata"]["name"]).replace("data-", "");
        let pod = items().find(|item| item["kind"] == "Pod" && item["metadata"]["name"] == ordinal.as_str()).unwrap();
        let affinity = affinity.unwrap_or_default().replace("NODE", &word(&pod["spec"]["nodeName"]));
        text += &format!(
            "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {}}}\nspec: {{accessModes: [ReadWriteOnce], capacity: {{storage: 1Gi}}, \
             claimRef: {{namespace: {}, name: {}, uid: {}}}{affinity}}}\n",
            word(&claim["spec"]["volumeName"]),
            word(&claim["metadata"]["namespace"]),
            word(&claim["metadata"]["name"]),
            word(&claim["metadata"]["uid"]),
        );
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("what-if-{name}.yaml"));
    std::fs::write(&file, text).unwrap();
    file
}

fn tried(file: &std::path::Path, line: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setscope"));
    let output = command.args(["ways-out", "--try", line, "-f"]).arg(file).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_pod_that_leaves_the_zone_of_its_volume_is_not_called_well() {
    const ONLY_THERE: &str = ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [NODE]}]}]}}";
    let unsaid = text("unsaid", None);
    let everywhere = text("everywhere", Some(""));
    let zonal = text("zonal", Some(ONLY_THERE));
    for line in ["kubectl drain p01b-a --ignore-daemonsets", "kubectl delete node p01b-a"] {
        let (status, told) = tried(&unsaid, line);
        assert!(status == 3 && told.contains("another zone"), "{line}: {told}");
        let (status, told) = tried(&everywhere, line);
        assert!(status == 0 && told.contains("after:  as it was asked to be"), "{line}: {told}");
        let (status, told) = tried(&zonal, line);
        assert!(status == 1 && told.contains("web-2 is Pending"), "{line}: {told}");
    }
    // Where its own node would take it, it may go to another one, and need not.
    for file in [unsaid, everywhere, zonal] {
        let (status, told) = tried(&file, "kubectl delete pod web-1");
        assert!(status == 0 && !told.contains("Assumed"), "{told}");
    }
}

#[test]
fn images_and_classes_that_the_text_does_not_show_are_assumed() {
    let (_, told) = tried(&text("images", None), "kubectl set image sts/web app=unheard-of:1");
    assert!(told.contains("Assumed: image unheard-of:1 can be pulled"), "{told}");
    let (_, told) =
        tried(&text("known", None), "kubectl rollout restart sts/web && kubectl scale sts web --replicas=4");
    assert!(!told.contains("Assumed"), "{told}");
}
