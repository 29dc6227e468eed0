//! Clusters in few lines, written out as what kubectl would print of them.
//!
//! A file says only what matters: revisions are letters, times are seconds before noon, at which the text was made. What stands
//! under `with` is merged into the object as it is.

use serde_json::{Map, Value, json};
use setscope::kubectl::manifest::read_value;
use setscope::objects::{Object, Time};
use setscope::reconcile::{Release, template_patch};
use setscope::releases::CLONE_SET;

const NOON: &str = "2026-01-01T12:00:00Z";

/// The moment so many seconds before noon.
fn ago(seconds: i64) -> Value {
    Value::String(Time::parse(NOON).unwrap().plus_seconds(-seconds).to_string())
}

fn merge(base: &mut Value, value: &Value) {
    match (base, value) {
        (Value::Object(base), Value::Object(fields)) => {
            for (key, value) in fields {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, value) => *base = value.clone(),
    }
}

/// Merges what a file says, if it says anything.
fn lay_over(base: &mut Value, said: &Value) {
    if !said.is_null() {
        merge(base, said);
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn template(letter: &str) -> Value {
    json!({
        "metadata": { "labels": { "app": "web" } },
        "spec": { "containers": [{ "name": "app", "image": format!("app:{letter}"), "resources": {} }] },
    })
}

/// One condition of a status.
fn condition(name: &str, is_true: bool, since: i64) -> Value {
    json!({ "type": name, "status": if is_true { "True" } else { "False" }, "lastTransitionTime": ago(since) })
}

/// What a file says.
pub(crate) struct Small {
    /// Other conditions that hold in it.
    pub(crate) also: Vec<String>,
    /// What kubectl would print.
    pub(crate) text: String,
}

fn pod(name: &str, said: &Value, at: usize, set: &Value) -> Value {
    let letter = said["revision"].as_str().unwrap_or("a");
    let node = said["node"].as_str().unwrap_or(["node-a", "node-b", "node-c"][at % 3]);
    let is_ready = said["ready"] != false;
    let since = said["for"].as_i64().unwrap_or(600);
    let tolerations = ["not-ready", "unreachable"].map(|key| {
        json!({ "key": format!("node.kubernetes.io/{key}"), "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300 })
    });
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": name, "namespace": "default", "uid": format!("{name}-uid"), "creationTimestamp": ago(3600),
            "labels": { "app": "web", "controller-revision-hash": format!("web-{letter}"), "statefulset.kubernetes.io/pod-name": name },
            "ownerReferences": [{
                "apiVersion": set["apiVersion"], "kind": set["kind"], "name": "web", "uid": "web-uid", "controller": true, "blockOwnerDeletion": true,
            }],
        },
        "spec": {
            "containers": template(letter)["spec"]["containers"], "nodeName": node, "hostname": name, "subdomain": "web",
            "tolerations": tolerations,
        },
        "status": {
            "phase": "Running",
            "conditions": [condition("PodScheduled", true, 3600), condition("Initialized", true, 3600), condition("Ready", is_ready, since)],
            "containerStatuses": [{
                "name": "app", "image": format!("app:{letter}"), "ready": is_ready, "restartCount": 0,
                "state": { "running": { "startedAt": ago(since + 5) } },
            }],
        },
    });
    if let Some(seconds) = said["terminating"].as_i64() {
        pod["metadata"]["deletionTimestamp"] = ago(seconds - 30);
        pod["metadata"]["deletionGracePeriodSeconds"] = 30.into();
    }
    if let Some(reason) = said["waiting"].as_str() {
        let restarts = said["restarts"].as_i64().unwrap_or(i64::from(reason == "CrashLoopBackOff"));
        pod["status"]["phase"] = if restarts > 0 { "Running" } else { "Pending" }.into();
        pod["status"]["containerStatuses"][0]["restartCount"] = restarts.into();
        pod["status"]["containerStatuses"][0]["state"] = json!({ "waiting": { "reason": reason } });
    }
    if let Some(message) = said["unscheduled"].as_str() {
        let scheduled = json!({
            "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message, "lastTransitionTime": ago(since),
        });
        pod["status"] = json!({ "phase": "Pending", "conditions": [scheduled] });
        pod["spec"].as_object_mut().unwrap().remove("nodeName");
    }
    if let Some(claim) = said["claim"].as_str() {
        pod["spec"]["volumes"] = json!([{ "name": "data", "persistentVolumeClaim": { "claimName": claim } }]);
    }
    match set["kind"].as_str() {
        Some("Deployment") => {
            pod["metadata"]["labels"] = json!({ "app": "web", "pod-template-hash": letter });
            let owner = &mut pod["metadata"]["ownerReferences"][0];
            merge(
                owner,
                &json!({ "kind": "ReplicaSet", "name": format!("web-{letter}"), "uid": format!("set-{letter}-uid") }),
            );
        }
        Some("DaemonSet") => {
            pod["metadata"]["labels"] =
                json!({ "app": "web", "controller-revision-hash": letter, "pod-template-generation": "1" });
        }
        _ => {}
    }
    lay_over(&mut pod, &said["with"]);
    pod
}

fn node(name: &str, said: &Value, kubelet: &str) -> Value {
    let lost = said["lost"].as_i64();
    let since = lost.unwrap_or(7200);
    let mut ready = condition("Ready", lost.is_none(), since);
    ready["lastHeartbeatTime"] = ago(lost.map_or(0, |lost| lost + 40));
    let mut node = json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": { "name": name, "uid": format!("{name}-uid"), "creationTimestamp": ago(7200), "labels": { "kubernetes.io/hostname": name } },
        "spec": {},
        "status": { "conditions": [ready], "nodeInfo": { "kubeletVersion": kubelet } },
    });
    if lost.is_some() {
        node["status"]["conditions"][0]["status"] = "Unknown".into();
        let taint = |effect: &str| json!({ "key": "node.kubernetes.io/unreachable", "effect": effect, "timeAdded": ago(since) });
        node["spec"]["taints"] = json!([taint("NoSchedule"), taint("NoExecute")]);
    }
    lay_over(&mut node, &said["with"]);
    node
}

