//! What is said of nodes that fail, go, or take nothing, and of the pods on them.

use super::{PodAppearance, Severity, View, check, give, looks, pod, seen, settle, start, until, web};
use crate::kubectl::Draining;
use crate::reconcile::Release;
use crate::session::{Command, Session};
use crate::sim::Failure;
use crate::view::{Node, NodeAppearance, chips, pod_details};

fn node<'a>(view: &'a View, name: &str) -> &'a Node {
    view.nodes.iter().find(|node| node.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn conditions(view: &View, name: &str) -> Vec<String> {
    node(view, name).conditions.iter().map(ToString::to_string).collect()
}

#[test]
fn a_lost_node_is_told_step_by_step() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::FailNode { node: "node-c".into(), failure: Failure::KubeletStopped });
    session.advance(2_000);
    let view = seen(&session);
    assert_eq!(node(&view, "node-c").look, NodeAppearance::Silent);
    let silent = conditions(&view, "node-c");
    assert!(
        silent.len() == 1 && silent[0].starts_with("Kubelet stopped, its containers run on, for 2 s; NotReady in "),
        "{silent:?}"
    );
    assert_eq!(looks(&view)[2], Some(PodAppearance::Ready), "nobody has noticed");
    let acts = |session: &Session, pod: &str| -> Vec<String> {
        pod_details(session, Some(&web()), pod)
            .iter()
            .flat_map(|told| &told.acts)
            .map(|act| act.label.to_string())
            .collect()
    };
    assert_eq!(acts(&session, "web-2"), ["Delete", "Force delete"]);
    assert_eq!(acts(&session, "web-0"), ["Delete", "Force delete", "Crash its container", "Evict under pressure"]);

    let view = until(&mut session, |view| view.explanation.headline == "web-2 is not Ready: node-c cannot be reached");
    assert_eq!((node(&view, "node-c").look, view.explanation.severity), (NodeAppearance::Lost, Severity::Waiting));
    assert_eq!(node(&view, "node-c").status, "NotReady");
    assert_eq!(looks(&view)[2], Some(PodAppearance::Unreachable));
    let held = view.workload.places()[2].pod.as_ref().map(|pod| (pod.status.clone(), pod.ready.clone()));
    assert_eq!(held, Some(("Running".into(), "1/1".into())), "kubectl shows what the kubelet last said");
    assert!(
        view.explanation.resolution.contains("node-c returns, or in 5 m web-2 is marked for deletion"),
        "{:?}",
        view.explanation
    );
    assert_eq!(conditions(&view, "node-c")[1], "web-2 will be marked for deletion in 5 m.");

    let view = until(&mut session, |view| {
        view.workload.places()[2].pod.as_ref().is_some_and(|pod| &*pod.status == "Terminating")
    });
    assert_eq!(looks(&view)[2], Some(PodAppearance::Unreachable));
    // The controller looks within a second.
    session.advance(1_000);
    let view = seen(&session);
    check(&view, "web-2 is not replaced: node-c cannot be reached", Severity::Stuck);
    assert!(
        view.explanation.reason.starts_with("web-2 is terminating on node-c, which nobody can reach; "),
        "{:?}",
        view.explanation
    );
    for words in [
        "stays Terminating until node-c returns",
        "Force delete frees the ordinal",
        "two live web-2, both writing to www-web-2",
    ] {
        assert!(view.explanation.resolution.contains(words), "{:?}", view.explanation);
    }
    let act = node(&view, "node-c").acts.iter().find(|act| act.label == "Force delete web-2");
    assert_eq!(act.map(|act| act.kubectl.as_str()), Some("kubectl delete pod web-2 --grace-period=0 --force"));

    give(&mut session, Command::RecoverNode { node: "node-c".into() });
    let view = settle(&mut session);
    check(&view, "Nothing to do", Severity::Settled);
    assert_eq!(looks(&view), [Some(PodAppearance::Ready); 3]);
    assert!(conditions(&view, "node-c").is_empty());
}

/// What must happen before two copies of one pod run, what is then said, and what ends it.
#[test]
fn a_second_live_pod_is_drawn_and_warned_of() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::FailNode { node: "node-c".into(), failure: Failure::NetworkPartition });
    session.advance(400_000);
    let view = seen(&session);
    assert!(view.warnings.is_empty());
    assert_eq!(node(&view, "node-c").failures, []);
    give(&mut session, Command::DeletePod { pod: pod("web-2"), grace: Some(0) });
    session.advance(100);
    let view = seen(&session);
    assert_eq!(view.workload.places()[2].ghosts, ["node-c"]);
    let left: Vec<_> = node(&view, "node-c").pods.iter().filter(|pod| pod.ghost).map(|pod| &*pod.name).collect();
    assert_eq!(left, ["web-2"]);
    // The volume is let go after six minutes; then the second one starts.
    session.advance(500_000);
    let view = seen(&session);
    let words = "Two live web-2: at-most-one is broken. One runs on ";
    assert!(view.warnings.len() == 1 && view.warnings[0].starts_with(words), "{:?}", view.warnings);
    assert!(view.warnings[0].contains("Both have www-web-2 open."), "{:?}", view.warnings);
    assert!(view.workload.places()[2].claims[0].shared);
    give(&mut session, Command::RecoverNode { node: "node-c".into() });
    let view = settle(&mut session);
    assert!(view.warnings.is_empty() && view.workload.places()[2].ghosts.is_empty());
    check(&view, "Nothing to do", Severity::Settled);

    // Without power nothing runs on, and force deletion breaks nothing.
    let lost = view.workload.places()[2].pod.as_ref().map(|pod| pod.node.clone()).unwrap_or_default();
    give(&mut session, Command::FailNode { node: lost.clone(), failure: Failure::PowerLost });
    session.advance(400_000);
    for held in node(&seen(&session), &lost).pods.iter() {
        give(&mut session, Command::DeletePod { pod: pod(&held.name), grace: Some(0) });
    }
    session.advance(500_000);
    let view = seen(&session);
    assert!(view.warnings.is_empty() && view.workload.places()[2].ghosts.is_empty());
    assert_eq!(looks(&view)[2], Some(PodAppearance::Ready));
}

