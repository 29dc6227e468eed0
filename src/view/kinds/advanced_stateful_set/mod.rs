//! Advanced StatefulSet of OpenKruise.

mod explain;
mod rules;

use super::hooks::{hooked, replaced};
use super::workload::{Cause, Counts, Surroundings, Workload, because, number, ranked};
use crate::objects::{AdvancedStatefulSet, Pod};
use crate::reconcile::advanced_stateful_set::{Gates, in_order_of_update};
use crate::reconcile::{Decision, parent_and_ordinal, revision_of};
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::FieldInput;
use crate::view::Notes;
use crate::view::fields::{Field, ORDERED_KEY, TYPES, WEIGHTS};
use crate::view::model::{Blank, Hook, Layout, Ranked};
use crate::view::text::Noun;
use crate::view::{Act, text};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

const POLICIES: [&str; 2] = ["OrderedReady", "Parallel"];
const UPDATES: [&str; 3] = ["ReCreate", "InPlaceIfPossible", "InPlaceOnly"];
const RETENTION: [&str; 2] = ["Retain", "Delete"];

const FIELDS: &[Field] = &[
    Field::new(
        "reserveOrdinals",
        FieldInput::Json(r#"[1,"4-6"]"#),
        "Ordinals that are left out: numbers, and ranges such as {}.",
    ),
    Field::new(
        "updateStrategy.type",
        FieldInput::Choice(&TYPES),
        "Whether the controller updates old pods, or the user deletes them.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.podUpdatePolicy",
        FieldInput::Choice(&UPDATES),
        "Whether pods are replaced or changed in place.",
    ),
    Field::new("updateStrategy.rollingUpdate.partition", FieldInput::Partition, "How many pods stay old."),
    Field::new(
        "updateStrategy.rollingUpdate.maxUnavailable",
        FieldInput::Amount,
        "How many pods an update may take down at once.",
    ),
    Field::new("updateStrategy.rollingUpdate.paused", FieldInput::Paused, "Whether updates are held."),
    Field::new(
        "updateStrategy.rollingUpdate.minReadySeconds",
        FieldInput::Number,
        "Seconds a pod must be Ready before it counts as available.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.inPlaceUpdateStrategy.gracePeriodSeconds",
        FieldInput::Number,
        "Seconds between the closed gate and the changed image.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.unorderedUpdate.priorityStrategy.weightPriority",
        FieldInput::Json(WEIGHTS),
        "Which pods are updated first, such as {}.",
    ),
    Field::new(
        "updateStrategy.rollingUpdate.unorderedUpdate.priorityStrategy.orderPriority",
        FieldInput::Json(ORDERED_KEY),
        "The same by the number at the end of a label's value, such as {}.",
    ),
    Field::new(
        "scaleStrategy.maxUnavailable",
        FieldInput::Amount,
        "How many pods may be in the making at once, under Parallel.",
    ),
    Field::new(
        "persistentVolumeClaimRetentionPolicy.whenScaled",
        FieldInput::Choice(&RETENTION),
        "What happens to the claims of a pod that a scale-down deletes.",
    ),
    Field::new(
        "persistentVolumeClaimRetentionPolicy.whenDeleted",
        FieldInput::Choice(&RETENTION),
        "What becomes of the claims when the set is deleted.",
    ),
    Field::new("revisionHistoryLimit", FieldInput::Number, "How many old revisions are kept."),
];

impl Workload for Rc<AdvancedStatefulSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts { ready: status.ready_replicas, available: status.available_replicas, updated: status.updated_replicas }
    }

    fn revisions(&self) -> Option<[&Rc<str>; 2]> {
        Some([&self.status.current_revision, &self.status.update_revision])
    }

    fn fields(&self, _cluster: &Cluster) -> Vec<Field> {
        FIELDS.to_vec()
    }

    fn notes(&self) -> Notes {
        Notes {
            manifest: "The hooks of lifecycle (preDelete, inPlaceUpdate, preNormal) are written in the manifest.",
            ..Notes::default()
        }
    }

    fn policy(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some((self.spec.pod_management_policy.as_str(), &POLICIES))
    }

    fn partition(&self) -> Option<String> {
        Some(AdvancedStatefulSet::partition(self).to_string())
    }

    fn layout(&self) -> Layout {
        Layout::Ordinals
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::cause(self, around, decision?)
    }

    fn stays_on_lost_node(&self) -> bool {
        true
    }

    fn kept_old(&self) -> Option<(i32, Text)> {
        self.rolling_update()?;
        let kept = AdvancedStatefulSet::partition(self).clamp(0, self.replicas());
        let updated = self.replicas() - kept;
        let pods = text::count(self.replicas(), Noun::Pod);
        let words = match kept {
            0 => text!("The partition keeps none of {} old", pods),
            _ => text!("{} of {} may be updated; {} stay old", updated, pods, kept),
        };
        Some((kept, words))
    }

    /// The axis has a place for each ordinal.
    fn blanks(&self, _around: &Surroundings<'_>, _free: usize, _taken: usize) -> Vec<Blank> {
        Vec::new()
    }

    fn next_updated(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        if self.rolling_update().is_none() {
            return Vec::new();
        }
        let active = around.active();
        let update = &self.status.update_revision;
        let reserved = self.reserved_ordinals();
        let by_ordinal: BTreeMap<i32, &Pod> = active.iter().map(|pod| (ordinal_of(pod), &***pod)).collect();
        let pod_at = |ordinal: i32| by_ordinal.get(&ordinal).copied().filter(|_| !reserved.contains(&ordinal));
        let pods: Vec<Option<&Pod>> = places(self).map(pod_at).collect();
        let mut order = in_order_of_update(self, Gates::default(), update, &pods);
        // Those that the partition keeps come last.
        let kept: Vec<usize> = (0..pods.len()).rev().filter(|at| !order.contains(at)).collect();
        order.extend(kept);
        let waiting = order.into_iter().filter_map(|at| pods[at]).filter(|pod| *revision_of(pod) != **update);
        waiting.enumerate().map(|(at, pod)| ranked(at, pod, || because(around.cluster, &active, pod))).collect()
    }

    /// The highest ordinal goes first.
    fn next_deleted(&self, around: &Surroundings<'_>) -> Vec<Ranked> {
        let active = around.active();
        let mut pods = active.clone();
        pods.sort_by_key(|pod| Reverse(ordinal_of(pod)));
        pods.iter().enumerate().map(|(at, pod)| ranked(at, pod, || because(around.cluster, &active, pod))).collect()
    }

    fn hooks(&self, pod: &Pod) -> Vec<(Hook, Act)> {
        hooked(self.spec.lifecycle.as_ref(), pod)
    }

    fn pod_acts(&self, pod: &Pod) -> Vec<Act> {
        replaced(pod).into_iter().collect()
    }
}

fn ordinal_of(pod: &Pod) -> i32 {
    parent_and_ordinal(&pod.metadata.name).map_or(-1, |(_, ordinal)| ordinal)
}

/// The ordinals of the range, those left out included.
fn places(set: &AdvancedStatefulSet) -> impl Iterator<Item = i32> {
    let (mut left, reserved) = (number(set.replicas()), set.reserved_ordinals());
    (0..).take_while(move |ordinal| {
        let is_within = left > 0;
        if is_within && !reserved.contains(ordinal) {
            left -= 1;
        }
        is_within
    })
}
