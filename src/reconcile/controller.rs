//! The seam between a controller and whatever runs it: what wakes it, what a sync is given, and how it ends.

use super::back_off::BackOff;
use super::cache::{Cache, List, Listed, Namespace, WatchEvent};
use super::sync_cache::SyncCache;
use super::{Api, Decision, Gates, OwnWrite, Release, Rule, SyncError, check_own_writes};
use crate::objects::{ControllerRevision, Kind, Node, ObjectRef, PersistentVolumeClaim, Pod, ReplicaSet, Time, Typed};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// A controller of one kind.
pub struct Controller {
    /// The kind whose objects it reconciles.
    pub kind: Kind,
    /// What it calls itself in events.
    pub name: &'static str,
    /// Whether a key is left alone until the cache shows what the controller itself last wrote for it; each of these changes
    /// brings the key back. Else the sync is told by `up_to_date`.
    pub waits_for_own_writes: bool,
    /// As what release writes it the templates of its revisions; none where it keeps none.
    pub revisions: Option<fn(Release) -> Gates>,
    /// The objects to look at because of a change, which the cache holds already.
    pub enqueue: fn(&Gates, &Cache, &WatchEvent) -> Vec<ObjectRef>,
    /// One sync of one object. An object that is gone needs nothing.
    pub sync: fn(&mut Context<'_>, &ObjectRef) -> Outcome,
}

/// What one sync is given, and where it leaves what it decided.
pub struct Context<'a> {
    /// The clock.
    pub now: Time,
    /// What the release does, feature gates as they are set.
    pub gates: &'a Gates,
    /// The cache.
    pub cache: &'a Cache,
    /// Whether the cache shows what the controller itself last wrote.
    pub up_to_date: bool,
    /// What the controller itself wrote for the object, with what the cache has come to.
    pub own_writes: &'a [OwnWrite],
    /// What the last sync of the object read of its pods.
    pub sync_cache: &'a RefCell<SyncCache>,
    /// The API server.
    pub api: &'a mut dyn Api,
    /// Makes up five characters.
    pub new_suffix: &'a mut dyn FnMut() -> Rc<str>,
    /// The DaemonSet controller's waiting times for nodes whose pods failed.
    pub back_off: &'a mut BackOff,
    /// What was decided, in order.
    pub decisions: &'a mut Vec<Decision>,
}

impl Context<'_> {
    /// How a sync ends that is ahead of what its own controller wrote, where that is looked at.
    pub(super) fn check_own_writes(&mut self, is_on: bool, rule: Rule) -> Option<Outcome> {
        check_own_writes(is_on, self.own_writes, rule, self.decisions)
            .err()
            .map(|error| Outcome { requeue_after: None, error: Some(error) })
    }
}

/// The delay by which a sync that did not fail asks to be queued again by the rate limiter: its first back-off.
pub const RATE_LIMITED: Duration = Duration::from_millis(5);

/// How a sync ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// After which the key is queued again, if the sync asks for that. Nothing comes of it after an error.
    pub requeue_after: Option<Duration>,
    /// What the real sync returns, after which the key is queued again with back-off.
    pub error: Option<SyncError>,
}

impl From<Result<Option<Duration>, SyncError>> for Outcome {
    fn from(result: Result<Option<Duration>, SyncError>) -> Self {
        match result {
            Ok(requeue_after) => Self { requeue_after, error: None },
            Err(error) => Self { requeue_after: None, error: Some(error) },
        }
    }
}

/// What the cache holds when an object's key comes off the queue: what may be its own, what is around it, and the nodes.
pub struct Observed<'a, T> {
    /// The clock.
    pub now: Time,
    /// The object.
    pub set: &'a Rc<T>,
    /// Its pods and those that nobody controls, in the order the cache lists them. Those of others may be among them.
    pub pods: Cow<'a, [Rc<Pod>]>,
    /// The same of revisions.
    pub revisions: Cow<'a, [Rc<ControllerRevision>]>,
    /// Every pod of the namespace.
    pub namespace_pods: &'a [Rc<Pod>],
    /// Claims by name.
    pub claims: &'a List<PersistentVolumeClaim>,
    /// ReplicaSets in the order the cache lists them.
    pub replica_sets: &'a [Rc<ReplicaSet>],
    /// Nodes by name.
    pub nodes: &'a [Rc<Node>],
    /// Whether the cache shows what the controller itself last wrote.
    pub up_to_date: bool,
    /// What the last sync of the object read of its pods; without it every pod is read.
    pub sync_cache: Option<&'a RefCell<SyncCache>>,
}

impl<'a, T> Observed<'a, T> {
    /// The object alone.
    pub fn alone(now: Time, set: &'a Rc<T>) -> Self {
        const NO_CLAIMS: &List<PersistentVolumeClaim> = &List::new();
        Self {
            now,
            set,
            pods: Cow::Borrowed(&[]),
            revisions: Cow::Borrowed(&[]),
            namespace_pods: &[],
            claims: NO_CLAIMS,
            replica_sets: &[],
            nodes: &[],
            up_to_date: true,
            sync_cache: None,
        }
    }
}

impl<'a, T: Listed> Observed<'a, T> {
    /// The object of this key with what is around it; none if the cache does not hold it.
    pub(crate) fn of(context: &Context<'a>, key: &ObjectRef) -> Option<Self> {
        let cache = context.cache;
        let Namespace { pods: namespace_pods, revisions, claims, replica_sets, .. } =
            cache.namespace(&key.namespace)?;
        let set = cache.typed::<T>(key)?;
        let uid = &set.metadata().uid;
        let (pods, revisions) = (namespace_pods.claimable(uid), revisions.claimable(uid));
        let (now, nodes, up_to_date) = (context.now, cache.nodes(), context.up_to_date);
        let sync_cache = Some(context.sync_cache);
        Some(Self { now, set, pods, revisions, namespace_pods, claims, replica_sets, nodes, up_to_date, sync_cache })
    }
}

/// The key of a stored object.
pub(super) fn key_of<T: Typed>(object: &T) -> ObjectRef {
    let metadata = object.metadata();
    ObjectRef { kind: T::KIND, namespace: Rc::clone(&metadata.namespace), name: Rc::clone(&metadata.name) }
}
