//! Pods that the API server does not take: what the last event about a creation by their owner says holds until something changes.

use super::assume::Assumed;
use super::held::{ClearedBy, Held};
use super::kept::Kept;
use super::named::CAME;
use super::node::{is_ready, pods};
use super::policy;
use super::read::Event;
use crate::objects::replica_set::Condition;
use crate::objects::{ControllerRevision, Kind, Object, ObjectMeta, ObjectRef, Pod};
use crate::reconcile::parent_and_ordinal;
use crate::sim::{Hold, START, Subject, What};
use serde_json::Value;
use std::rc::Rc;

/// What a refusal says, and the kind of what has to change for it. The first that is found counts.
const CAUSES: [(&str, &str); 18] = [
    ("because it is being terminated", "Namespace"),
    (UNCOUNTED, "QuotaStatus"),
    ("PodSecurity", "PodSecurity"),
    ("security context constraint", "SecurityContextConstraints"),
    ("PodSecurityPolicy", "PodSecurityPolicy"),
    ("pod security policy", "PodSecurityPolicy"),
    ("quota", "ResourceQuota"),
    ("webhook", "Webhook"),
    (" per Container is ", "LimitRange"),
    (" per Pod is ", "LimitRange"),
    (" per PersistentVolumeClaim is ", "LimitRange"),
    // The admission of releases before 1.24 (plugin/pkg/admission/serviceaccount), which ends with a promise that nobody keeps.
    ("API token found for service account", "Token"),
    ("service account", "ServiceAccount"),
    ("serviceaccount", "ServiceAccount"),
    ("PriorityClass", "PriorityClass"),
    ("RuntimeClass", "RuntimeClass"),
    ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicy"),
    ("persistentvolumeclaims", "PersistentVolumeClaim"),
];

/// A quota whose status its controller has not written yet lets nothing in.
const UNCOUNTED: &str = "status unknown for quota: ";

/// Refusals that the simulation knows: a name that is taken.
const KNOWN: [&str; 2] = ["already exists", "is being deleted"];

/// Refusals that end by themselves, unless they go on: a write that was late, a server that was busy.
const PASSING: [&str; 4] =
    ["Operation cannot be fulfilled", "etcdserver: ", "context deadline exceeded", "please try again"];
/// What has been refused so often, over so many milliseconds, is no longer late or busy.
const GOES_ON: (u64, i64) = (3, 120_000);

/// Whether what the event tells of ends by itself.
fn passes(event: &Event) -> bool {
    let goes_on = event.count >= GOES_ON.0 && event.last.0.saturating_sub(event.first.0) >= GOES_ON.1;
    let is = |all: &[&str]| all.iter().any(|words| event.message.contains(words));
    is(&KNOWN) || (is(&PASSING) && !goes_on)
}

/// The last event about a creation by this owner, if it tells of a refusal.
fn last_refusal<'a>(events: &'a [Event], owner: &ObjectRef) -> Option<&'a Event> {
    let is_own = |event: &&Event| {
        *event.kind == *owner.kind.as_str() && (&event.namespace, &event.name) == (&owner.namespace, &owner.name)
    };
    let is_creation = |event: &&Event| ["FailedCreate", "SuccessfulCreate"].contains(&&*event.reason);
    events.iter().rfind(|event| is_own(event) && is_creation(event)).filter(|event| &*event.reason == "FailedCreate")
}

/// Whether what was lacking then is there now.
fn came_since(events: &[Event], owner: &ObjectRef, refused: &Event) -> bool {
    let is_own = |event: &Event| {
        *event.kind == *owner.kind.as_str() && (&event.namespace, &event.name) == (&owner.namespace, &owner.name)
    };
    events.iter().any(|event| &*event.reason == CAME && event.last >= refused.last && is_own(event))
}

/// The refusal that a condition of the owner tells of, which stays when the events are gone: a ReplicaSet's own, and a Deployment's where
/// the text has none of its ReplicaSets.
fn told_by_condition(objects: &[Object], owner: &Object) -> Option<Event> {
    let uid = &owner.metadata().uid;
    let is_own = |set: &ObjectMeta| set.controller_of().is_some_and(|own| own.uid == *uid);
    let has_sets = || objects.iter().any(|set| set.kind() == Kind::ReplicaSet && is_own(set.metadata()));
    let conditions = match owner {
        Object::ReplicaSet(set) => &set.status.conditions,
        Object::Deployment(deployment) if !has_sets() => &deployment.status.conditions,
        _ => return None,
    };
    let is_told = |condition: &&Condition| {
        &*condition.condition_type == "ReplicaFailure"
            && &*condition.status == "True"
            && &*condition.reason == "FailedCreate"
    };
    let told = conditions.iter().find(is_told)?;
    let at = told.last_transition_time.unwrap_or_default();
    Some(Event::of_status((owner.kind(), owner.metadata()), &told.reason, &told.message, at))
}

