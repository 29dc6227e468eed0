//! Claims that the text does not list: a listing of one label or namespace leaves some out, and a pod that has begun to run has each that
//! it names. The kubelet prepares none of its containers before (volumemanager, WaitForAttachAndMount), and a claim in use is protected.
//! So has one that has a node, where the text lists no claim of its namespace: the scheduler looks for claims before it looks at nodes.

use super::assume::{About, Assumed};
use super::node::pods;
use crate::objects::{
    ClaimSpec, ClaimStatus, Kind, Object, ObjectMeta, ObjectRef, PersistentVolumeClaim, Pod, PodPhase, Volume,
};
use crate::reconcile::clone_set::INSTANCE_LABEL;
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How the name of a volume ends that no line tells.
const NOT_TOLD: &str = "not-in-the-text";
/// Claims that are named.
const NAMED: usize = 3;

/// Whether the scheduler speaks of a claim of the pod: one that has no volume and is to have one before the pod has a node, one that is
/// not there, or one whose volume is not made (PreFilter and PreBind of pkg/scheduler/framework/plugins/volumebinding/volume_binding.go).
pub(crate) fn speaks_of_claims(message: &str) -> bool {
    speaks_of_unbound(message) || message.contains("persistentvolumeclaim") || message.contains("binding volumes: ")
}

/// Whether it speaks of one that has no volume.
pub(crate) fn speaks_of_unbound(message: &str) -> bool {
    message.contains("unbound immediate")
}

/// The claims that pods have and the text does not list, as they are taken to be.
pub(super) fn unlisted(objects: &[Object], assumed: &mut Assumed<'_>) -> Vec<Object> {
    let claims = objects.iter().filter(|object| object.kind() == Kind::PersistentVolumeClaim);
    let listed: BTreeSet<ObjectRef> = claims.map(Object::reference).collect();
    let is_silent = |pod: &Pod| listed.iter().all(|claim| claim.namespace != pod.metadata.namespace);
    let has_all = |pod: &&Rc<Pod>| {
        let is_coming = || pod.status.phase == PodPhase::Pending && is_silent(pod);
        !pod.spec.node_name.is_empty() && (pod.status.phase == PodPhase::Running || is_coming())
    };
    let used = pods(objects).filter(has_all).flat_map(|pod| pod.claim_names().map(move |name| (key(pod, name), pod)));
    let missing: BTreeMap<ObjectRef, &Rc<Pod>> = used.filter(|(key, _)| !listed.contains(key)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let names = Text::first(NAMED, missing.keys().map(|key| Text::verbatim(&*key.name)));
    let text =
        text!("Claims of pods that have a node are there and bound, though the text does not list them: {}.", names);
    assumed.note(About::Unsaid(Kind::PersistentVolumeClaim.as_str().into()), text, false);
    let sets = objects.iter().filter(|object| !object.claim_templates().is_empty());
    let sets: BTreeMap<&Rc<str>, &Object> = sets.map(|set| (&set.metadata().uid, set)).collect();
    missing.iter().map(|(key, pod)| Object::Claim(Rc::new(bound(key, made(&sets, key, pod))))).collect()
}

/// Whether a claim is only assumed to be there.
pub(crate) fn is_assumed(claim: &PersistentVolumeClaim) -> bool {
    claim.spec.volume_name.as_ref().is_some_and(|volume| volume.ends_with(NOT_TOLD))
}

fn key(pod: &Pod, name: &Rc<str>) -> ObjectRef {
    let namespace = Rc::clone(&pod.metadata.namespace);
    ObjectRef { kind: Kind::PersistentVolumeClaim, namespace, name: Rc::clone(name) }
}

/// As its controller makes it from its template, where it was made from one; of another claim nothing is known.
fn made(sets: &BTreeMap<&Rc<str>, &Object>, claim: &ObjectRef, pod: &Pod) -> PersistentVolumeClaim {
    let made = pod.metadata.controller_of().and_then(|owner| {
        let set = sets.get(&owner.uid)?;
        // The volume is named as the template.
        let is_its = |volume: &&Volume| {
            volume.persistent_volume_claim.as_ref().is_some_and(|source| source.claim_name == claim.name)
        };
        let volume = pod.spec.volumes.iter().find(is_its)?;
        let template = set.claim_templates().iter().find(|template| volume.name == template.metadata.name)?;
        let mut made = template.clone();
        let labels = &mut made.metadata.labels;
        let of_selector = set.selector().into_iter().flat_map(|selector| selector.match_labels.iter());
        of_selector.for_each(|(key, value)| labels.insert(Rc::clone(key), Rc::clone(value)));
        // Only this label tells its controller whose it is.
        if let (Object::CloneSet(_), Some(instance)) = (set, pod.metadata.labels.get(INSTANCE_LABEL)) {
            labels.insert(INSTANCE_LABEL, Rc::clone(instance));
            made.metadata.owner_references = vec![owner.clone()].into();
        }
        Some(made)
    });
    made.unwrap_or_default()
}

fn bound(key: &ObjectRef, made: PersistentVolumeClaim) -> PersistentVolumeClaim {
    let (name, namespace) = (Rc::clone(&key.name), Rc::clone(&key.namespace));
    let volume_name = Some(format!("{name}-{NOT_TOLD}").into());
    PersistentVolumeClaim {
        metadata: ObjectMeta { name, namespace, ..made.metadata },
        spec: ClaimSpec { volume_name, ..made.spec },
        status: ClaimStatus { phase: "Bound".into(), ..ClaimStatus::default() },
        ..PersistentVolumeClaim::default()
    }
}
