//! StatefulSet.

mod at_rest;
mod explain;
mod held;
mod logs;
mod rules;
mod waits;

pub(in crate::view) use waits::end_of_wait;

use super::workload::{Cause, Counts, Surroundings, Workload};
use crate::objects::{PodManagementPolicy, StatefulSet, UpdateStrategyType};
use crate::reconcile::Decision;
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::FieldInput;
use crate::view::fields::Field;
use crate::view::model::Layout;
use std::rc::Rc;

const POLICIES: [&str; 2] = ["OrderedReady", "Parallel"];
const RETENTION: [&str; 2] = ["Retain", "Delete"];

/// Every field the API has, in the order kubectl prints them, and what it counts.
const STATUS: [(&str, &str); 9] = [
    ("observedGeneration", "the generation of the spec that the controller has acted on"),
    ("replicas", "pods that exist"),
    ("readyReplicas", "pods that are Running and Ready"),
    ("availableReplicas", "pods that have been Ready for minReadySeconds"),
    ("currentReplicas", "pods at the current revision"),
    ("updatedReplicas", "pods at the update revision"),
    ("currentRevision", "what every pod was at when the last rollout was complete"),
    ("updateRevision", "the revision of the current template"),
    ("collisionCount", "how often a revision's name was taken"),
];

impl Workload for Rc<StatefulSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts {
            ready: status.ready_replicas,
            available: status.available_replicas.unwrap_or(0),
            updated: status.updated_replicas,
        }
    }

    fn status_fields(&self) -> &'static [(&'static str, &'static str)] {
        &STATUS
    }

    fn revisions(&self) -> Option<[&Rc<str>; 2]> {
        Some([&self.status.current_revision, &self.status.update_revision])
    }

    fn policy(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some((self.spec.pod_management_policy.as_str(), &POLICIES))
    }

    fn partition(&self) -> Option<String> {
        let rolling = self.spec.update_strategy.rolling_update.as_ref();
        Some(rolling.and_then(|rolling| rolling.partition).unwrap_or(0).to_string())
    }

    fn layout(&self) -> Layout {
        Layout::Ordinals
    }

    /// The less used fields that the release knows.
    fn fields(&self, cluster: &Cluster) -> Vec<Field> {
        let server = cluster.server();
        let all = [
            (
                server.knows_min_ready_seconds,
                Field::new(
                    "minReadySeconds",
                    FieldInput::Number,
                    "Seconds a pod must be Ready before it counts as available.",
                ),
            ),
            (
                server.max_unavailable,
                Field::new(
                    "updateStrategy.rollingUpdate.maxUnavailable",
                    FieldInput::Amount,
                    "How many pods a rolling update may take down at once: a number or a percentage.",
                ),
            ),
            (server.start_ordinal, Field::new("ordinals.start", FieldInput::Number, "The lowest ordinal.")),
            (
                server.claim_retention,
                Field::new(
                    "persistentVolumeClaimRetentionPolicy.whenScaled",
                    FieldInput::Choice(&RETENTION),
                    "What happens to the claims of ordinals out of range.",
                ),
            ),
            (
                server.claim_retention,
                Field::new(
                    "persistentVolumeClaimRetentionPolicy.whenDeleted",
                    FieldInput::Choice(&RETENTION),
                    "What happens to the claims when the set is deleted.",
                ),
            ),
            (true, Field::new("revisionHistoryLimit", FieldInput::Number, "How many old revisions are kept.")),
        ];
        all.into_iter().filter(|(known, _)| *known).map(|(_, field)| field).collect()
    }

    fn order(&self) -> Option<(PodManagementPolicy, UpdateStrategyType)> {
        Some((self.spec.pod_management_policy, self.spec.update_strategy.strategy_type))
    }

    fn partition_means(&self, around: &Surroundings<'_>) -> Text {
        match (self.spec.update_strategy.strategy_type, around.ordinals) {
            (UpdateStrategyType::RollingUpdate, Some(context)) => context.partition_means(context.set.partition()),
            (strategy, _) => text!("{} has no partition", strategy.as_str()),
        }
    }

    fn cause(&self, around: &Surroundings<'_>, decision: Option<&Decision>) -> Option<Cause> {
        explain::explain(around.ordinals?, decision).map(Cause::from)
    }
}
