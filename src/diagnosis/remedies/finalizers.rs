//! Taking off the finalizers that hold a pod or a claim which is being deleted.

use super::Remedy;
use super::pods::key;
use crate::diagnosis::case::{Case, is_terminating};
use crate::diagnosis::ordered::Ordered;
use crate::kubectl::Command;
use crate::kubectl::manifest::PatchType;
use crate::objects::{Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod};
use crate::sim::CLAIM_IN_USE;
use crate::text::Text;
use std::rc::Rc;

/// A merge patch that leaves these finalizers.
fn patch(object: ObjectRef, left: &[&Rc<str>]) -> Command {
    let left = if left.is_empty() { serde_json::Value::Null } else { serde_json::json!(left) };
    let patch = serde_json::json!({ "metadata": { "finalizers": left } });
    Command::Patch { set: object, patch: patch.to_string().into(), how: PatchType::Merge }
}

/// What can go wrong without what the finalizers were there for.
fn risk(finalizers: &[&str]) -> Text {
    text!("Whoever set it has not done its work, and what it was to clean up stays: {}.", finalizers.join(", "))
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let held = |metadata: &ObjectMeta| metadata.finalizers.iter().any(|finalizer| **finalizer != *CLAIM_IN_USE);
    let pods = case.pods.iter().filter(|pod| is_terminating(pod) && held(&pod.metadata));
    let is_held = |claim: &&Rc<PersistentVolumeClaim>| {
        claim.metadata.deletion_timestamp.is_some() && held(&claim.metadata) && is_own(case, claim)
    };
    pods.flat_map(|pod| of_pod(case, pod)).chain(case.cluster().claims().filter(is_held).map(of_claim)).collect()
}

fn of_pod(case: &Case<'_>, pod: &Rc<Pod>) -> Vec<Remedy> {
    let name = &pod.metadata.name;
    let finalizers: Vec<&str> = pod.metadata.finalizers.iter().map(|finalizer| &**finalizer).collect();
    let remove = || patch(key(pod), &[]);
    let title = text!("Remove the finalizers of {}", name);
    let mut all = vec![Remedy::new("remove-finalizers", title, vec![remove()]).with_risk(risk(&finalizers))];
    if case.node_of(pod).is_none_or(|node| !node.is_ready()) {
        // Neither the kubelet nor the owner of the finalizers confirms anything.
        let force = Command::DeletePod { pod: key(pod), grace: Some(0) };
        let title = text!("Force delete {} and remove its finalizers", name);
        let copies = text!("Two copies may run at once, and both may write to one volume.");
        let remedy = Remedy::new("force-delete-and-remove-finalizers", title, vec![force, remove()]);
        all.push(remedy.with_risk(Text::sentences([copies, risk(&finalizers)])).assuming(text!(
            "{} no longer runs on {}: the machine is off, or fenced.",
            name,
            pod.spec.node_name
        )));
    }
    all
}

/// The one that the API server takes off itself stays: it keeps the claim only while a pod uses it.
fn of_claim(claim: &Rc<PersistentVolumeClaim>) -> Remedy {
    let (left, removed): (Vec<&Rc<str>>, Vec<&Rc<str>>) =
        claim.metadata.finalizers.iter().partition(|finalizer| ***finalizer == *CLAIM_IN_USE);
    let removed: Vec<&str> = removed.into_iter().map(|finalizer| &**finalizer).collect();
    let command = patch(Object::Claim(Rc::clone(claim)).reference(), &left);
    let title = text!("Remove the finalizers of claim {}", claim.metadata.name);
    Remedy::new("remove-finalizers", title, vec![command]).with_risk(risk(&removed))
}

/// Whether the claim is one of the workload's pods, also of one that is not there.
fn is_own(case: &Case<'_>, claim: &Rc<PersistentVolumeClaim>) -> bool {
    let name = &*claim.metadata.name;
    let is_of_ordinal = |set: Ordered<'_>| {
        set.claim_templates.iter().any(|template| {
            let rest = name.strip_prefix(&*template.metadata.name).and_then(|rest| rest.strip_prefix('-'));
            let rest = rest.and_then(|rest| rest.strip_prefix(&*set.metadata.name)?.strip_prefix('-'));
            rest.is_some_and(|ordinal| ordinal.parse::<u32>().is_ok())
        })
    };
    claim.metadata.namespace == case.object.metadata().namespace && case.ordered().is_some_and(is_of_ordinal)
        || case.pods.iter().any(|pod| case.claims_of(pod).into_iter().any(|own| Rc::ptr_eq(own, claim)))
}
