//! What a sync reads of each of a set's pods, kept to the next one: a pod that is still the very object is not read again, so
//! that a sync of thousands of pods does not wait for the memory of those that nobody touched.

use crate::objects::{ObjectMeta, Pod, PodPhase, Time};
use std::rc::Rc;

/// What the last sync of an object read of its pods. A copy starts empty: it is cheap to make again and would cost every
/// snapshot.
#[derive(Debug, Default)]
pub struct SyncCache {
    /// Of a set with ordinals.
    pub(super) by_ordinal: CachedPods,
    /// None before the first sync of a CloneSet.
    pub(super) clones: Option<CachedClones>,
}

impl Clone for SyncCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The pods that may be one set's, in the order in which the cache lists them.
#[derive(Debug, Default)]
pub(super) struct CachedPods {
    uid: Rc<str>,
    generation: i64,
    pods: Vec<CachedPod>,
}

/// A pod with what a sync asks of it again and again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CachedPod {
    pub(super) pod: Rc<Pod>,
    pub(super) owner: PodOwner,
    /// Whether it is named and labeled as the set's pods are.
    pub(super) is_member: bool,
    /// −1 if it has none, or one that does not fit 32 bits.
    pub(super) ordinal: i32,
    pub(super) phase: PodPhase,
    /// Running, and Ready.
    pub(super) is_ready: bool,
    /// Since when its condition Ready is True.
    pub(super) ready_since: Option<Time>,
    pub(super) is_terminating: bool,
    /// Named and labeled as the pod of its ordinal is.
    pub(super) identity_matches: bool,
    /// Has a volume for each of its ordinal's claims.
    pub(super) storage_matches: bool,
    /// Between no two states of the life that OpenKruise gives it.
    pub(super) is_at_rest: bool,
    /// Nothing of an update in place is left to be done or waited for.
    pub(super) is_quiet: bool,
    /// Empty if it carries none.
    pub(super) revision: Rc<str>,
}

/// Whose controller a pod names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PodOwner {
    Set,
    Other,
    Nobody,
}

impl CachedPod {
    /// Whether the API server has it: only then does it have a phase.
    pub(super) fn is_created(&self) -> bool {
        self.phase != PodPhase::None
    }
}

impl CachedPods {
    /// Reads those that are not the same objects as at the last sync, or all where the set has changed since.
    pub(super) fn read(&mut self, set: &ObjectMeta, pods: &[Rc<Pod>], read: impl Fn(&Rc<Pod>) -> CachedPod) {
        let mut known = std::mem::take(&mut self.pods);
        if (&self.uid, self.generation) != (&set.uid, set.generation) {
            (self.uid, self.generation) = (Rc::clone(&set.uid), set.generation);
            known.clear();
        }
        let pods = with_known(known, |known| &known.pod, pods);
        self.pods = pods.map(|(pod, known)| known.unwrap_or_else(|| read(pod))).collect();
    }

    pub(super) fn pods(&self) -> &[CachedPod] {
        &self.pods
    }
}

/// Each pod with what is known of it, if it is still the very object. Both lists are in order of names.
fn with_known<P>(
    known: Vec<P>,
    pod_of: fn(&P) -> &Rc<Pod>,
    pods: &[Rc<Pod>],
) -> impl Iterator<Item = (&Rc<Pod>, Option<P>)> {
    let mut known = known.into_iter().peekable();
    pods.iter().map(move |pod| {
        let is_same = |known: &P| Rc::ptr_eq(pod_of(known), pod);
        let found = known.next_if(is_same).or_else(|| {
            // What comes before this pod is gone, or has changed.
            while known.next_if(|it| !is_same(it) && pod_of(it).metadata.name < pod.metadata.name).is_some() {}
            known.next_if(is_same)
        });
        (pod, found)
    })
}

/// A pod of a CloneSet with what a sync asks of it again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedClone {
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
    /// Why a look at its update in place and its state finds nothing to do until something changes; none before it was looked
    /// at, and where the look itself changed something.
    pub(super) nothing_to_do: Option<NothingToDo>,
}

/// Why there is nothing to do for a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NothingToDo {
    Settled,
    /// Its kubelet has not caught up with its update in place.
    Incomplete,
}

impl CachedClone {
    /// Ready for long enough, and between no two states.
    pub(super) fn is_available(&self, now: Time) -> bool {
        self.available_after.is_some_and(|after| after < now)
    }
}

/// One of a CloneSet's own pods: as the last sync read it, or one that has changed since.
#[derive(Debug)]
pub(super) enum OwnPod<'a> {
    Known(CachedClone),
    Changed(&'a Rc<Pod>),
}

impl OwnPod<'_> {
    pub(super) fn pod(&self) -> &Rc<Pod> {
        match self {
            Self::Known(known) => &known.pod,
            Self::Changed(pod) => pod,
        }
    }
}

/// The pods of the last sync of a CloneSet, in the cache's order, and what they were read with.
#[derive(Debug)]
pub(super) struct CachedClones {
    pub(super) uid: Rc<str>,
    pub(super) generation: i64,
    /// The update revision.
    pub(super) update: Rc<str>,
    pub(super) pods: Vec<CachedClone>,
}

impl CachedClones {
    /// The set's own pods of the cache's that are active, in its order, and those that are not. A pod that is the very object
    /// of the last sync is not looked at, if the set has not changed since.
    pub(super) fn own_pods<'a>(
        cached: Option<Self>,
        set: &ObjectMeta,
        pods: &'a [Rc<Pod>],
        is_active: impl Fn(&Pod) -> bool,
    ) -> (Vec<OwnPod<'a>>, Vec<&'a Rc<Pod>>) {
        let cached = cached.filter(|cached| cached.uid == set.uid && cached.generation == set.generation);
        let known = cached.map(|cached| cached.pods).unwrap_or_default();
        let (mut active, mut inactive) = (Vec::with_capacity(pods.len()), Vec::new());
        for (pod, known) in with_known(known, |known| &known.pod, pods) {
            match known {
                Some(known) => active.push(OwnPod::Known(known)),
                None if !pod.metadata.owner_references.iter().any(|owner| owner.uid == set.uid) => {}
                None if is_active(pod) => active.push(OwnPod::Changed(pod)),
                None => inactive.push(pod),
            }
        }
        (active, inactive)
    }
}
