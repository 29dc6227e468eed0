//! Volumes: where each is attached, who must wait, and where it can be reached from.
//!
//! A claim's storage class says what its volume is: `local` lives on the node that first used it, `zonal` in that node's
//! zone, anything else everywhere. What a PersistentVolume's node affinity would say stands in the claim's annotations.
//! Attaching takes no time. Models pkg/controller/volume/attachdetach and the scheduler's volumebinding.

use super::cluster::Cluster;
use super::event_queue::ScheduledEvent;
use super::refs::uses;
use super::trace::TraceEvent;
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
    pub fn force_detach_at(&self) -> Option<Time> {
        self.unused_since.map(|since| Time(since.0 + FORCE_DETACH_MS))
    }
}

impl Cluster {
    /// The volumes of a pod that has its node, and that other nodes hold.
    pub fn attached_elsewhere<'a>(&'a self, pod: &'a Pod) -> impl Iterator<Item = &'a Attachment> {
        let (namespace, on) = (&pod.metadata.namespace, &pod.spec.node_name);
        let holder = move |name: &Rc<str>| {
            let is_held =
                |held: &&Attachment| held.claim.name == *name && held.claim.namespace == *namespace && held.node != *on;
            self.attachments().iter().find(is_held)
        };
        pod.claim_names().filter(move |_| !on.is_empty()).filter_map(holder)
    }

    /// Attaches the pod's volumes to its node. False while one is held by another node, or not made.
    pub(super) fn attach_volumes(&mut self, pod: &Pod) -> bool {
        // One that was not placed by the scheduler may come before its claims have volumes. Models getPVCExtractPV,
        // pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go.
        let is_made = self.claims_of(pod).all(|claim| &*claim.status.phase != "Pending" || selected_node(claim));
        let own: Vec<ObjectRef> =
            self.claims_of(pod).map(|claim| Object::Claim(Rc::clone(claim)).reference()).collect();
        self.grow_file_systems(&own);
        let is_attached = |claim: &&Rc<PersistentVolumeClaim>| {
            is_exclusive(claim) && !self.world.store.class_of(claim).is_some_and(|class| class.is_host_path)
        };
        let claims: Vec<Rc<PersistentVolumeClaim>> = self.claims_of(pod).filter(is_attached).cloned().collect();
        // Each is tried: a volume that must wait does not hold up the others.
        claims.iter().filter(|claim| !self.attach(pod, claim)).count() == 0 && is_made
    }

    /// The claim has its volume now: pods that were placed before go on.
    pub(super) fn claim_bound(&mut self, claim: &ObjectRef) {
        self.world.wake_users_of(claim);
    }

