//! What is held, as people hold it and lift it.

use super::Cluster;
use crate::objects::{ApiError, Kind, Object, ObjectRef, Pod};
use crate::sim::hold::{Hold, Holds, Subject, owner_of, scheduling_gates, take_scheduling_gates};
use crate::sim::refs::pod_ref;
use std::rc::Rc;

impl Cluster {
    /// What is held.
    pub(crate) fn holds(&self) -> &Holds {
        &self.world.settings.holds
    }

    /// Holds something from now on.
    ///
    /// # Errors
    /// There is no such pod.
    pub(crate) fn hold(&mut self, hold: Hold) -> Result<(), ApiError> {
        let world = &mut self.world;
        let pod = match &hold.subject {
            Subject::Pod(key) | Subject::Named(key) => {
                let known = world.store.pod(key).cloned();
                Some(known.ok_or_else(|| ApiError::not_found(key.kind.resource(), &key.name))?)
            }
            _ => None,
        };
        let store = &world.store;
        world.settings.holds.add(hold, pod.as_deref(), |kind, namespace| store.list_in(kind, namespace));
        if let Some(pod) = pod {
            self.machines.freeze(world, &pod);
        }
        Ok(())
    }

    /// Lifts what holds an object: of a pod also what holds every pod of its revision, of a workload what holds its pods and
    /// keeps it from making some. Whether anything did.
    pub(crate) fn lift(&mut self, key: &ObjectRef) -> bool {
        let own = self.get(key).ok().cloned();
        let sets = own.iter().flat_map(|object| self.replica_sets_of(object));
        let sets = sets.map(|set| Object::ReplicaSet(Rc::clone(set)).reference());
        let owners: Vec<ObjectRef> = [key.clone()].into_iter().chain(sets).collect();
        let is_own = |pod: &Rc<Pod>| pod_ref(pod) == *key || owner_of(pod).is_some_and(|own| owners.contains(&own));
        let pods: Vec<Rc<Pod>> = self.world.store.pods_in(&key.namespace).filter(|pod| is_own(pod)).cloned().collect();
        let holds = &mut self.world.settings.holds;
        let mut lifted = false;
        for owner in &owners {
            lifted |= holds.lift_all(owner);
        }
        for pod in &pods {
            lifted |= holds.lift_pod(pod);
        }
        for pod in pods.iter().filter(|_| lifted) {
            self.machines.thaw(&mut self.world, pod);
        }
        let named: Vec<Rc<Pod>> = pods.into_iter().filter(|pod| pod_ref(pod) == *key).collect();
        let mut opened = false;
        for pod in &named {
            opened |= self.open_scheduling_gates(pod);
        }
        if lifted {
            if key.kind == Kind::PersistentVolumeClaim {
                self.bind_claim(key.clone());
            }
            self.wake_scheduler();
        }
        lifted || opened
    }

    /// Somebody takes the pod's scheduling gates away. Whether it had any.
    fn open_scheduling_gates(&mut self, pod: &Pod) -> bool {
        let has_gates = scheduling_gates(pod).next().is_some();
        if has_gates {
            self.world.store.change_pod(&pod_ref(pod), take_scheduling_gates);
            self.wake_scheduler();
        }
        has_gates
    }

    /// Somebody says what containers of this image do: those of the pod are held no longer.
    pub(super) fn lift_containers(&mut self, pod: &Pod, image: &str) {
        if self.world.settings.holds.lift_containers(pod, image) {
            self.machines.thaw(&mut self.world, pod);
        }
    }

    /// Somebody sends an object: of a pod's containers that get another image nothing is held that was of the one before.
    pub(super) fn note_images(&mut self, sent: &Object) {
        let Object::Pod(sent) = sent else { return };
        let Some(stored) = self.world.store.pod(&pod_ref(sent)).cloned() else { return };
        if self.world.settings.holds.is_empty() || Rc::ptr_eq(&stored.spec, &sent.spec) {
            return;
        }
        self.world.settings.holds.note_images(&stored, sent);
        self.machines.thaw(&mut self.world, &stored);
    }
}
