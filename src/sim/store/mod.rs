//! The API server's store: names, uids, versions, generations, and graceful deletion with the real grace rules.

mod read;

use super::admission::{self, Admission, Rules, Stored};
use super::hold::Holds;
use super::index::Index;
use super::map::Map;
use super::named::Named;
use super::priority::PriorityClasses;
use super::rng::Rng;
use super::settings::KnownClass;
use crate::objects::validation;
use crate::objects::{
    ApiError, Kind, Node, Object, ObjectRef, PersistentVolume, PersistentVolumeClaim, Pod, Reason, Server, Time,
};
use crate::reconcile::{OwnerPatch, WatchEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Grace of a pod that does not say, in seconds.
pub(super) const DEFAULT_GRACE: i64 = 30;

/// The finalizer of a claim that pods may use.
pub(crate) const CLAIM_IN_USE: &str = "kubernetes.io/pvc-protection";

/// The finalizer of an owner that goes once its dependents belong to nobody.
pub(crate) const ORPHAN: &str = "orphan";

/// The finalizer of an owner that goes after its dependents.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";

/// Every object, and what changed since the watchers last looked.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// How the server treats what it is sent.
    server: Server,
    /// The last new pod's spec that was valid.
    valid: validation::ValidSpec,
    objects: Map<ObjectRef, Object>,
    pub(super) index: Index,
    version: u64,
    chance: Rng,
    changes: Vec<WatchEvent>,
    /// How many changes there were.
    pub(super) changed: u64,
    pub(super) admission: Admission,
    pub(super) rules: Rules,
    /// The storage classes that are known by more than their name.
    pub(super) classes: Vec<KnownClass>,
    /// The uids of the objects that it began with.
    pub(super) loaded: Rc<BTreeSet<Rc<str>>>,
    /// The names of those of them whose names were made up.
    pub(super) loaded_names: Rc<BTreeSet<Rc<str>>>,
    /// How many volumes of a driver a node can attach, by node and driver.
    pub(super) attach_limits: BTreeMap<(Rc<str>, Rc<str>), usize>,
    /// Classes and accounts that pods and claims name.
    pub(super) named: Named,
    /// The PriorityClasses.
    pub(super) priority_classes: PriorityClasses,
    /// The volumes that were made by hand.
    pub(super) volumes: Vec<Rc<PersistentVolume>>,
}

impl Store {
    pub(super) fn new(chance: Rng, server: Server) -> Self {
        Self {
            server,
            valid: validation::ValidSpec::default(),
            objects: Map::new(),
            index: Index::default(),
            version: 0,
            chance,
            changes: Vec::new(),
            changed: 0,
            admission: Admission::default(),
            rules: Rules::default(),
            classes: Vec::new(),
            loaded: Rc::default(),
            loaded_names: Rc::default(),
            attach_limits: BTreeMap::new(),
            named: Named::default(),
            priority_classes: PriorityClasses::default(),
            volumes: Vec::new(),
        }
    }

    /// Every object by kind, namespace and name.
    pub(super) fn objects(&self) -> &Map<ObjectRef, Object> {
        &self.objects
    }

    /// How many objects there are.
    pub(super) fn size(&self) -> usize {
        self.objects.len()
    }

    /// Every object.
    pub(super) fn all(&self) -> impl Iterator<Item = &Object> {
        self.objects.values()
    }

    /// The object, or the server's refusal.
    pub(super) fn get(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        let missing = || ApiError::not_found(key.kind.qualified_resource(), &key.name);
        self.objects.get(key).ok_or_else(missing)
    }

    /// The pod, if it is there.
    pub(super) fn pod(&self, key: &ObjectRef) -> Option<&Rc<Pod>> {
        if let Object::Pod(pod) = self.objects.get(key)? { Some(pod) } else { None }
    }

    /// Whether a pod has no node.
    pub(super) fn has_waiting_pods(&self) -> bool {
        self.index.unbound > 0
    }

    /// The API server's chance, from which it makes names.
    pub(super) fn chance_mut(&mut self) -> &mut Rng {
        &mut self.chance
    }

    /// What changed since this was last asked.
    pub(super) fn take_changes(&mut self) -> Vec<WatchEvent> {
        std::mem::take(&mut self.changes)
    }

    fn put(&mut self, mut object: Object) -> Object {
        self.version += 1;
        object.metadata_mut().resource_version = self.version.to_string().into();
        let old = self.objects.insert(object.reference(), object.clone());
        self.index.change(old.as_ref(), Some(&object));
        self.note(WatchEvent::Put { old, new: object.clone() });
        object
    }

