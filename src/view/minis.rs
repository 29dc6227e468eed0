//! The pods of any set in a few words each, for stages that stand side by side.

use super::board::{is_of, pods, version, version_of, versions};
use super::status_word::{look, status_word};
use super::{PodAppearance, Revision, UpdateKind};
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::reconcile::parent_and_ordinal;
use crate::sim::Cluster;
use std::rc::Rc;

/// One pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Mini {
    /// Its uid: another one is another pod.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The part of its name that tells it from the others.
    pub instance: String,
    /// kubectl's STATUS.
    pub status: String,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node; empty before it has one.
    pub node: String,
    /// Its version.
    pub revision: Revision,
    /// How it came to run what it runs.
    pub came: UpdateKind,
}

/// The set's pods: by ordinal, by age, or by node. Empty if there is no such set.
pub fn minis(cluster: &Cluster, set: &ObjectRef) -> Vec<Mini> {
    let Some(object) = cluster.get(set).ok().filter(|object| object.is_workload()) else { return Vec::new() };
    let versions = versions(cluster, object);
    let held = match set.kind {
        Kind::StatefulSet => by_ordinal(cluster, object),
        _ => pods(cluster, object),
    };
    held.into_iter().map(|pod| mini(cluster, pod, &versions)).collect()
}

fn by_ordinal<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    let mut own: Vec<&Rc<Pod>> = cluster.pods().filter(|pod| is_of(pod.metadata.controller_of(), object)).collect();
    own.sort_by_key(|pod| parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal));
    own
}

fn mini(cluster: &Cluster, pod: &Pod, versions: &[Rc<str>]) -> Mini {
    let at = version_of(pod, versions);
    let name = &pod.metadata.name;
    Mini {
        key: pod.metadata.uid.to_string(),
        name: name.to_string(),
        instance: super::board::short(name).to_owned(),
        status: status_word(pod),
        look: look(cluster, pod),
        node: pod.spec.node_name.to_string(),
        revision: version(versions, at),
        came: super::card::came(pod, at),
    }
}
