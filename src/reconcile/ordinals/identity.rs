//! What makes a pod the pod of its ordinal: its name, its labels, its claims.
//! Models stateful_set_utils.go.

use super::{SetView, Steps};
use crate::objects::{ClaimSource, Labels, PersistentVolumeClaim, Pod, PodTemplateSpec, Volume, shared};
use crate::reconcile::Gates;
use crate::reconcile::in_place::{is_at_rest, is_quiet};
use crate::reconcile::pods::{
    POD_INDEX_LABEL, POD_NAME_LABEL, REVISION_LABEL, has_volumes_of_ordinal, is_named_as_ordinal, is_running_and_ready,
    names_claim, parent_and_ordinal, pod_of_template, ready_since,
};
use crate::reconcile::sync_cache::{CachedPod, PodOwner};
use std::rc::Rc;

/// The labels that a new pod gets beside those of its template.
const NEW_LABELS: usize = 3;

/// `data-web-3`.
fn claim_name(template: &PersistentVolumeClaim, set: &SetView<'_>, ordinal: i32) -> Rc<str> {
    format!("{}-{}-{ordinal}", template.metadata.name, set.metadata.name).into()
}

/// The ordinal in the pod's name; −1 if it has none.
pub(in crate::reconcile) fn ordinal_of(pod: &Pod) -> i32 {
    parent_and_ordinal(&pod.metadata.name).map_or(-1, |(_, ordinal)| ordinal)
}

/// Whether name, namespace and pod-name label are those of the ordinal.
pub(in crate::reconcile) fn identity_matches(set: &SetView<'_>, pod: &Pod) -> bool {
    let Some((parent, ordinal)) = parent_and_ordinal(&pod.metadata.name) else { return false };
    parent == &*set.metadata.name && is_named_as_ordinal(set.metadata, pod, ordinal)
}

/// Whether each claim template has a volume that names the ordinal's claim.
pub(in crate::reconcile) fn storage_matches(set: &SetView<'_>, pod: &Pod) -> bool {
    let ordinal = ordinal_of(pod);
    ordinal >= 0 && has_volumes_of_ordinal(set.metadata, set.claim_templates, pod, ordinal)
}

/// The name of the claim that the pod of this ordinal has for a template: where a volume gives it, without building it.
pub(in crate::reconcile) fn claim_name_at(
    template: &PersistentVolumeClaim,
    set: &SetView<'_>,
    pod: &Pod,
    ordinal: i32,
) -> Rc<str> {
    let sources = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    let mut names = sources.map(|source| &source.claim_name);
    let given = names.find(|name| names_claim(name, template, set.metadata, ordinal));
    given.map_or_else(|| claim_name(template, set, ordinal), Rc::clone)
}

/// Gives the pod its name, namespace, pod-name label and, where the release has one, its pod-index label.
pub(in crate::reconcile) fn update_identity(gates: &Gates, set: &SetView<'_>, pod: &mut Pod) {
    set_identity(gates, set, pod, ordinal_of(pod));
}

fn set_identity(gates: &Gates, set: &SetView<'_>, pod: &mut Pod, ordinal: i32) {
    let ordinal = ordinal.to_string();
    let name: Rc<str> = [&*set.metadata.name, "-", &ordinal].concat().into();
    pod.metadata.name = Rc::clone(&name);
    pod.metadata.namespace = set.metadata.namespace.clone();
    pod.metadata.labels.insert(shared(POD_NAME_LABEL), name);
    if gates.pod_index_label {
        pod.metadata.labels.insert(shared(POD_INDEX_LABEL), ordinal);
    }
}

/// Puts a volume for each claim template before the pod's other volumes.
pub(in crate::reconcile) fn update_storage(set: &SetView<'_>, pod: &mut Pod) {
    let templates = set.claim_templates;
    if templates.is_empty() {
        return;
    }
    let ordinal = ordinal_of(pod);
    let mut volumes: Vec<Volume> = templates
        .iter()
        .map(|template| Volume {
            name: template.metadata.name.clone(),
            persistent_volume_claim: Some(ClaimSource {
                claim_name: claim_name(template, set, ordinal),
                read_only: false,
            }),
            ..Volume::default()
        })
        .collect();
    let own = pod.spec.volumes.iter();
    volumes.extend(own.filter(|own| !templates.iter().any(|it| it.metadata.name == own.name)).cloned());
    if volumes != pod.spec.volumes {
        Rc::make_mut(&mut pod.spec).volumes = volumes;
    }
}

/// The claims of the pod's ordinal, in the order of the templates.
pub(in crate::reconcile) fn get_persistent_volume_claims(
    gates: &Gates,
    set: &SetView<'_>,
    pod: &Pod,
) -> Vec<PersistentVolumeClaim> {
    let ordinal = ordinal_of(pod);
    let claim = |template: &PersistentVolumeClaim| {
        let mut claim = template.clone();
        claim.metadata.name = claim_name(template, set, ordinal);
        claim.metadata.namespace = set.metadata.namespace.clone();
        if !gates.keeps_claim_labels {
            claim.metadata.labels = Labels::default();
        }
        for (key, value) in set.selector.match_labels.iter() {
            claim.metadata.labels.insert(Rc::clone(key), Rc::clone(value));
        }
        claim
    };
    set.claim_templates.iter().map(claim).collect()
}

impl SetView<'_> {
    /// What a sync asks of a pod again and again.
    pub(in crate::reconcile) fn read(&self, pod: &Rc<Pod>) -> CachedPod {
        let (set, metadata) = (self.metadata, &pod.metadata);
        let owner = match metadata.controller_of() {
            None => PodOwner::Nobody,
            Some(owner) if owner.uid == set.uid => PodOwner::Set,
            Some(_) => PodOwner::Other,
        };
        let (parent, ordinal) = parent_and_ordinal(&metadata.name).unwrap_or(("", -1));
        let is_member = *parent == *set.name && self.selector.matches(&metadata.labels);
        CachedPod {
            pod: Rc::clone(pod),
            owner,
            is_member,
            ordinal,
            phase: pod.status.phase,
            is_ready: is_running_and_ready(pod),
            ready_since: ready_since(pod),
            is_terminating: pod.is_terminating(),
            identity_matches: is_member && is_named_as_ordinal(set, pod, ordinal),
            storage_matches: ordinal >= 0 && has_volumes_of_ordinal(set, self.claim_templates, pod, ordinal),
            is_at_rest: is_at_rest(pod),
            is_quiet: is_quiet(pod),
            revision: metadata.labels.get(REVISION_LABEL).map_or_else(|| "".into(), Rc::clone),
        }
    }
}

impl Steps<'_> {
    /// A pod for the ordinal, as it would be sent to the API server.
    pub(in crate::reconcile) fn new_stateful_set_pod(
        &self,
        template: &PodTemplateSpec,
        revision: &Rc<str>,
        ordinal: i32,
    ) -> Pod {
        let set = &self.set;
        let make = || (vec![self.controller_reference()].into(), format!("{}-", set.metadata.name).into());
        let (owners, prefix) = self.new_pods_share.get_or_init(make).clone();
        let mut pod = pod_of_template(template, &set.metadata.namespace, prefix, owners);
        pod.metadata.labels.reserve(NEW_LABELS);
        set_identity(self.gates, set, &mut pod, ordinal);
        let spec = Rc::make_mut(&mut pod.spec);
        spec.hostname = pod.metadata.name.clone();
        spec.subdomain = set.service_name.clone();
        update_storage(set, &mut pod);
        pod.metadata.labels.insert(shared(REVISION_LABEL), Rc::clone(revision));
        pod
    }
}
