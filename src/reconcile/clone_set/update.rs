//! Moving pods on through their life, and bringing them to the update revision.
//! Models Update of pkg/controller/cloneset/sync/cloneset_update.go of openkruise/kruise.

use super::Rule;
use super::diff::{Purpose, calculate_diffs};
use super::history::{CLAIMS_ANNOTATION, Revisions};
use super::order::{limit_waiting, sort_waiting};
use super::pods::is_at;
use super::{CachedClone, Sync};
use crate::objects::clone_set::PodUpdatePolicy;
use crate::objects::{ControllerRevision, EventType, Pod, UpdateStrategyType};
use crate::reconcile::in_place::{
    SPECIFIED_DELETE_LABEL, TEMPLATE_HASH_LABEL, UpdateSpec, in_place_update_spec, is_in_grace, life, short_hash,
    state_of,
};
use crate::reconcile::pods::revision_of;
use crate::reconcile::sync_cache::NothingToDo;
use crate::reconcile::{Facts, MetadataPatch, SyncError};
use std::rc::Rc;

type Revision = Rc<ControllerRevision>;

impl<'a> Sync<'a> {
    pub(super) fn update(
        &mut self,
        pods: &mut [CachedClone],
        revisions: &Revisions,
        history: &[&Revision],
    ) -> Result<(), SyncError> {
        let set = self.set();
        let mut modified = false;
        for seen in &mut *pods {
            match seen.nothing_to_do {
                Some(NothingToDo::Settled) => {}
                Some(NothingToDo::Incomplete) => self.decide_at(Rule::InPlaceIncomplete, &seen.pod),
                None => {
                    let decided = self.decisions.len();
                    let moved = self.refresh_pod(&seen.pod, &revisions.update.metadata.name)?;
                    seen.nothing_to_do = match &self.decisions[decided..] {
                        [] if !moved => Some(NothingToDo::Settled),
                        [only] if !moved && only.rule == Rule::InPlaceIncomplete => Some(NothingToDo::Incomplete),
                        _ => None,
                    };
                    modified |= moved;
                }
            }
        }
        if modified {
            self.decide(Rule::RefreshFirst, Facts::None);
            return Ok(());
        }
        if let Some(rule) = self.update_hold() {
            self.decide(rule, Facts::None);
            return Ok(());
        }
        let diffs = calculate_diffs(self.situation(revisions), pods, Purpose::Update);
        self.decide(Rule::DiffsCalculated, Facts::Diffs(diffs.into()));
        if diffs.update == 0 {
            self.decide(Rule::CloneUpdateSettled, Facts::None);
            return Ok(());
        }
        let target = if diffs.update > 0 { &revisions.update } else { &revisions.current };
        let is_forward = diffs.update > 0;
        let waits = |seen: &CachedClone| {
            let is_held = || state_of(&seen.pod) != life::UPDATED && is_in_grace(&seen.pod);
            seen.is_updated != is_forward && !seen.is_preparing_delete && !is_held()
        };
        let waiting: Vec<usize> = (0..pods.len()).filter(|index| waits(&pods[*index])).collect();
        let plain: Vec<&Rc<Pod>> = pods.iter().map(|seen| &seen.pod).collect();
        let waiting = sort_waiting(set, &plain, &waiting);
        let limited = limit_waiting(self.observed.now, &diffs, &target.metadata.name, pods, waiting.clone());
        let due = usize::try_from(diffs.update.unsigned_abs()).unwrap_or(usize::MAX);
        if limited.len() < waiting.len().min(due) {
            self.decide(Rule::CloneUpdateLimited, Facts::Count(diffs.update_max_unavailable));
        }
        for index in limited {
            self.update_pod(&pods[index].pod, target, history)?;
        }
        Ok(())
    }

