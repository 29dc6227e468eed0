//! Pods that were to end and do not: past their grace on a node that answers, or for a finalizer.

use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::node::{is_ready, pods};
use crate::objects::{Object, Pod, Time};
use crate::sim::{Hold, START, Subject, What};
use std::rc::Rc;

/// A kubelet that is not hindered confirms the end of a pod within this after the grace, in milliseconds.
const CONFIRMS_WITHIN_MS: i64 = 30_000;

/// The end of a pod's grace, if it is over for longer than a kubelet takes.
fn overdue(pod: &Pod) -> Option<Time> {
    pod.metadata.deletion_timestamp.filter(|end| START.0 - end.0 > CONFIRMS_WITHIN_MS)
}

/// Pods past their grace on a Ready node. Before its end nothing holds one.
pub(super) fn past_grace(objects: &[Object], assumed: &mut Assumed<'_>) {
    for pod in pods(objects).filter(|pod| is_ready(objects, &pod.spec.node_name)) {
        let Some(since) = overdue(pod) else { continue };
        let object = Object::Pod(Rc::clone(pod));
        let key = object.reference();
        let name = &pod.metadata.name;
        let of = |what, cleared_by, path: &str| Held {
            since: Some(since),
            evidence: vec![Evidence::of(&object, "metadata.deletionTimestamp"), Evidence::of(&object, path)],
            after_delete: AfterDelete::StaysHeld,
            ..Held::new(Hold { subject: Subject::Pod(key.clone()), what }, cleared_by)
        };
        for finalizer in &pod.metadata.finalizers {
            let what = What::Finalizer { name: Rc::clone(finalizer) };
            let text = text!("{} stays until finalizer {} is removed, by whoever set it.", name, finalizer);
            assumed.hold(of(what, ClearedBy::Owner(Rc::clone(finalizer)), "metadata.finalizers"), text);
        }
        if pod.metadata.finalizers.is_empty() {
            let node = &pod.spec.node_name;
            let text = text!(
                "{} does not end: its grace is over, and node {}, which is Ready, has not confirmed its end.",
                name,
                node
            );
            assumed.hold(of(What::DoesNotEnd, ClearedBy::NodeOrForce(Rc::clone(node)), "spec.nodeName"), text);
        }
    }
}
