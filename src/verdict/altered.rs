//! Pods that are not what their template says, as admission changed them when they were made: a container was put in, requests were
//! raised. Whatever makes the next pod, and of whatever template, it is changed in the same way.

use super::ordered::Ordered;
use super::pods::pods;
use crate::objects::{Container, Extra, Kind, Object, ObjectRef, Pod, PodTemplateSpec};
use crate::session::dump::Held;
use crate::sim::{Cluster, What};
use serde_json::Value;
use std::rc::Rc;

/// The pods of a workload that what admission changed keeps from being Ready.
pub(crate) fn altered<'c>(cluster: &'c Cluster, object: &Object, holds: &[Held]) -> Vec<&'c Rc<Pod>> {
    let is_altered = |pod: &&Rc<Pod>| {
        let template = made_from(cluster, pod);
        template.is_some_and(|template| {
            fails_in_added(pod, template, holds)
                || is_killed_by_other_limit(cluster, pod, holds)
                || asks_otherwise(pod, template)
        })
    };
    pods(cluster, object).into_iter().filter(is_altered).collect()
}

/// The template that the pod was made from, where it is known.
pub(crate) fn made_from<'c>(cluster: &'c Cluster, pod: &Pod) -> Option<&'c PodTemplateSpec> {
    let owner = pod.metadata.controller_of()?;
    let kind = Kind::named(&owner.api_version, &owner.kind)?;
    let key = ObjectRef { kind, namespace: Rc::clone(&pod.metadata.namespace), name: Rc::clone(&owner.name) };
    let object = cluster.get(&key).ok().filter(|object| object.metadata().uid == owner.uid)?;
    let is_old = match Ordered::of(object) {
        Some(set) => set.is_old(pod),
        None => cluster.controlled_by(&owner.uid, Kind::ControllerRevision).count() > 1,
    };
    object.template().filter(|_| !is_old)
}

/// Whether a container that fails is none of the template's.
fn fails_in_added(pod: &Rc<Pod>, template: &PodTemplateSpec, holds: &[Held]) -> bool {
    let own = Object::Pod(Rc::clone(pod)).reference();
    holds
        .iter()
        .filter(|held| *held.object() == own)
        .any(|held| matches!(&held.hold.what, What::Container { name, .. } if !template.spec.has_container(name)))
}

/// The reason of a container that was killed for its memory.
const KILLED: &str = "OOMKilled";

/// Whether a container is killed for a limit of memory that its template does not give it.
fn is_killed_by_other_limit(cluster: &Cluster, pod: &Rc<Pod>, holds: &[Held]) -> bool {
    let own = Object::Pod(Rc::clone(pod)).reference();
    holds.iter().filter(|held| *held.object() == own).any(|held| other_limit(cluster, pod, held).is_some())
}

/// The limit of memory of a container that is killed for it, and the one that its template gives it, where they differ.
pub(crate) fn other_limit(cluster: &Cluster, pod: &Pod, held: &Held) -> Option<[Rc<str>; 2]> {
    let What::Container { name, .. } = &held.hold.what else { return None };
    let limit = |containers: &[Container]| {
        let container = containers.iter().find(|container| container.name == *name)?;
        container.resources.get("limits")?.get("memory")?.as_str().map(Rc::<str>::from)
    };
    let is_killed = held.ended.as_ref().is_some_and(|ended| &*ended.reason == KILLED);
    let template = made_from(cluster, pod).filter(|_| is_killed)?;
    let [own, wanted] = [limit(&pod.spec.containers)?, limit(&template.spec.containers)?];
    (own != wanted).then_some([own, wanted])
}

/// Whether a pod that finds no node asks for another amount of something than its template, for a device or for a container's share that
/// its template does not name, for other nodes, or for room for its runtime, as webhooks, a RuntimeClass and the settings of a namespace
/// add to it. What else the template leaves out of amounts a LimitRange fills in.
fn asks_otherwise(pod: &Pod, template: &PodTemplateSpec) -> bool {
    let has_overhead = |extra: &Extra| extra.contains_key("overhead");
    let adds_overhead = has_overhead(&pod.spec.extra) && !has_overhead(&template.spec.extra);
    let adds_nodes = pod.spec.node_selector != template.spec.node_selector;
    let has_changed = pod.spec.containers.iter().any(|own| {
        let container = template.spec.containers.iter().find(|container| container.name == own.name);
        amounts(own, "requests").any(|(name, amount)| match container {
            Some(container) => is_unlike(container, name, amount),
            None => true,
        })
    });
    pod.spec.node_name.is_empty() && (has_changed || adds_overhead || adds_nodes)
}

/// Whether a container of a template asks for another amount of this, or for no device of this name, which no LimitRange fills in. Who names
/// a limit alone asks for as much.
fn is_unlike(container: &Container, name: &str, amount: &Value) -> bool {
    let wanted = |of: &str| container.resources.get(of)?.get(name);
    match wanted("requests") {
        Some(wanted) => wanted != amount,
        None => name.contains('/') && wanted("limits").is_none(),
    }
}

fn amounts<'c>(container: &'c Container, of: &str) -> impl Iterator<Item = (&'c String, &'c Value)> {
    container.resources.get(of).and_then(Value::as_object).into_iter().flatten()
}
