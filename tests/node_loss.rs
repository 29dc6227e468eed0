//! What a dead node really does, on the clock: each kind of failure with each way out, and the presets about them.
//! T0 is the moment of the failure: a heartbeat, a look of the node monitor and a loop of the pod garbage collector.
#![allow(clippy::unwrap_used, reason = "a test")]
#![cfg(not(target_arch = "wasm32"))]

use setscope::objects::{Kind, Node, ObjectRef, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::{Behaviour, Budget, Cascade, Failure, Happening, LiveContainers, START};
use std::rc::Rc;

const CLAIMS: &str = r#""volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": ["ReadWriteOnce"],
    "resources": {"requests": {"storage": "1Gi"}}}}]"#;

/// A set `web`; `spec` and `pod` are further fields of its spec and of its pods' spec.
fn manifest(replicas: i32, spec: &str, pod: &str) -> String {
    let comma = |fields: &str| if fields.is_empty() { String::new() } else { format!(", {fields}") };
    format!(
        r#"{{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {{"name": "web"}},
        "spec": {{"serviceName": "nginx", "replicas": {replicas}, "selector": {{"matchLabels": {{"app": "nginx"}}}},
        "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
        "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1"}}]{}}}}}{}}}}}"#,
        comma(pod),
        comma(spec)
    )
}

fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

fn web() -> ObjectRef {
    reference(Kind::StatefulSet, "web")
}

struct Run {
    session: Session,
    t0: i64,
}

impl Run {
    /// The set on this many nodes, one pod each where they suffice, at a full minute.
    fn of(nodes: usize, manifest: &str) -> Self {
        let mut session = Session::empty(Release::V1_20, 1, nodes);
        session.command(Command::Apply { manifest: manifest.into() }).unwrap();
        session.advance(60_000);
        Self { t0: session.cluster().now().0, session }
    }

    /// Three replicas with a claim each, and the node of web-1 lost in this way.
    fn lost(failure: Failure) -> Self {
        let mut run = Self::of(3, &manifest(3, CLAIMS, ""));
        run.fail("node-b", failure);
        run
    }

    /// As above, without claims.
    fn lost_without_claims(failure: Failure, pod: &str) -> Self {
        let mut run = Self::of(3, &manifest(3, "", pod));
        run.fail("node-b", failure);
        run
    }

    fn give(&mut self, command: Command) {
        self.session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    }

    fn fail(&mut self, node: &str, failure: Failure) {
        self.give(Command::FailNode { node: node.into(), failure });
    }

    fn recover(&mut self, node: &str) {
        self.give(Command::RecoverNode { node: node.into() });
    }

    fn delete(&mut self, name: &str, force: bool) {
        self.give(Command::DeletePod { pod: reference(Kind::Pod, name), force });
    }

