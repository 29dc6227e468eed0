//! Rollouts told beforehand, of manifests as people hold them: each with what is said of it.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(unix)]

mod first;

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rollout").join(name).to_str().unwrap().to_owned()
}

/// A file of a test's own.
fn written(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rollout-{name}"));
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What is said with these arguments, and the exit status.
fn setscope(arguments: &[&str]) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_setscope")).args(arguments).output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (said, output.status.code().unwrap())
}

fn rollout(old: &str, new: &str, more: &[&str]) -> (String, i32) {
    setscope(&[&["rollout", "-f", old, "-f", new], more].concat())
}

/// The rollout between the two files of a case ends with the status and says each of these, in this order.
#[track_caller]
fn says(case: &str, more: &[&str], status: i32, parts: &[&str]) -> String {
    let (said, ended) = rollout(&file(&format!("{case}-old.yaml")), &file(&format!("{case}-new.yaml")), more);
    assert_eq!(ended, status, "{said}");
    let mut rest = &*said;
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part:?} is missing in\n{said}")).1;
    }
    said
}

#[test]
fn a_daemon_set_goes_node_by_node() {
    let said = says(
        "daemon-set",
        &[],
        0,
        &["daemonset/agent: done after", "at most 1 of 3 not ready", "gets stuck with 1 of 3"],
    );
    assert_eq!(said.matches("is deleted").count(), 3, "{said}");
    says("daemon-set", &["--never-ready", "agent:2"], 1, &["daemonset/agent: gets stuck"]);
    says("daemon-set", &["--never-ready", "agent:1"], 2, &["does not get well before anything is changed"]);
    // Where there was no pod, nothing is well.
    let nowhere = std::fs::read_to_string(file("daemon-set-old.yaml"))
        .unwrap()
        .replace("{containers:", "{nodeSelector: {gpu: a}, containers:");
    let old = written("nowhere-old.yaml", &nowhere);
    let new = written("nowhere-new.yaml", &nowhere.replace("agent:1", "agent:2"));
    let (said, status) = rollout(&old, &new, &[]);
    assert!(status == 2 && said.contains("none of the 3 nodes suits it"), "{status} {said}");
}

#[test]
fn what_kubectl_prints_is_compared_as_it_is() {
    says(
        "anti-affinity",
        &[],
        1,
        &["is created", "deployment/front: gets stuck", "didn't match pod anti-affinity rules"],
    );
}

#[test]
fn a_cluster_with_pods_and_nodes_goes_on_from_there() {
    let old = file("host-network.yaml");
    let new = written("host-network-new.yaml", &std::fs::read_to_string(&old).unwrap().replace("ne:1", "ne:2"));
    let (said, status) = rollout(&old, &new, &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("ne-aa1 is deleted") && said.contains("ne-bb2 is deleted"), "its own pods: {said}");
    assert!(said.contains("daemonset/ne: done") && said.contains("The control plane runs v1.34"), "{said}");
}

#[test]
fn a_claim_beside_its_workload_is_used() {
    says("claim", &[], 0, &["the volume of data (attached to node-a)", "is Ready", "deployment/db: done after"]);
    // Recreate waits for no other pod.
    let text = std::fs::read_to_string(file("claim-old.yaml"))
        .unwrap()
        .replace("replicas: 1", "replicas: 1\n  strategy: {type: Recreate}");
    let (old, new) = (written("recreate-old.yaml", &text), written("recreate-new.yaml", &text.replace("db:1", "db:2")));
    let (said, status) = rollout(&old, &new, &[]);
    assert!(status == 0 && !said.contains("One node at a time") && said.contains("at most 1 of 1"), "{status} {said}");
}

