//! StatefulSet.

mod explain;
mod logs;
mod rules;
mod waits;

pub(in crate::view) use waits::end_of_wait;

use super::workload::{Counts, Workload};
use crate::objects::StatefulSet;
use std::rc::Rc;

const POLICIES: [&str; 2] = ["OrderedReady", "Parallel"];

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
}
