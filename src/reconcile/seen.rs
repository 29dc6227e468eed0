//! What a sync of a CloneSet asks of each of its pods again and again, read once, and kept to the next sync for the pods that
//! have not changed.

use crate::objects::{ObjectMeta, Pod, Time};
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
    /// What a look at its update in place and its state finds until something changes; none before it was looked at, and
    /// where the look itself changed something.
    pub(super) standstill: Option<Standstill>,
}

/// Why there is nothing to do for a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standstill {
    Settled,
    /// Its kubelet has not caught up with its update in place.
    Incomplete,
}

impl Seen {
    /// Ready for long enough, and between no two states.
    pub(super) fn is_available(&self, now: Time) -> bool {
        self.available_after.is_some_and(|after| after < now)
    }
}

/// One of the set's own pods in the cache: as the last sync read it, or one that has changed since.
#[derive(Debug)]
pub(super) enum Sight<'a> {
    Known(Seen),
    Changed(&'a Rc<Pod>),
}

impl Sight<'_> {
    pub(super) fn pod(&self) -> &Rc<Pod> {
        match self {
            Self::Known(seen) => &seen.pod,
            Self::Changed(pod) => pod,
        }
    }
}

/// The pods of the last sync, in the cache's order, and what they were read with.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) uid: Rc<str>,
    pub(super) generation: i64,
    /// The update revision.
    pub(super) update: Rc<str>,
    pub(super) pods: Vec<Seen>,
}

impl Kept {
    /// The set's own pods of the cache's that are active, in its order, and those that are not. A pod that is the very object
    /// of the last sync is not looked at, if the set has not changed since.
    pub(super) fn look<'a>(
        kept: Option<Self>,
        set: &ObjectMeta,
        pods: &'a [Rc<Pod>],
        is_active: impl Fn(&Pod) -> bool,
    ) -> (Vec<Sight<'a>>, Vec<&'a Rc<Pod>>) {
        let kept = kept.filter(|kept| kept.uid == set.uid && kept.generation == set.generation);
        let mut known = kept.map(|kept| kept.pods).unwrap_or_default().into_iter().peekable();
        let (mut active, mut inactive) = (Vec::with_capacity(pods.len()), Vec::new());
        for pod in pods {
            let is_it = |seen: &Seen| Rc::ptr_eq(&seen.pod, pod);
            let found = known.next_if(is_it).or_else(|| {
                while known.next_if(|seen| seen.pod.metadata.name < pod.metadata.name).is_some() {}
                known.next_if(is_it)
            });
            match found {
                Some(seen) => active.push(Sight::Known(seen)),
                None if !pod.metadata.owner_references.iter().any(|owner| owner.uid == set.uid) => {}
                None if is_active(pod) => active.push(Sight::Changed(pod)),
                None => inactive.push(pod),
            }
        }
        (active, inactive)
    }
}