fn claim(name: &str, said: &Value) -> Value {
    let mut claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": { "name": name, "namespace": "default", "uid": format!("{name}-uid"), "creationTimestamp": ago(3600), "labels": { "app": "web" } },
        "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": "standard", "resources": { "requests": { "storage": "1Gi" } },
            "volumeName": format!("pv-{name}"),
        },
        "status": { "phase": "Bound" },
    });
    if said["pending"] == true {
        claim["spec"].as_object_mut().unwrap().remove("volumeName");
        claim["status"]["phase"] = "Pending".into();
    }
    lay_over(&mut claim, &said["with"]);
    claim
}

/// The set, and its revisions.
fn workload(said: &Value, release: Release) -> (Value, Vec<Value>) {
    let letters: Vec<String> = match said["revisions"].as_array() {
        Some(letters) => letters.iter().map(|letter| letter.as_str().unwrap().to_owned()).collect(),
        None => vec!["a".to_owned()],
    };
    let own = &said["set"];
    let kind = own["kind"].as_str().unwrap_or("StatefulSet");
    let is_kruise = matches!(kind, "CloneSet" | "AdvancedStatefulSet");
    let version = if is_kruise { "apps.kruise.io/v1beta1" } else { "apps/v1" };
    let kind = if kind == "AdvancedStatefulSet" { "StatefulSet" } else { kind };
    let newest = own["template"].as_str().unwrap_or(letters.last().unwrap());
    let of = |what: &dyn Fn(&Value) -> bool| fields(&said["pods"]).filter(|(_, pod)| what(pod)).count();
    let revision = |pod: &Value| pod["revision"].as_str().unwrap_or("a").to_owned();
    let mut set = json!({
        "apiVersion": version, "kind": kind,
        "metadata": { "name": "web", "namespace": "default", "uid": "web-uid", "generation": 1, "creationTimestamp": ago(7200) },
        "spec": {
            "replicas": 3, "selector": { "matchLabels": { "app": "web" } }, "template": template(newest), "revisionHistoryLimit": 10,
            "updateStrategy": { "type": "RollingUpdate", "rollingUpdate": { "partition": 0 } },
        },
        "status": {
            "observedGeneration": 1, "replicas": of(&|_| true), "readyReplicas": of(&|pod| pod["ready"] != false),
            "currentRevision": format!("web-{}", letters[0]), "updateRevision": format!("web-{newest}"),
            "currentReplicas": of(&|pod| revision(pod) == letters[0]), "updatedReplicas": of(&|pod| revision(pod) == newest),
            "availableReplicas": of(&|pod| pod["ready"] != false), "collisionCount": 0,
        },
    });
    match kind {
        "StatefulSet" => {
            set["spec"]["serviceName"] = "web".into();
            set["spec"]["podManagementPolicy"] = "OrderedReady".into();
        }
        "Deployment" => {
            set["spec"]["updateStrategy"] = Value::Null;
            set["metadata"]["annotations"] = json!({ "deployment.kubernetes.io/revision": letters.len().to_string() });
        }
        "DaemonSet" => {
            set["spec"]["updateStrategy"]["rollingUpdate"] = json!({ "maxUnavailable": 1 });
            let ready = of(&|pod| pod["ready"] != false);
            set["status"] = json!({
                "observedGeneration": 1, "currentNumberScheduled": of(&|_| true), "desiredNumberScheduled": of(&|_| true),
                "numberMisscheduled": 0, "numberReady": ready, "numberAvailable": ready,
                "updatedNumberScheduled": of(&|pod| revision(pod) == newest),
            });
        }
        _ => {}
    }
    lay_over(&mut set, &own["with"]);
    if kind == "Deployment" {
        let sets = letters
            .iter()
            .enumerate()
            .map(|(at, letter)| replica_set(&set, letter, at + 1, of(&|pod| revision(pod) == *letter)));
        let sets = sets.collect();
        return (set, sets);
    }
    // The revisions hold the set's own template, but for the image.
    let revisions = letters.iter().enumerate().map(|(at, letter)| {
        let mut other = set.clone();
        merge(&mut other["spec"]["template"], &template(letter));
        let object = Object::from_value(other).unwrap();
        let gates = if is_kruise { CLONE_SET } else { release.gates() };
        let data = template_patch(&gates, object.template().unwrap());
        json!({
            "apiVersion": "apps/v1", "kind": "ControllerRevision", "revision": at + 1,
            "data": serde_json::from_str::<Value>(data.text()).unwrap(),
            "metadata": {
                "name": format!("web-{letter}"), "namespace": "default", "uid": format!("revision-{letter}-uid"), 
                "labels": { "app": "web", "controller-revision-hash": letter },
                "creationTimestamp": ago(7200 - i64::try_from(at).unwrap()),
                "ownerReferences": [{ "apiVersion": version, "kind": kind, "name": "web", "uid": "web-uid", "controller": true, "blockOwnerDeletion": true }],
            },
        })
    });
    let revisions = revisions.collect();
    (set, revisions)
}

