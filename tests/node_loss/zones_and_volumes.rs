//! Many nodes, their zones, and the volumes that tie a pod to one.

use crate::kit::{CLAIMS, Run, manifest, web};
use setscope::session::{Command, scenario};
use setscope::sim::Failure;

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
    // The next pass sees that the disruption is over; a real one was recorded to taint 10.4 s after the node's return.
    run.at(2_014.0);
    assert_eq!(run.taints("node-b"), ["unreachable:NoSchedule"]);
    run.at(2_015.0);
    assert_eq!(run.taints("node-b"), ["unreachable:NoSchedule", "unreachable:NoExecute"]);
    run.at(2_315.0);
    assert_eq!(run.state("web-1"), "Running terminating on node-b");
    assert_eq!(run.state("web-0"), "Running ready on node-a");
}

#[test]
fn nodes_of_one_zone_are_evicted_ten_seconds_apart() {
    let mut run = Run::of(6, &manifest(6, r#""podManagementPolicy": "Parallel""#, ""));
    run.give(Command::FailZone { zone: "zone-a".into(), failure: Failure::PowerLost });
    run.at(45.0);
    assert_eq!((run.taints("node-a").len(), run.taints("node-d").len()), (2, 1));
    run.at(55.0);
    assert_eq!((run.taints("node-a").len(), run.taints("node-d").len()), (2, 2));
    run.at(400.0);
    let evicted: Vec<f64> = ["web-0", "web-3"].iter().flat_map(|pod| run.events("TaintManagerEviction", pod)).collect();
    assert_eq!(evicted, [345.0, 355.0]);
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

#[test]
fn nodes_without_a_zone_are_of_one() {
    let nodes = ["node-a", "node-b", "node-c", "node-d", "node-e"];
    let object = |name: &str| {
        let status = "{conditions: [{type: Ready, status: 'True'}]}";
        format!("- {{apiVersion: v1, kind: Node, metadata: {{name: {name}}}, status: {status}}}\n")
    };
    let text = format!("setscope: 1\nobjects:\n{}run: []\n", nodes.map(object).concat());
    let session = scenario::read(&text).unwrap().0;
    let mut run = Run::after_a_minute(session, web(), &manifest(5, r#""podManagementPolicy": "Parallel""#, ""));
    let lost = &nodes[..3];
    lost.iter().for_each(|node| run.fail(node, Failure::PowerLost));
    run.at(1_000.0);
    for node in lost {
        assert_eq!(run.taints(node), ["unreachable:NoSchedule"]);
    }
    run.recover("node-a");
    run.at(1_100.0);
    assert_eq!(run.taints("node-b").len(), 2, "two of five are not most of them");
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
            "0/3 nodes are available: 1 node(s) had taint {node.kubernetes.io/unreachable: }, that the pod didn't \
             tolerate, 2 node(s) had volume node affinity conflict."
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
    let second = manifest(1, "", shared).replace("\"app\": \"nginx\"", "\"app\": \"other\"");
    run.give(Command::Apply { manifest: second.into() });
    run.at(10.0);
    assert_eq!(
        run.message("FailedScheduling", "web-0"),
        "0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode."
    );
}
