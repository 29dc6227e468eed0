//! What `kubectl drain` waits for, and when it gives up. Models evictPods and waitForDelete, pkg/drain/drain.go of k8s.io/kubectl.

use super::held::{held, is_there, of_pod};
use crate::kubectl::{Draining, drained, skipped_at};
use crate::objects::{Object, ObjectRef, Pod};
use crate::sim::{Cluster, EvictionRefusal};
use crate::text::{Text, about};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// Pods that are evicted from a node.
#[derive(Clone, Debug)]
pub struct Drain {
    node: Rc<str>,
    /// Those that are asked to go, with their uids, from the first that has not gone so far.
    open: VecDeque<(ObjectRef, Rc<str>)>,
    how: Draining,
    /// When kubectl gives up, on the run's clock.
    until: Option<i64>,
}

impl Drain {
    /// One that begins in this cluster.
    pub(super) fn new(cluster: &Cluster, node: &Rc<str>, how: &Draining) -> Self {
        let open = drained(cluster, node, how).iter().map(|pod| of_pod(pod)).collect();
        let until = how.timeout.map(|seconds| cluster.now().0 + i64::from(seconds) * 1_000);
        Self { node: Rc::clone(node), open, how: how.clone(), until }
    }

    fn is_late(&self, cluster: &Cluster) -> bool {
        self.until.is_some_and(|until| cluster.now().0 >= until)
    }

    /// The pods that it waits for.
    fn awaited<'a>(&self, cluster: &'a Cluster) -> impl Iterator<Item = &'a Pod> {
        self.open.iter().filter_map(|one| awaited(cluster, one, &self.how))
    }

    /// Forgets those that have gone up to the first that has not, as long as it waits.
    pub(super) fn look(&mut self, cluster: &Cluster) {
        if self.until.is_none_or(|until| cluster.now().0 <= until) {
            while self.open.front().is_some_and(|one| awaited(cluster, one, &self.how).is_none()) {
                self.open.pop_front();
            }
        }
    }

    /// When it next gives up waiting for a pod.
    pub(super) fn until(&self, cluster: &Cluster) -> Option<i64> {
        let skipped = self.awaited(cluster).next().and_then(|pod| skipped_at(pod, &self.how)).map(|at| at.0);
        skipped.into_iter().chain(self.until).filter(|at| *at > cluster.now().0).min()
    }

    /// The first pod that it still waits for: one that goes, or one that kubectl asks for again.
    fn stays<'a>(&self, cluster: &'a Cluster) -> Option<&'a Pod> {
        let first = self.awaited(cluster).next()?;
        let goes = |pod: &Pod| pod.is_terminating() && !self.is_late(cluster);
        if goes(first) || cluster.is_draining(&self.node) {
            return Some(first);
        }
        self.awaited(cluster).find(|pod| goes(pod))
    }

    /// Whether it still waits for a pod.
    pub(super) fn is_pending(&self, cluster: &Cluster) -> bool {
        self.stays(cluster).is_some()
    }

    /// What it still waits for.
    pub(super) fn pending(&self, cluster: &Cluster) -> Option<Text> {
        let refused = cluster.refused_evictions(&self.node);
        if let Some((pod, why)) = refused.first() {
            return Some(refused_words(cluster, pod, *why));
        }
        self.stays(cluster).map(|pod| held(cluster, &of_pod(pod).0))
    }

    /// Why not every pod was evicted and went while it waited.
    pub(super) fn refused(&self, cluster: &Cluster) -> Option<Text> {
        if cluster.is_draining(&self.node) {
            return None;
        }
        let there = self.open.iter().filter_map(|(key, uid)| is_there(cluster, key, uid));
        if let Some(pod) = there.into_iter().find(|pod| !pod.is_terminating()) {
            let (key, _) = of_pod(pod);
            let why = cluster.eviction_refusal(&key);
            let otherwise = || text!("{} was not evicted", key.name);
            return Some(why.map_or_else(otherwise, |why| refused_words(cluster, &key, why)));
        }
        let (key, _) = self.open.front().filter(|_| self.is_late(cluster))?;
        let limit = i64::from(self.how.timeout.unwrap_or_default()) * 1_000;
        Some(text!("global timeout reached: {}; {} is evicted and has not ended by then", about(limit), key.name))
    }
}

/// The pod, if it is there and not skipped by now.
fn awaited<'a>(cluster: &'a Cluster, (key, uid): &(ObjectRef, Rc<str>), how: &Draining) -> Option<&'a Pod> {
    is_there(cluster, key, uid).filter(|pod| skipped_at(pod, how).is_none_or(|at| cluster.now() < at))
}

/// What the eviction API says, and which budget is meant.
pub(super) fn refused_words(cluster: &Cluster, pod: &ObjectRef, why: EvictionRefusal) -> Text {
    let budgets = match cluster.get(pod) {
        Ok(Object::Pod(pod)) => cluster.budgets_over(pod),
        _ => Vec::new(),
    };
    let names: BTreeSet<Rc<str>> = budgets.iter().map(|budget| Rc::clone(&budget.metadata.name)).collect();
    let names = names.iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ");
    let message = Text::verbatim(&*why.error().message);
    match why {
        EvictionRefusal::UsedUp { needed, healthy } => text!(
            "eviction of {}: {} Budget {} needs {} healthy pods and has {}.",
            pod.name,
            message,
            names,
            needed,
            healthy
        ),
        EvictionRefusal::NotSynced | EvictionRefusal::SeveralBudgets => {
            text!("eviction of {}: {} Budgets: {}.", pod.name, message, names)
        }
    }
}
