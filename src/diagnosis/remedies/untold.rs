//! What the text does not tell of the pods that a trial begins with.

use super::Remedy;
use super::pods::is_open;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::objects::{Kind, ObjectRef, Pod};
use crate::verdict::{Lasting, Refuted};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Pods that were made within so many seconds of each other last in the same.
const TOGETHER_S: i64 = 60;

/// Pods, by name and uid, whose state the text's own clock refutes to end: the one of which that was found, and those that were made
/// with it and are not Ready either; of a claim the pods that use it.
pub(super) fn lasting(case: &Case<'_>) -> Vec<(Rc<str>, Rc<str>)> {
    let Some(refuted) = case.refuted.filter(|refuted| refuted.is_of_one_pod()) else { return Vec::new() };
    let subject = &refuted.subject.name;
    let uid = |pod: &&Rc<Pod>| (Rc::clone(&pod.metadata.name), Rc::clone(&pod.metadata.uid));
    if refuted.subject.kind == Kind::PersistentVolumeClaim {
        let uses = |pod: &&&Rc<Pod>| pod.claim_names().any(|name| name == subject);
        return case.pods.iter().filter(uses).map(uid).collect();
    }
    let Some(first) = case.pods.iter().find(|pod| pod.metadata.name == *subject) else { return Vec::new() };
    let until = first.metadata.creation_timestamp.map(|at| at.plus_seconds(TOGETHER_S));
    let is_with = |pod: &&&Rc<Pod>| {
        let is_as_old = pod.metadata.creation_timestamp <= until && !pod.is_ready() && !pod.has_ended();
        pod.metadata.uid == first.metadata.uid || is_as_old
    };
    case.pods.iter().filter(is_with).map(uid).collect()
}

/// The pods that are not Ready, and neither end nor are held by anything that is known.
pub(super) fn unexplained(case: &Case<'_>) -> Vec<Rc<str>> {
    let is_held = |pod: &Pod| case.holds.iter().any(|held| held.object().name == pod.metadata.name);
    let is_unexplained = |pod: &&&Rc<Pod>| !(pod.is_ready() || pod.is_terminating() || pod.has_ended() || is_held(pod));
    case.pods.iter().filter(is_unexplained).map(|pod| Rc::clone(&pod.metadata.uid)).collect()
}

/// The pods that a remedy deletes of which the text does not tell whether what holds them goes with them.
pub(super) fn open(case: &Case<'_>, remedy: &Remedy) -> Vec<Rc<str>> {
    let deleted = remedy.commands.iter().filter_map(|command| match command {
        Command::DeletePod { pod, .. } => Some(pod),
        _ => None,
    });
    let is_open = |key: &&ObjectRef| {
        let pod = case.pods.iter().find(|pod| pod.metadata.name == key.name);
        pod.is_some_and(|pod| is_open(case, pod))
    };
    let deleted = deleted.filter(is_open).map(|key| Rc::clone(&key.name));
    let refuted = case.refuted.filter(|_| !remedy.commands.is_empty());
    let unknown = refuted.map(|refuted| Rc::clone(&refuted.subject.name));
    let of_pod = refuted.filter(|refuted| refuted.subject.kind == Kind::Pod);
    let beside = lasting(case).into_iter().map(|(name, _)| name).filter(|_| of_pod.is_some());
    deleted.chain(unknown).chain(beside).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether a remedy deletes pods alone, where the scheduler has said why it finds no node for one: it finds none for the next one either.
pub(super) fn helps_no_next(case: &Case<'_>, refuted: &Refuted, remedy: &Remedy) -> bool {
    let is_told = |pod: &&Rc<Pod>| {
        let told = pod.condition("PodScheduled").is_some_and(|told| !told.message.is_empty());
        pod.metadata.name == refuted.subject.name && told
    };
    refuted.state == Lasting::Unscheduled
        && remedy.commands.iter().all(|command| matches!(command, Command::DeletePod { .. }))
        && case.observed_pods.iter().copied().any(|pod| is_told(&pod))
}
