//! The pods by ordinal: places, flags, claims, condemned ground.

use super::act::{acts_of, tag};
use super::kinds::{Context, RuleText, Weight, revision_of_pod};
use super::status_word::{look, ready_column, status_word};
use super::wait::waits;
use super::{Claim, Density, Flag, Place, Pod, PodAppearance, Rail, Summary, text};
use crate::objects::{Kind, ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::order::Order;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) fn empty() -> Rail {
    Rail {
        prefix: String::new(),
        keeps_claims: true,
        places: Vec::new(),
        partition: None,
        replicas: None,
        density: Density::Card,
        line: Text::default(),
        waits: Vec::new(),
    }
}

pub(super) fn summary(context: &Context<'_>) -> Summary {
    let status = &context.set.status;
    let named = |name: &Rc<str>| (!name.is_empty()).then(|| context.revision(name));
    Summary {
        name: context.name().to_owned(),
        kind: Kind::StatefulSet,
        ready: (status.ready_replicas, context.set.replicas()),
        updated: status.updated_replicas,
        current: named(&status.current_revision),
        update: named(&status.update_revision),
    }
}

pub(super) fn rail(context: &Context<'_>) -> Rail {
    let (start, end) = (context.start(), context.end());
    let mut held: Vec<i32> = context.pods.iter().map(|(ordinal, _)| *ordinal).collect();
    held.extend(claimed_ordinals(context));
    let end = held.iter().fold(end, |end, ordinal| end.max(ordinal.saturating_add(1)));
    // Below the first ordinal in range only what is there has a place.
    held.retain(|ordinal| *ordinal < start);
    held.order();
    held.dedup();
    let before = i32::try_from(held.len()).unwrap_or(i32::MAX);
    let running = Running::of(context);
    let places: Vec<Rc<Place>> =
        held.into_iter().chain(start..end).map(|ordinal| Rc::new(place(context, &running, ordinal))).collect();
    let density = Density::of(places.len());
    let partition = partition_flag(context, before);
    Rail {
        prefix: format!("{}-", context.name()),
        keeps_claims: !context.set.claim_deletion().when_scaled,
        density,
        partition,
        replicas: Some(replicas_flag(context, before, end - start)),
        line: line(context, &places),
        waits: waits(context),
        places,
    }
}

/// From this many places on a line says what stands where.
const MANY: usize = 25;

fn line(context: &Context<'_>, places: &[Rc<Place>]) -> Text {
    if places.len() < MANY {
        return Text::default();
    }
    let is_ready = |place: &&Rc<Place>| place.pod.as_ref().is_some_and(|pod| pod.look == PodAppearance::Ready);
    let ready = places.iter().filter(is_ready).count();
    let rolling = context.set.spec.update_strategy.rolling_update.as_ref();
    let partition = rolling.and_then(|rolling| rolling.partition).unwrap_or(0).min(context.set.replicas());
    let mut parts = vec![text!("{} of {} ready", ready, context.set.replicas())];
    if partition > 0 {
        let first = context.start();
        parts.push(text!("pinned below the partition: {}–{}", first, first + partition - 1));
    }
    let ringed: Vec<i32> = places.iter().filter(|place| place.ringed).map(|place| place.ordinal).collect();
    parts.extend(ringed.first().map(|ordinal| text!("the controller is at {}", ordinal)));
    let condemned = places.iter().filter(|place| place.condemned && place.pod.is_some()).count();
    if condemned > 0 {
        parts.push(text!("{} condemned", condemned));
    }
    Text::list(" · ", parts)
}

