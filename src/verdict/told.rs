//! What was told of a pod that its own times do not show: that its probe fails to and fro, that its image, a node for it or its volume
//! is on its way.

use super::awaits::Await;
use crate::objects::{ContainerState, Pod, Time};
use crate::session::dump::{AWAITS_FAILED_JOB, AWAITS_JOB, Event, JOINS, JUST_STARTED, UNSAID};
use crate::sim::Cluster;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Fewer failures, or over less time in milliseconds, are those of a start.
const OFTEN: (u64, i64) = (20, 1_800_000);
/// The same of a node that is lost: it may have been away for a moment.
const NODE_OFTEN: u64 = 5;
/// What has not failed for so many times as long as its failures are apart, or for so long in milliseconds, fails no longer.
const OVER: (i64, i64) = (5, 60_000);

/// A node that was asked of the cloud comes within this, or not for that asking, in milliseconds. Models maxNodeProvisionTime of the
/// cluster autoscaler.
const PROVISION_MS: i64 = 900_000;
/// What it says where it asks for none.
const REFUSED: &str = "NotTriggerScaleUp";
/// Asked for so often, over longer than that, nodes do not come.
const ASKED: u64 = 3;
/// What newer kubelets say while they set the owner of each file of a volume (fsGroup), at least every minute: one that has said nothing
/// for so many milliseconds is done.
const VOLUME_WORK: &str = "VolumePermissionChangeInProgress";
const WORKS_MS: i64 = 300_000;
/// A volume is taken from a node that does not let it go within this after its last user went, in milliseconds: six minutes, and the
/// turns of the controller.
const DETACH_MS: i64 = 480_000;

/// What was told of one pod.
#[derive(Clone, Copy, Default)]
pub(super) struct Told<'a> {
    /// That its readiness probe fails, last.
    unready: Option<&'a Event>,
    /// That it lost its readiness with its node, last.
    lost: Option<&'a Event>,
    /// The last word about its image.
    image: Option<&'a Event>,
    /// The last word of whoever makes nodes.
    node: Option<&'a Event>,
    /// How often nodes were asked for, and over how long, in milliseconds.
    asked: (u64, i64),
    /// That the kubelet is at work on its volume.
    volume_work: Option<&'a Event>,
    /// The last word about the attachment of its volumes.
    volume: Option<&'a Event>,
    /// That it has just been started.
    start: Option<&'a Event>,
    /// That an init container of it may wait for a Job.
    job: Option<&'a Event>,
}

/// By namespace and name, what was told of pods.
pub(super) type OfPods<'a> = BTreeMap<(&'a Rc<str>, &'a Rc<str>), Told<'a>>;

/// What events tell, oldest first.
pub(super) fn of_pods(events: &[Event]) -> OfPods<'_> {
    let mut all = OfPods::new();
    for event in events.iter().filter(|event| &*event.kind == "Pod") {
        let key = (&event.namespace, &event.name);
        match &*event.reason {
            "Unhealthy" if event.message.starts_with("Readiness probe ") => {
                all.entry(key).or_default().unready = Some(event);
            }
            "NodeNotReady" => all.entry(key).or_default().lost = Some(event),
            "Pulling" | "Pulled" | "Failed" | "BackOff" => all.entry(key).or_default().image = Some(event),
            // Of the cluster autoscaler and of Karpenter.
            "TriggeredScaleUp" | "Nominated" | REFUSED => {
                let told = all.entry(key).or_default();
                told.node = Some(event);
                if &*event.reason != REFUSED {
                    told.asked.0 += event.count;
                    told.asked.1 = told.asked.1.max(event.last.0.saturating_sub(event.first.0));
                }
            }
            VOLUME_WORK => all.entry(key).or_default().volume_work = Some(event),
            "FailedAttachVolume" | "SuccessfulAttachVolume" => all.entry(key).or_default().volume = Some(event),
            JUST_STARTED => all.entry(key).or_default().start = Some(event),
            AWAITS_JOB | AWAITS_FAILED_JOB => all.entry(key).or_default().job = Some(event),
            _ => {}
        }
    }
    all
}

/// A node that came no longer ago, in milliseconds, has not had its time yet.
const ARRIVES_MS: i64 = 30_000;
/// What the kubelet does for a pod, and no longer ago than this, in milliseconds, shows that its node is on its way.
const AT_WORK: ([&str; 4], i64) = (["Pulling", "Pulled", "Created", "Started"], 60_000);

/// Nodes that are taken to get Ready, have come some time ago, and of which nothing shows that they are on their way, each with how long
/// that is in milliseconds; none of those of which the text does not say whether they are Ready.
pub(super) fn joining(cluster: &Cluster, events: &[Event]) -> BTreeMap<Rc<str>, Option<i64>> {
    let now = cluster.now();
    let since = |at: Time| now.0.saturating_sub(at.0).max(0);
    let is_at_work = |node: &Rc<str>| {
        let own = cluster.pods().filter(|pod| pod.spec.node_name == *node);
        let names: BTreeSet<(&str, &str)> = own.map(|pod| (&*pod.metadata.namespace, &*pod.metadata.name)).collect();
        events.iter().any(|event| {
            let is_work =
                &*event.kind == "Pod" && AT_WORK.0.contains(&&*event.reason) && since(event.last) <= AT_WORK.1;
            is_work && names.contains(&(&*event.namespace, &*event.name))
        })
    };
    let told = events.iter().filter_map(|event| match &*event.reason {
        JOINS => Some((&event.name, Some(since(event.first)))),
        UNSAID => Some((&event.name, None)),
        _ => None,
    });
    let slow = told.filter(|(name, age)| age.is_none_or(|age| age > ARRIVES_MS) && !is_at_work(name));
    slow.map(|(name, age)| (Rc::clone(name), age)).collect()
}

