//! Where the controller of a workload stands, why, and what ends the wait.

use super::kinds::{ARRIVES, Cause, Progress, RuleText, Surroundings, Weight, counts, done, is_active, node_of, retry};
use super::model::{Hook, Layout};
use super::pod::lifecycle_state;
use super::status_word::{how_lost, is_unreachable, is_unwell};
use super::text::Noun;
use super::turns::next_updated;
use super::{Explanation, Severity, text};
use crate::objects::Pod;
use crate::reconcile::Decision;
use crate::sim::{Cluster, SyncRecord};
use crate::text::Text;
use crate::verdict::Standing;
use std::rc::Rc;

pub(super) fn without_set() -> Explanation {
    Explanation {
        headline: text!("No StatefulSet yet"),
        reason: text!("Apply a manifest, and the controller has something to do."),
        resolution: Text::default(),
        severity: Severity::Settled,
    }
}

/// Where the workload's controller stands, which stopped there. Nothing waits where nothing is due.
pub(super) fn explain(around: &Surroundings<'_>, stop: &Standing) -> Explanation {
    let explanation = decided(around, stop);
    match explanation.severity {
        Severity::Waiting if around.cluster.next_event_at().is_none() => {
            Explanation { severity: Severity::Stuck, ..explanation }
        }
        _ => explanation,
    }
}

fn decided(around: &Surroundings<'_>, stop: &Standing) -> Explanation {
    let name = &around.object.metadata().name;
    let Some(sync) = &stop.sync else {
        return around.workload.unsynced(around).unwrap_or_else(|| Explanation {
            headline: text!("The controller has not synced {} yet", name),
            reason: text!("{} is on its way to the controller's cache.", name),
            resolution: Text::fixed(ARRIVES),
            severity: Severity::Waiting,
        });
    };
    let decision = stop.decision.as_ref();
    // An error that no decision is about leaves open where the sync would have stood.
    let is_known = sync.error.is_none() || decision.is_some_and(|decision| decision.rule.weight() == Weight::Refused);
    let cause = if is_known { around.cause(decision) } else { None };
    match (&sync.error, decision, cause) {
        (_, _, Some(Cause { headline: Some(headline), reason, resolution, severity })) => Explanation {
            headline,
            reason,
            resolution: resolution.unwrap_or_default(),
            severity: severity.unwrap_or(Severity::Waiting),
        },
        (Some(error), decision, _) => failed(around.cluster, sync, decision, error),
        (None, Some(decision), cause) if decision.rule.weight() > Weight::Update => {
            let (reason, resolution, severity) =
                cause.map_or_else(Default::default, |cause| (cause.reason, cause.resolution, cause.severity));
            Explanation {
                headline: decision.rule.sentence(sync, decision),
                reason: Text::sentences([reason, told(around)]),
                resolution: resolution.unwrap_or_else(|| Text::fixed(decision.rule.resolution())),
                severity: severity.unwrap_or_else(|| decision.rule.severity()),
            }
        }
        (None, decision, cause) => at_rest(around, sync, decision, cause),
    }
}

fn failed(cluster: &Cluster, sync: &SyncRecord, decision: Option<&Decision>, error: &str) -> Explanation {
    let refused = decision.filter(|decision| decision.rule.weight() == Weight::Refused);
    let headline = refused.map_or_else(
        || text!("The sync of {} failed", sync.subject.name),
        |decision| decision.rule.sentence(sync, decision),
    );
    let resolution = retry(cluster, &sync.subject);
    Explanation { headline, reason: text!("The controller says: {}", error), resolution, severity: Severity::Waiting }
}

/// Pods on nodes that cannot be reached.
fn cut_off<'a>(around: &Surroundings<'a>) -> impl Iterator<Item = &'a Rc<Pod>> {
    around.pods.iter().copied().filter(|pod| is_unreachable(around.cluster, pod))
}

/// The node as the picture has it.
fn node(around: &Surroundings<'_>, pod: &Pod) -> Rc<str> {
    if around.workload.layout() == Layout::Nodes { node_of(pod) } else { Rc::clone(&pod.spec.node_name) }
}

