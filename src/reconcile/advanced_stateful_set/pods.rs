//! What the Advanced StatefulSet controller asks of a pod. Models stateful_set_utils.go.

use crate::objects::Time;
use crate::reconcile::sync_cache::CachedPod;

/// Whether a pod is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Availability {
    Now,
    /// After as many milliseconds, if nothing happens to it.
    In(i64),
    /// No moment is known.
    No,
}

/// Between no two states of its life, Running, and Ready for as many seconds.
pub(super) fn availability(pod: &CachedPod, min_ready_seconds: i32, now: Time) -> Availability {
    if !pod.is_at_rest || !pod.is_ready {
        return Availability::No;
    }
    if min_ready_seconds == 0 {
        return Availability::Now;
    }
    let seconds = i64::from(min_ready_seconds);
    match pod.ready_since.map_or(seconds * 1000, |since| since.plus_seconds(seconds).0 - now.0) {
        left if left > 0 => Availability::In(left),
        _ => Availability::Now,
    }
}

/// Between no two states of its life, Running and Ready, and not terminating.
pub(super) fn is_healthy(pod: &CachedPod) -> bool {
    pod.is_at_rest && pod.is_ready && !pod.is_terminating
}
