//! Small clusters, what is asked of them, and kube-scheduler's own words.

use super::place;
use crate::objects::{Kind, ObjectRef, Pod, Time};
use crate::releases::Release;
use crate::sim::store::Store;
use serde_json::{Value, json};

const HOSTNAME: &str = "kubernetes.io/hostname";
const ZONE: &str = "topology.kubernetes.io/zone";

fn store(objects: impl IntoIterator<Item = Value>) -> Store {
    let release = Release::V1_34;
    let mut store = Store::new(crate::sim::rng::Rng::new(1), release.gates().server(release));
    for value in objects {
        let object = crate::objects::Object::from_value(value).unwrap();
        store.load(object, Time(0));
    }
    store
}

fn node(name: &str, zone: &str, allocatable: Value) -> Value {
    json!({"apiVersion": "v1", "kind": "Node",
        "metadata": {"name": name, "labels": {HOSTNAME: name, ZONE: zone}},
        "status": {"allocatable": allocatable, "conditions": [{"type": "Ready", "status": "True"}]}})
}

/// Nodes a and b in the zone east, c in west, each of two CPUs.
fn nodes() -> Vec<Value> {
    let two = json!({"cpu": "2", "memory": "4Gi", "pods": "3"});
    [("a", "east"), ("b", "east"), ("c", "west")].map(|(name, zone)| node(name, zone, two.clone())).into()
}

fn pod(name: &str, app: &str, spec: Value) -> Value {
    let mut spec = spec;
    if spec["containers"].is_null() {
        spec["containers"] = json!([{"name": "c", "image": "i"}]);
    }
    json!({"apiVersion": "v1", "kind": "Pod", "spec": spec,
        "metadata": {"name": name, "namespace": "default", "labels": {"app": app}}, "status": {"phase": "Running"}})
}

fn on(node: &str, name: &str, app: &str) -> Value {
    pod(name, app, json!({"nodeName": node}))
}

/// The node that a pod of the app `web` goes to, or what a release says of it.
fn placed_in(release: Release, objects: Vec<Value>, spec: Value) -> String {
    let store = store(objects.into_iter().chain([pod("new", "web", spec)]));
    let key = ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: "new".into() };
    let new: &Pod = store.pod(&key).unwrap();
    let words = &release.profile().scheduler;
    match place(&store, words, new) {
        Ok(node) => node.to_string(),
        Err(reason) => reason.message(words, 3, "new"),
    }
}

fn placed(with: impl IntoIterator<Item = Value>, spec: Value) -> String {
    let message = placed_in(Release::V1_34, nodes().into_iter().chain(with).collect(), spec);
    message.split(" no new claims").next().unwrap_or_default().to_owned()
}

fn required(term: Value) -> Value {
    json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}})
}

#[test]
fn required_node_affinity_and_the_node_selector_choose_nodes() {
    let zone = |operator: &str, values: &[&str]| {
        required(json!({"matchExpressions": [{"key": ZONE, "operator": operator, "values": values}]}))
    };
    assert_eq!(placed([], zone("In", &["west"])), "c");
    assert_eq!(placed([], zone("NotIn", &["east"])), "c");
    assert_eq!(
        placed([], required(json!({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["b"]}]}))),
        "b"
    );
    assert_eq!(placed([], json!({"nodeSelector": {HOSTNAME: "b"}})), "b");
    let refused = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
    assert_eq!(placed([], zone("DoesNotExist", &[])), refused);
    assert_eq!(placed([], json!({"nodeSelector": {"pool": "kafka"}})), refused);
    for (release, words) in [
        (Release::V1_17, "0/3 nodes are available: 3 node(s) didn't match node selector."),
        (Release::V1_20, "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity."),
        (
            Release::V1_28,
            "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling..",
        ),
    ] {
        assert_eq!(placed_in(release, nodes(), json!({"nodeSelector": {"pool": "kafka"}})), words);
    }
}

#[test]
fn preferences_choose_between_nodes_that_suit() {
    let preferred = json!({"affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
        {"weight": 1, "preference": {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["east"]}]}},
        {"weight": 5, "preference": {"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["west"]}]}}]}}});
    // It goes where there are more pods: the preference counts more.
    assert_eq!(placed([on("c", "one", "db"), on("c", "two", "db")], preferred), "c");
    let mut tainted = nodes();
    for node in &mut tainted[..2] {
        node["spec"]["taints"] = json!([{"key": "old", "effect": "PreferNoSchedule"}]);
    }
    tainted.push(on("c", "one", "db"));
    assert_eq!(placed_in(Release::V1_34, tainted, json!({})), "c");
    let beside = |name: &str| {
        json!({"affinity": {name: {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 10, "podAffinityTerm":
            {"topologyKey": ZONE, "labelSelector": {"matchLabels": {"app": "db"}}}}]}}})
    };
    assert_eq!(placed([on("c", "one", "db")], beside("podAffinity")), "c");
    assert_eq!(placed([on("a", "one", "db"), on("c", "two", "web")], beside("podAntiAffinity")), "c");
}

