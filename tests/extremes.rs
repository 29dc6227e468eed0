//! Extreme numbers wherever a number is read: in manifests of every kind of workload, in what is opened from a real cluster
//! and in commands. Each is refused in words or carried out, and then the controllers run: nothing panics, nothing
//! overflows, and memory stays within bounds: it is that of a process, so these have one of their own. `./dev fuzz` runs these for
//! longer.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

#[allow(dead_code, unused_imports, reason = "it uses a part")]
mod kit;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use setscope::kubectl::{Command, Draining};
use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Refusal, Session, dump};
use setscope::sim::Budget;

/// Events that are taken after each command.
const STEPS: usize = 150;
/// Megabytes of addresses that the process may ask for.
const MEGABYTES: u64 = 1_024;

/// The limits of the types that numbers are read into, and their neighbors.
fn extremes() -> impl Strategy<Value = Value> {
    let numbers = [
        json!(0),
        json!(-1),
        json!(1),
        json!(i32::MAX),
        json!(i32::MAX - 1),
        json!(i32::MIN),
        json!(i64::from(i32::MAX) + 1),
        json!(i64::from(i32::MIN) - 1),
        json!(i64::MAX),
        json!(i64::MAX / 1_000),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e308),
        json!("0%"),
        json!("101%"),
        json!("-1%"),
        json!("2147483647%"),
        json!("-2147483648%"),
        json!("99999999999%"),
        json!("9223372036854775807"),
        json!("1e308"),
    ];
    select(numbers.to_vec())
}

/// A pod template in which every number has a value.
fn template() -> Value {
    let probe = json!({"tcpSocket": {"port": 80}, "initialDelaySeconds": 1, "timeoutSeconds": 1, "periodSeconds": 10,
        "successThreshold": 1, "failureThreshold": 3, "terminationGracePeriodSeconds": 30});
    let mut readiness = probe.clone();
    readiness.as_object_mut().unwrap().remove("terminationGracePeriodSeconds");
    json!({"metadata": {"labels": {"app": "web"}}, "spec": {
        "terminationGracePeriodSeconds": 30, "priority": 0, "readinessGates": [{"conditionType": "InPlaceUpdateReady"}],
        "securityContext": {"runAsUser": 1, "runAsGroup": 1, "fsGroup": 1},
        "tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "web"}}}],
        "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100,
            "podAffinityTerm": {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}}]},
          "nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100,
            "preference": {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]}}]}},
        "containers": [{"name": "main", "image": "nginx:1", "ports": [{"containerPort": 80, "hostPort": 8080}],
            "resources": {"limits": {"cpu": 1, "memory": 1_000_000}, "requests": {"cpu": 1, "memory": 1_000_000}},
            "readinessProbe": readiness, "livenessProbe": probe, "startupProbe": probe}]}})
}

/// A workload in which every number of its kind has a value.
fn workload(kind: Kind) -> Value {
    let own = match kind {
        Kind::StatefulSet => json!({"serviceName": "n", "podManagementPolicy": "Parallel", "ordinals": {"start": 1},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}}}),
        Kind::Deployment => json!({"progressDeadlineSeconds": 600,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": 1}}}),
        Kind::DaemonSet => {
            json!({"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}})
        }
        Kind::CloneSet => json!({"progressDeadlineSeconds": 600, "scaleStrategy": {"maxUnavailable": "50%"},
            "updateStrategy": {"type": "InPlaceIfPossible", "partition": "0%", "maxUnavailable": 1, "maxSurge": 1,
                "inPlaceUpdateStrategy": {"gracePeriodSeconds": 1}}}),
        Kind::AdvancedStatefulSet => {
            json!({"serviceName": "n", "podManagementPolicy": "Parallel", "reserveOrdinals": [1],
            "scaleStrategy": {"maxUnavailable": 1},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1,
                "podUpdatePolicy": "InPlaceIfPossible", "minReadySeconds": 1,
                "inPlaceUpdateStrategy": {"gracePeriodSeconds": 1}}}})
        }
        _ => json!({}),
    };
    let mut spec = Map::from_iter([
        ("selector".to_owned(), json!({"matchLabels": {"app": "web"}})),
        ("template".to_owned(), template()),
    ]);
    if kind != Kind::AdvancedStatefulSet {
        spec.insert("minReadySeconds".to_owned(), json!(1));
    }
    if kind != Kind::DaemonSet {
        spec.insert("replicas".to_owned(), json!(3));
    }
    if kind != Kind::ReplicaSet {
        spec.insert("revisionHistoryLimit".to_owned(), json!(10));
    }
    spec.extend(own.as_object().unwrap().clone());
    json!({"apiVersion": api_version(kind), "kind": kind.as_str(), "metadata": {"name": "web", "generation": 1}, "spec": spec})
}

/// CloneSets are written in the version that says most of them.
fn api_version(kind: Kind) -> &'static str {
    if kind == Kind::CloneSet { "apps.kruise.io/v1alpha1" } else { kind.api_version() }
}

/// Every number in it, and every text that begins like one.
fn numbers<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
    let is_numeric = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| numbers(field, found)),
        Value::Array(items) => items.iter_mut().for_each(|item| numbers(item, found)),
        Value::Number(_) => found.push(value),
        Value::String(text) if is_numeric(text) => found.push(value),
        _ => {}
    }
}

fn replace(value: &mut Value, changes: &[(Index, Value)]) {
    let mut found = Vec::new();
    numbers(value, &mut found);
    for (at, extreme) in changes {
        let at = at.index(found.len());
        *found[at] = extreme.clone();
    }
}

