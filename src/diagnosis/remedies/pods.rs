//! Deleting pods.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::diagnosis::conditions::{holder, holds_of, takers};
use crate::kubectl::Command;
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::session::dump::AfterDelete;
use crate::sim::revision_of_template;
use crate::text::Text;
use crate::verdict::without_volumes;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many pods are each tried alone.
const FEW: usize = 5;

pub(super) fn key(pod: &Rc<Pod>) -> ObjectRef {
    Object::Pod(Rc::clone(pod)).reference()
}

fn delete(pod: &Rc<Pod>) -> Command {
    Command::DeletePod { pod: key(pod), grace: None }
}

/// Whether the text does not tell if what holds a pod goes with it. A volume that another pod uses stays where it is, and the
/// scheduler may place the next pod there or elsewhere.
pub(super) fn is_open(case: &Case<'_>, pod: &Pod) -> bool {
    holds_of(case, pod).any(|held| held.after_delete == AfterDelete::Unknown) || holder(case, pod).is_some()
}

/// Pods that should be ready and are not. One that has ended and in whose place another is made beside it counts for nothing.
pub(super) fn unready<'a>(case: &Case<'a>) -> Vec<&'a Rc<Pod>> {
    let counts = |pod: &Pod| case.object.kind().has_ordinals() || case.object.kind() == Kind::Pod || !pod.has_ended();
    // Deleting the mirror of a static pod starts no container anew.
    let is_unready = |pod: &&Rc<Pod>| !pod.is_ready() && !pod.is_terminating() && counts(pod) && !pod.is_static();
    case.pods.iter().copied().filter(|pod| found(case, pod).is_some()).filter(is_unready).collect()
}

/// The pod as it was at the moment that was asked about.
fn found<'a>(case: &Case<'a>, pod: &Pod) -> Option<&'a Rc<Pod>> {
    case.observed_pods.iter().copied().find(|found| found.metadata.uid == pod.metadata.uid)
}

/// One pod, or the first and the last, of each revision and state: what is true of these is true of the others.
fn examples<'a>(case: &Case<'a>, unready: &[&'a Rc<Pod>]) -> Vec<&'a Rc<Pod>> {
    if unready.len() <= FEW {
        return unready.to_vec();
    }
    let state = |pod: &Pod| {
        let whats: Vec<String> = holds_of(case, pod).map(|held| format!("{:?}", held.hold.what)).collect();
        (revision_of_template(pod).to_owned(), pod.spec.node_name.is_empty(), whats)
    };
    let mut alike: BTreeMap<_, Vec<&Rc<Pod>>> = BTreeMap::new();
    unready.iter().for_each(|pod| alike.entry(state(pod)).or_default().push(pod));
    let is_blocker = |pod: &&Rc<Pod>| case.blocker().is_some_and(|blocker| blocker.metadata.uid == pod.metadata.uid);
    let ends = alike.values().flat_map(|pods| [pods.first(), pods.last()].into_iter().flatten().copied());
    let mut all: Vec<&Rc<Pod>> = unready.iter().copied().filter(is_blocker).chain(ends.take(FEW)).collect();
    let mut seen = BTreeSet::new();
    all.retain(|pod| seen.insert(Rc::clone(&pod.metadata.uid)));
    all
}

/// Pods that have the name of one of the set's and are not its own any more: they are let go, or given back.
fn released(case: &Case<'_>) -> Vec<Remedy> {
    let Some(selector) = case.observed.selector() else { return Vec::new() };
    let mut all = Vec::new();
    for pod in takers(case) {
        let is_free = pod.metadata.controller_of().is_none() && !pod.is_terminating();
        if !is_free || selector.matches(&pod.metadata.labels) {
            continue;
        }
        let name = &pod.metadata.name;
        let template = case.observed.template().map(|template| &template.metadata.labels);
        let lacks = template
            .into_iter()
            .flat_map(|labels| labels.iter())
            .filter(|(key, value)| pod.metadata.labels.get(key) != Some(value));
        let labels = lacks.map(|(key, value)| (Rc::clone(key), Some(Rc::clone(value)))).collect();
        let label = Command::Label { object: key(pod), labels };
        all.push(Remedy::new("relabel-pod", text!("Give {} its labels back", name), vec![label]));
        all.push(Remedy::new("delete-pod", text!("Delete {}", name), vec![delete(pod)]));
    }
    all
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let mut all = released(case);
    let unready = unready(case);
    // Pods at which nothing stands are deleted one by one too: of two condemned pods, say, only one is the right one.
    for pod in examples(case, &unready) {
        all.push(Remedy::new("delete-pod", text!("Delete {}", pod.metadata.name), vec![delete(pod)]));
    }
    if unready.len() > 1 {
        let names = Text::names(unready.iter().map(|pod| &pod.metadata.name));
        let title = text!("Delete every pod that is not ready: {}", names);
        all.push(Remedy::new("delete-unready-pods", title, unready.iter().map(|pod| delete(pod)).collect()));
    }
    let lacking = without_volumes(case.cluster(), case.object);
    if !lacking.is_empty() {
        let names = Text::names(lacking.iter().map(|pod| &pod.metadata.name));
        let title = text!("Delete the pods that lack a volume of their set: {}", names);
        all.push(Remedy::new("delete-pods-without-volume", title, lacking.iter().map(|pod| delete(pod)).collect()));
    }
    let was_terminating = |pod: &&&Rc<Pod>| found(case, pod).is_some_and(|found| found.is_terminating());
    for pod in case.pods.iter().filter(|pod| pod.is_terminating()).filter(was_terminating) {
        let is_lost = case.node_of(pod).is_none_or(|node| !node.is_ready());
        let command = Command::DeletePod { pod: key(pod), grace: Some(0) };
        let remedy = Remedy::new("force-delete", text!("Force delete {}", pod.metadata.name), vec![command]);
        all.push(if is_lost {
            remedy.with_risk(text!("Two copies may run at once, and both may write to one volume.")).assuming(text!(
                "{} no longer runs on {}: the machine is off, or fenced.",
                pod.metadata.name,
                pod.spec.node_name
            ))
        } else {
            remedy.with_risk(text!("The kubelet has not confirmed that {} has ended.", pod.metadata.name))
        });
    }
    all
}
