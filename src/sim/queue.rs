//! The controller's work queue: a key waits at most once, and a key that failed comes back later and later.
//! Models client-go's util/workqueue with its default controller rate limiter.

use crate::objects::{ObjectRef, Time};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

const BASE_DELAY_MS: i64 = 5;
const MAX_DELAY_MS: i64 = 1_000_000;
const BUCKET_BURST: i64 = 100;
const BUCKET_REFILL_MS: i64 = 100;

/// Keys to be worked on.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkQueue {
    waiting: VecDeque<ObjectRef>,
    /// How often each key failed since its last success, and when it is due again.
    failures: BTreeMap<ObjectRef, (u32, Time)>,
    /// When each key comes back by itself.
    delayed: BTreeMap<ObjectRef, Time>,
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

    /// The key succeeded: its back-off is forgotten.
    pub(super) fn forget(&mut self, key: &ObjectRef) {
        self.failures.remove(key);
    }

    /// The key failed: when it should be added again, the later of its own back-off and the shared bucket.
    pub(super) fn fail(&mut self, key: &ObjectRef, now: Time) -> Time {
        let failed = self.failures.get(key).map_or(0, |(failed, _)| *failed);
        let back_off = (BASE_DELAY_MS << failed.min(30)).min(MAX_DELAY_MS);
        self.bucket_full_at = Time(self.bucket_full_at.0.max(now.0) + BUCKET_REFILL_MS);
        let bucket = (self.bucket_full_at.0 - now.0 - BUCKET_BURST * BUCKET_REFILL_MS).max(0);
        let due = Time(now.0 + back_off.max(bucket));
        self.failures.insert(key.clone(), (failed + 1, due));
        due
    }

    /// When to add the key after a delay; none if it comes back by then anyway, unless every delay is kept.
    pub(super) fn add_after(&mut self, key: &ObjectRef, delay: Duration, now: Time, keeps_every: bool) -> Option<Time> {
        let at = Time(now.0 + i64::try_from(delay.as_millis()).unwrap_or(i64::MAX / 2).max(1));
        self.delayed.retain(|_, due| *due > now);
        if !keeps_every && self.delayed.get(key).is_some_and(|due| *due <= at) {
            return None;
        }
        self.delayed.insert(key.clone(), at);
        Some(at)
    }

    /// When a failed key is due again, and how often it has failed.
    pub(super) fn retry_of(&self, key: &ObjectRef) -> Option<(Time, u32)> {
        self.failures.get(key).map(|(failed, due)| (*due, *failed))
    }
}

#[cfg(test)]
mod tests {
    use super::WorkQueue;
    use crate::objects::{Kind, ObjectRef, Time};

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
        let delays: Vec<i64> = (0..20).map(|_| queue.fail(&key("a"), Time(0)).0).collect();
        assert_eq!(delays[..5], [5, 10, 20, 40, 80]);
        assert_eq!(delays[17..], [655_360, 1_000_000, 1_000_000]);
        queue.forget(&key("a"));
        assert_eq!(queue.fail(&key("a"), Time(0)).0, 5);
    }

    #[test]
    fn many_failing_keys_share_ten_retries_a_second() {
        let mut queue = WorkQueue::default();
        let delays: Vec<i64> = (0..103).map(|i| queue.fail(&key(&i.to_string()), Time(0)).0).collect();
        assert_eq!(delays[99..], [5, 100, 200, 300]);
    }
}
