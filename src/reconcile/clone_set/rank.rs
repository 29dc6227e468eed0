//! Which pods are deleted first, and the default order of updates.
//! Models ActivePodsWithRanks and the rankers of pkg/controller/cloneset/utils, after ActivePods of pkg/controller of
//! Kubernetes.
//!
//! A worked example: of four available pods, three on node-0 and one on node-1, the same-node rank of node-0's pods is 2,
//! 1 and 0 and that of the fourth is 0, so scaling down by two leaves one on each node.

use super::pods::is_available;
use crate::objects::{CloneSet, Node, Pod, PodPhase, Time};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";
const HOSTNAME: &str = "kubernetes.io/hostname";

/// A pod and what it is compared by. Fields that an order leaves out are equal for all.
#[derive(Clone)]
struct Standing<'a> {
    pod: &'a Rc<Pod>,
    is_assigned: bool,
    phase: u8,
    available: bool,
    ready: bool,
    cost: i32,
    rank: f64,
    ready_since: Option<Time>,
    restarts: i32,
}

impl<'a> Standing<'a> {
    fn plain(pod: &'a Rc<Pod>) -> Self {
        let ready = pod.condition("Ready").filter(|ready| &*ready.status == "True");
        Self {
            pod,
            is_assigned: !pod.spec.node_name.is_empty(),
            phase: phase(pod),
            available: true,
            ready: ready.is_some(),
            cost: 0,
            rank: 0.0,
            ready_since: ready.and_then(|ready| ready.last_transition_time),
            restarts: restarts(pod),
        }
    }

    fn with_cost(pod: &'a Rc<Pod>) -> Self {
        Self { cost: deletion_cost(pod), ..Self::plain(pod) }
    }

    /// Less means less worth keeping.
    fn compare(&self, other: &Self) -> Ordering {
        let key = |it: &Self| (it.is_assigned, it.phase, it.available, it.ready, it.cost);
        let ready_time = || {
            let both_ready = self.ready && other.ready;
            if both_ready { newer_first(self.ready_since, other.ready_since) } else { Ordering::Equal }
        };
        let created = |it: &Self| it.pod.metadata.creation_timestamp;
        key(self)
            .cmp(&key(other))
            .then(other.rank.total_cmp(&self.rank))
            .then_with(ready_time)
            .then(other.restarts.cmp(&self.restarts))
            .then_with(|| newer_first(created(self), created(other)))
    }
}

/// Positions in `pods` in the order of their update where nothing else orders them.
pub(super) fn order_for_update(pods: &[&Rc<Pod>], places: &[usize]) -> Vec<usize> {
    let standings: Vec<Standing<'_>> = places.iter().map(|place| Standing::plain(pods[*place])).collect();
    in_order(&standings).into_iter().map(|at| places[at]).collect()
}

/// The places of the standings, the least first.
fn in_order(standings: &[Standing<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by(|a, b| standings[*a].compare(&standings[*b]));
    order
}

/// The pods to be deleted, first the first: old ones up to their share, new ones for the rest.
pub fn choose_pods_to_delete<'a>(
    set: &CloneSet,
    nodes: &[Rc<Node>],
    now: Time,
    (total, old_share): (usize, usize),
    (old, new): (&[&'a Rc<Pod>], &[&'a Rc<Pod>]),
) -> Vec<&'a Rc<Pod>> {
    let from_old = old_share.min(total);
    let mut chosen = choose(set, nodes, now, old, from_old);
    chosen.extend(choose(set, nodes, now, new, total - from_old));
    chosen
}

fn choose<'a>(set: &CloneSet, nodes: &[Rc<Node>], now: Time, pods: &[&'a Rc<Pod>], wanted: usize) -> Vec<&'a Rc<Pod>> {
    if wanted >= pods.len() {
        return pods.to_vec();
    }
    let topology_keys = topology_keys(set);
    let ranks =
        if topology_keys.is_empty() { same_node_ranks(pods) } else { spread_ranks(pods, nodes, &topology_keys) };
    let standings: Vec<Standing<'_>> = pods
        .iter()
        .zip(ranks)
        .map(|(pod, rank)| Standing {
            available: is_available(pod, set.spec.min_ready_seconds, now),
            rank,
            ..Standing::with_cost(pod)
        })
        .collect();
    in_order(&standings).into_iter().take(wanted).map(|at| pods[at]).collect()
}

