//! What becomes of an event before it is sent: equal ones are counted, similar ones combined, too many dropped.
//! Models EventCorrelate, events_cache.go of client-go; the same in every release.

use super::map::{Map, Vector};
use crate::objects::{EventType, ObjectRef, Time, shared};
use std::collections::BTreeMap;
use std::rc::Rc;

/// From this many different messages of one object and reason on, they are combined into one event.
const COMBINED_FROM: usize = 10;
/// Messages further apart are not similar any more.
const SIMILAR_MS: i64 = 600_000;
/// Events that one object may have at once from one source.
const BURST: i64 = 25;
/// After those, one more in this time.
const REFILL_MS: i64 = 300_000;

/// How much each of a recorder's three memories holds; what was used longest ago is forgotten for what comes.
const REMEMBERED: usize = 4_096;

/// What events are about: an object, and its uid.
type Object = (ObjectRef, Rc<str>);

/// What tells events apart, but for the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    /// The number of the object.
    object: u64,
    /// The part of the object that it is about; empty for the whole.
    field: Rc<str>,
    event_type: EventType,
    reason: Rc<str>,
}

/// An event, its message included.
type Message = (Rc<Kind>, Rc<str>);

/// The messages of a kind, as far as they are similar.
#[derive(Clone, Debug, Default)]
struct Similar {
    messages: Vec<Rc<str>>,
    last: Option<Time>,
}

/// How many more events an object may have.
#[derive(Clone, Debug)]
struct Bucket {
    object: Rc<Object>,
    /// Tokens in milliseconds of refill.
    filled: i64,
    at: Time,
}

/// The event that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Correlated {
    /// The sentence, which says so where events were combined.
    pub(super) message: Rc<str>,
    /// How often it happened.
    pub(super) count: u32,
    /// The place of the event in the record that is updated; none if it is a new one.
    pub(super) known: Option<usize>,
}

/// An event to be sent.
#[derive(Clone, Debug)]
pub(super) struct Sent<'a> {
    pub(super) component: &'static str,
    pub(super) about: &'a ObjectRef,
    /// That of the object it is about; empty if it is gone.
    pub(super) uid: Rc<str>,
    /// The part of the object that it is about; empty for the whole.
    pub(super) field: Rc<str>,
    pub(super) event_type: EventType,
    pub(super) reason: Rc<str>,
    pub(super) message: Rc<str>,
}

/// What the recorder of each component remembers. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct EventCorrelator {
    recorders: BTreeMap<&'static str, Rc<Memory>>,
}

/// Objects are numbered as they come. What is remembered is in order of these numbers, so what changes from one snapshot to the
/// next lies together, and the rest is shared.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// Of the objects that have a bucket. What else is remembered of an object is forgotten before its bucket is, which each of
    /// its events uses.
    numbers: Map<Rc<Object>, u64>,
    /// By the number of the object.
    buckets: Recent<u64, Bucket>,
    similar: Recent<Rc<Kind>, Rc<Similar>>,
    /// How often an event happened, and its place in the record once it was sent.
    observed: Recent<Rc<Message>, (u32, Option<usize>)>,
}

/// A map of what was used last. Models Cache, lru.go of groupcache. Snapshots copy the nodes of what changes, so keys are small,
/// and a use is added at the end of a list and not moved within it.
#[derive(Clone, Debug)]
struct Recent<K: Ord, V> {
    /// With the use at which each was used last.
    entries: Map<K, (u64, V)>,
    /// The oldest first, each with its key. Of several uses of a key only the last counts; the others are still in the list.
    uses: Vector<(u64, K)>,
    used: u64,
}

impl<K: Ord, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { entries: Map::new(), uses: Vector::new(), used: 0 }
    }
}

impl<K: Ord + Clone, V: Clone> Recent<K, V> {
    /// How long the list of uses may be: so many for each entry, and so many beside them.
    const USES: (usize, usize) = (4, 64);

