//! `kubectl describe`: a file for each kind, and what all of them have in common.
//! Models describe.go of k8s.io/kubectl, and its general describer for kinds it does not know.

mod budget;
mod claim;
mod container;
mod daemon_set;
mod deployment;
mod general;
mod node;
mod pod;
mod replica_set;
mod service;
mod stateful_set;
mod volumes;

use super::Verb;
use super::get::{Resource, budgets_of};
use crate::kubectl::age::{age, event_age};
use crate::kubectl::text::{or_none, pairs, tabbed};
use crate::kubectl::whole::whole;
use crate::kubectl::{Args, Error, Line, Show};
use crate::objects::{
    ApiError, DisruptionBudget, LAST_APPLIED, Labels, Object, ObjectMeta, ObjectRef, Pod, PodPhase, Service, Time,
};
use crate::sim::{Cluster, EventRecord, TAINT_CONTROLLER};
pub(super) use pod::template;
use std::rc::Rc;

pub(in crate::kubectl) const VERB: Verb = Verb {
    name: "describe",
    usage: "[TYPE|svc|pdb] NAME",
    kinds: |_| true,
    flags: &["-n", "--namespace"],
    also: &["--show-events"],
    parse,
};

/// What is described.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// An object of a kind.
    Object(ObjectRef),
    /// The Service of this namespace and name.
    Service(Rc<str>, Rc<str>),
    /// The PodDisruptionBudget of this namespace and name.
    Budget(Rc<str>, Rc<str>),
}

impl Described {
    fn of(resource: Resource, name: &str, args: &Args) -> Self {
        match resource {
            Resource::Of(kind) => Self::Object(args.object(kind, name)),
            Resource::Budgets => Self::Budget(args.namespace(), name.into()),
            _ => Self::Service(args.namespace(), name.into()),
        }
    }

    /// All that there are of a resource in the namespace that is meant, by name.
    fn all(resource: Resource, args: &Args, cluster: &Cluster) -> Vec<Self> {
        let namespace = args.namespace();
        let mut names: Vec<Rc<str>> = match resource {
            Resource::Of(kind) => {
                let namespace = args.object(kind, "").namespace;
                let is_here = |object: &&Object| object.metadata().namespace == namespace;
                cluster.objects(kind).filter(is_here).map(|object| Rc::clone(&object.metadata().name)).collect()
            }
            Resource::Budgets => {
                let is_here = |budget: &DisruptionBudget| budget.metadata.namespace == namespace;
                budgets_of(cluster).into_iter().filter(is_here).map(|budget| budget.metadata.name).collect()
            }
            _ => {
                let is_here = |service: &&Rc<Service>| service.metadata.namespace == namespace;
                cluster.services().filter(is_here).map(|service| Rc::clone(&service.metadata.name)).collect()
            }
        };
        names.sort();
        names.iter().map(|name| Self::of(resource, name, args)).collect()
    }

    fn name(&self) -> &str {
        match self {
            Self::Object(key) => &key.name,
            Self::Service(_, name) | Self::Budget(_, name) => name,
        }
    }

    /// Its description.
    ///
    /// # Errors
    /// It is not there.
    fn print(&self, cluster: &Cluster, shows_events: bool) -> Result<String, Error> {
        let is_meant = |metadata: &ObjectMeta, namespace: &Rc<str>, name: &Rc<str>| {
            (&metadata.namespace, &metadata.name) == (namespace, name)
        };
        let mut text = match self {
            Self::Object(key) => return Ok(describe(cluster, key, cluster.get(key)?, shows_events)),
            Self::Service(namespace, name) => {
                let found = cluster.services().find(|service| is_meant(&service.metadata, namespace, name));
                service::describe(cluster, found.ok_or_else(|| ApiError::not_found("services", name))?)
            }
            Self::Budget(namespace, name) => {
                let all = budgets_of(cluster);
                let found = all.iter().find(|budget| is_meant(&budget.metadata, namespace, name));
                let resource = "poddisruptionbudgets.policy";
                budget::describe(cluster, found.ok_or_else(|| ApiError::not_found(resource, name))?)
            }
        };
        // Nothing simulated emits events about these.
        text.push_str(&if shows_events { row("Events", "<none>") } else { String::new() });
        Ok(tabbed(&text))
    }
}

impl From<ObjectRef> for Described {
    fn from(key: ObjectRef) -> Self {
        Self::Object(key)
    }
}

