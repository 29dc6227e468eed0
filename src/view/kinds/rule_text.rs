//! What the page says about a decision point. Each kind's rules implement it in `<kind>/rules.rs`; the sum of them here.

use crate::objects::{Kind, workloads};
use crate::reconcile::{Decision, Release, Rule, Source, Stage, Subject};
use crate::sim::{Cluster, Outcome, SyncRecord, Verb, Write};
use crate::text::Text;
use crate::view::{LogLines, Severity};
use std::collections::BTreeMap;

pub(in crate::view) use crate::reconcile::Weight;
pub(in crate::view) use crate::verdict::deciding;

/// How far an update is when its controller has nothing left to do.
pub(in crate::view) struct Progress {
    /// Pods that are still to be updated.
    pub(in crate::view) outdated: usize,
    /// Pods that are updated.
    pub(in crate::view) updated: i32,
    /// Pods there should be.
    pub(in crate::view) desired: i32,
}

/// What is said about a rule.
pub(in crate::view) trait RuleText: Copy {
    /// A decision by it in one sentence.
    fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text;

    /// What ends a wait at it, or what an act by it leads to.
    fn resolution(self) -> &'static str;

    /// Whether time ends a wait at it.
    fn severity(self) -> Severity {
        Severity::Waiting
    }

    /// What people have to do for an update that rests at it to go on; empty if nothing.
    fn left_to_people(self, _progress: &Progress) -> &'static str {
        ""
    }

    /// In which releases it holds.
    fn holds(self, _source: Source) -> Text {
        text!("as in {}, beside any release", newest())
    }

    /// What a decision by it leaves in the controller manager's log.
    fn log(self, _cluster: &Cluster, _sync: &SyncRecord, _decision: &Decision) -> LogLines {
        LogLines::default()
    }

    /// The title of the part of the sync it belongs to.
    fn stage_title(self) -> &'static str;
}

macro_rules! of_any_kind {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        impl RuleText for Rule {
            fn sentence(self, sync: &SyncRecord, decision: &Decision) -> Text {
                match self { $(Self::$Kind(rule) => rule.sentence(sync, decision),)* }
            }

            fn resolution(self) -> &'static str {
                match self { $(Self::$Kind(rule) => rule.resolution(),)* }
            }

            fn severity(self) -> Severity {
                match self { $(Self::$Kind(rule) => rule.severity(),)* }
            }

            fn left_to_people(self, progress: &Progress) -> &'static str {
                match self { $(Self::$Kind(rule) => rule.left_to_people(progress),)* }
            }

            fn holds(self, source: Source) -> Text {
                match self { $(Self::$Kind(rule) => rule.holds(source),)* }
            }

            fn log(self, cluster: &Cluster, sync: &SyncRecord, decision: &Decision) -> LogLines {
                match self { $(Self::$Kind(rule) => rule.log(cluster, sync, decision),)* }
            }

            fn stage_title(self) -> &'static str {
                match self { $(Self::$Kind(rule) => rule.stage_title(),)* }
            }
        }
    };
}
workloads!(of_any_kind);

// What an act leads to, of any kind.
pub(super) const STARTED: &str = "The kubelets start the new pods, and they become available.";
pub(super) const ENDED: &str = "The kubelets end the pods that are deleted.";
pub(super) const COLLECTED: &str = "The garbage collector deletes what belongs to it.";
pub(super) const NEXT: &str = "The next sync goes on from there.";

pub(super) fn newest() -> &'static str {
    Release::ALL[Release::ALL.len() - 1].name()
}

/// The pod that a decision is about.
pub(super) fn pod_of(sync: &SyncRecord, decision: &Decision) -> Text {
    match &decision.subject {
        Subject::Ordinal(ordinal) => Text::verbatim(format!("{}-{ordinal}", sync.subject.name)),
        Subject::Pod(name) => Text::verbatim(name),
        Subject::Object | Subject::ReplicaSet(_) => text!("A pod"),
    }
}