    /// Forgets what was used longest ago if another key would be too many. Gives its value.
    fn make_room(&mut self) -> Option<V> {
        if self.entries.len() < REMEMBERED {
            return None;
        }
        loop {
            let oldest = self.uses.pop_front()?;
            if self.is_last(&oldest) {
                return self.entries.remove(&oldest.1).map(|(_, value)| value);
            }
        }
    }

    fn is_last(&self, (used, key): &(u64, K)) -> bool {
        self.entries.get(key).is_some_and(|(last, _)| last == used)
    }

    /// Changes the value of a key, made if it is not remembered. It counts as used.
    fn change<R>(&mut self, key: K, make: impl FnOnce() -> V, change: impl FnOnce(&mut V) -> R) -> R {
        let changed = match self.entries.get_mut(&key) {
            // What was used last stays where it is.
            Some((used, value)) if *used == self.used => return change(value),
            Some((used, value)) => {
                *used = self.used + 1;
                change(value)
            }
            None => {
                self.make_room();
                let mut value = make();
                let changed = change(&mut value);
                self.entries.insert(key.clone(), (self.used + 1, value));
                changed
            }
        };
        self.used += 1;
        self.uses.push_back((self.used, key));
        if self.uses.len() > Self::USES.0 * self.entries.len() + Self::USES.1 {
            self.uses = self.uses.iter().filter(|one| self.is_last(one)).cloned().collect();
        }
        changed
    }
}

impl EventCorrelator {
    /// What is sent at `now`; none if there were too many. `next` is the place that a new event gets in the record.
    pub(super) fn correlate(&mut self, sent: Sent<'_>, now: Time, next: usize) -> Option<Correlated> {
        let Sent { component, about, uid, field, event_type, reason, message } = sent;
        let memory = Rc::make_mut(self.recorders.entry(component).or_default());
        // The scheduler's recorder is the one of events.k8s.io, which neither combines nor drops.
        let combines = component != "default-scheduler";
        let (object, has_token) = memory.take_token((about.clone(), uid), now);
        let may_be_sent = !combines || has_token;
        let kind = Rc::new(Kind { object, field, event_type, reason });
        let is_combined = combines && memory.combine(&kind, &message, now);
        let key = (kind, if is_combined { shared("") } else { Rc::clone(&message) });
        let (count, known) = memory.observed.change(Rc::new(key), Default::default, |(count, place)| {
            *count += 1;
            let known = *place;
            if may_be_sent {
                place.get_or_insert(next);
            }
            (*count, known)
        });
        if !may_be_sent {
            return None;
        }
        let message = match is_combined {
            true => format!("(combined from similar events): {message}").into(),
            false => message,
        };
        Some(Correlated { message, count, known })
    }
}

impl Memory {
    /// The number of an object, and whether it may have another event. Its bucket is full if it is a new one.
    fn take_token(&mut self, object: Object, now: Time) -> (u64, bool) {
        let (object, number) = match self.numbers.get_key_value(&object) {
            Some((object, number)) => (Rc::clone(object), *number),
            None => {
                let (object, number) = (Rc::new(object), self.buckets.used + 1);
                if let Some(forgotten) = self.buckets.make_room() {
                    self.numbers.remove(&forgotten.object);
                }
                self.numbers.insert(Rc::clone(&object), number);
                (object, number)
            }
        };
        let full = || Bucket { object, filled: BURST * REFILL_MS, at: now };
        (number, self.buckets.change(number, full, |bucket| bucket.take_token(now)))
    }

    /// Whether it is part of a combined event. It is not while there are few different ones.
    fn combine(&mut self, kind: &Rc<Kind>, message: &Rc<str>, now: Time) -> bool {
        self.similar.change(Rc::clone(kind), Rc::default, |similar| Rc::make_mut(similar).combine(message, now))
    }
}

impl Similar {
    /// Whether a message is part of a combined event.
    fn combine(&mut self, message: &Rc<str>, now: Time) -> bool {
        if self.last.is_some_and(|last| now.0 - last.0 > SIMILAR_MS) {
            self.messages.clear();
        }
        self.last = Some(now);
        if !self.messages.contains(message) {
            self.messages.reserve_exact(1);
            self.messages.push(Rc::clone(message));
        }
        if self.messages.len() < COMBINED_FROM {
            return false;
        }
        self.messages.remove(0);
        true
    }
}

