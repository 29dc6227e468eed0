//! What 1.34 to 1.36 do otherwise with Deployments, ReplicaSets and DaemonSets.

use crate::kit::{Run, reference, workload};
use serde_json::json;
use setscope::kubectl;
use setscope::objects::{Kind, Object, Pod, ReplicaSet, Time};
use setscope::reconcile::{Observed, Release, Rule, daemon_set, replica_set};
use setscope::session::{Command, Session};
use std::rc::Rc;

fn run(kind: Kind, release: Release, lines: &[&str]) -> Run {
    let mut session = Session::empty(release, 1, 3);
    for line in lines {
        let kubectl::Line::Do(commands) = kubectl::parse(line, session.cluster()).unwrap() else { panic!("{line}") };
        commands.into_iter().for_each(|command| session.command(command).unwrap());
    }
    let spec = if kind == Kind::DaemonSet { "" } else { r#""replicas": 3"# };
    Run::after_a_minute(session, reference(kind, "web"), &workload(kind.as_str(), spec))
}

/// A quota refuses pods: the retry comes before the cache shows what was written.
pub(crate) fn short_of_quota(kind: Kind, release: Release) -> Run {
    run(kind, release, &["setscope quota pods 1"])
}

/// `status.terminatingReplicas` of the Deployment and of its ReplicaSet.
fn terminating(run: &Run) -> [Option<i64>; 2] {
    let replica_sets = run.session.cluster().workloads().filter(|object| matches!(object, Object::ReplicaSet(_)));
    let of = |object: &Object| object.to_json()["status"]["terminatingReplicas"].as_i64();
    [of(run.held()), replica_sets.map(of).next().flatten()]
}

#[test]
fn since_1_35_a_status_counts_terminating_pods() {
    for (release, counts) in [(Release::V1_34, false), (Release::V1_35, true), (Release::V1_36, true)] {
        let mut run = run(Kind::Deployment, release, &[]);
        assert_eq!(terminating(&run), [counts.then_some(0); 2], "{release:?}");
        let set = run.set.clone();
        run.give(Command::Scale { set, replicas: 1 });
        run.session.advance(500);
        assert_eq!(terminating(&run), [counts.then_some(2); 2], "{release:?}");
        run.session.advance(60_000);
        assert_eq!(terminating(&run), [counts.then_some(0); 2], "{release:?}");
    }
}

#[test]
fn the_same_template_has_another_hash_where_its_types_have_other_fields() {
    let hash = |release| {
        let pods = run(Kind::Deployment, release, &[]).pods();
        pods[0].metadata.labels.get("pod-template-hash").cloned().unwrap()
    };
    let hashes = [Release::V1_20, Release::V1_28, Release::V1_34, Release::V1_35, Release::V1_36].map(hash);
    for (at, one) in hashes.iter().enumerate() {
        assert!(!hashes[..at].contains(one), "{hashes:?}");
    }
    // Patch releases of 1.35 have one set of types, and 1.37 is taken to have those of 1.36.
    assert_eq!([hash(Release::V1_35_3), hash(Release::V1_37)], [hashes[3].clone(), hashes[4].clone()]);
}

/// Up to which release the ReplicaSet of the documentation's example has which hash, as public outputs of kubectl show it.
const NGINX: [(Release, &str); 11] = [
    (Release::V1_22, "66b6c48dd5"),
    (Release::V1_23, "9456bbbf9"),
    (Release::V1_24, "6595874d85"),
    (Release::V1_25, "7fb96c846b"),
    (Release::V1_26, "85996f8dbd"),
    (Release::V1_27, "cbdccf466"),
    (Release::V1_29, "86dcfdf4c6"),
    (Release::V1_30, "77d8468669"),
    (Release::V1_31, "d556bf558"),
    (Release::V1_33, "647677fc66"),
    (Release::V1_34, "bf744486c"),
];

#[test]
fn a_template_has_the_hash_that_real_clusters_of_each_release_gave_it() {
    let manifest = r#"{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "nginx-deployment"}, "spec": {
        "selector": {"matchLabels": {"app": "nginx"}}, "template": {"metadata": {"labels": {"app": "nginx"}}, "spec": {
        "containers": [{"name": "nginx", "image": "nginx:1.14.2", "ports": [{"containerPort": 80}]}]}}}}"#;
    for release in Release::ALL.into_iter().filter(|release| *release >= Release::V1_20) {
        let Some((_, hash)) = NGINX.iter().find(|(last, _)| release <= *last) else { continue };
        let mut session = Session::empty(release, 1, 3);
        session.command(Command::Apply { manifest: manifest.into() }).unwrap();
        session.advance(5_000);
        let mut names = session.cluster().workloads().filter(|object| object.kind() == Kind::ReplicaSet);
        let name = names.next().map(|object| object.metadata().name.to_string());
        assert_eq!(name.as_deref(), Some(&*format!("nginx-deployment-{hash}")), "{}", release.name());
    }
}

