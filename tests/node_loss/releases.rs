//! The same failures under every release: what differs is asserted, and so is what does not.

use crate::kit::{CLAIMS, Run, manifest, reference};
use setscope::objects::{Kind, Object, Pod, PodPhase};
use setscope::reconcile::Release;
use setscope::session::Command;
use setscope::sim::{Behavior, Failure, TraceEvent};

/// The monitor's grace in seconds.
fn grace(release: Release) -> f64 {
    if release >= Release::V1_32 { 50.0 } else { 40.0 }
}

/// When NoExecute comes: since 1.34 in the pass of the monitor that marks the node, before in the one after it.
fn no_execute(release: Release) -> f64 {
    grace(release) + if release >= Release::V1_34 { 0.0 } else { 5.0 }
}

/// When a pod with the usual tolerations is marked for deletion: in 1.9 five minutes after the last heartbeat.
fn eviction(release: Release) -> f64 {
    if release == Release::V1_9 { 300.0 } else { no_execute(release) + 300.0 }
}

fn lost(release: Release, failure: Failure) -> Run {
    let mut run = Run::under(release, 3, &manifest(3, CLAIMS, ""));
    run.fail("node-b", failure);
    run
}

fn disrupted(pod: &Pod) -> String {
    pod.condition("DisruptionTarget").map_or(String::new(), |target| format!("{} {}", target.status, target.reason))
}

#[test]
fn a_silent_node_is_noticed_and_its_pods_are_marked_at_each_releases_times() {
    for release in Release::ALL {
        for failure in [Failure::KubeletStopped, Failure::NetworkPartition, Failure::PowerLost] {
            let mut run = lost(release, failure);
            let name = release.name();
            run.at(grace(release) - 0.1);
            assert_eq!(run.state("web-1"), "Running ready on node-b", "{name}");
            run.at(grace(release));
            assert_eq!(
                (run.node("node-b").ready_status(), run.state("web-1").as_str()),
                ("Unknown", "Running on node-b")
            );
            let taints = if release == Release::V1_9 { 0 } else { 1 };
            let is_next_pass = no_execute(release) > grace(release);
            assert_eq!(run.taints("node-b").len(), if is_next_pass { taints } else { 2 * taints }, "{name}");
            run.at(no_execute(release));
            assert_eq!(run.taints("node-b").len(), 2 * taints, "{name}: NoExecute");
            run.at(eviction(release) - 0.1);
            assert_eq!(run.state("web-1"), "Running on node-b", "{name}");
            run.at(eviction(release));
            assert_eq!(run.state("web-1"), "Running terminating on node-b", "{name}");
            let pod = run.pod("web-1").unwrap();
            let target = if release >= Release::V1_26 { "True DeletionByTaintManager" } else { "" };
            let reason = if release == Release::V1_9 { "NodeLost" } else { "" };
            assert_eq!((disrupted(pod).as_str(), &*pod.status.reason), (target, reason), "{name}");
            run.at(86_400.0);
            assert_eq!(run.state("web-1"), "Running terminating on node-b", "{name}: forever");
        }
    }
}

#[test]
fn a_node_that_returns_ends_the_wait_in_every_release() {
    for release in Release::ALL {
        let mut run = lost(release, Failure::KubeletStopped);
        let first = run.uid("web-1");
        run.at(1_000.0);
        run.recover("node-b");
        run.at(1_001.9);
        assert_eq!(run.uid("web-1"), first);
        run.at(1_020.0);
        assert_ne!(run.uid("web-1"), first, "{}", release.name());
        assert!(run.state("web-1").starts_with("Running ready"), "{}: {}", release.name(), run.state("web-1"));
    }
}

#[test]
fn a_force_delete_waits_six_minutes_for_the_volume_in_every_release() {
    for release in Release::ALL {
        let mut run = lost(release, Failure::PowerLost);
        run.at(400.0);
        run.delete("web-1", true);
        run.at(759.9);
        assert!(run.state("web-1").starts_with("Pending on node-"), "{}: {}", release.name(), run.state("web-1"));
        run.at(770.0);
        assert_eq!(run.happened(|it| matches!(it, TraceEvent::Detached { forced: true, .. })), [760.0]);
        assert!(run.state("web-1").starts_with("Running ready"), "{}: {}", release.name(), run.state("web-1"));
    }
}

