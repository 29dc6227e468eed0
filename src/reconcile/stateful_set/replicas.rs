//! The places of the range: which pod is at each, and which of them a sync has to look at.

use crate::objects::Pod;
use crate::reconcile::ordinals::to_i32;
use crate::reconcile::roster::{Group, Look, Member, Roster};
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// One ordinal in range.
#[derive(Clone)]
pub(super) enum Replica<'a> {
    /// A pod the cache holds.
    Existing(Member<'a>),
    /// A pod made in memory, at the revision the rule gives: sent in this sync, or to be sent in a later one.
    New(Rc<Pod>),
    /// No pod yet.
    Missing,
}

impl Replica<'_> {
    pub(super) fn pod(&self) -> Option<&Rc<Pod>> {
        match self {
            Self::Existing(member) => Some(member.pod),
            Self::New(pod) => Some(pod),
            Self::Missing => None,
        }
    }
}

/// The places in range, numbered from 0.
pub(super) struct Replicas<'a> {
    roster: &'a Roster,
    /// The first ordinal.
    start: i32,
    count: usize,
    /// What this sync has made of a place, which had no pod or one whose containers have ended.
    changed: BTreeMap<usize, Replica<'a>>,
    #[cfg(feature = "seeded-faults")]
    hides_terminating: bool,
}

/// In which order places are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Ascending,
    Descending,
}

impl<'a> Replicas<'a> {
    pub(super) fn new(roster: &'a Roster, start: i32, replicas: i32) -> Self {
        Self {
            roster,
            start,
            count: usize::try_from(replicas).unwrap_or(0),
            changed: BTreeMap::new(),
            #[cfg(feature = "seeded-faults")]
            hides_terminating: false,
        }
    }

    #[cfg(feature = "seeded-faults")]
    pub(super) fn without_terminating(self, hides_terminating: bool) -> Self {
        Self { hides_terminating, ..self }
    }

    #[cfg(feature = "seeded-faults")]
    fn hides(&self, look: &Look) -> bool {
        self.hides_terminating && look.is_terminating
    }

    #[cfg(not(feature = "seeded-faults"))]
    #[expect(clippy::unused_self, reason = "only a seeded fault hides any")]
    fn hides(&self, _: &Look) -> bool {
        false
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn ordinal(&self, index: usize) -> i32 {
        self.start.saturating_add(to_i32(index))
    }

    /// None if there is no place.
    fn ordinals(&self) -> Option<RangeInclusive<i32>> {
        (self.count > 0).then(|| self.start..=self.ordinal(self.count - 1))
    }

    fn is_in_range(&self, ordinal: i32) -> bool {
        self.ordinals().is_some_and(|range| range.contains(&ordinal))
    }

    pub(super) fn get(&self, index: usize) -> Replica<'a> {
        let stored = || {
            let member = self.roster.at(self.ordinal(index)).filter(|member| !self.hides(member.look));
            member.map_or(Replica::Missing, Replica::Existing)
        };
        self.changed.get(&index).cloned().unwrap_or_else(stored)
    }

    /// What the sync makes of a place without a pod, or with one whose containers have ended.
    pub(super) fn set(&mut self, index: usize, replica: Replica<'a>) {
        self.changed.insert(index, replica);
    }

    /// The pods of a group at and above a place, with their places.
    fn in_range(
        &self,
        group: &'a Group,
        lowest: usize,
    ) -> impl DoubleEndedIterator<Item = (usize, &'a Rc<Pod>)> + use<'a> {
        let start = i64::from(self.start);
        let range = (lowest < self.count).then(|| self.ordinal(lowest)..=self.ordinal(self.count - 1));
        let place = move |ordinal: i32| usize::try_from(i64::from(ordinal) - start).unwrap_or(0);
        let pods = range.map(|range| group.range(range));
        pods.into_iter().flatten().map(move |(ordinal, pod)| (place(*ordinal), pod))
    }

    /// The places at and above the lowest that have no pod in the cache, or one that looks as `wanted` says.
    pub(super) fn places(&self, order: Order, lowest: usize, wanted: impl Fn(&Look) -> bool) -> Places<'a> {
        let (roster, start) = (self.roster, i64::from(self.start));
        let missing = roster.missing().range(i64::from(self.ordinal(lowest))..);
        let mut places = Places { parts: Vec::new(), order };
        places.add(missing.filter_map(move |ordinal| usize::try_from(ordinal - start).ok()));
        for (look, group) in roster.groups() {
            if wanted(look) || self.hides(look) {
                places.add(self.in_range(group, lowest).map(|(place, _)| place));
            }
        }
        places
    }

