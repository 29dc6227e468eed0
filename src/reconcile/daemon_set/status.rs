//! The status. Models updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go.

use super::Rule;
use super::history::History;
use super::{Placed, Sync, place};
use crate::objects::workload::DaemonSetStatus;
use crate::objects::{Kind, Object};
use crate::reconcile::replica_set::{delay, is_ready};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;
use std::time::Duration;

impl Sync<'_> {
    /// Counts by the oldest pod of each node, writes the status if it differs, and says when the next pod may be available.
    pub(super) fn write_status(&mut self, placed: &Placed, history: &History) -> Result<Option<Duration>, SyncError> {
        let set = self.observed.set;
        let held = &set.status;
        let generation = if self.observed.up_to_date { set.metadata.generation } else { held.observed_generation };
        let mut status = DaemonSetStatus {
            observed_generation: generation,
            collision_count: held.collision_count,
            extra: held.extra.clone(),
            ..DaemonSetStatus::default()
        };
        for node in self.observed.nodes {
            let here = placed.get(&node.metadata.name).map_or(&[][..], Vec::as_slice);
            let oldest = here.iter().min_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
            if !place::fit(set, node).runs {
                status.number_misscheduled += i32::from(oldest.is_some());
                continue;
            }
            status.desired_number_scheduled += 1;
            let Some(pod) = oldest else { continue };
            status.current_number_scheduled += 1;
            status.number_ready += i32::from(is_ready(pod));
            status.number_available += i32::from(is_ready(pod) && self.is_available(pod));
            status.updated_number_scheduled += i32::from(history.is_current(pod));
        }
        status.number_unavailable = status.desired_number_scheduled - status.number_available;
        let waits = status.number_ready != status.number_available;
        let wait = waits.then(|| delay(set.spec.min_ready_seconds)).flatten();
        if status == *held {
            self.work.decide(Rule::DaemonSetStatusUnchanged, Facts::None);
            return Ok(wait);
        }
        self.send_status(status)?;
        Ok(wait)
    }

    fn send_status(&mut self, status: DaemonSetStatus) -> Result<(), SyncError> {
        let mut changed = (**self.observed.set).clone();
        changed.status = status;
        let mut written = self.work.api.update_status(Object::DaemonSet(Rc::new(changed.clone())));
        if written.is_err()
            && let Ok(fresh) = self.work.api.get(Kind::DaemonSet, &changed.metadata.namespace, &changed.metadata.name)
        {
            // Once more, on the version as it is.
            changed.metadata = fresh.metadata().clone();
            written = self.work.api.update_status(Object::DaemonSet(Rc::new(changed)));
        }
        let rule = if written.is_ok() { Rule::DaemonSetStatusWritten } else { Rule::DaemonSetStatusRefused };
        self.work.decide(rule, Facts::None);
        written?;
        Ok(())
    }
}
