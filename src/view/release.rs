//! Which release runs, how it differs from another, and where two runs first part.

use super::{ReleaseView, why};
use crate::reconcile::{Decision, Release, changes, changes_around};
use crate::session::Session;
use crate::sim::SyncRecord;

pub(super) fn release(session: &Session) -> ReleaseView {
    let release = session.release();
    let now = session.cluster().controller_gates();
    let (_, others) = session.branches();
    let scenario = session.scenario();
    let before =
        others.iter().rev().find(|other| (other.scenario.release, &other.scenario.gates) != (release, &scenario.gates));
    // Without another run there is the newest release to compare with, and for that one the one before.
    let neighbour = Release::ALL.into_iter().rev().find(|other| *other != release).unwrap_or(release);
    let compared = before.map_or(neighbour, |other| other.scenario.release);
    let from = before.map_or_else(|| compared.gates(), |other| other.scenario.controller());
    let controller = changes(&from, &now).map(|(change, words)| (words, change.upstream));
    let difference = before.and_then(|other| {
        let found = session.difference_from(other)?;
        let compared = compared.name();
        let (sync, words) = match &found.syncs {
            [Some(own), Some(other)] => {
                let (mine, theirs) = first_difference(own, other);
                (own, format!("here: {mine}; under {compared}: {theirs}"))
            }
            [Some(own), None] => (own, format!("the run under {compared} has no such sync")),
            [None, Some(other)] => (other, "this run has no such sync".to_owned()),
            [None, None] => return None,
        };
        Some((found.at, format!("Sync {}: {words}.", sync.number)))
    });
    let is_on = |name: &str| {
        let mut gates = now;
        gates.feature(name).is_some_and(|gate| *gate)
    };
    ReleaseView {
        name: release.name(),
        all: Release::ALL.into_iter().map(Release::name).collect(),
        gates: release.feature_gates().iter().map(|(name, _)| (*name, is_on(name))).collect(),
        compared: compared.name(),
        changes: controller.chain(changes_around(compared, release)).collect(),
        difference,
    }
}

/// The sentences of the first two decisions that are not the same.
fn first_difference(own: &SyncRecord, other: &SyncRecord) -> (String, String) {
    let longest = own.decisions.len().max(other.decisions.len());
    let at = (0..longest).find(|at| own.decisions.get(*at) != other.decisions.get(*at)).unwrap_or(0);
    let said = |sync: &SyncRecord| {
        let decision: Option<&Decision> = sync.decisions.get(at);
        decision
            .map_or_else(|| "the sync is over".to_owned(), |decision| why::sentence(&sync.set.name, sync, *decision))
    };
    (said(own), said(other))
}
