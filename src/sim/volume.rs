//! Volumes: where each is attached, who must wait, and where it can be reached from.
//!
//! A claim's storage class says what its volume is: `local` lives on the node that first used it, `zonal` in that node's
//! zone, anything else everywhere. What a PersistentVolume's node affinity would say stands in the claim's annotations.
//! Attaching takes no time. Models pkg/controller/volume/attachdetach and the scheduler's volumebinding.

use super::event_queue::ScheduledEvent;
use super::machines::Machines;
use super::node::is_out_of_service;
use super::refs::{pod_ref, uses};
use super::resize::grow_file_systems;
use super::trace::TraceEvent;
use super::world::World;
use crate::objects::{EventType, Kind, Node, Object, ObjectRef, PersistentVolumeClaim, Pod, Time};
use std::rc::Rc;

/// maxWaitForUnmountDuration: after it a volume is taken from a node that is NotReady or gone.
const FORCE_DETACH_MS: i64 = 360_000;
const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";

/// A volume that one node at a time can use, on the node that has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    /// The claim that is bound to it.
    pub claim: ObjectRef,
    /// The volume's name.
    pub volume: Rc<str>,
    /// The node's name.
    pub node: Rc<str>,
    /// Since when no pod object on the node uses it: it is to be detached.
    pub unused_since: Option<Time>,
}

impl Attachment {
    /// When it is taken from a node that does not confirm the unmount; none while it is used.
    pub(crate) fn force_detach_at(&self) -> Option<Time> {
        self.unused_since.map(|since| Time(since.0 + FORCE_DETACH_MS))
    }
}

/// The volumes that one node at a time can use, where they are attached.
#[derive(Clone, Default)]
pub(super) struct Attachments(Vec<Attachment>);

impl Attachments {
    pub(super) fn all(&self) -> &[Attachment] {
        &self.0
    }

    /// The volumes of a pod that has its node, and that other nodes hold.
    pub(super) fn attached_elsewhere<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Attachment> {
        let (namespace, on) = (&pod.metadata.namespace, &pod.spec.node_name);
        let holder = move |name: &Rc<str>| {
            let is_held =
                |held: &&Attachment| held.claim.name == *name && held.claim.namespace == *namespace && held.node != *on;
            self.0.iter().find(is_held)
        };
        pod.claim_names().filter(move |_| !on.is_empty()).filter_map(holder)
    }

    /// Attaches the pod's volumes to its node. False while one is held by another node, or not made.
    pub(super) fn attach_all(&mut self, world: &mut World, machines: &Machines, pod: &Pod) -> bool {
        // One that was not placed by the scheduler may come before its claims have volumes. Models getPVCExtractPV,
        // pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go.
        let is_made = world.store.claims_of(pod).all(|claim| &*claim.status.phase != "Pending" || selected_node(claim));
        let own: Vec<ObjectRef> =
            world.store.claims_of(pod).map(|claim| Object::Claim(Rc::clone(claim)).reference()).collect();
        grow_file_systems(world, &own);
        let is_attached = |claim: &&Rc<PersistentVolumeClaim>| {
            is_exclusive(claim) && !world.store.class_of(claim).is_some_and(|class| class.is_host_path)
        };
        let claims: Vec<Rc<PersistentVolumeClaim>> = world.store.claims_of(pod).filter(is_attached).cloned().collect();
        // Each is tried: a volume that must wait does not hold up the others.
        claims.iter().filter(|claim| !self.attach(world, machines, pod, claim)).count() == 0 && is_made
    }

    fn attach(&mut self, world: &mut World, machines: &Machines, pod: &Pod, claim: &PersistentVolumeClaim) -> bool {
        let Some(volume) = &claim.spec.volume_name else { return true };
        let node = &pod.spec.node_name;
        self.review(world, machines, &|attachment| attachment.volume == *volume && attachment.node != *node);
        if let Some(attachment) = self.0.iter().find(|attachment| attachment.volume == *volume) {
            let here = attachment.node == *node;
            if !here {
                let others = users(world, attachment);
                let why = if others.is_empty() {
                    "exclusively attached to one node and can't be attached to another".to_owned()
                } else {
                    format!("used by pod(s) {}", others.join(", "))
                };
                let message = format!("Multi-Attach error for volume \"{volume}\" Volume is already {why}");
                let key = pod_ref(pod);
                world.event(&key, EventType::Warning, "FailedAttachVolume", message, "attachdetach-controller");
                world.happened(TraceEvent::AttachRefused { pod: key });
            }
            return here;
        }
        let claim = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&claim.metadata.name),
        };
        let (volume, node) = (Rc::clone(volume), Rc::clone(node));
        let (by, reason, message) = if world.gates.attach_events {
            let message = format!("AttachVolume.Attach succeeded for volume \"{volume}\" ");
            ("attachdetach-controller", "SuccessfulAttachVolume", message)
        } else {
            ("kubelet", "SuccessfulMountVolume", format!("MountVolume.SetUp succeeded for volume \"{volume}\" "))
        };
        world.event(&pod_ref(pod), EventType::Normal, reason, message, by);
        self.0.push(Attachment { claim, volume, node, unused_since: None });
        true
    }

    /// What the pod's end frees.
    pub(super) fn review_pod(&mut self, world: &mut World, machines: &Machines, pod: &Pod) {
        if pod.claim_names().next().is_some() {
            let is_its = |held: &Attachment| held.node == pod.spec.node_name && uses(pod, &held.claim);
            self.review(world, machines, &is_its);
        }
    }

    /// What a change of the node's health frees.
    pub(super) fn review_node(&mut self, world: &mut World, machines: &Machines, node: &Rc<str>) {
        self.review(world, machines, &|attachment| attachment.node == *node);
    }

    fn review(&mut self, world: &mut World, machines: &Machines, is_concerned: &dyn Fn(&Attachment) -> bool) {
        let now = world.now;
        for at in (0..self.0.len()).rev() {
            if !is_concerned(&self.0[at]) {
                continue;
            }
            let used = !users(world, &self.0[at]).is_empty();
            let attachment = &mut self.0[at];
            if used {
                attachment.unused_since = None;
                continue;
            }
            let first = attachment.unused_since.is_none();
            attachment.unused_since.get_or_insert(now);
            let attachment = attachment.clone();
            let unmounted = is_unmounted(machines, &attachment);
            if unmounted || may_force(world, &attachment) {
                self.0.remove(at);
                world.happened(TraceEvent::Detached {
                    claim: attachment.claim.clone(),
                    node: attachment.node,
                    forced: !unmounted,
                });
                world.wake_users_of(&attachment.claim);
            } else if let (true, Some(at)) = (first, attachment.force_detach_at()) {
                world.event_queue.put(at, ScheduledEvent::ForceDetach { node: attachment.node });
            }
        }
    }
}

