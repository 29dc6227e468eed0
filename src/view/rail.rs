//! The pods by ordinal: places, flags, claims, condemned ground.

use super::kinds::{Context, Weight, revision_of_pod};
use super::model::UpdateRank;
use super::pod::draw;
use super::status_word::{Reach, look_of};
use super::turns::Turns;
use super::wait::waits;
use super::{Claim, Flag, Place, PodAppearance, Rail, text};
use crate::objects::{ObjectRef, PersistentVolumeClaim, Pod};
use crate::reconcile::{Release, parent_and_ordinal};
use crate::sim::LiveContainers;
use crate::text::Text;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) fn empty() -> Rail {
    Rail {
        prefix: String::new(),
        keeps_claims: true,
        places: Rc::default(),
        partition: None,
        replicas: None,
        line: Text::default(),
        waits: Vec::new(),
    }
}

/// The places of one set as they were drawn last. A place is drawn again only when something it is drawn from has changed:
/// objects are never changed in place, so the same pointer is the same pod.
#[derive(Default)]
pub(super) struct DrawnPlaces {
    /// What every place is drawn by.
    around: Option<Around>,
    /// By ordinal.
    sources: Vec<Source>,
    places: Rc<Vec<Rc<Place>>>,
    /// How many are ready, and how many condemned places have a pod.
    ready: usize,
    condemned: usize,
    /// Where the controller stands.
    ringed: Option<i32>,
}

/// What all places of a set are drawn by.
#[derive(PartialEq)]
struct Around {
    set: ObjectRef,
    release: Release,
    revisions: Vec<Rc<str>>,
    reachable: Vec<Rc<str>>,
    turns: Turns,
    /// The ordinals in range, and behind the last place.
    range: ((i32, i32, Vec<i32>), i32),
    /// Places below the range, of which each stands for itself.
    before: i32,
    /// The revisions of pods to come, and the first ordinal that gets the update.
    to_come: [Rc<str>; 2],
    stays: i32,
    /// Whether claims, or containers that run on, stand at places.
    is_plain: bool,
}

/// What a place is drawn from.
#[derive(PartialEq)]
struct Source {
    ordinal: i32,
    pod: Option<SameObject<Pod>>,
    is_unreachable: bool,
    turn: UpdateRank,
    in_range: bool,
    is_reserved: bool,
    ringed: bool,
    /// The revision that a pod would be made from, where there is none.
    to_come: Option<Rc<str>>,
    claims: Vec<ClaimSource>,
    ghosts: Vec<Rc<str>>,
}

#[derive(PartialEq)]
struct ClaimSource {
    claim: SameObject<PersistentVolumeClaim>,
    attached: Option<Rc<str>>,
    shared: bool,
}

/// An object as the store holds it; two that are equal but not one are taken for different ones.
struct SameObject<T>(Rc<T>);

impl<T> PartialEq for SameObject<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The rail. `changed` are the ordinals at which pods have changed since it was last drawn; none if any may have.
pub(super) fn rail(
    context: &Context<'_>,
    haunted: &[LiveContainers],
    turns: &Turns,
    changed: Option<&[i32]>,
    drawn: &mut DrawnPlaces,
) -> Rail {
    let (start, end) = (context.start(), context.end());
    let found = Found::of(context, haunted);
    let beside = Beside { reach: Reach::of(context.cluster), ringed: ringed(context), turns, found };
    let found = &beside.found;
    let pods = context.pods();
    // Below the first ordinal in range only what is there has a place.
    let below = pods.partition_point(|(ordinal, _)| *ordinal < start);
    let mut held: Vec<i32> = pods[..below].iter().map(|(ordinal, _)| *ordinal).collect();
    held.extend(found.claims.range(..start).map(|(ordinal, _)| *ordinal));
    held.sort();
    held.dedup();
    let highest = [pods.last().map(|(ordinal, _)| *ordinal), found.claims.keys().next_back().copied()];
    let end = highest.iter().flatten().fold(end, |end, ordinal| end.max(ordinal.saturating_add(1)));
    let before = i32::try_from(held.len()).unwrap_or(i32::MAX);
    let around = around(context, &beside, before, end);
    drawn.draw(context, &beside, around, changed, held.into_iter().chain(start..end));
    let partition = partition_flag(context, before);
    Rail {
        prefix: format!("{}-", context.name()),
        keeps_claims: !context.set.claim_deletion.when_scaled,
        partition,
        replicas: has_flags(context).then(|| replicas_flag(context, before, end - start)),
        line: line(context, drawn),
        waits: waits(context),
        places: Rc::clone(&drawn.places),
    }
}

