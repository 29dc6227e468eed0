//! The controller's work queue: a key waits at most once, and a key that failed comes back later and later.
//! Models client-go's util/workqueue with its default controller rate limiter. Simplified: a controller that goes on asking to sync an
//! object at once, and does nothing, comes back to it every ten seconds.

use crate::objects::{ObjectRef, Time};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

const BASE_DELAY_MS: i64 = 5;
const MAX_DELAY_MS: i64 = 1_000_000;

/// After so many milliseconds a key comes back that has failed so often before it failed again.
pub(crate) fn back_off_after(failed: u32) -> i64 {
    (BASE_DELAY_MS << failed.min(30)).min(MAX_DELAY_MS)
}

const BUCKET_BURST: i64 = 100;
const BUCKET_REFILL_MS: i64 = 100;
/// After this a key comes back that goes on asking for the rate limiter and does nothing.
const IDLE_MS: i64 = 10_000;

/// Keys to be worked on.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkQueue {
    waiting: VecDeque<ObjectRef>,
    /// How often each key failed since its last success, and when it is due again.
    failures: BTreeMap<ObjectRef, (u32, Time)>,
    /// When each key that was delayed is added.
    delayed: BTreeMap<ObjectRef, Time>,
    /// How often in a row each key was added by the rate limiter without a failure.
    limited: BTreeMap<ObjectRef, i64>,
    /// When the shared bucket would be full again.
    bucket_full_at: Time,
}

impl WorkQueue {
    /// Adds a key unless it waits already. Says whether it was added.
    pub(super) fn add(&mut self, key: ObjectRef) -> bool {
        let added = !self.waiting.contains(&key);
        if added {
            self.waiting.push_back(key);
        }
        added
    }

    /// The next key.
    pub(super) fn take(&mut self) -> Option<ObjectRef> {
        self.waiting.pop_front()
    }

    /// Whether no key waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The key no longer asks for the rate limiter.
    pub(super) fn rests(&mut self, key: &ObjectRef) {
        self.limited.remove(key);
    }

    /// The key succeeded: its back-off is forgotten.
    pub(super) fn forget(&mut self, key: &ObjectRef) {
        self.failures.remove(key);
    }

    /// The key has failed so often in a row, and is due again then.
    pub(super) fn set_failures(&mut self, key: &ObjectRef, times: u32, due: Time) {
        self.failures.insert(key.clone(), (times, due));
        self.delayed.insert(key.clone(), due);
    }

    /// The key failed: when to add it again, the later of its own back-off and the shared bucket. None if it waits for an
    /// earlier moment already.
    pub(super) fn fail(&mut self, key: &ObjectRef, now: Time) -> Option<Time> {
        let failed = self.failures.get(key).map_or(0, |(failed, _)| *failed);
        let back_off = back_off_after(failed);
        self.bucket_full_at = Time(self.bucket_full_at.0.max(now.0) + BUCKET_REFILL_MS);
        let bucket = (self.bucket_full_at.0 - now.0 - BUCKET_BURST * BUCKET_REFILL_MS).max(0);
        let due = Time(now.0 + back_off.max(bucket));
        let delayed = self.delay(key, due);
        let due = self.delayed.get(key).copied().unwrap_or(due);
        self.failures.insert(key.clone(), (failed.saturating_add(1), due));
        delayed
    }

    /// The key did not fail and asks to be added by the rate limiter, as a failed one is; its back-off is forgotten. Once the bucket
    /// is empty it would come back ten times a second: a sync that nothing changed before does nothing, so fewer are simulated.
    pub(super) fn add_rate_limited(&mut self, key: &ObjectRef, now: Time) -> Option<Time> {
        let times = self.limited.entry(key.clone()).or_default();
        *times = times.saturating_add(1);
        if *times > BUCKET_BURST {
            return self.delay(key, Time(now.0 + IDLE_MS));
        }
        let at = self.fail(key, now);
        self.failures.remove(key);
        at
    }