/// A ReplicaSet of a Deployment.
fn replica_set(deployment: &Value, letter: &str, number: usize, replicas: usize) -> Value {
    let mut made = template(letter);
    made["metadata"]["labels"]["pod-template-hash"] = letter.into();
    json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {
            "name": format!("web-{letter}"), "namespace": "default", "uid": format!("set-{letter}-uid"), "generation": 1,
            "creationTimestamp": ago(7200), "labels": made["metadata"]["labels"],
            "annotations": { "deployment.kubernetes.io/revision": number.to_string() },
            "ownerReferences": [{
                "apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": deployment["metadata"]["uid"],
                "controller": true, "blockOwnerDeletion": true,
            }],
        },
        "spec": { "replicas": replicas, "selector": { "matchLabels": made["metadata"]["labels"] }, "template": made },
        "status": {
            "observedGeneration": 1, "replicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
            "fullyLabeledReplicas": replicas,
        },
    })
}

fn event(said: &Value, at: usize) -> Value {
    let about = said["about"].as_str().unwrap_or("web");
    json!({
        "apiVersion": "v1", "kind": "Event", "metadata": { "name": format!("event-{at}"), "namespace": "default" },
        "involvedObject": { "kind": said["kind"], "name": about, "namespace": "default" },
        "reason": said["reason"], "message": said["message"], "count": said["count"].as_u64().unwrap_or(3), "firstTimestamp": said["first"].as_i64().map(ago),
        "lastTimestamp": ago(said["last"].as_i64().unwrap_or(60)),
    })
}

/// Reads a file.
pub(crate) fn read(text: &str) -> Small {
    let said = read_value(text).unwrap();
    let names: Vec<&str> = fields(&said).map(|(name, _)| name.as_str()).collect();
    let known = ["also", "claims", "events", "kubelet", "nodes", "objects", "pods", "revisions", "set"];
    assert!(names.iter().all(|name| known.contains(name)), "one of {names:?} is not known");
    let kubelet = said["kubelet"].as_str().unwrap_or("v1.36.0");
    let release = Release::of_version(kubelet).unwrap();
    let (set, mut items) = workload(&said, release);
    for (at, (name, own)) in fields(&said["pods"]).enumerate() {
        items.push(pod(name, own, at, &set));
    }
    items.push(set);
    let all: Map<String, Value> =
        ["node-a", "node-b", "node-c"].map(|name| (name.to_owned(), json!({}))).into_iter().collect();
    let mut nodes = Value::Object(all);
    lay_over(&mut nodes, &said["nodes"]);
    items.extend(fields(&nodes).filter(|(_, own)| **own != "gone").map(|(name, own)| node(name, own, kubelet)));
    items.extend(fields(&said["claims"]).map(|(name, own)| claim(name, own)));
    items.extend(said["events"].as_array().into_iter().flatten().enumerate().map(|(at, own)| event(own, at)));
    let gone = fields(&nodes).filter(|(_, own)| **own == "gone");
    items.extend(gone.map(|(name, _)| {
        let message = format!("Node {name} event: Removing Node {name} from Controller");
        event(&json!({ "kind": "Node", "about": name, "reason": "RemovingNode", "message": message }), 98)
    }));
    // Something speaks of noon.
    items.push(event(&json!({ "kind": "Node", "about": "node-a", "reason": "Noon", "message": "" }), 99));
    items.last_mut().unwrap()["lastTimestamp"] = NOON.into();
    items.extend(said["objects"].as_array().into_iter().flatten().cloned());
    let also = said["also"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()).collect();
    Small { also, text: json!({ "apiVersion": "v1", "kind": "List", "items": items }).to_string() }
}
