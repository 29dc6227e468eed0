//! The presets about node loss, by the number of the problem they show.

use crate::kit::{CLAIMS, Run, manifest, reference, web};
use setscope::objects::Kind;
use setscope::reconcile::Release;
use setscope::session::Command;
use setscope::sim::{Behavior, Cascade, Failure, TraceEvent};

// The pod's own times.

#[test]
fn preset_7_tolerations_move_the_eviction_and_nothing_else() {
    for seconds in [0, 30, 600] {
        let toleration = |key: &str| {
            format!(
                r#"{{"key": "node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": {seconds}}}"#
            )
        };
        let pod = format!(r#""tolerations": [{}, {}]"#, toleration("not-ready"), toleration("unreachable"));
        let mut run = Run::lost_without_claims(Failure::PowerLost, &pod);
        run.at(3_600.0);
        assert_eq!(run.events("TaintManagerEviction", "web-1"), [45.0 + f64::from(seconds)]);
        assert_eq!(run.state("web-1"), "Running terminating on node-b", "Terminating sooner, not replaced sooner");
    }
    let forever = r#""tolerations": [{"operator": "Exists"}]"#;
    let mut run = Run::lost_without_claims(Failure::PowerLost, forever);
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running on node-b");
}

#[test]
fn preset_4_a_grace_of_zero_makes_the_eviction_itself_a_split_brain() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, r#""terminationGracePeriodSeconds": 0"#);
    run.at(344.9);
    assert_eq!(run.state("web-1"), "Running on node-b");
    run.at(355.0);
    assert_eq!(run.happened(|it| matches!(it, TraceEvent::GhostLeft { .. })), [345.0]);
    let live = run.live("web-1");
    assert!(live.len() == 2 && live.contains(&"node-b ghost".to_owned()), "{live:?}");
}

#[test]
fn preset_4_an_exclusive_volume_holds_the_second_copy_back() {
    let mut run = Run::lost(Failure::NetworkPartition);
    run.at(400.0);
    run.delete("web-1", true);
    run.at(700.0);
    assert_eq!(run.live("web-1"), ["node-b ghost"], "the second waits for the volume");
    run.recover("node-b");
    run.at(720.0);
    let live = run.live("web-1");
    assert!(live.len() == 1 && !live[0].ends_with("ghost"), "{live:?}");
    assert!(run.happened(|it| matches!(it, TraceEvent::SecondStarted { .. })).is_empty());
    assert_eq!(
        run.happened(|it| matches!(it, TraceEvent::Detached { forced: false, .. })),
        [702.0],
        "unmounted at last"
    );
}

#[test]
fn a_shared_volume_lets_both_write() {
    let mut run = Run::of(3, &manifest(3, &CLAIMS.replace("ReadWriteOnce", "ReadWriteMany"), ""));
    run.fail("node-b", Failure::NetworkPartition);
    run.at(400.0);
    run.delete("web-1", true);
    run.at(420.0);
    let all = run.session.cluster().live_containers();
    let writers: Vec<_> = all.iter().filter(|live| live.claims.iter().any(|claim| &**claim == "www-web-1")).collect();
    assert_eq!(writers.len(), 2);
}

// The presets.

#[test]
fn preset_2_every_way_out_has_its_own_clock() {
    let lost = || {
        let mut run = Run::lost(Failure::KubeletStopped);
        run.at(400.0);
        assert_eq!(run.states()[1], "web-1 Running terminating on node-b");
        run
    };
    let ready_after = |run: &mut Run| -> f64 {
        while !run.state("web-1").starts_with("Running ready") {
            assert!(run.session.step(), "nothing ends the wait");
        }
        run.seconds(run.session.cluster().now().0) - 400.0
    };
    let mut returns = lost();
    returns.recover("node-b");
    let returned = ready_after(&mut returns);
    let mut forced = lost();
    forced.delete("web-1", true);
    let force_deleted = ready_after(&mut forced);
    let mut removed = lost();
    removed.give(Command::RemoveNode { node: "node-b".into() });
    let collected = ready_after(&mut removed);
    let mut waits = lost();
    waits.at(86_400.0);
    assert_eq!(waits.states()[1], "web-1 Running terminating on node-b");
    // The kubelet needs 2 s to stop it, and confirms that in its look at 10 s.
    assert!((13.0..16.0).contains(&returned), "{returned}");
    // Both wait six minutes for the volume; the collector waits 40 s before.
    assert!((363.0..366.0).contains(&force_deleted), "{force_deleted}");
    assert!((403.0..406.0).contains(&collected), "{collected}");
}

