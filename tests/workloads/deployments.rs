//! Deployments through their ReplicaSets.

use crate::kit::{Run, reference, workload};
use setscope::objects::{Kind, Object};
use setscope::session::Command;
use setscope::sim::{Behavior, Cascade};

fn deployment(replicas: i32, spec: &str) -> Run {
    let comma = if spec.is_empty() { "" } else { ", " };
    Run::workload(Kind::Deployment, 3, &workload("Deployment", &format!(r#""replicas": {replicas}{comma}{spec}"#)))
}

fn rolling(surge: &str, unavailable: &str) -> String {
    format!(r#""strategy": {{"rollingUpdate": {{"maxSurge": {surge}, "maxUnavailable": {unavailable}}}}}"#)
}

/// The ReplicaSets' sizes, by revision.
fn sizes(run: &Run) -> Vec<(i64, i32)> {
    let mut sizes: Vec<(i64, i32)> = run
        .session
        .cluster()
        .workloads()
        .filter_map(|object| match object {
            Object::ReplicaSet(set) => {
                Some((setscope::reconcile::deployment::revision_of_replica_set(set), set.replicas()))
            }
            _ => None,
        })
        .collect();
    sizes.sort_unstable();
    sizes
}

#[test]
fn pods_belong_to_a_replica_set_that_carries_the_templates_hash() {
    let run = deployment(3, "");
    assert_eq!(run.states_by_image(), ["Running ready nginx:1"; 3]);
    let pod = &run.pods()[0];
    let owner = pod.metadata.controller_of().unwrap();
    assert_eq!((&*owner.kind, &*owner.api_version), ("ReplicaSet", "apps/v1"));
    let hash = pod.metadata.labels.get("pod-template-hash").unwrap();
    assert_eq!(*owner.name, format!("web-{hash}"));
    assert!(pod.metadata.name.starts_with(&format!("web-{hash}-")), "{}", pod.metadata.name);
    assert_eq!(run.held().metadata().annotations.get("deployment.kubernetes.io/revision").map(|it| &**it), Some("1"));
    assert_eq!(run.condition("Progressing"), "Progressing=True NewReplicaSetAvailable");
    assert_eq!(run.condition("Available"), "Available=True MinimumReplicasAvailable");
    assert_eq!(run.messages("ScalingReplicaSet"), [format!("Scaled up replica set {} from 0 to 3", owner.name)]);
    assert_eq!(run.status("readyReplicas"), 3);
}

#[test]
fn a_rollout_stays_within_its_limits_percentages_rounded() {
    // 25% of 4 up is 1 more, 25% of 4 down is 1 less; of 3 it is 1 more and none less; of 10, 3 more and 2 less.
    for (replicas, surge, unavailable) in [(4, 1, 1), (3, 1, 0), (10, 3, 2)] {
        let mut run = deployment(replicas, "");
        run.image("2");
        let (mut most, mut least) = (0, usize::MAX);
        run.watch(300, |run| {
            let alive = run.pods().iter().filter(|pod| pod.metadata.deletion_timestamp.is_none()).count();
            most = most.max(alive);
            least = least.min(run.ready());
        });
        let wanted = usize::try_from(replicas).unwrap();
        assert_eq!((most, least), (wanted + surge, wanted - unavailable), "{replicas} replicas");
        assert_eq!(run.states_by_image(), vec!["Running ready nginx:2"; wanted]);
        assert_eq!(sizes(&run), [(1, 0), (2, replicas)]);
    }
}

#[test]
fn recreate_has_no_old_pod_beside_a_new_one() {
    let mut run = deployment(3, r#""strategy": {"type": "Recreate"}"#);
    run.image("2");
    let mut least = usize::MAX;
    run.watch(60, |run| {
        let tag = |tag: &str| {
            run.pods().iter().filter(|pod| *pod.spec.containers[0].image == *format!("nginx:{tag}")).count()
        };
        assert!(tag("1") == 0 || tag("2") == 0, "terminating ones count too");
        least = least.min(run.ready());
    });
    assert_eq!((least, run.states_by_image()), (0, vec!["Running ready nginx:2".to_owned(); 3]));
}

#[test]
fn a_pause_holds_rollouts_and_lets_scale() {
    let mut run = deployment(3, "");
    run.line("kubectl rollout pause deploy/web");
    run.wait(1);
    assert_eq!(run.condition("Progressing"), "Progressing=Unknown DeploymentPaused");
    run.line("kubectl set image deploy/web main=nginx:2");
    run.line("kubectl scale deploy web --replicas=5");
    run.wait(1_000);
    assert_eq!((run.count_at("1"), run.count_at("2")), (5, 0));
    assert_eq!(run.condition("Progressing"), "Progressing=Unknown DeploymentPaused", "the deadline does not run");
    run.line("kubectl rollout resume deploy/web");
    run.wait(120);
    assert_eq!((run.count_at("1"), run.count_at("2")), (0, 5));
}

#[test]
fn an_undo_takes_the_replica_set_of_the_earlier_template_up_again() {
    let mut run = deployment(3, "");
    run.image("2");
    run.wait(60);
    run.line("kubectl rollout undo deploy/web");
    run.wait(60);
    assert_eq!((run.count_at("1"), sizes(&run)), (3, vec![(2, 0), (3, 3)]));
    run.line("kubectl rollout undo deploy/web --to-revision=2");
    run.wait(60);
    assert_eq!((run.count_at("2"), sizes(&run)), (3, vec![(3, 0), (4, 3)]));
}

#[test]
fn a_rollout_that_does_not_come_on_exceeds_its_deadline_and_an_undo_mends_it() {
    let mut run = deployment(3, r#""progressDeadlineSeconds": 120"#);
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::CannotBePulled });
    run.image("2");
    run.wait(100);
    assert_eq!((run.ready(), run.count_at("2")), (3, 1), "25% of 3 down: none may be unavailable");
    assert_eq!(run.condition("Progressing"), "Progressing=True ReplicaSetUpdated");
    run.wait(100);
    assert_eq!(run.condition("Progressing"), "Progressing=False ProgressDeadlineExceeded");
    run.line("kubectl rollout undo deploy/web");
    run.wait(60);
    assert_eq!(
        (run.states_by_image(), run.condition("Progressing")),
        (vec!["Running ready nginx:1".to_owned(); 3], "Progressing=True NewReplicaSetAvailable".to_owned())
    );
}

#[test]
fn scaled_in_the_middle_of_a_rollout_every_replica_set_gets_its_share() {
    let mut run = deployment(10, &rolling("3", "2"));
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady });
    run.image("2");
    run.wait(30);
    assert_eq!(sizes(&run), [(1, 8), (2, 5)]);
    run.scale(15);
    run.wait(30);
    // The documentation's example: of 5 more, 3 go to the old one and 2 to the new one.
    assert_eq!(sizes(&run), [(1, 11), (2, 7)]);
}

#[test]
fn the_least_worthy_pods_go_first() {
    let mut run = deployment(5, "");
    let doomed = run.pods()[3].metadata.name.clone();
    run.give(Command::CrashPod { pod: reference(Kind::Pod, &doomed) });
    run.wait(1);
    run.scale(4);
    run.wait(20);
    assert!(run.pods().iter().all(|pod| pod.metadata.name != doomed), "one that is not ready goes first");
    // Then those on the fullest node: 2, 1 and 1 of 4 pods, or 2 and 2.
    let on = |run: &Run| {
        let mut counts = std::collections::BTreeMap::new();
        for pod in run.pods() {
            *counts.entry(pod.spec.node_name.clone()).or_insert(0) += 1;
        }
        counts.values().copied().max().unwrap()
    };
    run.scale(3);
    run.wait(20);
    assert_eq!(on(&run), 1, "one on each node stays");
}

#[test]
fn a_terminating_pod_is_replaced_at_once() {
    let mut run = deployment(2, "");
    let pod = run.pods()[0].metadata.name.clone();
    run.give(Command::DeletePod { pod: reference(Kind::Pod, &pod), grace: None });
    run.session.advance(300);
    assert_eq!(run.pods().len(), 3, "the old one is still terminating: {:?}", run.states_by_image());
}

#[test]
fn an_orphan_is_adopted_and_a_relabelled_pod_is_let_go() {
    let mut run = deployment(2, "");
    let pod = run.pods()[0].metadata.name.clone();
    run.line(&format!("kubectl label pod {pod} app=other --overwrite"));
    run.wait(30);
    assert_eq!(run.pods().len(), 3);
    let held =
        |run: &Run| run.pods().iter().find(|own| own.metadata.name == pod).unwrap().metadata.controller_of().is_some();
    assert!(!held(&run));
    run.line(&format!("kubectl label pod {pod} app=web --overwrite"));
    run.wait(30);
    assert_eq!(run.pods().len(), 2, "adopted, and one too many deleted");
}

#[test]
fn old_replica_sets_beyond_the_limit_are_deleted() {
    let mut run = deployment(1, r#""revisionHistoryLimit": 1"#);
    for tag in ["2", "3", "4"] {
        run.image(tag);
        run.wait(60);
    }
    assert_eq!(sizes(&run), [(3, 0), (4, 1)]);
}

#[test]
fn what_is_deleted_takes_what_it_owns_along_or_leaves_it() {
    for (cascade, left) in [(Cascade::Background, 0), (Cascade::Foreground, 0), (Cascade::Orphan, 2)] {
        let mut run = deployment(2, "");
        run.give(Command::DeleteSet { set: run.set.clone(), cascade });
        run.wait(60);
        assert_eq!(run.pods().len(), left, "{cascade:?}");
        let sets = run.session.cluster().workloads().count();
        assert_eq!(sets, usize::from(left > 0), "{cascade:?}");
    }
}

#[test]
fn what_a_finalizer_holds_is_marked_and_goes_without_it() {
    for (cascade, left) in [(Cascade::Background, 0), (Cascade::Foreground, 0), (Cascade::Orphan, 2)] {
        let mut run = deployment(2, "");
        run.patch(r#"{"metadata": {"finalizers": ["example.com/backup"]}}"#);
        run.give(Command::DeleteSet { set: run.set.clone(), cascade });
        run.wait(60);
        let metadata = run.held().metadata();
        assert!(metadata.deletion_timestamp.is_some(), "{cascade:?}");
        assert_eq!(metadata.finalizers, ["example.com/backup".into()], "the collector took its own off: {cascade:?}");
        // In the background the dependents go after their owner, and with this one it is not over.
        let pods = if cascade == Cascade::Background { 2 } else { left };
        assert_eq!(run.pods().len(), pods, "{cascade:?}");
        run.patch(r#"{"metadata": {"finalizers": null}}"#);
        run.wait(60);
        assert!(run.session.cluster().get(&run.set).is_err(), "{cascade:?}");
        assert_eq!(run.pods().len(), left, "{cascade:?}");
    }
}

#[test]
fn a_second_deletion_says_how_the_first_goes_on() {
    let mut run = deployment(2, "");
    run.patch(r#"{"metadata": {"finalizers": ["example.com/backup"]}}"#);
    run.give(Command::DeleteSet { set: run.set.clone(), cascade: Cascade::Background });
    let marked = run.held().metadata().deletion_timestamp;
    run.wait(10);
    run.give(Command::DeleteSet { set: run.set.clone(), cascade: Cascade::Foreground });
    assert_eq!((run.held().metadata().deletion_timestamp, run.held().metadata().finalizers.len()), (marked, 2));
    run.wait(60);
    assert!(run.pods().is_empty());
}

#[test]
fn refused_pods_are_told_of_and_made_once_they_are_let() {
    let mut run = deployment(1, "");
    run.give(Command::SetWebhook { denies: true });
    run.scale(3);
    run.wait(10);
    assert!(
        run.messages("FailedCreate")[0].starts_with("Error creating: admission webhook"),
        "{:?}",
        run.messages("FailedCreate")
    );
    assert_eq!(run.condition("ReplicaFailure"), "ReplicaFailure=True FailedCreate");
    run.give(Command::SetWebhook { denies: false });
    run.wait(600);
    assert_eq!((run.ready(), run.condition("ReplicaFailure")), (3, String::new()));
}

#[test]
fn a_replica_set_alone_keeps_its_pods() {
    let mut run = Run::workload(Kind::ReplicaSet, 3, &workload("ReplicaSet", r#""replicas": 3"#));
    assert_eq!(run.states_by_image(), ["Running ready nginx:1"; 3]);
    run.image("2");
    let pod = run.pods()[0].metadata.name.clone();
    run.give(Command::DeletePod { pod: reference(Kind::Pod, &pod), grace: None });
    run.wait(60);
    assert_eq!((run.count_at("1"), run.count_at("2")), (2, 1), "only new pods are of the new template");
    run.line("kubectl delete rs web");
    run.wait(60);
    assert!(run.pods().is_empty());
}

#[test]
fn manifests_are_refused_in_the_servers_words() {
    let refused = |spec: &str| {
        let mut session = setscope::session::Session::empty(setscope::reconcile::Release::V1_34, 1, 3);
        let manifest = workload("Deployment", spec).into();
        let refusal = session.command(Command::Apply { manifest }).unwrap_err();
        refusal.messages().collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        refused(r#""strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}"#),
        "The Deployment \"web\" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy \
         `type` is 'Recreate'"
    );
    assert_eq!(
        refused(&rolling("0", "0")),
        "The Deployment \"web\" is invalid: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 \
         when `maxSurge` is 0"
    );
    assert_eq!(
        refused(r#""progressDeadlineSeconds": 5, "minReadySeconds": 5"#),
        "The Deployment \"web\" is invalid: spec.progressDeadlineSeconds: Invalid value: 5: must be greater than \
         minReadySeconds"
    );
    assert_eq!(refused(r#""replica": 5"#), "strict decoding error: unknown field \"spec.replica\"");
    assert!(
        refused(r#""replicas": "5""#).starts_with("Deployment in version \"v1\" cannot be handled as a Deployment")
    );
}
