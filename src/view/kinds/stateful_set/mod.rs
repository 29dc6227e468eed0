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

impl Workload for Rc<StatefulSet> {
    fn counts(&self) -> Counts {
        let status = &self.status;
        Counts {
            ready: status.ready_replicas,
            available: status.available_replicas.unwrap_or(0),
            updated: status.updated_replicas,
        }
    }

    fn with_ordinals(&self) -> Option<Rc<StatefulSet>> {
        Some(Rc::clone(self))
    }

    fn policy(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some((self.spec.pod_management_policy.as_str(), &POLICIES))
    }

    fn partition(&self) -> Option<String> {
        let rolling = self.spec.update_strategy.rolling_update.as_ref();
        Some(rolling.and_then(|rolling| rolling.partition).unwrap_or(0).to_string())
    }
}
