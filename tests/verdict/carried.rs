//! No promise is shorter than what the text's own times carry: the grace that is left, `minReadySeconds`, the delay of a readiness
//! probe, a back-off, a toleration.

use serde_json::Value;
use setscope::diagnosis::Diagnosis;
use setscope::objects::{ContainerState, Node, Object, Pod, Time};
use setscope::session::Session;
use setscope::sim::Cluster;
use setscope::verdict::pods;
use std::rc::Rc;

/// What a container is at least waited for that ended and is to be started again, in milliseconds.
const FIRST_BACK_OFF_MS: i64 = 10_000;
/// A program that was asked to end longer ago, in milliseconds, does not end at once.
const AT_ONCE_MS: i64 = 3_000;

/// Whoever gives a longer grace than this, in seconds, has a program that does not end at once.
const DEFAULT_GRACE: i64 = 30;

/// Until when something of the workload stays as it is at least, by its own times, and what.
fn carried(cluster: &Cluster, object: &Object) -> Vec<(String, Time)> {
    let own: Vec<&Rc<Pod>> = pods(cluster, object).into_iter().filter(|pod| !pod.has_ended()).collect();
    let live = || own.iter().copied().filter(|pod| !pod.is_terminating());
    let is_answering = |pod: &&Rc<Pod>| cluster.node(&pod.spec.node_name).is_some_and(|node| node.is_ready());
    let ending = own
        .iter()
        .copied()
        .filter(|pod| pod.is_terminating())
        .filter(is_answering)
        .filter_map(|pod| Some((format!("the grace of {}", pod.metadata.name), grace(cluster.now(), pod)?)));
    // One pod too many may be the one that is waited for.
    let are_needed = i32::try_from(live().count()).unwrap() <= object.desired();
    let needed = live().filter(|_| are_needed).flat_map(|pod| {
        let node = cluster.node(&pod.spec.node_name);
        let all = [
            ("minReadySeconds", available(object, pod)),
            ("the delay of the readiness probe", probed(pod)),
            ("the back-off", backs_off(pod)),
            ("the toleration", node.and_then(|node| tolerates(pod, node))),
        ];
        all.map(|(what, until)| Some((format!("{what} of {}", pod.metadata.name), until?))).into_iter().flatten()
    });
    ending.chain(needed).collect()
}

fn grace(now: Time, pod: &Pod) -> Option<Time> {
    let end = pod.metadata.deletion_timestamp?;
    let asked = end.plus_seconds(-pod.metadata.deletion_grace_period_seconds?);
    let runs = pod.status.container_statuses.iter().any(|one| matches!(one.state, ContainerState::Running { .. }));
    let is_own = pod.metadata.deletion_grace_period_seconds > Some(DEFAULT_GRACE);
    (runs && (is_own || now.0 - asked.0 > AT_ONCE_MS)).then_some(end)
}

fn available(object: &Object, pod: &Pod) -> Option<Time> {
    let since = pod.condition("Ready").filter(|_| pod.is_ready())?.last_transition_time?;
    (object.min_ready_seconds() > 0).then(|| since.plus_seconds(object.min_ready_seconds().into()))
}

fn probed(pod: &Pod) -> Option<Time> {
    let of = |container: &setscope::objects::Container| {
        let delay = container.extra.get("readinessProbe")?.get("initialDelaySeconds")?.as_i64()?;
        let status = pod.status.container_statuses.iter().find(|one| one.name == container.name && !one.ready)?;
        match &status.state {
            ContainerState::Running { started_at } => Some(started_at.as_ref()?.plus_seconds(delay)),
            _ => None,
        }
    };
    pod.spec.containers.iter().filter_map(of).max()
}

fn backs_off(pod: &Pod) -> Option<Time> {
    let all = pod
        .status
        .container_statuses
        .iter()
        .filter(|one| matches!(&one.state, ContainerState::Waiting { reason } if &**reason == "CrashLoopBackOff"));
    let ended = |last: &Value| last["terminated"]["finishedAt"].as_str().and_then(Time::parse);
    let ended = all.filter_map(|one| one.extra.get("lastState").and_then(ended)).max()?;
    Some(Time(ended.0 + FIRST_BACK_OFF_MS))
}

fn tolerates(pod: &Pod, node: &Node) -> Option<Time> {
    let since = node.spec.taints.iter().filter(|taint| &*taint.effect == "NoExecute");
    let left = since.filter(|_| !node.is_ready()).filter_map(|taint| {
        let borne = pod.spec.tolerations.iter().filter(|one| one.key == taint.key);
        Some(taint.time_added?.plus_seconds(borne.filter_map(|one| one.toleration_seconds).min()?))
    });
    left.min()
}

/// What of the workload lasts longer than what is promised of it.
pub(super) fn undercut(session: &Session, one: &Diagnosis, after: i64) -> Vec<String> {
    let cluster = session.cluster();
    let Ok(object) = cluster.get(&one.workload) else { return Vec::new() };
    let longer = carried(cluster, object).into_iter().map(|(what, until)| (what, until.0 - cluster.now().0));
    let longer = longer.filter(|(_, left)| *left > after);
    longer.map(|(what, left)| format!("it ends in {after} ms, and {what} in {left} ms")).collect()
}
