//! What differs between releases around the controllers. The rows are set by hand, so that they hold whatever controllers
//! are ported.

use super::disruption::synced_status;
use super::{Cluster, Failure, NodeHealth, START, TraceEvent};
use crate::objects::{Kind, Object, ObjectRef, Pod, PodPhase, StatefulSet, Time, defaults};
use crate::releases::{ClusterGates, Release};
use std::rc::Rc;

const T0: i64 = 60_000;

fn pod_key(name: &str) -> ObjectRef {
    ObjectRef { kind: Kind::Pod, namespace: "default".into(), name: name.into() }
}

/// Three replicas, one on each node, in a cluster of this release, with claims of this access mode.
fn start(release: Release, mode: &str) -> Cluster {
    let mut cluster = Cluster::new(Release::V1_20, Release::V1_20.gates(), 1);
    cluster.world.gates = release.profile().cluster;
    (0..3).for_each(|_| cluster.add_node());
    let mut set = serde_json::json!({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": {
        "serviceName": "nginx", "replicas": 3, "selector": {"matchLabels": {"app": "nginx"}},
        "template": {"metadata": {"labels": {"app": "nginx"}}, "spec": {"containers": [{"name": "nginx", "image": "nginx:1"}]}},
        "volumeClaimTemplates": [{"metadata": {"name": "www"}, "spec": {"accessModes": [mode],
            "resources": {"requests": {"storage": "1Gi"}}}}]}});
    defaults::stateful_set(&mut set, &cluster.server());
    let set: StatefulSet = serde_json::from_value(set).unwrap();
    cluster.create(Object::StatefulSet(Rc::new(set))).unwrap();
    at(&mut cluster, 0.0);
    cluster
}

/// Lets time pass up to `seconds` after T0.
fn at(cluster: &mut Cluster, seconds: f64) {
    #[allow(clippy::cast_possible_truncation, reason = "a moment")]
    let until = Time(START.0 + T0 + (seconds * 1000.0) as i64);
    while cluster.next_event_at().is_some_and(|due| due <= until) {
        cluster.step();
    }
    cluster.wait_until(until);
}

fn lost(release: Release, failure: Failure) -> Cluster {
    let mut cluster = start(release, "ReadWriteOnce");
    assert!(cluster.fail(&"node-b".into(), failure));
    cluster
}

fn web_1(cluster: &Cluster) -> Rc<Pod> {
    Rc::clone(cluster.pods().find(|pod| &*pod.metadata.name == "web-1").unwrap())
}

fn is_terminating(cluster: &Cluster) -> bool {
    web_1(cluster).metadata.deletion_timestamp.is_some()
}

fn is_ready(cluster: &Cluster, node: &str) -> bool {
    cluster.nodes().any(|held| &*held.metadata.name == node && held.is_ready())
}

fn collected(cluster: &Cluster) -> Vec<i64> {
    let all = cluster.trace().events.iter();
    let collected = all.filter(|(_, happening)| matches!(happening, TraceEvent::Collected { .. }));
    collected.map(|(at, _)| (at.0 - START.0 - T0) / 1000).collect()
}

#[test]
fn the_rows_follow_the_version_facts() {
    let rows = [Release::V1_9, Release::V1_17, Release::V1_20, Release::V1_28, Release::V1_34];
    let rows = rows.map(|release| release.profile().cluster);
    let graces = rows.map(|row| row.node_monitor_grace / 1000);
    assert_eq!(graces, [40, 40, 40, 40, 50]);
    let since = |has: fn(&ClusterGates) -> bool| rows.iter().filter(|row| !has(row)).count();
    assert_eq!(since(|row| row.taint_based_eviction), 1);
    assert_eq!(since(|row| row.graceful_shutdown.is_some()), 2);
    assert_eq!(since(|row| row.evicts_unready), 3);
    assert_eq!((since(|row| row.disruption_target), since(|row| row.out_of_service)), (3, 3));
    assert_eq!(since(|row| row.unhealthy_eviction_policy), 3);
    assert_eq!(since(|row| row.ends_in_terminal_phase), 3);
    assert_eq!(since(|row| row.evicts_in_marking_pass), 4);
}

#[test]
fn from_1_32_a_node_is_given_50_seconds() {
    for (release, grace) in [(Release::V1_28, 40.0), (Release::V1_34, 50.0)] {
        let mut cluster = lost(release, Failure::PowerLost);
        let NodeHealth::Failed { not_ready_at, .. } = cluster.node_health("node-b") else { panic!("it answers") };
        assert_eq!(not_ready_at.0 - START.0 - T0, if release < Release::V1_34 { 40_000 } else { 50_000 });
        at(&mut cluster, grace - 0.1);
        assert!(is_ready(&cluster, "node-b"));
        at(&mut cluster, grace);
        assert!(!is_ready(&cluster, "node-b"));
        // NoExecute comes with the pass of the monitor that marks the node since 1.34, before with the next one, and the
        // toleration counts from it.
        let pass = if release.profile().cluster.evicts_in_marking_pass { 0.0 } else { 5.0 };
        at(&mut cluster, grace + pass + 299.9);
        assert!(!is_terminating(&cluster));
        at(&mut cluster, grace + pass + 300.0);
        assert!(is_terminating(&cluster));
    }
}

