//! The pods of a set by ordinal, in groups of those that look alike to a sync: what holds for one pod of a group holds for all
//! of them, so a sync looks at a few groups in place of thousands of pods.

use super::in_place::{is_at_rest, is_quiet};
use super::pods::{
    REVISION_LABEL, has_volumes_of_ordinal, is_available, is_created, is_named_as_ordinal, is_running_and_ready,
    parent_and_ordinal,
};
use crate::objects::{LabelSelector, ObjectMeta, PersistentVolumeClaim, Pod, PodPhase, Time};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// What of a set its pods are read with.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    pub(super) metadata: &'a ObjectMeta,
    pub(super) selector: &'a LabelSelector,
    pub(super) claim_templates: &'a [PersistentVolumeClaim],
    pub(super) availability: Availability,
}

/// When a pod that is Ready counts as available.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Availability {
    /// Once it has been Ready for so long; from 0 on at once.
    pub(super) seconds: i32,
    /// Whether at the very moment when they are over, or after it.
    pub(super) in_time: bool,
    /// The clock of the sync.
    pub(super) now: Time,
}

impl Availability {
    fn has_come(self, pod: &Pod) -> bool {
        self.seconds == 0 || is_available(pod, self.seconds, self.in_time, self.now)
    }

    /// The moment of a pod that is Ready.
    fn moment(self, pod: &Pod) -> Option<Time> {
        let ready = pod.condition("Ready").filter(|ready| &*ready.status == "True")?;
        Some(ready.last_transition_time?.plus_seconds(self.seconds.into()))
    }

    fn is_over(self, moment: Time) -> bool {
        moment < self.now || (self.in_time && moment == self.now)
    }
}

/// What a sync sees of a pod wherever it does not need the pod itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Look {
    pub(super) phase: PodPhase,
    pub(super) is_created: bool,
    pub(super) is_ready: bool,
    /// Of one that is Ready: whether it has been so for long enough.
    pub(super) is_available: bool,
    pub(super) is_terminating: bool,
    /// Named and labeled as its ordinal's pod is, with a volume for each of the ordinal's claims.
    pub(super) is_itself: bool,
    /// Between no two states of the life that OpenKruise gives it.
    pub(super) is_at_rest: bool,
    /// Nothing of an update in place is left to be done or waited for.
    pub(super) is_quiet: bool,
    /// Empty if the pod carries none.
    pub(super) revision: Rc<str>,
}

/// A pod of the set.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) pod: &'a Rc<Pod>,
    /// −1 if it does not fit 32 bits.
    pub(super) ordinal: i32,
    pub(super) look: &'a Look,
}

/// A pod that claiming has to look at: the set's own but not named or labeled so, or nobody's.
#[derive(Clone, Debug)]
pub(super) struct Stranger {
    pub(super) pod: Rc<Pod>,
    pub(super) is_own: bool,
    /// None if it is not named or labeled as the set's pods are.
    pub(super) ordinal: Option<i32>,
    pub(super) rank: Rank,
}

/// Where a pod stands among those of the set. Of several with one ordinal, as `web-01` and `web-1`, the last one counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    ordinal: i32,
    rank: Rank,
    name: Rc<str>,
}

/// What comes before the name where pods are put in order: 0 for all in a list that is in order of names, as the cache's is; in
/// another one, as a recorded one may be, the place there.
pub(super) type Rank = usize;

/// Added to the rank of a pod that comes after all others.
pub(super) const LAST: Rank = Rank::MAX / 2;

/// How the pod that counts is found in its group.
#[derive(Clone, Debug)]
struct Seat {
    look: Look,
    rank: Rank,
}

/// Pods of a group by ordinal.
pub(super) type Group = BTreeMap<i32, Rc<Pod>>;

/// The pods of one set.
#[derive(Clone, Debug)]
pub(super) struct Roster {
    of: Subject,
    /// One for each ordinal that has any.
    groups: BTreeMap<Look, Group>,
    /// Where the pod of each ordinal is.
    seats: BTreeMap<i32, Seat>,
    /// Pods that have no seat: another one has that of their ordinal, or the ordinal does not fit 32 bits.
    doubles: BTreeMap<Place, (Look, Rc<Pod>)>,
    strangers: BTreeMap<(Rank, Rc<str>), Stranger>,
    /// Ordinals in range without a pod.
    missing: BTreeSet<i64>,
    /// When pods that are Ready become available, by name, and in order of time.
    moments: BTreeMap<Rc<str>, Time>,
    to_come: BTreeSet<(Time, Rc<str>)>,
}

/// What of the set all this depends on.
#[derive(Clone, Debug)]
struct Subject {
    namespace: Rc<str>,
    name: Rc<str>,
    uid: Rc<str>,
    selector: LabelSelector,
    claim_templates: Vec<PersistentVolumeClaim>,
    availability: Availability,
    range: Range<i64>,
}

