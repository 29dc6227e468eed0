//! Taking off the finalizers that hold a pod, a claim or the workload itself which is being deleted.

use super::Remedy;
use super::pods::key;
use crate::diagnosis::case::Case;
use crate::diagnosis::conditions::holds_of;
use crate::kubectl::Command;
use crate::kubectl::manifest::PatchType;
use crate::objects::{Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod};
use crate::session::dump::{ClearedBy, Held};
use crate::sim::{CLAIM_IN_USE, FOREGROUND, ORPHAN};
use crate::text::Text;
use crate::verdict::Ordered;
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

/// Those that the cluster takes off itself: of a claim once no pod uses it, of an owner once its dependents are gone or
/// belong to nobody.
const CLUSTERS_OWN: [&str; 3] = [CLAIM_IN_USE, FOREGROUND, ORPHAN];

fn is_clusters_own(finalizer: &str) -> bool {
    CLUSTERS_OWN.contains(&finalizer)
}

/// Whether it is being deleted and waits for somebody else.
fn waits(metadata: &ObjectMeta) -> bool {
    metadata.deletion_timestamp.is_some() && !metadata.finalizers.iter().all(|finalizer| is_clusters_own(finalizer))
}

/// Whether the text shows that it stays for a finalizer: also one of the cluster's own, which nobody has taken off for long.
fn is_told(case: &Case<'_>, pod: &Rc<Pod>) -> bool {
    let is_finalizer = |held: &Held| matches!(held.cleared_by, ClearedBy::Finalizer(_));
    holds_of(case, pod).any(is_finalizer)
}

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let is_held = |pod: &&&Rc<Pod>| waits(&pod.metadata) || is_told(case, pod);
    let pods = case.pods.iter().filter(is_held).flat_map(|pod| of_pod(case, pod));
    let claims = case.cluster().claims().filter(|claim| waits(&claim.metadata) && is_own(case, claim));
    let claims = claims.map(|claim| {
        let title = text!("Remove the finalizers of claim {}", claim.metadata.name);
        without_others(&Object::Claim(Rc::clone(claim)), title)
    });
    let workload = Some(case.object).filter(|object| waits(object.metadata()));
    let workload =
        workload.map(|object| without_others(object, text!("Remove the finalizers of {}", object.metadata().name)));
    pods.chain(claims).chain(workload).collect()
}

/// Leaves those that the cluster takes off itself.
fn without_others(object: &Object, title: Text) -> Remedy {
    let (left, removed): (Vec<&Rc<str>>, Vec<&Rc<str>>) =
        object.metadata().finalizers.iter().partition(|finalizer| is_clusters_own(finalizer));
    let removed: Vec<&str> = removed.into_iter().map(|finalizer| &**finalizer).collect();
    let command = patch(object.reference(), &left);
    Remedy::new("remove-finalizers", title, vec![command]).with_risk(risk(&removed))
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
