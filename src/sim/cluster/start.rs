//! A cluster that begins with objects instead of nothing: those of a real one, say, or of a run somewhere else.

use super::Cluster;
use crate::objects::{Kind, Node, Object, ObjectRef, OwnerReference, Pod, PodPhase};
use crate::reconcile::{CONTROLLERS, WatchEvent};
use crate::releases::{Gates, Release};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::failure::Failure;
use crate::sim::settings::Settings;
use crate::sim::store::Store;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Cluster {
    /// A cluster at the clock's zero that holds these objects as they are: uids, resource versions, times and status. Times
    /// are of this clock, so whoever reads a real cluster moves its times to where its present is `START`. What an object
    /// lacks of these is made up. Containers that are said to run do run, a node that is not Ready is silent, and owners that
    /// are left out are there. Every cache is filled, and every controller has each of its objects in its queue once, but for a
    /// DaemonSet that has not noticed a node's taint, which shows that nothing woke it.
    pub fn with_objects(release: Release, gates: Gates, seed: u64, objects: &[Object], settings: Settings) -> Self {
        let mut cluster = Self::new(release, gates, seed);
        // Containers that run already take these times too.
        cluster.set_settings(settings);
        cluster.collectors.leave_out(owners_left_out(objects).map(|left_out| Rc::clone(&left_out.owner.uid)));
        for object in objects {
            cluster.world.store.load(object.clone(), cluster.world.now);
        }
        let changes: Vec<WatchEvent> =
            cluster.world.store.all().map(|new| WatchEvent::Put { old: None, new: new.clone() }).collect();
        changes.iter().for_each(|change| cluster.workers.cache.apply(change));
        cluster.nodes().cloned().collect::<Vec<_>>().iter().for_each(|node| cluster.adopt_machine(node));
        cluster.pods().cloned().collect::<Vec<_>>().iter().for_each(|pod| cluster.adopt_containers(pod));
        cluster.collect_from_absent_nodes();
        // What led here is not part of this run.
        cluster.world.trace = Default::default();
        for change in &changes {
            cluster.remember(change);
            match change.object() {
                Object::Claim(claim) if claim.spec.volume_name.is_some() => {
                    cluster.collectors.wake(&mut cluster.world, change)
                }
                _ => cluster.wake_for(change),
            }
        }
        for controller in &CONTROLLERS {
            let keys = cluster.objects(controller.kind).map(Object::reference);
            // Elsewhere a sync that a running controller would not do changes nothing.
            let keys: Vec<_> = keys.filter(|key| !cluster.overlooks_taint(key)).collect();
            keys.into_iter().for_each(|key| cluster.workers.enqueue(&mut cluster.world, key));
        }
        cluster
    }

    fn adopt_machine(&mut self, node: &Node) {
        let name = &node.metadata.name;
        let zone = node.metadata.labels.get(self.world.gates.zone_label).cloned();
        self.machines.adopt(&mut self.world, name, zone);
        let listed = node.status.extra.get("images").and_then(serde_json::Value::as_array);
        let names = listed.into_iter().flatten().filter_map(|image| image["names"].as_array()).flatten();
        if let Some(kubelet) = self.machines.get_mut(name) {
            kubelet.keep_images(names.filter_map(serde_json::Value::as_str).map(Rc::from));
        }
        if !node.is_ready() {
            self.adopt_failure(node);
        }
        self.node_lifecycle.taint_manager.plan_all(&mut self.world, name);
    }

    /// The machine has failed as long as its Node object says so, and nothing of it is reported again.
    fn adopt_failure(&mut self, node: &Node) {
        let (name, failure) = (&node.metadata.name, Failure::of(node));
        let told_at = node.ready_condition().and_then(|ready| ready.last_transition_time).unwrap_or(self.world.now);
        if let Some(kubelet) = self.machines.get_mut(name) {
            kubelet.failure = Some(failure);
            kubelet.failed_at = told_at;
            if failure != Failure::KubeletUnwell {
                // The control plane tells of a silence when the grace is over.
                kubelet.failed_at.0 -= self.world.gates.node_monitor_grace;
                kubelet.silent_since = Some(kubelet.failed_at);
            }
        }
        self.world.monitor_soon(name);
    }

    fn adopt_containers(&mut self, pod: &Rc<Pod>) {
        let node = &pod.spec.node_name;
        if node.is_empty() {
            return;
        }
        let (now, settings) = (self.world.now, &self.world.settings);
        let has_volumes = match self.machines.get_mut(node) {
            Some(kubelet) => kubelet.adopt(pod, now, settings),
            // Nobody has unmounted them where the Node object went under the pod.
            None => pod.status.phase == PodPhase::Running,
        };
        if has_volumes && pod.claim_names().next().is_some() {
            self.attachments.attach_all(&mut self.world, &self.machines, pod);
        }
    }

    /// When a node went is not known: the collector begins to wait for it now, as one that was restarted does.
    /// Models gcOrphaned, gc_controller.go.
    fn collect_from_absent_nodes(&mut self) {
        let named: BTreeSet<Rc<str>> = self.pods().map(|pod| Rc::clone(&pod.spec.node_name)).collect();
        for node in named {
            if !node.is_empty() && self.node(&node).is_none() {
                self.world.event_queue.put(self.collected_if_removed(), ScheduledEvent::PodGc { node });
            }
        }
    }
}

/// An owner that is not among the objects, as one of them names it.
pub struct LeftOut<'o> {
    /// Its kind.
    pub kind: Kind,
    /// How it is named.
    pub owner: &'o OwnerReference,
    /// The object that it owns.
    pub dependent: &'o Object,
}

/// The owners that are left out and taken to be there: whoever lists some kinds does not list all, and the real collector
/// would soon have deleted what belongs to nobody. An owner is gone where another object has its name, and so is a pod, since
/// the controllers take pods that they are not told of for missing.
pub(crate) fn owners_left_out(objects: &[Object]) -> impl Iterator<Item = LeftOut<'_>> {
    let listed: BTreeSet<ObjectRef> =
        objects.iter().filter(|object| object.is_workload()).map(Object::reference).collect();
    let named = objects.iter().flat_map(|dependent| {
        let owners = dependent.metadata().owner_references.iter();
        owners.filter_map(move |owner| {
            Some(LeftOut { kind: Kind::named(&owner.api_version, &owner.kind)?, owner, dependent })
        })
    });
    named.filter(move |LeftOut { kind, owner, dependent }| {
        let namespace = Rc::clone(&dependent.metadata().namespace);
        kind.is_workload() && !listed.contains(&ObjectRef { kind: *kind, namespace, name: Rc::clone(&owner.name) })
    })
}

impl Store {
    /// Keeps an object as it is, without telling a watcher. What it lacks of an identity is made up.
    pub(in crate::sim) fn load(&mut self, mut object: Object, now: crate::objects::Time) {
        let uid = self.chance_mut().uuid();
        let metadata = object.metadata_mut();
        if metadata.uid.is_empty() {
            metadata.uid = uid;
        }
        Rc::make_mut(&mut self.loaded).insert(Rc::clone(&metadata.uid));
        if metadata.generate_name.is_some() {
            Rc::make_mut(&mut self.loaded_names).insert(Rc::clone(&metadata.name));
        }
        metadata.creation_timestamp.get_or_insert(now);
        self.insert_as_it_is(object);
    }
}