impl Roster {
    /// Reads every pod.
    pub(super) fn of(set: Owner<'_>, range: Range<i64>, pods: &[Rc<Pod>]) -> Self {
        let metadata = set.metadata;
        let of = Subject {
            namespace: Rc::clone(&metadata.namespace),
            name: Rc::clone(&metadata.name),
            uid: Rc::clone(&metadata.uid),
            selector: set.selector.clone(),
            claim_templates: set.claim_templates.to_vec(),
            availability: set.availability,
            range: range.clone(),
        };
        let (groups, seats, doubles) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (strangers, moments) = (BTreeMap::new(), BTreeMap::new());
        let (missing, to_come) = (BTreeSet::new(), BTreeSet::new());
        let mut roster = Self { of, groups, seats, doubles, strangers, missing, moments, to_come };
        let are_sorted = pods.is_sorted_by(|one, next| one.metadata.name <= next.metadata.name);
        for (place, pod) in pods.iter().enumerate() {
            roster.add(set, pod, if are_sorted { 0 } else { place });
        }
        let is_missing = |ordinal: &i64| i32::try_from(*ordinal).is_ok_and(|it| !roster.seats.contains_key(&it));
        roster.missing = range.filter(is_missing).collect();
        roster
    }

    /// Whether it is about this set as it is, and not of a later time.
    pub(super) fn is_of(&self, set: Owner<'_>, range: &Range<i64>) -> bool {
        let (of, metadata) = (&self.of, set.metadata);
        let (kept, own) = (of.availability, set.availability);
        (kept.seconds, kept.in_time) == (own.seconds, own.in_time)
            && kept.now <= own.now
            && of.uid == metadata.uid
            && of.name == metadata.name
            && of.namespace == metadata.namespace
            && of.range == *range
            && of.selector == *set.selector
            && *of.claim_templates == *set.claim_templates
    }

    /// The names of pods that have become available since it was read; they are to be read again.
    pub(super) fn pass_time(&mut self, availability: Availability) -> Vec<Rc<str>> {
        self.of.availability = availability;
        let is_over = |(moment, _): &&(Time, Rc<str>)| availability.is_over(*moment);
        self.to_come.iter().take_while(is_over).map(|(_, name)| Rc::clone(name)).collect()
    }

    /// When the next of its pods becomes available, if one will.
    pub(super) fn next_available(&self) -> Option<Time> {
        let now = self.of.availability.now;
        self.to_come.iter().map(|(moment, _)| *moment).find(|moment| *moment > now)
    }

    /// Reads a pod of the cache again; none if it is gone.
    pub(super) fn read(&mut self, set: Owner<'_>, name: &Rc<str>, pod: Option<&Rc<Pod>>) {
        self.remove(name);
        if let Some(pod) = pod {
            self.add(set, pod, 0);
        }
    }

    fn add(&mut self, set: Owner<'_>, pod: &Rc<Pod>, rank: Rank) {
        let metadata = &pod.metadata;
        let is_own = match metadata.controller_of() {
            Some(owner) if owner.uid == set.metadata.uid => true,
            Some(_) => return,
            None => false,
        };
        let own_ordinal = parent_and_ordinal(&metadata.name)
            .filter(|(parent, _)| **parent == *set.metadata.name && set.selector.matches(&metadata.labels));
        match own_ordinal {
            Some((_, ordinal)) if is_own => self.put(set, pod, ordinal, rank),
            own_ordinal => {
                let ordinal = own_ordinal.map(|(_, ordinal)| ordinal);
                let stranger = Stranger { pod: Rc::clone(pod), is_own, ordinal, rank };
                self.strangers.insert((rank, Rc::clone(&metadata.name)), stranger);
            }
        }
    }

    /// Takes a pod in as one of the set's own.
    pub(super) fn put(&mut self, set: Owner<'_>, pod: &Rc<Pod>, ordinal: i32, rank: Rank) {
        let look = Look::of(set, pod, ordinal);
        let name = &pod.metadata.name;
        if let Some(moment) = set.availability.moment(pod).filter(|_| !look.is_available) {
            self.moments.insert(Rc::clone(name), moment);
            self.to_come.insert((moment, Rc::clone(name)));
        }
        if ordinal >= 0 && !self.seats.contains_key(&ordinal) {
            return self.sit_down(look, rank, (ordinal, Rc::clone(pod)));
        }
        let place = Place { ordinal, rank, name: Rc::clone(&pod.metadata.name) };
        self.unseat(ordinal);
        self.doubles.insert(place, (look, Rc::clone(pod)));
        self.seat(ordinal);
    }

    fn sit_down(&mut self, look: Look, rank: Rank, (ordinal, pod): (i32, Rc<Pod>)) {
        match self.groups.get_mut(&look) {
            Some(group) => drop(group.insert(ordinal, pod)),
            None => drop(self.groups.insert(look.clone(), BTreeMap::from([(ordinal, pod)]))),
        }
        self.seats.insert(ordinal, Seat { look, rank });
        self.missing.remove(&ordinal.into());
    }

