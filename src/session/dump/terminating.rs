//! Pods that were to end and do not: past their grace on a node that answers, for a finalizer, or within a long grace.

use super::assume::Assumed;
use super::held::{AfterDelete, ClearedBy, Evidence, Held};
use super::node::{is_ready, pods};
use crate::objects::{ContainerState, Object, Pod, Time};
use crate::sim::{Hold, START, Subject, What};
use crate::text::{named_node, span};
use std::rc::Rc;

/// A kubelet that is not hindered confirms the end of a pod within this after the grace, in milliseconds.
const CONFIRMS_WITHIN_MS: i64 = 30_000;

/// The end of a pod's grace, if it is over for longer than a kubelet takes.
fn overdue(pod: &Pod) -> Option<Time> {
    pod.metadata.deletion_timestamp.filter(|end| START.0 - end.0 > CONFIRMS_WITHIN_MS)
}

/// A program that ends when it is asked to does so within this, in milliseconds: what a run without a text takes, and the second that
/// a text's times leave out.
const ENDS_WITHIN_MS: i64 = 3_000;

/// Whether a container of the pod runs, by its status.
fn runs(pod: &Pod) -> bool {
    let mut all = pod.status.container_statuses.iter().chain(&pod.status.init_container_statuses);
    all.any(|status| matches!(status.state, ContainerState::Running { .. }))
}

/// Whoever gives a pod a longer grace than it has by default, in seconds, has a program that does not end at once.
const DEFAULT_GRACE: i64 = 30;

/// Pods on a Ready node that have been asked to end for longer than a program takes which does so at once, or than a kubelet takes
/// where none runs, and those that run and have a grace of their own; and whose grace is not over: they are taken to need all of it.
pub(super) fn within_grace(objects: &[Object], assumed: &mut Assumed<'_>) {
    for pod in pods(objects).filter(|pod| is_ready(objects, &pod.spec.node_name)) {
        let Some(end) = pod.metadata.deletion_timestamp.filter(|end| *end > START) else { continue };
        let grace = pod.metadata.deletion_grace_period_seconds.unwrap_or(0);
        let asked = end.plus_seconds(grace.saturating_neg());
        let soon_ms = if runs(pod) { ENDS_WITHIN_MS } else { CONFIRMS_WITHIN_MS };
        // A text may leave out the statuses of its containers.
        let may_run = runs(pod) || pod.status.container_statuses.is_empty();
        let has_own_grace = may_run && grace > DEFAULT_GRACE;
        if START.0 - asked.0 <= soon_ms && !has_own_grace {
            continue;
        }
        let object = Object::Pod(Rc::clone(pod));
        let paths = ["metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds"];
        let hold = Hold { subject: Subject::Pod(object.reference()), what: What::TakesGrace };
        let held = Held {
            since: Some(asked),
            evidence: paths.iter().map(|path| Evidence::of(&object, path)).collect(),
            after_delete: AfterDelete::StaysHeld,
            ..Held::new(
                hold,
                ClearedBy::GraceOrForce { node: Rc::clone(&pod.spec.node_name), left_ms: end.0 - START.0 },
            )
        };
        let text = if has_own_grace {
            let grace = span(grace.saturating_mul(1_000));
            text!(
                "{} takes all of its grace to end, {}, which is longer than the one by default.",
                pod.metadata.name,
                grace
            )
        } else {
            text!("{} takes all of its grace to end: it has not ended so far.", pod.metadata.name)
        };
        assumed.hold(held, text);
    }
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
            assumed.hold(of(what, ClearedBy::Finalizer(Rc::clone(finalizer)), "metadata.finalizers"), text);
        }
        if pod.metadata.finalizers.is_empty() {
            let node = &pod.spec.node_name;
            let text = text!(
                "{} does not end: its grace is over, and {}, which is Ready, has not confirmed its end.",
                name,
                named_node(node)
            );
            assumed.hold(of(What::DoesNotEnd, ClearedBy::NodeOrForce(Rc::clone(node)), "spec.nodeName"), text);
        }
    }
}
