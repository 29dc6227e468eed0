//! What following a run costs.

use std::cell::Cell;
use std::rc::Rc;

/// How many pods and nodes were looked at, each look counted. Clones share the count, so that all that is tried of one text takes its
/// time together.
#[derive(Clone, Default)]
pub(super) struct Looks(Rc<Cell<u64>>);

impl Looks {
    /// So many more.
    pub(super) fn add(&self, looks: usize) {
        self.0.set(self.0.get().saturating_add(looks as u64));
    }

    /// How many there have been.
    pub(super) fn count(&self) -> u64 {
        self.0.get()
    }

    /// Counts from zero again.
    pub(super) fn forget(&self) {
        self.0.set(0);
    }
}
