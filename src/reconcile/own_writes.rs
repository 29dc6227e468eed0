//! What the controller remembers of its own writes, and the wait until its cache shows them.
//! Models the first act of sync in pkg/controller/statefulset/stateful_set.go, v1.36 (KEP-5647).

use super::{Decision, Rule, SyncError};
use crate::objects::Kind;
use std::rc::Rc;

/// The latest of a controller's own writes to objects of one kind for the object it reconciles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWrite {
    /// The kind that was written.
    pub kind: Kind,
    /// The resource version that the API server answered with.
    pub written: Rc<str>,
    /// The resource version that the cache has come to; empty if that is not known.
    pub read: Rc<str>,
}

impl OwnWrite {
    /// Whether the cache does not show it yet. What cannot be compared counts as shown.
    pub(crate) fn is_ahead_of_cache(&self) -> bool {
        let number = |version: &str| version.parse::<u64>().ok();
        matches!((number(&self.written), number(&self.read)), (Some(written), Some(read)) if written > read)
    }
}

/// The first act of a sync where this is on: it ends here, with nothing read or written, while the cache is behind an own
/// write.
///
/// # Errors
/// What the sync returns then; the key is queued again with back-off.
pub fn check_own_writes(
    is_on: bool,
    own_writes: &[OwnWrite],
    rule: Rule,
    decisions: &mut Vec<Decision>,
) -> Result<(), SyncError> {
    let mut ahead = own_writes.iter().filter(|write| is_on && write.is_ahead_of_cache());
    ahead.next().map_or(Ok(()), |write| {
        decisions.push(Decision::new(rule));
        let OwnWrite { kind, written, read } = write;
        Err(SyncError(format!(
            "read version: {read} is not as new as written version: {written} for group resource {}",
            kind.qualified_resource()
        )))
    })
}