#[test]
fn since_1_36_a_sync_is_deferred_while_the_cache_is_behind_its_own_writes() {
    let behind = [
        (Kind::Deployment, Rule::ReplicaSet(replica_set::Rule::ReplicasBehindOwnWrites)),
        (Kind::DaemonSet, Rule::DaemonSet(daemon_set::Rule::DaemonsBehindOwnWrites)),
    ];
    for (kind, rule) in behind {
        for release in [Release::V1_35, Release::V1_36] {
            let mut run = short_of_quota(kind, release);
            let syncs = &run.session.cluster().trace().syncs;
            let deferred = syncs.iter().find(|sync| sync.decisions.iter().any(|decision| decision.rule == rule));
            assert_eq!(deferred.is_some(), release == Release::V1_36, "{kind:?} in {release:?}");
            if let Some(sync) = deferred {
                let error = sync.error.as_deref().unwrap_or_default();
                let is_of = |resource: &&str| error.ends_with(&format!(" for group resource {resource}"));
                assert!(["pods", "replicasets.apps", "daemonsets.apps"].iter().any(is_of), "{error}");
                assert!(error.starts_with("read version: "), "{error}");
                assert!(sync.writes.is_empty(), "{kind:?}");
            }
            run.line("setscope quota pods 9");
            run.session.advance(600_000);
            assert_eq!(run.ready(), 3, "{kind:?} in {release:?}");
        }
    }
}

#[test]
fn since_1_34_a_pod_whose_sidecar_restarted_more_goes_first() {
    let pod = |name: &str, [init, sidecar]: [i32; 2]| -> Rc<Pod> {
        serde_json::from_value(json!({
            "metadata": {"name": name, "uid": name, "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": true}]},
            "spec": {"containers": [{"name": "main"}], "nodeName": "node-a", "initContainers": [
                {"name": "init"}, {"name": "sidecar", "restartPolicy": "Always"}]},
            "status": {"phase": "Running", "containerStatuses": [{"name": "main", "restartCount": 1}],
                "initContainerStatuses": [
                    {"name": "init", "restartCount": init}, {"name": "sidecar", "restartCount": sidecar}]},
        }))
        .unwrap()
    };
    let set: ReplicaSet =
        serde_json::from_value(json!({"metadata": {"name": "web", "uid": "web"}, "spec": {"replicas": 1}})).unwrap();
    let (set, pods) = (Rc::new(set), [pod("calm", [9, 1]), pod("restless", [0, 2])]);
    for (release, first) in [(Release::V1_28, "calm"), (Release::V1_34, "restless"), (Release::V1_37, "restless")] {
        let observed = Observed { pods: pods[..].into(), namespace_pods: &pods, ..Observed::alone(Time(0), &set) };
        let ranking = replica_set::ranking(&release.gates(), &observed);
        assert_eq!(&*ranking[0].metadata.name, first, "{release:?}");
    }
}
