//! Each kind of failure with each way out.

use crate::kit::Run;
use setscope::session::Command;
use setscope::sim::{Failure, TraceEvent};

// Kubelet stopped.

#[test]
fn a_stopped_kubelet_that_returns_finishes_the_deletion() {
    let mut run = Run::lost(Failure::KubeletStopped);
    let first = run.uid("web-1");
    run.check_silence();
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running terminating on node-b", "nobody confirms that it stopped");
    assert_eq!(run.live("web-1"), ["node-b"], "its container runs on");
    run.recover("node-b");
    run.at(3_601.9);
    assert_eq!((run.uid("web-1"), run.live("web-1")), (first.clone(), vec!["node-b".to_owned()]));
    run.at(3_602.1);
    assert_eq!((run.uid("web-1"), run.live("web-1").len()), (first.clone(), 0), "it has stopped, which is reported");
    run.at(3_610.1);
    assert_ne!(run.uid("web-1"), first, "the kubelet's next look confirms it, and the ordinal is created again");
    run.at(3_620.0);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    assert!(run.taints("node-b").is_empty());
    assert_eq!(run.events("NodeReady", "node-b"), [3_600.0]);
}

#[test]
fn a_kubelet_that_returns_before_the_eviction_keeps_its_pods() {
    let mut run = Run::lost(Failure::KubeletStopped);
    let first = run.uid("web-1");
    run.at(200.0);
    run.recover("node-b");
    run.at(200.1);
    assert_eq!(
        (run.state("web-1"), run.taints("node-b")),
        ("Running ready on node-b".into(), vec!["unreachable:NoExecute".into()])
    );
    run.at(205.0);
    assert!(run.taints("node-b").is_empty(), "the next look of the monitor removes NoExecute");
    assert_eq!(run.message("TaintManagerEviction", "web-1"), "Cancelling deletion of Pod default/web-1");
    run.at(1_000.0);
    assert_eq!((run.uid("web-1"), run.restarts("web-1")), (first, 0));
}

#[test]
fn a_stopped_kubelet_and_a_deleted_node_leave_a_ghost() {
    let mut run = Run::lost(Failure::KubeletStopped);
    run.at(50.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(99.9);
    assert_eq!(run.state("web-1"), "Running on node-b");
    // The loop at 60 s sees that the node is gone; 40 s of quarantine end at the loop at 100 s.
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [] as [f64; 0]);
    run.at(100.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [100.0]);
    assert_eq!(run.live("web-1"), ["node-b ghost"]);
    run.recover("node-b");
    run.at(110.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::GhostStopped { .. })), [102.0]);
    assert!(run.node("node-b").is_ready(), "the kubelet registered its node anew");
}

// Network partition.

#[test]
fn a_force_delete_under_a_partition_makes_two_until_it_heals() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, "");
    run.check_silence();
    run.at(400.0);
    run.delete("web-1", true);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::GhostLeft { .. })), [400.0]);
    run.at(410.0);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    let live = run.live("web-1");
    assert!(live.len() == 2 && live.contains(&"node-b ghost".to_owned()), "{live:?}");
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::SecondStarted { .. })).len(), 1);
    run.at(500.0);
    run.recover("node-b");
    run.at(502.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::GhostStopped { .. })), [502.0]);
    let live = run.live("web-1");
    assert!(live.len() == 1 && !live[0].ends_with("ghost"), "{live:?}");
}

#[test]
fn a_partition_and_a_deleted_node_break_at_most_one_too() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, "");
    run.at(100.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(150.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [140.0]);
    assert_eq!(run.live("web-1").len(), 2);
}

#[test]
fn a_fenced_partition_leaves_no_second_copy() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, "");
    run.at(400.0);
    run.fail("node-b", Failure::PowerLost);
    run.delete("web-1", true);
    run.at(420.0);
    assert_eq!(run.live("web-1").len(), 1);
    assert!(
        run.happened(|it| matches!(it, TraceEvent::GhostLeft { .. } | TraceEvent::SecondStarted { .. })).is_empty()
    );
}

// Power lost.

#[test]
fn a_force_delete_after_a_power_loss_is_safe_but_its_volume_waits_six_minutes() {
    let mut run = Run::lost(Failure::PowerLost);
    run.check_silence();
    assert!(run.live("web-1").is_empty());
    run.at(360.0);
    run.delete("web-1", true);
    run.at(370.0);
    let state = run.state("web-1");
    assert!(state.starts_with("Pending on node-") && !state.ends_with("node-b"), "{state}");
    let claims: Vec<_> = run.session.cluster().claims().collect();
    let volume = claims[1].spec.volume_name.clone().unwrap();
    assert_eq!(
        run.message("FailedAttachVolume", "web-1"),
        format!(
            "Multi-Attach error for volume \"{volume}\" Volume is already exclusively attached to one node and can't be attached to another"
        )
    );
    assert_eq!(run.attached("www-web-1"), ["node-b"]);
    run.at(719.9);
    assert_eq!(run.state("web-1"), state);
    run.at(725.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Detached { forced: true, .. })), [720.0]);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    assert_eq!(run.live("web-1").len(), 1);
}

#[test]
fn a_deleted_node_after_a_power_loss_is_collected_and_its_volume_waits() {
    let mut run = Run::lost(Failure::PowerLost);
    run.at(105.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(200.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [160.0]);
    assert!(run.state("web-1").starts_with("Pending on node-"), "{}", run.state("web-1"));
    run.at(600.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::Detached { forced: true, .. })), [520.0]);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
}