    /// Lets time pass up to `seconds` after T0.
    fn at(&mut self, seconds: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "a moment")]
        let until = self.t0 + (seconds * 1000.0) as i64;
        self.session.advance(until - self.session.cluster().now().0);
    }

    fn pod(&self, name: &str) -> Option<&Rc<Pod>> {
        self.session.cluster().pods().find(|pod| &*pod.metadata.name == name)
    }

    /// Such as `Running ready on node-b`, `Running going on node-b`, `none`.
    fn state(&self, name: &str) -> String {
        let Some(pod) = self.pod(name) else { return "none".to_owned() };
        let ready = pod.condition("Ready").is_some_and(|ready| &*ready.status == "True");
        let going = pod.metadata.deletion_timestamp.is_some();
        let words = [if ready { " ready" } else { "" }, if going { " going" } else { "" }].concat();
        let on = if pod.spec.node_name.is_empty() { String::new() } else { format!(" on {}", pod.spec.node_name) };
        format!("{:?}{words}{on}", pod.status.phase)
    }

    fn states(&self) -> Vec<String> {
        self.session
            .cluster()
            .pods()
            .map(|pod| format!("{} {}", pod.metadata.name, self.state(&pod.metadata.name)))
            .collect()
    }

    fn uid(&self, name: &str) -> String {
        self.pod(name).map_or_else(String::new, |pod| pod.metadata.uid.to_string())
    }

    fn restarts(&self, name: &str) -> i32 {
        self.pod(name).unwrap().status.container_statuses[0].restart_count
    }

    fn node(&self, name: &str) -> &Node {
        self.session.cluster().nodes().find(|node| &*node.metadata.name == name).unwrap()
    }

    /// Such as `unreachable:NoExecute`.
    fn taints(&self, name: &str) -> Vec<String> {
        let short = |key: &str| key.rsplit('/').next().unwrap_or("").to_owned();
        self.node(name).spec.taints.iter().map(|taint| format!("{}:{}", short(&taint.key), taint.effect)).collect()
    }

    /// Seconds after T0 at which each of these events was first recorded.
    fn events(&self, reason: &str, about: &str) -> Vec<f64> {
        let is_meant =
            |event: &&Rc<setscope::sim::EventRecord>| &*event.reason == reason && &*event.about.name == about;
        self.session.cluster().trace().events.iter().filter(is_meant).map(|event| self.seconds(event.first.0)).collect()
    }

    fn message(&self, reason: &str, about: &str) -> String {
        let mut events = self.session.cluster().trace().events.iter().rev();
        let event = events.find(|event| &*event.reason == reason && &*event.about.name == about);
        event.map_or_else(String::new, |event| event.message.to_string())
    }

    #[allow(clippy::cast_precision_loss, reason = "a moment")]
    fn seconds(&self, time: i64) -> f64 {
        (time - self.t0) as f64 / 1000.0
    }

    /// Seconds after T0 at which this happened.
    fn happened(&self, is_meant: impl Fn(&Happening) -> bool) -> Vec<f64> {
        let all = self.session.cluster().trace().happenings.iter();
        all.filter(|(_, happening)| is_meant(happening)).map(|(at, _)| self.seconds(at.0)).collect()
    }

    /// The live containers of a pod name: `node-b ghost`, `node-a`.
    fn live(&self, name: &str) -> Vec<String> {
        let all: Vec<LiveContainers> = self.session.cluster().live_containers();
        let own = all.iter().filter(|live| &*live.pod.name == name);
        own.map(|live| format!("{}{}", live.node, if live.is_ghost { " ghost" } else { "" })).collect()
    }

    fn attached(&self, claim: &str) -> Vec<String> {
        let held = self.session.cluster().attachments().iter().filter(|held| &*held.claim.name == claim);
        held.map(|held| held.node.to_string()).collect()
    }

    /// What every silent failure has in common up to the eviction.
    #[track_caller]
    fn check_silence(&mut self) {
        self.at(39.9);
        assert_eq!(self.state("web-1"), "Running ready on node-b", "nothing is known within the grace period");
        self.at(40.0);
        assert_eq!(self.node("node-b").ready_status(), "Unknown");
        assert_eq!(self.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"]);
        assert_eq!(self.state("web-1"), "Running on node-b");
        assert_eq!(
            (self.events("NodeNotReady", "node-b"), self.events("NodeNotReady", "web-1")),
            (vec![40.0], vec![40.0])
        );
        self.at(339.9);
        assert_eq!(self.state("web-1"), "Running on node-b");
        self.at(340.0);
        assert_eq!(self.state("web-1"), "Running going on node-b");
        assert_eq!(self.events("TaintManagerEviction", "web-1"), [340.0]);
        assert_eq!(self.message("TaintManagerEviction", "web-1"), "Marking for deletion Pod default/web-1");
    }
}

// Kubelet stopped.

#[test]
fn a_stopped_kubelet_that_returns_finishes_the_deletion() {
    let mut run = Run::lost(Failure::KubeletStopped);
    let first = run.uid("web-1");
    run.check_silence();
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running going on node-b", "nobody confirms that it stopped");
    assert_eq!(run.live("web-1"), ["node-b"], "its container runs on");
    run.recover("node-b");
    run.at(3_601.9);
    assert_eq!((run.uid("web-1"), run.live("web-1")), (first.clone(), vec!["node-b".to_owned()]));
    run.at(3_602.1);
    assert_ne!(run.uid("web-1"), first, "it has stopped, and the ordinal is created again");
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
    assert_eq!(run.happened(|it| matches!(it, Happening::Collected { .. })), [] as [f64; 0]);
    run.at(100.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::Collected { .. })), [100.0]);
    assert_eq!(run.live("web-1"), ["node-b ghost"]);
    run.recover("node-b");
    run.at(110.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::GhostStopped { .. })), [102.0]);
    assert!(run.node("node-b").is_ready(), "the kubelet registered its node anew");
}

// Network partition.

