//! What the panel of one pod says beyond its card, worked out when it opens: of thousands of pods nobody asks.

use super::act::acts_of;
use super::build::meant;
use super::kinds::{is_active, workload};
use super::pod::gate;
use super::pod_history::{PodHistory, history};
use super::{Act, Claim};
use crate::objects::{Kind, Object, ObjectRef, Pod};
use crate::session::Session;
use crate::sim::Cluster;
use crate::trial::{NoNode, no_node_of};
use std::rc::Rc;

/// The readiness gates of OpenKruise: that of an update in place, and the one that a hook may close.
const GATES: [&str; 2] = ["InPlaceUpdateReady", "KruisePodReady"];

/// A pod of a workload of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct PodDetails {
    /// Its readiness gates, and whether each is open.
    pub gates: Vec<(&'static str, bool)>,
    /// The claims that it mounts.
    pub claims: Vec<Claim>,
    /// The annotations by which OpenKruise and the controllers speak about it, and their texts.
    pub annotations: Vec<(String, String)>,
    /// What becomes of it and what was decided about it, if it stands by ordinal.
    pub history: Option<PodHistory>,
    /// Why it has no node, and what would make it fit; nothing if it has one.
    pub without_node: Option<NoNode>,
    /// What can be done to it, with what its kind has for it.
    pub acts: Vec<Act>,
}

/// The details of a pod of this set, or of the one made last; none if there is no such pod.
pub fn pod_details(session: &Session, set: Option<&ObjectRef>, pod: &str) -> Option<PodDetails> {
    let cluster = session.cluster();
    let object = meant(cluster, set)?;
    let key = ObjectRef { kind: Kind::Pod, namespace: Rc::clone(&object.metadata().namespace), name: pod.into() };
    let Ok(Object::Pod(held)) = cluster.get(&key) else { return None };
    let text = |(key, text): (&Rc<str>, &Rc<str>)| (key.to_string(), text.to_string());
    Some(PodDetails {
        gates: GATES.iter().filter_map(|name| Some((*name, gate(held, name)?))).collect(),
        claims: claims(cluster, held),
        annotations: held.metadata.annotations.iter().map(text).collect(),
        history: history(session, set, pod),
        without_node: no_node_of(session, object, held),
        acts: acts(cluster, object, held),
    })
}

fn acts(cluster: &Cluster, object: &Object, pod: &Rc<Pod>) -> Vec<Act> {
    let of_kind = workload(object).filter(|_| is_active(pod));
    let (mut acts, own) = of_kind.map_or_else(Default::default, |workload| {
        (workload.hooks(pod).into_iter().map(|(_, act)| act).collect::<Vec<_>>(), workload.pod_acts(pod))
    });
    acts.extend(own.into_iter().chain(acts_of(cluster, pod)));
    acts
}

fn claims(cluster: &Cluster, pod: &Pod) -> Vec<Claim> {
    let named = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    let claim = |name: &Rc<str>| {
        let key = ObjectRef {
            kind: Kind::PersistentVolumeClaim,
            namespace: Rc::clone(&pod.metadata.namespace),
            name: Rc::clone(name),
        };
        let phase = match cluster.get(&key) {
            Ok(Object::Claim(claim)) => claim.status.phase.to_string(),
            _ => String::new(),
        };
        let attached = cluster.attachments().iter().find(|one| one.claim == key).map(|one| one.node.to_string());
        Claim { name: name.to_string(), phase, attached, shared: false }
    };
    named.map(|source| claim(&source.claim_name)).collect()
}
