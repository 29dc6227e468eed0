//! A workload whose pods have no ordinals: its pods as cards in the order of their making, which of them are surplus or kept
//! old, who is next to be updated or deleted and why, where its controller stands, and the controls of its strategy.

use super::board_fields::controls;
use super::board_groups::{blanks, groups, node_of, surge};
use super::board_ranks::rankings;
use super::card::card;
use super::kinds::{RuleText, Weight, deciding};
use super::rail::density;
use super::text::Noun;
use super::{Card, Density, MoreField, Revision, UpdateRank, text, workload_syncs};
use crate::objects::{Kind, Object, ObjectRef, OwnerReference, Pod, ReplicaSet};
use crate::reconcile::clone_set::partition_replicas;
use crate::reconcile::{Facts, has_ended, is_terminating};
use crate::sim::Cluster;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A workload without ordinals.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// What it is.
    pub set: ObjectRef,
    /// What its pods are grouped by: a Deployment's ReplicaSets, oldest first; of others one group without a name.
    pub groups: Vec<Group>,
    /// Its pods, oldest first; a DaemonSet's by node.
    pub cards: Vec<Rc<Card>>,
    /// How much of a pod there is room for.
    pub density: Density,
    /// Places without a pod: of pods that are missing, for a surge, of nodes that have none.
    pub blanks: Vec<Blank>,
    /// How many pods should exist; of a DaemonSet, on how many nodes.
    pub wanted: i32,
    /// How many pods the partition keeps old, and what that means; none where there is no partition.
    pub kept_old: Option<(i32, Text)>,
    /// Who is updated next, the first first.
    pub next_updated: Vec<Ranked>,
    /// Who is deleted first when it is scaled down, the first first.
    pub next_deleted: Vec<Ranked>,
    /// The fields of its strategy.
    pub controls: Vec<MoreField>,
}

/// Pods that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Whether it is of the template as it is; none if it is the only one there can be.
    pub is_new: Option<bool>,
    /// Such as `ReplicaSet web-5d9c`; empty if it is the only one there can be.
    pub title: Text,
    /// Its version; none where pods of several versions stand in it.
    pub revision: Option<Revision>,
    /// What it is and what it counts, such as `new: 2 desired, 1 ready, 1 available`.
    pub counts: Text,
}

/// A place without a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blank {
    /// Tells it from the others.
    pub key: String,
    /// What stands there, such as `surge` or a node's name.
    pub title: Text,
    /// What it waits for.
    pub words: Text,
    /// The group it is in.
    pub group: usize,
}

/// A pod in a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Its name.
    pub name: String,
    /// By what it has its rank.
    pub because: Text,
    /// Whether the partition keeps it as it is.
    pub kept: bool,
}

/// The board of a workload; none for a StatefulSet or what is not there.
pub fn board(cluster: &Cluster, set: &ObjectRef) -> Option<Board> {
    let object = cluster.get(set).ok().filter(|object| object.is_workload() && set.kind != Kind::StatefulSet)?;
    let pods = pods(cluster, object);
    let versions = versions(cluster, object);
    let wanted = wanted(object);
    let (mut next_updated, next_deleted) = rankings(cluster, object, &pods);
    let kept_old = kept_old(object);
    let kept = kept_old.as_ref().map_or(0, |(kept, _)| usize::try_from(*kept).unwrap_or(0));
    next_updated.iter_mut().rev().take(kept).for_each(|ranked| ranked.kept = true);
    let turns: BTreeMap<&str, UpdateRank> = next_updated.iter().enumerate().map(turn).collect();
    let ringed = ringed(cluster, object);
    let mut live = 0;
    let on_nodes = set.kind == Kind::DaemonSet;
    let mut nodes = Vec::new();
    let cards = pods.iter().map(|pod| {
        let active = is_active(pod);
        live += i32::from(active);
        let twice = active && nodes.contains(&node_of(pod));
        nodes.extend(active.then(|| node_of(pod)));
        let surge = if on_nodes { twice } else { active && live > wanted };
        let mut card = card(cluster, (object, pod), &versions, surge);
        card.turn = turns.get(&*card.name).copied().unwrap_or(UpdateRank::None);
        card.ringed |= ringed.is_some_and(|instance| card.instance.as_bytes() == instance);
        Rc::new(card)
    });
    let cards: Vec<Rc<Card>> = cards.collect();
    let free = if next_updated.iter().any(|ranked| !ranked.kept) { surge(object) } else { 0 };
    Some(Board {
        set: set.clone(),
        groups: groups(cluster, object, &versions),
        blanks: blanks(cluster, object, (&pods, &cards), free),
        density: density(cards.len()),
        cards,
        wanted,
        kept_old,
        next_updated,
        next_deleted,
        controls: controls(object),
    })
}

