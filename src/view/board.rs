//! A workload whose pods have no ordinals: its pods as cards in the order of their making, which of them are surplus or kept
//! old, who is next to be updated or deleted and why, where its controller stands, and the controls of its strategy.

use super::card::card;
use super::fields::field;
use super::kinds::{Surroundings, Weight, Workload, deciding, is_active, node_of, number, workload};
use super::model::{Board, Card, Group, Ranked, UpdateRank};
use super::versions::{version, versions};
use super::{Density, MoreField, Revision};
use crate::objects::{Object, ObjectRef, Pod, ReplicaSet};
use crate::order::Order;
use crate::reconcile::{Subject, template_text};
use crate::sim::Cluster;
use crate::verdict::telling;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The board of a workload; none for one with ordinals or what is not there.
pub fn board(cluster: &Cluster, set: &ObjectRef) -> Option<Board> {
    let object = cluster.get(set).ok().filter(|object| !object.kind().has_ordinals())?;
    let workload = workload(object)?;
    let pods = pods(cluster, object, workload);
    let versions = versions(cluster, object);
    let wanted = object.desired();
    let around = Surroundings { cluster, object, pods: &pods };
    let (mut next_updated, next_deleted) = (workload.next_updated(&around), workload.next_deleted(&around));
    let kept_old = workload.kept_old();
    let kept = kept_old.as_ref().map_or(0, |(kept, _)| number(*kept));
    next_updated.iter_mut().rev().take(kept).for_each(|ranked| ranked.kept = true);
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
        let surge = match workload.ordinal(pod) {
            Some((_, is_wanted)) => active && !is_wanted,
            None if workload.is_by_node() => twice,
            None => active && live > wanted,
        };
        let mut card = card((workload, &around), pod, &versions, surge);
        card.group = group_of(&sets, pod);
        card.turn = turns.get(&*card.name).copied().unwrap_or(UpdateRank::None);
        card.ringed |= ringed.as_deref() == Some(&*card.name);
        Rc::new(card)
    });
    let cards: Vec<Rc<Card>> = cards.collect();
    let free = if next_updated.iter().any(|ranked| !ranked.kept) { number(workload.surge()) } else { 0 };
    let taken = cards.iter().filter(|card| card.surge).count();
    Some(Board {
        set: set.clone(),
        is_by_node: workload.is_by_node(),
        groups: groups(cluster, object, &versions),
        blanks: workload.blanks(&around, free, taken),
        density: Density::of(cards.len()),
        cards,
        wanted,
        kept_old,
        next_updated,
        next_deleted,
        controls: controls(object),
    })
}

/// The fields of the workload's strategy, with their values.
fn controls(object: &Object) -> Vec<MoreField> {
    let (spec, set) = (&object.spec_value(), object.reference());
    let fields = workload(object).map_or(&[][..], |workload| workload.fields());
    fields.iter().map(|each| field(&set, spec, *each)).collect()
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

/// The workload's pods, its own and those of its ReplicaSets, oldest first, by ordinal or by node.
pub(super) fn pods<'a>(cluster: &'a Cluster, object: &Object, workload: &dyn Workload) -> Vec<&'a Rc<Pod>> {
    let replica_sets = cluster.replica_sets_of(object);
    let mut owners = replica_sets.iter().map(|set| &set.metadata.uid).collect::<Vec<_>>();
    owners.push(&object.metadata().uid);
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owners.contains(&&owner.uid));
    let mut pods: Vec<&Rc<Pod>> = cluster.pods().filter(is_own).collect();
    pods.order_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
    pods.order_by_key(|pod| workload.ordinal(pod).map(|(ordinal, _)| ordinal));
    if workload.is_by_node() {
        pods.order_by_key(|pod| node_of(pod));
    }
    pods
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
fn newest(object: &Object, sets: &[&Rc<ReplicaSet>]) -> Option<usize> {
    let template = template_text(object.template()?);
    sets.iter().position(|set| template_text(&set.spec.template) == template)
}
