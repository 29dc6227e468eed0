//! What ends a moment of any workload: the cache, and the work queue.

use crate::objects::ObjectRef;
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::text::{self, Noun};

/// What ends the wait for the cache.
pub(in crate::view) const ARRIVES: &str = "It reaches the cache, and a sync handles it.";

/// When the work queue tries a failed sync again.
pub(in crate::view) fn retry(cluster: &Cluster, workload: &ObjectRef) -> Text {
    let Some((due, failures)) = cluster.retry_of(workload) else { return text!("The work queue tries again.") };
    let left = due.0 - cluster.now().0;
    let when = if left < 1000 { text!("{} ms", left.max(0)) } else { text::left(left) };
    let times = text::count(i32::try_from(failures).unwrap_or(i32::MAX), Noun::Time);
    text!("The work queue tries again in {}; this set has failed {}.", when, times)
}

/// Where a controller has nothing to do: that is well only where its pods are.
pub(in crate::view) fn done(is_well: bool) -> Text {
    if is_well { text!("Nothing to do") } else { text!("Its controller has done what it can") }
}