/// Whether the name of the pod that a set could not make is taken by one that is not its own, as one whose labels were changed.
fn is_taken(objects: &[Object], owner: &Object, message: &str) -> bool {
    // create Pod web-1 in StatefulSet web failed error: …
    let name = message.split_once("create Pod ").and_then(|(_, rest)| rest.split_once(' ')).map(|(name, _)| name);
    let (metadata, Some(name)) = (owner.metadata(), name) else { return false };
    pods(objects).any(|pod| {
        let is_own = pod.metadata.controller_of().is_some_and(|own| own.uid == metadata.uid);
        *pod.metadata.name == *name && pod.metadata.namespace == metadata.namespace && !is_own
    })
}

/// What the API server said, without what the controller says of it.
fn said(message: &str) -> &str {
    let starts = [" failed error: ", "Error creating: "];
    starts.iter().find_map(|start| message.split_once(start)).map_or(message, |(_, said)| said)
}

/// The name behind a word, as in `failed quota: compute: must specify`, or in quotes, as in `serviceaccount "web" not found`.
fn named(message: &str) -> &str {
    let after = |words: &str| message.split_once(words).map(|(_, rest)| rest);
    let plain = ["exceeded quota: ", "failed quota: ", UNCOUNTED].into_iter().find_map(after);
    let plain = plain.and_then(|rest| rest.split([',', ':']).next());
    let quotes = [
        "webhook \"",
        "persistentvolumeclaims \"",
        "serviceaccount \"",
        "service account \"",
        "RuntimeClass \"",
        "PodSecurity \"",
        "ValidatingAdmissionPolicy '",
    ];
    let quoted = || quotes.into_iter().find_map(after).and_then(|rest| rest.split(['"', '\'']).next());
    let word = |words: &str| after(words).and_then(|rest| rest.split(' ').next());
    let class = || word("no PriorityClass with name ").or_else(|| word("new content in namespace "));
    plain.or_else(quoted).or_else(class).unwrap_or_default()
}

/// The quota that a refusal says has no room.
pub(super) fn quota_in(message: &str) -> Option<&str> {
    message.contains("exceeded quota: ").then(|| named(message)).filter(|name| !name.is_empty())
}

fn cleared_by(message: &str) -> ClearedBy {
    if message.contains("metadata.labels: Invalid value") && message.contains("must be no more than 63") {
        return ClearedBy::ShorterName;
    }
    if message.contains(" is invalid: ") {
        return ClearedBy::AnotherRevision;
    }
    let cause = CAUSES.iter().find(|(words, _)| message.contains(words));
    // A refusal does not name the LimitRange, but what it is about.
    let name = |kind: &str| if kind == "LimitRange" { "" } else { named(message) };
    cause.map_or(ClearedBy::Person, |(_, kind)| ClearedBy::Named { kind: (*kind).into(), name: name(kind).into() })
}

/// Whether an owner still lacks the pod that was refused: it has fewer than it asks for, or none was made since. Pods out of range
/// stand in for none.
fn is_short(objects: &[Object], owner: &Object, refused: &Event) -> bool {
    let uid = &owner.metadata().uid;
    let own = pods(objects).filter(|pod| pod.metadata.controller_of().is_some_and(|it| it.uid == *uid));
    let live: Vec<_> = own.filter(|pod| !pod.is_terminating() && !pod.has_ended()).collect();
    i64::try_from(live.len()).unwrap_or(i64::MAX) < i64::from(owner.desired())
        || live.iter().all(|pod| pod.metadata.creation_timestamp < Some(refused.last))
}

/// The pods that a namespace's quota counts, if a refusal is about these alone and they are all in the text: then the simulation
/// counts them itself.
fn counted_pods(objects: &[Object], namespace: &str, message: &str) -> Option<i32> {
    let number = |words: &str| message.split_once(words)?.1.split([',', ' ']).next()?.trim().parse::<i32>().ok();
    let limit = number("limited: pods=")?;
    let used = number("used: pods=")?;
    let live = pods(objects).filter(|pod| *pod.metadata.namespace == *namespace && !pod.has_ended()).count();
    (i32::try_from(live) == Ok(used)).then_some(limit)
}

/// Whether a refusal is by a quota that the text has, and the owner's template says what it asks for: then the simulation refuses it by
/// itself, for as long as there is no room.
fn is_simulated(owner: &Object, message: &str, policies: &[Value]) -> bool {
    if message.contains(UNCOUNTED) {
        return policy::is_counted(policies, &owner.metadata().namespace, named(message));
    }
    let is_by_quota = ["exceeded quota: ", "failed quota: "].iter().any(|words| message.contains(words));
    let is_said = || {
        let containers = owner.template().map(|template| &template.spec.containers);
        containers.is_some_and(|all| all.iter().any(|container| !container.resources.is_empty()))
            || message.contains("must specify")
            || counts_objects(message)
    };
    is_by_quota && policy::has_quota(policies, &owner.metadata().namespace, named(message)) && is_said()
}