#[test]
fn too_few_nodes_are_told_in_the_schedulers_words() {
    says(
        "four-nodes",
        &[],
        2,
        &["0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules", "`--nodes 4`"],
    );
    let said = says("four-nodes", &["--nodes", "4"], 0, &["statefulset/ceph: done after"]);
    assert_eq!(said.matches("is created").count(), 4, "{said}");
    says("gpu", &[], 2, &["Insufficient nvidia.com/gpu", "--nodes FILE"]);
    says("gpu", &["--nodes", &file("gpu-nodes.yaml")], 0, &["deployment/model: done after"]);
    // Nodes in the files count too.
    let nodes = std::fs::read_to_string(file("gpu-nodes.yaml")).unwrap();
    let old =
        written("gpu-old.yaml", &format!("{}---\n{nodes}", std::fs::read_to_string(file("gpu-old.yaml")).unwrap()));
    let (said, status) = rollout(&old, &file("gpu-new.yaml"), &[]);
    assert_eq!(status, 0, "{said}");
}

#[test]
fn what_is_not_simulated_is_listed() {
    let nodes = file("gpu-nodes.yaml");
    let said = says("gpu", &["--nodes", &nodes], 0, &["Left out", "ConfigMap: settings"]);
    assert!(!said.contains("ResourceQuota"), "{said}");
}

#[test]
fn a_rollout_whose_next_pod_has_no_room_in_its_quota_gets_stuck() {
    let text = |name: &str| std::fs::read_to_string(file(name)).unwrap().replace("{pods: 2}", "{pods: 1}");
    let (old, new) = (written("few-old.yaml", &text("gpu-old.yaml")), written("few-new.yaml", &text("gpu-new.yaml")));
    let (said, status) = rollout(&old, &new, &["--nodes", &file("gpu-nodes.yaml")]);
    let words = "is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1";
    assert!(status == 1 && said.contains("deployment/model: gets stuck") && said.contains(words), "{status} {said}");
    assert!(said.contains("maxSurge 0, maxUnavailable 1: well in about"), "{said}");
}

#[test]
fn partitions_are_kept() {
    let said = says("partition", &[], 0, &["web-2 is deleted", "statefulset/web: done after"]);
    assert_eq!(said.matches("is deleted").count(), 1, "{said}");
}

#[test]
fn a_percentage_is_at_least_one_pod() {
    let said = says(
        "in-place",
        &[],
        0,
        &["demo-2 is changed in place", "demo-2 is Ready", "demo-1 is changed in place", "done after"],
    );
    assert!(said.contains("at most 1 of 3 not ready"), "{said}");
}

#[test]
fn a_long_file_is_read() {
    let long = |image: &str| {
        let set = std::fs::read_to_string(file("daemon-set-old.yaml")).unwrap().replace("agent:1", image);
        let filler: String = (0..1200)
            .map(|it| {
                format!(
                    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{it}}}\ndata: {{a: {}}}\n",
                    "x".repeat(1500)
                )
            })
            .collect();
        format!("{set}{filler}")
    };
    let (old, new) = (written("long-old.yaml", &long("agent:1")), written("long-new.yaml", &long("agent:2")));
    let (said, status) = rollout(&old, &new, &[]);
    assert!(
        status == 0
            && said.contains("ConfigMap: c0, c1, c10, c100, c1000, c1001, c1002, c1003, c1004, c1005 and 1190 more"),
        "{status} {said}"
    );
}

#[test]
fn a_pod_on_the_hosts_network_has_its_ports() {
    // Since 1.28 a template keeps what it says, and the pod is filled in; a second pod finds the port taken.
    let set = "apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {hostNetwork: true, containers: [{name: web, image: 'web:1', ports: [{containerPort: 80}]}]}
";
    let (old, new) = (written("port-old.yaml", set), written("port-new.yaml", &set.replace("web:1", "web:2")));
    for release in ["v1.20", "v1.28", "v1.34"] {
        let (said, status) = rollout(&old, &new, &["--release", release]);
        assert!(
            status == 2 && said.contains("didn't have free ports") && said.contains("--nodes 4"),
            "{release} {said}"
        );
    }
    let (said, status) = setscope(&["diagnose", "-f", &file("host-network.yaml")]);
    assert!(status != 2 && said.contains("by itself in about"), "{status} {said}");
}

#[test]
fn a_rollout_without_room_is_told_what_lets_it_go_on() {
    let parts = [
        "gets stuck",
        "maxSurge 0, maxUnavailable 1: well in about",
        "strategy Recreate: well in about",
        "kubectl delete rs front-",
    ];
    let said = says("anti-affinity", &[], 1, &parts);
    assert!(!said.contains("Scale back"), "nobody has scaled: {said}");
}

