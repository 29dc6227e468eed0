//! Every rule of the ReplicaSet, Deployment and DaemonSet controllers is taken in a simulated run too.

use super::newer_releases::short_of_quota;
use crate::kit::{Run, kind_of, reference, workload};
use setscope::objects::{ApiError, Event, Kind, Object, ObjectRef, Reason, Time};
use setscope::reconcile::BackOff;
use setscope::reconcile::{Api, Observed, OwnerPatch, Release, Rule, daemon_set, deployment, replica_set};
use setscope::session::Command;
use setscope::sim::{Behavior, Cascade};
use std::collections::BTreeSet;
use std::rc::Rc;

fn taken(run: &Run) -> BTreeSet<Rule> {
    run.session
        .cluster()
        .trace()
        .syncs
        .iter()
        .flat_map(|sync| sync.decisions.iter())
        .map(|decision| decision.rule)
        .collect()
}

/// Scaling, a rollout under a limited history, a share, refused pods, a pause, a foreground deletion.
fn deployment() -> Run {
    let spec = r#""replicas": 4, "revisionHistoryLimit": 0, "progressDeadlineSeconds": 60"#;
    let mut run = Run::workload(Kind::Deployment, 3, &workload("Deployment", spec));
    run.scale(6);
    run.scale(3);
    run.wait(30);
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady });
    run.image("2");
    run.wait(20);
    run.scale(8);
    run.wait(200);
    run.image("3");
    run.wait(60);
    run.give(Command::SetWebhook { denies: true });
    run.scale(9);
    run.wait(5);
    run.give(Command::SetWebhook { denies: false });
    run.wait(60);
    run.line("kubectl rollout pause deploy/web");
    run.wait(5);
    run.line("kubectl rollout resume deploy/web");
    run.wait(20);
    run.give(Command::DeleteSet { set: run.set.clone(), cascade: Cascade::Foreground });
    run.wait(60);
    run
}

