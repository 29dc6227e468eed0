//! Creating pods with their claims, in batches that double.
//! Models createPods of pkg/controller/cloneset/sync/cloneset_scale.go and NewVersionedPods of
//! pkg/controller/cloneset/core of openkruise/kruise.

use super::Rule;
use super::Sync;
use super::pods::{INSTANCE_LABEL, instance_of};
use super::scale::{Done, Pods};
use crate::objects::slot;
use crate::objects::{
    ClaimSource, ControllerRevision, EventType, Json, Object, ObjectMeta, PersistentVolumeClaim, Pod, PodSpec, Volume,
    json_text, shared,
};
use crate::reconcile::Diffs;
use crate::reconcile::SyncError;
use crate::reconcile::in_place::{IN_PLACE_READY, STATE_LABEL, TIMESTAMP_ANNOTATION, has_gate, life};
use crate::reconcile::pods::pod_of_template;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Sync<'_> {
    /// Old pods take the first instances, new ones the rest. After a refusal its batch is finished and later ones are left.
    pub(super) fn create_pods(&mut self, pods: Pods<'_>, diffs: Diffs) -> Done {
        let wanted = usize::try_from(diffs.scale_up_limit).unwrap_or(0);
        let old = usize::try_from(diffs.scale_up_old).unwrap_or(0).min(wanted);
        let instances: Vec<Rc<str>> = self.instances(wanted, pods).into_iter().collect();
        let mut new_pods = Vec::new();
        for (index, instance) in instances.iter().enumerate() {
            let revision = if index < old { &pods.revisions.current } else { &pods.revisions.update };
            match self.new_pod(revision, instance) {
                Ok(pod) => new_pods.push(pod),
                Err(error) => return Done { changed: false, result: Err(error) },
            }
        }
        let mut done = Done::ok(false);
        let (mut new_pods, mut batch) = (new_pods.into_iter(), 1);
        while done.result.is_ok() && new_pods.len() > 0 {
            for pod in new_pods.by_ref().take(batch) {
                let created = self.create_pod(pod, pods.claims);
                done.changed |= created.is_ok();
                done.result = done.result.and(created);
            }
            batch *= 2;
        }
        done
    }

    /// Instances for new pods, in order: those of claims that no active pod uses, then new ones.
    fn instances(&mut self, wanted: usize, pods: Pods<'_>) -> BTreeSet<Rc<str>> {
        let claims = pods.claims.iter().map(|claim| &claim.metadata);
        let ids = |metadata: &ObjectMeta| -> Rc<str> { instance_of(&metadata.labels).into() };
        let mut free: BTreeSet<Rc<str>> = claims.map(ids).filter(|id| !id.is_empty()).collect();
        let used: BTreeSet<Rc<str>> = pods.all.iter().map(|seen| ids(&seen.pod.metadata)).collect();
        let known: BTreeSet<Rc<str>> = free.union(&used).cloned().collect();
        free.retain(|id| !used.contains(id));
        let mut chosen: BTreeSet<Rc<str>> = free.into_iter().take(wanted).collect();
        for _ in chosen.len()..wanted {
            let mut id = (self.new_instance)();
            while known.contains(&id) {
                id = (self.new_instance)();
            }
            // The same instance twice makes one pod fewer.
            chosen.insert(id);
        }
        chosen
    }

    fn new_pod(&self, revision: &ControllerRevision, instance: &Rc<str>) -> Result<Pod, SyncError> {
        let set = &self.set().metadata;
        let template = revision.data.template().map_err(|error| SyncError(error.to_string()))?;
        let prefix = shared(&format!("{}-", set.name));
        let mut pod = pod_of_template(&template, &set.namespace, prefix, vec![self.controller_reference()].into());
        pod.metadata.name = format!("{}-{instance}", set.name).into();
        let naming = self.labels();
        let labels = &mut pod.metadata.labels;
        labels.insert(INSTANCE_LABEL, Rc::clone(instance));
        labels.insert(STATE_LABEL, life::PREPARING_NORMAL);
        naming.write(labels, &revision.metadata.name);
        pod.metadata.annotations.insert(TIMESTAMP_ANNOTATION, self.observed.now.to_string());
        let is_gated = has_gate(&pod, IN_PLACE_READY);
        let spec = Rc::make_mut(&mut pod.spec);
        if !is_gated {
            add_gate(spec);
        }
        let claims = self.claims_of(instance);
        spec.volumes.retain(|volume| !claims.iter().any(|(template, _)| *template == volume.name));
        let own = claims.into_iter().map(|(template, claim)| Volume {
            name: template,
            persistent_volume_claim: Some(ClaimSource { claim_name: claim.metadata.name, read_only: false }),
            ..Volume::default()
        });
        spec.volumes.splice(0..0, own);
        Ok(pod)
    }

    /// An instance's claims, each with the name of its template, by that name.
    fn claims_of(&self, instance: &str) -> Vec<(Rc<str>, PersistentVolumeClaim)> {
        let set = self.set();
        let mut claims: Vec<(Rc<str>, PersistentVolumeClaim)> = Vec::new();
        for template in &set.spec.volume_claim_templates {
            let mut claim = template.clone();
            let metadata = &mut claim.metadata;
            metadata.name = format!("{}-{}-{instance}", template.metadata.name, set.metadata.name).into();
            metadata.namespace = set.metadata.namespace.clone();
            for (key, value) in set.spec.selector.match_labels.iter() {
                metadata.labels.insert(Rc::clone(key), Rc::clone(value));
            }
            metadata.labels.insert(INSTANCE_LABEL, instance);
            metadata.owner_references = vec![self.controller_reference()].into();
            claims.push((template.metadata.name.clone(), claim));
        }
        claims.sort_by(|a, b| a.0.cmp(&b.0));
        claims
    }

    /// Claims that are missing first, then the pod.
    fn create_pod(&mut self, pod: Pod, claims: &[&Rc<PersistentVolumeClaim>]) -> Result<(), SyncError> {
        let name = pod.metadata.name.clone();
        for (_, claim) in self.claims_of(instance_of(&pod.metadata.labels)) {
            if claims.iter().all(|existing| existing.metadata.name != claim.metadata.name) {
                self.create("pvc", Object::Claim(Rc::new(claim)), &pod)?;
            }
        }
        self.create("pod", Object::Pod(Rc::new(pod.clone())), &pod)?;
        self.record(EventType::Normal, "SuccessfulCreate", format!("succeed to create pod {name}"));
        self.decide_at(Rule::CloneCreated, &pod);
        Ok(())
    }

    fn create(&mut self, word: &str, object: Object, pod: &Pod) -> Result<(), SyncError> {
        let Err(refusal) = self.api.create(object.clone()) else { return Ok(()) };
        let message = format!("failed to create {word}: {refusal}, {word}: {}", dump(&object));
        self.record(EventType::Warning, "FailedCreate", message);
        self.decide_at(Rule::CloneCreateRefused, pod);
        Err(refusal.into())
    }
}

fn add_gate(spec: &mut PodSpec) {
    let gates = spec.extra.entry("readinessGates").or_insert_with(|| json!([]));
    if let Value::Array(gates) = gates {
        gates.push(json!({"conditionType": IN_PLACE_READY}));
    }
}

/// The object as JSON, as upstream shows it in an event.
fn dump(object: &Object) -> String {
    let mut value = match object {
        Object::Pod(pod) => pod.to_json(),
        Object::Claim(claim) => claim.to_json(),
        _ => Value::Null,
    };
    *slot(&mut value, "metadata.creationTimestamp") = Value::Null;
    json_text(&value)
}
