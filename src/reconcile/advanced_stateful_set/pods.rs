//! What the Advanced StatefulSet controller asks of a pod. Models stateful_set_utils.go.

use crate::objects::{Pod, Time};
use crate::reconcile::in_place::is_at_rest;
use crate::reconcile::pods::is_running_and_ready;
use crate::reconcile::roster::Look;

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
pub(super) fn availability(pod: &Pod, min_ready_seconds: i32, now: Time) -> Availability {
    if !is_at_rest(pod) || !is_running_and_ready(pod) {
        return Availability::No;
    }
    if min_ready_seconds == 0 {
        return Availability::Now;
    }
    let seconds = i64::from(min_ready_seconds);
    let since = pod.condition("Ready").and_then(|ready| ready.last_transition_time);
    match since.map_or(seconds * 1000, |since| since.plus_seconds(seconds).0 - now.0) {
        left if left > 0 => Availability::In(left),
        _ => Availability::Now,
    }
}

/// Between no two states of its life, Running and Ready, and not terminating.
pub(super) fn is_healthy(pod: &Pod) -> bool {
    is_at_rest(pod) && is_running_and_ready(pod) && !pod.is_terminating()
}

/// The same of pods that look like this.
pub(super) fn are_healthy(look: &Look) -> bool {
    look.is_at_rest && look.is_ready && !look.is_terminating
}
