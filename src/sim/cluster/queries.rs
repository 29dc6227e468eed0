//! What can be read of a cluster.

use super::Cluster;
use crate::objects::{
    Autoscaler, ControllerRevision, Kind, LAST_APPLIED, Node, Object, ObjectRef, PersistentVolumeClaim, Pod,
    ReplicaSet, Server, Service, StatefulSet, Time, Typed, noted_as_applied,
};
use crate::reconcile::Cache;
use crate::reconcile::daemon_set::overlooks_taint;
use crate::releases::{ClusterGates, Gates, Release};
use crate::sim::changes::{ObjectChange, ObjectsThen};
use crate::sim::dns::{DnsRecord, addresses};
use crate::sim::refs::pod_ref;
use crate::sim::scheduler::{Misfit, NodeLook, Unschedulable, look, look_at, place};
use crate::sim::settings::Settings;
use crate::sim::trace::Trace;
use serde_json::Value;
use std::rc::Rc;

impl Cluster {
    /// How many objects the API server holds.
    pub(crate) fn size(&self) -> usize {
        self.world.store.size()
    }

    /// How many changes of objects there have been.
    pub(crate) fn changes(&self) -> u64 {
        self.world.store.changed
    }

    /// How many pods and nodes were looked at since the run began, or since they were forgotten, in it and in every branch of it: by
    /// controllers and the scheduler, and by who follows it.
    pub(crate) fn looks(&self) -> u64 {
        self.world.looks.count()
    }

    /// Counts so many looks of who follows the run.
    pub fn count_looks(&self, looks: usize) {
        self.world.looks.add(looks);
    }

    /// Somebody asks something anew: from now on looks are counted for that.
    pub fn forget_looks(&self) {
        self.world.looks.forget();
    }

    /// Why the scheduler could not place a pod now; none if it could.
    pub(crate) fn why_unschedulable(&self, pod: &Pod) -> Option<Unschedulable> {
        place(&self.world.store, &self.world.release.profile().scheduler, pod).err()
    }

    /// What the scheduler says where no node takes a pod now, for another reason than its claims; none if one does.
    pub(crate) fn unfit(&self, pod: &Pod) -> Option<String> {
        let why = self.why_unschedulable(pod)?;
        let is_of_nodes = matches!(why, Unschedulable::NoNodes | Unschedulable::Unfit(_));
        let nodes = self.world.store.list(Kind::Node).count();
        is_of_nodes.then(|| why.message(&self.world.release.profile().scheduler, nodes, &pod.metadata.name))
    }

    /// Every node, by name, as a pod finds it now.
    ///
    /// # Errors
    /// A claim of the pod keeps it from every node.
    pub(crate) fn nodes_as_found(&self, pod: &Pod) -> Result<Vec<NodeLook>, Unschedulable> {
        look(&self.world.store, pod)
    }

    /// Why one node does not take a pod now; nothing if it does.
    ///
    /// # Errors
    /// A claim of the pod keeps it from every node, or there is no such node.
    pub(crate) fn misfits(&self, pod: &Pod, node: &Rc<str>) -> Result<Vec<Misfit>, Unschedulable> {
        look_at(&self.world.store, pod, node)
    }

    /// The virtual clock.
    pub fn now(&self) -> Time {
        self.world.now
    }

    /// The release whose controller runs.
    pub fn release(&self) -> Release {
        self.world.release
    }

    /// What the release's controller does, feature gates as they are set.
    pub(crate) fn controller_gates(&self) -> Gates {
        self.workers.gates
    }

    /// Whether the controller of a DaemonSet has not noticed a node's taint, and does not come to it by itself.
    pub(crate) fn overlooks_taint(&self, set: &ObjectRef) -> bool {
        overlooks_taint(&self.workers.gates, &self.workers.cache, set)
    }

    /// How its API server treats StatefulSets.
    pub fn server(&self) -> Server {
        self.workers.gates.server(self.world.release)
    }

    /// What `kubectl apply` last said of an object.
    pub(crate) fn last_applied(&self, key: &ObjectRef) -> Option<Rc<Value>> {
        let of_object = || {
            let stored = self.get(key).ok()?;
            noted_as_applied(stored.metadata().annotations.get(LAST_APPLIED).map(|noted| &**noted)).map(Rc::new)
        };
        self.applied.get(key).map(Rc::clone).or_else(of_object)
    }

    /// When the next event is due; none if the cluster has settled.
    pub fn next_event_at(&self) -> Option<Time> {
        self.world.event_queue.next_at()
    }

    /// The record of the run.
    pub fn trace(&self) -> &Trace {
        &self.world.trace
    }

    /// Delays and misbehaving images.
    pub fn settings(&self) -> &Settings {
        &self.world.settings
    }

