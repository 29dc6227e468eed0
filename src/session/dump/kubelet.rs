//! What kubelets and the attach-detach controller say of pods that they cannot start: mounts, attachments and sandboxes that fail,
//! and pods that a node's kubelet does not take.

use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::kept::Kept;
use super::named;
use super::node::{is_ready, pods};
use super::read::Event;
use crate::objects::{ContainerState, Kind, Object, ObjectRef, Pod, PodPhase, Time};
use crate::sim::{Hold, START, Subject, What, owner_of, revision_of_template};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Reasons of events that say why no container of a pod was made.
const PREPARATION: [&str; 7] = [
    "FailedMount",
    "FailedMapVolume",
    "FailedAttachVolume",
    "FailedCreatePodSandBox",
    "FailedCreatePodContainer",
    "NetworkNotReady",
    "FailedPrepareDynamicResources",
];
/// Those of a node's own network, runtime or drivers.
const OF_NODE: [&str; 5] = [
    "FailedCreatePodSandBox",
    "FailedCreatePodContainer",
    "NetworkNotReady",
    "FailedPrepareDynamicResources",
    SANDBOX_CHANGED,
];
/// A sandbox that has ended is made anew, also after a reboot; so often, none stays.
const SANDBOX_CHANGED: &str = "SandboxChanged";
const SANDBOXES: u64 = 5;
/// Reasons of events that say that it went on.
const GOES_ON: [&str; 4] = ["Pulling", "Pulled", "Created", "Started"];
/// What fails in a pod's first minute may be only early: the kubelet tries again. From then on it stays so, in milliseconds.
pub(super) const EARLY_MS: i64 = 60_000;
/// From then on a volume that is attached elsewhere is not let go, in milliseconds.
pub(super) const DETACHED_MS: i64 = 480_000;
/// Reasons of a Failed pod that was taken by its node first.
const TAKEN: [&str; 6] = ["", "Evicted", "NodeLost", "Terminated", "Shutdown", "DeadlineExceeded"];
/// The reason for which a node that is shutting down takes no pod (pkg/kubelet/nodeshutdown).
const SHUTS_DOWN: &str = "NodeShutdown";

/// Reasons for which a kubelet does not take a pod, beside those that begin with `OutOf`. Those of canAdmitPod, of
/// pkg/kubelet/lifecycle/predicate.go, and of the admission handlers beside it.
const REJECTIONS: [&str; 23] = [
    "AdmissionError",
    "AppArmor",
    "HostNetworkNotSupported",
    "InvalidNodeInfo",
    "MatchNodeSelector",
    "NodeAffinity",
    "NodeName",
    "NodePorts",
    "NodeSelectorMismatching",
    "NodeShutdown",
    "NodeUnschedulable",
    "PodFeatureUnsupported",
    "PodFitsHostPorts",
    "PodLevelResourcesNotSupported",
    "PodOSNotSupported",
    "PodOSSelectorNodeLabelDoesNotMatch",
    "SMTAlignmentError",
    "Sysctl",
    "SysctlForbidden",
    "TaintToleration",
    "TopologyAffinityError",
    "UnexpectedAdmissionError",
    "UnexpectedPredicateFailureType",
];

/// Whether it is for this reason that a kubelet did not take a pod.
pub(super) fn is_rejection(reason: &str) -> bool {
    REJECTIONS.contains(&reason) || reason.starts_with("OutOf")
}

/// Whether no container of the pod was ever made.
pub(super) fn is_prepared(pod: &Pod) -> bool {
    let all = &pod.status.container_statuses;
    let waits = |state: &ContainerState| matches!(state, ContainerState::Waiting { reason } if matches!(&**reason, "" | "ContainerCreating" | "PodInitializing"));
    let inits = &pod.status.init_container_statuses;
    all.iter().chain(inits).all(|status| waits(&status.state) && status.restart_count == 0)
}

/// By pod, events about it, oldest first.
type OfPods<'a> = BTreeMap<(&'a str, &'a str), Vec<&'a Event>>;