fn around(context: &Context<'_>, beside: &Beside<'_>, before: i32, end: i32) -> Around {
    Around {
        set: context.key.clone(),
        release: context.cluster.release(),
        revisions: context.revisions.iter().map(|revision| Rc::clone(&revision.metadata.name)).collect(),
        reachable: beside.reach.names(),
        turns: beside.turns.clone(),
        range: (context.set.reach(context.start()), end),
        before,
        to_come: [context.set.current_revision, context.set.update_revision].map(Rc::clone),
        stays: context.first_to_update(),
        is_plain: beside.found.is_empty(),
    }
}

impl DrawnPlaces {
    fn draw(
        &mut self,
        context: &Context<'_>,
        beside: &Beside<'_>,
        around: Around,
        changed: Option<&[i32]>,
        ordinals: impl Iterator<Item = i32>,
    ) {
        let start = around.range.0.0;
        let is_same = around.is_plain && around.before == 0 && self.around.as_ref() == Some(&around);
        match changed.filter(|_| is_same) {
            Some(changed) => self.draw_changed(context, beside, (start, changed)),
            None => self.draw_all(context, beside, around, ordinals),
        }
    }

    /// Draws anew the places of these ordinals, and the one that was ringed and the one that is.
    fn draw_changed(&mut self, context: &Context<'_>, beside: &Beside<'_>, (start, changed): (i32, &[i32])) {
        let ringed = beside.ringed;
        let was_ringed = self.ringed;
        for ordinal in changed.iter().copied().chain(was_ringed).chain(ringed) {
            let Some(at) = usize::try_from(ordinal - start).ok().filter(|at| *at < self.sources.len()) else {
                continue;
            };
            let source = source(context, beside, ordinal, context.pod(ordinal));
            if self.sources[at] != source {
                let place = Rc::new(place(context, &source));
                self.count(&place, true);
                let old = std::mem::replace(&mut Rc::make_mut(&mut self.places)[at], place);
                self.count(&old, false);
                self.sources[at] = source;
            }
        }
        self.ringed = ringed;
    }

    fn draw_all(
        &mut self,
        context: &Context<'_>,
        beside: &Beside<'_>,
        around: Around,
        ordinals: impl Iterator<Item = i32>,
    ) {
        let by = |around: &Around| (around.set.clone(), around.release, around.revisions.clone());
        let is_alike = self.around.as_ref().map(by) == Some(by(&around));
        let mut pods = context.pods().iter().peekable();
        let places = std::mem::take(&mut self.places);
        let mut before = std::mem::take(&mut self.sources).into_iter().zip(places.iter()).peekable();
        let mut all = Vec::with_capacity(places.len());
        (self.ready, self.condemned) = (0, 0);
        for ordinal in ordinals {
            while pods.next_if(|(own, _)| *own < ordinal).is_some() {}
            let pod = pods.next_if(|(own, _)| *own == ordinal).map(|(_, pod)| pod);
            let source = source(context, beside, ordinal, pod);
            while before.next_if(|(own, _)| own.ordinal < ordinal).is_some() {}
            let same = before.next_if(|(own, _)| own.ordinal == ordinal);
            let place = match same {
                Some((own, place)) if is_alike && own == source => Rc::clone(place),
                // Under another release other pods look the same.
                Some((_, old)) => same_or(old, place(context, &source)),
                None => Rc::new(place(context, &source)),
            };
            self.count(&place, true);
            all.push(place);
            self.sources.push(source);
        }
        (self.places, self.around, self.ringed) = (Rc::new(all), Some(around), beside.ringed);
    }

    fn count(&mut self, place: &Place, is_there: bool) {
        let is_ready = place.pod.as_ref().is_some_and(|pod| pod.look == PodAppearance::Ready);
        let is_condemned = place.condemned && place.pod.is_some();
        for (count, is_one) in [(&mut self.ready, is_ready), (&mut self.condemned, is_condemned)] {
            *count = if is_there { *count + usize::from(is_one) } else { *count - usize::from(is_one) };
        }
    }
}

/// The place that was drawn before, if the new one is equal.
fn same_or(old: &Rc<Place>, new: Place) -> Rc<Place> {
    if **old == new { Rc::clone(old) } else { Rc::new(new) }
}

/// The ordinal at which the controller waits or has just acted.
fn ringed(context: &Context<'_>) -> Option<i32> {
    context.deciding.as_ref().filter(|decision| decision.rule.weight() >= Weight::Waits)?.ordinal()
}

