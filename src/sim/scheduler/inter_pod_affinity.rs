//! InterPodAffinity: beside which pods a pod must, must not, would rather and would rather not run, and what pods that run
//! already say of it. Models plugins/interpodaffinity.

use super::snapshot::{Host, Incoming, Snapshot};
use super::{Misfit, Score};
use crate::objects::{Pod, PodAffinity, PodAffinityTerm};
use crate::sim::index::is_particular;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) fn misfits(incoming: &Incoming<'_>, host: &Host<'_>) -> Vec<Misfit> {
    incoming.neighbors.misfit(host).into_iter().collect()
}

pub(super) const SCORE: Score = Score { weight: 2, points: |incoming, hosts| incoming.neighbors.points(hosts) };

/// A label of nodes with its value.
type TopologyDomain = (Rc<str>, String);

/// What speaks for and against each place.
pub(super) struct Neighbors {
    /// Keys of the pod's required affinity with the places that have pods for all of its terms.
    wanted: Vec<(Rc<str>, Vec<String>)>,
    /// Nobody is there whom the affinity is about, and the pod is so itself: it may be the first.
    may_be_first: bool,
    /// Places with pods that the pod must not be beside.
    shunned: Vec<TopologyDomain>,
    /// Places with pods that must not be beside this one.
    shunning: Vec<TopologyDomain>,
    /// By place, the weights of what is preferred.
    preferred: BTreeMap<TopologyDomain, i64>,
}

/// What a pod without the one or the other asks for.
const NONE: &PodAffinity = &PodAffinity { required: Vec::new(), preferred: Vec::new() };

/// The pod's affinity and anti-affinity.
fn both(pod: &Pod) -> [&PodAffinity; 2] {
    [pod.spec.pod_affinity(), pod.spec.pod_anti_affinity()].map(|asked| asked.unwrap_or(NONE))
}

impl Neighbors {
    pub(super) fn new(snapshot: &Snapshot<'_>, pod: &Pod) -> Self {
        let own = &pod.metadata;
        let [affinity, anti_affinity] = both(pod);
        let mut wanted: Vec<(Rc<str>, Vec<String>)> =
            affinity.required.iter().map(|term| (Rc::clone(&term.topology_key), Vec::new())).collect();
        let (mut shunned, mut shunning, mut preferred) = (Vec::new(), Vec::new(), BTreeMap::new());
        // Where no pod says beside whom it runs, no other has to be looked at.
        let is_asked = is_particular(pod) || snapshot.store.index.has_particular();
        for host in if is_asked { snapshot.hosts() } else { &[] } {
            let place = |term: &PodAffinityTerm| {
                host.label(&term.topology_key).map(|value| (Rc::clone(&term.topology_key), value.to_owned()))
            };
            let others: Vec<&Rc<Pod>> =
                if is_particular(pod) { host.unfinished().collect() } else { host.particular().collect() };
            for other in others {
                let its = &other.metadata;
                if !wanted.is_empty() && affinity.required.iter().all(|term| term.is_about(own, its)) {
                    for (key, values) in &mut wanted {
                        values.extend(host.label(key).map(str::to_owned));
                    }
                }
                let is_shunned = |term: &&PodAffinityTerm| term.is_about(own, its);
                shunned.extend(anti_affinity.required.iter().filter(is_shunned).filter_map(place));
                let mut prefer = |term: &PodAffinityTerm, weight: i64| {
                    if let Some(place) = place(term) {
                        *preferred.entry(place).or_default() += weight;
                    }
                };
                for (terms, sign) in [(&affinity.preferred, 1), (&anti_affinity.preferred, -1)] {
                    for term in terms.iter().filter(|term| term.pod_affinity_term.is_about(own, its)) {
                        prefer(&term.pod_affinity_term, sign * term.weight);
                    }
                }
                // What pods that run say of the one that comes.
                let [likes, dislikes] = both(other);
                let is_meant = |term: &&PodAffinityTerm| term.is_about(its, own);
                likes.required.iter().filter(is_meant).for_each(|term| prefer(term, HARD_AFFINITY_WEIGHT));
                for (terms, sign) in [(&likes.preferred, 1), (&dislikes.preferred, -1)] {
                    for term in terms.iter().filter(|term| term.pod_affinity_term.is_about(its, own)) {
                        prefer(&term.pod_affinity_term, sign * term.weight);
                    }
                }
                shunning.extend(dislikes.required.iter().filter(is_meant).filter_map(place));
            }
        }
        let is_lonely = wanted.iter().all(|(_, values)| values.is_empty());
        let may_be_first = is_lonely && affinity.required.iter().all(|term| term.is_about(own, own));
        Self { wanted, may_be_first, shunned, shunning, preferred }
    }

    fn misfit(&self, host: &Host<'_>) -> Option<Misfit> {
        let is_at = |(key, value): &TopologyDomain| host.label(key) == Some(value);
        let is_wanted = |(key, values): &(Rc<str>, Vec<String>)| {
            host.label(key).is_some_and(|own| self.may_be_first || values.iter().any(|value| value == own))
        };
        if !self.wanted.iter().all(is_wanted) {
            Some(Misfit::PodAffinity)
        } else if self.shunned.iter().any(is_at) {
            Some(Misfit::AntiAffinity)
        } else {
            self.shunning.iter().any(is_at).then_some(Misfit::ExistingAntiAffinity)
        }
    }

    /// Models Score and NormalizeScore, scoring.go.
    fn points(&self, hosts: &[&Host<'_>]) -> Option<Vec<i64>> {
        if self.preferred.is_empty() {
            return None;
        }
        let sum = |host: &&Host<'_>| {
            let here = self.preferred.iter().filter(|((key, value), _)| host.label(key) == Some(value));
            here.map(|(_, weight)| weight).sum::<i64>()
        };
        let sums: Vec<i64> = hosts.iter().map(sum).collect();
        let (least, most) = (sums.iter().copied().min()?, sums.iter().copied().max()?);
        Some(sums.into_iter().map(|sum| if most == least { 0 } else { 100 * (sum - least) / (most - least) }).collect())
    }
}

/// What the required affinity of a pod that runs counts for the place of one that it is about.
const HARD_AFFINITY_WEIGHT: i64 = 1;