    fn remove(&mut self, name: &Rc<str>) {
        self.strangers.remove(&(0, Rc::clone(name)));
        if let Some(moment) = self.moments.remove(name) {
            self.to_come.remove(&(moment, Rc::clone(name)));
        }
        let Some((_, ordinal)) = parent_and_ordinal(name) else { return };
        self.unseat(ordinal);
        self.doubles.remove(&Place { ordinal, rank: 0, name: Rc::clone(name) });
        self.seat(ordinal);
    }

    /// Puts the pod that counts of an ordinal among those without a seat.
    fn unseat(&mut self, ordinal: i32) {
        let Some(Seat { look, rank }) = self.seats.remove(&ordinal) else { return };
        let Some(group) = self.groups.get_mut(&look) else { return };
        if let Some(pod) = group.remove(&ordinal) {
            if group.is_empty() {
                self.groups.remove(&look);
            }
            let place = Place { ordinal, rank, name: Rc::clone(&pod.metadata.name) };
            self.doubles.insert(place, (look, pod));
        }
        if self.of.range.contains(&i64::from(ordinal)) {
            self.missing.insert(ordinal.into());
        }
    }

    /// The last one of an ordinal that fits 32 bits gets its seat.
    fn seat(&mut self, ordinal: i32) {
        let is_here = |place: &Place| place.ordinal == ordinal && ordinal >= 0;
        let Some(place) = self.doubles.keys().rev().find(|place| is_here(place)).cloned() else { return };
        let Some((look, pod)) = self.doubles.remove(&place) else { return };
        self.sit_down(look, place.rank, (ordinal, pod));
    }

    /// The pod that counts of an ordinal.
    pub(super) fn at(&self, ordinal: i32) -> Option<Member<'_>> {
        let look = &self.seats.get(&ordinal)?.look;
        let (look, group) = self.groups.get_key_value(look)?;
        group.get(&ordinal).map(|pod| Member { pod, ordinal, look })
    }

    /// By look, one pod of each ordinal.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&Look, &Group)> + Clone {
        self.groups.iter()
    }

    /// Pods whose ordinal has another one that counts, or does not fit 32 bits; by ordinal.
    pub(super) fn doubles(&self) -> impl DoubleEndedIterator<Item = Member<'_>> + Clone {
        self.doubles.iter().map(|(place, (look, pod))| Member { pod, ordinal: place.ordinal, look })
    }

    /// Ordinals in range without a pod.
    pub(super) fn missing(&self) -> &BTreeSet<i64> {
        &self.missing
    }

    /// Every pod; of several with one ordinal, the one that counts comes last.
    pub(super) fn members(&self) -> impl Iterator<Item = Member<'_>> + Clone {
        let seated = self
            .groups()
            .flat_map(|(look, pods)| pods.iter().map(move |(ordinal, pod)| Member { pod, ordinal: *ordinal, look }));
        self.doubles().chain(seated)
    }

    /// Some of the pods, in the order in which the cache lists them.
    pub(super) fn in_order_of_cache<'a>(&self, members: impl Iterator<Item = Member<'a>>) -> Vec<Member<'a>> {
        let rank = |member: &Member<'_>| {
            let is_double = |(place, (_, pod)): &(&Place, &(Look, Rc<Pod>))| {
                place.ordinal == member.ordinal && Rc::ptr_eq(pod, member.pod)
            };
            let seat = || self.seats.get(&member.ordinal).map_or(0, |seat| seat.rank);
            self.doubles.iter().find(is_double).map_or_else(seat, |(place, _)| place.rank)
        };
        let mut members: Vec<Member<'a>> = members.collect();
        members.sort_by_cached_key(|member| (rank(member), Rc::clone(&member.pod.metadata.name)));
        members
    }

    /// How many pods there are.
    pub(super) fn len(&self) -> usize {
        self.seats.len() + self.doubles.len()
    }

    /// Pods that claiming has to look at, in the order in which the cache lists them.
    pub(super) fn strangers(&self) -> impl Iterator<Item = &Stranger> {
        self.strangers.values()
    }

    /// Whether a pod is at this revision.
    pub(super) fn has_revision(&self, name: &str) -> bool {
        let looks = self.groups.keys().chain(self.doubles.values().map(|(look, _)| look));
        looks.into_iter().any(|look| *look.revision == *name)
    }
}

impl Look {
    fn of(set: Owner<'_>, pod: &Pod, ordinal: i32) -> Self {
        Self {
            phase: pod.status.phase,
            is_created: is_created(pod),
            is_ready: is_running_and_ready(pod),
            is_available: set.availability.has_come(pod),
            is_terminating: pod.is_terminating(),
            is_itself: is_named_as_ordinal(set.metadata, pod, ordinal)
                && has_volumes_of_ordinal(set.metadata, set.claim_templates, pod, ordinal),
            is_at_rest: is_at_rest(pod),
            is_quiet: is_quiet(pod),
            revision: pod.metadata.labels.get(REVISION_LABEL).map_or_else(|| "".into(), Rc::clone),
        }
    }
}
