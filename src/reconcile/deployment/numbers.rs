//! What the annotations of ReplicaSets and their sizes say. Models pkg/controller/deployment/util/deployment_util.go.

use super::{DESIRED, MAX, REVISION};
use crate::objects::{Deployment, Labels, ObjectMeta, ReplicaSet};
use std::rc::Rc;

/// The number of an annotation; none where it is not there.
pub(super) fn annotated(set: &ReplicaSet, key: &str) -> Option<i32> {
    set.metadata.annotations.get(key)?.parse().ok()
}

fn revision(metadata: &ObjectMeta) -> i64 {
    metadata.annotations.get(REVISION).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The number of a ReplicaSet's template in its Deployment's history; 0 where it has none.
pub fn revision_of_replica_set(set: &ReplicaSet) -> i64 {
    revision(&set.metadata)
}

/// Notes for how many replicas, and for how many at most, the set is scaled. Whether that is news.
pub(super) fn note_replicas(annotations: &mut Labels, deployment: &Deployment) -> bool {
    let (surge, _) = deployment.limits();
    let mut changed = false;
    for (key, number) in [(DESIRED, deployment.replicas()), (MAX, deployment.replicas() + surge)] {
        let text: Rc<str> = number.to_string().into();
        if annotations.get(key) != Some(&text) {
            annotations.insert(key, text);
            changed = true;
        }
    }
    changed
}

/// The pods that the sets should have.
pub(super) fn wanted<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sets.into_iter().map(|set| set.replicas()).sum()
}

/// The pods that have been ready for long enough.
pub(super) fn available<'a>(sets: impl IntoIterator<Item = &'a Rc<ReplicaSet>>) -> i32 {
    sets.into_iter().map(|set| set.status.available_replicas).sum()
}

/// The pods that the newest set should have. Models NewRSNewReplicas.
pub(super) fn new_size(deployment: &Deployment, all: i32, new: i32) -> i32 {
    use crate::objects::workload::DeploymentStrategyType::Recreate;
    let wanted = deployment.replicas();
    if deployment.spec.strategy.strategy_type == Recreate {
        return wanted;
    }
    let (surge, _) = deployment.limits();
    let room = wanted + surge - all;
    if room <= 0 { new } else { new + room.min(wanted - new) }
}

/// The part of `to_add` pods that falls to one of several sets by its size. Models GetReplicaSetProportion.
pub(super) fn proportion(deployment: &Deployment, set: &ReplicaSet, to_add: i32, added: i32) -> i32 {
    if set.replicas() == 0 || to_add == 0 || to_add == added {
        return 0;
    }
    let part = if deployment.replicas() == 0 {
        -set.replicas()
    } else {
        let (surge, _) = deployment.limits();
        let before = annotated(set, MAX).filter(|max| *max != 0).unwrap_or(deployment.status.replicas).max(1);
        let exact = f64::from(set.replicas()) * f64::from(deployment.replicas() + surge) / f64::from(before);
        rounded(exact) - set.replicas()
    };
    if to_add > 0 { part.min(to_add - added) } else { part.max(to_add - added) }
}

#[allow(clippy::cast_possible_truncation, reason = "a number of pods")]
fn rounded(exact: f64) -> i32 {
    exact.round() as i32
}