    /// When to add the key after a delay. None if it waits for an earlier moment already.
    pub(super) fn add_after(&mut self, key: &ObjectRef, delay: Duration, now: Time) -> Option<Time> {
        let at = Time(now.0 + i64::try_from(delay.as_millis()).unwrap_or(i64::MAX / 2).max(1));
        self.delay(key, at)
    }

    /// A key has one delayed entry, the earliest. Models insert of delaying_queue.go.
    fn delay(&mut self, key: &ObjectRef, at: Time) -> Option<Time> {
        if self.delayed.get(key).is_some_and(|earlier| *earlier <= at) {
            return None;
        }
        self.delayed.insert(key.clone(), at);
        Some(at)
    }

    /// Whether the key's delayed entry is due, which ends it. An entry that an earlier one has replaced is not.
    pub(super) fn comes_back(&mut self, key: &ObjectRef, now: Time) -> bool {
        let is_due = self.delayed.get(key).is_some_and(|at| *at <= now);
        if is_due {
            self.delayed.remove(key);
        }
        is_due
    }

    /// Whether this is the key's delayed entry, and not one that an earlier one has replaced.
    pub(super) fn holds(&self, key: &ObjectRef, at: Time) -> bool {
        self.delayed.get(key) == Some(&at)
    }

    /// What is delayed for a while only is due soon, and no back-off grows. For the model check.
    pub(super) fn make_due(&mut self, soon: Time, within: Time) {
        self.delayed.values_mut().filter(|at| **at <= within).for_each(|at| *at = soon);
        self.failures.clear();
        self.bucket_full_at = Time::default();
    }

    /// When a failed key is due again, and how often it has failed.
    pub(super) fn retry_of(&self, key: &ObjectRef) -> Option<(Time, u32)> {
        self.failures.get(key).map(|(failed, due)| (*due, *failed))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::WorkQueue;
    use crate::objects::{Kind, ObjectRef, Time};
    use std::time::Duration;

    fn key(name: &str) -> ObjectRef {
        ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: name.into() }
    }

    #[test]
    fn a_key_waits_once() {
        let mut queue = WorkQueue::default();
        assert!(queue.add(key("a")));
        assert!(queue.add(key("b")));
        assert!(!queue.add(key("a")));
        assert_eq!((queue.take(), queue.take(), queue.take()), (Some(key("a")), Some(key("b")), None));
    }

    #[test]
    fn a_failing_key_comes_back_later_and_later_up_to_a_thousand_seconds() {
        let mut queue = WorkQueue::default();
        let mut fail = || {
            let at = queue.fail(&key("a"), Time(0)).unwrap();
            assert!(queue.comes_back(&key("a"), at));
            at.0
        };
        let delays: Vec<i64> = (0..20).map(|_| fail()).collect();
        assert_eq!(delays[..5], [5, 10, 20, 40, 80]);
        assert_eq!(delays[17..], [655_360, 1_000_000, 1_000_000]);
        queue.forget(&key("a"));
        assert_eq!(queue.fail(&key("a"), Time(0)), Some(Time(5)));
    }

    #[test]
    fn a_key_that_fails_while_it_waits_comes_back_once_at_the_earlier_moment() {
        let mut queue = WorkQueue::default();
        assert_eq!(queue.add_after(&key("a"), Duration::from_secs(60), Time(0)), Some(Time(60_000)));
        assert_eq!(queue.fail(&key("a"), Time(0)), Some(Time(5)));
        assert_eq!(queue.fail(&key("a"), Time(1)), None, "5 ms comes before 11 ms");
        assert!(queue.comes_back(&key("a"), Time(5)));
        assert!(!queue.comes_back(&key("a"), Time(60_000)), "the later entry was replaced");
    }

    #[test]
    fn many_failing_keys_share_ten_retries_a_second() {
        let mut queue = WorkQueue::default();
        let delays: Vec<i64> = (0..103).map(|i| queue.fail(&key(&i.to_string()), Time(0)).unwrap().0).collect();
        assert_eq!(delays[99..], [5, 100, 200, 300]);
    }
}