/// For each pod, how many pods of its node would stay after it.
fn same_node_ranks(pods: &[&Rc<Pod>]) -> Vec<f64> {
    let standings: Vec<Standing<'_>> = pods.iter().map(|pod| Standing::with_cost(pod)).collect();
    let mut ranks = vec![0.0; pods.len()];
    let mut after: BTreeMap<&str, usize> = BTreeMap::new();
    for index in in_order(&standings).into_iter().rev() {
        let after = after.entry(&*pods[index].spec.node_name).or_default();
        ranks[index] = float(*after);
        *after += 1;
    }
    ranks
}

/// For each pod, how crowded its domains are: the sum over the topology keys of its place from the end of its domain,
/// weighed by the number of domains.
fn spread_ranks(pods: &[&Rc<Pod>], nodes: &[Rc<Node>], topology_keys: &[&str]) -> Vec<f64> {
    let same_node = same_node_ranks(pods);
    let mut ranks = vec![0.0; pods.len()];
    for key in topology_keys {
        let rank = |index: usize| if *key == HOSTNAME { 0.0 } else { same_node[index] };
        let standings: Vec<Standing<'_>> =
            (0..).zip(pods).map(|(index, pod)| Standing { rank: rank(index), ..Standing::with_cost(pod) }).collect();
        let mut domains: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, pod) in pods.iter().enumerate() {
            if let Some(domain) = domain_of(pod, nodes, key) {
                domains.entry(domain).or_default().push(index);
            }
        }
        let weight = (float(domains.len()) + 2.0).ln();
        for places in domains.values_mut() {
            places.sort_by(|a, b| standings[*a].compare(&standings[*b]));
            for (place, index) in places.iter().enumerate() {
                ranks[*index] += float(places.len() - place) * weight;
            }
        }
    }
    ranks
}

fn domain_of<'a>(pod: &Pod, nodes: &'a [Rc<Node>], key: &str) -> Option<&'a str> {
    let node = nodes.iter().find(|node| node.metadata.name == pod.spec.node_name)?;
    node.metadata.labels.get(key).map(|domain| &**domain)
}

fn topology_keys(set: &CloneSet) -> Vec<&str> {
    let constraints = set.spec.template.spec.extra.get("topologySpreadConstraints");
    let constraints = constraints.and_then(serde_json::Value::as_array).into_iter().flatten();
    constraints.filter_map(|constraint| constraint.get("topologyKey")?.as_str()).collect()
}

fn phase(pod: &Pod) -> u8 {
    match pod.status.phase {
        PodPhase::Unknown => 1,
        PodPhase::Running => 2,
        PodPhase::None | PodPhase::Pending | PodPhase::Succeeded | PodPhase::Failed => 0,
    }
}

/// The later moment first, an unknown one before any.
fn newer_first(a: Option<Time>, b: Option<Time>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => b.cmp(&a),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

fn restarts(pod: &Pod) -> i32 {
    pod.status.container_statuses.iter().map(|container| container.restart_count).max().unwrap_or(0)
}

/// The pod's deletion cost; 0 where there is none or it is not written as a plain 32-bit number.
fn deletion_cost(pod: &Pod) -> i32 {
    let text = pod.metadata.annotations.get(DELETION_COST).map_or("0", |cost| cost);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = text == "0" || digits.starts_with(|first: char| ('1'..='9').contains(&first));
    if is_plain { text.parse().unwrap_or(0) } else { 0 }
}

#[allow(clippy::cast_precision_loss, reason = "a count of pods")]
fn float(count: usize) -> f64 {
    count as f64
}