/// The resource that is described under this word.
fn resource(word: &str) -> Result<Resource, Error> {
    match Resource::named(word) {
        Ok(found @ (Resource::Services | Resource::Budgets)) => Ok(found),
        _ => Args::kind(word).map(Resource::Of),
    }
}

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let (keys, is_exact) = described(args, cluster)?;
    let shows_events = is_exact && keys.len() < 2 || !cluster.release().kubectl().describes_several_without_events;
    Ok(Line::Show(Show::Describe { keys, shows_events }))
}

/// What is named, all of a resource, or what has a name that begins so; whether it is not the last.
fn described(args: &Args, cluster: &Cluster) -> Result<(Vec<Described>, bool), Error> {
    let [first, others @ ..] = &args.operands[..] else {
        return Err(Error::Plain(
            "You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.\n".to_owned(),
        ));
    };
    if first.contains('/') || others.len() > 1 {
        let named = args.named_in(&args.operands, resource)?;
        let keys: Vec<Described> = named.into_iter().map(|(of, name)| Described::of(of, name, args)).collect();
        for key in &keys {
            key.print(cluster, false)?;
        }
        return Ok((keys, true));
    }
    let resource = resource(first)?;
    let begin = others.first().map_or("", |name| name);
    let named = Described::of(resource, begin, args);
    let found = named.print(cluster, false);
    if found.is_ok() {
        return Ok((vec![named], true));
    }
    let mut keys = Described::all(resource, args, cluster);
    keys.retain(|key| key.name().starts_with(begin));
    match found {
        Err(refusal) if keys.is_empty() && !begin.is_empty() => Err(refusal),
        _ if keys.is_empty() => Err(Error::Plain(format!("No resources found in {} namespace.", args.namespace()))),
        _ => Ok((keys, begin.is_empty())),
    }
}

/// The descriptions of these, one after another.
///
/// # Errors
/// One of them is gone.
pub(in crate::kubectl) fn print(cluster: &Cluster, keys: &[Described], shows_events: bool) -> Result<String, Error> {
    let descriptions = keys.iter().map(|key| key.print(cluster, shows_events));
    Ok(descriptions.collect::<Result<Vec<_>, Error>>()?.join("\n\n"))
}

/// The description of an object.
fn describe(cluster: &Cluster, key: &ObjectRef, object: &Object, shows_events: bool) -> String {
    let text = match object {
        Object::Pod(pod) => pod::describe(cluster, &whole(cluster, pod)),
        Object::Node(node) => node::describe(cluster, node),
        Object::Claim(claim) => claim::describe(cluster, claim),
        Object::StatefulSet(set) => stateful_set::describe(cluster, set),
        Object::Deployment(set) => deployment::describe(cluster, object, set),
        Object::DaemonSet(set) => daemon_set::describe(cluster, set),
        Object::ReplicaSet(set) => replica_set::describe(cluster, set),
        _ => general::describe(object),
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
    // The taint controller names no uid in a pod's events.
    let is_own =
        |event: &&Rc<EventRecord>| event.about == *key && event.last >= made && event.component != TAINT_CONTROLLER;
    let mut events: Vec<&Rc<EventRecord>> = cluster.trace().api_events.iter().filter(is_own).collect();
    events.sort_by_key(|event| event.last);
    if events.is_empty() {
        return row("Events", "<none>");
    }
    let mut text = "Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n".to_owned();
    for event in events {
        let now = cluster.now();
        // How often it happened to this object is not known where an earlier one shares the count.
        let age = if event.first < made { age(now.0 - event.last.0) } else { event_age(now, event) };
        let field = match cluster.release().kubectl().events_name_field && !event.field.is_empty() {
            true => [&event.field, ": "].concat(),
            false => String::new(),
        };
        let message = field + event.message.trim();
        let cells = [event.event_type.as_str(), &event.reason, &age, event.component, &message];
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

/// A longer annotation stands below its key, and no line of it is longer.
const MAX_ANNOTATION: usize = 140;

/// Annotations, without what kubectl keeps for itself.
fn annotations(title: &str, annotations: &Labels) -> String {
    let mut lines = Vec::new();
    for (key, value) in annotations.iter().filter(|(key, _)| &***key != LAST_APPLIED) {
        let value = value.strip_suffix('\n').unwrap_or(value);
        if key.len() + value.len() + 2 <= MAX_ANNOTATION && !value.contains('\n') {
            lines.push([key, ": ", value].concat());
            continue;
        }
        lines.push([key, ":"].concat());
        for line in value.split('\n') {
            let end = line.char_indices().nth(MAX_ANNOTATION - 2).map_or(line.len(), |(end, _)| end);
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