#[test]
fn before_1_13_the_pod_is_marked_node_lost_five_minutes_after_the_last_heartbeat() {
    let mut cluster = lost(Release::V1_9, Failure::KubeletStopped);
    at(&mut cluster, 40.0);
    assert!(!is_ready(&cluster, "node-b"));
    assert!(cluster.nodes().all(|node| node.spec.taints.is_empty()), "no taints yet");
    at(&mut cluster, 299.9);
    assert!(!is_terminating(&cluster));
    at(&mut cluster, 300.0);
    assert!(is_terminating(&cluster));
    let status = &web_1(&cluster).status;
    assert_eq!(
        (&*status.reason, &*status.message),
        ("NodeLost", "Node node-b which was running pod web-1 is unresponsive")
    );
    let told = cluster.trace().api_events.iter().any(|event| {
        &*event.reason == "NodeControllerEviction"
            && &*event.message == "Marking for deletion Pod web-1 from Node node-b"
    });
    assert!(told);
    at(&mut cluster, 400.0);
    let lost = web_1(&cluster);
    cluster.recover(&"node-b".into());
    at(&mut cluster, 401.0);
    let terminating = web_1(&cluster);
    assert!(
        terminating.metadata.uid == lost.metadata.uid && terminating.status.reason.is_empty(),
        "Unknown passes through Terminating"
    );
    at(&mut cluster, 420.0);
    assert!(crate::reconcile::is_healthy(&web_1(&cluster)));
}

#[test]
fn from_1_26_an_evicted_pod_is_a_disruption_target() {
    let mut cluster = lost(Release::V1_28, Failure::PowerLost);
    at(&mut cluster, 345.0);
    let pod = web_1(&cluster);
    let condition = pod.condition("DisruptionTarget").unwrap();
    assert_eq!((&*condition.status, &*condition.reason), ("True", "DeletionByTaintManager"));
}

#[test]
fn the_out_of_service_taint_frees_the_name_and_the_volume_at_once() {
    let mut cluster = lost(Release::V1_28, Failure::PowerLost);
    at(&mut cluster, 105.0);
    cluster.set_out_of_service(&"node-b".into(), Some("NoExecute"));
    at(&mut cluster, 105.1);
    assert!(is_terminating(&cluster));
    at(&mut cluster, 119.9);
    assert!(is_terminating(&cluster), "the collector has not looked");
    at(&mut cluster, 130.0);
    assert_eq!(collected(&cluster), [120]);
    assert!(crate::reconcile::is_healthy(&web_1(&cluster)), "ready within ten seconds");
    assert!(cluster.live_containers().iter().filter(|live| &*live.pod.name == "web-1").count() == 1);
    assert!(cluster.nodes().any(|node| node.spec.taints.iter().any(|taint| taint.key.ends_with("out-of-service"))));
}

/// Problem 6: all three must hold.
#[test]
fn the_out_of_service_taint_needs_a_terminating_pod_on_a_node_that_is_not_ready() {
    // NoSchedule does not evict: a pod that is not terminating stays.
    let mut cluster = lost(Release::V1_28, Failure::PowerLost);
    at(&mut cluster, 100.0);
    cluster.set_out_of_service(&"node-b".into(), Some("NoSchedule"));
    at(&mut cluster, 339.0);
    assert!(!is_terminating(&cluster) && collected(&cluster).is_empty());
    // Once it is, the taint's effect does not matter.
    at(&mut cluster, 361.0);
    assert_eq!(collected(&cluster), [360]);

    // On a Ready node it evicts gracefully, and the collector has no part in it.
    let mut cluster = start(Release::V1_28, "ReadWriteOnce");
    cluster.set_out_of_service(&"node-b".into(), Some("NoExecute"));
    at(&mut cluster, 100.0);
    assert!(collected(&cluster).is_empty());
    assert!(crate::reconcile::is_healthy(&web_1(&cluster)) && &*web_1(&cluster).spec.node_name != "node-b");

    // A machine that is only cut off still writes: the taint was a lie.
    let mut cluster = start(Release::V1_28, "ReadWriteMany");
    cluster.fail(&"node-b".into(), Failure::NetworkPartition);
    at(&mut cluster, 100.0);
    cluster.set_out_of_service(&"node-b".into(), Some("NoExecute"));
    at(&mut cluster, 200.0);
    let live: Vec<bool> =
        cluster.live_containers().iter().filter(|live| &*live.pod.name == "web-1").map(|live| live.is_ghost).collect();
    assert!(live.len() == 2 && live.contains(&true), "{live:?}");
}