fn recreating() -> Run {
    let mut run = Run::workload(
        Kind::Deployment,
        3,
        &workload("Deployment", r#""replicas": 2, "strategy": {"type": "Recreate"}"#),
    );
    run.image("2");
    run.wait(60);
    run
}

/// A node that comes, OnDelete, a rolling update, an undo, a surge, refused pods, a pod that failed.
fn daemons() -> Run {
    let spec = r#""revisionHistoryLimit": 0, "updateStrategy": {"type": "OnDelete"}"#;
    let mut run = Run::workload(Kind::DaemonSet, 3, &workload("DaemonSet", spec));
    run.image("2");
    run.wait(5);
    run.image("1");
    run.wait(5);
    run.patch(r#"{"spec": {"updateStrategy": {"type": "RollingUpdate"}}}"#);
    run.image("3");
    run.wait(60);
    run.patch(r#"{"spec": {"updateStrategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}}"#);
    run.image("4");
    run.wait(60);
    let pod = run.pods()[0].metadata.name.clone();
    run.give(Command::SetWebhook { denies: true });
    run.give(Command::EvictPod { pod: reference(Kind::Pod, &pod) });
    run.wait(5);
    run.give(Command::SetWebhook { denies: false });
    run.wait(60);
    run.give(Command::DeleteSet { set: run.set.clone(), cascade: Cascade::Foreground });
    run.wait(60);
    run
}

/// Two pods go in one moment: the second is heard of before what was made for the first has come back.
fn hurried(kind: Kind) -> Run {
    let spec = if kind == Kind::Deployment { r#""replicas": 3"# } else { "" };
    let mut run = Run::workload(kind, 3, &workload(kind.as_str(), spec));
    for pod in &run.pods()[..2] {
        let pod = reference(Kind::Pod, &pod.metadata.name);
        run.give(Command::DeletePod { pod, grace: Some(0) });
        run.session.advance(10);
    }
    run.wait(30);
    assert_eq!(run.ready(), 3, "none is made twice");
    run
}

/// Another ReplicaSet has the name that the new one would have.
fn taken_name() -> Run {
    let start = || Run::workload(Kind::Deployment, 3, &workload("Deployment", r#""replicas": 1"#));
    let mut first = start();
    first.image("2");
    first.wait(30);
    let owner = first.pods()[0].metadata.controller_of().unwrap().name.to_string();
    let mut run = start();
    let other = workload("ReplicaSet", r#""replicas": 0"#)
        .replace(r#""name": "web""#, &format!(r#""name": "{owner}""#))
        .replace(r#""app": "web""#, r#""app": "other""#);
    run.give(Command::Apply { manifest: other.into() });
    run.image("2");
    run.wait(60);
    assert_eq!((run.count_at("2"), run.status("collisionCount")), (1, 1.into()));
    assert_ne!(*run.pods()[0].metadata.controller_of().unwrap().name, *owner);
    run
}

/// An API server that refuses every write.
struct Refusing;

impl Api for Refusing {
    fn get(&mut self, kind: Kind, _: &str, name: &str) -> Result<Object, ApiError> {
        Err(ApiError::not_found(kind.qualified_resource(), name))
    }
    fn create(&mut self, object: Object) -> Result<Object, ApiError> {
        Err(forbidden(&object))
    }
    fn update(&mut self, object: Object) -> Result<Object, ApiError> {
        Err(forbidden(&object))
    }
    fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
        Err(forbidden(&object))
    }
    fn patch_owner(&mut self, target: &ObjectRef, _: &OwnerPatch) -> Result<(), ApiError> {
        Err(ApiError::not_found(target.kind.qualified_resource(), &target.name))
    }
    fn delete(&mut self, target: &ObjectRef) -> Result<(), ApiError> {
        Err(ApiError::not_found(target.kind.qualified_resource(), &target.name))
    }
    fn record(&mut self, _: Event) {}
}

fn forbidden(object: &Object) -> ApiError {
    ApiError::new(Reason::Forbidden, format!("{} is forbidden", object.metadata().name))
}

/// What the syncs decide whose every write is refused; each ends in the refusal.
fn refused() -> BTreeSet<Rule> {
    let mut decisions = Vec::new();
    let object = |kind: &str| {
        let mut run = Run::workload(kind_of(kind), 0, &workload(kind, ""));
        run.wait(1);
        run.held().clone()
    };
    let (gates, now) = (Release::default().gates(), Time(0));
    if let Object::ReplicaSet(mut set) = object("ReplicaSet") {
        Rc::make_mut(&mut set).status = Default::default();
        let outcome = replica_set::sync(&gates, &Observed::alone(now, &set), &mut Refusing, &mut decisions);
        assert_eq!(outcome.error.unwrap().0, "replicasets.apps \"web\" not found", "the look before the second try");
    }
    if let Object::Deployment(set) = object("Deployment") {
        assert!(deployment::sync(&gates, &Observed::alone(now, &set), &mut Refusing, &mut decisions).error.is_some());
    }
    if let Object::DaemonSet(set) = object("DaemonSet") {
        assert!(
            daemon_set::sync(
                &gates,
                &Observed::alone(now, &set),
                &mut BackOff::default(),
                &mut Refusing,
                &mut decisions
            )
            .error
            .is_some(),
            "no revision"
        );
        let history: Vec<_> = {
            let run = Run::workload(Kind::DaemonSet, 0, &workload("DaemonSet", ""));
            run.session.cluster().revisions().cloned().collect()
        };
        let mut set = set;
        Rc::make_mut(&mut set).metadata.generation = 2;
        let observed = Observed { revisions: (&history).into(), ..Observed::alone(now, &set) };
        assert!(
            daemon_set::sync(&gates, &observed, &mut BackOff::default(), &mut Refusing, &mut decisions).error.is_some(),
            "no status"
        );
    }
    decisions.into_iter().map(|decision| decision.rule).collect()
}

#[test]
fn every_rule_is_taken_in_one_of_these_runs() {
    let runs =
        [deployment(), recreating(), taken_name(), hurried(Kind::Deployment), hurried(Kind::DaemonSet), daemons()];
    let newer = [Kind::Deployment, Kind::DaemonSet].map(|kind| short_of_quota(kind, Release::V1_36));
    let mut taken: BTreeSet<Rule> = runs.iter().chain(&newer).flat_map(taken).collect();
    taken.extend(refused());
    let of_these = |rule: &&Rule| matches!(rule.kind(), Kind::ReplicaSet | Kind::Deployment | Kind::DaemonSet);
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(of_these).filter(|rule| !taken.contains(rule)).collect();
    assert_eq!(missing, Vec::<&Rule>::new());
}
