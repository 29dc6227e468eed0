//! Pods that end, creates that are refused, drains, deleted sets.

use crate::kit::{CLAIMS, Run, manifest, web};
use setscope::kubectl::Draining;
use setscope::objects::ContainerState;
use setscope::session::Command;
use setscope::sim::{Behavior, Budget, Cascade, EvictionRefusal, Failure, START, TraceEvent};

// Pods that end, creates that are refused.

#[test]
fn a_crash_loop_backs_off_from_ten_seconds_to_five_minutes() {
    let mut run = Run::of(1, &manifest(0, "", ""));
    run.give(Command::SetBehavior { image: "nginx:1".into(), behavior: Behavior::Crashes });
    run.give(Command::Scale { set: web(), replicas: 1 });
    let mut starts = Vec::new();
    let mut known = -1;
    while starts.len() < 9 && run.session.step() {
        let restarts =
            run.pod("web-0").and_then(|pod| pod.status.container_statuses.first()).map(|it| it.restart_count);
        let runs = run.live("web-0").len() == 1;
        if let Some(restarts) = restarts.filter(|restarts| *restarts > known && runs) {
            known = restarts;
            starts.push(run.session.cluster().now().0);
        }
    }
    // From a start to the crash 1 s, then the pause.
    let pauses: Vec<i64> = starts.windows(2).map(|pair| (pair[1] - pair[0]) / 1000 - 1).collect();
    assert_eq!(pauses, [1, 10, 20, 40, 80, 160, 300, 300]);
}

#[test]
fn a_failing_pull_backs_off_the_same_way() {
    let mut run = Run::of(1, &manifest(0, "", ""));
    run.give(Command::SetBehavior { image: "nginx:1".into(), behavior: Behavior::CannotBePulled });
    run.give(Command::Scale { set: web(), replicas: 1 });
    let mut words: Vec<String> = Vec::new();
    let mut reports = Vec::new();
    while run.session.cluster().now().0 < run.t0 + 900_000 && run.session.step() {
        let state = run.pod("web-0").and_then(|pod| pod.status.container_statuses.first()).map(|it| it.state.clone());
        if let Some(ContainerState::Waiting { reason }) = state
            && words.last().is_none_or(|last| **last != *reason)
        {
            words.push(reason.to_string());
        }
        let failed = run.session.cluster().trace().api_events.iter().find(|event| &*event.reason == "Failed");
        if let Some(event) =
            failed.filter(|event| usize::try_from(event.count).is_ok_and(|count| count > reports.len()))
        {
            reports.push(event.last.0);
        }
    }
    assert_eq!(words, ["ContainerCreating", "ErrImagePull", "ImagePullBackOff"]);
    let pauses: Vec<i64> = reports.windows(2).map(|pair| (pair[1] - pair[0]) / 1000).collect();
    assert_eq!(pauses, [10, 20, 40, 80, 160, 300, 300]);
}

#[test]
fn a_quota_or_a_webhook_refuses_creates_until_it_is_lifted() {
    for (refuse, lift, words) in [
        (
            Command::SetPodQuota { pods: Some(3) },
            Command::SetPodQuota { pods: None },
            "pods \"web-3\" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=3, limited: pods=3",
        ),
        (
            Command::SetWebhook { denies: true },
            Command::SetWebhook { denies: false },
            "admission webhook \"pods.example.com\" denied the request: pods are frozen",
        ),
    ] {
        let mut run = Run::of(3, &manifest(3, "", ""));
        run.give(refuse);
        run.give(Command::Scale { set: web(), replicas: 4 });
        run.at(30.0);
        assert_eq!(run.states().len(), 3);
        assert_eq!(
            run.message("FailedCreate", "web"),
            format!("create Pod web-3 in StatefulSet web failed error: {words}")
        );
        let (due, failures) = run.session.cluster().retry_of(&web()).unwrap();
        assert!(failures > 10 && due > run.session.cluster().now(), "{failures}");
        run.give(lift);
        run.at(3_600.0);
        assert_eq!(run.states().len(), 4);
    }
}

#[test]
fn a_pod_that_asks_for_more_than_a_node_has_is_never_scheduled() {
    let mut run = Run::of(
        3,
        &manifest(1, "", "").replace(
            r#""image": "nginx:1""#,
            r#""image": "nginx:1", "resources": {"requests": {"cpu": "5", "memory": "1Gi"}}"#,
        ),
    );
    run.give(Command::Scale { set: web(), replicas: 4 });
    run.at(60.0);
    assert_eq!(run.state("web-3"), "Pending");
    assert_eq!(run.message("FailedScheduling", "web-3"), "0/3 nodes are available: 3 Insufficient cpu.");
    run.give(Command::AddNode);
    run.at(90.0);
    assert_eq!(run.state("web-3"), "Running ready on node-d");
}

