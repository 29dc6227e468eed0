//! Sizes, counted as upstream counts them: in 32 bits that wrap around.
//! Models pkg/controller/deployment/util/deployment_util.go.

use super::{MAX, annotations};
use crate::objects::deployment::DeploymentStrategyType::Recreate;
use crate::objects::{Deployment, ReplicaSet, Round, Time};
use crate::reconcile::Gates;
use std::rc::Rc;

/// What ReplicaSets are sorted by, oldest first in the whole seconds that the API keeps.
pub(super) fn age(set: &ReplicaSet) -> (Option<i64>, &str) {
    (set.metadata.creation_timestamp.map(Time::seconds), &set.metadata.name)
}

fn sum<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>, number: impl Fn(&ReplicaSet) -> i32) -> i32 {
    sets.into_iter().fold(0, |sum, set| sum.wrapping_add(number(set)))
}

/// The pods that the sets should have.
pub(super) fn wanted<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sum(sets, ReplicaSet::replicas)
}

/// The pods that the sets have.
pub(super) fn actual<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sum(sets, |set| set.status.replicas)
}

/// The pods that are ready.
pub(super) fn ready<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sum(sets, |set| set.status.ready_replicas)
}

/// The pods that have been ready for long enough.
pub(super) fn available<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sum(sets, |set| set.status.available_replicas)
}

/// The pods that are terminating; none if a set that was reconciled does not say. Models
/// GetTerminatingReplicaCountForReplicaSets.
pub(super) fn terminating<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> Option<i32> {
    let count = |set: &Rc<ReplicaSet>| match set.status.terminating_replicas {
        None if set.status.observed_generation == 0 => Some(0),
        count => count,
    };
    sets.into_iter().try_fold(0_i32, |sum, set| Some(sum.wrapping_add(count(set)?)))
}

/// The pods that there may be during a rollout.
pub(super) fn at_most(deployment: &Deployment) -> i32 {
    deployment.replicas().wrapping_add(deployment.limits().0)
}

/// The pods that must stay available.
pub(super) fn at_least(deployment: &Deployment) -> i32 {
    deployment.replicas().wrapping_sub(deployment.limits().1)
}

/// The pods that the newest set should have. Models NewRSNewReplicas.
pub(super) fn new_size(deployment: &Deployment, all: i32, new: i32) -> i32 {
    let wanted = deployment.replicas();
    if deployment.spec.strategy.strategy_type == Recreate {
        return wanted;
    }
    let surge = deployment.spec.strategy.rolling_update.as_ref().and_then(|rolling| rolling.max_surge.as_ref());
    let most = wanted.wrapping_add(surge.and_then(|surge| surge.of(wanted, Round::Up)).unwrap_or(0));
    if all >= most { new } else { new.wrapping_add(most.wrapping_sub(all).min(wanted.wrapping_sub(new))) }
}

/// The part of `to_add` pods that falls to one of several sets by its size. Models GetReplicaSetProportion.
pub(super) fn proportion(deployment: &Deployment, set: &ReplicaSet, to_add: i32, added: i32, gates: &Gates) -> i32 {
    if set.replicas() == 0 || to_add == 0 || to_add == added {
        return 0;
    }
    let part = fraction(deployment, set, gates);
    let allowed = to_add.wrapping_sub(added);
    if to_add > 0 { part.min(allowed) } else { part.max(allowed) }
}

/// Models getReplicaSetFraction.
fn fraction(deployment: &Deployment, set: &ReplicaSet, gates: &Gates) -> i32 {
    let size = set.replicas();
    if deployment.replicas() == 0 {
        return size.wrapping_neg();
    }
    let checks = gates.workloads.checks_annotated_sizes;
    let annotated = annotations::size(set, MAX, gates).filter(|max| *max != 0 || !checks);
    let before = annotated.unwrap_or(deployment.status.replicas);
    if before == 0 && checks {
        return 0;
    }
    let exact = f64::from(size.wrapping_mul(at_most(deployment))) / f64::from(before);
    rounded(exact).wrapping_sub(size)
}

/// Rounded half away from zero; what is out of range, or no number, comes out as on amd64.
#[allow(clippy::cast_possible_truncation, reason = "in range")]
fn rounded(exact: f64) -> i32 {
    let rounded = exact.round();
    if (-2_147_483_648.0..=2_147_483_647.0).contains(&rounded) { rounded as i32 } else { i32::MIN }
}