fn of_pods(events: &[Event]) -> OfPods<'_> {
    let mut all = OfPods::new();
    for event in events.iter().filter(|event| &*event.kind == "Pod") {
        all.entry((&event.namespace, &event.name)).or_default().push(event);
    }
    all
}

/// Those about this pod, not about one that had its name before.
fn about<'a>(all: &OfPods<'a>, pod: &'a Pod) -> Vec<&'a Event> {
    let (namespace, name, uid) = (&*pod.metadata.namespace, &*pod.metadata.name, &pod.metadata.uid);
    let since = pod.metadata.creation_timestamp;
    // Times of events and objects are in whole seconds.
    let is_own = |event: &&&Event| {
        if event.uid.is_empty() { since.is_none_or(|since| event.last.0 >= since.0 - 1_000) } else { event.uid == *uid }
    };
    all.get(&(namespace, name)).into_iter().flatten().filter(is_own).copied().collect()
}

/// Whether another pod on another node has a claim of this one: the run knows then who has the volume, and for how long.
pub(super) fn is_used_elsewhere(objects: &[Object], pod: &Pod) -> bool {
    let claims: Vec<&Rc<str>> = pod.claim_names().collect();
    pods(objects).any(|other| {
        other.metadata.namespace == pod.metadata.namespace
            && other.spec.node_name != pod.spec.node_name
            && other.claim_names().any(|claim| claims.contains(&claim))
    })
}

/// Pods whose containers were never made, and why.
pub(super) fn preparations(objects: &[Object], events: &[Event], kept: &[Kept], assumed: &mut Assumed<'_>) {
    let all = of_pods(events);
    let waits = |pod: &&Rc<Pod>| {
        pod.status.phase == PodPhase::Pending && !pod.is_terminating() && is_ready(objects, &pod.spec.node_name)
    };
    for pod in pods(objects).filter(waits).filter(|pod| is_prepared(pod)) {
        let own = about(&all, pod);
        let went_on = own.iter().filter(|event| GOES_ON.contains(&&*event.reason)).map(|event| event.last).max();
        let attached =
            own.iter().filter(|event| &*event.reason == "SuccessfulAttachVolume").map(|event| event.last).max();
        // Where nothing tells when it was made, it is not taken to be new.
        let lasts = pod.metadata.creation_timestamp.map_or(EARLY_MS + 1, |made| START.0 - made.0);
        // Of the same the last word counts.
        let mut told: Vec<&Event> = Vec::new();
        let tells_why = |event: &&&Event| {
            PREPARATION.contains(&&*event.reason) || &*event.reason == SANDBOX_CHANGED && event.count >= SANDBOXES
        };
        for event in own.iter().rev().filter(tells_why) {
            let is_attach = &*event.reason == "FailedAttachVolume";
            let is_over = went_on >= Some(event.last) || (is_attach && attached >= Some(event.last));
            // A volume that another node has is taken from it by force after six minutes, if nobody there uses it.
            let is_exclusive = is_attach && event.message.contains("Multi-Attach") && lasts <= DETACHED_MS;
            let waits_for_volume = is_attach || event.message.starts_with("Unable to attach or mount volumes");
            let is_known = is_exclusive || waits_for_volume && is_used_elsewhere(objects, pod);
            let is_there = named::is_there(kept, &pod.metadata.namespace, &event.message);
            let is_told = told.iter().any(|later| word(later) == word(event));
            if !(is_over || is_there || lasts <= EARLY_MS || is_known || is_told) {
                told.push(event);
            }
        }
        // That time is over for all volumes says nothing where another tells why.
        let is_told = told.iter().any(|event| !is_timeout(&event.message));
        told.iter()
            .filter(|event| !is_told || !is_timeout(&event.message))
            .for_each(|event| prepared(pod, event, assumed));
        if told.is_empty() && lasts > EARLY_MS {
            // Behind a container that was started the kubelet may still pull the image of the next one, with the same status.
            let went_on = own.iter().rfind(|event| ["Pulling", STARTED].contains(&&*event.reason));
            let started = went_on.filter(|event| &*event.reason == STARTED && START.0 - event.last.0 > EARLY_MS);
            let said = said(pod);
            let in_vain = went_on.filter(|event| &*event.reason == "Pulling").and_then(|_| pulled_in_vain(&own));
            if let Some(event) = started.copied().or(in_vain).or(said.as_ref()) {
                prepared(pod, event, assumed);
            }
        }
    }
}