#[test]
fn preset_6_a_taint_without_effect_on_a_running_pod_and_one_on_a_ready_node() {
    // NoSchedule evicts nothing.
    let mut run = Run::of(3, &manifest(3, "", ""));
    run.give(Command::TaintOutOfService { node: "node-b".into(), effect: "NoSchedule".into() });
    run.at(1_000.0);
    assert_eq!(run.state("web-1"), "Running ready on node-b");
    // On a Ready node NoExecute evicts gracefully, and the pod comes back elsewhere.
    run.give(Command::TaintOutOfService { node: "node-b".into(), effect: "NoExecute".into() });
    run.at(1_020.0);
    let state = run.state("web-1");
    assert!(state.starts_with("Running ready") && !state.ends_with("node-b"), "{state}");
    assert_eq!(run.events("TaintManagerEviction", "web-1"), [1_000.0]);
    // Nobody removes it.
    run.at(90_000.0);
    assert_eq!(run.taints("node-b"), ["out-of-service:NoExecute"]);
    run.give(Command::UntaintOutOfService { node: "node-b".into() });
    assert!(run.taints("node-b").is_empty());
}

#[test]
fn preset_8_parallel_replaces_a_broken_revision_one_by_one() {
    let mut run = Run::of(3, &manifest(3, r#""podManagementPolicy": "Parallel""#, ""));
    let image = |image: &str| Command::SetImage { set: web(), container: "nginx".into(), image: image.into() };
    for ordinal in 0..3 {
        run.delete(&format!("web-{ordinal}"), false);
    }
    run.give(Command::SetBehavior { image: "nginx:1".into(), behavior: Behavior::NeverReady });
    run.at(30.0);
    assert!(run.states().iter().all(|state| state.contains(" Running on")), "{:?}", run.states());
    run.give(image("nginx:2"));
    run.at(90.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
    let deleted = run.happened(|it| matches!(it, TraceEvent::PodStopped { .. }));
    assert_eq!(deleted.len(), 6);
}

#[test]
fn preset_15_a_pod_below_the_partition_comes_back_at_the_old_revision() {
    let partition = r#""updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}"#;
    let mut run = Run::of(3, &manifest(2, partition, ""));
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:2".into() });
    run.at(30.0);
    run.fail("node-a", Failure::PowerLost);
    run.at(400.0);
    run.delete("web-0", true);
    run.at(430.0);
    let images: Vec<_> = run.session.cluster().pods().map(|pod| pod.spec.containers[0].image.to_string()).collect();
    assert_eq!(images, ["nginx:1", "nginx:2"]);
}

#[test]
fn preset_19_an_update_takes_one_pod_at_a_time() {
    let strategy = r#""updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}"#;
    let mut run = Run::of(5, &manifest(5, strategy, ""));
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:2".into() });
    let mut most = 0;
    while run.session.step() {
        most = most.max(run.states().iter().filter(|state| state.contains("terminating")).count());
    }
    assert_eq!(most, 1);
}

#[test]
fn preset_20_a_deleted_claim_comes_back_empty_or_leaves_its_pod_pending() {
    let mut run = Run::of(3, &manifest(3, CLAIMS, ""));
    let claim = || reference(Kind::PersistentVolumeClaim, "www-web-1");
    let volume = |run: &Run| {
        let held = run.session.cluster().claims().find(|held| &*held.metadata.name == "www-web-1");
        held.map(|held| held.metadata.uid.clone())
    };
    let old = volume(&run);
    run.give(Command::DeleteClaim { claim: claim() });
    run.at(100.0);
    assert_eq!(volume(&run), old, "its pod uses it: pvc-protection holds it");
    run.delete("web-1", false);
    run.at(120.0);
    assert!(volume(&run).is_some() && volume(&run) != old, "a new, empty volume");
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    assert!(run.message("FailedCreate", "web").contains("pvc www-web-1 is being deleted"));

    // A pod without a node does not hold it, and this release makes no claim for a pod that exists.
    for node in ["node-a", "node-b", "node-c"] {
        run.give(Command::Cordon { node: node.into() });
    }
    run.delete("web-1", false);
    run.at(131.0);
    assert_eq!(run.state("web-1"), "Pending");
    run.give(Command::DeleteClaim { claim: claim() });
    run.at(132.0);
    assert_eq!(volume(&run), None);
    for node in ["node-a", "node-b", "node-c"] {
        run.give(Command::Uncordon { node: node.into() });
    }
    run.at(86_400.0);
    assert_eq!(run.state("web-1"), "Pending");
    assert_eq!(run.message("FailedScheduling", "web-1"), "persistentvolumeclaim \"www-web-1\" not found");
    run.delete("web-1", false);
    run.at(86_420.0);
    assert!(run.state("web-1").starts_with("Running ready"), "the pod deleted once more: {}", run.state("web-1"));
}

#[test]
fn preset_23_claims_outlive_scaling_the_set_and_the_node() {
    let mut run = Run::of(3, &manifest(3, CLAIMS, ""));
    let uids =
        |run: &Run| -> Vec<_> { run.session.cluster().claims().map(|claim| claim.metadata.uid.clone()).collect() };
    let before = uids(&run);
    run.give(Command::Scale { set: web(), replicas: 2 });
    run.at(30.0);
    run.give(Command::Scale { set: web(), replicas: 3 });
    run.at(60.0);
    run.fail("node-b", Failure::PowerLost);
    run.at(500.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(1_000.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
    assert_eq!(uids(&run), before);
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Background });
    run.at(1_030.0);
    assert_eq!((run.states().len(), run.session.cluster().revisions().count()), (0, 0));
    assert_eq!(uids(&run), before);
}

#[test]
fn preset_31_min_ready_seconds_holds_back_every_further_pod() {
    let mut run = Run::under(Release::V1_34, 3, &manifest(3, r#""minReadySeconds": 60"#, ""));
    run.at(0.0);
    assert_eq!(run.states().len(), 1, "web-0 is Ready, not yet available");
    // A sync asks to be run again 60 s after it ran, not when the pod becomes available, and of several such wishes the work
    // queue keeps the earliest: the moment itself is passed.
    run.at(60.0);
    assert_eq!(run.states().len(), 1);
    run.at(120.0);
    assert_eq!(run.states().len(), 2);
    run.at(300.0);
    assert!(
        run.states().len() == 3 && run.states().iter().all(|it| it.contains("Running ready")),
        "{:?}",
        run.states()
    );
}

#[test]
fn preset_32_a_rejected_pod_is_created_again_and_again() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::Rejected });
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:2".into() });
    run.at(20.0);
    let uid = run.uid("web-2");
    run.at(21.0);
    assert_ne!(run.uid("web-2"), uid, "nothing slows the controller down");
    let made = |it: &TraceEvent| matches!(it, TraceEvent::Scheduled { pod, .. } if &*pod.name == "web-2");
    assert!(run.happened(made).len() > 10);
    let events = &run.session.cluster().trace().api_events;
    assert!(events.iter().any(|event| &*event.reason == "RecreatingFailedPod"));
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::Healthy });
    run.at(60.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
}

#[test]
fn preset_32_finished_pods() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    let first = run.uid("web-0");
    run.give(Command::EvictPod { pod: reference(Kind::Pod, "web-0") });
    run.at(10.0);
    assert_ne!(run.uid("web-0"), first, "a Failed pod is deleted and created again");
    assert!(run.state("web-0").starts_with("Running ready"), "{}", run.state("web-0"));
    let second = run.uid("web-0");
    run.give(Command::CompletePod { pod: reference(Kind::Pod, "web-0") });
    run.at(3_600.0);
    assert_eq!(run.state("web-0"), "Succeeded on node-a", "this release waits for a Succeeded pod forever");
    assert_eq!(run.uid("web-0"), second);
    // Its own end is confirmed: a delete goes through at once, even on a dead node.
    run.fail("node-a", Failure::PowerLost);
    run.delete("web-0", false);
    assert_eq!(run.state("web-0"), "none");
}