#[test]
fn a_removed_node_does_not_return() {
    let mut session = start();
    settle(&mut session);
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    give(&mut session, Command::RemoveNode { node: "node-b".into() });
    session.advance(500);
    let view = seen(&session);
    check(&view, "web-1 is terminating", Severity::Waiting);
    assert!(view.explanation.reason.contains("node-b, which no longer exists"), "{:?}", view.explanation);
    assert!(view.explanation.resolution.contains("pod garbage collector"), "{:?}", view.explanation);
    let view = settle(&mut session);
    check(&view, "Nothing to do", Severity::Settled);
}

#[test]
fn a_pod_no_node_takes_is_stuck_until_someone_acts() {
    let mut session = start();
    settle(&mut session);
    for node in ["node-a", "node-b", "node-c"] {
        give(&mut session, Command::Cordon { node: node.into() });
    }
    give(&mut session, Command::DeletePod { pod: pod("web-1"), grace: None });
    let view = settle(&mut session);
    check(&view, "web-1 is not Ready: no node takes it", Severity::Stuck);
    assert!(
        view.explanation.resolution.contains("0/3 nodes are available: 3 node(s) were unschedulable."),
        "{:?}",
        view.explanation
    );
    assert_eq!((looks(&view)[1], node(&view, "node-a").look), (Some(PodAppearance::Pending), NodeAppearance::Cordoned));
    assert_eq!(node(&view, "node-a").status, "Ready,SchedulingDisabled");
}

#[test]
fn a_drain_that_is_refused_says_what_it_waits_for() {
    let mut session = start();
    settle(&mut session);
    let set = super::web();
    let budget = |min_available| Command::SetBudget {
        set: set.clone(),
        budget: Some(crate::sim::Budget { min_available, always_allow: false }),
    };
    give(&mut session, budget(3));
    give(&mut session, Command::Drain { node: "node-b".into(), how: Draining::default() });
    session.advance(2_000);
    let told = conditions(&seen(&session), "node-b");
    assert!(told[0].starts_with("Drain waits for web-1: its budget needs 3 healthy pods and has 3."), "{told:?}");
    give(&mut session, budget(2));
    session.advance(10_000);
    assert_eq!(conditions(&seen(&session), "node-b"), [""; 0]);
}

fn ask(session: &mut Session, policy: &str, pod: &str) {
    let manifest = format!(
        "{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: big}}, spec: {{serviceName: big, replicas: 5, podManagementPolicy: {policy}, \
         selector: {{matchLabels: {{app: big}}}}, template: {{metadata: {{labels: {{app: big}}}}, spec: {pod}}}}}}}"
    );
    give(session, Command::Apply { manifest: manifest.into() });
}

const HALF_A_NODE: &str = "{containers: [{name: main, image: app:1, resources: {requests: {cpu: 6}}}]}";

#[test]
fn pods_that_fit_no_node_are_the_news_with_how_many_nodes_they_lack() {
    let mut session = Session::empty(Release::ALL[Release::ALL.len() - 1], 1, 3);
    ask(&mut session, "Parallel", HALF_A_NODE);
    let view = settle(&mut session);
    check(&view, "No node takes big-3 and big-4", Severity::Stuck);
    assert_eq!(view.explanation.reason, "The scheduler says: 0/3 nodes are available: 3 Insufficient cpu.");
    let lack = "Nothing ends this wait by itself: add 2 nodes, or change what the pods ask for.";
    assert_eq!(view.explanation.resolution, lack);
    give(&mut session, Command::AddNode);
    let view = settle(&mut session);
    check(&view, "No node takes big-4", Severity::Stuck);
    assert!(view.explanation.resolution.contains("add a node, or"), "{:?}", view.explanation);
    give(&mut session, Command::AddNode);
    assert_eq!(settle(&mut session).explanation.headline, "Nothing to do", "as many as it said");
}

#[test]
fn pods_that_no_new_node_would_take_are_said_to_be() {
    let mut session = Session::empty(Release::ALL[Release::ALL.len() - 1], 1, 3);
    ask(&mut session, "Parallel", "{nodeSelector: {disk: ssd}, containers: [{name: main, image: app:1}]}");
    let view = settle(&mut session);
    assert!(view.explanation.resolution.contains("a new node would not take them either"), "{:?}", view.explanation);
}

#[test]
fn the_pods_on_a_node_stand_by_ordinal() {
    let mut session = start();
    give(&mut session, Command::Scale { set: web(), replicas: 12 });
    let view = settle(&mut session);
    let ordinals = |node: &Node| -> Vec<String> {
        chips(&node.pods).0.iter().map(|pod| pod.name.trim_start_matches("web-").to_owned()).collect()
    };
    assert_eq!(ordinals(node(&view, "node-b")), ["1", "4", "7", "10"]);
    give(&mut session, Command::Scale { set: web(), replicas: 60 });
    let (shown, more) = (ordinals(node(&settle(&mut session), "node-a")), 8);
    assert_eq!(
        (shown.first().map(String::as_str), shown.len(), shown.last().map(String::as_str)),
        (Some("0"), 12, Some("33")),
        "{more} more"
    );
}
