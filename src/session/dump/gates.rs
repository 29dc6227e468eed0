//! Gates that somebody else opens: scheduling gates of pods without a node, and readiness gates that keep a pod whose containers are
//! ready from being Ready.

use super::assume::Assumed;
use super::container::JUST_STARTED;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::node::pods;
use super::read::Event;
use crate::objects::{Kind, Object, OwnerReference, Pod, Time};
use crate::reconcile::{is_gate_of_update, is_in_grace};
use crate::sim::{Hold, START, Subject, What, readiness_gates, scheduling_gates};
use std::rc::Rc;

/// Where Kueue writes of how many pods a group consists. It takes its gate away once all of them are there.
const GROUP_SIZE: &str = "kueue.x-k8s.io/pod-group-total-count";
const GROUP_GATE: &str = "kueue.x-k8s.io/admission";

/// Pods that the scheduler passes over.
pub(super) fn of_scheduling(objects: &[Object], assumed: &mut Assumed<'_>) {
    for pod in pods(objects).filter(|pod| pod.spec.node_name.is_empty() && !pod.is_terminating()) {
        for name in scheduling_gates(pod) {
            let size = pod.metadata.annotations.get(GROUP_SIZE).filter(|_| name == GROUP_GATE);
            let group = size.and_then(|size| size.parse().ok());
            let text = text!(
                "{} is not scheduled before its gate {} is taken away, by whoever set it.",
                pod.metadata.name,
                name
            );
            let what = What::Gated { name: name.into(), group };
            let cleared_by = ClearedBy::SchedulingGate(name.into());
            assumed.hold(of(pod, what, cleared_by, (name, "PodScheduled", "spec.schedulingGates")), text);
        }
    }
}

/// Pods whose containers are ready and that are not: a readiness gate is closed.
///
/// Those whose containers have been ready for a moment only, as events: whoever opens the gate may be at it.
pub(super) fn of_readiness(objects: &[Object], assumed: &mut Assumed<'_>) -> Vec<Event> {
    let mut just_started = Vec::new();
    for pod in pods(objects).filter(|pod| !pod.is_ready() && !pod.is_terminating()) {
        let has_ready_containers = pod.condition("ContainersReady").is_some_and(|ready| &*ready.status == "True");
        let closed = |name: &&str| pod.condition(name).is_none_or(|condition| &*condition.status != "True");
        let is_own = |name: &&str| is_updated_in_place(pod, name);
        let closed = readiness_gates(pod).filter(closed).filter(|_| has_ready_containers);
        for name in closed.filter(|name| !is_own(name)) {
            let text = text!(
                "{} is not Ready before its readiness gate {} is opened, by whoever sets it.",
                pod.metadata.name,
                name
            );
            let what = What::GateClosed { name: name.into() };
            let cleared_by = ClearedBy::ReadinessGate(name.into());
            let holds = assumed.hold(of(pod, what, cleared_by, (name, "Ready", "spec.readinessGates")), text);
            let ready = pod.condition("ContainersReady").and_then(|ready| ready.last_transition_time);
            let is_new = |at: &Time| START.0.saturating_sub(at.0) <= AT_WORK_MS && is_unanswered(pod, name);
            if let Some(at) = ready.filter(|at| holds && is_new(at)) {
                let told = Event::of_status((Kind::Pod, &pod.metadata), &JUST_STARTED.into(), &"".into(), at);
                just_started.push(Event { last: START, ..told });
            }
        }
    }
    just_started
}

/// What is said of a gate by whoever is still at it.
const AT_WORK: [&str; 3] = ["InProgress", "Initial", "Pending"];

/// Whether whoever opens the gate has not said why it is closed.
fn is_unanswered(pod: &Pod, gate: &str) -> bool {
    let reason = pod.condition(gate).map(|gate| &*gate.reason).unwrap_or_default();
    reason.is_empty() || AT_WORK.iter().any(|word| reason.contains(word))
}

/// Whoever opens a gate is given so long after the containers are ready, in milliseconds: a balancer looks at a new target for as long.
const AT_WORK_MS: i64 = 120_000;

/// Longer than this no controller leaves a gate closed that it is to open, in milliseconds.
const OPENED_MS: i64 = 60_000;

/// Whether the gate is closed for an update in place that is under way: its controller, which runs here, opens it, once the grace is
/// over and the new container runs.
fn is_updated_in_place(pod: &Pod, gate: &str) -> bool {
    let runs_here = |owner: &OwnerReference| Kind::named(&owner.api_version, &owner.kind).is_some();
    let ready = pod.condition("ContainersReady").and_then(|ready| ready.last_transition_time);
    let is_soon = is_in_grace(pod) || ready.is_some_and(|at| START.0.saturating_sub(at.0) < OPENED_MS);
    is_gate_of_update(pod, gate) && is_soon && pod.metadata.controller_of().is_some_and(runs_here)
}

/// A gate of the pod, and of the one that is made in its place: who put it on this one may do so again, and open it or not.
fn of(pod: &Rc<Pod>, what: What, by: ClearedBy, (name, condition, path): (&str, &str, &str)) -> Held {
    let object = Object::Pod(Rc::clone(pod));
    let hold = Hold { subject: Subject::Named(object.reference()), what };
    let gate = pod.condition(name).or(pod.condition(condition));
    Held {
        evidence: vec![Evidence::of(&object, path)],
        reason: gate.map(|gate| Rc::clone(&gate.reason)).unwrap_or_default(),
        message: gate.map(|gate| Rc::clone(&gate.message)).unwrap_or_default(),
        since: pod.condition(condition).and_then(|condition| condition.last_transition_time),
        after_delete: AfterDelete::Unknown,
        ..Held::new(hold, by)
    }
}