#[test]
fn a_force_delete_under_a_partition_makes_two_until_it_heals() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, "");
    run.check_silence();
    run.at(400.0);
    run.delete("web-1", true);
    assert_eq!(run.happened(|it| matches!(it, Happening::GhostLeft { .. })), [400.0]);
    run.at(410.0);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    let live = run.live("web-1");
    assert!(live.len() == 2 && live.contains(&"node-b ghost".to_owned()), "{live:?}");
    assert_eq!(run.happened(|it| matches!(it, Happening::SecondStarted { .. })).len(), 1);
    run.at(500.0);
    run.recover("node-b");
    run.at(502.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::GhostStopped { .. })), [502.0]);
    let live = run.live("web-1");
    assert!(live.len() == 1 && !live[0].ends_with("ghost"), "{live:?}");
}

#[test]
fn a_partition_and_a_deleted_node_break_at_most_one_too() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, "");
    run.at(100.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(150.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::Collected { .. })), [140.0]);
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
    assert!(run.happened(|it| matches!(it, Happening::GhostLeft { .. } | Happening::SecondStarted { .. })).is_empty());
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
    assert_eq!(run.happened(|it| matches!(it, Happening::Detached { forced: true, .. })), [720.0]);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
    assert_eq!(run.live("web-1").len(), 1);
}

#[test]
fn a_deleted_node_after_a_power_loss_is_collected_and_its_volume_waits() {
    let mut run = Run::lost(Failure::PowerLost);
    run.at(105.0);
    run.give(Command::RemoveNode { node: "node-b".into() });
    run.at(200.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::Collected { .. })), [160.0]);
    assert!(run.state("web-1").starts_with("Pending on node-"), "{}", run.state("web-1"));
    run.at(600.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::Detached { forced: true, .. })), [520.0]);
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
    run.at(400.1);
    assert_ne!(run.uid("web-1"), first, "the name is free at once");
    run.at(420.0);
    assert!(run.state("web-1").starts_with("Running ready"), "{}", run.state("web-1"));
}

#[test]
fn the_out_of_service_taint_evicts_but_frees_nothing_before_1_26() {
    let mut run = Run::lost(Failure::PowerLost);
    run.at(100.0);
    run.give(Command::TaintOutOfService { node: "node-b".into(), effect: "NoExecute".into() });
    run.at(100.1);
    assert_eq!(run.state("web-1"), "Running going on node-b", "nobody tolerates it");
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running going on node-b");
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
    let seen_failed = run.session.cluster().trace().happenings.len();
    run.at(2.5);
    assert!(seen_failed < run.session.cluster().trace().happenings.len());
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
    assert_eq!((run.uid("web-1"), run.state("web-1").contains("going")), (first.clone(), true));
    run.recover("node-b");
    run.at(1_003.0);
    assert_ne!(run.uid("web-1"), first);
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
        assert_eq!(run.events("TaintManagerEviction", "web-1"), [40.0 + f64::from(seconds)]);
        assert_eq!(run.state("web-1"), "Running going on node-b", "Terminating sooner, not replaced sooner");
    }
    let forever = r#""tolerations": [{"operator": "Exists"}]"#;
    let mut run = Run::lost_without_claims(Failure::PowerLost, forever);
    run.at(3_600.0);
    assert_eq!(run.state("web-1"), "Running on node-b");
}

