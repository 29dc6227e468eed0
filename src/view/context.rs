//! What the builders of one view share: the set, its pods, its revisions, its last sync.

use super::Revision;
use super::build::set_ref;
use crate::objects::sorted_by_number;
use crate::objects::{ControllerRevision, ObjectRef, Pod, StatefulSet};
use crate::reconcile::{Decision, Rule, parent_and_ordinal, revision_of};
use crate::sim::{Cluster, SyncRecord};
use std::rc::Rc;

pub(super) struct Context<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) set: &'a Rc<StatefulSet>,
    pub(super) key: ObjectRef,
    /// By ordinal.
    pub(super) pods: Vec<(i32, &'a Rc<Pod>)>,
    /// In the order they were made.
    pub(super) revisions: Vec<&'a Rc<ControllerRevision>>,
    pub(super) last_sync: Option<&'a Rc<SyncRecord>>,
}

impl<'a> Context<'a> {
    pub(super) fn new(cluster: &'a Cluster, set: &'a Rc<StatefulSet>) -> Self {
        let key = set_ref(set);
        let pods: Vec<(i32, &Rc<Pod>)> = cluster
            .pods()
            .filter(|pod| pod.metadata.namespace == set.metadata.namespace)
            .filter_map(|pod| match parent_and_ordinal(&pod.metadata.name) {
                Some((parent, ordinal)) if parent == &*set.metadata.name && ordinal >= 0 => Some((ordinal, pod)),
                _ => None,
            })
            .collect();
        let pods = sorted_by_number(pods, |(ordinal, _)| i64::from(*ordinal));
        let mut revisions: Vec<_> = cluster
            .revisions()
            .filter(|revision| {
                revision.metadata.namespace == set.metadata.namespace
                    && set.spec.selector.matches(&revision.metadata.labels)
            })
            .collect();
        revisions.sort_by_key(|revision| (revision.metadata.creation_timestamp, revision.metadata.name.clone()));
        let last_sync = cluster.trace().syncs.iter().rev().find(|sync| sync.found && sync.set == key);
        Self { cluster, set, key, pods, revisions, last_sync }
    }

    pub(super) fn name(&self) -> &str {
        &self.set.metadata.name
    }

    pub(super) fn pod(&self, ordinal: i32) -> Option<&'a Rc<Pod>> {
        self.pods.binary_search_by_key(&ordinal, |(own, _)| *own).ok().map(|at| self.pods[at].1)
    }

    pub(super) fn revision(&self, name: &str) -> Revision {
        revision(&self.revisions, name)
    }

    /// The decision that says where the last sync stands: a refusal or a wait rather than what follows it.
    pub(super) fn deciding(&self) -> Option<Decision> {
        self.last_sync.and_then(|sync| deciding(&sync.decisions))
    }
}

/// The decision that ended the sync's work on pods, or failed it. What was done comes before what was merely passed.
pub(super) fn deciding(decisions: &[Decision]) -> Option<Decision> {
    let rank = |rule: Rule| match rule {
        Rule::RevisionAdoptionRefused
        | Rule::PodClaimRefused
        | Rule::RevisionRefused
        | Rule::ReplicaFailedRefused
        | Rule::ReplicaCreateRefused
        | Rule::ReplicaUpdateRefused
        | Rule::CondemnedDeleteRefused
        | Rule::UpdateDeleteRefused
        | Rule::StatusRefused
        | Rule::HistoryRefused => 5,
        Rule::SetTerminating
        | Rule::ReplicaFailed
        | Rule::ReplicaCreated
        | Rule::ReplicaTerminating
        | Rule::ReplicaNotReady
        | Rule::ReplicaUpdated
        | Rule::CondemnedTerminating
        | Rule::CondemnedNotReady
        | Rule::CondemnedDeleted
        | Rule::UpdateDeleted
        | Rule::UpdateNotHealthy => 4,
        Rule::CondemnedPassed => 3,
        Rule::UpdateOnDelete | Rule::UpdateDone => 2,
        Rule::RevisionsAdopted
        | Rule::PodAdopted
        | Rule::PodReleased
        | Rule::PodsClaimed
        | Rule::RevisionUnchanged
        | Rule::RevisionReused
        | Rule::RevisionCreated
        | Rule::RevisionNameTaken
        | Rule::PodsSplit
        | Rule::FirstUnhealthy
        | Rule::ReplicasInOrder
        | Rule::RolloutCompleted
        | Rule::StatusUnchanged
        | Rule::StatusWritten
        | Rule::HistoryKept
        | Rule::HistoryTruncated => 1,
    };
    decisions.iter().copied().max_by_key(|decision| rank(decision.rule))
}

/// A revision's letter and hue: its place in the order of making.
pub(super) fn revision(revisions: &[&Rc<ControllerRevision>], name: &str) -> Revision {
    let at = revisions.iter().position(|revision| &*revision.metadata.name == name);
    let hue = at.unwrap_or(0);
    let letter = match at {
        None => "?".to_owned(),
        Some(at) => match u8::try_from(at) {
            Ok(at) if at < 26 => char::from(b'A' + at).to_string(),
            _ => format!("R{}", at + 1),
        },
    };
    Revision { name: name.to_owned(), letter, hue }
}

/// The pod's revision.
pub(super) fn revision_of_pod(revisions: &[&Rc<ControllerRevision>], pod: &Pod) -> Revision {
    revision(revisions, revision_of(pod))
}