    fn attach(&mut self, pod: &Pod, claim: &PersistentVolumeClaim) -> bool {
        let Some(volume) = &claim.spec.volume_name else { return true };
        let node = &pod.spec.node_name;
        self.review_volumes(&|attachment| attachment.volume == *volume && attachment.node != *node);
        if let Some(attachment) = self.attachments.iter().find(|attachment| attachment.volume == *volume) {
            let here = attachment.node == *node;
            if !here {
                let others = self.users(attachment);
                let why = if others.is_empty() {
                    "exclusively attached to one node and can't be attached to another".to_owned()
                } else {
                    format!("used by pod(s) {}", others.join(", "))
                };
                let message = format!("Multi-Attach error for volume \"{volume}\" Volume is already {why}");
                let key = super::refs::pod_ref(pod);
                self.world.event(&key, EventType::Warning, "FailedAttachVolume", message, "attachdetach-controller");
                self.world.happened(TraceEvent::AttachRefused { pod: key });
            }
            return here;
        }
        let claim = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: pod.metadata.namespace.clone(),
            name: Rc::clone(&claim.metadata.name),
        };
        let (volume, node) = (Rc::clone(volume), Rc::clone(node));
        let (by, reason, message) = if self.world.gates.attach_events {
            let message = format!("AttachVolume.Attach succeeded for volume \"{volume}\" ");
            ("attachdetach-controller", "SuccessfulAttachVolume", message)
        } else {
            ("kubelet", "SuccessfulMountVolume", format!("MountVolume.SetUp succeeded for volume \"{volume}\" "))
        };
        self.world.event(&super::refs::pod_ref(pod), EventType::Normal, reason, message, by);
        self.attachments.push(Attachment { claim, volume, node, unused_since: None });
        true
    }

    /// The names of the pods that use the volume where it is attached.
    fn users(&self, attachment: &Attachment) -> Vec<Rc<str>> {
        let is_user = |pod: &&Rc<Pod>| {
            // One that is also being deleted goes as soon as its kubelet has unmounted its volumes.
            let finished = pod.has_ended() && !pod.is_terminating();
            pod.spec.node_name == attachment.node && !finished
        };
        self.world.store.users_of(&attachment.claim).filter(is_user).map(|pod| Rc::clone(&pod.metadata.name)).collect()
    }

    /// What the pod's end frees.
    pub(super) fn review_pod_volumes(&mut self, pod: &Pod) {
        if pod.claim_names().next().is_some() {
            self.review_volumes(&|attachment| attachment.node == pod.spec.node_name && uses(pod, &attachment.claim));
        }
    }

    /// What a change of the node's health frees.
    pub(super) fn review_node_volumes(&mut self, node: &Rc<str>) {
        self.review_volumes(&|attachment| attachment.node == *node);
    }

    fn review_volumes(&mut self, is_concerned: &dyn Fn(&Attachment) -> bool) {
        let now = self.world.now;
        for at in (0..self.attachments.len()).rev() {
            if !is_concerned(&self.attachments[at]) {
                continue;
            }
            let used = !self.users(&self.attachments[at]).is_empty();
            let attachment = &mut self.attachments[at];
            if used {
                attachment.unused_since = None;
                continue;
            }
            let first = attachment.unused_since.is_none();
            attachment.unused_since.get_or_insert(now);
            let attachment = attachment.clone();
            let unmounted = self.is_unmounted(&attachment);
            if unmounted || self.may_force(&attachment) {
                self.attachments.remove(at);
                self.world.happened(TraceEvent::Detached {
                    claim: attachment.claim.clone(),
                    node: attachment.node,
                    forced: !unmounted,
                });
                let waiting: Vec<Rc<Pod>> = self.world.store.users_of(&attachment.claim).cloned().collect();
                waiting
                    .iter()
                    .filter(|pod| !pod.spec.node_name.is_empty())
                    .for_each(|pod| self.world.wake_kubelet(pod));
            } else if let (true, Some(at)) = (first, attachment.force_detach_at()) {
                self.world.event_queue.put(at, ScheduledEvent::ForceDetach { node: attachment.node });
            }
        }
    }

    /// Only a kubelet that answers confirms that its containers let go of the volume.
    fn is_unmounted(&self, attachment: &Attachment) -> bool {
        let kubelet = self.kubelets.get(&attachment.node).filter(|kubelet| kubelet.answers());
        kubelet.is_some_and(|kubelet| !kubelet.held().any(|pod| uses(pod, &attachment.claim)))
    }

    /// Without an unmount: at once from a node that is out of service, after 6 min from one that is NotReady or gone.
    fn may_force(&self, attachment: &Attachment) -> bool {
        let unhealthy = self.node(&attachment.node).is_none_or(|node| !node.is_ready());
        let waited = attachment.force_detach_at().is_some_and(|at| at <= self.world.now);
        self.is_out_of_service(&attachment.node) || (unhealthy && waited)
    }

    /// The claims that a pod mounts, of those that are there.
    pub fn claims_of(&self, pod: &Pod) -> impl Iterator<Item = &Rc<PersistentVolumeClaim>> {
        self.world.store.claims_of(pod)
    }

    /// The first node that uses a local or zonal volume is where it is made.
    pub(super) fn place_volumes(&mut self, pod: &Pod, node: &Rc<str>) {
        let zone = self.kubelets.get(node).map(|kubelet| Rc::clone(&kubelet.zone)).unwrap_or_default();
        let unplaced = |claim: &&Rc<PersistentVolumeClaim>| {
            matches!(claim.storage_class(), "local" | "zonal")
                && claim.metadata.annotations.get(SELECTED_NODE).is_none()
        };
        let claims: Vec<Rc<PersistentVolumeClaim>> = self.claims_of(pod).filter(unplaced).cloned().collect();
        for mut claim in claims {
            let annotations = &mut Rc::make_mut(&mut claim).metadata.annotations;
            annotations.insert(SELECTED_NODE, Rc::clone(node));
            annotations.insert(self.world.gates.zone_label, Rc::clone(&zone));
            let _ = self.world.store.update(Object::Claim(claim));
        }
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
