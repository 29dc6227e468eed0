//! What annotations of a Deployment and its ReplicaSets say, and what is passed on.
//! Models pkg/controller/deployment/util/deployment_util.go.

use super::{DESIRED, MAX, REVISION, REVISION_HISTORY, ROLLBACK_TO, Sync, numbers};
use crate::objects::{Deployment, Labels, ReplicaSet};
use crate::reconcile::Gates;
use std::rc::Rc;

/// Annotations of a Deployment that are not passed on to its ReplicaSets.
const OWN: [&str; 6] =
    ["kubectl.kubernetes.io/last-applied-configuration", REVISION, REVISION_HISTORY, DESIRED, MAX, ROLLBACK_TO];
/// The most characters of the history of revisions.
const LONGEST_HISTORY: usize = 2000;

/// The number of an annotation; none where it is not there or not a number.
#[allow(clippy::cast_possible_truncation, reason = "older releases cut the number off")]
pub(super) fn size(set: &ReplicaSet, key: &str, gates: &Gates) -> Option<i32> {
    let text = set.metadata.annotations.get(key)?;
    if gates.workloads.checks_annotated_sizes {
        return text.parse().ok().filter(|number| *number >= 0 && text.bytes().all(|byte| byte.is_ascii_digit()));
    }
    text.parse::<i64>().ok().map(|number| number as i32)
}

/// The number of a ReplicaSet's template in its Deployment's history; 0 where it has none.
pub fn revision_of_replica_set(set: &ReplicaSet) -> i64 {
    revision(set).unwrap_or(0)
}

/// The same; none where it cannot be read.
pub(super) fn revision(set: &ReplicaSet) -> Option<i64> {
    set.metadata.annotations.get(REVISION).map_or(Some(0), |number| number.parse().ok())
}

/// Notes for how many replicas, and for how many at most, the set is scaled. Whether that is news.
pub(super) fn note_replicas(annotations: &mut Labels, deployment: &Deployment) -> bool {
    let mut changed = false;
    for (key, number) in [(DESIRED, deployment.replicas()), (MAX, numbers::at_most(deployment))] {
        let text: Rc<str> = number.to_string().into();
        if annotations.get(key) != Some(&text) {
            annotations.insert(key, text);
            changed = true;
        }
    }
    changed
}

/// Leaves of a Deployment's annotations its own, and adds those that are passed on from a ReplicaSet.
/// Models SetDeploymentAnnotationsTo.
pub(super) fn restored(deployment: &Labels, set: &Labels) -> Labels {
    let own = deployment.iter().filter(|(key, _)| OWN.contains(&&***key));
    let passed = set.iter().filter(|(key, _)| !OWN.contains(&&***key));
    own.chain(passed).map(|(key, value)| (Rc::clone(key), Rc::clone(value))).collect()
}

impl Sync<'_> {
    /// Passes the Deployment's annotations on, and notes the revision if it is a later one. Whether that is to be written.
    /// Models SetNewReplicaSetAnnotations.
    pub(super) fn set_new_replica_set_annotations(&self, annotations: &mut Labels, revision: i64) -> bool {
        let mut changed = false;
        let copies_empty = self.gates.workloads.copies_empty_annotations;
        for (key, value) in self.set.metadata.annotations.iter().filter(|(key, _)| !OWN.contains(&&***key)) {
            let current = annotations.get(key);
            if current == Some(value) || (current.is_none() && value.is_empty() && !copies_empty) {
                continue;
            }
            annotations.insert(Rc::clone(key), Rc::clone(value));
            changed = true;
        }
        let current = annotations.get(REVISION).cloned();
        let text = current.as_deref().unwrap_or_default();
        let before: i64 = match text.parse() {
            Ok(number) => number,
            Err(_) if text.is_empty() => 0,
            // A revision that is no number: upstream gives up on the annotations altogether.
            Err(_) => return false,
        };
        if before >= revision {
            return changed;
        }
        annotations.insert(REVISION, revision.to_string());
        if let Some(current) = current {
            note_history(annotations, &current);
        }
        true
    }
}

/// Adds a former revision to the history, of which the oldest give way where it becomes too long.
fn note_history(annotations: &mut Labels, current: &str) {
    let earlier = annotations.get(REVISION_HISTORY).cloned().unwrap_or_default();
    let mut earlier: &str = &earlier;
    if earlier.split(',').next().is_some_and(str::is_empty) {
        return annotations.insert(REVISION_HISTORY, current);
    }
    while earlier.len() + current.len() + 1 > LONGEST_HISTORY {
        let Some((_, rest)) = earlier.split_once(',') else { break };
        earlier = rest;
    }
    if earlier.len() + current.len() < LONGEST_HISTORY {
        annotations.insert(REVISION_HISTORY, format!("{earlier},{current}"));
    }
}
