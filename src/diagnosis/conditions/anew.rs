//! Somebody makes the workload or its pods anew again and again: each look finds it on its way.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::PodPhase;
use crate::sim::What;
use crate::text::span;
use crate::verdict::{How, made_anew};

pub(super) const CONDITION: Condition = Condition {
    name: "made-anew-again-and-again",
    issue: "https://github.com/prometheus-operator/prometheus-operator/issues/5067",
    find: |case, condition| find(case, condition, &[How::Pods, How::Taken, How::Template, How::Itself]),
};
pub(super) const SCALED: Condition = Condition {
    name: "scaled-to-and-fro",
    issue: "https://github.com/argoproj/argo-cd/issues/5105",
    find: |case, condition| find(case, condition, &[How::Scaled]),
};
pub(super) const FAILED: Condition = Condition {
    name: "pods-fail-again-and-again",
    issue: "https://github.com/kubernetes/enhancements/issues/5307",
    find: |case, condition| find(case, condition, &[How::Failed]),
};
pub(super) const PREEMPTED: Condition = Condition {
    name: "pods-preempted-again-and-again",
    issue: "https://github.com/kubernetes/kubernetes/issues/95752",
    find: |case, condition| find(case, condition, &[How::Preempted]),
};

fn find(case: &Case<'_>, condition: &'static Condition, hows: &[How]) -> Vec<Finding> {
    let anew = made_anew(case.observed_run.cluster(), case.observed, case.events);
    let Some(anew) = anew.filter(|anew| hows.contains(&anew.how)) else { return Vec::new() };
    // Its controller makes a pod in the place of each that a kubelet rejects: nobody else does.
    if matches!(anew.how, How::Pods | How::Taken)
        && case.holds.iter().any(|held| matches!(held.hold.what, What::Rejected { .. }))
    {
        return Vec::new();
    }
    let (over, ago) = (span(anew.over_ms), span(anew.ago_ms));
    let (name, times) = (&anew.what.name, anew.times);
    let text = match (anew.how, anew.between) {
        (How::Failed, _) => text!(
            "{} pods of {} have failed, made within {}, the last one {} ago: each ends, is not started again, and another is made in its place.",
            times,
            name,
            over,
            ago
        ),
        (How::Preempted, _) => text!(
            "Pods of {} were preempted {} times within {}, the last time {} ago: more urgent ones take their place again and again.",
            name,
            times,
            over,
            ago
        ),
        (How::Pods | How::Taken, _) => text!(
            "{} pods of {} were made within {}, the last one {} ago, and it asks for {}.",
            times,
            name,
            over,
            ago,
            case.object.desired()
        ),
        (How::Template, _) => text!(
            "The template of {} was changed back and forth {} times within {}, the last time {} ago, by its events: two of its ReplicaSets take turns.",
            name,
            times,
            over,
            ago
        ),
        (How::Itself, _) => text!(
            "{} was made anew {} times within {}, the last time {} ago, by its events.",
            name,
            times - 1,
            over,
            ago
        ),
        (How::Scaled, Some((least, most))) => text!(
            "{} was scaled up and down again {} times within {}, the last time {} ago, by its events: two writers set its replicas to different numbers, between {} and {}.",
            name,
            times,
            over,
            ago,
            least,
            most
        ),
        (How::Scaled, None) => text!(
            "{} was scaled up and down again {} times within {}, the last time {} ago, by its events: two writers set its replicas to different numbers.",
            name,
            times,
            over,
            ago
        ),
        // Its pods tell it, in a condition of their own.
        (How::Evicted, _) => return Vec::new(),
    };
    let (cause, mistaken_for) = match anew.how {
        How::Failed => (
            Cause::AppNotReady,
            text!("Not the controller: it makes the next pod, and what ends it comes to that one too."),
        ),
        How::Preempted => (
            Cause::Scheduling,
            text!(
                "Not the controller and not the pods: they need a higher priority, or room that the urgent ones leave."
            ),
        ),
        _ => (
            Cause::OtherWriter,
            text!(
                "Not the controller: somebody deletes them, or writes the workload, again and again. Look at who writes it: kubectl get {} {} -n {} -o yaml --show-managed-fields.",
                case.object.kind().singular(),
                &case.object.metadata().name,
                &case.object.metadata().namespace
            ),
        ),
    };
    let finding = Finding::new(condition, Gravity::Stuck, cause, text).mistaken_for(mistaken_for);
    if anew.how == How::Failed {
        let failed = case.observed_pods.iter().filter(|pod| pod.status.phase == PodPhase::Failed);
        let last = failed.max_by_key(|pod| pod.metadata.creation_timestamp);
        return vec![last.iter().fold(finding, |finding, pod| {
            finding.evidence(&of_pod(pod), &["status.phase", "status.containerStatuses[0].state"])
        })];
    }
    let paths: &[&str] = match anew.how {
        How::Scaled | How::Preempted => &["spec.replicas"],
        _ => &["metadata.uid", "metadata.creationTimestamp"],
    };
    vec![finding.evidence(case.observed, paths)]
}
