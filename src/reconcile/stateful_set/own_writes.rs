//! What the controller remembers of its own writes, and the wait until its cache shows them.
//! Models ensureOwnWrites of pkg/controller/statefulset/stateful_set.go and pkg/controller/util/consistency, v1.36.

use crate::objects::Kind;
use crate::reconcile::{Decision, Gates, Rule, SyncError};
use std::rc::Rc;

/// The latest of the controller's own writes to objects of one kind for one set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWrite {
    /// Pod, claim or StatefulSet: deletions and revisions are not remembered.
    pub kind: Kind,
    /// The resource version that the API server answered with.
    pub written: Rc<str>,
    /// The resource version that the cache has come to; empty if that is not known.
    pub read: Rc<str>,
}

impl OwnWrite {
    /// Whether the cache does not show it yet. What cannot be compared counts as shown.
    pub fn is_ahead_of_cache(&self) -> bool {
        let number = |version: &str| version.parse::<u64>().ok();
        matches!((number(&self.written), number(&self.read)), (Some(written), Some(read)) if written > read)
    }
}

/// The first act of a sync: it ends here, with nothing read or written, while the cache is behind an own write.
///
/// # Errors
/// What the sync returns then; the key is queued again with back-off.
pub fn check_own_writes(
    gates: &Gates,
    own_writes: &[OwnWrite],
    decisions: &mut Vec<Decision>,
) -> Result<(), SyncError> {
    let mut ahead = own_writes.iter().filter(|write| gates.waits_for_own_writes && write.is_ahead_of_cache());
    ahead.next().map_or(Ok(()), |write| {
        decisions.push(Decision::new(Rule::CacheBehindOwnWrites));
        let OwnWrite { kind, written, read } = write;
        Err(SyncError(format!(
            "read version: {read} is not as new as written version: {written} for group resource {}",
            kind.qualified_resource()
        )))
    })
}
