//! When anything of a workload last moved, by the text's own times.

use super::pods::{pods, takes};
use crate::objects::{Kind, Object, ObjectRef, Time};
use crate::session::dump::{CAME, Event, SPEC_WRITTEN, STATUS_WRITTEN, newest_move};
use crate::sim::{Cluster, START};
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
    let (mut own, sets) = (pods(cluster, object), cluster.replica_sets_of(object));
    own.extend(cluster.pods().filter(|pod| takes(object, pod)));
    let revisions = cluster.controlled_by(&object.metadata().uid, Kind::ControllerRevision);
    let mut newest = [object].into_iter().chain(revisions).filter_map(|one| newest_move(&one.to_value())).max();
    let claims = own.iter().flat_map(|pod| cluster.claims_of(pod)).map(|claim| Object::Claim(Rc::clone(claim)));
    newest = newest.max(claims.filter_map(|claim| newest_move(&claim.to_value())).max());
    newest =
        newest.max(sets.iter().filter_map(|set| newest_move(&Object::ReplicaSet(Rc::clone(set)).to_value())).max());
    let min_ready = i64::from(object.min_ready_seconds());
    for pod in &own {
        let ready = pod.condition("Ready").filter(|_| pod.is_ready()).and_then(|ready| ready.last_transition_time);
        newest = newest.max(newest_move(&Object::Pod(Rc::clone(pod)).to_value()));
        newest = newest.max(ready.map(|ready| ready.plus_seconds(min_ready)));
    }
    // Those that are only assumed to be there were made as the text was opened.
    for node in cluster.nodes().filter(|node| node.metadata.creation_timestamp != Some(START)) {
        let ready = node.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        newest = newest.max(ready.chain(node.metadata.creation_timestamp).max());
    }
    let mut names: Vec<ObjectRef> = vec![object.reference()];
    names.extend(sets.iter().map(|set| Object::ReplicaSet(Rc::clone(set)).reference()));
    names.extend(own.iter().map(|pod| Object::Pod(Rc::clone(pod)).reference()));
    // One that is gone has the name of its owner before its own part.
    let parent = |event: &Event| Some(event.name.rsplit_once('-')?.0.to_owned()).filter(|_| &*event.kind == "Pod");
    let is_of = |event: &&Event| {
        let parent = parent(event);
        let mut names = names.iter().filter(|one| one.namespace == event.namespace);
        names.any(|one| {
            one.name == event.name && *one.kind.as_str() == *event.kind
                || one.kind != Kind::Pod && parent.as_deref() == Some(&*one.name)
        })
    };
    let done = events.iter().filter(|event| DONE.contains(&&*event.reason)).filter(is_of).map(|event| event.last);
    newest.max(done.max())
}
