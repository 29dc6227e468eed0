//! How machines join, and kubelets register them.

use super::Machines;
use crate::objects::{Extra, Labels, Node, Object, ObjectMeta, SharedExtra, Time};
use crate::sim::event_queue::ScheduledEvent;
use crate::sim::kubelet::Kubelet;
use crate::sim::node::{NOT_READY, set_ready, set_taint};
use crate::sim::world::{START, World};
use serde_json::json;
use std::rc::Rc;

/// What a node has for pods.
const CPU: &str = "8";
const MEMORY: &str = "32Gi";
/// Zones that nodes join in turn.
const ZONES: [&str; 3] = ["zone-a", "zone-b", "zone-c"];

impl Machines {
    /// The next free name: node-a, node-b, … node-z, node-27 ….
    pub(in crate::sim) fn next_name(&mut self) -> Rc<str> {
        loop {
            let letter = u8::try_from(self.named).ok().filter(|named| *named < 26);
            let letter = letter.map(|named| char::from(b'a' + named));
            self.named += 1;
            let name = letter.map_or_else(|| format!("node-{}", self.named), |letter| format!("node-{letter}"));
            if self.get(&name).is_none() {
                return name.into();
            }
        }
    }

    /// A machine that was there before the run began has a name too.
    pub(in crate::sim) fn adopt(&mut self, world: &mut World, name: &Rc<str>, zone: Option<Rc<str>>) {
        self.add(world, name, zone);
        self.named += 1;
    }

    /// A machine joins, and its kubelet registers it. Until its network and its volume drivers are there it is not ready.
    pub(in crate::sim) fn join(&mut self, world: &mut World, name: &Rc<str>) {
        self.add(world, name, None);
        // What is there when the run begins has been there for long.
        if world.now == START {
            self.register(world, name);
            return;
        }
        let now = world.now;
        self.register_as(world, name, |node| {
            let message = "[container runtime network not ready, CSINode is not yet initialized]";
            set_ready(node, "False", "KubeletNotReady", message, now);
            set_taint(node, NOT_READY, "NoSchedule", Some(None));
        });
        let message = format!("Node {name} event: Registered Node {name} in Controller");
        world.node_event(name, "RegisteredNode", message, "node-controller");
        world.monitor_soon(name);
        world
            .event_queue
            .put(Time(now.0 + world.settings.joining), ScheduledEvent::NodeJoins { node: Rc::clone(name) });
    }

    /// A machine is there, in this zone or in the one whose turn it is.
    pub(in crate::sim) fn add(&mut self, world: &mut World, name: &Rc<str>, zone: Option<Rc<str>>) {
        let chance = world.chance.fork();
        let zone = zone.unwrap_or_else(|| ZONES[self.kubelets.len() % ZONES.len()].into());
        let number = self.kubelets.len();
        let mut kubelet = Kubelet::new(world.now, zone, chance);
        kubelet.number = number;
        self.kubelets.insert(Rc::clone(name), Rc::new(kubelet));
    }

    /// The kubelet makes its Node object.
    pub(in crate::sim) fn register(&self, world: &mut World, name: &Rc<str>) {
        let now = world.now;
        let message = "kubelet is posting ready status";
        self.register_as(world, name, |node| set_ready(node, "True", "KubeletReady", message, now));
    }

    fn register_as(&self, world: &mut World, name: &Rc<str>, report: impl FnOnce(&mut Node)) {
        let Some(kubelet) = self.get(name) else { return };
        let labels: Labels = [
            ("kubernetes.io/arch", "amd64".into()),
            ("kubernetes.io/hostname", Rc::clone(name)),
            ("kubernetes.io/os", "linux".into()),
            (world.gates.zone_label, Rc::clone(&kubelet.zone)),
        ]
        .into_iter()
        .collect();
        let mut node =
            Node { metadata: ObjectMeta { name: Rc::clone(name), labels, ..Default::default() }, ..Default::default() };
        node.status.extra = size_of_machines(world);
        report(&mut node);
        // The name is free, so the store takes it.
        let _ = world.create(Object::Node(Rc::new(node)));
    }
}

/// What nodes say of their machines, which are all alike.
fn size_of_machines(world: &World) -> SharedExtra {
    let size: Extra = [("allocatable".to_owned(), json!({"cpu": CPU, "memory": MEMORY}))].into_iter().collect();
    let mut nodes = world.store.nodes();
    let first = nodes.next().map(|node| &node.status.extra).filter(|first| ***first == size);
    first.cloned().unwrap_or_else(|| size.into())
}
