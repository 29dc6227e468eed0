//! For the model check (tests/interleavings): the events that could come next, in any order.
//!
//! On the clock a cluster has one run. Here whatever takes a few seconds or less (a watch, a worker, the scheduler, a kubelet)
//! may take as long as it likes, so any of these may be next; a slow timer (the node monitor, a toleration, the pod garbage
//! collector) comes when nothing fast is left. A watch keeps its order: changes of one kind arrive as they were made.

use super::Cluster;
use crate::objects::{Kind, Object, Pod, StatefulSet, Time};
use crate::reconcile::WatchEvent;
use crate::sim::event_queue::{EventQueue, QueuePosition, ScheduledEvent};
use crate::sim::trace::Trace;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

/// What is due later than this is a slow timer. Less than the least of them, the node monitor's 5 s.
const FAST_MS: i64 = 4_900;

/// An event that may be next, by its place in the event queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice(QueuePosition);

impl Cluster {
    /// The events that may be next, in a fixed order: the fast ones, or the first slow timer when there is none. A watch
    /// that is more than so many changes behind comes first. While a key waits, only the cache can change before its sync:
    /// what others do then, they may as well do before the change arrives for which the key waits.
    pub fn choices(&self, most_behind: usize) -> Vec<Choice> {
        let mut watches: BTreeMap<Kind, (Choice, usize)> = BTreeMap::new();
        let mut choices = Vec::new();
        let works = !self.workers.are_idle();
        for (place, due) in self.world.event_queue.iter() {
            let choice = Choice(place);
            let may_be_next = match due {
                _ if place.0.0 - self.world.now.0 > FAST_MS => choices.is_empty(),
                ScheduledEvent::Deliver(change) => {
                    let (_, behind) = watches.entry(kind_of(change)).or_insert((choice, 0));
                    *behind += 1;
                    *behind == 1
                }
                ScheduledEvent::Work(_) => true,
                _ => !works,
            };
            choices.extend(may_be_next.then_some(choice));
        }
        let late = watches.values().find(|(_, behind)| *behind > most_behind);
        late.map_or(choices, |(first, _)| vec![*first])
    }

    /// Whether a key waits for a worker.
    pub fn has_work(&self) -> bool {
        !self.workers.are_idle()
    }

    /// Takes this event next. The trace is of this step alone.
    pub fn choose(&mut self, choice: Choice) {
        self.world.trace = Trace::default();
        let Some((at, due)) = self.world.event_queue.take_at(choice.0) else { return };
        self.world.now = self.world.now.max(at);
        self.handle(due);
        self.react();
        self.forget_delays();
    }

    /// What is fast is due from now on, whenever that comes; it is not done yet. What was asked for twice is done once, as the
    /// work queue has it; a requeue that an earlier one has replaced does nothing; and the controller, which keeps no nodes,
    /// need not hear of them.
    pub fn forget_delays(&mut self) {
        let soon = Time(self.world.now.0 + 1);
        let within = Time(self.world.now.0 + FAST_MS);
        let mut asked = BTreeSet::new();
        // Of two that are alike the first to come stays.
        let mut stays = |at: Time, due: &ScheduledEvent| match due {
            ScheduledEvent::Deliver(change) => kind_of(change) != Kind::Node,
            ScheduledEvent::Requeue(key) => self.workers.holds(key, at),
            other => asked.insert((self.steps_ahead(at), format!("{other:?}"))),
        };
        let mut kept = EventQueue::default();
        for ((at, _), due) in self.world.event_queue.iter().filter(|((at, _), due)| stays(*at, due)) {
            kept.put(if at <= within { soon } else { at }, due.clone());
        }
        self.world.event_queue = kept;
        self.workers.make_due(soon, within);
        self.machines.make_due(soon, within);
    }

    /// How far away a slow timer is, in steps of 5 s; 0 for what is fast.
    fn steps_ahead(&self, at: Time) -> i64 {
        let ahead = at.0 - self.world.now.0;
        if ahead > FAST_MS { (ahead + 2_500) / 5_000 } else { 0 }
    }

