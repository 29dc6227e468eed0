//! Claims that were asked to grow, or to have another class of attributes, and do not.

use super::lasted::{Lasting, Refuted};
use super::pods::pods;
use crate::objects::{Object, PersistentVolumeClaim, Time};
use crate::session::dump::ClearedBy;
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// A resizer, and a kubelet whose driver grows a file system that is in use, are done within this, in milliseconds.
const PATIENCE_MS: i64 = 600_000;

/// Conditions of a claim that grows or is modified, and what is waited for.
const GROWS: [(&str, ClearedBy); 6] = [
    ("FileSystemResizePending", ClearedBy::RestartOfPod),
    ("ControllerResizeError", ClearedBy::Resizer),
    ("NodeResizeError", ClearedBy::RestartOfPod),
    ("Resizing", ClearedBy::Resizer),
    ("ModifyVolumeError", ClearedBy::Resizer),
    ("ModifyingVolume", ClearedBy::Resizer),
];

/// The claim of the workload's pods that has been growing for longest, and for too long.
pub(super) fn being_resized(cluster: &Cluster, object: &Object, after: i64) -> Option<Refuted> {
    let refuted = |claim: &Rc<PersistentVolumeClaim>| {
        let (by, since) = grows(claim)?;
        // Where nothing tells since when, it is not taken to have begun just now.
        let lasted_ms = since.map_or(PATIENCE_MS + 1, |since| cluster.now().0.saturating_sub(since.0));
        let (subject, state) = (Object::Claim(Rc::clone(claim)).reference(), Lasting::Resizing(by));
        (lasted_ms > PATIENCE_MS).then_some(Refuted { subject, state, lasted_ms, would_end_in_ms: after })
    };
    let claims = pods(cluster, object).into_iter().flat_map(|pod| cluster.claims_of(pod));
    claims.filter_map(refuted).max_by_key(|refuted| refuted.lasted_ms)
}

/// What the claim waits for, by its conditions, and since when.
fn grows(claim: &PersistentVolumeClaim) -> Option<(ClearedBy, Option<Time>)> {
    let conditions = claim.status.extra.get("conditions").and_then(Value::as_array);
    let conditions = conditions.map_or(&[][..], Vec::as_slice);
    let told = GROWS.iter().find_map(|(name, by)| {
        let is_true = |condition: &&Value| {
            let word = |field: &str| condition.get(field).and_then(Value::as_str);
            word("type") == Some(name) && word("status") == Some("True")
        };
        let condition = conditions.iter().find(is_true)?;
        let since = condition.get("lastTransitionTime").and_then(Value::as_str).and_then(Time::parse);
        Some((by.clone(), since))
    });
    told.or_else(|| claim.modification().map(|_| (ClearedBy::Resizer, None)))
}

/// The annotation with the node that the scheduler has chosen for a claim's volume.
pub(crate) const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";

/// The node for which a volume is to be made, once the scheduler has chosen one.
pub(crate) fn selected_node(claim: &PersistentVolumeClaim) -> Option<&Rc<str>> {
    claim.metadata.annotations.get(SELECTED_NODE)
}
