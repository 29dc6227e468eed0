//! TaintToleration.

use super::snapshot::{Host, Incoming};
use super::{Misfit, Score, normalized};
use crate::objects::{Node, Pod, Taint, Toleration};

const PREFERRED: &str = "PreferNoSchedule";

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    untolerated(incoming.pod, host.node).next().map(|taint| Misfit::Tainted(taint.clone())).into_iter().collect()
}

/// The taints by which the node does not take the pod.
pub(super) fn untolerated<'a>(pod: &'a Pod, node: &'a Node) -> impl Iterator<Item = &'a Taint> {
    node.spec.taints.iter().filter(|taint| &*taint.effect != PREFERRED && !tolerates(&pod.spec.tolerations, taint))
}

pub(super) const SCORE: Score = Score {
    weight: 3,
    points: |incoming, hosts| {
        let repels = |taint: &&Taint| &*taint.effect == PREFERRED && !tolerates(&incoming.pod.spec.tolerations, taint);
        let count = |taints: &[Taint]| i64::try_from(taints.iter().filter(repels).count()).unwrap_or(i64::MAX);
        let counts: Vec<i64> = hosts.iter().map(|host| count(&host.node.spec.taints)).collect();
        counts.iter().any(|count| *count > 0).then(|| normalized(counts, true))
    },
};

/// Whether one of the tolerations bears the taint.
pub(super) fn tolerates(tolerations: &[Toleration], taint: &Taint) -> bool {
    tolerations.iter().any(|toleration| bears(toleration, taint))
}

/// Whether this toleration bears the taint.
pub(in crate::sim) fn bears(toleration: &Toleration, taint: &Taint) -> bool {
    let key = toleration.key.is_empty() || toleration.key == taint.key;
    let effect = toleration.effect.is_empty() || toleration.effect == taint.effect;
    let value = &*toleration.operator == "Exists" || toleration.value == taint.value;
    key && effect && value
}