    /// What keeps the set from updating any pod, if something does.
    fn update_hold(&self) -> Option<Rule> {
        let set = self.set();
        if set.spec.update_strategy.strategy_type == UpdateStrategyType::OnDelete {
            return Some(Rule::CloneUpdateOnDelete);
        }
        let is_paused = set.rolling_update().is_some_and(|rolling| rolling.paused);
        is_paused.then_some(Rule::CloneUpdatePaused)
    }

    /// Moves an update in place and the pod's state on, and says whether the pod was changed by that.
    fn refresh_pod(&mut self, pod: &Rc<Pod>, update: &str) -> Result<bool, SyncError> {
        let mut modified = self.in_place().refresh(pod, update, !pod.spec.node_name.is_empty())?;
        if pod.metadata.labels.get(TEMPLATE_HASH_LABEL).is_none() {
            let labels = [(TEMPLATE_HASH_LABEL, short_hash(revision_of(pod)))].into_iter().collect();
            self.patch(pod, &MetadataPatch { labels, ..MetadataPatch::default() })?;
            modified = true;
        }
        Ok(modified)
    }

    fn update_pod(&mut self, pod: &Rc<Pod>, target: &Revision, history: &[&Revision]) -> Result<(), SyncError> {
        let policy = self.set().rolling_update().map(|rolling| rolling.pod_update_policy).unwrap_or_default();
        if policy != PodUpdatePolicy::ReCreate {
            if let Some(spec) = self.in_place_spec(pod, target, history, policy) {
                return self.in_place().update(pod, &spec, true);
            }
            if policy == PodUpdatePolicy::InPlaceOnly {
                self.decide_at(Rule::InPlaceImpossible, pod);
                let name = &pod.metadata.name;
                let error = format!("find Pod {name} update strategy is InPlaceOnly but can not update in-place");
                return Err(SyncError(error));
            }
        }
        self.mark_for_recreation(pod, target)
    }

    /// How the pod is to be changed in place; none if it cannot be, or if its own revision is no longer known.
    fn in_place_spec(
        &self,
        pod: &Pod,
        target: &Revision,
        history: &[&Revision],
        policy: PodUpdatePolicy,
    ) -> Option<UpdateSpec> {
        let old = history.iter().find(|revision| is_at(pod, &revision.metadata.name))?;
        let gates = self.gates;
        let claims = |revision: &Revision| revision.metadata.annotations.get(CLAIMS_ANNOTATION).cloned();
        let claims = (claims(old), claims(target));
        if gates.recreate_for_claims
            && policy != PodUpdatePolicy::InPlaceOnly
            && let (Some(old), Some(new)) = claims
            && old != new
        {
            return None;
        }
        let strategy = self.set().rolling_update().and_then(|rolling| rolling.in_place_update_strategy.as_ref());
        let grace = strategy.map_or(0, |strategy| strategy.grace_period_seconds);
        in_place_update_spec(old, target, grace, gates.env_from_metadata)
    }

    /// Asks for the pod's deletion by its label; scaling does it in the next sync.
    fn mark_for_recreation(&mut self, pod: &Rc<Pod>, target: &Revision) -> Result<(), SyncError> {
        let (name, revision) = (&pod.metadata.name, &target.metadata.name);
        if pod.metadata.labels.get(SPECIFIED_DELETE_LABEL).is_none() {
            let labels = [(SPECIFIED_DELETE_LABEL, "true")].into_iter().collect();
            if let Err(error) = self.patch(pod, &MetadataPatch { labels, ..MetadataPatch::default() }) {
                let message =
                    format!("failed to patch pod specified-delete {name} for update(revision {revision}): {error}");
                self.record(EventType::Warning, "FailedUpdatePodReCreate", message);
                return Err(error);
            }
        }
        let message = format!("successfully patch pod {name} specified-delete for update(revision {revision})");
        self.record(EventType::Normal, "SuccessfulUpdatePodReCreate", message);
        self.decide_at(Rule::RecreateMarked, pod);
        Ok(())
    }
}
