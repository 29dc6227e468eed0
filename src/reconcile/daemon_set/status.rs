//! The status. Models updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go.

use super::history::History;
use super::{Rule, Sync, count};
use crate::objects::daemon_set::DaemonSetStatus;
use crate::objects::{Kind, Object};
use crate::reconcile::replica_set::delay;
use crate::reconcile::stations::First;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

impl Sync<'_> {
    /// Counts by the first pod of each node, writes the status if it differs, and says when the next pod may be available.
    /// The generation is noted only if nothing is waited for.
    pub(super) fn write_status(&mut self, history: &History, notes_generation: bool) -> Result<(), SyncError> {
        let stations = self.stations(history)?;
        let set = self.observed.set;
        let current = &set.status;
        let mut status = DaemonSetStatus {
            observed_generation: if notes_generation { set.metadata.generation } else { current.observed_generation },
            collision_count: current.collision_count,
            extra: current.extra.clone(),
            ..DaemonSetStatus::default()
        };
        for (look, group) in stations.groups().filter(|(look, _)| look.is_known) {
            let nodes = count(group.len());
            if !look.fit.runs {
                status.number_misscheduled += if look.first.is_some() { nodes } else { 0 };
                continue;
            }
            status.desired_number_scheduled += nodes;
            let Some(First { is_ready, is_available, is_updated }) = look.first else { continue };
            let counted = |is: bool| if is { nodes } else { 0 };
            status.current_number_scheduled += nodes;
            status.number_ready += counted(is_ready);
            status.number_available += counted(is_ready && is_available);
            status.updated_number_scheduled += counted(is_updated);
        }
        status.number_unavailable = status.desired_number_scheduled - status.number_available;
        let waits = status.number_ready != status.number_available;
        let is_noted = current.observed_generation >= set.metadata.generation;
        let unnoted = DaemonSetStatus { observed_generation: current.observed_generation, ..status.clone() };
        if is_noted && unnoted == *current {
            self.work.decide(Rule::DaemonSetStatusUnchanged, Facts::None);
        } else {
            let sent = self.send_status(status, notes_generation);
            let rule = if sent.is_ok() { Rule::DaemonSetStatusWritten } else { Rule::DaemonSetStatusRefused };
            self.work.decide(rule, Facts::None);
            // Upstream prints the whole Go object where the kind stands here.
            sent.map_err(|error| SyncError(format!("error storing status for daemon set <DaemonSet>: {error}")))?;
        }
        if waits {
            self.come_back_after(delay(set.spec.min_ready_seconds));
        }
        Ok(())
    }

    /// Sends the status, once more on the set as it is if it is refused. Models storeDaemonSetStatus.
    fn send_status(&mut self, status: DaemonSetStatus, notes_generation: bool) -> Result<(), SyncError> {
        let mut changed = (**self.observed.set).clone();
        changed.status = status.clone();
        let Err(refusal) = self.work.api.update_status(Object::DaemonSet(Rc::new(changed.clone()))) else {
            return Ok(());
        };
        let fresh = self.work.api.get(Kind::DaemonSet, &changed.metadata.namespace, &changed.metadata.name)?;
        let Object::DaemonSet(fresh) = fresh else { return Err(refusal.into()) };
        if !self.work.gates.workloads.sends_daemon_status_again {
            return Err(refusal.into());
        }
        let mut changed = (*fresh).clone();
        let DaemonSetStatus { observed_generation: current, collision_count, extra, .. } = changed.status;
        let observed_generation = if notes_generation { status.observed_generation } else { current };
        changed.status = DaemonSetStatus { observed_generation, collision_count, extra, ..status };
        self.work.api.update_status(Object::DaemonSet(Rc::new(changed)))?;
        Ok(())
    }
}