/// A pull that has failed so often, over so many milliseconds, fails again.
const PULLS_IN_VAIN: (u64, i64) = (3, 600_000);

/// Whether it tells of an image that could not be pulled.
fn is_pull(event: &Event) -> bool {
    &*event.reason == "Failed" && event.message.starts_with("Failed to pull image")
}

/// The last word of an image that the kubelet pulls again and again, each time in vain.
fn pulled_in_vain<'a>(own: &[&'a Event]) -> Option<&'a Event> {
    let failed = || own.iter().filter(|event| is_pull(event));
    let times: u64 = failed().map(|event| event.count).sum();
    let first = failed().map(|event| event.first).min()?;
    let last = failed().max_by_key(|event| event.last)?;
    let over_ms = last.last.0.saturating_sub(first.0);
    (times >= PULLS_IN_VAIN.0 && over_ms >= PULLS_IN_VAIN.1).then_some(last)
}

/// The reason of an event that a container was started. What does not count as running from then on has a hook that has not ended.
pub(crate) const STARTED: &str = "Started";

/// What makes two words of a pod's kubelet the same: of each volume the last counts, as of sandboxes, of the network, and of time that
/// is over.
fn word(event: &Event) -> &str {
    let volume = || event.message.split_once(" for volume \"")?.1.split('"').next();
    let is_same = OF_NODE.contains(&&*event.reason) || is_timeout(&event.message);
    if is_same { &event.reason } else { volume().unwrap_or(&event.message) }
}

/// Whether it tells only that a pod's volumes were not there in time, in the words of today or of releases before 1.18
/// (syncPod of pkg/kubelet/kubelet.go).
pub(super) fn is_timeout(message: &str) -> bool {
    let begins = ["Unable to attach or mount volumes", "Unable to mount volumes for pod"];
    let ends = ["timed out waiting for the condition", "timeout expired waiting for volumes"];
    begins.iter().any(|words| message.starts_with(words)) && ends.iter().any(|words| message.contains(words))
}

/// What the status of a pod that was not begun with says, in the words of whoever works for its node.
fn said(pod: &Pod) -> Option<Event> {
    let (status, metadata) = (&pod.status, &pod.metadata);
    let at = metadata.creation_timestamp.unwrap_or(START);
    let is_said = !status.reason.is_empty() && !status.message.is_empty();
    is_said.then(|| Event::of_status((Kind::Pod, metadata), &status.reason, &status.message, at))
}

