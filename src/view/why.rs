//! A sync as a path: the stages in the order of the real code, and what was decided in each.

use super::kinds::{RuleText, deciding, stages};
use super::{LogLines, StepState};
use crate::objects::Kind;
use crate::reconcile::{Decision, Release, Rule, Stage, Subject, Weight};
use crate::sim::{Cluster, SyncRecord};
use crate::text::Text;

/// With at most so many decisions in each stage, and the one that says where the sync stands.
pub(super) fn why(cluster: &Cluster, sync: &SyncRecord, most: usize) -> Vec<super::Stage> {
    let (kind, release) = (sync.subject.kind, cluster.release());
    let deciding = deciding(&sync.decisions);
    let here = deciding.map(|decision| decision.rule.stage());
    let last_of_pods =
        sync.decisions.iter().map(|decision| decision.rule.stage()).filter(|stage| *stage < Stage::Status).max();
    let draw = |(stage, title): (Stage, &'static str)| {
        let decided: Vec<&Decision> = sync.decisions.iter().filter(|decision| decision.rule.stage() == stage).collect();
        let is_passed = decided.is_empty() && stage < Stage::Status && last_of_pods.is_some_and(|last| stage < last);
        let step = |own: &Decision| super::Step {
            decides: deciding == Some(own),
            log: own.rule.log(cluster, sync, own),
            ..step_of(sync, own, release)
        };
        let mut steps: Vec<super::Step> = told(&decided, deciding, most).map(step).collect();
        let left_out = decided.len() - steps.len();
        steps.extend(idle(kind, stage, release).filter(|_| is_passed));
        let state = match (steps.is_empty(), here == Some(stage)) {
            (true, _) => StepState::NotReached,
            (false, true) => StepState::Here,
            (false, false) => StepState::Done,
        };
        let holds = state == StepState::Here && deciding.is_some_and(|own| own.rule.weight() >= Weight::Waits);
        super::Stage { title, state, holds, steps, left_out }
    };
    stages(kind).map(draw).collect()
}

/// The first decisions of a stage, and the deciding one wherever it stands.
fn told<'a>(decided: &[&'a Decision], deciding: Option<&Decision>, most: usize) -> impl Iterator<Item = &'a Decision> {
    let later = decided.iter().skip(most).copied().filter(move |decision| deciding == Some(*decision));
    decided.iter().take(most).copied().chain(later)
}

/// A decision of a sync, without its log.
pub(super) fn step_of(sync: &SyncRecord, decision: &Decision, release: Release) -> super::Step {
    let source = decision.rule.source(release);
    super::Step {
        text: decision.rule.sentence(sync, decision),
        function: source.function,
        file: source.file,
        rule: decision.rule.says(),
        holds: decision.rule.holds(source),
        pod: match &decision.subject {
            Subject::Ordinal(ordinal) => format!("{}-{ordinal}", sync.subject.name),
            Subject::Pod(name) => name.to_string(),
            Subject::Object | Subject::ReplicaSet(_) => String::new(),
        },
        decides: false,
        log: LogLines::default(),
    }
}

/// A stage that ran and had nothing to decide; none of a kind whose stages are not passed in order.
fn idle(kind: Kind, stage: Stage, release: Release) -> Option<super::Step> {
    if kind != Kind::StatefulSet {
        return None;
    }
    let (text, rule) = match stage {
        Stage::AdoptRevisions => {
            ("No revision is without an owner", "Revisions that match the selector and have no owner are adopted.")
        }
        Stage::Replicas => ("No ordinal is in range", "Every ordinal in range has a pod, made from the lowest up."),
        Stage::Condemned => ("No pod is out of range", "Pods out of range are deleted, the highest ordinal first."),
        Stage::ClaimPods | Stage::Revisions | Stage::Split | Stage::Update | Stage::Status | Stage::History => {
            ("There is nothing to decide", "A sync goes through every stage, with or without something to decide.")
        }
        Stage::Volumes | Stage::Scale | Stage::Refresh => ("", ""),
    };
    let here = Rule::ALL.iter().filter(|rule| rule.stage() == stage && rule.kind() == kind);
    let here = here.map(|rule| (*rule, rule.source(release))).filter(|(_, source)| source.holds_in(release));
    // The function that would have decided, not the one that carries out.
    let deciding = here.max_by_key(|(_, source)| source.file.ends_with("_set_control.go"));
    Some(super::Step {
        text: Text::fixed(text),
        function: deciding.map_or("", |(_, source)| source.function),
        file: deciding.map_or("", |(_, source)| source.file),
        rule,
        holds: deciding.map_or_else(Text::default, |(rule, source)| rule.holds(source)),
        pod: String::new(),
        decides: false,
        log: LogLines::default(),
    })
}
