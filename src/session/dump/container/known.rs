//! Whether a container that has not come up yet is on its way, or is taken to stay as it is: by how long others took, how often it has
//! ended, and what was said of it.

use super::seen::{
    Revision, Seen, is_running, key, ran_short, revision_of, seen, since_ready_changed, started, status_says,
};
use crate::objects::{Container, ContainerState, Object, ObjectRef, Pod};
use crate::session::dump::held::Ended;
use crate::session::dump::node::{is_ready, pods};
use crate::session::dump::statuses::Statuses;
use crate::sim::{Fault, START, owner_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A container that was never ready is expected to become so for this long, if nothing tells how long that takes.
const PATIENCE_MS: i64 = 60_000;
/// An init container is expected to end within this, if nothing tells how long that takes.
const INIT_PATIENCE_MS: i64 = 120_000;
/// A container that ended for the first time is started again at once: longer ago it is not.
const RESTARTED_WITHIN_MS: i64 = 60_000;
/// From so many restarts on, one that runs and is not ready runs only until it ends again.
const RESTARTS: i32 = 2;

/// A container that waits for another to be started has ended so many times at most.
const FEW: i32 = 3;
/// From so many on an end is one of many, also one without an error.
const MANY: i32 = 5;

/// A pod of a revision that was made so much earlier, in milliseconds, is not the first of it.
const LATER_MS: i64 = 3_600_000;

/// Last words of programs, and of those who start them, whose cause is not in their template: a volume, a peer, a name, a right, a
/// registry.
const OUTSIDE: [&str; 13] = [
    "toomanyrequests",
    "tls handshake timeout",
    "service unavailable",
    "certificate signed by unknown authority",
    "no space left on device",
    "disk quota exceeded",
    "read-only file system",
    "input/output error",
    "connection refused",
    "connection timed out",
    "no such host",
    "i/o timeout",
    "no route to host",
];

/// What the kubelet says where its cache of ConfigMaps and Secrets was not filled in time; it does so in its next turn
/// (Shopify/krane#886).
const CACHE_LATE: &str = "cache: timed out waiting for the condition";

/// The middle one.
fn median(mut all: Vec<i64>) -> Option<i64> {
    all.sort();
    all.get(all.len() / 2).copied()
}

/// How long containers of these pods took from their start to their readiness.
fn readiness<'a>(pods: impl Iterator<Item = &'a Rc<Pod>>) -> Option<i64> {
    let ready = pods.filter(|pod| pod.is_ready());
    let took = ready.flat_map(|pod| {
        let since = since_ready_changed(pod);
        let first = pod.status.container_statuses.iter().filter(|status| status.restart_count == 0);
        first.filter_map(started).zip(since.into_iter().cycle()).map(|(start, ready)| (ready.0 - start.0).max(0))
    });
    median(took.collect())
}

/// The longest that a probe may take to pass by its own timing, in milliseconds.
fn probe_ms(container: &Container, name: &str) -> i64 {
    let Some(probe) = container.extra.get(name).and_then(Value::as_object) else { return 0 };
    let number = |field: &str, default: i64| probe.get(field).and_then(Value::as_i64).unwrap_or(default).max(0);
    let times = match name {
        "startupProbe" => number("failureThreshold", 3),
        _ => number("successThreshold", 1),
    };
    let seconds = number("initialDelaySeconds", 0).saturating_add(number("periodSeconds", 10).saturating_mul(times));
    seconds.saturating_mul(1_000)
}

/// How long a container that runs may be not ready before it is taken to stay so.
fn patience(container: &Container, took: Option<i64>) -> i64 {
    let others = took.map_or(PATIENCE_MS, |took| took.saturating_mul(2).saturating_add(2_000));
    let probes = ["startupProbe", "readinessProbe"].map(|name| probe_ms(container, name));
    others.max(probes[0].saturating_add(probes[1]))
}