#[test]
fn a_refused_change_is_told_field_by_field() {
    let differs = r#"spec.volumeClaimTemplates[0].metadata.labels["helm.sh/chart"]: "vault-1.0.0" → "vault-1.0.1""#;
    let way = "kubectl delete sts vault --cascade=orphan -n prod";
    says(
        "immutable-field",
        &[],
        1,
        &["The change is refused", differs, way, "statefulset/vault: done", "at most 0 of 3"],
    );
}

#[test]
fn what_stays_as_it_is_is_told_with_the_reason() {
    says("on-delete", &[], 0, &["No pod is touched", "nothing moves before you delete pods"]);
    says("partition", &[], 0, &["done after", "partition 2 keeps web-0, web-1"]);
    // The partition counts from the first ordinal on, whatever that is.
    says(
        "partition-with-start",
        &[],
        0,
        &["web-7 is deleted", "web-6 is deleted", "done after", "partition 1 keeps web-5"],
    );
    // And it counts no ordinal that is left out.
    says("partition-with-reserved", &[], 0, &["web-3 is deleted", "done after", "partition 2 keeps web-0, web-2"]);
}

#[test]
fn ci_systems_read_what_is_wrong_at_its_line() {
    let case = |name: &str, form: &str, status: i32| {
        let (said, ended) =
            rollout(&file(&format!("{name}-old.yaml")), &file(&format!("{name}-new.yaml")), &["-o", form]);
        assert_eq!(ended, status, "{said}");
        said
    };
    let junit = case("anti-affinity", "junit", 1);
    assert!(junit.contains("<testsuite name=\"setscope rollout\" tests=\"1\" failures=\"1\" errors=\"0\">"), "{junit}");
    assert!(
        junit.contains("name=\"Deployment front (namespace prod)\"><failure message=\"gets stuck, at most"),
        "{junit}"
    );
    assert!(case("partition", "junit", 0).contains("failures=\"0\""));
    for (name, status, rule, level) in [
        ("anti-affinity", 1, "stuck", "error"),
        ("immutable-field", 1, "refused", "error"),
        ("partition", 0, "kept", "note"),
    ] {
        let log: serde_json::Value = serde_json::from_str(&case(name, "sarif", status)).unwrap();
        let [result] = &log["runs"][0]["results"].as_array().unwrap()[..] else { panic!("{log}") };
        assert_eq!((&result["ruleId"], &result["level"]), (&rule.into(), &level.into()), "{log}");
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        assert!(rules.iter().any(|known| known["id"] == rule), "{log}");
        assert!(result["message"]["text"].as_str().is_some_and(|words| !words.is_empty()), "{log}");
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.ends_with(&format!("tests/rollout/{name}-new.yaml")), "{log}");
        let line = place["region"]["startLine"].as_u64().unwrap();
        let text = std::fs::read_to_string(file(&format!("{name}-new.yaml"))).unwrap();
        assert!(usize::try_from(line).unwrap() <= text.lines().count(), "{log}");
    }
}

#[test]
fn what_the_files_lack_is_told_with_what_to_give() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  \
                selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    \
                spec: {containers: [{name: c, image: 'web:1'}], volumes: [{name: data, persistentVolumeClaim: {claimName: web-data}}]}\n";
    let old = written("claim-lacks-old.yaml", text);
    let new = written("claim-lacks-new.yaml", &text.replace("web:1", "web:2"));
    let (said, status) = rollout(&old, &new, &[]);
    let wanted =
        "Claim web-data is in none of the files: add what `kubectl get pvc web-data -o yaml` prints to the first one.";
    assert!(status == 2 && said.contains(wanted) && !said.contains("--nodes"), "{status} {said}");
    // Nodes are counted, or in a file, and not both.
    let (said, status) = rollout(&file("host-network.yaml"), &file("host-network.yaml"), &["--nodes", "2"]);
    assert!(status == 2 && said.contains("--nodes 2: the files have nodes of their own"), "{status} {said}");
    let (said, status) = rollout(&old, &new, &["--nodes", &old]);
    assert!(
        status == 2 && said.contains("there is no node in it; `kubectl get nodes -o yaml` prints them"),
        "{status} {said}"
    );
}