impl Rail {
    /// What letting go of a flag at this value would do; empty where it stands already.
    pub fn preview(&self, is_partition: bool, value: i32) -> Text {
        let Some(flag) = (if is_partition { &self.partition } else { &self.replicas }) else { return Text::default() };
        let set = self.prefix.trim_end_matches('-');
        let (from, to) = (flag.start + flag.at.min(value), flag.start + flag.at.max(value) - 1);
        let between = || text::span(set, from, to);
        match (value.cmp(&flag.at), is_partition) {
            (std::cmp::Ordering::Equal, _) => Text::default(),
            (std::cmp::Ordering::Less, true) => text!("{} will no longer be pinned", between()),
            (std::cmp::Ordering::Greater, true) => text!("{} will be pinned", between()),
            (std::cmp::Ordering::Greater, false) => text!("{} will be created", between()),
            (std::cmp::Ordering::Less, false) => {
                let goes = |place: &&Rc<Place>| (from..=to).contains(&place.ordinal) && place.pod.is_some();
                let going: Vec<&Rc<Place>> = self.places.iter().filter(goes).collect();
                match (going.iter().any(|place| !place.claims.is_empty()), self.keeps_claims) {
                    (false, _) => text!("{} will go", between()),
                    (true, true) => text!("{} will go, their claims stay", between()),
                    (true, false) => text!("{} will go, and their claims with them", between()),
                }
            }
        }
    }
}

/// What runs in the set's namespace, found by name: with thousands of places no place searches all of it.
struct Running<'a> {
    /// How many running pods write to a claim.
    writers: BTreeMap<&'a str, usize>,
    /// The node that a claim's volume is attached to.
    attached: BTreeMap<&'a str, &'a str>,
    /// The machines on which an old pod of this name still runs.
    ghosts: BTreeMap<&'a str, Vec<String>>,
}

impl<'a> Running<'a> {
    fn of(context: &'a Context<'_>) -> Self {
        let namespace = &context.key.namespace;
        let mut running = Self { writers: BTreeMap::new(), attached: BTreeMap::new(), ghosts: BTreeMap::new() };
        for live in context.live.iter().filter(|live| live.pod.namespace == *namespace) {
            for claim in &live.claims {
                *running.writers.entry(claim).or_default() += 1;
            }
            if live.is_ghost {
                running.ghosts.entry(&live.pod.name).or_default().push(live.node.to_string());
            }
        }
        for attachment in context.cluster.attachments().iter().filter(|one| one.claim.namespace == *namespace) {
            running.attached.entry(&attachment.claim.name).or_insert(&attachment.node);
        }
        running
    }
}

/// The claims of an ordinal are `<template>-<set>-<ordinal>`.
fn claim_of(context: &Context<'_>, running: &Running<'_>, template: &str, ordinal: i32) -> Option<Claim> {
    let name = format!("{template}-{}-{ordinal}", context.name());
    let key = ObjectRef {
        kind: Kind::PersistentVolumeClaim,
        namespace: context.key.namespace.clone(),
        name: name.as_str().into(),
    };
    match context.cluster.get(&key) {
        Ok(crate::objects::Object::Claim(claim)) => Some(Claim {
            phase: claim.status.phase.to_string(),
            attached: running.attached.get(&*name).map(ToString::to_string),
            shared: running.writers.get(&*name).is_some_and(|writers| *writers > 1),
            name,
        }),
        _ => None,
    }
}

fn claimed_ordinals(context: &Context<'_>) -> impl Iterator<Item = i32> {
    let templates = &context.set.spec.volume_claim_templates;
    let ordinal = |name: &str| {
        templates.iter().find_map(|template| {
            let rest = name.strip_prefix(&*template.metadata.name)?.strip_prefix('-')?;
            rest.strip_prefix(context.name())?.strip_prefix('-')?.parse::<i32>().ok()
        })
    };
    let own = context.cluster.claims().filter(|claim| claim.metadata.namespace == context.key.namespace);
    own.filter_map(move |claim| ordinal(&claim.metadata.name)).filter(|ordinal| *ordinal >= 0)
}

