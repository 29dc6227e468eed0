//! A workload's pods as cards: which of them are surplus or kept old, who is next to be updated, and where the controller stands.

use super::kinds::{Surroundings, Weight, deciding, is_active, node_of, number};
use super::model::{Card, Cards, Group, Layout};
use super::pod::draw;
use super::status_word::look;
use super::turns::Turns;
use super::versions::{version, version_of, versions};
use super::{Density, Revision};
use crate::objects::{Object, Pod, ReplicaSet};
use crate::reconcile::{Subject, template_text};
use crate::sim::Cluster;
use crate::verdict::telling;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The cards of a workload whose pods have no ordinals.
pub(super) fn cards(around: &Surroundings<'_>, turns: &Turns) -> Cards {
    let &Surroundings { cluster, object, workload, ref pods, .. } = around;
    let versions = versions(cluster, object);
    let wanted = object.desired();
    let by_node = workload.layout() == Layout::Nodes;
    let ringed = ringed(cluster, object);
    let mut live = 0;
    let mut nodes = BTreeSet::new();
    let sets = cluster.replica_sets_of(object);
    let cards = pods.iter().map(|pod| {
        let active = is_active(pod);
        live += i32::from(active);
        let twice = active && nodes.contains(&node_of(pod));
        nodes.extend(active.then(|| node_of(pod)));
        let revision = version(&versions, version_of(pod, &versions));
        let mut drawn = draw(cluster, pod, revision, look(cluster, pod), turns.turn(&pod.metadata.name));
        if by_node {
            drawn.node = node_of(pod);
        }
        Rc::new(Card {
            ringed: ringed.as_ref() == Some(&pod.metadata.name) || active && !workload.hooks(pod).is_empty(),
            surge: if by_node { twice } else { active && live > wanted },
            group: group_of(&sets, pod),
            pod: Rc::new(drawn),
        })
    });
    let cards: Vec<Rc<Card>> = cards.collect();
    let free = if turns.is_update_due() { number(workload.surge()) } else { 0 };
    let taken = cards.iter().filter(|card| card.surge).count();
    Cards {
        by_node,
        groups: groups(cluster, object, &versions),
        blanks: workload.blanks(around, free, taken),
        density: Density::of(cards.len()),
        cards,
        wanted,
        kept_old: workload.kept_old(),
    }
}

/// The name of the pod at which the controller waits or that it has just acted on.
fn ringed(cluster: &Cluster, object: &Object) -> Option<Rc<str>> {
    let sync = telling(cluster, object)?;
    let decision = deciding(&sync.decisions).filter(|decision| decision.rule.weight() >= Weight::Waits)?;
    match &decision.subject {
        Subject::Pod(name) => Some(Rc::clone(name)),
        Subject::Object | Subject::ReplicaSet(_) | Subject::Ordinal(_) => None,
    }
}

/// The group of a pod.
fn group_of(sets: &[&Rc<ReplicaSet>], pod: &Pod) -> usize {
    let owner = pod.metadata.controller_of();
    sets.iter().position(|set| owner.is_some_and(|owner| owner.uid == set.metadata.uid)).unwrap_or(0)
}

/// The groups in which the cards stand.
fn groups(cluster: &Cluster, object: &Object, versions: &[Rc<str>]) -> Vec<Group> {
    let sets = cluster.replica_sets_of(object);
    let newest = newest(object, &sets);
    let draw = |(at, set): (usize, &&Rc<ReplicaSet>)| {
        let is_new = newest == Some(at);
        let status = &set.status;
        let counts = [set.replicas(), status.ready_replicas, status.available_replicas];
        Group {
            title: text!("ReplicaSet {}", set.metadata.name),
            revision: Some(revision(versions, &set.metadata.name)),
            counts: if is_new {
                text!("new: {} desired, {} ready, {} available", counts[0], counts[1], counts[2])
            } else {
                text!("old: {} desired, {} ready, {} available", counts[0], counts[1], counts[2])
            },
            is_new: Some(is_new),
        }
    };
    let groups: Vec<Group> = sets.iter().enumerate().map(draw).collect();
    if groups.is_empty() { vec![Group::default()] } else { groups }
}

fn revision(versions: &[Rc<str>], name: &str) -> Revision {
    version(versions, versions.iter().position(|own| **own == *name))
}

/// The ReplicaSet of the template as it is.
pub(super) fn newest(object: &Object, sets: &[&Rc<ReplicaSet>]) -> Option<usize> {
    let template = template_text(object.template()?);
    sets.iter().position(|set| template_text(&set.spec.template) == template)
}