/// The pod at which the controller waits or that it has just acted on, by the five characters at the end of its name.
fn ringed(cluster: &Cluster, object: &Object) -> Option<[u8; 5]> {
    let decision = deciding(&workload_syncs::telling(cluster, object)?.decisions)?;
    match decision.facts {
        Facts::Instance(instance) if decision.rule.weight() >= Weight::Waits => Some(instance),
        _ => None,
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

/// The workload's pods, oldest first; a DaemonSet's by node.
pub(super) fn pods<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    let mut pods: Vec<&Rc<Pod>> = cluster.pods().filter(|pod| owns(cluster, object, pod)).collect();
    pods.sort_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
    if object.kind() == Kind::DaemonSet {
        pods.sort_by_key(|pod| node_of(pod));
    }
    pods
}

pub(super) fn is_active(pod: &Pod) -> bool {
    !is_terminating(pod) && !has_ended(pod)
}

pub(super) fn is_of(owner: Option<&OwnerReference>, object: &Object) -> bool {
    owner.is_some_and(|owner| owner.uid == object.metadata().uid)
}

/// The Deployment's ReplicaSets, oldest first.
pub(super) fn replica_sets<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<ReplicaSet>> {
    cluster.replica_sets_of(object)
}

/// Whether the pod is the workload's own, a Deployment's through a ReplicaSet.
fn owns(cluster: &Cluster, object: &Object, pod: &Pod) -> bool {
    let owner = pod.metadata.controller_of();
    if object.kind() != Kind::Deployment {
        return is_of(owner, object);
    }
    replica_sets(cluster, object).iter().any(|set| owner.is_some_and(|owner| owner.uid == set.metadata.uid))
}

pub(super) fn short(name: &str) -> &str {
    name.rsplit('-').next().unwrap_or(name)
}

/// The names of the workload's versions, oldest first: ReplicaSets or revisions.
pub(super) fn versions(cluster: &Cluster, object: &Object) -> Vec<Rc<str>> {
    if object.kind() == Kind::Deployment {
        return replica_sets(cluster, object).iter().map(|set| set.metadata.name.clone()).collect();
    }
    let mut own: Vec<_> =
        cluster.revisions().filter(|revision| is_of(revision.metadata.controller_of(), object)).collect();
    own.sort_by_key(|revision| (revision.metadata.creation_timestamp, revision.metadata.name.clone()));
    own.iter().map(|revision| revision.metadata.name.clone()).collect()
}

/// The pod's version: its place among them.
pub(super) fn version_of(pod: &Pod, versions: &[Rc<str>]) -> Option<usize> {
    let label = |key: &str| pod.metadata.labels.get(key).map_or("", |value| value);
    let mark = match label("pod-template-hash") {
        "" => label("controller-revision-hash"),
        hash => hash,
    };
    versions.iter().position(|version| short(version) == short(mark))
}

/// The version at a place.
pub(super) fn version(versions: &[Rc<str>], at: Option<usize>) -> Revision {
    Revision {
        name: at.map_or_else(String::new, |at| versions[at].to_string()),
        letter: at.map_or_else(|| "?".to_owned(), text::letter),
        hue: at.unwrap_or(0),
    }
}

pub(super) fn wanted(object: &Object) -> i32 {
    match object {
        Object::CloneSet(set) => set.replicas(),
        Object::ReplicaSet(set) => set.replicas(),
        Object::Deployment(set) => set.replicas(),
        Object::DaemonSet(set) => set.status.desired_number_scheduled,
        _ => 0,
    }
}

fn kept_old(object: &Object) -> Option<(i32, Text)> {
    let Object::CloneSet(set) = object else { return None };
    let partition = set.rolling_update()?.partition.as_ref();
    let kept = partition_replicas(partition, set.replicas()).unwrap_or(0);
    let updated = set.replicas() - kept;
    let pods = text::count(set.replicas(), Noun::Pod);
    let words = match kept {
        0 => text!("The partition keeps none of {} old", pods),
        _ => text!("{} of {} may be updated; {} stay old", updated, pods, kept),
    };
    Some((kept, words))
}
