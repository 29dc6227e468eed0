//! A gate of a pod is closed: it is not scheduled, or not Ready, before somebody else opens it.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Pod, PodCondition};
use crate::session::dump::{Held, UNNAMED_GATE};
use crate::sim::What;
use crate::text::Text;
use std::rc::Rc;

pub(super) const SCHEDULING: Condition = Condition {
    name: "scheduling-gate-closed",
    issue: "https://github.com/kubernetes/enhancements/issues/3521",
    find: scheduling,
};

pub(super) const READINESS: Condition = Condition {
    name: "readiness-gate-closed",
    issue: "https://github.com/kubernetes/enhancements/issues/580",
    find: readiness,
};

/// The pods of the case that such a hold is about, with it.
fn held<'a>(case: &Case<'a>) -> impl Iterator<Item = (&'a Rc<Pod>, &'a Held)> {
    let pods = case.observed_pods.clone();
    case.holds.iter().filter_map(move |held| {
        let object = held.object();
        let is_meant = |pod: &&&Rc<Pod>| pod.metadata.name == object.name && pod.metadata.namespace == object.namespace;
        Some((*pods.iter().find(is_meant)?, held))
    })
}

fn scheduling(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let find = |(pod, held): (&Rc<Pod>, &Held)| {
        let What::Gated { name, group } = &held.hold.what else { return None };
        let own = &pod.metadata.name;
        let waits = match **name == *UNNAMED_GATE {
            true => text!(
                "{} has a scheduling gate: only whoever put it on takes it away. `kubectl get pod {} -n {} -o yaml` names it.",
                own,
                own,
                &pod.metadata.namespace
            ),
            false => {
                text!("{} is not scheduled while it has the gate {}: only whoever put it on takes it away.", own, name)
            }
        };
        let group = group.map(|group| {
            let there = case.observed_pods.len();
            text!("It does so once all {} pods of the group are there; now there are {}.", group, there)
        });
        let finding = Finding::new(
            condition,
            Gravity::Stuck,
            Cause::Scheduling,
            Text::sentences([waits].into_iter().chain(group)),
        )
        .at(pod)
        .mistaken_for(text!("Not the scheduler, and no lack of room: it passes the pod over."))
        .evidence(&of_pod(pod), &["spec.schedulingGates"]);
        Some(finding)
    };
    held(case).filter_map(find).collect()
}

fn readiness(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let find = |(pod, held): (&Rc<Pod>, &Held)| {
        let What::GateClosed { name } = &held.hold.what else { return None };
        let own = &pod.metadata.name;
        let text = match pod.condition(name) {
            Some(gate) if gate.reason.is_empty() && gate.message.is_empty() => text!(
                "The containers of {} are ready, and it is not Ready before its readiness gate {} is True. That is {}, and no reason is given.",
                own,
                name,
                gate.status
            ),
            Some(gate) => text!(
                "The containers of {} are ready, and it is not Ready before its readiness gate {} is True. That says {}: {}",
                own,
                name,
                gate.status,
                words(gate)
            ),
            None => text!(
                "The containers of {} are ready, and it is not Ready before its readiness gate {} is True. Nobody has ever set that condition.",
                own,
                name
            ),
        };
        let mut finding = Finding::new(condition, Gravity::Stuck, Cause::AppNotReady, text)
            .at(pod)
            .mistaken_for(text!(
                "Neither its probe nor its template: whoever sets that condition has to find the pod in order."
            ))
            .evidence(&of_pod(pod), &["spec.readinessGates"]);
        let at = pod.status.conditions.iter().position(|condition| condition.condition_type == *name);
        if let Some(at) = at {
            finding = finding.evidence(&of_pod(pod), &[&format!("status.conditions[{at}].status")]);
        }
        Some(finding)
    };
    held(case).filter_map(find).collect()
}

/// Reason and message.
fn words(gate: &PodCondition) -> Text {
    let parts = [&gate.reason, &gate.message].into_iter().filter(|word| !word.is_empty());
    Text::list(": ", parts.map(|word| Text::verbatim(&**word)))
}