#[test]
fn a_deleted_node_is_collected_after_its_quarantine_in_every_release() {
    for release in Release::ALL {
        let mut run = lost(release, Failure::PowerLost);
        run.at(105.0);
        run.give(Command::RemoveNode { node: "node-b".into() });
        run.at(200.0);
        assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [160.0], "{}", release.name());
    }
}

#[test]
fn the_out_of_service_taint_frees_pod_and_volume_only_in_releases_that_know_it() {
    for release in Release::ALL {
        let mut run = lost(release, Failure::PowerLost);
        run.at(400.0);
        run.give(Command::TaintOutOfService { node: "node-b".into(), effect: "NoExecute".into() });
        run.at(430.0);
        if release >= Release::V1_26 {
            // The collector's next loop; nobody waits for the unmount.
            assert_eq!(run.happened(|it| matches!(it, TraceEvent::Collected { .. })), [420.0], "{}", release.name());
            assert!(run.state("web-1").starts_with("Running ready"), "{}: {}", release.name(), run.state("web-1"));
        } else {
            run.at(3_600.0);
            assert_eq!(run.state("web-1"), "Running terminating on node-b", "{}", release.name());
        }
    }
}

#[test]
fn a_graceful_shutdown_says_so_in_each_releases_words() {
    for (release, reason, target) in [
        (Release::V1_9, "", ""),
        (Release::V1_17, "", ""),
        (Release::V1_20, "Shutdown", ""),
        (Release::V1_28, "Terminated", "True TerminationByKubelet"),
        (Release::V1_34, "Terminated", "True TerminationByKubelet"),
    ] {
        let mut run = Run::under(release, 3, &manifest(3, "", ""));
        run.fail("node-b", Failure::GracefulShutdown);
        run.at(30.0);
        let ended = run.session.cluster().trace().history.iter().rev().find_map(|moment| match &moment.object {
            Object::Pod(pod) if pod.status.phase == PodPhase::Failed => {
                Some((pod.status.reason.to_string(), disrupted(pod)))
            }
            _ => None,
        });
        assert_eq!(ended.unwrap_or_default(), (reason.to_owned(), target.to_owned()), "{}", release.name());
        let state = run.state("web-1");
        if reason.is_empty() {
            assert_eq!(state, "Running ready on node-b", "{}: as if the power were lost", release.name());
        } else {
            assert!(state.starts_with("Running ready") && !state.ends_with("node-b"), "{}: {state}", release.name());
        }
    }
}

// The presets, under the other releases.

#[test]
fn preset_7_tolerations_count_from_each_releases_grace() {
    let toleration = |key: &str| {
        format!(
            r#"{{"key": "node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 30}}"#
        )
    };
    let pod = format!(r#""tolerations": [{}, {}]"#, toleration("not-ready"), toleration("unreachable"));
    for release in [Release::V1_17, Release::V1_20, Release::V1_28, Release::V1_34] {
        let mut run = Run::under(release, 3, &manifest(3, "", &pod));
        run.fail("node-b", Failure::PowerLost);
        run.at(3_600.0);
        assert_eq!(run.events("TaintManagerEviction", "web-1"), [no_execute(release) + 30.0], "{}", release.name());
    }
}

#[test]
fn preset_15_a_pod_below_the_partition_comes_back_old_in_every_release() {
    let partition = r#""updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}"#;
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(2, partition, ""));
        run.give(Command::SetImage { set: crate::kit::web(), container: "nginx".into(), image: "nginx:2".into() });
        run.at(30.0);
        run.delete("web-0", false);
        run.at(60.0);
        let images: Vec<_> = run.session.cluster().pods().map(|pod| pod.spec.containers[0].image.to_string()).collect();
        assert_eq!(images, ["nginx:1", "nginx:2"], "{}", release.name());
    }
}

