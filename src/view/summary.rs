//! The workload's line: its name, how many of its pods are ready and updated, its revisions.

use super::cards::newest;
use super::kinds::{Surroundings, counts, revision};
use super::versions::{revisions_of, version, version_of};
use super::{Revision, Summary};
use std::rc::Rc;

/// The line of a workload with versions of these names.
pub(super) fn summary(around: &Surroundings<'_>, versions: &[Rc<str>]) -> Summary {
    let (cluster, object) = (around.cluster, around.object);
    let at = |at: usize| version(versions, Some(at));
    let (current, update) = match around.workload.revisions() {
        // The version made last is not always the newest template: one that returns keeps its name.
        Some(names) => {
            let own = revisions_of(cluster, object);
            let named = |name: &Rc<str>| (!name.is_empty()).then(|| revision(&own, name));
            let [current, update] = names.map(named);
            (current, update)
        }
        None => {
            let new = newest(object, &cluster.replica_sets_of(object)).map(at);
            let last = || versions.len().checked_sub(1).map(at);
            let of_pod = |pod: &&Rc<_>| version(versions, version_of(pod, versions));
            (around.pods.iter().map(of_pod).min_by_key(|own: &Revision| own.hue), new.or_else(last))
        }
    };
    let numbers = counts(object);
    Summary {
        name: object.metadata().name.to_string(),
        kind: object.kind(),
        ready: (numbers.ready, object.desired()),
        updated: numbers.updated,
        current,
        update,
    }
}