fn prepared(pod: &Rc<Pod>, event: &Event, assumed: &mut Assumed<'_>) {
    let object = Object::Pod(Rc::clone(pod));
    let key = object.reference();
    let name = &pod.metadata.name;
    let what = What::Waits { reason: Rc::clone(&event.reason) };
    let missing = named::object_of(pod, &event.message);
    let is_of_node =
        OF_NODE.contains(&&*event.reason) || event.message.contains("not found in the list of registered CSI drivers");
    let (cleared_by, after_delete) = match &missing {
        Some((kind, name)) => {
            (ClearedBy::Named { kind: Rc::clone(kind), name: Rc::clone(name) }, AfterDelete::StaysHeld)
        }
        None if is_pull(event) => (ClearedBy::Image(Rc::clone(&pod.spec.node_name)), AfterDelete::Unknown),
        None if is_of_node => (ClearedBy::Repair(Rc::clone(&pod.spec.node_name)), AfterDelete::Unknown),
        None => (ClearedBy::Person, AfterDelete::Unknown),
    };
    let keeps_name = owner_of(pod).is_some_and(|owner| owner.kind.has_ordinals());
    let subject = if keeps_name { Subject::Named(key) } else { Subject::Pod(key) };
    let held = Held {
        evidence: vec![Evidence::of(&object, "status.phase")],
        event: Some(event.clone()),
        reason: Rc::clone(&event.reason),
        message: Rc::clone(&event.message),
        since: pod.metadata.creation_timestamp,
        count: event.count,
        after_delete,
        ..Held::new(Hold { subject, what: what.clone() }, cleared_by)
    };
    let text = match &missing {
        Some((kind, missing)) if held.lacks_key() => {
            text!("{} does not start before {} {} has the key that it asks for.", name, kind, missing)
        }
        Some((kind, missing)) => text!("{} does not start before {} {} is there.", name, kind, missing),
        None => text!("{} does not start: what its last {} says is still so.", name, event.reason),
    };
    let holds = assumed.hold(held.clone(), text);
    let (Some((kind, missing)), Some(owner)) = (missing, owner_of(pod)) else { return };
    let subject = Subject::Revision { owner, revision: revision_of_template(pod).into(), node: None };
    let text = match held.lacks_key() {
        true => text!("No further pod of its revision starts before {} {} has that key.", kind, missing),
        false => text!("No further pod of its revision starts before {} {} is there.", kind, missing),
    };
    assumed.hold_unless(!holds, Held { hold: Hold { subject, what }, ..held }, text);
}

/// Pods of one revision on one node.
type OnNode = (ObjectRef, Rc<str>, Rc<str>);

/// Whether the pod's node has not said yet whether it takes it.
fn is_only_come(pod: &Pod) -> bool {
    let statuses = pod.status.container_statuses.iter().chain(&pod.status.init_container_statuses);
    pod.status.phase == PodPhase::Pending && statuses.count() == 0
}

/// Where the message of an event that a daemon has failed says so, its name and its node, as in
/// `Found failed daemon pod prod/agent-x2x4z on node node-a, will try to kill it`.
fn failed_daemon(event: &Event) -> Option<(&str, &str)> {
    let (_, rest) = event.message.split_once(" daemon pod ")?;
    let (name, rest) = rest.split_once(" on node ")?;
    Some((name.split_once('/')?.1, rest.split(',').next()?))
}

fn is_of_daemons(event: &Event, owner: &ObjectRef) -> bool {
    owner.kind == Kind::DaemonSet
        && &*event.reason == "FailedDaemonPod"
        && (&event.name, &event.namespace) == (&owner.name, &owner.namespace)
}

/// How often a daemon that had failed on this node was taken away for another.
fn repaired(node: &str, owner: &ObjectRef, events: &[Event]) -> u64 {
    let is_here = |event: &&Event| failed_daemon(event).is_some_and(|(_, own)| own == node);
    events.iter().filter(|event| is_of_daemons(event, owner)).filter(is_here).map(|event| event.count).sum()
}

/// Pods that a node rejected and that are gone, as the events tell of them.
struct Earlier<'a> {
    last: &'a Event,
    first: Time,
    count: u64,
}

/// Those in whose place this pod is.
fn earlier<'a>(pod: &Pod, owner: &ObjectRef, events: &'a [Event]) -> Option<Earlier<'a>> {
    let here = |event: &&Event| event.namespace == pod.metadata.namespace;
    let daemons = events.iter().filter(|event| is_of_daemons(event, owner)).filter_map(failed_daemon);
    let mut names: Vec<&str> =
        daemons.filter(|(_, node)| *node == &*pod.spec.node_name).map(|(name, _)| name).collect();
    if owner.kind.has_ordinals() {
        names.push(&pod.metadata.name);
    }
    let is_earlier = |event: &&Event| {
        let is_other = event.uid.is_empty() || event.uid != pod.metadata.uid;
        &*event.kind == "Pod" && is_other && names.contains(&&*event.name) && is_rejection(&event.reason)
    };
    let own = || events.iter().filter(here).filter(is_earlier);
    let last = own().max_by_key(|event| event.last)?;
    let first = own().map(|event| event.first).min()?;
    Some(Earlier { last, first, count: own().map(|event| event.count).sum() })
}

