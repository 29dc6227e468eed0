//! What StatefulSet and Advanced StatefulSet have in common, as conditions ask for it.

use crate::objects::{
    ClaimDeletion, Object, ObjectMeta, PersistentVolumeClaim, Pod, PodManagementPolicy, StatefulSet, UpdateStrategyType,
};
use crate::reconcile::{parent_and_ordinal, revision_of};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A set whose pods have ordinals.
pub struct Ordered<'a> {
    /// Its metadata.
    pub metadata: &'a ObjectMeta,
    /// How many pods it is to have.
    pub replicas: i32,
    /// The lowest ordinal.
    start: i32,
    reserved: BTreeSet<i32>,
    /// Whether it waits for no pod before the next.
    pub is_parallel: bool,
    /// Whether a rolling update takes the pods by their ordinals, and not by a priority.
    pub updates_by_ordinal: bool,
    /// What becomes of the claims of pods that go.
    pub claim_deletion: ClaimDeletion,
    /// How a changed template reaches the pods.
    pub strategy: UpdateStrategyType,
    /// `rollingUpdate.partition`; none if there is no `rollingUpdate`.
    partition: Option<i32>,
    /// How many pods may be unavailable in an update.
    pub max_unavailable: i32,
    /// The Service that names its pods.
    pub service_name: &'a Rc<str>,
    /// Claims that are made for each pod.
    pub claim_templates: &'a [PersistentVolumeClaim],
    /// The revision that every pod had when the last rollout was complete.
    pub current_revision: &'a Rc<str>,
    /// The revision of the template.
    pub update_revision: &'a Rc<str>,
    /// Pods of the current revision, by its status.
    pub current_replicas: i32,
}

impl<'a> Ordered<'a> {
    /// The set, if it is one.
    pub fn of(object: &'a Object) -> Option<Self> {
        match object {
            Object::StatefulSet(set) => {
                let rolling = set.spec.update_strategy.rolling_update.as_ref();
                Some(Self {
                    metadata: &set.metadata,
                    replicas: set.replicas(),
                    start: set.start_ordinal(),
                    reserved: BTreeSet::new(),
                    is_parallel: set.spec.pod_management_policy == PodManagementPolicy::Parallel,
                    updates_by_ordinal: true,
                    claim_deletion: set.claim_deletion(),
                    strategy: set.spec.update_strategy.strategy_type,
                    partition: rolling.map(|rolling| rolling.partition.unwrap_or(0)),
                    max_unavailable: StatefulSet::max_unavailable(set),
                    service_name: &set.spec.service_name,
                    claim_templates: &set.spec.volume_claim_templates,
                    current_revision: &set.status.current_revision,
                    update_revision: &set.status.update_revision,
                    current_replicas: set.status.current_replicas,
                })
            }
            Object::AdvancedStatefulSet(set) => Some(Self {
                metadata: &set.metadata,
                replicas: set.replicas(),
                start: 0,
                reserved: set.reserved_ordinals(),
                is_parallel: set.spec.pod_management_policy == PodManagementPolicy::Parallel,
                updates_by_ordinal: set.rolling_update().is_none_or(|rolling| rolling.unordered_update.is_none()),
                claim_deletion: set.claim_deletion(),
                strategy: set.spec.update_strategy.strategy_type,
                partition: set.rolling_update().map(|rolling| rolling.partition.unwrap_or(0)),
                max_unavailable: set.max_unavailable(),
                service_name: &set.spec.service_name,
                claim_templates: &set.spec.volume_claim_templates,
                current_revision: &set.status.current_revision,
                update_revision: &set.status.update_revision,
                current_replicas: set.status.current_replicas,
            }),
            _ => None,
        }
    }

    /// Whether its pods are updated one after the other, down to the partition.
    pub(crate) fn rolls(&self) -> bool {
        self.strategy == UpdateStrategyType::RollingUpdate
    }