/// What is known of all pods of a text.
pub(super) struct Known<'a> {
    objects: &'a [Object],
    /// Of all pods, and of each owner's.
    pub(super) took: Option<i64>,
    of_owner: BTreeMap<ObjectRef, Option<i64>>,
    /// By owner and name, how long init containers ran.
    init_took: BTreeMap<(ObjectRef, Rc<str>), i64>,
    /// Whether a pod of the revision is Ready now.
    ready: BTreeMap<Revision, bool>,
    /// The uids of owners of kinds that are not simulated, of which a pod is Ready now.
    ready_owners: BTreeSet<Rc<str>>,
    any_ready: bool,
    /// Images of containers that are ready.
    ready_images: BTreeSet<Rc<str>>,
    pub(super) statuses: &'a Statuses,
}

/// Why a container is taken to stay as it is: its fault, and the kubelet's word for it.
pub(super) type Failing = (Fault, Rc<str>);

impl<'a> Known<'a> {
    pub(super) fn new(objects: &'a [Object], statuses: &'a Statuses) -> Self {
        let mut of_owner: BTreeMap<ObjectRef, Vec<&Rc<Pod>>> = BTreeMap::new();
        let mut ready: BTreeMap<Revision, bool> = BTreeMap::new();
        let mut init_took = BTreeMap::new();
        for pod in pods(objects) {
            let Some(owner) = owner_of(pod) else { continue };
            if let Some(revision) = revision_of(pod) {
                *ready.entry(revision).or_default() |= pod.is_ready() && !pod.is_terminating();
            }
            for (name, took) in statuses.init_durations(&Object::Pod(Rc::clone(pod)).reference()) {
                let longest: &mut i64 = init_took.entry((owner.clone(), name)).or_default();
                *longest = took.max(*longest);
            }
            of_owner.entry(owner).or_default().push(pod);
        }
        let of_others = pods(objects).filter(|pod| owner_of(pod).is_none() && pod.is_ready() && !pod.is_terminating());
        let ready_owners = of_others.filter_map(|pod| Some(Rc::clone(&pod.metadata.controller_of()?.uid)));
        let ready_images = pods(objects).flat_map(seen).filter(|one| one.status.ready).map(|one| &one.container.image);
        let took_by = |(owner, pods): (ObjectRef, Vec<&Rc<Pod>>)| (owner, readiness(pods.into_iter()));
        Self {
            objects,
            took: readiness(pods(objects)),
            of_owner: of_owner.into_iter().map(took_by).collect(),
            init_took,
            ready_owners: ready_owners.filter(|uid| !uid.is_empty()).collect(),
            any_ready: ready.values().any(|ready| *ready),
            ready,
            ready_images: ready_images.cloned().collect(),
            statuses,
        }
    }

    /// Whether another pod of its revision is Ready; of its owner where that is of a kind that is not simulated, which tells no revision.
    pub(super) fn is_revision_ready(&self, pod: &Pod) -> bool {
        match revision_of(pod) {
            Some(revision) => self.ready.get(&revision) == Some(&true),
            None => pod.metadata.controller_of().is_some_and(|owner| self.ready_owners.contains(&owner.uid)),
        }
    }

    /// Whether its revision has no other pod.
    pub(super) fn is_alone(&self, pod: &Pod) -> bool {
        let revision = revision_of(pod);
        let others = pods(self.objects).filter(|other| other.metadata.uid != pod.metadata.uid);
        !others.into_iter().any(|other| revision_of(other) == revision)
    }

    /// How long a container of the pod may take to get ready.
    fn patience(&self, one: &Seen<'_>) -> i64 {
        let own = owner_of(one.pod).and_then(|owner| self.of_owner.get(&owner).copied().flatten());
        patience(one.container, own.or(self.took))
    }