/// Whether what is asked for beyond a quota is objects, or room of claims, of which a template always tells.
fn counts_objects(message: &str) -> bool {
    let Some((_, rest)) = message.split_once("requested: ") else { return false };
    let asked = rest.split_once(", used: ").map_or(rest, |(asked, _)| asked);
    let is_counted = |name: &str| {
        name.starts_with("count/") || ["pods", "persistentvolumeclaims"].contains(&name) || name.contains("storage")
    };
    asked.split(',').all(|part| is_counted(part.split('=').next().unwrap_or_default()))
}

/// The pods that a namespace has, if one of the workload's own that uses up the quota is on its end: there is room once it is gone.
fn room_comes(objects: &[Object], owner: &Object, message: &str) -> Option<i32> {
    let workload = |object: &Object| {
        let metadata = object.metadata();
        metadata.controller_of().map_or_else(|| Rc::clone(&metadata.uid), |owner| Rc::clone(&owner.uid))
    };
    let own = workload(owner);
    let is_own = |pod: &Pod| {
        let set = objects
            .iter()
            .find(|object| pod.metadata.controller_of().is_some_and(|it| it.uid == object.metadata().uid));
        set.is_some_and(|set| workload(set) == own)
    };
    let ends = |pod: &&Rc<Pod>| {
        pod.metadata.deletion_timestamp.is_some_and(|end| end >= START)
            && pod.metadata.finalizers.is_empty()
            && is_ready(objects, &pod.spec.node_name)
    };
    let namespace = &owner.metadata().namespace;
    let here = || pods(objects).filter(|pod| pod.metadata.namespace == *namespace && !pod.has_ended());
    let comes = message.contains("exceeded quota: ") && here().filter(ends).any(|pod| is_own(pod));
    comes.then(|| i32::try_from(here().count()).unwrap_or(i32::MAX))
}

/// What a refusal says that is about what the template asks for: another one may be taken.
const OF_TEMPLATE: [&str; 9] = [
    "PodSecurity",
    "SecurityContextConstraints",
    "PodSecurityPolicy",
    "LimitRange",
    "ServiceAccount",
    "PriorityClass",
    "RuntimeClass",
    "ValidatingAdmissionPolicy",
    "Webhook",
];

/// Whether another template may be taken.
fn is_of_template(message: &str) -> bool {
    match cleared_by(message) {
        ClearedBy::AnotherRevision => true,
        ClearedBy::Named { kind, .. } if &*kind == "Webhook" => message.contains("denied the request"),
        ClearedBy::Named { kind, .. } => OF_TEMPLATE.contains(&&*kind) || message.contains("must specify"),
        _ => false,
    }
}

/// The older revision at which a set makes the pod that a refusal names: its partition keeps that ordinal from the newest one.
fn kept_old(owner: &Object, message: &str) -> Option<Rc<str>> {
    let number = |path: &str| owner.value_at(path).as_i64();
    let (pod, _) = message.split_once("Pod \"").or_else(|| message.split_once("pods \""))?.1.split_once('"')?;
    let (set, ordinal) = parent_and_ordinal(pod)?;
    let partition = number("spec.updateStrategy.rollingUpdate.partition").filter(|_| owner.kind().has_ordinals())?;
    let index = i64::from(ordinal) - number("spec.ordinals.start").unwrap_or(0);
    let revision = owner.value_at("status.currentRevision");
    (*set == *owner.metadata().name && index < partition).then(|| revision.as_str().map(Rc::from))?
}

/// What was refused: pods of the newest revision that there was then, if the owner has others and the refusal is about the template;
/// else all. A Deployment has a ReplicaSet for each.
fn subject(objects: &[Object], owner: &Object, refused: &Event, message: &str) -> Subject {
    let is_own = |revision: &&Rc<ControllerRevision>| {
        revision.metadata.controller_of().is_some_and(|own| own.uid == owner.metadata().uid)
    };
    let revisions = objects.iter().filter_map(|object| match object {
        Object::Revision(revision) => Some(revision),
        _ => None,
    });
    let own: Vec<_> = revisions.filter(is_own).collect();
    // Times are in whole seconds.
    let was_there = |revision: &&&Rc<ControllerRevision>| {
        revision.metadata.creation_timestamp.is_none_or(|made| made.0 <= refused.last.0 + 1_000)
    };
    let newest = own.iter().filter(was_there).max_by_key(|revision| revision.revision);
    let kept = kept_old(owner, message).and_then(|name| own.iter().find(|revision| revision.metadata.name == name));
    let newest = kept.or(newest);
    let (key, is_one_of_many) = (owner.reference(), own.len() > 1);
    match newest.filter(|_| is_one_of_many && is_of_template(message)) {
        Some(newest) => {
            let name = match key.kind {
                Kind::DaemonSet => newest.metadata.labels.get(REVISION_LABEL).unwrap_or(&newest.metadata.name),
                _ => &newest.metadata.name,
            };
            Subject::Revision { owner: key, revision: Rc::clone(name), node: None }
        }
        None => Subject::Creation(key),
    }
}

