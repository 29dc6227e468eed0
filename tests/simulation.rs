//! The cluster behaves as a real one does: in order, on the clock, and the same each time.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{WEB, pod, reference, settle, start, web};
use setscope::kubectl::manifest::PatchType;
use setscope::objects::{Kind, PodManagementPolicy, StatefulSet};
use setscope::reconcile::Release;
use setscope::session::{Command, Scenario, Session, Start};
use setscope::sim::{Failure, Settings};
use std::rc::Rc;

fn set(session: &Session) -> Rc<StatefulSet> {
    Rc::clone(session.cluster().stateful_sets().next().unwrap())
}

/// `web-0 Running`, with a mark for Ready and for deletion.
fn pods(session: &Session) -> Vec<String> {
    let line = |pod: &Rc<setscope::objects::Pod>| {
        let ready = if pod.condition("Ready").is_some_and(|ready| &*ready.status == "True") { " ready" } else { "" };
        let terminating = if pod.metadata.deletion_timestamp.is_some() { " terminating" } else { "" };
        let image = pod.spec.containers[0].image.rsplit(':').next().unwrap_or("");
        format!("{} {image}{ready}{terminating}", pod.metadata.name)
    };
    session.cluster().pods().map(line).collect()
}

#[test]
fn a_set_comes_up_in_order_and_settles() {
    let mut session = start();
    let mut seen = Vec::new();
    while session.step() {
        let now = pods(&session);
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    let want: Vec<Vec<&str>> = vec![
        vec![],
        vec!["web-0 1.27"],
        vec!["web-0 1.27 ready"],
        vec!["web-0 1.27 ready", "web-1 1.27"],
        vec!["web-0 1.27 ready", "web-1 1.27 ready"],
        vec!["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27"],
        vec!["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27 ready"],
    ];
    assert_eq!(seen, want);
    let status = &set(&session).status;
    assert_eq!((status.replicas, status.ready_replicas, status.updated_replicas), (3, 3, 3));
    let claims: Vec<String> = session.cluster().claims().map(|claim| claim.metadata.name.to_string()).collect();
    assert_eq!(claims, ["www-web-0", "www-web-1", "www-web-2"]);
    let nodes: Vec<_> = session.cluster().pods().map(|pod| pod.spec.node_name.to_string()).collect();
    assert_eq!(nodes, ["node-a", "node-b", "node-c"]);
}

#[test]
fn scaling_down_deletes_the_highest_ordinal_and_keeps_its_claim() {
    let mut session = start();
    settle(&mut session);
    session.command(Command::Scale { set: web(), replicas: 2 }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.27 ready"]);
    assert_eq!(session.cluster().claims().count(), 3);
}

#[test]
fn a_partition_keeps_lower_ordinals_at_the_old_image() {
    let mut session = start();
    settle(&mut session);
    session.command(Command::set_partition(web(), 1)).unwrap();
    let image = Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:1.28".into() };
    session.command(image).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.28 ready", "web-2 1.28 ready"]);
    session.command(Command::RollBack { set: web(), to: 0 }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27 ready"]);
    assert_eq!(session.cluster().revisions().count(), 2, "the old revision is used again, no third one is made");
}

#[test]
fn a_failed_node_loses_readiness_then_evicts_and_then_waits_for_its_return() {
    let mut session = start();
    settle(&mut session);
    let t0 = session.cluster().now();
    session.command(Command::FailNode { node: "node-b".into(), failure: Failure::KubeletStopped }).unwrap();
    session.advance(29_000);
    assert_eq!(pods(&session)[1], "web-1 1.27 ready", "nothing is known within the grace period");
    session.advance(20_000);
    assert_eq!(pods(&session)[1], "web-1 1.27", "the node is NotReady and its pod not Ready");
    session.advance(299_000 - 49_000 + 30_000);
    assert_eq!(pods(&session)[1], "web-1 1.27", "the toleration has not run out");
    session.advance(26_000);
    assert_eq!(pods(&session)[1], "web-1 1.27 terminating");
    session.advance(3_600_000);
    assert_eq!(pods(&session)[1], "web-1 1.27 terminating", "nobody confirms that it stopped");
    assert!(session.cluster().now().0 - t0.0 > 3_600_000);
    session.command(Command::RecoverNode { node: "node-b".into() }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27 ready"]);
}

#[test]
fn a_node_that_returns_within_the_grace_period_is_not_noticed() {
    let mut session = start();
    settle(&mut session);
    let before = pods(&session);
    session.command(Command::FailNode { node: "node-b".into(), failure: Failure::KubeletStopped }).unwrap();
    session.advance(20_000);
    session.command(Command::RecoverNode { node: "node-b".into() }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), before);
    assert!(!session.cluster().trace().api_events.iter().any(|event| &*event.reason == "NodeNotReady"));
}

#[test]
fn force_delete_frees_the_ordinal_of_a_lost_node() {
    let mut session = start();
    settle(&mut session);
    session.command(Command::FailNode { node: "node-b".into(), failure: Failure::KubeletStopped }).unwrap();
    session.advance(400_000);
    session.command(Command::DeletePod { pod: pod("web-1"), grace: Some(0) }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27 ready"]);
    let node = session.cluster().pods().nth(1).unwrap().spec.node_name.to_string();
    assert_ne!(node, "node-b");
}

#[test]
fn an_evicted_pod_is_made_again_and_a_crashed_one_restarted_in_place() {
    let mut session = start();
    settle(&mut session);
    let uid = |session: &Session| session.cluster().pods().next().unwrap().metadata.uid.clone();
    let first = uid(&session);
    session.command(Command::CrashPod { pod: pod("web-0") }).unwrap();
    settle(&mut session);
    assert_eq!(uid(&session), first);
    assert_eq!(session.cluster().pods().next().unwrap().status.container_statuses[0].restart_count, 1);
    session.command(Command::EvictPod { pod: pod("web-0") }).unwrap();
    settle(&mut session);
    assert_ne!(uid(&session), first);
    assert_eq!(pods(&session)[0], "web-0 1.27 ready");
}

#[test]
fn the_pods_of_a_removed_node_are_collected_and_made_elsewhere() {
    let mut session = start();
    settle(&mut session);
    session.command(Command::RemoveNode { node: "node-c".into() }).unwrap();
    settle(&mut session);
    assert_eq!(pods(&session), ["web-0 1.27 ready", "web-1 1.27 ready", "web-2 1.27 ready"]);
    assert!(session.cluster().pods().all(|pod| &*pod.spec.node_name != "node-c"));
}

#[test]
fn a_set_that_is_created_again_adopts_its_pods_without_restarting_them() {
    let mut session = start();
    settle(&mut session);
    let uids = |session: &Session| -> Vec<_> { session.cluster().pods().map(|pod| pod.metadata.uid.clone()).collect() };
    let before = uids(&session);
    session.command(Command::Recreate { set: web(), policy: PodManagementPolicy::Parallel }).unwrap();
    settle(&mut session);
    assert_eq!(uids(&session), before);
    let owner = set(&session).metadata.uid.clone();
    assert!(session.cluster().pods().all(|pod| pod.metadata.controller_of().is_some_and(|it| it.uid == owner)));
}

#[test]
fn what_is_given_an_owner_that_is_gone_is_collected() {
    let mut session = start();
    settle(&mut session);
    let before = set(&session).metadata.uid.clone();
    let owner =
        r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "another", "controller": true}"#;
    let patch = format!(r#"{{"metadata": {{"ownerReferences": [{owner}]}}}}"#);
    let uid = session.cluster().get(&pod("web-1")).unwrap().metadata().uid.clone();
    for object in [pod("web-1"), reference(Kind::PersistentVolumeClaim, "www-web-1")] {
        let patch: Rc<str> = patch.as_str().into();
        session.command(Command::Patch { set: object, patch, how: PatchType::Merge }).unwrap();
    }
    settle(&mut session);
    let made_again = session.cluster().get(&pod("web-1")).unwrap().metadata();
    assert!(made_again.uid != uid && made_again.controller_of().is_some_and(|owner| owner.uid == before));
    let claim = session.cluster().claims().find(|claim| &*claim.metadata.name == "www-web-1").unwrap();
    assert!(claim.metadata.owner_references.is_empty(), "the claim was made again too");
}

#[test]
fn stepping_back_is_exact_and_the_known_future_can_be_walked_again() {
    let mut session = start();
    session.advance(6_000);
    session.command(Command::Scale { set: web(), replicas: 5 }).unwrap();
    session.advance(9_000);
    let (here, _) = session.position();
    // The clock stands a little after the last event; going back and forth leaves it at the event itself.
    session.go_to(here - 1);
    let mut marks = Vec::new();
    for moves in (1..=here).rev() {
        session.go_to(moves);
        marks.push((moves, session.cluster().fingerprint()));
    }
    for (moves, mark) in marks.into_iter().rev() {
        session.go_to(moves);
        assert_eq!(session.cluster().fingerprint(), mark, "at move {moves}");
    }
}

#[test]
fn a_refused_command_changes_nothing() {
    let mut session = start();
    settle(&mut session);
    let before = (session.cluster().fingerprint(), session.position());
    let refusal = session.command(Command::Scale { set: web(), replicas: -1 }).unwrap_err();
    assert_eq!(
        refusal.problems[0].message(),
        "The StatefulSet \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0"
    );
    assert_eq!((session.cluster().fingerprint(), session.position()), before);
}

#[test]
fn the_same_scenario_gives_the_same_bytes() {
    let mut session = start();
    session.advance(5_000);
    session.command(Command::FailNode { node: "node-a".into(), failure: Failure::KubeletStopped }).unwrap();
    session.advance(60_000);
    session.command(Command::Scale { set: web(), replicas: 4 }).unwrap();
    let again = Session::replay(session.scenario()).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    assert_eq!(again.cluster().fingerprint(), session.cluster().fingerprint());
}

#[test]
fn a_claim_that_is_not_bound_yet_is_told_in_each_releases_words() {
    for (release, words) in [
        (Release::V1_9, "PersistentVolumeClaim is not bound: \"www-web-0\" (repeated 3 times)"),
        (
            Release::V1_17,
            "error while running \"VolumeBinding\" filter plugin for pod \"web-0\": pod has unbound immediate PersistentVolumeClaims",
        ),
        (Release::V1_20, "0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims."),
        (
            Release::V1_28,
            "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are \
             available: 3 Preemption is not helpful for scheduling..",
        ),
        (Release::V1_34, "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"),
    ] {
        let mut session = Session::empty(release, 1, 3);
        session.command(Command::Apply { manifest: WEB.into() }).unwrap();
        settle(&mut session);
        let trace = session.cluster().trace();
        let told = trace.api_events.iter().find(|event| &*event.reason == "FailedScheduling").unwrap();
        assert_eq!(&*told.message, words, "{}", release.name());
    }
}

#[test]
fn recreate_is_taken_behind_its_gate_alone() {
    let manifest = crate::kit::manifest(3, r#""updateStrategy": {"type": "Recreate"}"#, "");
    let with_gate = |on: bool| {
        let gates = vec![("StatefulSetRecreateStrategy".into(), on)];
        let start = Start::Empty { nodes: 3 };
        let scenario = Scenario { seed: 1, release: Release::V1_37, gates, start, commands: Vec::new() };
        let mut session = Session::with_settings(scenario, Settings::default());
        session.command(Command::Apply { manifest: manifest.as_str().into() })
    };
    let refused = with_gate(false).unwrap_err().messages().collect::<String>();
    assert!(refused.contains("must be 'RollingUpdate' or 'OnDelete'"), "{refused}");
    with_gate(true).unwrap();
}