#[test]
fn a_class_that_nothing_in_a_cluster_shows_is_not_known() {
    let pod = "{containers: [{name: api, image: 'api:1'}]";
    let deployment = |pod: &str| {
        format!(
            "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: api, namespace: default, uid: d1}}, spec: {{replicas: 1, selector: {{matchLabels: {{app: api}}}}, template: {{metadata: {{labels: {{app: api}}}}, spec: {pod}}}}}}}"
        )
    };
    let owner = |kind: &str, name: &str, uid: &str| {
        format!(
            "ownerReferences: [{{apiVersion: apps/v1, kind: {kind}, name: {name}, uid: {uid}, controller: true, blockOwnerDeletion: true}}]"
        )
    };
    let labels = "labels: {app: api, pod-template-hash: h}";
    let there = [
        "{apiVersion: v1, kind: Node, metadata: {name: node-1, uid: n1}, status: {conditions: [{type: Ready, status: 'True'}], allocatable: {cpu: '4', memory: 8Gi, pods: '110'}, nodeInfo: {kubeletVersion: v1.34.0}}}".to_owned(),
        deployment(&format!("{pod}}}")),
        format!("{{apiVersion: apps/v1, kind: ReplicaSet, metadata: {{name: api-h, namespace: default, uid: r1, {labels}, annotations: {{deployment.kubernetes.io/revision: '1'}}, {}}}, spec: {{replicas: 1, selector: {{matchLabels: {{app: api, pod-template-hash: h}}}}, template: {{metadata: {{{labels}}}, spec: {pod}}}}}}}, status: {{replicas: 1, readyReplicas: 1, availableReplicas: 1}}}}", owner("Deployment", "api", "d1")),
        format!("{{apiVersion: v1, kind: Pod, metadata: {{name: api-h-1, namespace: default, uid: p1, {labels}, {}}}, spec: {{nodeName: node-1, containers: [{{name: api, image: 'api:1'}}]}}, status: {{phase: Running, startTime: '2026-11-20T09:00:00Z', conditions: [{{type: Ready, status: 'True'}}, {{type: ContainersReady, status: 'True'}}], containerStatuses: [{{name: api, image: 'api:1', ready: true, restartCount: 0, state: {{running: {{startedAt: '2026-11-20T09:00:01Z'}}}}}}]}}}}", owner("ReplicaSet", "api-h", "r1")),
    ];
    let old = written("named-old.yaml", &there.join("\n---\n"));
    let new = written("named-new.yaml", &deployment(&format!("{pod}, priorityClassName: gold}}")));
    let made = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: web}}\n---\n";
    let account =
        written("named-made.yaml", &(made.to_owned() + &deployment(&format!("{pod}, serviceAccountName: web}}"))));
    for more in [&[][..], &["--from", "v1.34", "--to", "v1.35"]] {
        let (text, status) = rollout(&old, &new, more);
        assert!(status == 3 && text.contains("PriorityClass gold is there"), "{status}: {text}");
        let (text, status) = rollout(&old, &account, more);
        assert!(status == 0 && !text.contains("ServiceAccount web is there"), "{status}: {text}");
    }
}

#[test]
fn a_pod_without_statuses_of_its_containers_is_followed() {
    let text = std::fs::read_to_string(file("host-network.yaml")).unwrap();
    let mut there = setscope_value(&text);
    for item in there["items"].as_array_mut().unwrap() {
        if item["kind"] == "Pod" {
            item["status"].as_object_mut().unwrap().remove("containerStatuses");
        }
    }
    let old = written("no-statuses-old.yaml", &there.to_string());
    let new = written("no-statuses-new.yaml", &text.replace("ne:1", "ne:2"));
    let (said, status) = rollout(&old, &new, &[]);
    assert!(status == 0 && said.contains("daemonset/ne: done"), "{status} {said}");
}

fn setscope_value(text: &str) -> serde_json::Value {
    setscope::kubectl::manifest::read_value(text).unwrap()
}
