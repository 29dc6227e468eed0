//! What becomes of an event before it is sent: equal ones are counted, similar ones combined, too many dropped.
//! Models EventCorrelate, events_cache.go of client-go; the same in every release.

use super::map::Map;
use crate::objects::{EventType, ObjectRef, Time};
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

/// What tells events of one object apart, but for the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    about: ObjectRef,
    uid: Rc<str>,
    event_type: EventType,
    reason: Rc<str>,
}

/// An event, its message included.
type Message = (Rc<Kind>, Rc<str>);

#[derive(Clone, Debug, Default)]
struct Similar {
    messages: Vec<Rc<str>>,
    last: Option<Time>,
}

#[derive(Clone, Debug)]
struct Bucket {
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
    pub(super) event_type: EventType,
    pub(super) reason: Rc<str>,
    pub(super) message: Rc<str>,
}

/// What the recorder of each component remembers. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(super) struct EventCorrelator {
    recorders: BTreeMap<&'static str, Rc<Memory>>,
}

#[derive(Clone, Debug, Default)]
struct Memory {
    similar: Recent<Kind, Rc<Similar>>,
    /// How often an event happened, and its place in the record once it was sent.
    observed: Recent<Message, (u32, Option<usize>)>,
    buckets: Recent<(ObjectRef, Rc<str>), Bucket>,
}

/// A map of what was used last. Models Cache, lru.go of groupcache. Keys are shared: snapshots copy the nodes of both maps.
#[derive(Clone, Debug)]
struct Recent<K: Ord, V> {
    /// With the use at which each was used last.
    entries: Map<Rc<K>, (u64, V)>,
    uses: Map<u64, Rc<K>>,
    used: u64,
}

impl<K: Ord, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { entries: Map::new(), uses: Map::new(), used: 0 }
    }
}

impl<K: Ord, V: Clone> Recent<K, V> {
    /// The value of a key, made if it is not remembered. It counts as used.
    fn entry(&mut self, key: Rc<K>, make: impl FnOnce() -> V) -> &mut V {
        if let Some((used, _)) = self.entries.get(&key) {
            self.uses.remove(used);
        } else if self.entries.len() >= REMEMBERED
            && let Some((first, oldest)) = self.uses.get_min().cloned()
        {
            self.uses.remove(&first);
            self.entries.remove(&oldest);
        }
        self.used += 1;
        self.uses.insert(self.used, Rc::clone(&key));
        let (used, value) = self.entries.entry(key).or_insert_with(|| (0, make()));
        *used = self.used;
        value
    }
}

impl EventCorrelator {
    /// What is sent at `now`; none if there were too many. `next` is the place that a new event gets in the record.
    pub(super) fn correlate(&mut self, sent: Sent<'_>, now: Time, next: usize) -> Option<Correlated> {
        let Sent { component, about, uid, event_type, reason, message } = sent;
        let memory = Rc::make_mut(self.recorders.entry(component).or_default());
        let kind = Rc::new(Kind { about: about.clone(), uid: Rc::clone(&uid), event_type, reason });
        // The scheduler's recorder is the one of events.k8s.io, which neither combines nor drops.
        let combines = component != "default-scheduler";
        let (key, message) = match combines.then(|| memory.combine(&kind, &message, now)).flatten() {
            Some(combined) => ((kind, "".into()), combined),
            None => ((kind, Rc::clone(&message)), message),
        };
        let (observed, place) = memory.observed.entry(Rc::new(key), Default::default);
        *observed += 1;
        let (count, known) = (*observed, *place);
        if combines && !memory.buckets.take_token(Rc::new((about.clone(), uid)), now) {
            return None;
        }
        place.get_or_insert(next);
        Some(Correlated { message, count, known })
    }
}

impl Memory {
    /// The message of a combined event; none while there are few different ones.
    fn combine(&mut self, kind: &Rc<Kind>, message: &Rc<str>, now: Time) -> Option<Rc<str>> {
        let similar = Rc::make_mut(self.similar.entry(Rc::clone(kind), Rc::default));
        if similar.last.is_some_and(|last| now.0 - last.0 > SIMILAR_MS) {
            similar.messages.clear();
        }
        similar.last = Some(now);
        if !similar.messages.contains(message) {
            similar.messages.push(Rc::clone(message));
        }
        if similar.messages.len() < COMBINED_FROM {
            return None;
        }
        similar.messages.remove(0);
        Some(format!("(combined from similar events): {message}").into())
    }
}

impl Recent<(ObjectRef, Rc<str>), Bucket> {
    fn take_token(&mut self, key: Rc<(ObjectRef, Rc<str>)>, now: Time) -> bool {
        let full = BURST * REFILL_MS;
        let bucket = self.entry(key, || Bucket { filled: full, at: now });
        bucket.filled = (bucket.filled + now.0 - bucket.at.0).min(full);
        bucket.at = now;
        let taken = bucket.filled >= REFILL_MS;
        if taken {
            bucket.filled -= REFILL_MS;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::{EventCorrelator, Sent};
    use crate::objects::{EventType, Kind, ObjectRef, Time};

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