impl Bucket {
    fn take_token(&mut self, now: Time) -> bool {
        self.filled = (self.filled + now.0 - self.at.0).min(BURST * REFILL_MS);
        self.at = now;
        let taken = self.filled >= REFILL_MS;
        if taken {
            self.filled -= REFILL_MS;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::{EventCorrelator, REMEMBERED, Recent, Sent};
    use crate::objects::{EventType, Kind, ObjectRef, Time};
    use std::collections::BTreeMap;

    fn send(
        correlator: &mut EventCorrelator,
        uid: &str,
        message: &str,
        at: i64,
    ) -> Option<(String, u32, Option<usize>)> {
        let about = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
        let sent = Sent {
            component: "statefulset-controller",
            about: &about,
            uid: uid.into(),
            field: "".into(),
            event_type: EventType::Normal,
            reason: "SuccessfulCreate".into(),
            message: message.into(),
        };
        let correlated = correlator.correlate(sent, Time(at), 7)?;
        Some((correlated.message.to_string(), correlated.count, correlated.known))
    }

    #[test]
    fn an_equal_event_is_counted_unless_the_object_is_another_one() {
        let mut correlator = EventCorrelator::default();
        assert_eq!(send(&mut correlator, "a", "one", 0), Some(("one".into(), 1, None)));
        assert_eq!(send(&mut correlator, "a", "one", 1), Some(("one".into(), 2, Some(7))));
        assert_eq!(send(&mut correlator, "b", "one", 2), Some(("one".into(), 1, None)));
    }

    #[test]
    fn an_event_is_forgotten_after_4096_others() {
        let mut correlator = EventCorrelator::default();
        let mut send = |uid: usize| send(&mut correlator, &uid.to_string(), "one", 0).map(|event| event.1);
        (0..4_096).for_each(|uid| assert_eq!(send(uid), Some(1)));
        assert_eq!(send(0), Some(2), "4,096 are remembered");
        assert_eq!(send(4_096), Some(1));
        assert_eq!(send(0), Some(3), "it was used lately");
        assert_eq!(send(1), Some(1), "it was used longest ago");
    }

    #[test]
    fn what_was_used_longest_ago_is_forgotten_in_whatever_order_things_are_used() {
        let mut recent: Recent<u64, u32> = Recent::default();
        // The last use of each key, and how often it was used since it is remembered.
        let mut expected: BTreeMap<u64, (u64, u32)> = BTreeMap::new();
        let mut random = 1_u64;
        for at in 0..40_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // First few keys again and again, then more than are remembered.
            let key = (random >> 33) % if at < 10_000 { 50 } else { 6_000 };
            if !expected.contains_key(&key) && expected.len() == REMEMBERED {
                let oldest = expected.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| *key);
                oldest.iter().for_each(|oldest| _ = expected.remove(oldest));
            }
            let (used, times) = expected.entry(key).or_default();
            (*used, *times) = (at, *times + 1);
            let found = recent.change(
                key,
                || 0,
                |times| {
                    *times += 1;
                    *times
                },
            );
            assert_eq!(found, *times, "use {at}");
            assert!(recent.uses.len() <= 4 * recent.entries.len() + 64, "uses are not kept for ever");
        }
        assert_eq!(recent.entries.len(), REMEMBERED);
    }

    #[test]
    fn thirty_creations_leave_nine_events_and_a_combined_one_that_stands_for_sixteen() {
        let mut correlator = EventCorrelator::default();
        let sent: Vec<_> =
            (0..30).filter_map(|pod| send(&mut correlator, "a", &format!("create Pod web-{pod}"), pod)).collect();
        assert_eq!(sent.len(), 25);
        assert_eq!(sent[8], ("create Pod web-8".into(), 1, None));
        assert_eq!(sent[24], ("(combined from similar events): create Pod web-24".into(), 16, Some(7)));
        // One more is allowed five minutes later; the dropped ones are counted in it.
        assert_eq!(send(&mut correlator, "a", "again", 300_000).map(|event| event.1), Some(22));
    }
}