fn place(context: &Context<'_>, running: &Running<'_>, ordinal: i32) -> Place {
    let held = context.pod(ordinal);
    let pod = held.map(|pod| Rc::new(draw(context, pod)));
    let ringed = context
        .deciding
        .as_ref()
        .is_some_and(|decision| decision.ordinal() == Some(ordinal) && decision.rule.weight() >= Weight::Waits);
    let templates = &context.set.spec.volume_claim_templates;
    let claims: Vec<Claim> =
        templates.iter().filter_map(|template| claim_of(context, running, &template.metadata.name, ordinal)).collect();
    let name = format!("{}-{ordinal}", context.name());
    Place {
        key: held.map_or_else(|| format!("empty-{ordinal}"), |pod| pod.metadata.uid.to_string()),
        ordinal,
        empty: match (context.is_in_range(ordinal), claims.is_empty()) {
            (true, _) => to_come(context, ordinal),
            (false, false) => text!("only its claim is left"),
            (false, true) => text!("out of range"),
        },
        condemned: !context.is_in_range(ordinal),
        ringed,
        claims,
        ghosts: running.ghosts.get(&*name).cloned().unwrap_or_default(),
        name,
        pod,
    }
}

/// What an empty place waits for: a pod at the revision that the controller would give it.
fn to_come(context: &Context<'_>, ordinal: i32) -> Text {
    let name = context.revision_to_come(ordinal);
    if name.is_empty() {
        return text!("not created yet");
    }
    text!("will be created at revision {}", context.revision(name).letter)
}

fn draw(context: &Context<'_>, pod: &Rc<crate::objects::Pod>) -> Pod {
    let (metadata, spec) = (&pod.metadata, &pod.spec);
    let image = spec.containers.first().map_or("", |container| &container.image);
    let look = look(context.cluster, pod);
    Pod {
        name: metadata.name.to_string(),
        status: status_word(pod, context.cluster.release().kubectl()),
        ready: ready_column(pod),
        look,
        node: spec.node_name.to_string(),
        tag: tag(image).to_owned(),
        restarts: pod.status.container_statuses.iter().map(|container| container.restart_count).sum(),
        revision: revision_of_pod(&context.revisions, pod),
        acts: acts_of(context.cluster, pod),
    }
}

fn partition_flag(context: &Context<'_>, before: i32) -> Option<Flag> {
    let strategy = &context.set.spec.update_strategy;
    if strategy.strategy_type == UpdateStrategyType::OnDelete {
        return None;
    }
    let at = strategy.rolling_update.as_ref().and_then(|rolling| rolling.partition).unwrap_or(0);
    let replicas = context.set.replicas();
    let consequence = partition_means(context, at);
    Some(Flag { at, max: replicas.max(at), start: context.start(), before, consequence })
}

/// `partition 2: web-2 to web-4 will update`.
pub(super) fn partition_means(context: &Context<'_>, partition: i32) -> Text {
    if partition >= context.set.replicas() {
        return text!("partition {}: no pod will update", partition);
    }
    let first = context.start() + partition;
    text!("partition {}: {} will update", partition, text::span(context.name(), first, context.end() - 1))
}

fn replicas_flag(context: &Context<'_>, before: i32, places: i32) -> Flag {
    let at = context.set.replicas();
    let mut condemned: Vec<i32> =
        context.pods.iter().map(|(ordinal, _)| *ordinal).filter(|own| !context.is_in_range(*own)).collect();
    let consequence = if !condemned.is_empty() {
        let pods = text::pods(context.name(), &mut condemned);
        match (condemned.len(), context.set.spec.pod_management_policy) {
            (1, _) => text!("replicas {}: {} will be deleted", at, pods),
            (_, PodManagementPolicy::OrderedReady) => {
                text!("replicas {}: {} will be deleted, the highest first", at, pods)
            }
            (_, PodManagementPolicy::Parallel) => text!("replicas {}: {} will be deleted, all at once", at, pods),
        }
    } else if at == 0 {
        text!("replicas 0: no pod should exist")
    } else {
        text!("replicas {}: {} should exist", at, text::span(context.name(), context.start(), context.end() - 1))
    };
    Flag { at, max: 10.max(places + 3), start: context.start(), before, consequence }
}
