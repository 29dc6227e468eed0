//! Why the controller of each kind waits, in its own terms: the limit that is reached, the pod that reaches it, what ends it.

use super::workloads::{checked, daemon_set, deployment, field, image, in_place, starter, surge};
use super::{give, settle};
use crate::objects::{Kind, ObjectRef};
use crate::session::{Command, Session};
use crate::sim::Behavior;
use crate::view::{Explanation, Severity};

/// Steps until the explanation has this word in its reason.
#[track_caller]
fn until_said(session: &mut Session, set: &ObjectRef, word: &str) -> Explanation {
    let mut last = String::new();
    for _ in 0..3_000 {
        let explanation = (*checked(session, set).explanation).clone();
        if explanation.reason.contains(word) {
            return explanation;
        }
        last = format!("{explanation:?}");
        if !session.step() {
            break;
        }
    }
    panic!("{word} is never said; at last: {last}");
}

#[track_caller]
fn says(explanation: &Explanation, words: &[&str]) {
    for word in words {
        assert!(explanation.reason.contains(word), "{word:?} is not in {:?}", explanation.reason.to_string());
    }
}

const BAD: &str = "nginx:does-not-exist";

/// Sets an image that cannot be pulled.
fn roll_out_bad(session: &mut Session, set: &ObjectRef, container: &str) {
    give(session, Command::SetBehavior { image: BAD.into(), behavior: Behavior::CannotBePulled });
    give(session, Command::SetImage { set: set.clone(), container: container.into(), image: BAD.into() });
}

#[test]
fn a_deployment_names_its_limits_and_the_pod_that_does_not_come_up() {
    let (mut session, set) = deployment();
    roll_out_bad(&mut session, &set, "nginx");
    let stuck = until_said(&mut session, &set, "cannot be pulled");
    says(&stuck, &["maxSurge (", "maxUnavailable (", "no old ReplicaSet gives up a pod", BAD]);
    assert_eq!(stuck.severity, Severity::Stuck);
    assert!(stuck.resolution.contains("roll back"), "{}", stuck.resolution);
    let late = until_said(&mut session, &set, "progressDeadlineSeconds");
    assert_eq!(late.severity, Severity::Stuck);
    says(&late, &[BAD]);
}

#[test]
fn a_deployment_whose_pods_come_up_waits_for_time() {
    let (mut session, set) = deployment();
    image(&mut session, &set, "nginx:1.28");
    let waits = until_said(&mut session, &set, "maxUnavailable (");
    assert_eq!(waits.severity, Severity::Waiting);
    says(&waits, &["is not Ready. "]);
}

#[test]
fn a_paused_deployment_says_what_pausing_holds() {
    let (mut session, set) = deployment();
    field(&mut session, &set, "paused", "true");
    image(&mut session, &set, "nginx:1.28");
    let paused = until_said(&mut session, &set, "With paused");
    assert!(paused.resolution.starts_with("Resume the rollout"), "{}", paused.resolution);
}

#[test]
fn recreate_says_how_many_old_pods_are_left() {
    let (mut session, set) = deployment();
    field(&mut session, &set, "strategy.type", "Recreate");
    settle(&mut session);
    image(&mut session, &set, "nginx:1.28");
    says(&until_said(&mut session, &set, "Recreate makes no new pod"), &["are terminating"]);
}

#[test]
fn a_replica_set_says_that_it_replaces_no_pod() {
    let manifest = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: rs\nspec:\n  replicas: 2\n  selector:\n    matchLabels:\n      app: rs\n  template:\n    metadata:\n      labels:\n        app: rs\n    spec:\n      containers:\n      - name: nginx\n        image: nginx:1.27\n";
    let (mut session, set) = starter(Kind::ReplicaSet, "rs", manifest);
    image(&mut session, &set, "nginx:1.28");
    let old = until_said(&mut session, &set, "of an earlier template");
    assert!(old.resolution.starts_with("Delete a pod"), "{}", old.resolution);
}

#[test]
fn a_daemon_set_names_its_limit_and_the_nodes_that_are_left_out() {
    let (mut session, set) = daemon_set();
    roll_out_bad(&mut session, &set, "nginx");
    // The pull has failed, and is not just being tried.
    session.advance(10_000);
    let limited = until_said(&mut session, &set, "cannot be pulled");
    says(&limited, &["without an available pod, and maxUnavailable is 1."]);
    assert_eq!(limited.severity, Severity::Stuck);

    let (mut session, set) = daemon_set();
    let taint =
        Command::Taint { node: "node-b".into(), key: "gpu".into(), value: "true".into(), effect: "NoExecute".into() };
    give(&mut session, taint);
    settle(&mut session);
    let left_out = until_said(&mut session, &set, "does not tolerate");
    says(&left_out, &["node-b has no pod: the template does not tolerate its taint gpu=true:NoExecute."]);
    assert_eq!(left_out.severity, Severity::Settled);
}

#[test]
fn a_clone_set_names_its_gate_and_its_limit() {
    let (mut session, set) = in_place();
    image(&mut session, &set, "nginx:1.28");
    says(&until_said(&mut session, &set, "gracePeriodSeconds"), &["readiness gate InPlaceUpdateReady"]);
    says(&until_said(&mut session, &set, "stays closed"), &["until its kubelet reports nginx:1.28"]);

    let (mut session, set) = in_place();
    roll_out_bad(&mut session, &set, "nginx");
    let stuck = until_said(&mut session, &set, "cannot be pulled");
    assert_eq!(stuck.severity, Severity::Stuck);

    let (mut session, set) = surge();
    field(&mut session, &set, "updateStrategy.rollingUpdate.paused", "true");
    says(&until_said(&mut session, &set, "paused no pod is updated"), &["replicas is followed"]);
}

#[test]
fn an_advanced_stateful_set_names_reserved_ordinals_and_its_limit() {
    let manifest = include_str!("../../../www/starters/advanced-stateful-set.yaml");
    let (mut session, set) = starter(Kind::AdvancedStatefulSet, "shards", manifest);
    field(&mut session, &set, "reserveOrdinals", "[1]");
    settle(&mut session);
    says(&until_said(&mut session, &set, "reserveOrdinals"), &["Ordinal 1 is reserved"]);
    roll_out_bad(&mut session, &set, "main");
    let stuck = until_said(&mut session, &set, "cannot be pulled");
    assert_eq!(stuck.severity, Severity::Stuck);
}
