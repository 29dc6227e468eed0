//! What an init container that runs may wait for: a Job of its namespace that has not come to its end.

use super::seen::{Seen, is_running, started};
use crate::objects::Kind;
use crate::session::dump::not_followed::NotFollowed;
use crate::session::dump::read::Event;
use crate::sim::START;

/// The reason of what is told as an event here: an init container runs beside a Job that has not ended.
pub(crate) const AWAITS_JOB: &str = "AwaitsJob";
/// The same of one that has failed.
pub(crate) const AWAITS_FAILED_JOB: &str = "AwaitsFailedJob";

/// For so long, in milliseconds, an init container may wait for a Job that is at work before it is taken to stay so.
const PATIENCE_MS: i64 = 1_800_000;

const JOB: &str = "Job";

/// The Job that the container may wait for: the one that it names, or else the first that is at work, or else the first.
pub(super) fn job<'n>(all: &'n [NotFollowed], one: &Seen<'_>) -> Option<&'n NotFollowed> {
    if !one.is_init || one.container.is_sidecar() || !is_running(one.status) {
        return None;
    }
    let is_beside = |job: &&NotFollowed| *job.kind == *JOB && job.namespace == one.pod.metadata.namespace;
    let jobs = || all.iter().filter(is_beside);
    let named = jobs().find(|job| job.is_named_by(one.container));
    named.or_else(|| jobs().find(|job| job.ready > 0)).or_else(|| jobs().next())
}

/// Whether the Job is at work, and the container has not run for longer than one waits.
pub(super) fn is_in_time(job: &NotFollowed, one: &Seen<'_>) -> bool {
    job.ready > 0 && started(one.status).is_none_or(|at| START.0 - at.0 <= PATIENCE_MS)
}

/// That the container may wait for it.
pub(super) fn event(job: &NotFollowed, one: &Seen<'_>) -> Event {
    let since = started(one.status).or(one.pod.metadata.creation_timestamp).unwrap_or(START);
    let reason = if job.has_failed() { AWAITS_FAILED_JOB } else { AWAITS_JOB };
    let told = Event::of_status((Kind::Pod, &one.pod.metadata), &reason.into(), &job.name, since);
    Event { last: START, ..told }
}
