//! What kubectl answers about these workloads.

use crate::kit::{Run, workload};
use setscope::kubectl::{self, answer, done};
use setscope::objects::Kind;
use setscope::session::Command;
use setscope::sim::Behavior;

fn shown(run: &Run, line: &str) -> String {
    match kubectl::parse(line, run.session.cluster()) {
        Ok(kubectl::Line::Show(show)) => answer(run.session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
        other => format!("{other:?}"),
    }
}

#[test]
fn tables_have_kubectls_columns() {
    let deployment = Run::workload(Kind::Deployment, 3, &workload("Deployment", r#""replicas": 2"#));
    assert_eq!(
        shown(&deployment, "kubectl get deploy"),
        "NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nweb    2/2     2            2           60s\n"
    );
    assert!(shown(&deployment, "kubectl get rs").contains("DESIRED   CURRENT   READY   AGE"));
    let daemons = Run::workload(Kind::DaemonSet, 2, &workload("DaemonSet", ""));
    assert!(shown(&daemons, "kubectl get ds").lines().nth(1).is_some_and(|row| row.contains("<none>")));
    let clones = Run::workload(Kind::CloneSet, 2, &workload("CloneSet", r#""replicas": 2"#));
    assert_eq!(
        shown(&clones, "kubectl get cloneset web"),
        "NAME   DESIRED   UPDATED   UPDATED_READY   READY   TOTAL   AGE\nweb    2         2         2               2       2       60s\n"
    );
}

#[test]
fn preset_26_a_rollouts_status_ends_waits_exceeds_its_deadline_or_is_not_known() {
    let mut run =
        Run::workload(Kind::Deployment, 3, &workload("Deployment", r#""replicas": 3, "progressDeadlineSeconds": 60"#));
    assert_eq!(shown(&run, "kubectl rollout status deploy/web"), "deployment \"web\" successfully rolled out\n");
    run.give(Command::SetBehavior { image: "nginx:2".into(), behavior: Behavior::NeverReady });
    run.image("2");
    run.wait(10);
    assert_eq!(
        shown(&run, "kubectl rollout status deploy/web"),
        "Waiting for deployment \"web\" rollout to finish: 1 out of 3 new replicas have been updated...\n"
    );
    run.wait(100);
    assert_eq!(
        shown(&run, "kubectl rollout status deploy/web"),
        "error: deployment \"web\" exceeded its progress deadline"
    );
    let daemons = Run::workload(Kind::DaemonSet, 2, &workload("DaemonSet", ""));
    assert_eq!(shown(&daemons, "kubectl rollout status ds/web"), "daemon set \"web\" successfully rolled out\n");
    let clones = Run::workload(Kind::CloneSet, 2, &workload("CloneSet", ""));
    assert!(shown(&clones, "kubectl rollout status cloneset/web").starts_with("error: no status viewer"));
}

#[test]
fn what_was_done_names_the_resource() {
    for (kind, words) in [
        (Kind::Deployment, "deployment.apps/web scaled\n"),
        (Kind::CloneSet, "cloneset.apps.kruise.io/web scaled\n"),
        (Kind::StatefulSet, "statefulset.apps/web scaled\n"),
    ] {
        let mut run = Run::workload(kind, 3, &workload(kind.as_str(), r#""replicas": 1"#));
        let before = run.session.cluster().clone();
        let scale = Command::Scale { set: run.set.clone(), replicas: 2 };
        run.session.command(scale.clone()).unwrap();
        assert_eq!(done(&before, run.session.cluster(), &scale), words);
    }
}