#[test]
fn a_machine_that_is_powered_on_again_restarts_its_containers() {
    let mut run = Run::lost(Failure::PowerLost);
    let first = run.uid("web-1");
    run.at(120.0);
    assert!(run.live("web-1").is_empty());
    run.recover("node-b");
    run.at(125.0);
    assert_eq!((run.state("web-1").as_str(), run.restarts("web-1")), ("Running ready on node-b", 1));
    assert_eq!(run.uid("web-1"), first);
    run.at(2_000.0);
    assert_eq!(run.uid("web-1"), first, "the eviction was called off");
}

#[test]
fn a_machine_that_is_powered_on_after_the_eviction_has_nothing_to_stop() {
    let mut run = Run::lost(Failure::PowerLost);
    let first = run.uid("web-1");
    run.check_silence();
    run.at(400.0);
    run.recover("node-b");
    assert_eq!(run.uid("web-1"), first);
    run.at(410.1);
    assert_ne!(run.uid("web-1"), first, "the name is free with the kubelet's next look at all statuses");
    run.at(420.0);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
}

#[test]
fn the_out_of_service_taint_evicts_but_frees_nothing_before_1_26() {
    let mut run = Run::lost(Failure::PowerLost);
    run.at(100.0);
    run.give(Command::TaintOutOfService { node: "node-b".into(), effect: "NoExecute".into() });
    run.at(100.1);
    assert_eq!(run.state("web-1"), "Running terminating on node-b", "nobody tolerates it");
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running terminating on node-b");
    assert_eq!(run.attached("www-web-1"), ["node-b"]);
}

// Reboot.

#[test]
fn a_reboot_within_the_grace_period_is_not_noticed() {
    let mut run = Run::lost(Failure::Reboot);
    let first = run.uid("web-1");
    run.at(24.9);
    assert!(run.live("web-1").is_empty());
    assert_eq!(run.state("web-1"), "Running ready on node-b", "the API does not know");
    run.at(25.1);
    assert_eq!((run.state("web-1").as_str(), run.restarts("web-1")), ("Running on node-b", 1));
    run.at(60.0);
    assert_eq!((run.state("web-1").as_str(), run.uid("web-1")), ("Running ready on node-b", first));
    assert_eq!((run.events("Rebooted", "node-b"), run.events("NodeNotReady", "node-b")), (vec![25.0], vec![]));
}

// Graceful shutdown.

#[test]
fn a_graceful_shutdown_ends_its_pods_and_they_are_replaced_at_once() {
    let mut run = Run::lost_without_claims(Failure::GracefulShutdown, "");
    run.at(0.1);
    assert_eq!(
        (run.node("node-b").ready_status(), run.taints("node-b")),
        ("False", vec!["not-ready:NoSchedule".into()])
    );
    let seen_failed = run.session.cluster().trace().events.len();
    run.at(2.5);
    assert!(seen_failed < run.session.cluster().trace().events.len());
    let state = run.state("web-1");
    assert!(!state.ends_with("node-b") && !state.contains("Failed"), "{state}");
    run.at(10.0);
    assert!(run.state("web-1").starts_with("Running ready on"), "{}", run.state("web-1"));
    assert_eq!(run.live("web-1").len(), 1, "at most one is kept");
    // The machine is off from 2 s on, after its heartbeat at 0 s.
    run.at(45.0);
    assert_eq!(run.node("node-b").ready_status(), "Unknown");
    assert_eq!(run.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"]);
}

// Kubelet unwell.

#[test]
fn an_unwell_kubelet_is_not_ready_at_once_and_its_pods_are_evicted_but_stay() {
    let mut run = Run::lost(Failure::KubeletUnwell);
    let first = run.uid("web-1");
    run.at(0.1);
    assert_eq!(
        (run.node("node-b").ready_status(), run.taints("node-b")),
        ("False", vec!["not-ready:NoSchedule".into()])
    );
    run.at(5.0);
    assert_eq!(run.taints("node-b"), ["not-ready:NoSchedule", "not-ready:NoExecute"]);
    run.at(304.9);
    assert_eq!(run.state("web-1"), "Running ready on node-b", "its kubelet never said otherwise of the pod");
    run.at(305.0);
    assert_eq!(run.events("TaintManagerEviction", "web-1"), [305.0]);
    run.at(1_000.0);
    assert_eq!((run.uid("web-1"), run.state("web-1").contains("terminating")), (first.clone(), true));
    run.recover("node-b");
    run.at(1_010.1);
    assert_ne!(run.uid("web-1"), first);
}

#[test]
fn an_unwell_kubelet_that_falls_silent_is_unreachable_and_its_pods_still_read_ready() {
    let mut run = Run::lost(Failure::KubeletUnwell);
    run.at(60.0);
    run.fail("node-b", Failure::PowerLost);
    run.at(100.0);
    assert_eq!(run.node("node-b").ready_status(), "Unknown");
    assert_eq!(run.taints("node-b"), ["not-ready:NoExecute", "unreachable:NoSchedule"]);
    run.at(105.0);
    assert_eq!(run.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"], "in the next pass");
    assert_eq!(run.state("web-1"), "Running ready on node-b");
    run.at(305.0);
    assert_eq!(run.events("TaintManagerEviction", "web-1"), [305.0], "its toleration counts from the first taint");
}

#[test]
fn a_force_delete_on_an_unwell_node_makes_two() {
    let mut run = Run::lost_without_claims(Failure::KubeletUnwell, "");
    run.at(10.0);
    run.delete("web-1", true);
    run.at(20.0);
    assert_eq!(run.live("web-1").len(), 2);
    run.recover("node-b");
    run.at(25.0);
    assert_eq!(run.live("web-1").len(), 1);
}