/// The names of the pods that use the volume where it is attached.
fn users(world: &World, attachment: &Attachment) -> Vec<Rc<str>> {
    let is_user = |pod: &&Rc<Pod>| {
        // One that is also being deleted goes as soon as its kubelet has unmounted its volumes.
        let finished = pod.has_ended() && !pod.is_terminating();
        pod.spec.node_name == attachment.node && !finished
    };
    world.store.users_of(&attachment.claim).filter(is_user).map(|pod| Rc::clone(&pod.metadata.name)).collect()
}

/// Only a kubelet that answers confirms that its containers let go of the volume.
fn is_unmounted(machines: &Machines, attachment: &Attachment) -> bool {
    let kubelet = machines.get(&attachment.node).filter(|kubelet| kubelet.answers());
    kubelet.is_some_and(|kubelet| !kubelet.held().any(|pod| uses(pod, &attachment.claim)))
}

/// Without an unmount: at once from a node that is out of service, after 6 min from one that is NotReady or gone.
fn may_force(world: &World, attachment: &Attachment) -> bool {
    let unhealthy = world.store.node(&attachment.node).is_none_or(|node| !node.is_ready());
    let waited = attachment.force_detach_at().is_some_and(|at| at <= world.now);
    is_out_of_service(world, &attachment.node) || (unhealthy && waited)
}

/// The first node that uses a local or zonal volume is where it is made.
pub(super) fn place_volumes(world: &mut World, machines: &Machines, pod: &Pod, node: &Rc<str>) {
    let zone = machines.get(node).map(|kubelet| Rc::clone(&kubelet.zone)).unwrap_or_default();
    let unplaced = |claim: &&Rc<PersistentVolumeClaim>| {
        matches!(claim.storage_class(), "local" | "zonal") && claim.metadata.annotations.get(SELECTED_NODE).is_none()
    };
    let claims: Vec<Rc<PersistentVolumeClaim>> = world.store.claims_of(pod).filter(unplaced).cloned().collect();
    for mut claim in claims {
        let annotations = &mut Rc::make_mut(&mut claim).metadata.annotations;
        annotations.insert(SELECTED_NODE, Rc::clone(node));
        annotations.insert(world.gates.zone_label, Rc::clone(&zone));
        let _ = world.store.update(Object::Claim(claim));
    }
}

/// Whether a node can reach the claim's volume.
pub(super) fn reaches(node: &Node, claim: &PersistentVolumeClaim) -> bool {
    let annotations = &claim.metadata.annotations;
    match claim.storage_class() {
        "local" => annotations.get(SELECTED_NODE).is_none_or(|selected| *selected == node.metadata.name),
        "zonal" => {
            let is_zone = |label: &&str| annotations.get(label).is_some();
            let label = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]
                .into_iter()
                .find(|it| is_zone(it));
            label.is_none_or(|label| annotations.get(label) == node.metadata.labels.get(label))
        }
        _ => true,
    }
}

/// Whether one node at a time can use it. Models isMultiAttachForbidden.
fn is_exclusive(claim: &PersistentVolumeClaim) -> bool {
    let modes = &claim.spec.access_modes;
    !modes.is_empty() && !modes.iter().any(|mode| matches!(&**mode, "ReadWriteMany" | "ReadOnlyMany"))
}

/// Whether one pod at a time can use it.
pub(super) fn is_for_one_pod(claim: &PersistentVolumeClaim) -> bool {
    claim.spec.access_modes.iter().any(|mode| &**mode == "ReadWriteOncePod")
}

/// Whether the scheduler has chosen a node for the claim: then its provisioner is at work.
fn selected_node(claim: &PersistentVolumeClaim) -> bool {
    claim.metadata.annotations.get(SELECTED_NODE).is_some()
}
