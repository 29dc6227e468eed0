//! The status. Models updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go.

use super::history::History;
use super::place::{is_pod_updated, node_should_run_daemon_pod};
use super::{Rule, Sync, seniority};
use crate::objects::daemon_set::DaemonSetStatus;
use crate::objects::{Kind, Object};
use crate::reconcile::replica_set::delay;
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

impl Sync<'_> {
    /// Counts by the first pod of each node, writes the status if it differs, and says when the next pod may be available.
    /// The generation is noted only if nothing is waited for.
    pub(super) fn update_daemon_set_status(
        &mut self,
        history: &History,
        notes_generation: bool,
    ) -> Result<(), SyncError> {
        let node_pods = self.get_nodes_to_daemon_pods(false)?;
        let (set, hash) = (self.observed.set, history.hash());
        let current = &set.status;
        let mut status = DaemonSetStatus {
            observed_generation: if notes_generation { set.metadata.generation } else { current.observed_generation },
            collision_count: current.collision_count,
            extra: current.extra.clone(),
            ..DaemonSetStatus::default()
        };
        for node in self.observed.nodes {
            let runs = node_should_run_daemon_pod(set, node).runs;
            let pods = node_pods.get(&node.metadata.name).into_iter().flatten();
            let oldest = pods.min_by(|a, b| seniority(a).cmp(&seniority(b)));
            if !runs {
                status.number_misscheduled += i32::from(oldest.is_some());
                continue;
            }
            status.desired_number_scheduled += 1;
            let Some(pod) = oldest else { continue };
            status.current_number_scheduled += 1;
            status.number_ready += i32::from(pod.is_ready());
            status.number_available += i32::from(pod.is_ready() && self.is_available(pod));
            status.updated_number_scheduled += i32::from(is_pod_updated(&self.work.gates, set, &hash, pod));
        }
        status.number_unavailable = status.desired_number_scheduled - status.number_available;
        let waits = status.number_ready != status.number_available;
        let is_noted = current.observed_generation >= set.metadata.generation;
        let unnoted = DaemonSetStatus { observed_generation: current.observed_generation, ..status.clone() };
        if is_noted && unnoted == *current {
            self.work.decide(Rule::DaemonSetStatusUnchanged, Facts::None);
        } else {
            let sent = self.store_daemon_set_status(status, notes_generation);
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
    fn store_daemon_set_status(&mut self, status: DaemonSetStatus, notes_generation: bool) -> Result<(), SyncError> {
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