/// Opened objects with an extreme number in the place of one of theirs, whatever it is written as.
fn replace_in_text(text: &str, changes: &[(Index, Value)]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (at, extreme) in changes {
        let is_number = |line: &String| {
            let value = line.split_once(": ").map_or("", |(_, value)| value.trim_matches(['"', '\'']));
            value.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        };
        let numeric: Vec<usize> = (0..lines.len()).filter(|line| is_number(&lines[*line])).collect();
        let line = &mut lines[numeric[at.index(numeric.len())]];
        let (key, _) = line.split_once(": ").unwrap();
        *line = format!("{key}: {extreme}");
    }
    lines.join("\n")
}

fn check_refusal(refusal: &Refusal) {
    assert!(!refusal.problems.is_empty() && refusal.problems.iter().all(|problem| !problem.message().is_empty()));
}

fn give(session: &mut Session, command: Command) {
    if let Err(refusal) = session.command(command) {
        check_refusal(&refusal);
    }
    (0..STEPS).for_each(|_| {
        session.step();
    });
    check_memory();
}

/// Memory that was asked for counts whether it was touched or not.
fn check_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap_or("0");
    let peak: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak / 1_024 < MEGABYTES, "{peak} kB were asked for");
}

fn web(kind: Kind) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: "web".into() }
}

const KINDS: [Kind; 6] =
    [Kind::StatefulSet, Kind::Deployment, Kind::ReplicaSet, Kind::DaemonSet, Kind::CloneSet, Kind::AdvancedStatefulSet];

fn changes() -> impl Strategy<Value = Vec<(Index, Value)>> {
    proptest::collection::vec((any::<Index>(), extremes()), 1..4)
}

fn i32s() -> impl Strategy<Value = i32> {
    select(vec![i32::MIN, -1, 0, 1, 3, i32::MAX - 1, i32::MAX])
}

fn i64s() -> impl Strategy<Value = i64> {
    select(vec![i64::MIN, i64::from(i32::MIN), -1, 0, 1, i64::from(i32::MAX), i64::MAX / 1_000, i64::MAX])
}

/// Commands that carry numbers.
fn commands(kind: Kind) -> impl Strategy<Value = Command> {
    let set = web(kind);
    let [scaled, parted, rolled, guarded] = [0; 4].map(|_| set.clone());
    prop_oneof![
        i32s().prop_map(move |replicas| Command::Scale { set: scaled.clone(), replicas }),
        i32s().prop_map(move |partition| Command::set_partition(parted.clone(), partition)),
        i64s().prop_map(move |to| Command::RollBack { set: rolled.clone(), to }),
        i32s().prop_map(|pods| Command::SetPodQuota { pods: Some(pods) }),
        i64s().prop_map(|milliseconds| Command::SetReadinessDelay { milliseconds }),
        i32s().prop_map(|timeout| Command::Drain {
            node: "node-a".into(),
            how: Draining { timeout: Some(timeout), grace: Some(timeout), skip: Some(timeout), pods: None },
        }),
        (i32s(), any::<bool>()).prop_map(move |(min_available, always_allow)| Command::SetBudget {
            set: guarded.clone(),
            budget: Some(Budget { min_available, always_allow }),
        }),
    ]
}

proptest! {
    #![proptest_config(kit::random::cases(200))]

    #[test]
    fn extreme_manifests_are_refused_or_run(
        kind in select(KINDS.to_vec()),
        release in select(vec![Release::V1_20, Release::default()]),
        changes in changes(),
        again in changes(),
    ) {
        let mut manifest = workload(kind);
        let mut session = Session::empty(release, 1, 3);
        let apply = |manifest: &Value| Command::Apply { manifest: manifest.to_string().into() };
        replace(&mut manifest, &changes);
        give(&mut session, apply(&manifest));
        if session.cluster().get(&web(kind)).is_err() {
            // What runs already is changed in its place.
            give(&mut session, apply(&workload(kind)));
        }
        give(&mut session, Command::SetImage { set: web(kind), container: "main".into(), image: "nginx:2".into() });
        let mut manifest = workload(kind);
        replace(&mut manifest, &again);
        give(&mut session, apply(&manifest));
        session.seek(0);
    }

    #[test]
    fn extreme_commands_are_refused_or_run(
        (kind, commands) in select(KINDS.to_vec())
            .prop_flat_map(|kind| (Just(kind), proptest::collection::vec(commands(kind), 1..4))),
    ) {
        let mut session = Session::empty(Release::default(), 1, 3);
        give(&mut session, Command::Apply { manifest: workload(kind).to_string().into() });
        for command in commands {
            give(&mut session, command);
        }
    }

    #[test]
    fn extreme_objects_of_a_real_cluster_are_refused_or_run(changes in changes()) {
        let (objects, nodes) = kit::dump("d06a-canary", 57);
        let text = replace_in_text(&format!("{nodes}---\n{objects}"), &changes);
        match dump::open(&text, &dump::Options::default()).and_then(|dump| dump.session(1)) {
            Ok(mut session) => (0..STEPS).for_each(|_| { session.step(); }),
            Err(refusal) => check_refusal(&refusal),
        }
        check_memory();
    }
}

/// A manifest of each kind is taken as it is: what is refused is refused for its extreme numbers.
#[test]
fn every_kind_runs_with_ordinary_numbers() {
    for kind in KINDS {
        let mut session = Session::empty(Release::default(), 1, 3);
        session.command(Command::Apply { manifest: workload(kind).to_string().into() }).unwrap();
        (0..STEPS).for_each(|_| {
            session.step();
        });
        assert!(session.cluster().pods().count() >= 2, "{kind:?}");
    }
}