    pub(super) fn failing(&self, one: &Seen<'_>) -> Option<Failing> {
        let status = one.status;
        match &status.state {
            ContainerState::Waiting { .. } if self.is_cache_late(one) => None,
            ContainerState::Waiting { reason } => waits_for(reason).map(|fault| (fault, Rc::clone(reason))),
            ContainerState::Terminated { exit_code, .. } if one.is_init && *exit_code == 0 => None,
            ContainerState::Terminated { reason, .. } => {
                let ended = self.ended(one).and_then(|ended| ended.at);
                let is_first = status.restart_count == 0;
                let is_new = ended.is_none_or(|at| START.0 - at.0 <= RESTARTED_WITHIN_MS);
                (!is_first || !is_new).then(|| (Fault::Crashes, Rc::clone(reason)))
            }
            ContainerState::Running { .. } if one.is_init && !one.container.is_sidecar() => self.runs_on(one),
            ContainerState::Running { .. } if !status.ready && !one.pod.is_ready() => self.unready(one),
            ContainerState::Running { .. } => None,
        }
    }

    /// Whether the kubelet has only not seen yet what the container's settings name: it tries again.
    pub(super) fn is_cache_late(&self, one: &Seen<'_>) -> bool {
        let message = self.statuses.waiting_message(&key(one.pod), one.is_init, &one.container.name);
        let made = one.pod.metadata.creation_timestamp.unwrap_or(START);
        message.contains(CACHE_LATE) && START.0 - made.0 <= INIT_PATIENCE_MS
    }

    /// An init container that runs for far longer than others took.
    fn runs_on(&self, one: &Seen<'_>) -> Option<Failing> {
        let name = Rc::clone(&one.container.name);
        let others = owner_of(one.pod).and_then(|owner| self.init_took.get(&(owner, name)));
        let patience = others.map_or(INIT_PATIENCE_MS, |took| INIT_PATIENCE_MS.max(took.saturating_mul(3)));
        let lasts = START.0 - started(one.status).unwrap_or(START).0;
        (lasts > patience).then_some((Fault::NeverEnds, "".into()))
    }

    /// Whether a container that runs and is not ready was started for the first time no longer before the text was made than others
    /// took. One without a probe is ready as it is started.
    pub(super) fn has_just_started(&self, one: &Seen<'_>) -> bool {
        let lasts = started(one.status).map_or(0, |at| START.0 - at.0);
        let is_first = is_running(one.status) && one.status.restart_count == 0;
        let is_asked = one.container.extra.contains_key("readinessProbe");
        is_first && is_asked && (1..=self.patience(one).max(PATIENCE_MS)).contains(&lasts)
    }

    /// A container that runs and is not ready. On a node that does not answer nobody asks a probe.
    fn unready(&self, one: &Seen<'_>) -> Option<Failing> {
        if !is_ready(self.objects, &one.pod.spec.node_name) {
            return None;
        }
        let lasts = START.0 - started(one.status).unwrap_or(START).0;
        // A program that a probe has ended may end well.
        let is_ended =
            |ended: &Ended| ended.exit_code != 0 || (one.status.restart_count >= MANY && ran_short(one.status));
        if one.status.restart_count >= RESTARTS
            && let Some(ended) = self.ended(one).filter(is_ended)
            && lasts <= self.patience(one)
        {
            return Some((Fault::Crashes, ended.reason));
        }
        // Nobody knows how much later than its newest moment the text was made. Where others are Ready and nothing of this
        // revision or image is, a rollout waits for it, and people look at those that wait for long. What its startup probe allows it
        // may take.
        let is_new = !self.is_revision_ready(one.pod) && !self.ready_images.contains(&one.container.image);
        let is_starting = lasts < probe_ms(one.container, "startupProbe");
        let is_waited_for = self.any_ready && is_new && !is_starting;
        let fault =
            if one.is_init && status_says(one.status, "started", false) { Fault::NeverEnds } else { Fault::NeverReady };
        (lasts > self.patience(one) || is_waited_for).then_some((fault, "".into()))
    }