#[test]
fn a_node_takes_what_fits_into_what_it_has() {
    let asks =
        |requests: Value| json!({"containers": [{"name": "c", "image": "i", "resources": {"requests": requests}}]});
    assert_eq!(placed([], asks(json!({"cpu": "2", "memory": "4Gi"}))), "a");
    assert_eq!(
        placed([], asks(json!({"cpu": "2100m", "memory": "5Gi"}))),
        "0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory."
    );
    assert_eq!(
        placed([], asks(json!({"nvidia.com/gpu": 1}))),
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
    );
    let full = (0..3).flat_map(|at| ["a", "b"].map(|node| on(node, &format!("{node}{at}"), "db")));
    let mut taken = pod("big", "db", asks(json!({"cpu": "1500m"})));
    taken["spec"]["nodeName"] = "c".into();
    assert_eq!(
        placed(full.chain([taken]), asks(json!({"cpu": "1"}))),
        "0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods."
    );
    // An init container asks for what it needs before the others; a sidecar beside them.
    let with_init = |policy: Value| {
        let requests = |cpu: &str| json!({"requests": {"cpu": cpu}});
        json!({"initContainers": [{"name": "i", "image": "i", "resources": requests("1500m"), "restartPolicy": policy}],
            "containers": [{"name": "c", "image": "i", "resources": requests("1")}]})
    };
    assert_eq!(placed([], with_init(Value::Null)), "a");
    assert_eq!(placed([], with_init("Always".into())), "0/3 nodes are available: 3 Insufficient cpu.");
    let port =
        || json!({"containers": [{"name": "c", "image": "i", "ports": [{"containerPort": 80, "hostPort": 80}]}]});
    let taken = ["a", "b", "c"].map(|node| {
        let mut taken = pod(node, "db", port());
        taken["spec"]["nodeName"] = node.into();
        taken
    });
    assert_eq!(
        placed(taken, port()),
        "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports."
    );
}

fn spread(constraint: Value) -> Value {
    let mut constraint = constraint;
    constraint["labelSelector"] = json!({"matchLabels": {"app": "web"}});
    json!({"topologySpreadConstraints": [constraint]})
}

#[test]
fn pods_spread_as_their_constraints_say() {
    let over = |key: &str, skew: i32, when: &str| {
        spread(json!({"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when}))
    };
    let web = || [on("a", "one", "web"), on("b", "two", "web")];
    assert_eq!(placed(web(), over(ZONE, 1, "DoNotSchedule")), "c");
    assert_eq!(placed(web(), over(ZONE, 1, "ScheduleAnyway")), "c");
    let mut cordoned = nodes();
    cordoned[2]["spec"]["unschedulable"] = true.into();
    cordoned.extend(web());
    let refused = "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match pod topology spread constraints.";
    let told = placed_in(Release::V1_34, cordoned.clone(), over(ZONE, 1, "DoNotSchedule"));
    assert!(told.starts_with(refused), "{told}");
    assert!(
        told.ends_with("1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."),
        "{told}"
    );
    assert_eq!(placed_in(Release::V1_34, cordoned, over(ZONE, 1, "ScheduleAnyway")), "a");
    assert_eq!(
        placed([], over("rack", 1, "DoNotSchedule")),
        "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label)."
    );
    // Nodes that the pod does not ask for do not count, unless it says so.
    let mut east = over(ZONE, 1, "DoNotSchedule");
    east["nodeSelector"] = json!({ZONE: "east"});
    assert_eq!(placed(web(), east.clone()), "a");
    east["topologySpreadConstraints"][0]["nodeAffinityPolicy"] = "Ignore".into();
    assert!(placed(web(), east.clone()).contains("didn't match pod topology spread constraints"));
    let mut domains = over(ZONE, 1, "DoNotSchedule");
    domains["topologySpreadConstraints"][0]["minDomains"] = 3.into();
    assert_eq!(placed([on("a", "one", "web")], domains.clone()), "c");
    assert_eq!(
        placed([on("a", "one", "web"), on("c", "two", "web")], domains),
        "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints."
    );
}

#[test]
fn pods_want_or_shun_others_beside_them() {
    let term = |name: &str, key: &str, app: &str| {
        json!({"affinity": {name: {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": key, "labelSelector": {"matchLabels": {"app": app}}}]}}})
    };
    assert_eq!(placed([on("c", "one", "db")], term("podAffinity", ZONE, "db")), "c");
    assert_eq!(
        placed([], term("podAffinity", ZONE, "db")),
        "0/3 nodes are available: 3 node(s) didn't match pod affinity rules."
    );
    assert_eq!(placed([], term("podAffinity", ZONE, "web")), "a", "the first of those that want each other");
    let web = || [on("a", "one", "web"), on("c", "two", "web")];
    assert_eq!(placed(web(), term("podAntiAffinity", HOSTNAME, "web")), "b");
    let refused = placed(web(), term("podAntiAffinity", ZONE, "web"));
    assert_eq!(refused, "0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.");
    let before =
        placed_in(Release::V1_20, nodes().into_iter().chain(web()).collect(), term("podAntiAffinity", "failed", "web"));
    assert_eq!(before, "b", "nodes without the label are in no place");
    let before =
        placed_in(Release::V1_20, nodes().into_iter().chain(web()).collect(), term("podAntiAffinity", ZONE, "web"));
    assert_eq!(
        before,
        "0/3 nodes are available: 3 node(s) didn't match pod affinity/anti-affinity, 3 node(s) didn't match pod anti-affinity rules."
    );
    // What runs shuns what comes.
    let shunning = ["a", "b", "c"].map(|node| {
        let mut other = pod(node, "db", term("podAntiAffinity", HOSTNAME, "web"));
        other["spec"]["nodeName"] = node.into();
        other
    });
    assert_eq!(
        placed(shunning, json!({})),
        "0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules."
    );
}
