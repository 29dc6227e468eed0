//! Another number of replicas, another partition, another policy.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{
    Object, PersistentVolumeClaim, Pod, PodManagementPolicy, PodPhase, StatefulSet, UpdateStrategyType,
};
use crate::reconcile::{TEMPLATE_HASH_LABEL, revision_of};
use crate::verdict::ordinal;
use std::rc::Rc;

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let set = case.object.reference();
    let mut all = Vec::new();
    if let Object::StatefulSet(own) = case.object {
        let strategy = &own.spec.update_strategy;
        let partition = strategy.rolling_update.as_ref().and_then(|update| update.partition).unwrap_or(0);
        if strategy.strategy_type == UpdateStrategyType::RollingUpdate && partition > 0 {
            let lower = Command::set_partition(set.clone(), 0);
            all.push(Remedy::new("lower-partition", text!("Lower the partition to 0"), vec![lower]));
        }
        if own.spec.pod_management_policy == PodManagementPolicy::OrderedReady && holds_back(case, own) {
            let recreate = Command::Recreate { set: set.clone(), policy: PodManagementPolicy::Parallel };
            let title = text!("Delete the set with --cascade=orphan and create it again with Parallel");
            let risk = text!("Parallel gives up the order of creation and deletion, from then on.");
            let assumes = text!("{}.yaml is its manifest, with podManagementPolicy: Parallel.", own.metadata.name);
            all.push(Remedy::new("recreate-parallel", title, vec![recreate]).with_risk(risk).assuming(assumes));
        }
    }
    let Some(replicas) = case.object.replicas().filter(|_| !matches!(case.object, Object::ReplicaSet(_))) else {
        return all;
    };
    // As many as there are pods: nothing is left to be deleted, so that a rollout or a repair can go first.
    let more = scaled_from(case).filter(|present| *present > replicas);
    let Some(present) = more.or_else(|| had_volumes(case)) else { return all };
    let scale = Command::Scale { set, replicas: present };
    let title = text!("Scale back to {}", present);
    all.push(
        Remedy::new("scale-back", title, vec![scale]).with_risk(text!("It undoes the scaling that was asked for.")),
    );
    all
}

/// Whether a pod that is not Ready keeps others from being made, deleted or updated.
fn holds_back(case: &Case<'_>, set: &StatefulSet) -> bool {
    let is_behind = |pod: &Rc<Pod>| revision_of(pod) != &*set.status.update_revision;
    let there = i32::try_from(case.observed_pods.len()).unwrap_or(i32::MAX);
    let is_blocked = case.observed_pods.iter().any(|pod| !pod.is_ready() || pod.is_terminating());
    is_blocked && (there != set.replicas() || case.observed_pods.iter().any(|pod| is_behind(pod)))
}

/// How many pods are Ready, where those that lack are of higher ordinals and never had their volumes: somebody has scaled the set up since.
fn had_volumes(case: &Case<'_>) -> Option<i32> {
    let set = case.ordered()?;
    let ready: Vec<&Pod> = case.pods.iter().map(|pod| &***pod).filter(|pod| pod.is_ready()).collect();
    let present = i32::try_from(ready.len()).ok().filter(|present| *present < set.replicas)?;
    let highest = ready.iter().map(|pod| ordinal(pod)).max()?;
    let had = |claim: &PersistentVolumeClaim| {
        let of = |template: &PersistentVolumeClaim| {
            let rest = claim.metadata.name.strip_prefix(&*template.metadata.name)?.strip_prefix('-')?;
            rest.strip_prefix(&*set.metadata.name)?.strip_prefix('-')?.parse::<i32>().ok()
        };
        let is_had = claim.metadata.namespace == set.metadata.namespace && &*claim.status.phase != "Pending";
        set.claim_templates.iter().find_map(of).filter(|_| is_had)
    };
    let newest = case.observed_run.cluster().claims().filter_map(|claim| had(claim)).max()?;
    let are_lowest = ready.iter().all(|pod| (0..i64::from(present)).contains(&set.index(pod)));
    (are_lowest && newest <= highest).then_some(present)
}

/// How many pods there are, where nothing but a scaling can have made too many: of pods without ordinals, those of another revision
/// are of a rollout that goes beyond `replicas` for a while, and those that have ended or are on their way out count for nothing.
fn scaled_from(case: &Case<'_>) -> Option<i32> {
    if case.object.kind().has_ordinals() {
        return i32::try_from(case.pods.len()).ok();
    }
    let ended = [PodPhase::Failed, PodPhase::Succeeded];
    let counts = |pod: &&Rc<Pod>| !ended.contains(&pod.status.phase) && !pod.is_terminating();
    let pods: Vec<&Rc<Pod>> = case.pods.iter().copied().filter(counts).collect();
    let revision =
        |pod: &Rc<Pod>| (revision_of(pod).to_owned(), pod.metadata.labels.get(TEMPLATE_HASH_LABEL).map(Rc::clone));
    let is_one = pods.windows(2).all(|pair| revision(pair[0]) == revision(pair[1]));
    i32::try_from(pods.len()).ok().filter(|_| is_one)
}