    /// Whether the pod's revision is far older than every pod of it: there were others before, of which nobody knows whether they were
    /// Ready.
    pub(super) fn is_of_later_pod(&self, pod: &Pod) -> bool {
        let Some((owner, revision)) = revision_of(pod) else { return false };
        let is_it = |object: &&Object| match object {
            Object::ReplicaSet(_) => object.reference() == owner,
            Object::Revision(_) => {
                let metadata = object.metadata();
                let is_named = *metadata.name == *revision || metadata.name.ends_with(&format!("-{revision}"));
                metadata.namespace == owner.namespace && is_named
            }
            _ => false,
        };
        let made = self.objects.iter().find(is_it).and_then(|object| object.metadata().creation_timestamp);
        let own = pods(self.objects)
            .filter(|other| revision_of(other).is_some_and(|it| it == (owner.clone(), revision.clone())));
        let first = own.filter_map(|pod| pod.metadata.creation_timestamp).min();
        made.zip(first).is_some_and(|(made, first)| first.0.saturating_sub(made.0) > LATER_MS)
    }

    /// Whether the container's last words, or those of its kubelet, are about something outside its template.
    pub(super) fn lacks_something(&self, one: &Seen<'_>) -> bool {
        let ended = self.ended(one).filter(|ended| ended.exit_code != 0);
        let ended = ended.map(|ended| ended.message).unwrap_or_default();
        let waits = self.statuses.waiting_message(&key(one.pod), one.is_init, &one.container.name);
        let said = [&*ended, &*waits].concat().to_ascii_lowercase();
        OUTSIDE.iter().any(|words| said.contains(words))
    }

    /// Whether a container has ended a few times since its pod was made, a moment ago, beside a pod of another owner that is as new and is
    /// being started itself: it may end for want of that.
    pub(super) fn starts_beside_others(&self, one: &Seen<'_>) -> bool {
        let is_new = |pod: &Pod| {
            pod.metadata.creation_timestamp.is_some_and(|made| (1..=INIT_PATIENCE_MS).contains(&(START.0 - made.0)))
        };
        let is_starting = |pod: &Pod| {
            let mut own = pod.status.init_container_statuses.iter().chain(&pod.status.container_statuses);
            own.all(|status| match &status.state {
                ContainerState::Waiting { reason } => waits_for(reason).is_none(),
                state => matches!(state, ContainerState::Running { .. }) && status.restart_count == 0,
            })
        };
        let is_beside = |pod: &&Rc<Pod>| {
            pod.metadata.namespace == one.pod.metadata.namespace
                && owner_of(pod) != owner_of(one.pod)
                && !pod.is_ready()
                && !pod.spec.node_name.is_empty()
                && is_new(pod)
                && is_starting(pod)
        };
        let ends = one.status.restart_count <= FEW && self.ended(one).is_some();
        ends && is_new(one.pod) && pods(self.objects).any(|pod| is_beside(&pod))
    }

    /// Whether the container is none of the template that the pod was made from.
    pub(super) fn is_added(&self, one: &Seen<'_>) -> bool {
        let Some(owner) = one.pod.metadata.controller_of() else { return false };
        let owner = self.objects.iter().find(|object| object.metadata().uid == owner.uid);
        let template = owner.and_then(Object::template);
        template.is_some_and(|template| !template.spec.has_container(&one.container.name))
    }

    pub(super) fn ended(&self, one: &Seen<'_>) -> Option<Ended> {
        self.statuses.ended(&key(one.pod), one.is_init, &one.container.name)
    }
}

/// What keeps a container from running, by the reason why it waits; none if it is on its way.
fn waits_for(reason: &str) -> Option<Fault> {
    match reason {
        "" | "ContainerCreating" | "PodInitializing" => None,
        "CrashLoopBackOff" => Some(Fault::Crashes),
        _ => Some(Fault::CannotStart),
    }
}
