//! What a condition looks at: one workload of a cluster, with all that belongs to it.

use crate::objects::{Node, Object, ObjectRef, PersistentVolumeClaim, Pod, Time};
use crate::session::Session;
use crate::session::dump::Event;
use crate::sim::Cluster;
use crate::view::Standing;
use serde_json::Value;
use std::rc::Rc;

/// One workload at one moment.
pub struct Case<'a> {
    /// The run, at the moment.
    pub session: &'a Session,
    /// The workload.
    pub object: &'a Object,
    /// Its pods: those it controls; a Deployment's are those of its ReplicaSets. By name.
    pub pods: Vec<&'a Rc<Pod>>,
    /// Where its controller stands.
    pub standing: &'a Standing,
    /// Events of the real cluster, oldest first.
    pub events: &'a [Event],
}

/// A field of an object that a finding rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The object.
    pub object: ObjectRef,
    /// Such as `status.phase`.
    pub path: String,
    /// The field's value; null if it is absent.
    pub value: Value,
}

impl<'a> Case<'a> {
    pub(super) fn new(session: &'a Session, object: &'a Object, standing: &'a Standing, events: &'a [Event]) -> Self {
        let pods = pods(session.cluster(), object);
        Self { session, object, pods, standing, events }
    }

    /// The cluster.
    pub fn cluster(&self) -> &'a Cluster {
        self.session.cluster()
    }

    /// The present.
    pub fn now(&self) -> Time {
        self.cluster().now()
    }

    /// The pod at which the controller stands.
    pub fn blocker(&self) -> Option<&'a Rc<Pod>> {
        let name = self.standing.pod.as_ref()?;
        self.pods.iter().copied().find(|pod| pod.metadata.name == *name)
    }

    /// The Node object of a pod.
    pub fn node_of(&self, pod: &Pod) -> Option<&'a Rc<Node>> {
        self.cluster().nodes().find(|node| node.metadata.name == pod.spec.node_name)
    }

    /// The claims of a pod that are there.
    pub fn claims_of(&self, pod: &Pod) -> Vec<&'a Rc<PersistentVolumeClaim>> {
        let names = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
        let names: Vec<&Rc<str>> = names.map(|claim| &claim.claim_name).collect();
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            claim.metadata.namespace == pod.metadata.namespace && names.contains(&&claim.metadata.name)
        };
        self.cluster().claims().filter(is_own).collect()
    }
}

/// The pods that a workload controls, itself or by its ReplicaSets.
pub(super) fn pods<'a>(cluster: &'a Cluster, object: &Object) -> Vec<&'a Rc<Pod>> {
    let mut owners = vec![Rc::clone(&object.metadata().uid)];
    owners.extend(cluster.replica_sets_of(object).iter().map(|set| Rc::clone(&set.metadata.uid)));
    let is_own = |pod: &&Rc<Pod>| pod.metadata.controller_of().is_some_and(|owner| owners.contains(&owner.uid));
    cluster.pods().filter(is_own).collect()
}

/// Whether the pod's Ready condition is True.
pub(super) fn is_ready(pod: &Pod) -> bool {
    pod.condition("Ready").is_some_and(|ready| &*ready.status == "True")
}

/// Whether the pod is being deleted.
pub(super) fn is_terminating(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_some()
}

/// Evidence from an object's own fields.
pub(super) fn evidence(object: &Object, path: &str) -> Evidence {
    let mut value = object.to_value();
    for step in path.split('.') {
        value = match (&value, step.split_once('[')) {
            (_, Some((name, index))) => {
                let index: usize = index.trim_end_matches(']').parse().unwrap_or(usize::MAX);
                value[name][index].clone()
            }
            (_, None) => value[step].clone(),
        };
    }
    Evidence { object: object.reference(), path: path.to_owned(), value }
}

/// Evidence from a condition of a pod's status, such as `Ready`.
pub(super) fn condition_of(pod: &Rc<Pod>, condition_type: &str) -> Evidence {
    let at = pod.status.conditions.iter().position(|condition| &*condition.condition_type == condition_type);
    let path = at.map_or("status.conditions".to_owned(), |at| format!("status.conditions[{at}].status"));
    evidence(&Object::Pod(Rc::clone(pod)), &path)
}