/// Where pods and revisions of a DaemonSet have its hash.
const REVISION_LABEL: &str = "controller-revision-hash";

/// Holds the creation of pods by each owner whose last one was refused.
pub(super) fn creations(objects: &[Object], events: &[Event], policies: &[Value], assumed: &mut Assumed<'_>) {
    let mut quota = None;
    for object in objects.iter().filter(|object| object.is_workload()) {
        let key = object.reference();
        let by_condition = told_by_condition(objects, object);
        let refusal = last_refusal(events, &key).or(by_condition.as_ref());
        let refusal = refusal.filter(|event| is_short(objects, object, event));
        let Some(event) = refusal else { continue };
        let message = said(&event.message);
        if passes(event) || came_since(events, &key, event) || is_simulated(object, message, policies) {
            continue;
        }
        // The run refuses it for the same reason.
        if is_taken(objects, object, &event.message) {
            continue;
        }
        let counted = counted_pods(objects, &key.namespace, message);
        if let Some(pods) = counted.or_else(|| room_comes(objects, object, message)) {
            quota = Some(pods);
            continue;
        }
        let text = text!("The API server takes no pod of {}: the last event about a creation says so.", key.name);
        let subject = subject(objects, object, event, message);
        let hold = Hold { subject, what: What::Refused { message: message.into() } };
        let held = Held {
            event: Some(event.clone()),
            reason: Rc::clone(&event.reason),
            message: message.into(),
            since: Some(event.last),
            count: event.count,
            ..Held::new(hold, cleared_by(message))
        };
        assumed.hold(held, text);
    }
    if let Some(pods) = quota {
        super::assume::quota(pods, assumed);
    }
}

/// Holds the creation of pods in namespaces that are being deleted: what is in them is to go, also what runs.
pub(super) fn in_namespaces(objects: &[Object], kept: &[Kept], assumed: &mut Assumed<'_>) {
    let going = kept.iter().filter(|one| one.kind == "Namespace" && one.is_deleted);
    for name in going.map(|one| &one.name) {
        let own = objects.iter().filter(|object| object.is_workload() && *object.metadata().namespace == **name);
        for key in own.map(Object::reference).collect::<Vec<_>>() {
            if assumed.holds.iter().any(|held| *held.object() == key) {
                continue;
            }
            // In the words of pkg/.../plugin/namespace/lifecycle of the API server.
            let message = format!(
                "pods is forbidden: unable to create new content in namespace {name} because it is being terminated"
            );
            let cleared_by = cleared_by(&message);
            let message: Rc<str> = message.into();
            let what = What::Refused { message: Rc::clone(&message) };
            let hold = Hold { subject: Subject::Creation(key), what };
            let text = text!("Namespace {} is being deleted: no pod is made in it.", name);
            assumed.hold(Held { message, ..Held::new(hold, cleared_by) }, text);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use crate::kubectl::Command;
    use crate::objects::{Kind, ObjectRef};
    use crate::session::Session;
    use crate::sim::{Hold, Subject, What};

    #[test]
    fn no_pod_is_made_until_it_is_lifted_and_each_is_refused_by_its_own_name() {
        let manifest = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"}, "spec": {"replicas": 1,
            "serviceName": "web", "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}}}"#;
        let mut session = Session::start(manifest, 1).unwrap();
        let owner = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() };
        let message = "pods \"web-7\" is forbidden: violates PodSecurity \"restricted\"".into();
        let hold = Hold { subject: Subject::Creation(owner.clone()), what: What::Refused { message } };
        session.command(Command::Hold { hold }).unwrap();
        session.advance(60_000);
        assert_eq!(session.cluster().pods().count(), 0);
        let events = &session.cluster().trace().api_events;
        let is_told = |message: &str| events.iter().any(|event| event.message.contains(message));
        assert!(is_told("pods \"web-0\" is forbidden: violates PodSecurity \"restricted\""));
        session.command(Command::Lift { object: owner }).unwrap();
        session.advance(60_000);
        assert_eq!(session.cluster().pods().count(), 1);
    }
}
