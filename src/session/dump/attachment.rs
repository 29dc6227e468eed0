//! VolumeAttachments: a pod waits for a volume that another node still has, or that cannot be attached to its own.

use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::kubelet::{DETACHED_MS, EARLY_MS, is_prepared, is_used_elsewhere};
use super::node::{is_ready, pods};
use super::read::Event;
use super::volume::volumes_of;
use crate::objects::{Kind, Object, PersistentVolumeClaim, Pod, PodPhase};
use crate::sim::{Hold, START, Subject, What, owner_of};
use serde_json::Value;
use std::rc::Rc;

/// The reason of a hold that a VolumeAttachment shows.
const ATTACHED: &str = "VolumeAttachment";

/// A VolumeAttachment, as far as it tells of what is waited for.
struct Attachment<'v> {
    node: &'v str,
    volume: &'v str,
    is_attached: bool,
    attach_error: &'v str,
    detach_error: &'v str,
}

impl<'v> Attachment<'v> {
    fn of(value: &'v Value) -> Self {
        let word = |path: &str| value.pointer(path).and_then(Value::as_str).unwrap_or_default();
        Self {
            node: word("/spec/nodeName"),
            volume: word("/spec/source/persistentVolumeName"),
            is_attached: value.pointer("/status/attached").and_then(Value::as_bool).unwrap_or(false),
            attach_error: word("/status/attachError/message"),
            detach_error: word("/status/detachError/message"),
        }
    }
}

/// A pod that waits on its node for the volume of a claim, and a VolumeAttachment of that volume.
struct Wait<'a> {
    pod: &'a Rc<Pod>,
    claim: &'a PersistentVolumeClaim,
    attachment: Attachment<'a>,
}

impl Wait<'_> {
    fn is_on_its_node(&self) -> bool {
        *self.attachment.node == *self.pod.spec.node_name
    }

    fn lasts_ms(&self) -> i64 {
        START.0 - self.pod.metadata.creation_timestamp.unwrap_or(START).0
    }
}

/// Every pod that waits for a volume, with each VolumeAttachment of it.
fn waits<'a>(objects: &'a [Object], attachments: &'a [Value]) -> impl Iterator<Item = Wait<'a>> {
    let waits = |pod: &&Rc<Pod>| {
        pod.status.phase == PodPhase::Pending
            && !pod.is_terminating()
            && is_ready(objects, &pod.spec.node_name)
            && is_prepared(pod)
    };
    pods(objects).filter(waits).flat_map(|pod| volumes_of(pod, objects).map(move |of| (pod, of))).flat_map(
        move |(pod, (claim, volume))| {
            let all = attachments.iter().map(Attachment::of).filter(|one| *one.volume == **volume);
            all.map(move |attachment| Wait { pod, claim, attachment })
        },
    )
}

/// What the attach-detach controller says of a volume that cannot be attached, as the kubelet has it in its events: these are gone
/// after an hour.
pub(super) fn failures(objects: &[Object], attachments: &[Value]) -> Vec<Event> {
    let all = waits(objects, attachments).filter(|wait| {
        wait.is_on_its_node() && !wait.attachment.is_attached && !wait.attachment.attach_error.is_empty()
    });
    let event = |wait: Wait<'_>| {
        let Attachment { volume, attach_error, .. } = wait.attachment;
        let message = format!("AttachVolume.Attach failed for volume \"{volume}\" : {attach_error}");
        Event::of_status((Kind::Pod, &wait.pod.metadata), &"FailedAttachVolume".into(), &message.into(), START)
    };
    all.map(event).collect()
}

/// Pods whose volume another node has that answers, and on which nobody uses it: it is not let go.
pub(super) fn held(objects: &[Object], attachments: &[Value], assumed: &mut Assumed<'_>) {
    let is_for_one = |claim: &PersistentVolumeClaim| !claim.spec.access_modes.iter().any(|mode| mode.ends_with("Many"));
    // Without an error it is let go in time, or by force after six minutes. From a node that does not answer it is taken as the run knows.
    let is_kept = |wait: &Wait<'_>| {
        let Attachment { node, is_attached, detach_error, .. } = wait.attachment;
        let since_ms = if detach_error.is_empty() { DETACHED_MS } else { EARLY_MS };
        !wait.is_on_its_node() && is_attached && wait.lasts_ms() > since_ms && is_ready(objects, node)
    };
    let all = waits(objects, attachments).filter(|wait| is_for_one(wait.claim) && is_kept(wait));
    for Wait { pod, claim, attachment } in all.filter(|wait| !is_used_elsewhere(objects, wait.pod)) {
        let key = Object::Pod(Rc::clone(pod)).reference();
        let keeps_name = owner_of(pod).is_some_and(|owner| owner.kind.has_ordinals());
        let subject = if keeps_name { Subject::Named(key) } else { Subject::Pod(key) };
        let (name, node) = (&claim.metadata.name, Rc::<str>::from(attachment.node));
        let text = text!("{} does not start before {} lets the volume of claim {} go.", pod.metadata.name, node, name);
        let held = Held {
            evidence: vec![Evidence::of(&Object::Claim(Rc::new(claim.clone())), "spec.volumeName")],
            reason: ATTACHED.into(),
            message: attachment.detach_error.into(),
            since: pod.metadata.creation_timestamp,
            after_delete: AfterDelete::Unknown,
            ..Held::new(
                Hold { subject, what: What::Waits { reason: ATTACHED.into() } },
                ClearedBy::Detached { claim: Rc::clone(name), node },
            )
        };
        assumed.hold(held, text);
    }
}
