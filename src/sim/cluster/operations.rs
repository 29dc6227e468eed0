//! What people do to the cluster, once the request has been found valid.

use super::Cluster;
use crate::objects::{ApiError, Autoscaler, EventType, Object, ObjectRef, Pod, PodPhase, Service};
use crate::sim::admission::Admission;
use crate::sim::machines::end_pod;
use crate::sim::settings::{Behavior, Settings};
use crate::sim::store::{FOREGROUND, ORPHAN};
use serde_json::Value;
use std::rc::Rc;

/// What becomes of a deleted set's dependents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cascade {
    /// The set goes at once, its dependents after it.
    Background,
    /// Its dependents go first.
    Foreground,
    /// They stay and belong to nobody.
    Orphan,
}

impl Cluster {
    /// The object, or the server's refusal.
    ///
    /// # Errors
    /// There is no such object.
    pub fn get(&self, key: &ObjectRef) -> Result<&Object, ApiError> {
        self.world.store.get(key)
    }

    /// Stores a new object.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn create(&mut self, object: Object) -> Result<(), ApiError> {
        let created = self.world.create(object).map(|_| ());
        self.react();
        created
    }

    /// Replaces an object.
    ///
    /// # Errors
    /// The server's refusal.
    pub fn update(&mut self, object: Object) -> Result<(), ApiError> {
        self.note_images(&object);
        let updated = self.world.store.update(object).map(|_| ());
        self.react();
        updated
    }

    /// Deletes an object with its own grace, or with `grace` seconds.
    ///
    /// # Errors
    /// The server's refusal.
    pub(crate) fn delete(&mut self, key: &ObjectRef, grace: Option<i64>) -> Result<(), ApiError> {
        let deleted = self.world.store.delete(key, grace, self.world.now);
        self.react();
        deleted
    }

    /// Deletes a set, and its dependents as `cascade` says.
    ///
    /// # Errors
    /// The server's refusal.
    pub(crate) fn delete_set(&mut self, key: &ObjectRef, cascade: Cascade) -> Result<(), ApiError> {
        match cascade {
            Cascade::Background => self.delete(key, None),
            Cascade::Orphan => self.delete_waiting(key, ORPHAN),
            Cascade::Foreground => self.delete_waiting(key, FOREGROUND),
        }
    }

    /// Deletes a set that waits for the garbage collector to take the finalizer off.
    fn delete_waiting(&mut self, key: &ObjectRef, finalizer: &str) -> Result<(), ApiError> {
        self.world.store.get(key)?;
        self.world.store.mark_deleted(key, self.world.now, Some(finalizer));
        self.react();
        Ok(())
    }

    /// Deletes a set and leaves its pods and revisions to nobody, all in one moment.
    ///
    /// # Errors
    /// The server's refusal.
    pub(crate) fn delete_orphaning(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
        let uid = Rc::clone(&self.world.store.get(key)?.metadata().uid);
        let keys = self.world.store.index.dependents(&uid);
        let dependents: Vec<Object> = keys.filter_map(|key| self.world.store.get(key).ok()).cloned().collect();
        for mut object in dependents {
            object.metadata_mut().owner_references.retain(|owner| owner.uid != uid);
            self.world.store.update(object)?;
        }
        self.delete(key, None)
    }

    /// What admission refuses from now on.
    pub(crate) fn set_admission(&mut self, admission: Admission) {
        self.world.store.admission = admission;
    }

    /// What admission refuses.
    pub(crate) fn admission(&self) -> Admission {
        self.world.store.admission
    }

    /// The pod's container exits now. False if it has none that runs, or nobody can reach it.
    pub(crate) fn crash_pod(&mut self, key: &ObjectRef) -> bool {
        let Some(pod) = self.world.store.pod(key).cloned() else { return false };
        let kubelet = self.machines.reached(&pod.spec.node_name);
        let Some(kubelet) = kubelet else { return false };
        let crashed = kubelet.crash(&pod.metadata.uid, self.world.now);
        self.world.wake_kubelet(&pod);
        crashed
    }

    /// From now on the readiness probes of the pod's containers fail, or pass. False if it has none that run, or nobody can
    /// reach them.
    pub(crate) fn set_ready(&mut self, key: &ObjectRef, ready: bool) -> bool {
        let lifted = ready && self.lift(key);
        let Some(pod) = self.world.store.pod(key).cloned() else { return false };
        let kubelet = self.machines.reached(&pod.spec.node_name);
        let reached = kubelet.is_some_and(|kubelet| kubelet.probe(&pod.metadata.uid, ready, self.world.now));
        self.world.wake_kubelet(&pod);
        if reached && !ready {
            self.world.event(key, EventType::Warning, "Unhealthy", "Readiness probe failed: ".to_owned(), "kubelet");
        }
        reached || lifted
    }

    /// The kubelet ends the pod for good: evicted under pressure, its phase is Failed; with containers that all exited with
    /// 0 it is Succeeded. False if the kubelet does not answer.
    pub(crate) fn finish_pod(&mut self, key: &ObjectRef, phase: PodPhase) -> bool {
        let Some(pod) = self.world.store.pod(key).cloned() else { return false };
        let kubelet = self.machines.reached(&pod.spec.node_name);
        let Some(kubelet) = kubelet.filter(|_| !pod.is_terminating()) else { return false };
        kubelet.drop_pod(&pod.metadata.uid);
        if phase == PodPhase::Succeeded {
            end_pod(&mut self.world, key, phase, "", "");
        } else {
            let message = "The node was low on resource: memory.";
            end_pod(&mut self.world, key, phase, "Evicted", message);
            self.world.event(key, EventType::Warning, "Evicted", message.to_owned(), "kubelet");
        }
        self.react();
        true
    }

    /// What containers of an image do from now on; those that run are looked at again.
    pub(crate) fn set_behavior(&mut self, image: Rc<str>, behavior: Behavior) {
        let runs = |pod: &&Rc<Pod>| {
            pod.spec.init_containers.iter().chain(pod.spec.containers.iter()).any(|container| container.image == image)
        };
        let pods: Vec<Rc<Pod>> = self.world.store.pods().filter(runs).cloned().collect();
        self.world.settings.images.insert(Rc::clone(&image), behavior);
        for pod in pods {
            self.lift_containers(&pod, &image);
            if let Some(kubelet) = self.machines.get_mut(&pod.spec.node_name) {
                kubelet.behave(&pod, self.world.now, &self.world.settings);
                self.world.wake_kubelet(&pod);
            }
        }
    }

    /// The object's controller has failed so often in a row, and tries again after so many milliseconds.
    pub(crate) fn set_failures(&mut self, object: &ObjectRef, times: u32, milliseconds: i64) {
        self.workers.set_failures(&mut self.world, object, times, milliseconds);
    }

    /// The object's controller looks at it again after so many milliseconds, unless it does so earlier.
    pub(crate) fn sync_after(&mut self, object: &ObjectRef, milliseconds: i64) {
        self.workers.sync_after(&mut self.world, object, milliseconds);
    }

    /// How long everything takes from now on, and which images misbehave.
    pub fn set_settings(&mut self, settings: Settings) {
        settings.storage_classes.iter().for_each(|class| self.world.store.keep_class(class.clone()));
        self.world.settings = settings;
    }

    /// From a container's start to its first passed readiness probe, in milliseconds, for containers started from now on.
    pub(crate) fn set_readiness_delay(&mut self, milliseconds: i64) {
        self.world.settings.readiness = milliseconds.max(0);
    }

    /// Keeps what `kubectl apply` says of an object.
    pub(crate) fn note_applied(&mut self, key: ObjectRef, text: Value) {
        self.applied.insert(key, Rc::new(text));
    }

    /// Keeps an autoscaler, in the place of one of its name, whose status stays: that is its controller's.
    pub(crate) fn apply_autoscaler(&mut self, autoscaler: Autoscaler) {
        self.autoscalers.apply(&mut self.world, autoscaler);
    }

    /// Deletes the autoscaler of this name; false if there is none.
    pub(crate) fn delete_autoscaler(&mut self, namespace: &str, name: &str) -> bool {
        self.autoscalers.delete(namespace, name)
    }

    /// Keeps a Service, in the place of one of its name. One that is not headless is given an address as the API server gives one.
    pub(crate) fn apply_service(&mut self, service: Service) {
        self.services.apply(service, self.world.now);
    }
}
