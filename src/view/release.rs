//! Which release runs, how it differs from another, and where two runs first part.

use super::kinds::RuleText;
use super::{ReleaseView, text};
use crate::objects::{Pod, StatefulSetStatus};
use crate::reconcile::{Decision, Release, changes};
use crate::releases::about_gate;
use crate::session::{Divergence, Session, names, outcome, relevant};
use crate::sim::{START, SyncRecord};
use crate::text::Text;

pub(super) fn release(session: &Session) -> ReleaseView {
    let release = session.release();
    let now = session.cluster().controller_gates();
    let (_, others) = session.branches();
    let scenario = session.scenario();
    let before =
        others.iter().rev().find(|other| (other.scenario.release, &other.scenario.gates) != (release, &scenario.gates));
    // Without another run there is the default release to compare with, and for that one the one before.
    let before_default = Release::ALL.into_iter().rev().find(|other| *other < Release::default());
    let neighbor = if release == Release::default() { before_default.unwrap_or(release) } else { Release::default() };
    let compared = before.map_or(neighbor, |other| other.scenario.release);
    let from = before.map_or_else(|| compared.gates(), |other| other.scenario.controller());
    let changes = changes((&from, compared.profile()), (&now, release.profile()));
    let compared_name = match before {
        Some(other) if other.scenario.release == release => text!("{} with other feature gates", release.name()),
        _ => Text::verbatim(compared.name()),
    };
    let difference = before.and_then(|other| {
        let (at, parting) = session.divergence_from(other)?;
        Some((at, parted(&parting, &compared_name)))
    });
    let is_on = |name: &str| {
        let mut gates = now;
        gates.feature(name).is_some_and(|gate| *gate)
    };
    ReleaseView {
        name: release.name(),
        note: release.profile().note,
        all: Release::ALL.into_iter().map(|release| (release.name(), release.label())).collect(),
        gates: release.feature_gates().iter().map(|name| (*name, is_on(name), about_gate(name))).collect(),
        same: before.is_some_and(|other| other.end().is_some()) && difference.is_none(),
        compared: compared_name,
        changes: changes.map(|(change, words)| (words, change.upstream, change.shown)).collect(),
        difference,
    }
}

/// What is otherwise here than in the other run.
fn parted(parting: &Divergence, compared: &Text) -> Text {
    let (number, here, there) = match parting {
        Divergence::Decision([Some(own), Some(other)]) => {
            let (here, there) = first_difference(own, other);
            (own.number, here, there)
        }
        Divergence::Time([Some(own), Some(other)]) => {
            let at = |sync: &SyncRecord| text::clock(sync.at.0 - START.0);
            let (here, there) = (at(own), at(other));
            return text!("Sync {}: here at {}, under {} at {}: {}.", own.number, here, compared, there, ended_at(own));
        }
        Divergence::Decision([own, other]) | Divergence::Time([own, other]) => {
            let Some(sync) = own.as_ref().or(other.as_ref()) else { return Text::default() };
            let (number, ended) = (sync.number, ended_at(sync));
            return if own.is_some() {
                text!("Sync {}: here: {}; the run under {} has no such sync.", number, ended, compared)
            } else {
                text!("Sync {}: {}: {}; this run has no such sync.", number, compared, ended)
            };
        }
        Divergence::Pod([own, other]) => return names_of_pods(own, other, compared),
        Divergence::Written([own, other]) => {
            let (here, there) = written(own, other);
            (own.number, here, there)
        }
    };
    text!("Sync {}: here: {}; under {}: {}.", number, here, compared, there)
}

pub(super) fn ended_at(sync: &SyncRecord) -> Text {
    outcome(sync).map_or_else(Text::default, |last| last.rule.sentence(sync, last))
}

/// What two syncs write that decide alike.
pub(super) fn written(own: &SyncRecord, other: &SyncRecord) -> (Text, Text) {
    match own.writes.iter().zip(&other.writes).find(|(own, other)| own != other) {
        Some((own, other)) => (text!("it writes {}", own.name), text!("it writes {}", other.name)),
        None => match (own.stateful_set_status(), other.stateful_set_status()) {
            (Some([_, own]), Some([_, other])) => counts(own, other),
            _ => Default::default(),
        },
    }
}

/// `web-0 has apps.kubernetes.io/pod-index here, not under v1.20.`
fn names_of_pods(own: &Pod, other: &Pod, compared: &Text) -> Text {
    let name = &own.metadata.name;
    match [own_name(own, other), own_name(other, own)] {
        [Some(key), _] => text!("{} has {} here, not under {}.", name, key, compared),
        [None, Some(key)] => text!("{} has {} under {}, not here.", name, key, compared),
        [None, None] => text!("{} is not the same under {}.", name, compared),
    }
}

/// The first label or condition of a pod that the other has not.
pub(super) fn own_name(pod: &Pod, other: &Pod) -> Option<String> {
    let others = names(other);
    names(pod).into_iter().find(|name| !others.contains(name)).map(str::to_owned)
}

/// The first number of the status that is not the same.
fn counts(own: &StatefulSetStatus, other: &StatefulSetStatus) -> (Text, Text) {
    let numbers = |status: &StatefulSetStatus| {
        [
            ("replicas", status.replicas),
            ("readyReplicas", status.ready_replicas),
            ("availableReplicas", status.available_replicas.unwrap_or(0)),
            ("currentReplicas", status.current_replicas),
            ("updatedReplicas", status.updated_replicas),
        ]
    };
    let pairs = numbers(own).into_iter().zip(numbers(other));
    let found = pairs.into_iter().find(|(own, other)| own != other);
    let ((name, here), (_, there)) = found.unwrap_or((("replicas", own.replicas), ("replicas", other.replicas)));
    (text!("{} is {}", name, here), text!("it is {}", there))
}

/// The sentences of the first two decisions that are not the same.
fn first_difference(own: &SyncRecord, other: &SyncRecord) -> (Text, Text) {
    let said = |sync: &SyncRecord, decision: Option<&Decision>| {
        decision.map_or_else(|| text!("the sync is over"), |decision| decision.rule.sentence(sync, decision))
    };
    let (mut mine, mut theirs) = (relevant(own), relevant(other));
    loop {
        match (mine.next(), theirs.next()) {
            (Some(one), Some(another)) if one == another => {}
            (here, there) => return (said(own, here), said(other, there)),
        }
    }
}