    /// Keeps an object under its own resource version; later versions are higher than that of any such object.
    pub(super) fn insert_as_it_is(&mut self, mut object: Object) {
        let metadata = object.metadata_mut();
        let version = metadata.resource_version.parse().unwrap_or(0).max(1);
        if metadata.resource_version.is_empty() {
            metadata.resource_version = version.to_string().into();
        }
        self.version = self.version.max(version);
        self.changed += 1;
        let old = self.objects.insert(object.reference(), object.clone());
        self.index.change(old.as_ref(), Some(&object));
    }

    /// Removes an object whatever it waits for.
    pub(super) fn remove(&mut self, key: &ObjectRef) {
        if let Some(object) = self.objects.remove(key) {
            self.version += 1;
            self.index.change(Some(&object), None);
            self.note(WatchEvent::Gone(object));
        }
    }

    fn note(&mut self, change: WatchEvent) {
        self.changes.push(change);
        self.changed += 1;
    }

    /// Stores a new object: uid, creation time and, for pods, phase and admission's tolerations are filled in. What is held of its
    /// owner may refuse a pod, and is carried to a new revision.
    pub(super) fn create(&mut self, mut object: Object, now: Time, holds: &mut Holds) -> Result<Object, ApiError> {
        self.make_name(&mut object);
        let key = object.reference();
        if self.objects.contains_key(&key) {
            return Err(self.name_taken(&object));
        }
        match &mut object {
            Object::Pod(pod) => {
                let pod = Rc::make_mut(pod);
                crate::objects::defaults::pod(pod);
                self.rules.fill_in(pod);
                validation::new_pod(pod, &self.server, &mut self.valid)?;
            }
            // Models Admit of plugin/pkg/admission/storage/storageclass/setdefault.
            Object::Claim(claim) => {
                if let Some(class) = self.classes.iter().find(|class| class.is_default) {
                    let claim = Rc::make_mut(claim);
                    claim.spec.extra.entry("storageClassName").or_insert_with(|| (*class.name).into());
                }
            }
            _ => {}
        }
        if let Object::Pod(pod) = &object {
            self.named.admit(pod, self.pods())?;
        }
        self.rules.admit(self.admission, self, (&object, None), now)?;
        if let Object::Pod(pod) = &object {
            holds.refusal(pod).map_or(Ok(()), Err)?;
        }
        let uid = self.unused_uid();
        let metadata = object.metadata_mut();
        metadata.uid = uid;
        metadata.creation_timestamp = Some(now);
        match &mut object {
            Object::Pod(pod) => {
                let pod = Rc::make_mut(pod);
                admission::admit_pod(pod, now);
                super::in_place::open_kruise_gate(pod, now);
            }
            Object::Claim(claim) => {
                let claim = Rc::make_mut(claim);
                claim.status.phase = "Pending".into();
                claim.metadata.finalizers = vec![CLAIM_IN_USE.into()];
            }
            Object::Revision(_) | Object::Node(_) => {}
            workload => workload.prepare_for_create(),
        }
        holds.carry_to(&object);
        Ok(self.put(object))
    }

    /// A uid that no object of the start has or had: a text that a simulation wrote may have been made with the same chance.
    fn unused_uid(&mut self) -> Rc<str> {
        loop {
            let uid = self.chance.uuid();
            if !self.loaded.contains(&uid) {
                return uid;
            }
        }
    }

    /// Models CheckGeneratedNameError, rest/create.go.
    fn name_taken(&self, object: &Object) -> ApiError {
        let kind = object.kind();
        let taken = ApiError::already_exists(kind.qualified_resource(), &object.metadata().name);
        match (&object.metadata().generate_name, self.server.taken_name_times_out) {
            (None, _) => taken,
            (Some(_), true) => {
                let message = format!(
                    "The POST operation against {} could not be completed at this time, please try again.",
                    kind.as_str()
                );
                ApiError::new(Reason::ServerTimeout, message)
            }
            (Some(_), false) => {
                let why = "the server was not able to generate a unique name for the object";
                ApiError::new(taken.reason, format!("{}, {why}", taken.message))
            }
        }
    }

    /// The stored object, once the sent one is known to be its successor.
    fn predecessor(&self, sent: &Object) -> Result<&Object, ApiError> {
        let key = sent.reference();
        let stored = self.get(&key)?;
        let (desired, found) = (&sent.metadata().uid, &stored.metadata().uid);
        if !desired.is_empty() && desired != found {
            let cause = format!("Precondition failed: UID in precondition: {desired}, UID in object meta: {found}");
            let message =
                format!("Operation cannot be fulfilled on {} \"{}\": {cause}", key.kind.qualified_resource(), key.name);
            return Err(ApiError::new(Reason::Conflict, message));
        }
        let version = &sent.metadata().resource_version;
        if !version.is_empty() && *version != stored.metadata().resource_version {
            return Err(ApiError::conflict(key.kind.qualified_resource(), &key.name));
        }
        Ok(stored)
    }

