//! Writing a set's status. Models stateful_set_status_updater.go.

use super::{Step, Steps};
use crate::objects::{Object, Reason};
use crate::reconcile::SyncError;

/// How often a status write that met a conflict is tried in all (client-go's DefaultRetry).
const STATUS_TRIES: i64 = 5;
/// Milliseconds between two tries.
const STATUS_PAUSE: i64 = 10;

impl Steps<'_> {
    /// Writes the status of the set it is handed. After a conflict, `renew` puts that status into the set as the cache has
    /// it by then.
    pub(in crate::reconcile) fn write_status(
        &mut self,
        mut desired: Object,
        renew: fn(newer: Object, desired: &Object) -> Object,
    ) -> Result<(), SyncError> {
        let key = desired.reference();
        for attempt in 1.. {
            match self.api.update_status(desired.clone()) {
                Ok(_) => break,
                // Each try takes the set from the cache again.
                Err(refusal) if refusal.reason == Reason::Conflict && attempt < STATUS_TRIES => {
                    if let Some(newer) = self.api.cached_after(&key, attempt * STATUS_PAUSE) {
                        desired = renew(newer, &desired);
                    }
                }
                Err(refusal) => {
                    self.decided(Step::StatusRefused);
                    return Err(refusal.into());
                }
            }
        }
        self.decided(Step::StatusWritten);
        Ok(())
    }

    /// There is nothing to write.
    pub(in crate::reconcile) fn leave_status(&mut self) {
        self.decided(Step::StatusUnchanged);
    }
}