    /// Whether it is updated without anybody deleting its pods.
    pub fn updates_itself(&self) -> bool {
        self.strategy != UpdateStrategyType::OnDelete
    }

    /// Whether it says nothing of how it is updated.
    pub(crate) fn has_no_settings(&self) -> bool {
        self.partition.is_none()
    }

    /// The partition; 0 if it gives none.
    pub fn partition(&self) -> i32 {
        self.partition.unwrap_or(0)
    }

    /// The pod's place among those that there are to be; negative or beyond the replicas if it is none of them.
    pub(crate) fn index(&self, pod: &Pod) -> i64 {
        self.index_of(ordinal(pod))
    }

    fn index_of(&self, own: i32) -> i64 {
        if self.reserved.contains(&own) {
            return -1;
        }
        let left_out = self.reserved.range(..own).filter(|reserved| **reserved >= self.start).count();
        i64::from(own) - i64::from(self.start) - i64::try_from(left_out).unwrap_or(i64::MAX)
    }

    /// The lowest ordinal.
    pub(crate) fn start(&self) -> i32 {
        self.start
    }

    /// Whether an ordinal is left out.
    pub(crate) fn is_reserved(&self, ordinal: i32) -> bool {
        self.reserved.contains(&ordinal)
    }

    /// The ordinals that there are places for, with this one as the first: that one, the one behind the last, those left out between.
    pub(crate) fn reach(&self, start: i32) -> (i32, i32, Vec<i32>) {
        let end = self.end_from(start);
        (start, end, self.reserved.range(start..end.max(start)).copied().collect())
    }

    /// The ordinal behind the last one that the set asks for, with this one as its first.
    pub(crate) fn end_from(&self, start: i32) -> i32 {
        let mut end = start.saturating_add(self.replicas);
        // Each that is left out makes room for one more, which may be left out too.
        for reserved in self.reserved.range(start..) {
            if *reserved >= end {
                break;
            }
            end = end.saturating_add(1);
        }
        end
    }

    /// The ordinals that the set asks for: the first, how many, and those left out.
    pub(crate) fn range(self) -> (i32, i32, BTreeSet<i32>) {
        (self.start, self.replicas, self.reserved)
    }

    /// Whether the pod's ordinal is one that the set asks for.
    pub fn in_range(&self, pod: &Pod) -> bool {
        (0..i64::from(self.replicas)).contains(&self.index(pod))
    }

    /// Whether a pod in range is one that a rolling update changes: not below the partition.
    pub fn is_updated(&self, pod: &Pod) -> bool {
        self.index(pod) >= i64::from(self.partition())
    }

    /// The revision at which a pod of this ordinal would be made now.
    pub(crate) fn revision_to_come(&self, ordinal: i32) -> &'a Rc<str> {
        let stays_old = match self.partition {
            Some(partition) => self.index_of(ordinal) < i64::from(partition),
            None => self.rolls() && self.index_of(ordinal) < i64::from(self.current_replicas),
        };
        if stays_old { self.current_revision } else { self.update_revision }
    }

    /// The revision at which a pod would come back if it were deleted now, where that is another one than its own. Under
    /// OrderedReady the scan stops at a pod that is not Ready before the update is reached, so nobody replaces it: upstream
    /// issue 67250.
    pub(crate) fn comes_back_at(&self, pod: &Pod) -> Option<&'a Rc<str>> {
        Some(self.revision_to_come(ordinal(pod))).filter(|to_come| ***to_come != *revision_of(pod))
    }

    /// Whether the pod is at another revision than the one that is asked for. OpenKruise may label pods with the hash alone.
    pub fn is_old(&self, pod: &Pod) -> bool {
        let own = revision_of(pod);
        own != &**self.update_revision && !self.update_revision.ends_with(&format!("-{own}"))
    }
}

/// The ordinal in a pod's name; −1 if it has none.
pub fn ordinal(pod: &Pod) -> i32 {
    parent_and_ordinal(&pod.metadata.name).map_or(-1, |(_, ordinal)| ordinal)
}
