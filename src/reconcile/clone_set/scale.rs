//! Creating what is missing and deleting what is too much.
//! Models syncCloneSet of cloneset_controller.go and Scale of pkg/controller/cloneset/sync/cloneset_scale.go of
//! openkruise/kruise.

use super::Rule;
use super::diff::{Purpose, Situation, calculate_diffs};
use super::history::Revisions;
use super::pods::{is_available, is_specified_delete};
use super::rank::choose_pods_to_delete;
use super::status::{FAILED_SCALE, FAILED_UPDATE};
use super::{CachedClone, Sync};
use crate::objects::clone_set::CloneSetStatus;
use crate::objects::{ControllerRevision, EventType, PersistentVolumeClaim, Pod};
use crate::reconcile::Diffs;
use crate::reconcile::in_place::{life, marks_not_ready};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// How a part of the sync ended, and whether it did something to the pods before that.
pub(super) struct Done {
    pub(super) changed: bool,
    pub(super) result: Result<(), SyncError>,
}

impl Done {
    pub(super) fn ok(changed: bool) -> Self {
        Self { changed, result: Ok(()) }
    }

    pub(super) fn ends(&self) -> bool {
        self.changed || self.result.is_err()
    }
}

/// The pods of a sync and what they may use.
#[derive(Clone, Copy)]
pub(super) struct Pods<'p> {
    pub(super) all: &'p [CachedClone],
    pub(super) claims: &'p [&'p Rc<PersistentVolumeClaim>],
    pub(super) revisions: &'p Revisions,
}

impl<'p> Pods<'p> {
    fn of(&self, is_meant: impl Fn(&CachedClone) -> bool) -> Vec<&'p Rc<Pod>> {
        self.all.iter().filter(|seen| is_meant(seen)).map(|seen| &seen.pod).collect()
    }
}

impl<'a> Sync<'a> {
    /// Scales, then updates unless scaling did something. Errors are written into the status's conditions; the first of
    /// them is the sync's.
    pub(super) fn scale_and_update(
        &mut self,
        status: &mut CloneSetStatus,
        revisions: &Revisions,
        history: &[&Rc<ControllerRevision>],
        pods: &mut [CachedClone],
        claims: &[&Rc<PersistentVolumeClaim>],
    ) -> Result<(), SyncError> {
        if self.set().metadata.deletion_timestamp.is_some() {
            self.decide(Rule::CloneSetTerminating, Facts::None);
            return Ok(());
        }
        let scaled = self.scale(Pods { all: pods, claims, revisions });
        self.note_failure(status, FAILED_SCALE, &scaled.result);
        if scaled.changed {
            return scaled.result;
        }
        let updated = self.update(pods, revisions, history);
        self.note_failure(status, FAILED_UPDATE, &updated);
        scaled.result.and(updated)
    }

    pub(super) fn situation<'s>(&self, revisions: &'s Revisions) -> Situation<'s>
    where
        'a: 's,
    {
        Situation {
            set: self.set(),
            current: &revisions.current.metadata.name,
            update: &revisions.update.metadata.name,
            gates: self.gates,
            now: self.observed.now,
        }
    }

    fn scale(&mut self, pods: Pods<'_>) -> Done {
        let preparing = pods.of(|seen| seen.is_preparing_delete);
        let specified = pods.of(|seen| seen.is_specified && !seen.is_preparing_delete);
        let regretted = self.manage_preparing_delete(pods.all.len(), &preparing, preparing.len() + specified.len());
        if regretted.ends() {
            return regretted;
        }
        let mut diffs = calculate_diffs(self.situation(pods.revisions), pods.all, Purpose::Scale);
        self.decide(Rule::DiffsCalculated, Facts::Diffs(diffs.into()));
        if diffs.scale_up > diffs.scale_up_limit {
            let limit = diffs.scale_up_limit;
            let message = format!("scaleUp is limited because of scaleStrategy.maxUnavailable, limit: {limit}");
            self.record(EventType::Warning, "ScaleUpLimited", message);
            self.decide(Rule::ScaleUpLimited, Facts::Count(limit));
        }
        if diffs.scale_up > 0 {
            return self.create_pods(pods, diffs);
        }
        let deleted = self.delete_pods(&preparing, pods.claims);
        if deleted.ends() {
            return deleted;
        }
        let deletable = self.within_limit(&specified, &mut diffs);
        let deleted = self.delete_pods(&deletable, pods.claims);
        if deleted.ends() {
            return deleted;
        }
        if diffs.scale_down > 0 {
            if !preparing.is_empty() || !specified.is_empty() {
                self.decide(Rule::ScaleDownWaits, Facts::Count(diffs.scale_down));
                return Done::ok(false);
            }
            return self.scale_down(pods, diffs);
        }
        self.decide(Rule::ScaleSettled, Facts::None);
        Done::ok(false)
    }

    fn scale_down(&mut self, pods: Pods<'_>, mut diffs: Diffs) -> Done {
        let (new, old) = (pods.of(|seen| seen.is_updated), pods.of(|seen| !seen.is_updated));
        let number = |number: i32| usize::try_from(number).unwrap_or(0);
        let counts = (number(diffs.scale_down), number(diffs.scale_down_old));
        let chosen = choose_pods_to_delete(self.set(), self.observed.nodes, self.observed.now, counts, (&old, &new));
        let deletable = self.within_limit(&chosen, &mut diffs);
        self.delete_pods(&deletable, pods.claims)
    }

    /// Deletions that wait at their hook are taken back while pods are missing. Not where a hook made pods not ready.
    fn manage_preparing_delete(&mut self, all: usize, preparing: &[&Rc<Pod>], planned: usize) -> Done {
        let set = self.set();
        let desired = usize::try_from(set.replicas()).unwrap_or(0) + planned;
        let missing = desired.saturating_sub(all);
        if missing == 0 || preparing.is_empty() {
            return Done::ok(false);
        }
        let lifecycle = set.spec.lifecycle.as_ref();
        let marks = lifecycle.is_some_and(|lifecycle| {
            marks_not_ready(lifecycle.pre_delete.as_ref()) || marks_not_ready(lifecycle.in_place_update.as_ref())
        });
        let missing = if marks { 0 } else { missing };
        let (mut regretted, mut result) = (0, Ok(()));
        for pod in preparing.iter().filter(|pod| !is_specified_delete(set, pod)).take(missing) {
            if let Err(error) = self.in_place().move_to(pod, life::PREPARING_NORMAL, false) {
                result = Err(error);
                break;
            }
            regretted += 1;
        }
        self.decide(Rule::DeletionsReconsidered, Facts::Count(regretted));
        Done { changed: regretted > 0, result }
    }

    /// Those of the pods that may be deleted now: those not ready, however briefly, and ready ones while the limit lasts.
    fn within_limit<'p>(&mut self, pods: &[&'p Rc<Pod>], diffs: &mut Diffs) -> Vec<&'p Rc<Pod>> {
        let mut deletable = Vec::new();
        for pod in pods {
            if is_available(pod, 0, self.observed.now) {
                if diffs.delete_ready_limit <= 0 {
                    self.decide_at(Rule::DeletionLimited, pod);
                    continue;
                }
                diffs.delete_ready_limit -= 1;
            }
            deletable.push(*pod);
        }
        deletable
    }
}
