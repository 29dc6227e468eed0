//! PodTopologySpread: a pod's own constraints. Models plugins/podtopologyspread.

use super::snapshot::{Host, Incoming, Snapshot};
use super::taints::tolerates;
use super::{Misfit, Score};
use crate::objects::{Pod, Taint, TopologySpreadConstraint};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    incoming.spread.required.iter().find_map(|required| required.misfit(incoming.pod, host)).into_iter().collect()
}

pub(super) const SCORE: Score = Score {
    weight: 2,
    points: |incoming, hosts| {
        let preferred = &incoming.spread.preferred;
        (!preferred.is_empty()).then(|| points(preferred, incoming.snapshot, incoming.pod, hosts))
    },
};

/// The constraints of a pod that is to be placed.
pub(super) struct Spread {
    required: Vec<Counted>,
    preferred: Vec<TopologySpreadConstraint>,
}

/// A constraint with the pods that count for it, by the value of its label.
struct Counted {
    constraint: TopologySpreadConstraint,
    counts: BTreeMap<String, i64>,
}

impl Spread {
    pub(super) fn new(snapshot: &Snapshot<'_>, pod: &Pod) -> Self {
        let all = pod.spec.spread_constraints();
        let (required, preferred): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|constraint| &*constraint.when_unsatisfiable == "DoNotSchedule");
        let keys: Vec<_> = required.iter().map(|constraint| constraint.topology_key.clone()).collect();
        let count = |constraint: TopologySpreadConstraint| {
            let mut counts: BTreeMap<String, i64> = BTreeMap::new();
            for host in snapshot.hosts().iter().filter(|host| keys.iter().all(|key| host.label(key).is_some())) {
                if let Some(value) =
                    host.label(&constraint.topology_key).filter(|_| is_included(&constraint, pod, host))
                {
                    *counts.entry(value.to_owned()).or_default() += count_on(&constraint, pod, host);
                }
            }
            Counted { constraint, counts }
        };
        Self { required: required.into_iter().map(count).collect(), preferred }
    }
}

impl Counted {
    fn misfit(&self, pod: &Pod, host: &Host<'_>) -> Option<Misfit> {
        let Some(value) = host.label(&self.constraint.topology_key) else { return Some(Misfit::SpreadLabel) };
        let has_too_few = self.constraint.min_domains.is_some_and(|least| self.counts.len() < least);
        let least = self.counts.values().copied().min().filter(|_| !has_too_few).unwrap_or(0);
        let own = i64::from(self.constraint.counts(&pod.metadata, &pod.metadata));
        let here = self.counts.get(value).copied().unwrap_or(0);
        (here + own - least > self.constraint.max_skew).then_some(Misfit::Spread)
    }
}

/// Models matchNodeInclusionPolicies.
fn is_included(constraint: &TopologySpreadConstraint, pod: &Pod, host: &Host<'_>) -> bool {
    let ignores_affinity = constraint.node_affinity_policy.as_deref() == Some("Ignore");
    let honors_taints = constraint.node_taints_policy.as_deref() == Some("Honor");
    let repels = |taint: &Taint| &*taint.effect != "PreferNoSchedule" && !tolerates(&pod.spec.tolerations, taint);
    (ignores_affinity || pod.spec.asks_for(host.node)) && !(honors_taints && host.node.spec.taints.iter().any(repels))
}

/// The pods of a node that count; one that is being deleted does not. Models countPodsMatchSelector.
fn count_on(constraint: &TopologySpreadConstraint, pod: &Pod, host: &Host<'_>) -> i64 {
    let counts = |other: &&std::rc::Rc<Pod>| {
        other.metadata.deletion_timestamp.is_none() && constraint.counts(&pod.metadata, &other.metadata)
    };
    i64::try_from(host.unfinished().filter(counts).count()).unwrap_or(i64::MAX)
}

/// Models Score and NormalizeScore, scoring.go: nodes that lack a label have no points.
fn points(
    constraints: &[TopologySpreadConstraint],
    snapshot: &Snapshot<'_>,
    pod: &Pod,
    hosts: &[&Host<'_>],
) -> Vec<i64> {
    let has_labels =
        |host: &Host<'_>| constraints.iter().all(|constraint| host.label(&constraint.topology_key).is_some());
    let sums: Vec<Option<i64>> = hosts
        .iter()
        .map(|host| has_labels(host).then(|| constraints.iter().map(|it| crowd(it, snapshot, pod, hosts, host)).sum()))
        .map(|sum: Option<f64>| sum.map(rounded))
        .collect();
    let most = sums.iter().flatten().copied().max().unwrap_or(0);
    let least = sums.iter().flatten().copied().min().unwrap_or(0);
    let scaled = |sum: i64| if most == 0 { 100 } else { 100 * (most + least - sum) / most };
    sums.into_iter().map(|sum| sum.map_or(0, scaled)).collect()
}

#[allow(clippy::cast_possible_truncation, reason = "a count of pods")]
fn rounded(sum: f64) -> i64 {
    sum.round() as i64
}

/// How crowded the place of a node is; places of a label with many values weigh more.
#[allow(clippy::cast_precision_loss, reason = "counts of pods and nodes")]
fn crowd(
    constraint: &TopologySpreadConstraint,
    snapshot: &Snapshot<'_>,
    pod: &Pod,
    hosts: &[&Host<'_>],
    host: &Host<'_>,
) -> f64 {
    let key = &*constraint.topology_key;
    let value = host.label(key);
    let values: BTreeSet<&str> = hosts.iter().filter_map(|host| host.label(key)).collect();
    let same = snapshot.hosts().iter().filter(|other| other.label(key) == value && is_included(constraint, pod, other));
    let count: i64 = same.map(|other| count_on(constraint, pod, other)).sum();
    (count as f64) * ((values.len() + 2) as f64).ln() + (constraint.max_skew - 1) as f64
}