impl Told<'_> {
    /// What the pod waits for that is on its way, by what was told of it and is not long ago.
    pub(super) fn awaits(&self, cluster: &Cluster, pod: &Pod) -> Option<Await> {
        let now = cluster.now();
        let is_own = |event: &&&Event| event.uid.is_empty() || event.uid == pod.metadata.uid;
        let name = || Rc::clone(&pod.metadata.name);
        if pod.is_terminating() || pod.has_ended() {
            return None;
        }
        if pod.spec.node_name.is_empty() {
            let asked = self.node.as_ref().filter(is_own).filter(|event| &*event.reason != REFUSED)?;
            let ago_ms = now.0.saturating_sub(asked.last.0).max(0);
            let is_in_vain = self.asked.0 >= ASKED && self.asked.1 > PROVISION_MS;
            return (ago_ms <= PROVISION_MS && !is_in_vain).then(|| Await::Node { pod: name(), ago_ms });
        }
        let is_going_on = |event: &&&Event| now.0.saturating_sub(event.last.0) <= WORKS_MS && !pod.is_ready();
        if let Some(work) = self.volume_work.as_ref().filter(is_own).filter(is_going_on) {
            let lasts_ms = now.0.saturating_sub(work.first.0).max(0);
            return Some(Await::Volume { pod: name(), lasts_ms, said: Rc::clone(&work.message) });
        }
        if let Some(start) = self.start.filter(|_| !pod.is_ready()) {
            let lasts_ms = start.last.0.saturating_sub(start.first.0).max(0);
            return Some(Await::Ready { pod: name(), lasts_ms });
        }
        if let Some(job) = self.job.filter(|_| !pod.is_ready()) {
            let lasts_ms = job.last.0.saturating_sub(job.first.0).max(0);
            let (awaited, has_failed) = (Rc::clone(&job.message), &*job.reason == AWAITS_FAILED_JOB);
            return Some(Await::Init { pod: name(), kind: "Job".into(), name: awaited, has_failed, lasts_ms });
        }
        // Where the run knows who has the volume, it knows when it is let go.
        let refused = self.volume.as_ref().filter(is_own).filter(|event| {
            &*event.reason == "FailedAttachVolume" && event.message.contains("exclusively attached to one node")
        })?;
        let is_known = cluster.attached_elsewhere(pod).next().is_some();
        let lasts_ms = now.0.saturating_sub(refused.first.0).max(0);
        (!is_known && !pod.is_ready() && lasts_ms <= DETACH_MS).then(|| Await::Detach { pod: name(), lasts_ms })
    }

    /// For how long the pod, which is Ready, has lost its readiness again and again, in milliseconds; and whether with its node, not by
    /// its probe.
    pub(super) fn loses_readiness(&self, pod: &Pod, now: Time) -> Option<(i64, bool)> {
        let mut lost = [(self.unready, OFTEN.0, false), (self.lost, NODE_OFTEN, true)].into_iter();
        lost.find_map(|(event, often, with_node)| Some((Self::loses(pod, event?, often, now)?, with_node)))
    }

    /// For how long the event has told of that, in milliseconds.
    fn loses(pod: &Pod, event: &Event, often: u64, now: Time) -> Option<i64> {
        if !event.uid.is_empty() && event.uid != pod.metadata.uid {
            return None;
        }
        let over = event.last.0.saturating_sub(event.first.0);
        let apart = over / i64::try_from(event.count).unwrap_or(i64::MAX).max(1);
        let ready = pod.condition("Ready")?.last_transition_time.unwrap_or(now);
        let is_near = now.0.saturating_sub(event.last.0) <= apart.saturating_mul(OVER.0).max(OVER.1);
        // A failure that did not take its readiness is no more than one.
        (event.count >= often && over >= OFTEN.1 && ready >= event.last && is_near && pod.is_ready()).then_some(over)
    }

    /// For how long the kubelet has been pulling an image of the pod, in milliseconds.
    pub(super) fn pulls(&self, pod: &Pod, now: Time) -> Option<i64> {
        let waits = |state: &ContainerState| matches!(state, ContainerState::Waiting { reason } if matches!(&**reason, "ContainerCreating" | "PodInitializing"));
        let mut statuses = pod.status.init_container_statuses.iter().chain(&pod.status.container_statuses);
        let event = self.image.filter(|event| event.uid.is_empty() || event.uid == pod.metadata.uid)?;
        let is_pulling = &*event.reason == "Pulling" && statuses.any(|status| waits(&status.state));
        is_pulling.then(|| now.0.saturating_sub(event.last.0).max(0))
    }
}