    /// The sets as the API server holds them, by name.
    pub fn stateful_sets(&self) -> impl Iterator<Item = &Rc<StatefulSet>> {
        self.world.store.list(Kind::StatefulSet).filter_map(StatefulSet::of)
    }

    /// The pods as the API server holds them, by name.
    pub fn pods(&self) -> impl Iterator<Item = &Rc<Pod>> {
        self.world.store.pods()
    }

    /// The pod of this name and uid, if it is there.
    pub fn same_pod(&self, pod: &Pod) -> Option<&Rc<Pod>> {
        self.world.store.pod(&pod_ref(pod)).filter(|own| own.metadata.uid == pod.metadata.uid)
    }

    /// The pods of a namespace as the API server holds them, by name. A controller and what it controls have one namespace.
    pub(crate) fn pods_in(&self, namespace: &Rc<str>) -> impl Iterator<Item = &Rc<Pod>> {
        self.world.store.pods_in(namespace)
    }

    /// The claims as the API server holds them, by name.
    pub fn claims(&self) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.world.store.claims()
    }

    /// The revisions as the API server holds them, by name.
    pub fn revisions(&self) -> impl Iterator<Item = &Rc<ControllerRevision>> {
        self.world.store.list(Kind::ControllerRevision).filter_map(ControllerRevision::of)
    }

    /// The nodes as the API server holds them, by name.
    pub fn nodes(&self) -> impl Iterator<Item = &Rc<Node>> {
        self.world.store.nodes()
    }

    /// The workloads as the API server holds them, by kind, namespace and name.
    pub fn workloads(&self) -> impl Iterator<Item = &Object> {
        self.world.store.workloads()
    }

    /// The objects of a kind as the API server holds them, by name.
    pub fn objects(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        self.world.store.list(kind)
    }

    /// When the work queue will try the set again after a failed sync, and how often it has failed.
    pub fn retry_of(&self, set: &ObjectRef) -> Option<(Time, u32)> {
        self.workers.retry_of(set)
    }

    /// The objects as the controllers see them, which the API server's are ahead of.
    pub fn cache(&self) -> &Cache {
        &self.workers.cache
    }

    /// The autoscaler of this name.
    pub fn autoscaler(&self, namespace: &str, name: &str) -> Option<&Autoscaler> {
        self.autoscalers.get(namespace, name)
    }

    /// The autoscalers that were applied, the oldest first.
    pub(crate) fn autoscalers(&self) -> impl Iterator<Item = &Autoscaler> {
        self.autoscalers.iter()
    }

    /// The autoscaler that finds this workload out of its bounds at its next look, and the replicas that it sets then.
    pub fn autoscaled_soon(&self, workload: &Object) -> Option<(&Autoscaler, i32)> {
        self.autoscalers.soon(workload)
    }

    /// The Services that were applied, the oldest first.
    pub fn services(&self) -> impl Iterator<Item = &Rc<Service>> {
        self.services.iter()
    }

    /// The pod's own name in DNS; none if it has no subdomain, as pods of other kinds than sets.
    pub fn dns_record(&self, pod: &Pod) -> Option<DnsRecord> {
        self.services.dns_record(pod)
    }

    /// The addresses under the Service's own name: those of its pods that are ready, with the pods.
    pub fn service_addresses(&self, service: &Service) -> Vec<(ObjectRef, Rc<str>)> {
        addresses(service, self.world.store.pods())
    }

    /// What the object of this uid controls, of one kind, by namespace and name.
    pub(crate) fn controlled_by(&self, uid: &Rc<str>, kind: Kind) -> impl Iterator<Item = &Object> {
        self.world.store.controlled_by(uid, kind)
    }

    /// The pods that mount a claim, by name.
    pub(crate) fn users_of(&self, claim: &ObjectRef) -> impl Iterator<Item = &Rc<Pod>> {
        self.world.store.users_of(claim)
    }

    /// The Deployment's ReplicaSets, oldest first.
    pub fn replica_sets_of(&self, deployment: &Object) -> Vec<&Rc<ReplicaSet>> {
        let uid = Rc::clone(&deployment.metadata().uid);
        let mut sets: Vec<_> = self.controlled_by(&uid, Kind::ReplicaSet).filter_map(ReplicaSet::of).collect();
        sets.sort_by_key(|set| (set.metadata.creation_timestamp, set.metadata.name.clone()));
        sets
    }

    /// All objects as they are now.
    pub(crate) fn objects_now(&self) -> ObjectsThen {
        ObjectsThen::of(&self.world.store)
    }

    /// The objects that differ from those of another moment, earlier or later, of this branch or another.
    pub(crate) fn changed_since<'a>(&'a self, then: &'a ObjectsThen) -> impl Iterator<Item = ObjectChange<'a>> {
        then.changes(&self.world.store)
    }

    /// What the cluster's release does.
    pub(crate) fn gates(&self) -> ClusterGates {
        self.world.gates
    }
}