fn source(context: &Context<'_>, beside: &Beside<'_>, ordinal: i32, pod: Option<&Rc<Pod>>) -> Source {
    Source {
        ordinal,
        pod: pod.map(|pod| SameObject(Rc::clone(pod))),
        is_unreachable: pod.is_some_and(|pod| beside.reach.is_unreachable(pod)),
        turn: pod.map_or(UpdateRank::None, |pod| beside.turns.turn(&pod.metadata.name)),
        in_range: context.is_in_range(ordinal),
        is_reserved: context.set.is_reserved(ordinal) && (context.start()..context.end()).contains(&ordinal),
        ringed: beside.ringed == Some(ordinal),
        to_come: pod.is_none().then(|| Rc::clone(context.revision_to_come(ordinal))),
        claims: beside.found.claims_of(ordinal),
        ghosts: beside.found.ghosts_of(ordinal),
    }
}

/// From this many places on a line says what stands where.
const MANY: usize = 25;

fn line(context: &Context<'_>, drawn: &DrawnPlaces) -> Text {
    if drawn.places.len() < MANY {
        return Text::default();
    }
    let partition = context.set.partition().min(context.set.replicas);
    let mut parts = vec![text!("{} of {} ready", drawn.ready, context.set.replicas)];
    if partition > 0 {
        let first = context.start();
        parts.push(text!("pinned below the partition: {}–{}", first, first + partition - 1));
    }
    let has_place = |ordinal: &i32| drawn.sources.binary_search_by_key(ordinal, |source| source.ordinal).is_ok();
    parts.extend(drawn.ringed.filter(has_place).map(|ordinal| text!("the controller is at {}", ordinal)));
    if drawn.condemned > 0 {
        parts.push(text!("{} condemned", drawn.condemned));
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

/// What the places of a set are drawn by beside its pods.
struct Beside<'a> {
    found: Found<'a>,
    reach: Reach<'a>,
    /// Where the controller stands.
    ringed: Option<i32>,
    turns: &'a Turns,
}

/// What else stands at the ordinals: claims and containers that run on. With thousands of places none searches for it.
struct Found<'a> {
    /// By ordinal and the place of their template.
    claims: BTreeMap<i32, Vec<(usize, &'a Rc<PersistentVolumeClaim>)>>,
    /// How many running pods write to a claim.
    writers: BTreeMap<Rc<str>, usize>,
    /// The node that a claim's volume is attached to.
    attached: BTreeMap<&'a str, &'a Rc<str>>,
    /// The machines on which an old pod of the ordinal still runs.
    ghosts: BTreeMap<i32, Vec<Rc<str>>>,
}

impl<'a> Found<'a> {
    fn of(context: &'a Context<'a>, haunted: &[LiveContainers]) -> Self {
        let namespace = &context.key.namespace;
        let mut found = Self {
            claims: BTreeMap::new(),
            writers: BTreeMap::new(),
            attached: BTreeMap::new(),
            ghosts: BTreeMap::new(),
        };
        for live in haunted.iter().filter(|live| live.pod.namespace == *namespace) {
            let named = parent_and_ordinal(&live.pod.name).filter(|_| live.is_ghost);
            if let Some((_, ordinal)) = named.filter(|(parent, _)| *parent == context.name()) {
                found.ghosts.entry(ordinal).or_default().push(Rc::clone(&live.node));
            }
        }
        if context.set.claim_templates.is_empty() {
            return found;
        }
        for live in context.cluster.live_containers().iter().filter(|live| live.pod.namespace == *namespace) {
            for claim in &live.claims {
                *found.writers.entry(Rc::clone(claim)).or_default() += 1;
            }
        }
        for attachment in context.cluster.attachments().iter().filter(|one| one.claim.namespace == *namespace) {
            found.attached.entry(&attachment.claim.name).or_insert(&attachment.node);
        }
        for claim in context.cluster.claims().filter(|claim| claim.metadata.namespace == *namespace) {
            if let Some((template, ordinal)) = template_and_ordinal(context, &claim.metadata.name) {
                found.claims.entry(ordinal).or_default().push((template, claim));
            }
        }
        found.claims.values_mut().for_each(|claims| claims.sort_by_key(|(template, _)| *template));
        found
    }

    fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.ghosts.is_empty()
    }

    fn claims_of(&self, ordinal: i32) -> Vec<ClaimSource> {
        let source = |(_, claim): &(usize, &Rc<PersistentVolumeClaim>)| {
            let name = &*claim.metadata.name;
            ClaimSource {
                claim: SameObject(Rc::clone(claim)),
                attached: self.attached.get(name).map(|node| Rc::clone(node)),
                shared: self.writers.get(name).is_some_and(|writers| *writers > 1),
            }
        };
        self.claims.get(&ordinal).into_iter().flatten().map(source).collect()
    }

    fn ghosts_of(&self, ordinal: i32) -> Vec<Rc<str>> {
        self.ghosts.get(&ordinal).cloned().unwrap_or_default()
    }
}

