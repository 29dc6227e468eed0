//! What init containers may wait for: another workload of their namespace that nobody sees coming up.

use crate::objects::{ContainerState, ContainerStatus, Kind, Object, ObjectRef, Pod, Time};
use crate::sim::Cluster;
use crate::verdict::awaits::Await;
use crate::verdict::known::{Ends, State, Verdict, Why};
use crate::verdict::pods::pods;
use std::rc::Rc;

/// The same verdicts, but that what waits in an init container for one that may not come up is not known to end by itself; nor is what
/// waits for that.
pub(super) fn awaiting(cluster: &Cluster, mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let initializing = |(at, verdict): (usize, &Verdict)| {
        let (pod, lasts_ms) = initializing(cluster, verdict)?;
        Some(Waiting { at, pod, lasts_ms })
    };
    let mut waiting: Vec<Waiting> = verdicts.iter().enumerate().filter_map(initializing).collect();
    let mut down: Vec<ObjectRef> = if waiting.is_empty() { Vec::new() } else { all_down(cluster, &verdicts) };
    while let Some(other) = down.pop() {
        let is_beside = |one: &Waiting| verdicts[one.at].workload.namespace == other.namespace;
        let (beside, rest): (Vec<Waiting>, Vec<Waiting>) = waiting.into_iter().partition(is_beside);
        waiting = rest;
        for Waiting { at, pod, lasts_ms } in beside {
            let (kind, name) = (other.kind.as_str().into(), Rc::clone(&other.name));
            let why = Why::Awaits(Await::Init { pod, kind, name, has_failed: false, lasts_ms });
            let verdict = &mut verdicts[at];
            (verdict.ends, verdict.state, verdict.refuted) = (Ends::NotKnown(why), State::NotKnown, None);
            down.push(verdict.workload.clone());
        }
    }
    verdicts
}

/// A pod that waits in an init container, which has run for so many milliseconds, and where its workload's verdict is.
struct Waiting {
    at: usize,
    pod: Rc<str>,
    lasts_ms: i64,
}

/// Workloads of which no pod is Ready, and which may not get so.
fn all_down(cluster: &Cluster, verdicts: &[Verdict]) -> Vec<ObjectRef> {
    let is_down = |verdict: &&Verdict| {
        let own = cluster.get(&verdict.workload).ok().filter(|_| verdict.is_open());
        let is_wanted = |object: &Object| object.kind() == Kind::Pod || object.desired() > 0;
        own.is_some_and(|object| is_wanted(object) && pods(cluster, object).iter().all(|pod| !pod.is_ready()))
    };
    verdicts.iter().filter(is_down).map(|verdict| verdict.workload.clone()).collect()
}

/// A pod of a workload that is taken to get well by itself, one of whose init containers has run for so many milliseconds.
fn initializing(cluster: &Cluster, verdict: &Verdict) -> Option<(Rc<str>, i64)> {
    let is_promised = matches!(verdict.ends, Ends::ByItself { .. }) && !verdict.is_well();
    let object = cluster.get(&verdict.workload).ok().filter(|_| is_promised)?;
    let lasts = |since: Time| cluster.now().0.saturating_sub(since.0).max(0);
    let of = |pod: &Rc<Pod>| Some((Rc::clone(&pod.metadata.name), lasts(initializes_since(pod)?)));
    pods(cluster, object).into_iter().find_map(of)
}

/// Since when an init container of the pod runs that is to end.
fn initializes_since(pod: &Pod) -> Option<Time> {
    let is_to_end = |status: &&ContainerStatus| {
        let own = pod.spec.init_containers.iter().find(|container| container.name == status.name);
        own.is_some_and(|container| !container.is_sidecar())
    };
    let mut own = pod.status.init_container_statuses.iter().filter(is_to_end);
    own.find_map(|status| if let ContainerState::Running { started_at } = &status.state { *started_at } else { None })
}
