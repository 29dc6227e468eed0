//! Which release runs, how it differs from another, and where two runs first part.

use super::{ReleaseView, text, why};
use crate::objects::{Pod, StatefulSetStatus};
use crate::reconcile::{Decision, Release, changes};
use crate::session::{Divergence, Session, names, outcome, relevant};
use crate::sim::{START, SyncRecord};

pub(super) fn release(session: &Session) -> ReleaseView {
    let release = session.release();
    let now = session.cluster().controller_gates();
    let (_, others) = session.branches();
    let scenario = session.scenario();
    let before =
        others.iter().rev().find(|other| (other.scenario.release, &other.scenario.gates) != (release, &scenario.gates));
    // Without another run there is the default release to compare with, and for that one the one before.
    let before_default = Release::ALL.into_iter().rev().find(|other| *other < Release::default());
    let neighbour = if release == Release::default() { before_default.unwrap_or(release) } else { Release::default() };
    let compared = before.map_or(neighbour, |other| other.scenario.release);
    let from = before.map_or_else(|| compared.gates(), |other| other.scenario.controller());
    let changes = changes((&from, &compared.profile().cluster), (&now, &release.profile().cluster));
    let compared_name = match before {
        Some(other) if other.scenario.release == release => [release.name(), " with other feature gates"].concat(),
        _ => compared.name().to_owned(),
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
        gates: release.feature_gates().iter().map(|name| (*name, is_on(name))).collect(),
        same: before.is_some_and(|other| other.end().is_some()) && difference.is_none(),
        compared: compared_name,
        changes: changes.map(|(change, words)| (words, change.upstream, change.shown)).collect(),
        difference,
    }
}

/// What is otherwise here than in the other run.
#[inline(never)]
fn parted(parting: &Divergence, compared: &str) -> String {
    let (number, here, there) = match parting {
        Divergence::Decision([Some(own), Some(other)]) => {
            let (here, there) = first_difference(own, other);
            (own.number, here, there)
        }
        Divergence::Time([Some(own), Some(other)]) => {
            let at = |sync: &SyncRecord| text::clock(sync.at.0 - START.0);
            let (here, there) = (at(own), at(other));
            return format!("Sync {}: here at {here}, under {compared} at {there}: {}.", own.number, ended_at(own));
        }
        Divergence::Decision([own, other]) | Divergence::Time([own, other]) => {
            let Some(sync) = own.as_ref().or(other.as_ref()) else { return String::new() };
            let (place, whose) = if own.is_some() {
                ("here", ["the run under ", compared].concat())
            } else {
                (compared, "this run".to_owned())
            };
            return format!("Sync {}: {place}: {}; {whose} has no such sync.", sync.number, ended_at(sync));
        }
        Divergence::Pod([own, other]) => return names_of_pods(own, other, compared),
        Divergence::Written([own, other]) => {
            let writes = own.writes.iter().zip(&other.writes).find(|(own, other)| own != other);
            let (here, there) = match writes {
                Some((own, other)) => (format!("it writes {}", own.name), format!("it writes {}", other.name)),
                None => match (own.stateful_set_status(), other.stateful_set_status()) {
                    (Some([_, own]), Some([_, other])) => counts(own, other),
                    _ => Default::default(),
                },
            };
            (own.number, here, there)
        }
    };
    format!("Sync {number}: here: {here}; under {compared}: {there}.")
}

fn ended_at(sync: &SyncRecord) -> String {
    outcome(sync).map_or_else(String::new, |last| why::sentence(&sync.subject.name, sync, *last))
}

/// `web-0 has apps.kubernetes.io/pod-index here, not under v1.20.`
fn names_of_pods(own: &Pod, other: &Pod, compared: &str) -> String {
    let name = &own.metadata.name;
    let (here, there) = (names(own), names(other));
    let more = |one: &[&str], than: &[&str]| one.iter().find(|key| !than.contains(key)).map(|key| (*key).to_owned());
    match (more(&here, &there), more(&there, &here)) {
        (Some(key), _) => format!("{name} has {key} here, not under {compared}."),
        (None, Some(key)) => format!("{name} has {key} under {compared}, not here."),
        (None, None) => format!("{name} is not the same under {compared}."),
    }
}

/// The first number of the status that is not the same.
fn counts(own: &StatefulSetStatus, other: &StatefulSetStatus) -> (String, String) {
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
    (format!("{name} is {here}"), format!("it is {there}"))
}

/// The sentences of the first two decisions that are not the same.
fn first_difference(own: &SyncRecord, other: &SyncRecord) -> (String, String) {
    let said = |sync: &SyncRecord, decision: Option<&Decision>| {
        decision.map_or_else(
            || "the sync is over".to_owned(),
            |decision| why::sentence(&sync.subject.name, sync, *decision),
        )
    };
    let (mut mine, mut theirs) = (relevant(own), relevant(other));
    loop {
        match (mine.next(), theirs.next()) {
            (Some(one), Some(another)) if one == another => {}
            (here, there) => return (said(own, here), said(other, there)),
        }
    }
}
