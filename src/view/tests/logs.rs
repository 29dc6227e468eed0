//! The log of real runs: what the controller manager of each release writes where a person would look for it.

use super::{give, pod, settle, under, until, web};
use crate::reconcile::Release;
use crate::reconcile::stateful_set::Rule;
use crate::session::{Command, Session};
use crate::view::sync;

/// The lines of the last sync that has this rule, as they stand in its stages, with their verbosity.
fn of_rule(session: &Session, rule: Rule) -> (u8, Vec<String>) {
    let syncs = &session.cluster().trace().syncs;
    let with = syncs.iter().rev().find(|sync| sync.decisions.iter().any(|decision| decision.rule == rule));
    let record = with.unwrap_or_else(|| panic!("no {rule:?}"));
    let sync = sync(session, Some(&record.subject), Some(record.number), 100).unwrap_or_else(|| panic!("no sync"));
    let steps = sync.stages.into_iter().flat_map(|stage| stage.steps);
    let step = steps.into_iter().find(|step| step.rule == rule.says()).unwrap_or_else(|| panic!("no step of {rule:?}"));
    (step.log.verbosity, step.log.lines)
}

#[track_caller]
fn check(session: &Session, rule: Rule, verbosity: u8, lines: &[&str]) {
    assert_eq!(of_rule(session, rule), (verbosity, lines.iter().map(ToString::to_string).collect()), "{rule:?}");
}

/// Three pods come up, and the last is scaled away.
fn run(release: Release) -> Session {
    let mut session = under(release);
    settle(&mut session);
    give(&mut session, Command::Scale { set: web(), replicas: 2 });
    settle(&mut session);
    session
}

#[test]
fn the_newest_logs_messages_with_values() {
    let session = run(Release::V1_34);
    let of = "logger=\"statefulset-controller\" statefulSet=\"default/web\"";
    check(
        &session,
        Rule::ReplicaNotReady,
        4,
        &[&format!("\"StatefulSet is waiting for Pod to be Running and Ready\" {of} pod=\"default/web-2\"")],
    );
    check(
        &session,
        Rule::CondemnedDeleted,
        2,
        &[&format!("\"Pod of StatefulSet is terminating for scale down\" {of} pod=\"default/web-2\"")],
    );
    check(
        &session,
        Rule::CondemnedTerminating,
        4,
        &[&format!("\"StatefulSet is waiting for Pod to Terminate prior to scale down\" {of} pod=\"default/web-2\"")],
    );
    check(
        &session,
        Rule::FirstUnhealthy,
        4,
        &[&format!("\"StatefulSet has unavailable Pods\" {of} unavailableReplicas=1 pod=\"default/web-2\"")],
    );
    check(&session, Rule::PodsClaimed, 4, &[&format!("\"Syncing StatefulSet with pods\" {of} pods=2")]);
    let revision = session.cluster().revisions().next().map(|made| made.metadata.name.clone()).unwrap_or_default();
    let status = format!("\"Updated status\" {of} replicas=2 readyReplicas=2 currentReplicas=2 updatedReplicas=2");
    let revisions =
        format!("\"StatefulSet revisions\" {of} currentRevision=\"{revision}\" updateRevision=\"{revision}\"");
    check(&session, Rule::StatusUnchanged, 4, &[&status, &revisions]);
    check(&session, Rule::ReplicaCreated, 4, &[]);
}

#[test]
fn older_releases_log_sentences_each_in_its_own_words() {
    for (release, verbosity, down) in
        [(Release::V1_9, 4, "dowm"), (Release::V1_17, 2, "down"), (Release::V1_20, 2, "down")]
    {
        let session = run(release);
        let waits = "StatefulSet default/web is waiting for Pod web-2 to be Running and Ready";
        check(&session, Rule::ReplicaNotReady, 4, &[waits]);
        let deleted = format!("StatefulSet default/web terminating Pod web-2 for scale {down}");
        check(&session, Rule::CondemnedDeleted, verbosity, &[&deleted]);
        let first = "StatefulSet default/web has 1 unhealthy Pods starting with web-2";
        check(&session, Rule::FirstUnhealthy, 4, &[first]);
        check(&session, Rule::PodsClaimed, 4, &["Syncing StatefulSet default/web with 2 pods"]);
    }
    let session = run(Release::V1_28);
    let deleted =
        "\"Pod of StatefulSet is terminating for scale down\" statefulSet=\"default/web\" pod=\"default/web-2\"";
    check(&session, Rule::CondemnedDeleted, 2, &[deleted]);
    let first =
        "\"StatefulSet has unhealthy Pods\" statefulSet=\"default/web\" unhealthyReplicas=1 pod=\"default/web-2\"";
    check(&session, Rule::FirstUnhealthy, 4, &[first]);
}

#[test]
fn a_condemned_pod_waits_for_the_one_that_the_log_names() {
    let mut session = run(Release::V1_20);
    give(&mut session, Command::Scale { set: web(), replicas: 4 });
    settle(&mut session);
    for name in ["web-2", "web-3"] {
        give(&mut session, Command::CrashPod { pod: pod(name) });
    }
    give(&mut session, Command::Scale { set: web(), replicas: 2 });
    until(&mut session, |view| view.explanation.headline.contains("web-3"));
    let waits = "StatefulSet default/web is waiting for Pod web-2 to be Running and Ready prior to scale down";
    check(&session, Rule::CondemnedNotReady, 4, &[waits]);
}

#[test]
fn a_sync_that_fails_ends_in_the_queues_error() {
    let quota = |release, rule| {
        let mut session = under(release);
        give(&mut session, Command::SetPodQuota { pods: Some(0) });
        let refused = |session: &Session| {
            let mut syncs = session.cluster().trace().syncs.iter();
            syncs.any(|sync| sync.decisions.iter().any(|decision| decision.rule == Rule::ReplicaCreateRefused))
        };
        while !refused(&session) {
            assert!(session.step());
        }
        of_rule(&session, rule).1.pop()
    };
    let why = |quote: &str| {
        format!(
            "pods {quote}web-0{quote} is forbidden: exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0"
        )
    };
    let plain = why("\"");
    let refused = Rule::ReplicaCreateRefused;
    assert_eq!(
        quota(Release::V1_9, refused),
        Some(format!("Error syncing StatefulSet default/web, requeuing: {plain}"))
    );
    // Newer ones write the status before they say so.
    let status = Rule::StatusWritten;
    assert_eq!(
        quota(Release::V1_28, status),
        Some(format!("error syncing StatefulSet default/web, requeuing: {plain}"))
    );
    let escaped = why("\\\"");
    let newest = format!(
        "\"Unhandled Error\" err=\"error syncing StatefulSet default/web, requeuing: {escaped}\" logger=\"UnhandledError\""
    );
    assert_eq!(quota(Release::V1_34, status), Some(newest));
}