    /// How many places have pods of whose look this does not hold, or none.
    pub(super) fn count_unless(&self, holds: impl Fn(&Look) -> bool) -> usize {
        let is_whole = |group: &Group| {
            [group.first_key_value(), group.last_key_value()]
                .into_iter()
                .flatten()
                .all(|(ordinal, _)| self.is_in_range(*ordinal))
        };
        let of_groups = self.roster.groups().map(|(look, group)| match holds(look) {
            true => 0,
            false if is_whole(group) => group.len(),
            false => self.in_range(group, 0).count(),
        });
        self.roster.missing().len() + of_groups.sum::<usize>()
    }

    /// Pods that are not in range though their ordinal is, or is none: another pod counts there.
    pub(super) fn doubles(&self) -> impl Iterator<Item = Member<'a>> {
        let is_double = |member: &Member<'_>| member.ordinal < 0 || self.is_in_range(member.ordinal);
        self.roster.doubles().filter(move |member| is_double(member) && !self.hides(member.look))
    }

    /// The pods of a group that are out of range, by ordinal.
    fn out_of_range(&self, group: &'a Group) -> impl DoubleEndedIterator<Item = (&'a i32, &'a Rc<Pod>)> + use<'a> {
        let last = self.ordinals().map_or(i64::from(self.start) - 1, |range| i64::from(*range.end()));
        let below = group.range(..self.start);
        let above = i32::try_from(last + 1).ok().map(|first| group.range(first..));
        below.chain(above.into_iter().flatten())
    }

    /// By look, the groups that have pods out of range, as far as a sync sees them.
    fn groups_out_of_range(&self) -> impl Iterator<Item = (&'a Look, &'a Group)> {
        self.roster.groups().filter(|(look, _)| !self.hides(look))
    }

    /// Pods out of range, by ordinal; of equal ordinals in the order in which the cache lists them.
    pub(super) fn condemned(&self) -> Vec<Member<'a>> {
        let is_condemned = |member: &Member<'_>| member.ordinal >= 0 && !self.is_in_range(member.ordinal);
        let doubles = self.roster.doubles().filter(|member| is_condemned(member) && !self.hides(member.look));
        let seated = self.groups_out_of_range().flat_map(|(look, group)| {
            self.out_of_range(group).map(move |(ordinal, pod)| Member { pod, ordinal: *ordinal, look })
        });
        let mut condemned: Vec<Member<'a>> = doubles.chain(seated).collect();
        condemned.sort_by_key(|member| member.ordinal);
        condemned
    }

    /// Whether no two pods of the set have one ordinal.
    pub(super) fn are_single(&self) -> bool {
        self.roster.doubles().next().is_none()
    }

    /// Of the pods out of range, which are single, the one of the highest ordinal.
    pub(super) fn last_condemned(&self) -> Option<Member<'a>> {
        let last = self.groups_out_of_range().filter_map(|(look, group)| {
            let (ordinal, pod) = self.out_of_range(group).next_back()?;
            Some(Member { pod, ordinal: *ordinal, look })
        });
        last.max_by_key(|member| member.ordinal)
    }

    /// Of those of a look for which this holds, the one of the lowest ordinal, and how many there are.
    pub(super) fn condemned_of(&self, holds: impl Fn(&Look) -> bool) -> (Option<Member<'a>>, usize) {
        let (mut lowest, mut count): (Option<Member<'a>>, usize) = (None, 0);
        for (look, group) in self.groups_out_of_range().filter(|(look, _)| holds(look)) {
            let Some((ordinal, pod)) = self.out_of_range(group).next() else { continue };
            count += if self.count == 0 { group.len() } else { self.out_of_range(group).count() };
            if lowest.is_none_or(|lowest| *ordinal < lowest.ordinal) {
                lowest = Some(Member { pod, ordinal: *ordinal, look });
            }
        }
        (lowest, count)
    }
}

/// Places in order, of several lists that have none in common.
pub(super) struct Places<'a> {
    parts: Vec<Peekable<Box<dyn Iterator<Item = usize> + 'a>>>,
    order: Order,
}

impl<'a> Places<'a> {
    /// Ascending ones.
    fn add(&mut self, part: impl DoubleEndedIterator<Item = usize> + 'a) {
        let part: Box<dyn Iterator<Item = usize> + 'a> = match self.order {
            Order::Ascending => Box::new(part),
            Order::Descending => Box::new(part.rev()),
        };
        self.parts.push(part.peekable());
    }
}

impl Iterator for Places<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let heads = self.parts.iter_mut().enumerate().filter_map(|(part, places)| Some((*places.peek()?, part)));
        let (_, first) = match self.order {
            Order::Ascending => heads.min(),
            Order::Descending => heads.max(),
        }?;
        self.parts[first].next()
    }
}
