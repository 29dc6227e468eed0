//! What the builders of one view share: the set, its pods, its revisions, its last sync.

use super::rule_text::deciding;
use crate::objects::{ControllerRevision, Object, ObjectMeta, ObjectRef, Pod, shared};
use crate::reconcile::{Decision, is_running_and_ready, parent_and_ordinal, revision_of};
use crate::sim::{Cluster, SyncRecord};
use crate::text::Text;
use crate::verdict::{Ordered, syncs};
use crate::view::versions::{revisions_of, short};
use crate::view::{Revision, text};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Pods with their ordinals, in the order of these.
pub(in crate::view) type ByOrdinal = Rc<Vec<(i32, Rc<Pod>)>>;

pub(in crate::view) struct Context<'a> {
    pub(in crate::view) cluster: &'a Cluster,
    pub(in crate::view) object: &'a Object,
    pub(in crate::view) set: Ordered<'a>,
    pub(in crate::view) key: ObjectRef,
    /// In the order they were made.
    pub(in crate::view) revisions: Vec<&'a Rc<ControllerRevision>>,
    pub(in crate::view) last_sync: Option<&'a Rc<SyncRecord>>,
    /// The decision that says where the last sync stands: a refusal or an act rather than what it merely passed.
    pub(in crate::view) deciding: Option<Decision>,
    /// Read once somebody asks: of thousands of pods that takes a while.
    pods: OnceCell<ByOrdinal>,
    counts: OnceCell<Rc<PodCounts>>,
}

/// What is counted of the pods in range.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::view) struct PodCounts {
    /// Those that run and are ready.
    pub(in crate::view) ready: i32,
    /// The ordinals of those that are not at the update revision.
    pub(in crate::view) outdated: BTreeSet<i32>,
}

impl PodCounts {
    /// Counts a pod, or no longer counts it.
    pub(in crate::view) fn count(&mut self, context: &Context<'_>, ordinal: i32, pod: &Pod, is_there: bool) {
        if !context.is_in_range(ordinal) {
            return;
        }
        if is_running_and_ready(pod) {
            self.ready += if is_there { 1 } else { -1 };
        }
        self.outdated.remove(&ordinal);
        if is_there && context.set.is_old(pod) {
            self.outdated.insert(ordinal);
        }
    }
}

impl<'a> Context<'a> {
    /// None of a workload whose pods have no place by ordinal.
    pub(in crate::view) fn new(cluster: &'a Cluster, object: &'a Object) -> Option<Self> {
        let set = Ordered::of(object)?;
        let revisions = revisions_of(cluster, object);
        let last_sync = syncs(cluster, object).next();
        let deciding = last_sync.and_then(|sync| deciding(&sync.decisions).cloned());
        let key = object.reference();
        Some(Self {
            cluster,
            object,
            set,
            key,
            revisions,
            last_sync,
            deciding,
            pods: OnceCell::new(),
            counts: OnceCell::new(),
        })
    }

    /// The same, with its pods as somebody knows them already.
    pub(in crate::view) fn with_pods(mut self, pods: ByOrdinal, counts: Rc<PodCounts>) -> Self {
        (self.pods, self.counts) = (pods.into(), counts.into());
        self
    }

    /// Its pods by ordinal.
    pub(in crate::view) fn pods(&self) -> &[(i32, Rc<Pod>)] {
        self.read_pods()
    }

    /// The same, shared with others.
    pub(in crate::view) fn shared_pods(&self) -> ByOrdinal {
        Rc::clone(self.read_pods())
    }

    fn read_pods(&self) -> &ByOrdinal {
        self.pods.get_or_init(|| {
            let own = |pod: &Rc<Pod>| Some((self.ordinal_of(pod)?, Rc::clone(pod)));
            let mut pods: Vec<(i32, Rc<Pod>)> = self.cluster.pods().filter_map(own).collect();
            // Thousands of them: the standard sort.
            pods.sort_by_key(|(ordinal, _)| *ordinal);
            Rc::new(pods)
        })
    }

    /// What is counted of them.
    pub(in crate::view) fn counts(&self) -> &PodCounts {
        self.read_counts()
    }

    /// The same, shared with others.
    pub(in crate::view) fn shared_counts(&self) -> Rc<PodCounts> {
        Rc::clone(self.read_counts())
    }

    fn read_counts(&self) -> &Rc<PodCounts> {
        self.counts.get_or_init(|| {
            let mut counts = PodCounts::default();
            self.pods().iter().for_each(|(ordinal, pod)| counts.count(self, *ordinal, pod, true));
            Rc::new(counts)
        })
    }

