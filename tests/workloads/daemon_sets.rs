//! DaemonSets: a pod on every node.

use crate::kit::{Run, reference, workload};
use setscope::objects::Kind;
use setscope::session::Command;
use setscope::sim::Failure;

fn daemons(nodes: usize, strategy: &str) -> Run {
    let spec = if strategy.is_empty() { String::new() } else { format!(r#""updateStrategy": {strategy}"#) };
    Run::workload(Kind::DaemonSet, nodes, &workload("DaemonSet", &spec))
}

fn rolling(surge: &str, unavailable: &str) -> String {
    format!(r#"{{"rollingUpdate": {{"maxSurge": {surge}, "maxUnavailable": {unavailable}}}}}"#)
}

#[test]
fn every_node_has_one_pod_and_a_new_node_gets_one() {
    let mut run = daemons(3, "");
    let nodes = |run: &Run| {
        let mut nodes: Vec<String> = run.pods().iter().map(|pod| pod.spec.node_name.to_string()).collect();
        nodes.sort();
        nodes
    };
    assert_eq!((nodes(&run), run.ready()), (vec!["node-a".into(), "node-b".into(), "node-c".to_owned()], 3));
    run.give(Command::AddNode);
    run.wait(30);
    assert_eq!((nodes(&run).len(), run.ready()), (4, 4));
    assert_eq!((run.status("desiredNumberScheduled"), run.status("numberAvailable")), (4.into(), 4.into()));
    let pod = &run.pods()[0];
    assert_eq!(pod.spec.tolerations.len(), 6);
    assert!(pod.spec.tolerations.iter().all(|toleration| toleration.toleration_seconds.is_none()), "borne forever");
}

#[test]
fn a_cordoned_node_keeps_and_gets_its_pod() {
    let mut run = daemons(3, "");
    run.line("kubectl cordon node-b");
    let pod = run.pods().iter().find(|pod| &*pod.spec.node_name == "node-b").unwrap().metadata.name.clone();
    run.give(Command::DeletePod { pod: reference(Kind::Pod, &pod), grace: None });
    run.wait(30);
    assert_eq!((run.pods().len(), run.ready()), (3, 3));
}

#[test]
fn a_pod_of_a_lost_node_is_never_evicted_and_goes_on_when_it_returns() {
    let mut run = daemons(3, "");
    let uids = |run: &Run| run.pods().iter().map(|pod| pod.metadata.uid.clone()).collect::<Vec<_>>();
    let before = uids(&run);
    run.fail("node-b", Failure::PowerLost);
    run.wait(3_600);
    assert_eq!(run.states_by_image(), ["Running nginx:1", "Running ready nginx:1", "Running ready nginx:1"]);
    run.recover("node-b");
    run.wait(60);
    assert_eq!((uids(&run), run.ready()), (before, 3));
}

#[test]
fn a_rolling_update_takes_as_many_nodes_as_may_be_unavailable() {
    for (unavailable, least) in [("1", 4), ("2", 3), (r#""30%""#, 3)] {
        let mut run = daemons(5, &rolling("0", unavailable));
        run.image("2");
        let mut fewest = usize::MAX;
        run.watch(200, |run| fewest = fewest.min(run.ready()));
        assert_eq!(
            (fewest, run.states_by_image()),
            (least, vec!["Running ready nginx:2".to_owned(); 5]),
            "{unavailable}"
        );
    }
}

#[test]
fn a_surging_update_has_the_new_pod_ready_before_the_old_one_goes() {
    let mut run = daemons(3, &rolling("1", "0"));
    run.image("2");
    let (mut fewest, mut most) = (usize::MAX, 0);
    run.watch(200, |run| {
        fewest = fewest.min(run.ready());
        most = most.max(run.pods().iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).count());
    });
    assert_eq!((fewest, most, run.states_by_image()), (3, 4, vec!["Running ready nginx:2".to_owned(); 3]));
}

#[test]
fn on_delete_leaves_the_pods_to_people() {
    let mut run = daemons(3, r#"{"type": "OnDelete"}"#);
    run.image("2");
    run.wait(60);
    assert_eq!(run.count_at("1"), 3);
    let pod = run.pods()[0].metadata.name.clone();
    run.give(Command::DeletePod { pod: reference(Kind::Pod, &pod), grace: None });
    run.wait(60);
    assert_eq!((run.count_at("1"), run.count_at("2"), run.ready()), (2, 1, 3));
}

#[test]
fn preset_34_one_dead_node_blocks_the_whole_rollout() {
    let mut run = daemons(5, "");
    run.fail("node-e", Failure::PowerLost);
    run.wait(120);
    run.image("2");
    run.wait(3_600);
    assert_eq!(
        (run.count_at("1"), run.count_at("2")),
        (4, 0),
        "its pod is terminating, and counts as the one unavailable"
    );
    run.patch(r#"{"spec": {"updateStrategy": {"rollingUpdate": {"maxUnavailable": 2}}}}"#);
    run.wait(300);
    assert_eq!((run.count_at("2"), run.ready()), (4, 4));

    let mut run = daemons(5, "");
    run.fail("node-e", Failure::PowerLost);
    run.wait(120);
    run.image("2");
    run.wait(60);
    run.line("kubectl delete node node-e");
    run.wait(600);
    assert_eq!((run.count_at("2"), run.pods().len()), (4, 4), "without the Node object its pod is collected");
}

#[test]
fn failed_pods_are_made_again_and_undo_goes_back() {
    let mut run = daemons(2, "");
    let pod = run.pods()[0].metadata.name.clone();
    run.give(Command::EvictPod { pod: reference(Kind::Pod, &pod) });
    run.wait(60);
    assert_eq!((run.ready(), run.messages("FailedDaemonPod").len()), (2, 1));
    run.image("2");
    run.wait(60);
    run.line("kubectl rollout undo ds/web");
    run.wait(60);
    assert_eq!(run.states_by_image(), ["Running ready nginx:1"; 2]);
}

#[test]
fn manifests_are_refused_in_the_servers_words() {
    let refused = |strategy: &str| {
        let mut session = setscope::session::Session::empty(setscope::reconcile::Release::V1_34, 1, 3);
        let manifest = workload("DaemonSet", &format!(r#""updateStrategy": {strategy}"#)).into();
        let refusal = session.command(Command::Apply { manifest }).unwrap_err();
        refusal.messages().collect::<Vec<_>>().join("\n")
    };
    assert!(refused(&rolling("0", "0")).ends_with("maxUnavailable: Required value: cannot be 0 when maxSurge is 0"));
    assert!(
        refused(&rolling("1", "1"))
            .ends_with("maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero")
    );
    let mut run = daemons(1, "");
    let scaled = run.session.command(Command::Scale { set: run.set.clone(), replicas: 2 });
    assert_eq!(scaled.unwrap_err().problems[0].message(), "a DaemonSet has no replicas: it has a pod for each node");
    run.wait(1);
}