#[test]
fn a_shutdown_says_why_pods_ended_where_the_kubelet_sees_it_coming() {
    for (release, reason) in [(Release::V1_17, ""), (Release::V1_20, "Shutdown"), (Release::V1_28, "Terminated")] {
        let mut cluster = lost(release, Failure::GracefulShutdown);
        let mut reasons: Vec<Rc<str>> = Vec::new();
        while cluster.now().0 < START.0 + T0 + 3_000 && cluster.step() {
            let pod = cluster.pods().find(|pod| &*pod.metadata.name == "web-1");
            reasons.extend(pod.map(|pod| Rc::clone(&pod.status.reason)).filter(|reason| !reason.is_empty()));
        }
        assert_eq!(reasons.first().map_or("", |reason| reason), reason, "{release:?}");
        assert_eq!(&*web_1(&cluster).spec.node_name == "node-b", release == Release::V1_17, "{release:?}");
    }
}

/// Problem 33.
#[test]
fn an_unready_pod_may_be_evicted_while_its_budget_is_met_or_with_always_allow() {
    use super::{Behavior, Budget};
    let set = ObjectRef { kind: Kind::StatefulSet, ..pod_key("web") };
    for (release, min_available, always_allow, evicted) in [
        (Release::V1_20, 2, true, false),
        (Release::V1_28, 2, false, true),
        (Release::V1_28, 3, false, false),
        (Release::V1_28, 3, true, true),
    ] {
        let mut cluster = start(release, "ReadWriteMany");
        cluster.set_budget(&set, Some(Budget { min_available, always_allow }));
        let uid = Rc::clone(&web_1(&cluster).metadata.uid);
        let pods: Vec<Rc<Pod>> = cluster.pods().cloned().collect();
        cluster.world.settings.images.insert("nginx:1".into(), Behavior::NeverReady);
        cluster.machines.get_mut("node-b").unwrap().behave(&pods[1], cluster.world.now, &cluster.world.settings);
        cluster.world.wake_kubelet(&pods[1]);
        at(&mut cluster, 10.0);
        assert!(!crate::reconcile::is_running_and_ready(&web_1(&cluster)));
        let there = cluster.world.pods_on(&"node-b".into());
        cluster.drain(&"node-b".into(), &there, None, None);
        at(&mut cluster, 30.0);
        assert_eq!(web_1(&cluster).metadata.uid != uid, evicted, "{release:?}, {min_available}, {always_allow}");
    }
}

/// Pods that come, become Ready, are evicted and go, and one that a label takes out of the budget.
#[test]
fn pods_under_a_budget_are_counted_on_as_they_would_be_anew() {
    use super::Budget;
    let mut cluster = start(Release::V1_28, "ReadWriteMany");
    let set = ObjectRef { kind: Kind::StatefulSet, ..pod_key("web") };
    let mut scaled = cluster.get(&set).unwrap().clone();
    if let Object::StatefulSet(set) = &mut scaled {
        Rc::make_mut(&mut Rc::make_mut(set).spec).replicas = Some(6);
    }
    cluster.update(scaled).unwrap();
    at(&mut cluster, 60.0);
    cluster.set_budget(&set, Some(Budget { min_available: 5, always_allow: false }));
    let there = cluster.world.pods_on(&"node-b".into());
    cluster.drain(&"node-b".into(), &there, None, None);
    let (mut allowed, mut counted) = (std::collections::BTreeSet::new(), 0);
    let mut relabeled = false;
    while cluster.now().0 < START.0 + 180_000 && cluster.step() {
        let mut anew = cluster.clone();
        anew.world.store.index.selected.forget();
        for budget in cluster.all_disruption_budgets() {
            counted += usize::from(cluster.world.store.index.selected.get(&budget).is_some());
            assert_eq!(
                synced_status(&cluster.world.store, &budget),
                synced_status(&anew.world.store, &budget),
                "at {:?}",
                cluster.now()
            );
            allowed.insert(synced_status(&anew.world.store, &budget).unwrap().disruptions_allowed);
        }
        if !relabeled && cluster.now().0 > START.0 + 100_000 {
            let mut pod = Object::Pod(web_1(&cluster));
            pod.metadata_mut().labels = Default::default();
            relabeled = cluster.update(pod).is_ok();
        }
    }
    assert!(counted > 0 && relabeled && allowed.len() > 1, "{counted} {allowed:?}");
}