    /// The ordinal of a pod of the set, or of one that it would adopt; none of another pod.
    pub(in crate::view) fn ordinal_of(&self, pod: &Pod) -> Option<i32> {
        let (set, own) = (self.set.metadata, &pod.metadata);
        if own.namespace != set.namespace || !is_own_or_orphan(set, own) {
            return None;
        }
        let (parent, ordinal) = parent_and_ordinal(&own.name)?;
        (*parent == *set.name && ordinal >= 0).then_some(ordinal)
    }

    /// The syncs of this set, newest first.
    pub(in crate::view) fn syncs(&self) -> impl Iterator<Item = &'a Rc<SyncRecord>> + use<'a> {
        syncs(self.cluster, self.object)
    }

    /// The same with another sync in the place of the last one, if there is one of this number.
    pub(in crate::view) fn at(mut self, number: Option<u64>) -> Self {
        let chosen = number.and_then(|number| self.syncs().find(|sync| sync.number == number));
        if let Some(sync) = chosen {
            self.last_sync = Some(sync);
            self.deciding = deciding(&sync.decisions).cloned();
        }
        self
    }

    pub(in crate::view) fn name(&self) -> &str {
        &self.set.metadata.name
    }

    /// The first ordinal in range, as the controller has it.
    pub(in crate::view) fn start(&self) -> i32 {
        if self.cluster.controller_gates().start_ordinal { self.set.start() } else { 0 }
    }

    /// The ordinal behind the last one in range.
    pub(in crate::view) fn end(&self) -> i32 {
        self.set.end_from(self.start())
    }

    pub(in crate::view) fn is_in_range(&self, ordinal: i32) -> bool {
        (self.start()..self.end()).contains(&ordinal) && !self.set.is_reserved(ordinal)
    }

    pub(in crate::view) fn pod(&self, ordinal: i32) -> Option<&Rc<Pod>> {
        let pods = self.pods();
        pods.binary_search_by_key(&ordinal, |(own, _)| *own).ok().map(|at| &pods[at].1)
    }

    pub(in crate::view) fn revision(&self, name: &str) -> Revision {
        revision(&self.revisions, name)
    }

    /// The name of the revision the controller makes a new pod of this ordinal from; empty before it has named any.
    pub(in crate::view) fn revision_to_come(&self, ordinal: i32) -> &Rc<str> {
        self.set.revision_to_come(ordinal)
    }

    /// Of how many ordinals from the first in range on a new pod is made from the current revision.
    pub(in crate::view) fn first_to_update(&self) -> i32 {
        match self.set.has_no_settings() {
            true if self.set.rolls() => self.set.current_replicas,
            true => i32::MIN,
            false => self.set.partition(),
        }
    }

    /// `partition 2: web-2 to web-4 will update`.
    pub(in crate::view) fn partition_means(&self, partition: i32) -> Text {
        if partition >= self.set.replicas {
            return text!("partition {}: no pod will update", partition);
        }
        let first = self.start() + partition;
        text!("partition {}: {} will update", partition, text::span(self.name(), first, self.end() - 1))
    }

    /// Whether its policy is OrderedReady.
    pub(in crate::view) fn is_ordered(&self) -> bool {
        !self.set.is_parallel
    }
}

/// Whether the set controls the object, or nobody does.
fn is_own_or_orphan(set: &ObjectMeta, metadata: &ObjectMeta) -> bool {
    metadata.controller_of().is_none_or(|owner| owner.uid == set.uid)
}

/// A revision's letter and hue: its place in the order of making.
pub(in crate::view) fn revision(revisions: &[&Rc<ControllerRevision>], name: &str) -> Revision {
    let at = revisions.iter().position(|revision| &*revision.metadata.name == name);
    let hue = at.unwrap_or(0);
    let letter = at.map_or_else(|| shared("?"), text::letter);
    Revision { name: shared(name), letter, hue }
}

/// The pod's revision; its label may have no more than what tells the revision from others.
pub(in crate::view) fn revision_of_pod(revisions: &[&Rc<ControllerRevision>], pod: &Pod) -> Revision {
    let label = revision_of(pod);
    let is_own = |own: &&&Rc<ControllerRevision>| short(&own.metadata.name) == short(label);
    revision(revisions, revisions.iter().find(is_own).map_or(label, |own| &own.metadata.name))
}