/// The claims of an ordinal are `<template>-<set>-<ordinal>`.
fn template_and_ordinal(context: &Context<'_>, claim: &str) -> Option<(usize, i32)> {
    context.set.claim_templates.iter().enumerate().find_map(|(at, template)| {
        let rest = claim.strip_prefix(&*template.metadata.name)?.strip_prefix('-')?;
        let ordinal = rest.strip_prefix(context.name())?.strip_prefix('-')?;
        // Neither `+1` nor `01` is an ordinal.
        let is_plain = !ordinal.starts_with('+') && (ordinal == "0" || !ordinal.starts_with('0'));
        ordinal.parse::<i32>().ok().filter(|ordinal| is_plain && *ordinal >= 0).map(|ordinal| (at, ordinal))
    })
}

fn claim(source: &ClaimSource) -> Claim {
    let claim = &source.claim.0;
    Claim {
        name: claim.metadata.name.to_string(),
        phase: claim.status.phase.to_string(),
        attached: source.attached.as_ref().map(ToString::to_string),
        shared: source.shared,
    }
}

fn place(context: &Context<'_>, source: &Source) -> Place {
    let ordinal = source.ordinal;
    let held = source.pod.as_ref().map(|pod| &pod.0);
    Place {
        key: held.map_or_else(|| format!("empty-{ordinal}").into(), |pod| Rc::clone(&pod.metadata.uid)),
        ordinal,
        name: [context.name(), "-", &ordinal.to_string()].concat().into(),
        pod: held.map(|pod| Rc::new(drawn(context, source, pod))),
        empty: match (&source.to_come, source.in_range, source.claims.is_empty()) {
            (None, ..) => Text::default(),
            _ if source.is_reserved && source.claims.is_empty() => text!("reserved: left out"),
            (Some(revision), true, _) => to_come(context, revision),
            (Some(_), false, false) => text!("only its claim is left"),
            (Some(_), false, true) => text!("out of range"),
        },
        condemned: !(source.in_range || source.is_reserved && source.pod.is_none()),
        ringed: source.ringed,
        claims: source.claims.iter().map(claim).collect(),
        ghosts: source.ghosts.iter().map(ToString::to_string).collect(),
    }
}

/// What an empty place waits for: a pod at the revision that the controller would give it.
fn to_come(context: &Context<'_>, name: &str) -> Text {
    if name.is_empty() {
        return text!("not created yet");
    }
    text!("will be created at revision {}", context.revision(name).letter)
}

fn drawn(context: &Context<'_>, source: &Source, pod: &Pod) -> super::Pod {
    let look = if source.is_unreachable { PodAppearance::Unreachable } else { look_of(pod) };
    draw(context.cluster, pod, revision_of_pod(&context.revisions, pod), look, source.turn)
}

/// Whether a number of pods is a place on the axis: between others none is left out.
fn has_flags(context: &Context<'_>) -> bool {
    context.set.reach(context.start()).2.is_empty()
}

fn partition_flag(context: &Context<'_>, before: i32) -> Option<Flag> {
    if !context.set.rolls() || !context.set.updates_by_ordinal || !has_flags(context) {
        return None;
    }
    let at = context.set.partition();
    let replicas = context.set.replicas;
    let consequence = context.partition_means(at);
    Some(Flag { at, max: replicas.max(at), start: context.start(), before, consequence })
}

fn replicas_flag(context: &Context<'_>, before: i32, places: i32) -> Flag {
    let at = context.set.replicas;
    let pods = context.pods();
    let of = |first: i32| pods.partition_point(|(ordinal, _)| *ordinal < first);
    let (below, above) = (of(context.start()), of(context.end()));
    let mut condemned: Vec<i32> = pods[..below].iter().chain(&pods[above..]).map(|(ordinal, _)| *ordinal).collect();
    let consequence = if !condemned.is_empty() {
        let pods = text::pods(context.name(), &mut condemned);
        match (condemned.len(), context.is_ordered()) {
            (1, _) => text!("replicas {}: {} will be deleted", at, pods),
            (_, true) => {
                text!("replicas {}: {} will be deleted, the highest first", at, pods)
            }
            (_, false) => text!("replicas {}: {} will be deleted, all at once", at, pods),
        }
    } else if at == 0 {
        text!("replicas 0: no pod should exist")
    } else {
        text!("replicas {}: {} should exist", at, text::span(context.name(), context.start(), context.end() - 1))
    };
    Flag { at, max: 10.max(places + 3), start: context.start(), before, consequence }
}