/// Nodes whose kubelet does not take pods of a revision.
pub(super) fn rejections(objects: &[Object], events: &[Event], assumed: &mut Assumed<'_>) {
    let mut all: BTreeMap<OnNode, Vec<&Rc<Pod>>> = BTreeMap::new();
    for pod in pods(objects).filter(|pod| !pod.spec.node_name.is_empty()) {
        let Some(owner) = owner_of(pod) else { continue };
        let revision = revision_of_template(pod).into();
        all.entry((owner, revision, Rc::clone(&pod.spec.node_name))).or_default().push(pod);
    }
    for ((owner, revision, node), pods) in all {
        let created = |pod: &&&Rc<Pod>| pod.metadata.creation_timestamp;
        // One that has only just come says nothing yet.
        // Of several that were made in one second, one that was taken is the last.
        let answer = |pod: &&&Rc<Pod>| (created(pod), !is_rejected(pod));
        let answered = pods.iter().filter(|pod| !is_only_come(pod)).max_by_key(answer);
        let on_its_way = pods.iter().filter(|pod| is_only_come(pod)).max_by_key(created);
        let earlier = on_its_way.filter(|_| answered.is_none()).and_then(|pod| earlier(pod, &owner, events));
        let Some(newest) = answered.filter(|pod| is_rejected(pod)).or(on_its_way.filter(|_| earlier.is_some())) else {
            continue;
        };
        let (reason, message) = match &earlier {
            Some(earlier) => (&earlier.last.reason, &earlier.last.message),
            None => (&newest.status.reason, &newest.status.message),
        };
        let rejected = u64::try_from(pods.iter().filter(|pod| is_rejected(pod)).count()).unwrap_or(u64::MAX);
        let count = earlier.as_ref().map_or(rejected.max(repaired(&node, &owner, events)), |earlier| earlier.count);
        // A node that is up again takes pods again; and one shuts down once.
        if **reason == *SHUTS_DOWN && (count < 2 || is_ready(objects, &node)) {
            continue;
        }
        // Room that was taken meanwhile is not taken for good: the scheduler chooses among nodes anew. A daemon comes back to its node.
        if reason.starts_with("OutOf") && count < 2 && owner.kind != Kind::DaemonSet {
            continue;
        }
        let object = Object::Pod(Rc::clone(newest));
        let paths = ["status.phase", "status.reason", "status.message"];
        let subject = Subject::Revision { owner, revision, node: Some(Rc::clone(&node)) };
        let what = What::Rejected { reason: Rc::clone(reason), message: Rc::clone(message) };
        let held = Held {
            evidence: paths.iter().map(|path| Evidence::of(&object, path)).collect(),
            reason: Rc::clone(reason),
            message: Rc::clone(message),
            since: earlier
                .as_ref()
                .map(|earlier| earlier.first)
                .or_else(|| pods.iter().filter_map(|pod| pod.metadata.creation_timestamp).min()),
            event: earlier.map(|earlier| earlier.last.clone()),
            count,
            ..Held::new(Hold { subject, what }, ClearedBy::Kubelet(Rc::clone(&node)))
        };
        let text = text!(
            "The kubelet of {} takes no further pod like {}: it rejected {} of them ({}).",
            node,
            newest.metadata.name,
            count,
            reason
        );
        assumed.hold(held, text);
    }
}

/// Whether the pod's kubelet did not take it.
fn is_rejected(pod: &Pod) -> bool {
    pod.status.phase == PodPhase::Failed
        && !TAKEN.contains(&&*pod.status.reason)
        && pod.status.container_statuses.iter().all(|status| matches!(status.state, ContainerState::Waiting { .. }))
}
