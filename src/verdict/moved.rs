//! When anything of a workload last moved, by the text's own times.

use super::pods::pods;
use crate::objects::{Kind, Object, ObjectRef, Pod, Time};
use crate::session::dump::{CAME, Event, SPEC_WRITTEN, STATUS_WRITTEN, newest_move};
use crate::sim::Cluster;
use std::rc::Rc;

/// Reasons of events that tell of something done, not of something that was tried again.
const DONE: [&str; 15] = [
    CAME,
    SPEC_WRITTEN,
    STATUS_WRITTEN,
    "SuccessfulCreate",
    "SuccessfulDelete",
    "SuccessfulUpdate",
    "RecreatingFailedPod",
    "ScalingReplicaSet",
    "DeploymentRollback",
    "Scheduled",
    "SuccessfulAttachVolume",
    "Pulled",
    "Created",
    "Started",
    "Killing",
];

/// The newest moment of a workload, of what belongs to it and of what its pods wait for, and the last event that tells of something
/// done. A pod that is Ready counts until it is available.
pub(super) fn last_moved(cluster: &Cluster, object: &Object, events: &[Event]) -> Option<Time> {
    let own = pods(cluster, object);
    let sets = cluster.replica_sets_of(object);
    let uid = &object.metadata().uid;
    let is_own = |object: &&Object| object.metadata().controller_of().is_some_and(|owner| owner.uid == *uid);
    let revisions = cluster.objects(Kind::ControllerRevision).filter(is_own);
    let is_claim = |claim: &&Object| {
        let metadata = claim.metadata();
        let has = |pod: &Rc<Pod>| {
            pod.metadata.namespace == metadata.namespace && pod.claim_names().any(|name| *name == metadata.name)
        };
        own.iter().any(|pod| has(pod))
    };
    let claims = cluster.objects(Kind::PersistentVolumeClaim).filter(is_claim);
    let mut newest =
        [object].into_iter().chain(revisions).chain(claims).filter_map(|one| newest_move(&one.to_value())).max();
    newest =
        newest.max(sets.iter().filter_map(|set| newest_move(&Object::ReplicaSet(Rc::clone(set)).to_value())).max());
    let min_ready = i64::from(object.min_ready_seconds());
    for pod in &own {
        let ready = pod.condition("Ready").filter(|_| pod.is_ready()).and_then(|ready| ready.last_transition_time);
        newest = newest.max(newest_move(&Object::Pod(Rc::clone(pod)).to_value()));
        newest = newest.max(ready.map(|ready| ready.plus_seconds(min_ready)));
    }
    for node in cluster.nodes() {
        let ready = node.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        newest = newest.max(ready.chain(node.metadata.creation_timestamp).max());
    }
    let mut names: Vec<ObjectRef> = vec![object.reference()];
    names.extend(sets.iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
    names.extend(own.iter().map(|pod| Object::Pod(Rc::clone(pod)).reference()));
    let is_of = |event: &&Event| {
        let mut names = names.iter();
        names.any(|one| one.name == event.name && *one.kind.as_str() == *event.kind && one.namespace == event.namespace)
    };
    let done = events.iter().filter(|event| DONE.contains(&&*event.reason)).filter(is_of).map(|event| event.last);
    newest.max(done.max())
}