    /// A number that two clusters share only if the same can come of both, in a run whose pods are owned by sets without
    /// claims. Left out is what decides nothing there: the trace; chance, which moves only delays and makes uids, which are
    /// numbered as they come; the clock, since only differences are compared; resource versions but for whether the cache is
    /// behind. Slow timers count in steps of 5 s, of which fast steps, a millisecond each, do not make one up.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest { hash: DefaultHasher::new(), uids: Vec::new() };
        for object in self.world.store.all() {
            digest.object(object);
        }
        self.digest_cache(&mut digest);
        self.digest_agenda(&mut digest);
        for (name, kubelet) in self.machines.iter() {
            (name, kubelet.failure.map(|failure| failure as u8), kubelet.silent_since.is_some()).hash(&mut digest.hash);
            for (uid, life) in kubelet.lives() {
                digest.uid(&uid);
                life.hash(&mut digest.hash);
            }
        }
        digest.hash.finish()
    }

    fn digest_cache(&self, digest: &mut Digest) {
        let Some(namespace) = self.workers.cache.namespace("default") else { return };
        for pod in &*namespace.pods {
            digest.pod(pod);
        }
        for set in &*namespace.stateful_sets {
            digest.set(set);
            let stored = self.world.store.get(&Object::StatefulSet(Rc::clone(set)).reference());
            let is_behind =
                stored.is_ok_and(|stored| stored.metadata().resource_version != set.metadata.resource_version);
            is_behind.hash(&mut digest.hash);
        }
        for revision in &*namespace.revisions {
            (&revision.metadata.name, revision.revision).hash(&mut digest.hash);
        }
        let waits = !self.workers.are_idle();
        waits.hash(&mut digest.hash);
    }

    fn digest_agenda(&self, digest: &mut Digest) {
        let (mut others, mut changes) = (BTreeSet::new(), Vec::new());
        for ((at, _), due) in self.world.event_queue.iter() {
            let ahead = self.steps_ahead(at);
            match due {
                ScheduledEvent::Deliver(change) => changes.push(change),
                ScheduledEvent::Kubelet { node, uid, .. } => {
                    others.insert((ahead, format!("look {node} {}", digest.number(uid))));
                }
                ScheduledEvent::TaintEviction { uid, .. } => {
                    others.insert((ahead, format!("evict {}", digest.number(uid))));
                }
                other => {
                    others.insert((ahead, format!("{other:?}")));
                }
            }
        }
        others.hash(&mut digest.hash);
        // Watches of different kinds do not wait for each other.
        changes.sort_by_key(|change| kind_of(change));
        for change in changes {
            let (WatchEvent::Put { new: object, .. } | WatchEvent::Gone(object)) = change;
            matches!(change, WatchEvent::Gone(_)).hash(&mut digest.hash);
            digest.object(object);
        }
    }
}

fn kind_of(change: &WatchEvent) -> Kind {
    let (WatchEvent::Put { new: object, .. } | WatchEvent::Gone(object)) = change;
    object.kind()
}

struct Digest {
    hash: DefaultHasher,
    uids: Vec<Rc<str>>,
}

impl Digest {
    fn number(&mut self, uid: &Rc<str>) -> usize {
        self.uids.iter().position(|known| known == uid).unwrap_or_else(|| {
            self.uids.push(Rc::clone(uid));
            self.uids.len() - 1
        })
    }

    fn uid(&mut self, uid: &Rc<str>) {
        self.number(uid).hash(&mut self.hash);
    }

    fn object(&mut self, object: &Object) {
        match object {
            Object::Pod(pod) => self.pod(pod),
            Object::StatefulSet(set) => self.set(set),
            Object::Revision(revision) => (&revision.metadata.name, revision.revision).hash(&mut self.hash),
            Object::Node(node) => {
                (&node.metadata.name, node.ready_status(), node.spec.unschedulable).hash(&mut self.hash);
                node.spec.taints.iter().for_each(|taint| (&taint.key, &taint.effect).hash(&mut self.hash));
            }
            _ => {}
        }
    }

    fn pod(&mut self, pod: &Pod) {
        self.uid(&pod.metadata.uid);
        let metadata = &pod.metadata;
        (&metadata.name, metadata.deletion_timestamp.is_some(), metadata.deletion_grace_period_seconds)
            .hash(&mut self.hash);
        (pod.status.phase as u8, pod.is_ready(), &pod.status.reason, &pod.spec.node_name).hash(&mut self.hash);
        metadata.labels.get("controller-revision-hash").hash(&mut self.hash);
        for container in &pod.status.container_statuses {
            (&container.image, container.ready, container.restart_count).hash(&mut self.hash);
            format!("{:?}", std::mem::discriminant(&container.state)).hash(&mut self.hash);
        }
    }

    fn set(&mut self, set: &StatefulSet) {
        let (metadata, status) = (&set.metadata, &set.status);
        (metadata.generation, metadata.deletion_timestamp.is_some(), set.replicas()).hash(&mut self.hash);
        set.spec.template.spec.containers.iter().for_each(|container| container.image.hash(&mut self.hash));
        (status.replicas, status.ready_replicas, status.available_replicas).hash(&mut self.hash);
        (status.current_replicas, status.updated_replicas, status.observed_generation).hash(&mut self.hash);
        (&status.current_revision, &status.update_revision, status.collision_count).hash(&mut self.hash);
    }
}