#[test]
fn preset_4_a_grace_of_zero_makes_the_eviction_itself_a_split_brain() {
    let mut run = Run::lost_without_claims(Failure::NetworkPartition, r#""terminationGracePeriodSeconds": 0"#);
    run.at(339.9);
    assert_eq!(run.state("web-1"), "Running on node-b");
    run.at(350.0);
    assert_eq!(run.happened(|it| matches!(it, Happening::GhostLeft { .. })), [340.0]);
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
    assert!(run.happened(|it| matches!(it, Happening::SecondStarted { .. })).is_empty());
    assert_eq!(
        run.happened(|it| matches!(it, Happening::Detached { forced: false, .. })),
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

// Zones and many nodes.

#[test]
fn nothing_is_evicted_while_every_node_is_not_ready() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    for node in ["node-a", "node-b", "node-c"] {
        run.fail(node, Failure::NetworkPartition);
    }
    run.at(2_000.0);
    assert!(run.states().iter().all(|state| state.contains(" Running on node-")), "{:?}", run.states());
    for node in ["node-a", "node-b", "node-c"] {
        assert_eq!(run.taints(node), ["unreachable:NoSchedule"]);
    }
    assert!(run.events("TaintManagerEviction", "web-0").is_empty(), "none was ever planned");
    run.recover("node-a");
    run.at(2_005.0);
    assert_eq!(run.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"]);
    run.at(2_305.0);
    assert_eq!(run.state("web-1"), "Running going on node-b");
    assert_eq!(run.state("web-0"), "Running ready on node-a");
}

#[test]
fn nodes_of_one_zone_are_evicted_ten_seconds_apart() {
    let mut run = Run::of(6, &manifest(6, r#""podManagementPolicy": "Parallel""#, ""));
    run.give(Command::FailZone { zone: "zone-a".into(), failure: Failure::PowerLost });
    run.at(40.0);
    assert_eq!((run.taints("node-a").len(), run.taints("node-d").len()), (2, 1));
    run.at(50.0);
    assert_eq!((run.taints("node-a").len(), run.taints("node-d").len()), (2, 2));
    run.at(400.0);
    let evicted: Vec<f64> = ["web-0", "web-3"].iter().flat_map(|pod| run.events("TaintManagerEviction", pod)).collect();
    assert_eq!(evicted, [340.0, 350.0]);
    run.give(Command::RecoverZone { zone: "zone-a".into() });
    run.at(450.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
}

#[test]
fn a_small_zone_that_is_mostly_lost_is_not_evicted() {
    let mut run = Run::of(12, &manifest(12, r#""podManagementPolicy": "Parallel""#, ""));
    for node in ["node-a", "node-d", "node-g"] {
        run.fail(node, Failure::PowerLost);
    }
    run.at(1_000.0);
    for node in ["node-a", "node-d", "node-g"] {
        assert_eq!(run.taints(node), ["unreachable:NoSchedule"]);
    }
    run.fail("node-b", Failure::PowerLost);
    run.at(1_100.0);
    assert_eq!(run.taints("node-b").len(), 2, "another zone is evicted as usual");
}

// Volumes.

fn claim_of_class(class: &str) -> String {
    CLAIMS.replace("\"resources\"", &format!("\"storageClassName\": \"{class}\", \"resources\""))
}

#[test]
fn a_local_volume_keeps_its_pod_pending_until_its_node_returns() {
    for class in ["local", "zonal"] {
        let mut run = Run::of(3, &manifest(3, &claim_of_class(class), ""));
        run.fail("node-b", Failure::PowerLost);
        run.at(400.0);
        run.delete("web-1", true);
        run.at(3_600.0);
        assert_eq!(run.state("web-1"), "Pending");
        assert_eq!(
            run.message("FailedScheduling", "web-1"),
            "0/3 nodes are available: 2 node(s) had volume node affinity conflict, 1 node(s) had taint \
             {node.kubernetes.io/unreachable: }, that the pod didn't tolerate."
        );
        if class == "zonal" {
            // node-d is in zone-a, node-e in the zone of node-b.
            run.give(Command::AddNode);
            run.give(Command::AddNode);
        } else {
            run.recover("node-b");
        }
        run.at(3_620.0);
        let on = if class == "zonal" { "node-e" } else { "node-b" };
        assert_eq!(run.state("web-1"), format!("Running ready on {on}"));
    }
}

#[test]
fn a_claim_for_one_pod_keeps_the_second_pod_from_every_node() {
    let shared = r#""volumes": [{"name": "www", "persistentVolumeClaim": {"claimName": "www-one-0"}}]"#;
    let first = manifest(1, &CLAIMS.replace("ReadWriteOnce", "ReadWriteOncePod"), "").replace("\"web\"", "\"one\"");
    let mut run = Run::of(3, &first);
    let second = manifest(1, "", shared).replace("nginx\"}", "other\"}");
    run.give(Command::Apply { manifest: second.into() });
    run.at(10.0);
    assert_eq!(
        run.message("FailedScheduling", "web-0"),
        "0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode."
    );
}

// The presets.

#[test]
fn preset_2_every_way_out_has_its_own_clock() {
    let lost = || {
        let mut run = Run::lost(Failure::KubeletStopped);
        run.at(400.0);
        assert_eq!(run.states()[1], "web-1 Running going on node-b");
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
    assert_eq!(waits.states()[1], "web-1 Running going on node-b");
    assert!((5.0..8.0).contains(&returned), "{returned}");
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
    run.at(1_010.0);
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
    run.give(Command::SetBehaviour { image: "nginx:1".into(), behaviour: Behaviour::NeverReady });
    run.at(30.0);
    assert!(run.states().iter().all(|state| state.contains(" Running on")), "{:?}", run.states());
    run.give(image("nginx:2"));
    run.at(90.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
    let deleted = run.happened(|it| matches!(it, Happening::PodStopped { .. }));
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
        most = most.max(run.states().iter().filter(|state| state.contains("going")).count());
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
    run.at(130.0);
    assert_eq!(run.state("web-1"), "Pending");
    run.give(Command::DeleteClaim { claim: claim() });
    run.at(131.0);
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
fn preset_31_this_release_does_not_know_min_ready_seconds() {
    let mut run = Run::of(3, &manifest(3, r#""minReadySeconds": 600"#, ""));
    run.at(0.0);
    assert!(run.states().iter().all(|state| state.contains("Running ready")), "{:?}", run.states());
    run.give(Command::Scale { set: web(), replicas: 2 });
    run.at(5.0);
    assert_eq!(run.states().len(), 2, "nothing waits for availability");
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
    assert_eq!(run.state("web-0"), "Succeeded on node-a", "this release waits for a Succeeded pod for ever");
    assert_eq!(run.uid("web-0"), second);
    // Its own end is confirmed: a delete goes through at once, even on a dead node.
    run.fail("node-a", Failure::PowerLost);
    run.delete("web-0", false);
    assert_eq!(run.state("web-0"), "none");
}

// Pods that end, creates that are refused.

#[test]
fn a_crash_loop_backs_off_from_ten_seconds_to_five_minutes() {
    let mut run = Run::of(1, &manifest(0, "", ""));
    run.give(Command::SetBehaviour { image: "nginx:1".into(), behaviour: Behaviour::Crashes });
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
    run.give(Command::Drain { node: "node-b".into() });
    run.at(20.0);
    let state = run.state("web-1");
    assert!(state.starts_with("Running ready") && !state.ends_with("node-b"), "{state}");
    assert!(run.node("node-b").spec.unschedulable);
    assert!(run.happened(|it| matches!(it, Happening::EvictionRefused { .. })).is_empty());
}

#[test]
fn a_drain_is_refused_every_five_seconds_while_the_budget_is_used_up() {
    let mut run = Run::of(3, &manifest(3, "", ""));
    run.give(Command::SetBudget { set: web(), budget: Some(Budget { min_available: 3, always_allow: false }) });
    run.give(Command::Drain { node: "node-b".into() });
    run.at(12.0);
    assert_eq!(run.state("web-1"), "Running ready on node-b");
    let refused = |it: &Happening| matches!(it, Happening::EvictionRefused { needed: 3, healthy: 3, .. });
    assert_eq!(run.happened(refused), [0.0, 5.0, 10.0]);
    run.give(Command::Uncordon { node: "node-b".into() });
    run.at(100.0);
    assert_eq!(run.happened(refused).len(), 3, "the drain was given up");
}

#[test]
fn preset_33_a_broken_pod_is_not_evicted_and_a_budget_is_no_help_against_node_loss() {
    let mut run = Run::of(3, &manifest(3, r#""updateStrategy": {"type": "OnDelete"}"#, ""));
    run.give(Command::SetBudget { set: web(), budget: Some(Budget { min_available: 2, always_allow: true }) });
    run.give(Command::SetBehaviour { image: "nginx:2".into(), behaviour: Behaviour::NeverReady });
    run.give(Command::SetImage { set: web(), container: "nginx".into(), image: "nginx:2".into() });
    run.delete("web-1", false);
    run.at(20.0);
    assert_eq!(run.state("web-1"), "Running on node-b");
    run.give(Command::Drain { node: "node-b".into() });
    run.at(100.0);
    assert_eq!(run.state("web-1"), "Running on node-b", "this release does not know AlwaysAllow");
    run.fail("node-a", Failure::PowerLost);
    run.at(600.0);
    assert_eq!(run.state("web-0"), "Running going on node-a");
}

// Deleting the set.

#[test]
fn a_set_deleted_in_the_foreground_goes_after_its_pods() {
    let mut run = Run::of(3, &manifest(3, CLAIMS, ""));
    run.give(Command::DeleteSet { set: web(), cascade: Cascade::Foreground });
    run.at(1.0);
    assert_eq!(run.session.cluster().stateful_sets().count(), 1);
    assert!(run.states().iter().all(|state| state.contains("going")), "all at once: {:?}", run.states());
    run.at(10.0);
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
        (1, vec!["web-1 Running going on node-b".into()])
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