    /// Replaces an object. A status sent along is ignored, and a changed spec raises the generation of a set.
    pub(super) fn update(&mut self, mut sent: Object) -> Result<Object, ApiError> {
        let stored = self.predecessor(&sent)?;
        // What a claim may grow to; one that goes asks for nothing. No moment matters to a claim.
        if matches!(sent, Object::Claim(_)) && stored.metadata().deletion_timestamp.is_none() {
            self.rules.admit(self.admission, self, (&sent, Some(stored)), Time::default())?;
        }
        match (&mut sent, stored) {
            (Object::Pod(sent), Object::Pod(stored)) => {
                validation::pod_update(stored, sent, &self.server)?;
                Rc::make_mut(sent).status = stored.status.clone();
            }
            (sent, stored) => sent.prepare_for_update(stored),
        }
        // The last finalizer held it. Models ShouldDeleteDuringUpdate, generic/registry/store.go.
        let is_over = match stored {
            Object::Pod(pod) => pod.metadata.deletion_grace_period_seconds == Some(0),
            _ => true,
        };
        if is_over && stored.metadata().deletion_timestamp.is_some() && sent.metadata().finalizers.is_empty() {
            self.remove(&sent.reference());
            return Ok(sent);
        }
        Ok(self.put_if_changed(sent))
    }

    /// Replaces only the status.
    pub(super) fn update_status(&mut self, sent: Object) -> Result<Object, ApiError> {
        let stored = self.predecessor(&sent)?;
        if let Object::StatefulSet(set) = &sent {
            validation::stateful_set_status(set, &self.server)?;
        }
        let merged = stored.with_status_of(sent);
        Ok(self.put_if_changed(merged))
    }

    /// A write that changes nothing gets no new version, and no watcher hears of it.
    fn put_if_changed(&mut self, mut object: Object) -> Object {
        let Some(stored) = self.objects.get(&object.reference()) else { return object };
        let version = &stored.metadata().resource_version;
        if object.metadata().resource_version != *version {
            object.metadata_mut().resource_version = Rc::clone(version);
        }
        if object == *stored { object } else { self.put(object) }
    }

    /// Changes the status or binding of what is stored, for the actors that own those parts. Does nothing if it is gone.
    pub(super) fn change_pod(&mut self, key: &ObjectRef, change: impl FnOnce(&mut Pod)) {
        let Some(pod) = self.pod(key) else { return };
        let mut pod = (**pod).clone();
        change(&mut pod);
        self.put_if_changed(Object::Pod(Rc::new(pod)));
    }

    /// Changes a stored node. Does nothing if it is gone.
    pub(super) fn change_node(&mut self, name: &Rc<str>, change: impl FnOnce(&mut Node)) {
        let Some(node) = self.node(name) else { return };
        let mut node = (**node).clone();
        change(&mut node);
        self.put_if_changed(Object::Node(Rc::new(node)));
    }

    /// Changes a stored claim. Does nothing if it is gone.
    pub(super) fn change_claim(&mut self, key: &ObjectRef, change: impl FnOnce(&mut PersistentVolumeClaim)) {
        let Some(Object::Claim(claim)) = self.objects.get(key) else { return };
        let mut claim = (**claim).clone();
        change(&mut claim);
        self.put_if_changed(Object::Claim(Rc::new(claim)));
    }