fn at_rest(
    around: &Surroundings<'_>,
    sync: &SyncRecord,
    decision: Option<&Decision>,
    cause: Option<Cause>,
) -> Explanation {
    let (numbers, wanted) = (counts(around.object), around.object.desired());
    let rests = numbers.available >= wanted;
    let progress = Progress {
        outdated: next_updated(around).iter().filter(|ranked| !ranked.kept).count(),
        updated: numbers.updated,
        desired: wanted,
    };
    let cut_off = cut_off(around).next();
    let general = match decision.map_or("", |decision| decision.rule.left_to_people(&progress)) {
        "" if rests => "",
        "" if cut_off.is_some() => "The node comes back, or somebody deletes the pod by force.",
        "" => "The pods that are not available are up to their kubelets.",
        words => words,
    };
    let is_updating = progress.outdated > 0 || numbers.updated < wanted;
    let headline = match (decision, cut_off) {
        (Some(decision), _) if decision.rule.weight() == Weight::Update && is_updating => {
            decision.rule.sentence(sync, decision)
        }
        (_, Some(pod)) if pod.is_terminating() && rests => {
            text!("{} on {} was replaced", pod.metadata.name, node(around, pod))
        }
        (_, Some(pod)) if is_unwell(around.cluster, &pod.spec.node_name) => {
            text!("{} is on {}, which is not Ready", pod.metadata.name, node(around, pod))
        }
        (_, Some(pod)) => text!("{} is lost with {}", pod.metadata.name, node(around, pod)),
        (Some(_) | None, None) => done(rests),
    };
    let (reason, resolution) = cause.map_or_else(Default::default, |cause| (cause.reason, cause.resolution));
    Explanation {
        headline,
        reason: Text::sentences([reason, told(around)]),
        resolution: resolution.unwrap_or_else(|| Text::fixed(general)),
        severity: if rests { Severity::Settled } else { Severity::Waiting },
    }
}

/// `3 of 4 pods ready, 2 updated.`
fn told(around: &Surroundings<'_>) -> Text {
    let numbers = counts(around.found.get(&around.object.reference()).unwrap_or(around.object));
    let pods = text::count(around.object.desired(), Noun::Pod);
    let lost = cut_off(around).map(|pod| lost(around, pod));
    let active = around.pods.iter().copied().filter(|pod| is_active(pod));
    let hooked = active.flat_map(|pod| around.workload.hooks(pod).into_iter().map(|(hook, _)| hooked(pod, &hook)));
    let kept = around.workload.kept_old().filter(|(kept, _)| *kept > 0);
    let kept = kept.map_or_else(Text::default, |(kept, _)| text!("The partition keeps {} old.", kept));
    let of_one = |text: Text| (1, text);
    let (ready, available, updated) = (numbers.ready, numbers.available, numbers.updated);
    let counts = match around.object.desired() {
        0 if ready == 0 => Text::default(),
        // More than it asks for, as during a rollout.
        desired if ready > desired => {
            text!("{} pods ready, {} asked for, {} available, {} updated.", ready, desired, available, updated)
        }
        _ => text!("{} of {} ready, {} available, {} updated.", ready, pods, available, updated),
    };
    Text::sentences([counts, kept, text::of_pods(hooked.map(of_one)), text::of_pods(lost.map(of_one))])
}

/// What the hook waits for that holds the pod.
fn hooked(pod: &Pod, hook: &Hook) -> Text {
    let (name, state) = (&pod.metadata.name, lifecycle_state(pod));
    match hook {
        Hook::TakeOff(label) => {
            text!("{} is {} and waits at its hook until this is removed: {}.", name, state, label)
        }
        Hook::PutOn(label) => {
            text!("{} is {} and waits at its hook until this is added: {}.", name, state, label)
        }
    }
}

/// What becomes of a pod on a node that cannot be reached.
fn lost(around: &Surroundings<'_>, pod: &Pod) -> Text {
    let (name, node) = (&pod.metadata.name, node(around, pod));
    let how = how_lost(around.cluster, &pod.spec.node_name);
    match around.workload.stays_on_lost_node() {
        true => text!("{} stays on {}, {}: it tolerates that forever.", name, node, how),
        _ if pod.is_terminating() => {
            text!("{} is Terminating on {}, {}; it does not count any more.", name, node, how)
        }
        _ => text!("{} is on {}, {}; it counts until it is evicted.", name, node, how),
    }
}
