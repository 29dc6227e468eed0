//! A workload's pods as cards: which of them are surplus or kept old, who is next to be updated or deleted and why.

use super::card::card;
use super::kinds::{Surroundings, Weight, deciding, is_active, node_of, number};
use super::model::{Board, Card, Group, Layout, Ranked, UpdateRank};
use super::versions::{version, versions};
use super::{Density, Revision};
use crate::objects::{Object, ObjectRef, Pod, ReplicaSet};
use crate::reconcile::{Subject, template_text};
use crate::sim::Cluster;
use crate::verdict::{Ordered, telling};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The board of a workload; none for one whose pods stand by ordinal and are not ranked, or what is not there.
pub fn board(cluster: &Cluster, set: &ObjectRef) -> Option<Board> {
    let around = Surroundings::of(cluster, cluster.get(set).ok()?, None)?;
    draw(&around)
}

/// The same, of a workload with what is around it.
pub(super) fn draw(around: &Surroundings<'_>) -> Option<Board> {
    let &Surroundings { cluster, object, workload, ref pods, .. } = around;
    if !workload.is_ranked() {
        return None;
    }
    let ordered = Ordered::of(object);
    let versions = versions(cluster, object);
    let wanted = object.desired();
    let (next_updated, next_deleted) = (next_updated(around), workload.next_deleted(around));
    let kept_old = workload.kept_old();
    let turns: BTreeMap<&str, UpdateRank> = next_updated.iter().enumerate().map(turn).collect();
    let ringed = ringed(cluster, object);
    let mut live = 0;
    let mut nodes = BTreeSet::new();
    let sets = cluster.replica_sets_of(object);
    let cards = pods.iter().map(|pod| {
        let active = is_active(pod);
        live += i32::from(active);
        let twice = active && nodes.contains(&node_of(pod));
        nodes.extend(active.then(|| node_of(pod)));
        let surge = match &ordered {
            Some(set) => active && !set.in_range(pod),
            None if workload.layout() == Layout::Nodes => twice,
            None => active && live > wanted,
        };
        let mut card = card((workload, around), pod, &versions, surge);
        card.group = group_of(&sets, pod);
        card.turn = turns.get(&*card.name).copied().unwrap_or(UpdateRank::None);
        card.ringed |= ringed.as_deref() == Some(&*card.name);
        Rc::new(card)
    });
    let cards: Vec<Rc<Card>> = cards.collect();
    let free = if next_updated.iter().any(|ranked| !ranked.kept) { number(workload.surge()) } else { 0 };
    let taken = cards.iter().filter(|card| card.surge).count();
    Some(Board {
        set: object.reference(),
        layout: workload.layout(),
        groups: groups(cluster, object, &versions),
        blanks: workload.blanks(around, free, taken),
        density: Density::of(cards.len()),
        cards,
        wanted,
        kept_old,
        next_updated,
        next_deleted,
    })
}

/// Which pods are updated next, the first first, with those that the partition keeps.
pub(super) fn next_updated(around: &Surroundings<'_>) -> Vec<Ranked> {
    let mut all = around.workload.next_updated(around);
    let kept = around.workload.kept_old().map_or(0, |(kept, _)| number(kept));
    all.iter_mut().rev().take(kept).for_each(|ranked| ranked.kept = true);
    all
}

/// The name of the pod at which the controller waits or that it has just acted on.
fn ringed(cluster: &Cluster, object: &Object) -> Option<String> {
    let sync = telling(cluster, object)?;
    let decision = deciding(&sync.decisions).filter(|decision| decision.rule.weight() >= Weight::Waits)?;
    match &decision.subject {
        Subject::Pod(name) => Some(name.to_string()),
        Subject::Ordinal(ordinal) => Some(format!("{}-{ordinal}", sync.subject.name)),
        Subject::Object | Subject::ReplicaSet(_) => None,
    }
}

fn turn((at, ranked): (usize, &Ranked)) -> (&str, UpdateRank) {
    let turn = match at {
        _ if ranked.kept => UpdateRank::Kept,
        0 => UpdateRank::Next,
        _ => UpdateRank::Later,
    };
    (&ranked.name, turn)
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
