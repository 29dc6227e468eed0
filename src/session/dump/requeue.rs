//! When controllers look at their workloads again for minReadySeconds. Each asked for that when a pod got Ready, before the text
//! was made: that it is opened does not make the wait start anew.

use super::node::pods;
use crate::kubectl::Command;
use crate::objects::{Controlled, Object, Time};
use crate::releases::Release;
use crate::sim::START;

/// The next look at each workload that has a Ready pod which is not available yet. A work queue keeps the earliest alone.
pub(super) fn planned(objects: &[Object], release: Release, commands: &mut Vec<Command>) {
    for object in objects {
        let seconds = min_ready_seconds(object, release);
        if seconds <= 0 {
            continue;
        }
        let uid = &object.metadata().uid;
        let own = pods(objects).filter(|pod| pod.metadata.controller_of().is_some_and(|owner| owner.uid == *uid));
        let since = own.filter(|pod| pod.is_ready()).filter_map(|pod| pod.condition("Ready")?.last_transition_time);
        // The text tells whole seconds, and some releases count a pod only once its last one has passed.
        let due = since.map(|since| since.plus_seconds(seconds.into()).0 + 1).filter(|due| Time(*due) > START).min();
        if let Some(due) = due {
            commands.push(Command::SyncAfter { object: object.reference(), milliseconds: due - START.0 });
        }
    }
}

/// `minReadySeconds`, of the kinds whose controller waits for it itself: a Deployment's ReplicaSets do so for it.
fn min_ready_seconds(object: &Object, release: Release) -> i32 {
    let is_read = !matches!(object, Object::StatefulSet(_)) || release.gates().min_ready_seconds;
    let waits = object.controlled().filter(|set| is_read && set.waits_until_available());
    waits.map_or(0, Controlled::min_ready_seconds)
}
