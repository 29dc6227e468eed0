//! `kubectl describe`: a file for each kind, and what all of them have in common.
//! Models describe.go of k8s.io/kubectl, and its general describer for kinds it does not know.

mod claim;
mod container;
mod daemon_set;
mod deployment;
mod general;
mod node;
mod pod;
mod replica_set;
mod stateful_set;
mod volumes;

use super::Verb;
use crate::kubectl::age::{age, event_age};
use crate::kubectl::text::{or_none, pairs, tabbed};
use crate::kubectl::{Args, Error, Line, Show};
use crate::objects::{Labels, Object, ObjectMeta, ObjectRef, Pod, PodPhase, Time};
use crate::order::Order;
use crate::sim::{Cluster, EventRecord};
pub(super) use pod::template;
use std::rc::Rc;

pub(in crate::kubectl) const VERB: Verb =
    Verb { name: "describe", usage: "[TYPE] NAME", kinds: |_| true, flags: &["-n", "--namespace"], parse };

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let (keys, is_exact) = described(args, cluster)?;
    let shows_events = is_exact && keys.len() < 2 || !cluster.release().kubectl().describes_several_without_events;
    Ok(Line::Show(Show::Describe { keys, shows_events }))
}

/// What is named, all of a kind, or what has a name that begins so; whether it is not the last.
fn described(args: &Args, cluster: &Cluster) -> Result<(Vec<ObjectRef>, bool), Error> {
    let [first, others @ ..] = &args.operands[..] else {
        return Err(Error::Plain(
            "You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.\n".to_owned(),
        ));
    };
    if first.contains('/') || others.len() > 1 {
        let keys = args.objects()?;
        for key in &keys {
            cluster.get(key)?;
        }
        return Ok((keys, true));
    }
    let kind = Args::kind(first)?;
    let begin = others.first().map_or("", |name| name);
    let named = args.object(kind, begin);
    let found = cluster.get(&named);
    if found.is_ok() {
        return Ok((vec![named], true));
    }
    let all = cluster.objects(kind).map(Object::reference);
    let mut keys: Vec<_> = all.filter(|key| key.namespace == named.namespace && key.name.starts_with(begin)).collect();
    keys.order();
    match found {
        Err(refusal) if keys.is_empty() && !begin.is_empty() => Err(refusal.into()),
        _ if keys.is_empty() => Err(Error::Plain(format!("No resources found in {} namespace.", args.namespace()))),
        _ => Ok((keys, begin.is_empty())),
    }
}

/// The descriptions of these objects, one after another.
///
/// # Errors
/// One of them is gone.
pub(in crate::kubectl) fn print(cluster: &Cluster, keys: &[ObjectRef], shows_events: bool) -> Result<String, Error> {
    let descriptions = keys.iter().map(|key| Ok(describe(cluster, key, cluster.get(key)?, shows_events)));
    Ok(descriptions.collect::<Result<Vec<_>, Error>>()?.join("\n\n"))
}

/// The description of an object.
fn describe(cluster: &Cluster, key: &ObjectRef, object: &Object, shows_events: bool) -> String {
    let text = match object {
        Object::Pod(pod) => pod::describe(cluster, pod),
        Object::Node(node) => node::describe(cluster, node),
        Object::Claim(claim) => claim::describe(cluster, claim),
        Object::StatefulSet(set) => stateful_set::describe(cluster, set),
        Object::Deployment(set) => deployment::describe(cluster, object, set),
        Object::DaemonSet(set) => daemon_set::describe(cluster, set),
        Object::ReplicaSet(set) => replica_set::describe(cluster, set),
        Object::CloneSet(_) | Object::AdvancedStatefulSet(_) | Object::Revision(_) => general::describe(object),
    };
    if !shows_events {
        return tabbed(&text);
    }
    // Kubelets name no uid in a node's events.
    let made = object.metadata().creation_timestamp.filter(|_| !matches!(object, Object::Node(_)));
    tabbed(&(text + &events(cluster, key, made.unwrap_or_default())))
}

/// The events about the object that was made then: an earlier one of its name had its own.
fn events(cluster: &Cluster, key: &ObjectRef, made: Time) -> String {
    let is_own = |event: &&Rc<EventRecord>| event.about == *key && event.last >= made;
    let mut events: Vec<&Rc<EventRecord>> = cluster.trace().events.iter().filter(is_own).collect();
    events.order_by_key(|event| event.last);
    if events.is_empty() {
        return row("Events", "<none>");
    }
    let mut text = "Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n".to_owned();
    for event in events {
        let now = cluster.now();
        // How often it happened to this object is not known where an earlier one shares the count.
        let age = if event.first < made { age(now.0 - event.last.0) } else { event_age(now, event) };
        let cells = [event.event_type.as_str(), &event.reason, &age, event.component, event.message.trim()];
        text.push_str(&["  ", &cells.join("\t"), "\n"].concat());
    }
    text
}

/// A title and its value, a tab between them.
fn row(title: &str, value: &str) -> String {
    [title, ":\t", value, "\n"].concat()
}

/// The first two lines of most descriptions.
fn name_and_space(metadata: &ObjectMeta) -> String {
    row("Name", &metadata.name) + &row("Namespace", &metadata.namespace)
}

/// When it was made.
fn made(metadata: &ObjectMeta) -> String {
    row("CreationTimestamp", &metadata.creation_timestamp.map(Time::rfc1123).unwrap_or_default())
}

/// Labels stand with `=`, annotations with a colon.
fn marks(metadata: &ObjectMeta) -> String {
    row("Labels", &pairs(&metadata.labels, "\n\t")) + &annotations("Annotations", &metadata.annotations)
}

/// Who controls it, if anybody does.
fn controlled_by(metadata: &ObjectMeta) -> String {
    let owner = metadata.controller_of();
    owner.map_or_else(String::new, |owner| row("Controlled By", &[&*owner.kind, "/", &owner.name].concat()))
}

/// What kubectl apply keeps in an annotation for itself.
pub(in crate::kubectl) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// A longer annotation stands below its key, and no line of it is longer.
const LONGEST: usize = 140;

/// Annotations, without what kubectl keeps for itself.
fn annotations(title: &str, annotations: &Labels) -> String {
    let mut lines = Vec::new();
    for (key, value) in annotations.iter().filter(|(key, _)| &***key != LAST_APPLIED) {
        let value = value.strip_suffix('\n').unwrap_or(value);
        if key.len() + value.len() + 2 <= LONGEST && !value.contains('\n') {
            lines.push([key, ": ", value].concat());
            continue;
        }
        lines.push([key, ":"].concat());
        for line in value.split('\n') {
            let end = line.char_indices().nth(LONGEST - 2).map_or(line.len(), |(end, _)| end);
            lines.push(["  ", &line[..end], if end < line.len() { "..." } else { "" }].concat());
        }
    }
    row(title, &or_none(&lines.join("\n\t")))
}

fn pods_status(cluster: &Cluster, owner: &ObjectMeta) -> String {
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|controller| controller.uid == owner.uid);
    let in_phase = |phase: PodPhase| cluster.pods().filter(is_own).filter(|pod| pod.status.phase == phase).count();
    format!(
        "Pods Status:\t{} Running / {} Waiting / {} Succeeded / {} Failed\n",
        in_phase(PodPhase::Running),
        in_phase(PodPhase::Pending),
        in_phase(PodPhase::Succeeded),
        in_phase(PodPhase::Failed)
    )
}