/// A stage's title, unless a kind has its own.
pub(super) fn title(stage: Stage) -> &'static str {
    match stage {
        Stage::AdoptRevisions => "Adopt revisions",
        Stage::Volumes => "Clean up claims",
        Stage::ClaimPods => "Claim pods",
        Stage::Revisions => "Revisions",
        Stage::Split => "Split by ordinal",
        Stage::Replicas => "Scan replicas in order",
        Stage::Condemned => "Delete condemned",
        Stage::Scale => "Scale",
        Stage::Refresh => "Move pods on",
        Stage::Update => "Rolling update",
        Stage::Status => "Write status",
        Stage::History => "Truncate history",
    }
}

/// What the API server answered to the write that a rule of this stage is about: a sync may be refused more than once.
pub(in crate::view) fn refusal(sync: &SyncRecord, stage: Stage) -> Text {
    let is_its_write = |write: &Write| match stage {
        Stage::AdoptRevisions | Stage::Revisions => {
            write.kind == Kind::ControllerRevision && write.verb != Verb::Delete
        }
        Stage::History => write.kind == Kind::ControllerRevision && write.verb == Verb::Delete,
        Stage::Status => write.verb == Verb::UpdateStatus,
        Stage::ClaimPods => write.verb == Verb::Patch && write.kind == Kind::Pod,
        Stage::Volumes | Stage::Scale | Stage::Refresh => {
            matches!(write.kind, Kind::Pod | Kind::PersistentVolumeClaim)
        }
        Stage::Split | Stage::Replicas | Stage::Condemned | Stage::Update => {
            matches!(write.kind, Kind::Pod | Kind::PersistentVolumeClaim) && write.verb != Verb::Patch
        }
    };
    let refused = sync.writes.iter().rev().filter(|write| is_its_write(write)).find_map(|write| match &write.outcome {
        Outcome::Refused(_, message) => Some(Text::verbatim(message)),
        Outcome::Done => None,
    });
    refused.or_else(|| sync.error.as_ref().map(Text::verbatim)).unwrap_or_else(|| text!("no reason given"))
}

/// The parts of a sync of this kind in the order of the real code, with their titles.
pub(in crate::view) fn stages(kind: Kind) -> impl Iterator<Item = (Stage, &'static str)> {
    let rules = Rule::ALL.iter().filter(|rule| rule.kind() == kind);
    let stages: BTreeMap<Stage, &'static str> = rules.map(|rule| (rule.stage(), rule.stage_title())).collect();
    stages.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{RuleText, refusal};
    use crate::objects::{Kind, ObjectRef, Reason, Time};
    use crate::reconcile::{Decision, Rule, stateful_set};
    use crate::sim::{Outcome, SyncRecord, Verb, Write};

    fn sync() -> SyncRecord {
        let subject = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
        SyncRecord {
            number: 1,
            at: Time(0),
            subject,
            before: None,
            after: None,
            decisions: [].into(),
            writes: Vec::new(),
            error: None,
        }
    }

    #[test]
    fn every_rule_has_a_calm_sentence_of_its_own() {
        let sync = sync();
        let mut seen = std::collections::BTreeSet::new();
        for rule in Rule::ALL {
            let decision = Decision::at(*rule, 1);
            let text = rule.sentence(&sync, &decision);
            assert!(!text.is_empty() && !text.contains("!"), "{rule:?}: {text}");
            // A sync is of one kind.
            assert!(seen.insert((rule.kind(), text.to_string())), "{rule:?} says what another rule says: {text}");
        }
    }

    #[test]
    fn a_refusal_is_quoted_from_the_write_it_is_about() {
        let write = |verb: Verb, kind: Kind, message: &str| Write {
            verb,
            kind,
            name: "web".into(),
            outcome: Outcome::Refused(Reason::Conflict, message.into()),
        };
        let sync = SyncRecord {
            writes: vec![
                write(Verb::Create, Kind::Pod, "no pod"),
                write(Verb::UpdateStatus, Kind::StatefulSet, "no status"),
                write(Verb::Delete, Kind::ControllerRevision, "no deletion"),
            ],
            error: Some("all of it".into()),
            ..sync()
        };
        use stateful_set::Rule;
        let check = |rule: Rule, want: &str| assert_eq!(refusal(&sync, rule.stage()), want, "{rule:?}");
        check(Rule::ReplicaCreateRefused, "no pod");
        check(Rule::StatusRefused, "no status");
        check(Rule::HistoryRefused, "no deletion");
        check(Rule::RevisionRefused, "all of it");
    }
}