    /// Adds or removes an owner if the uid is the expected one.
    pub(super) fn patch_owner(&mut self, key: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError> {
        let mut object = self.get(key)?.clone();
        let (OwnerPatch::Adopt { uid, .. } | OwnerPatch::Release { uid, .. }) = patch;
        if *uid != object.metadata().uid {
            return Err(ApiError::conflict(key.kind.qualified_resource(), &key.name));
        }
        let owners = &mut object.metadata_mut().owner_references;
        match patch {
            OwnerPatch::Adopt { owner, .. } => owners.push(owner.clone()),
            OwnerPatch::Release { owner_uid, .. } => owners.retain(|owner| owner.uid != *owner_uid),
        }
        self.put_if_changed(object);
        Ok(())
    }

    /// Deletes with the object's own grace, or with `grace` seconds. A pod that no kubelet has to stop goes at once: one
    /// without a node, one that has finished, or one whose grace is 0.
    /// Models CheckGracefulDelete of pkg/registry/core/pod/strategy.go.
    pub(super) fn delete(&mut self, key: &ObjectRef, grace: Option<i64>, now: Time) -> Result<(), ApiError> {
        let object = self.get(key)?;
        match object {
            Object::Pod(pod) if pod.is_terminating() => {
                if let Some((grace, end)) = sooner(pod, grace) {
                    self.delete_pod(key, grace, end);
                }
            }
            Object::Pod(pod) => {
                let default = pod.spec.termination_grace_period_seconds.unwrap_or(DEFAULT_GRACE);
                let grace = if pod.spec.node_name.is_empty() || pod.has_ended() { 0 } else { grace.unwrap_or(default) };
                let grace = if grace < 0 { self.server.negative_grace } else { grace };
                self.delete_pod(key, grace, now.plus_seconds(grace));
            }
            _ => self.mark_deleted(key, now, None),
        }
        Ok(())
    }

    /// Marks a pod as going with so much grace, which ends then.
    fn delete_pod(&mut self, key: &ObjectRef, grace: i64, end: Time) {
        let is_held = self.pod(key).is_some_and(|pod| !pod.metadata.finalizers.is_empty());
        self.change_pod(key, |pod| {
            pod.metadata.deletion_timestamp = Some(end);
            pod.metadata.deletion_grace_period_seconds = Some(grace);
        });
        // Watchers see it marked before it goes, and one with finalizers stays until these are gone.
        if grace == 0 && !is_held {
            self.remove(key);
        }
    }

    /// Sets the deletion time once, with the garbage collector's finalizer for this way of deleting, and removes what no
    /// finalizer holds. Models deletionFinalizersForGarbageCollection, generic/registry/store.go.
    pub(super) fn mark_deleted(&mut self, key: &ObjectRef, now: Time, finalizer: Option<&str>) {
        let Some(mut object) = self.objects.get(key).cloned() else { return };
        // Its protection gives a claim a finalizer whoever made it.
        let is_protected = key.kind == Kind::PersistentVolumeClaim;
        let metadata = object.metadata_mut();
        metadata.finalizers.retain(|held| ![ORPHAN, FOREGROUND].contains(&&**held));
        metadata.finalizers.extend(finalizer.map(Rc::from));
        if metadata.finalizers.is_empty() && !is_protected {
            self.remove(key);
            return;
        }
        if metadata.deletion_timestamp.is_none() {
            metadata.deletion_timestamp = Some(now);
            // Models markAsDeleting, generic/registry/store.go.
            metadata.generation = metadata.generation.wrapping_add(i64::from(metadata.generation > 0));
        }
        self.put_if_changed(object);
    }

    /// Takes a finalizer off, the last of which held what is being deleted.
    pub(super) fn remove_finalizer(&mut self, key: &ObjectRef, finalizer: &str) {
        let Some(mut object) = self.objects.get(key).cloned() else { return };
        object.metadata_mut().finalizers.retain(|held| **held != *finalizer);
        // It is of the stored version, so the store takes it.
        let _ = self.update(object);
    }

    /// Deleted claims go once no pod that has a node uses them, which the pvc-protection finalizer waits for, and nothing else
    /// holds them.
    pub(super) fn release_claims(&mut self) {
        let unused: Vec<ObjectRef> = self
            .index
            .terminating(Kind::PersistentVolumeClaim)
            .filter(|claim| !self.users_of(claim).any(|pod| !pod.spec.node_name.is_empty()))
            .cloned()
            .collect();
        for key in unused {
            self.remove_finalizer(&key, CLAIM_IN_USE);
        }
    }
}

impl Stored for Store {
    fn objects_in<'a>(&'a self, kind: Kind, namespace: &Rc<str>) -> Box<dyn Iterator<Item = &'a Object> + 'a> {
        Box::new(self.list_in(kind, namespace))
    }

    fn default_priority_class(&self) -> Option<&str> {
        self.priority_classes.default_class().map(|class| &*class.name)
    }
}

/// The grace that a second deletion leaves a pod, and its end; none if it changes nothing, for the grace can only be shortened.
/// Models BeforeDelete, registry/rest/delete.go.
fn sooner(pod: &Pod, grace: Option<i64>) -> Option<(i64, Time)> {
    let end = pod.metadata.deletion_timestamp?;
    match (pod.metadata.deletion_grace_period_seconds, grace) {
        (None | Some(0), _) => Some((0, end)),
        (Some(given), Some(grace)) if grace < given => Some((grace, end.plus_seconds(grace - given))),
        _ => None,
    }
}
