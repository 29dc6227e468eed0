//! Every rule of the ReplicaSet, Deployment and DaemonSet controllers is taken in a run: of these no vectors were recorded.

use crate::run::{Run, manifest, reference};
use setscope::objects::Kind;
use setscope::reconcile::Rule;
use setscope::session::Command;
use setscope::sim::{Behaviour, Cascade};
use std::collections::BTreeSet;

fn taken(run: &Run) -> BTreeSet<Rule> {
    run.session.cluster().trace().syncs.iter().flat_map(|sync| &sync.decisions).map(|decision| decision.rule).collect()
}

/// Scaling, a rollout under a limited history, a share, refused pods, a pause, a foreground deletion.
fn deployment() -> Run {
    let spec = r#""replicas": 4, "revisionHistoryLimit": 0, "progressDeadlineSeconds": 60"#;
    let mut run = Run::of(Kind::Deployment, 3, &manifest("Deployment", spec));
    run.scale(6);
    run.scale(3);
    run.wait(30);
    run.give(Command::SetBehaviour { image: "nginx:2".into(), behaviour: Behaviour::NeverReady });
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
    let mut run =
        Run::of(Kind::Deployment, 3, &manifest("Deployment", r#""replicas": 2, "strategy": {"type": "Recreate"}"#));
    run.image("2");
    run.wait(60);
    run
}

/// A node that comes, OnDelete, a rolling update, an undo, a surge, refused pods, a pod that failed.
fn daemons() -> Run {
    let spec = r#""revisionHistoryLimit": 0, "updateStrategy": {"type": "OnDelete"}"#;
    let mut run = Run::of(Kind::DaemonSet, 3, &manifest("DaemonSet", spec));
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

#[test]
fn every_rule_is_taken_in_one_of_these_runs() {
    let taken: BTreeSet<Rule> = [deployment(), recreating(), daemons()].iter().flat_map(taken).collect();
    let of_these = |rule: &&Rule| matches!(rule.kind(), Kind::ReplicaSet | Kind::Deployment | Kind::DaemonSet);
    let missing: Vec<&Rule> = Rule::ALL.iter().filter(of_these).filter(|rule| !taken.contains(rule)).collect();
    // What only a refusing API server brings about is taken in src/reconcile/workload.rs's own tests.
    assert_eq!(missing, Vec::<&Rule>::new());
}
