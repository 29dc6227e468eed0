//! Pods that no workload of the run controls: what owns them, and how one stands of which nothing else is said.

use crate::objects::{Object, ObjectRef, Pod, PodPhase};
use crate::session::dump::UNTOLD_OWNER;
use crate::sim::Cluster;
use crate::verdict::{Ends, Shortfall, Standing, State, Verdict};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Who would make a pod that is gone again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody.
    Nobody,
    /// An object that is not simulated: its kind and name.
    Other(Rc<str>),
    /// The text does not tell.
    Untold,
}

/// Pods that no workload of a cluster controls. Those of the node itself, from its files, count for none.
pub(super) fn pods(cluster: &Cluster) -> Vec<ObjectRef> {
    let known: BTreeSet<&Rc<str>> = cluster.workloads().map(|object| &object.metadata().uid).collect();
    let is_lone = |pod: &&Rc<Pod>| {
        let owner = pod.metadata.controller_of();
        !pod.has_ended() && owner.is_none_or(|owner| &*owner.kind != "Node" && !known.contains(&owner.uid))
    };
    cluster.pods().filter(is_lone).map(|pod| Object::Pod(Rc::clone(pod)).reference()).collect()
}

/// Whether a workload of the cluster controls the pod that has this name now: it is told of with that.
pub(super) fn has_workload(cluster: &Cluster, key: &ObjectRef) -> bool {
    let owner = match cluster.get(key) {
        Ok(Object::Pod(pod)) => pod.metadata.controller_of(),
        _ => None,
    };
    owner.is_some_and(|owner| cluster.workloads().any(|object| object.metadata().uid == owner.uid))
}

/// Pods that nothing owns and that are new.
pub(super) fn made(before: &Cluster, after: &Cluster) -> Vec<ObjectRef> {
    let old: BTreeSet<&Rc<str>> = before.pods().map(|pod| &pod.metadata.uid).collect();
    let is_new = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_none() && !old.contains(&pod.metadata.uid);
    after.pods().filter(is_new).map(|pod| Object::Pod(Rc::clone(pod)).reference()).collect()
}

/// Who makes a pod again.
pub(crate) fn owner(pod: &Pod) -> Owner {
    match pod.metadata.controller_of() {
        None => Owner::Nobody,
        Some(owner) if &*owner.name == UNTOLD_OWNER => Owner::Untold,
        Some(owner) => Owner::Other(format!("{} {}", owner.kind, owner.name).into()),
    }
}

/// How a pod stands that nobody has judged: it is Ready, or it has ended.
pub(super) fn verdict(pod: &Rc<Pod>) -> Verdict {
    let is_failed = pod.status.phase == PodPhase::Failed;
    Verdict {
        workload: Object::Pod(Rc::clone(pod)).reference(),
        state: if is_failed { State::Held } else { State::AsAsked },
        stop: Standing::default(),
        ends: if is_failed { Ends::Never } else { Ends::ByItself { after: 0 } },
        shortfall: Shortfall::default(),
        available_after: None,
        first: None,
        next: None,
        holds: Vec::new(),
        refuted: None,
        staying: Vec::new(),
        grace_ms: None,
    }
}