// Drain.

#[test]
fn a_drain_moves_the_pods_its_budget_allows() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    run.give(Command::SetBudget { set: web(), budget: Some(Budget { min_available: 2, always_allow: false }) });
    run.give(Command::Drain { node: "node-b".into(), how: Draining::default() });
    run.at(20.0);
    let state = run.state("web-1");
    assert!(state.starts_with("Running ready") && !state.ends_with("node-b"), "{state}");
    assert!(run.node("node-b").spec.unschedulable);
    assert!(run.happened(|it| matches!(it, TraceEvent::EvictionRefused { .. })).is_empty());
}

#[test]
fn a_drain_is_refused_every_five_seconds_while_the_budget_is_used_up() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    run.give(Command::SetBudget { set: web(), budget: Some(Budget { min_available: 3, always_allow: false }) });
    run.give(Command::Drain { node: "node-b".into(), how: Draining::default() });
    run.at(12.0);
    assert_eq!(run.state("web-1"), "Running ready on node-b");
    let used_up = EvictionRefusal::UsedUp { needed: 3, healthy: 3 };
    let refused = |it: &TraceEvent| matches!(it, TraceEvent::EvictionRefused { why, .. } if *why == used_up);
    assert_eq!(run.happened(refused), [0.0, 5.0, 10.0]);
    run.give(Command::Uncordon { node: "node-b".into() });
    run.at(100.0);
    assert_eq!(run.happened(refused).len(), 3, "the drain was given up");
}

#[test]
fn preset_33_a_broken_pod_is_not_evicted_and_a_budget_is_no_help_against_node_loss() {
    let mut run = Run::of(3, &manifest(3, r#""updateStrategy": {"type": "OnDelete"}"#, ""));
    run.give(Command::SetBudget { set: web(), budget: Some(Budget { min_available: 2, always_allow: true }) });
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady });
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:2".into() });
    run.delete("web-1", false);
    run.at(20.0);
    assert_eq!(run.state("web-1"), "Running on node-b");
    run.give(Command::Drain { node: "node-b".into(), how: Draining::default() });
    run.at(100.0);
    assert_eq!(run.state("web-1"), "Running on node-b", "this release does not know AlwaysAllow");
    run.fail("node-a", Failure::PowerLost);
    run.at(600.0);
    assert_eq!(run.state("web-0"), "Running terminating on node-a");
}

// Deleting the set.

#[test]
fn a_set_deleted_in_the_foreground_goes_after_its_pods() {
    let mut run = Run::of(3, &manifest(3, CLAIMS, ""));
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Foreground });
    run.at(1.0);
    assert_eq!(run.session.cluster().stateful_sets().count(), 1);
    assert!(run.states().iter().all(|state| state.contains("terminating")), "all at once: {:?}", run.states());
    run.at(11.0);
    assert_eq!((run.session.cluster().stateful_sets().count(), run.states().len()), (0, 0));
    assert_eq!((run.session.cluster().revisions().count(), run.session.cluster().claims().count()), (0, 3));
}

#[test]
fn a_set_deleted_in_the_foreground_waits_for_a_pod_on_a_dead_node() {
    let mut run = Run::lost(Failure::PowerLost);
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Foreground });
    run.at(3_600.0);
    assert_eq!(
        (run.session.cluster().stateful_sets().count(), run.states()),
        (1, vec!["web-1 Running terminating on node-b".into()])
    );
    run.delete("web-1", true);
    run.at(3_601.0);
    assert_eq!(run.session.cluster().stateful_sets().count(), 0);
}

#[test]
fn a_set_deleted_alone_leaves_pods_that_the_next_one_adopts() {
    let mut run = Run::of(3, &manifest(3, CLAIMS, ""));
    let uids = |run: &Run| -> Vec<String> { (0..3).map(|ordinal| run.uid(&format!("web-{ordinal}"))).collect() };
    let before = uids(&run);
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Orphan });
    run.at(60.0);
    assert_eq!((run.session.cluster().stateful_sets().count(), run.states().len()), (0, 3));
    run.give(Command::Apply { manifest: manifest(3, CLAIMS, "").into() });
    run.at(90.0);
    assert_eq!(uids(&run), before);
    assert!(run.session.cluster().pods().all(|pod| pod.metadata.controller_of().is_some()));
}

#[test]
fn the_clock_starts_at_a_full_minute() {
    let run = Run::of(3, &manifest(3, "", ""));
    assert_eq!((run.t0 - START.0) % 60_000, 0);
}
