//! What a sync of a CloneSet asks of each of its pods again and again, read once, and kept to the next sync for the pods that
//! have not changed.

use crate::objects::{Pod, Time};
use std::rc::Rc;

/// A pod and what was read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub(super) pod: Rc<Pod>,
    /// At the update revision.
    pub(super) is_updated: bool,
    pub(super) is_preparing_update: bool,
    pub(super) is_preparing_delete: bool,
    /// People asked for its deletion.
    pub(super) is_specified: bool,
    pub(super) is_ready: bool,
    /// It is available later than this, if it stays as it is.
    pub(super) available_after: Option<Time>,
    /// A look at its update in place and its state found nothing to do, and will not until something changes.
    pub(super) is_still: bool,
}

impl Seen {
    /// Ready for long enough, and between no two states.
    pub(super) fn is_available(&self, now: Time) -> bool {
        self.available_after.is_some_and(|after| after < now)
    }
}

/// What a reading rests on beside the pod: the set's uid and generation, and its update revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Basis {
    pub(super) uid: Rc<str>,
    pub(super) generation: i64,
    pub(super) update: Rc<str>,
}

/// The pods of the last sync, in the cache's order.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) basis: Basis,
    pub(super) pods: Vec<Seen>,
}

impl Kept {
    /// Reads the pods, but for those that are the very objects of the last sync. They are in the cache's order.
    pub(super) fn see(
        kept: Option<Self>,
        basis: &Basis,
        pods: &[&Rc<Pod>],
        read: impl Fn(&Rc<Pod>) -> Seen,
    ) -> Vec<Seen> {
        let known = kept.filter(|kept| kept.basis == *basis).map(|kept| kept.pods).unwrap_or_default();
        let mut known = known.into_iter().peekable();
        let mut see = |pod: &&Rc<Pod>| {
            while known.next_if(|seen| seen.pod.metadata.name < pod.metadata.name).is_some() {}
            known.next_if(|seen| Rc::ptr_eq(&seen.pod, pod)).unwrap_or_else(|| read(pod))
        };
        pods.iter().map(&mut see).collect()
    }
}