#[test]
fn preset_20_a_pending_pod_gets_its_claim_again_since_1_27() {
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(3, CLAIMS, ""));
        let all = ["node-a", "node-b", "node-c"];
        all.iter().for_each(|node| run.give(Command::Cordon { node: (*node).into() }));
        run.delete("web-1", false);
        run.at(12.0);
        run.give(Command::DeleteClaim { claim: reference(Kind::PersistentVolumeClaim, "www-web-1") });
        run.at(20.0);
        all.iter().for_each(|node| run.give(Command::Uncordon { node: (*node).into() }));
        run.at(3_600.0);
        let state = run.state("web-1");
        let comes_back = release >= Release::V1_27;
        assert_eq!(state.starts_with("Running ready"), comes_back, "{}: {state}", release.name());
    }
}

#[test]
fn preset_32_a_rejected_pod_is_made_again_and_again_in_every_release() {
    for release in Release::ALL {
        let mut run = Run::under(release, 3, &manifest(3, "", ""));
        run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::Rejected });
        run.give(Command::SetImage { set: crate::kit::web(), container: "nginx".into(), image: "nginx:2".into() });
        run.at(20.0);
        let made = |it: &TraceEvent| matches!(it, TraceEvent::Scheduled { pod, .. } if &*pod.name == "web-2");
        assert!(run.happened(made).len() > 20, "{}: nothing slows it down", release.name());
        run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::Healthy });
        run.at(120.0);
        assert!(run.states().iter().all(|it| it.contains("Running ready")), "{}: {:?}", release.name(), run.states());
    }
}

#[test]
fn preset_4_a_grace_of_zero_or_a_force_delete_makes_two_in_every_release() {
    for release in Release::ALL {
        let zero = r#""terminationGracePeriodSeconds": 0"#;
        let mut run = Run::under(release, 3, &manifest(3, "", zero));
        run.fail("node-b", Failure::NetworkPartition);
        run.at(eviction(release) + 20.0);
        let ghosts = |run: &Run| run.happened(|it| matches!(it, TraceEvent::GhostLeft { .. }));
        assert_eq!((ghosts(&run), run.live("web-1").len()), (vec![eviction(release)], 2), "{}", release.name());

        let mut run = Run::under(release, 3, &manifest(3, "", ""));
        run.fail("node-b", Failure::NetworkPartition);
        run.at(400.0);
        run.delete("web-1", true);
        run.at(420.0);
        assert_eq!((ghosts(&run), run.live("web-1").len()), (vec![400.0], 2), "{}", release.name());
        run.recover("node-b");
        run.at(423.0);
        assert_eq!(run.live("web-1").len(), 1, "{}: healed", release.name());
    }
}

/// Node Ready or not, effect, pod running or terminating: who deletes the pod.
#[test]
fn preset_6_the_taint_needs_a_dead_node_and_a_terminating_pod() {
    for release in [Release::V1_28, Release::V1_34] {
        let collected = |run: &Run| run.happened(|it| matches!(it, TraceEvent::Collected { .. })).len();
        let taint = |run: &mut Run, effect: &str| {
            run.give(Command::TaintOutOfService { node: "node-b".into(), effect: effect.into() });
        };
        for (dead, effect, terminating, gone, by_collector) in [
            (false, "NoSchedule", false, false, false),
            (false, "NoExecute", false, true, false),
            (true, "NoSchedule", false, false, false),
            (true, "NoExecute", false, true, true),
            (true, "NoSchedule", true, true, true),
            (true, "NoExecute", true, true, true),
        ] {
            let mut run = Run::under(release, 3, &manifest(3, "", ""));
            let first = run.uid("web-1");
            if dead {
                run.fail("node-b", Failure::PowerLost);
            }
            run.at(if terminating { 400.0 } else { 100.0 });
            taint(&mut run, effect);
            run.at(if terminating { 430.0 } else { 130.0 });
            let case = format!("{} {dead} {effect} {terminating}", release.name());
            assert_eq!((run.uid("web-1") != first, collected(&run) > 0), (gone, by_collector), "{case}");
        }
    }
}

#[test]
fn preset_31_min_ready_seconds_holds_back_since_1_28() {
    for release in [Release::V1_28, Release::V1_34] {
        let mut run = Run::under(release, 3, &manifest(3, r#""minReadySeconds": 60"#, ""));
        run.at(0.0);
        assert_eq!(run.states().len(), 1, "{}: web-0 is Ready, not yet available", release.name());
        run.at(200.0);
        assert_eq!(run.states().len(), 3, "{}", release.name());
    }
}