/// What the controller does where claims have a retention policy: the collector does the rest.
#[test]
fn a_claim_that_its_pod_owns_goes_with_it() {
    let mut cluster = start(Release::V1_28, "ReadWriteOnce");
    let pod = web_1(&cluster);
    let mut claim = cluster.claims().find(|claim| &*claim.metadata.name == "www-web-1").unwrap().clone();
    let uid = Rc::clone(&claim.metadata.uid);
    Rc::make_mut(&mut claim).metadata.owner_references.push(crate::objects::OwnerReference {
        api_version: "v1".into(),
        kind: "Pod".into(),
        name: Rc::clone(&pod.metadata.name),
        uid: Rc::clone(&pod.metadata.uid),
        ..Default::default()
    });
    cluster.update(Object::Claim(claim)).unwrap();
    at(&mut cluster, 10.0);
    assert_eq!(cluster.claims().filter(|claim| claim.metadata.uid == uid).count(), 1, "its owner is there");
    cluster.delete(&pod_key("web-1"), None).unwrap();
    at(&mut cluster, 12.0);
    assert_eq!(cluster.claims().filter(|claim| claim.metadata.deletion_timestamp.is_some()).count(), 0);
    at(&mut cluster, 30.0);
    assert!(cluster.claims().all(|claim| claim.metadata.uid != uid || claim.metadata.deletion_timestamp.is_some()));
}

/// A kubelet that is cut off works on: what it had begun to pull, it starts.
#[test]
fn a_container_can_start_behind_a_partition() {
    let mut cluster = start(Release::V1_20, "ReadWriteMany");
    let first = web_1(&cluster);
    cluster.delete(&pod_key("web-1"), None).unwrap();
    while cluster.pods().all(|pod| {
        &*pod.metadata.name != "web-1"
            || pod.metadata.uid == first.metadata.uid
            || pod.status.container_statuses.is_empty()
    }) {
        assert!(cluster.step());
    }
    let node = Rc::clone(&web_1(&cluster).spec.node_name);
    let live = |cluster: &Cluster| {
        let all = cluster.live_containers();
        all.iter().filter(|live| &*live.pod.name == "web-1").map(|live| live.is_ghost).collect::<Vec<bool>>()
    };
    assert!(live(&cluster).is_empty(), "its image is being pulled");
    cluster.fail(&node, Failure::NetworkPartition);
    // The API takes the node for Ready: without a cordon the next web-1 would be bound to it.
    cluster.cordon(&node, true);
    cluster.delete(&pod_key("web-1"), Some(0)).unwrap();
    at(&mut cluster, 20.0);
    let mut both = live(&cluster);
    both.sort_unstable();
    assert_eq!(both, [false, true]);
}

#[test]
fn a_second_deletion_shortens_the_grace_and_newer_kubelets_stop_sooner_for_it() {
    for (release, end) in [(Release::V1_20, 30.0), (Release::V1_28, 9.0)] {
        let mut cluster = start(release, "ReadWriteOnce");
        cluster.world.settings.stopping = 60_000;
        let uid = Rc::clone(&web_1(&cluster).metadata.uid);
        let there = |cluster: &Cluster| cluster.pods().any(|pod| pod.metadata.uid == uid);
        let marks = |cluster: &Cluster| {
            let metadata = &web_1(cluster).metadata;
            (metadata.deletion_timestamp.map(|at| at.0 - START.0 - T0), metadata.deletion_grace_period_seconds)
        };
        cluster.delete(&pod_key("web-1"), None).unwrap();
        at(&mut cluster, 4.0);
        for (grace, want) in [(None, 30), (Some(40), 30), (Some(5), 5), (Some(20), 5)] {
            cluster.delete(&pod_key("web-1"), grace).unwrap();
            assert_eq!(marks(&cluster), (Some(want * 1000), Some(want)), "{}: {grace:?}", release.name());
        }
        at(&mut cluster, end - 0.1);
        assert!(there(&cluster), "{}", release.name());
        at(&mut cluster, end + 11.0);
        assert!(!there(&cluster), "{}", release.name());
    }
}

#[test]
fn a_second_deletion_does_not_ask_whether_the_pod_has_ended() {
    let mut cluster = start(Release::V1_28, "ReadWriteOnce");
    let uid = Rc::clone(&web_1(&cluster).metadata.uid);
    cluster.delete(&pod_key("web-1"), None).unwrap();
    at(&mut cluster, 2.1);
    assert_eq!(web_1(&cluster).status.phase, PodPhase::Succeeded);
    cluster.delete(&pod_key("web-1"), Some(20)).unwrap();
    assert_eq!(web_1(&cluster).metadata.uid, uid);
    at(&mut cluster, 2.4);
    assert!(cluster.pods().all(|pod| pod.metadata.uid != uid), "the kubelet has let it go");
}
