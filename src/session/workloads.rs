//! What commands do to workloads of any kind: each is a patch of the object's JSON form, filled in and checked as the API
//! server and OpenKruise's webhooks do it.

use super::claims;
use super::kinds::{WorkloadKind, workload};
use super::unchangeable;
use crate::kubectl::Refusal;
use crate::kubectl::manifest;
use crate::kubectl::manifest::{Document, PatchType};
use crate::objects::FieldError;
use crate::objects::clone_set_v1alpha1::only_v1alpha1;
use crate::objects::defaults_workloads::newest_form;
use crate::objects::request;
use crate::objects::{
    ApiError, Container, Controlled, Json, Kind, LAST_APPLIED, Object, ObjectMeta, ObjectRef, OwnerReference,
    PersistentVolumeClaim, Pod, PodTemplateSpec, Reason, noted_as_applied,
};
use crate::objects::{field, slot};
use crate::reconcile::TEMPLATE_HASH_LABEL;
use crate::reconcile::deployment::revision_of_replica_set;
use crate::reconcile::template_patch;
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Creates the workload of a document, or changes the one that is there as `kubectl apply` does.
pub(super) fn apply(cluster: &mut Cluster, kind: Kind, document: &Document) -> Result<(), Refusal> {
    let server = cluster.server();
    let value = newest_form(&document.api_version, document.value.clone());
    let word = |name: &str| value["metadata"][name].as_str().unwrap_or_default().to_owned();
    let namespace = Some(word("namespace")).filter(|name| !name.is_empty()).unwrap_or_else(|| "default".to_owned());
    let key = ObjectRef { kind, namespace: namespace.as_str().into(), name: word("name").into() };
    let is_new = cluster.get(&key).is_err();
    match cluster.get(&key).ok().cloned() {
        None => {
            let value = request::create(kind, value, &server)?;
            store(cluster, kind, value, None)?;
        }
        Some(stored) => {
            let mut sent = match &document.patched {
                Some(patched) => patched.clone(),
                // A custom resource is merged plainly, and what its webhook filled in is filled in again.
                None if kind.is_custom_resource() => value,
                // A document before this one made it.
                None => request::apply_over(kind, &document.sent, None, &stored.to_json(), &server)
                    .map_err(|message| ApiError::new(Reason::InternalError, message))?,
            };
            *field(&mut sent, "kind") = kind.as_str().into();
            *field(&mut sent, "apiVersion") = kind.api_version().into();
            if kind.is_custom_resource() {
                *slot(&mut sent, "metadata.namespace") = namespace.into();
            }
            replace(cluster, &stored, &sent)?;
        }
    }
    // A new object that was printed elsewhere says what was applied there.
    let annotation = document.sent["metadata"]["annotations"][LAST_APPLIED].as_str();
    let noted = noted_as_applied(annotation.filter(|_| is_new));
    cluster.note_applied(key, noted.unwrap_or_else(|| document.sent.clone()));
    Ok(())
}

/// Replaces an object by what a patch has made of it.
fn replace(cluster: &mut Cluster, stored: &Object, sent: &Value) -> Result<(), Refusal> {
    let (kind, server) = (stored.kind(), cluster.server());
    let value = request::update(kind, sent, &stored.to_json(), &server)
        .map_err(|error| unchangeable::refused(error, stored, sent, &server))?;
    Ok(store(cluster, kind, value, Some(stored))?)
}

fn store(cluster: &mut Cluster, kind: Kind, value: Value, stored: Option<&Object>) -> Result<(), ApiError> {
    let errors = pods_to_delete(cluster, &value, stored);
    if !errors.is_empty() {
        let name = value["metadata"]["name"].as_str().unwrap_or_default();
        return Err(ApiError::invalid(kind.as_str(), name, errors));
    }
    let mut object = Object::workload(kind, value).map_err(|error| ApiError::bad_request(error.to_string()))?;
    let Some(stored) = stored else { return cluster.create(object) };
    *object.metadata_mut() = of_write(kind.as_str(), object.metadata(), stored.metadata())?;
    cluster.update(object)
}

/// What a write makes of an object's metadata: whose they are stays.
/// Models ValidateObjectMetaAccessorUpdate of apimachinery's pkg/api/validation/objectmeta.go.
///
/// # Errors
/// It names another object.
pub(super) fn of_write(kind: &str, sent: &ObjectMeta, held: &ObjectMeta) -> Result<ObjectMeta, ApiError> {
    let names = [
        ("name", &sent.name, &held.name),
        ("namespace", &sent.namespace, &held.namespace),
        ("uid", &sent.uid, &held.uid),
    ];
    let is_other = |(_, sent, held): &(&str, &Rc<str>, &Rc<str>)| !sent.is_empty() && sent != held;
    let immutable = |(field, sent, _): (&str, &Rc<str>, &Rc<str>)| {
        FieldError::invalid(&format!("metadata.{field}"), format!("{sent:?}"), "field is immutable")
    };
    let errors: Vec<FieldError> = names.into_iter().filter(is_other).map(immutable).collect();
    if !errors.is_empty() {
        return Err(ApiError::invalid(kind, &held.name, errors));
    }
    Ok(ObjectMeta {
        labels: sent.labels.clone(),
        annotations: sent.annotations.clone(),
        finalizers: sent.finalizers.clone(),
        owner_references: sent.owner_references.clone(),
        ..held.clone()
    })
}

/// What OpenKruise's webhook says against new names in `podsToDelete`.
/// Models validateScaleStrategy of pkg/webhook/cloneset/validating/validation.go of openkruise/kruise.
fn pods_to_delete(cluster: &Cluster, value: &Value, stored: Option<&Object>) -> Vec<FieldError> {
    let known: &[Rc<str>] = match stored {
        Some(Object::CloneSet(set)) => &set.spec.scale_strategy.pods_to_delete,
        _ => &[],
    };
    let listed = value["spec"]["scaleStrategy"]["podsToDelete"].as_array();
    let names: BTreeSet<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
    let namespace = value["metadata"]["namespace"].as_str().unwrap_or_default();
    let wrong = |name: &str| {
        let is_named = |pod: &&Rc<Pod>| *pod.metadata.name == *name && *pod.metadata.namespace == *namespace;
        let uid = stored.map(|set| &set.metadata().uid);
        match cluster.pods().find(is_named) {
            None => Some(format!("find pod {name} failed: Pod \"{name}\" not found")),
            Some(pod) if pod.is_terminating() => Some(format!("find pod {name} already terminating")),
            Some(pod) if pod.metadata.controller_of().map(|owner| &owner.uid) != uid => {
                Some(format!("find pod {name} owner is not this CloneSet"))
            }
            Some(_) => None,
        }
    };
    let new = names.into_iter().filter(|name| known.iter().all(|known| **known != **name));
    let path = "spec.scaleStrategy.podsToDelete";
    new.filter_map(|name| Some(FieldError::invalid(path, format!("\"{name}\""), &wrong(name)?))).collect()
}

/// A patch of the spec as a kind has it; none if the kind has nothing of the sort.
pub(super) type SpecPatch<'a> = &'a dyn Fn(&WorkloadKind) -> Option<Value>;

/// Sends the workload with a changed field of its spec. `field` is what is said to be missing in a kind without it.
pub(super) fn set_field(
    cluster: &mut Cluster,
    key: &ObjectRef,
    field: Text,
    change: SpecPatch<'_>,
) -> Result<(), Refusal> {
    let spec = spec_patch(cluster, key, field, change)?;
    patch(cluster, key, spec, how(key.kind))
}

/// Deletes the workload, leaves its pods, and creates it again with a changed field of its spec.
pub(super) fn recreate(
    cluster: &mut Cluster,
    key: &ObjectRef,
    field: Text,
    change: SpecPatch<'_>,
) -> Result<(), Refusal> {
    let spec = spec_patch(cluster, key, field, change)?;
    let mut value = written(cluster.get(key)?);
    manifest::patch(&mut value, spec, how(key.kind), &cluster.server())?;
    cluster.delete_orphaning(key)?;
    let value = request::create(key.kind, value, &cluster.server())?;
    Ok(store(cluster, key.kind, value, None)?)
}

/// The patch of a custom resource that kubectl sends, and that of an object whose fields it knows.
fn how(kind: Kind) -> PatchType {
    if kind.is_custom_resource() { PatchType::Merge } else { PatchType::Strategic }
}

fn spec_patch(cluster: &Cluster, key: &ObjectRef, field: Text, change: SpecPatch<'_>) -> Result<Value, Refusal> {
    cluster.get(key)?;
    let spec = workload(key.kind).and_then(change);
    spec.map(|spec| json!({"spec": spec})).ok_or_else(|| Refusal::own(text!("a {} has no {}", key.kind.title(), field)))
}

/// Sends a patch of the workload.
pub(super) fn patch(cluster: &mut Cluster, key: &ObjectRef, patch: Value, how: PatchType) -> Result<(), Refusal> {
    let stored = cluster.get(key)?.clone();
    let mut value = stored.to_json();
    // The server would drop it with a warning, and roll out what the field was to hold back.
    if let Some((field, own)) = only_v1alpha1(&patch).filter(|_| key.kind == Kind::CloneSet) {
        return Err(Refusal::own(text!("CloneSets are of v1beta1 here: for {} say {}", field.replace('/', "."), own)));
    }
    if workload(key.kind).is_some() {
        let is_converted = how == PatchType::Strategic && patch.is_object() && !key.kind.is_custom_resource();
        manifest::patch(&mut value, patch.clone(), how, &cluster.server())?;
        if is_converted {
            request::converted(key.kind, &value, &patch, &cluster.server())?;
        }
        return replace(cluster, &stored, &value);
    }
    let Object::Claim(stored) = &stored else {
        return Err(Refusal::own(text!("a {} cannot be patched", key.kind.singular())));
    };
    manifest::patch(&mut value, patch, how, &cluster.server())?;
    let mut claim =
        PersistentVolumeClaim::from_json(value).map_err(|error| ApiError::bad_request(error.to_string()))?;
    claim.metadata = of_write(key.kind.as_str(), &claim.metadata, &stored.metadata)?;
    Ok(claims::update(cluster, stored, claim)?)
}

/// What `kubectl rollout restart` sends.
pub(super) fn restart(cluster: &mut Cluster, key: &ObjectRef) -> Result<(), Refusal> {
    let annotations = json!({"kubectl.kubernetes.io/restartedAt": cluster.now().to_json()});
    let template = json!({"metadata": {"annotations": annotations}});
    patch(cluster, key, json!({"spec": {"template": template}}), how(key.kind))
}

/// What `kubectl set image` sends.
pub(super) fn set_image(
    cluster: &mut Cluster,
    key: &ObjectRef,
    container: &Rc<str>,
    image: &Rc<str>,
) -> Result<(), Refusal> {
    let spec = cluster.get(key)?.template().map(|template| &template.spec);
    let is_in = |list: &[Container]| list.iter().any(|own| own.name == *container);
    let list = match spec {
        Some(spec) if is_in(&spec.containers) => "containers",
        Some(spec) if is_in(&spec.init_containers) => "initContainers",
        _ => return Err(Refusal::of(format!("unable to find container named \"{container}\""))),
    };
    let containers = json!([{"name": container, "image": image}]);
    // A merge patch would replace the other containers.
    patch(cluster, key, json!({"spec": {"template": {"spec": {list: containers}}}}), PatchType::Strategic)
}

/// What `kubectl set resources` sends, of one container or of all.
pub(super) fn set_resources(
    cluster: &mut Cluster,
    key: &ObjectRef,
    container: Option<&Rc<str>>,
    resources: &Value,
) -> Result<(), Refusal> {
    let own = cluster.get(key)?.template().map_or(&[][..], |template| &template.spec.containers);
    let names = own.iter().map(|own| &own.name).filter(|name| container.is_none_or(|container| container == *name));
    let containers: Vec<Value> = names.map(|name| json!({"name": name, "resources": resources})).collect();
    if let Some(container) = container.filter(|_| containers.is_empty()) {
        return Err(Refusal::of(format!("unable to find container named {container}")));
    }
    patch(cluster, key, json!({"spec": {"template": {"spec": {"containers": containers}}}}), PatchType::Strategic)
}

/// What `kubectl set env` sends, of one container or of all, init containers too. A value takes the place of what a variable was
/// taken from. Models RunEnv, pkg/cmd/set/set_env.go.
pub(super) fn set_env(
    cluster: &mut Cluster,
    key: &ObjectRef,
    container: Option<&Rc<str>>,
    variables: &[(Rc<str>, Option<Rc<str>>)],
) -> Result<(), Refusal> {
    let stored = cluster.get(key)?.to_json();
    let variable = |own: &Value, (name, value): &(Rc<str>, Option<Rc<str>>)| match value {
        None => json!({"name": name, "$patch": "delete"}),
        Some(value) => {
            let mut set = json!({"name": name, "value": value});
            let is_taken_from = |env: &Value| env["name"] == **name && env.get("valueFrom").is_some();
            if own["env"].as_array().into_iter().flatten().any(is_taken_from) {
                *field(&mut set, "valueFrom") = Value::Null;
            }
            set
        }
    };
    let mut spec = json!({});
    for list in ["containers", "initContainers"] {
        let own = stored["spec"]["template"]["spec"][list].as_array().into_iter().flatten();
        let own = own.filter(|own| container.is_none_or(|container| own["name"] == **container));
        let changed: Vec<Value> = own
            .map(|own| {
                let env: Vec<Value> = variables.iter().map(|one| variable(own, one)).collect();
                json!({"name": own["name"], "env": env})
            })
            .collect();
        if !changed.is_empty() {
            *field(&mut spec, list) = changed.into();
        }
    }
    if let Some(container) = container.filter(|_| spec.as_object().is_some_and(|lists| lists.is_empty())) {
        let object = format!("{}/{}", key.kind.resource(), key.name);
        return Err(Refusal::of(format!("{object} does not have any containers matching {container:?}")));
    }
    patch(cluster, key, json!({"spec": {"template": {"spec": spec}}}), PatchType::Strategic)
}

/// What `kubectl rollout undo` sends: the whole template of the newest revision that is not the present one, or of a number.
pub(super) fn roll_back(cluster: &mut Cluster, key: &ObjectRef, to: i64) -> Result<(), Refusal> {
    let stored = cluster.get(key)?;
    let mut template = earlier_template(cluster, stored, to)?.to_json();
    // Models DeploymentRollbacker.Rollback, pkg/polymorphichelpers/rollback.go of k8s.io/kubectl.
    if key.kind == Kind::Deployment && stored.controlled().is_some_and(Controlled::is_paused) {
        let said =
            "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again";
        return Err(Refusal::of(said));
    }
    *field(&mut template, "$patch") = "replace".into();
    patch(cluster, key, json!({"spec": {"template": template}}), PatchType::Strategic)
}

/// The template that `kubectl rollout undo` goes back to.
fn earlier_template(cluster: &Cluster, stored: &Object, to: i64) -> Result<PodTemplateSpec, Refusal> {
    let metadata = stored.metadata();
    let is_own = |owner: Option<&OwnerReference>| owner.is_some_and(|owner| owner.uid == metadata.uid);
    let mut known: Vec<(i64, PodTemplateSpec)> = Vec::new();
    for set in cluster.replica_sets_of(stored) {
        let mut template = set.spec.template.clone();
        template.metadata.labels.remove(TEMPLATE_HASH_LABEL);
        known.push((revision_of_replica_set(set), template));
    }
    for revision in cluster.revisions().filter(|revision| is_own(revision.metadata.controller_of())) {
        if let Ok(template) = revision.data.template() {
            known.push((revision.revision, template));
        }
    }
    known.sort_by_key(|(number, _)| *number);
    let gates = cluster.controller_gates();
    let bytes = |template: &PodTemplateSpec| template_patch(&gates, template);
    let present = stored.template().map(bytes);
    let wanted = match to {
        0 => known.iter().rev().find(|(_, template)| Some(bytes(template)) != present),
        number => known.iter().find(|(own, _)| *own == number),
    };
    wanted.map(|(_, template)| template.clone()).ok_or_else(|| {
        Refusal::of(match (to, workload(stored.kind())) {
            (0, Some(kind)) => (kind.no_history)(&metadata.name),
            (number, _) => format!("unable to find specified revision {number} in history"),
        })
    })
}

/// The workload as YAML without what only the server fills in.
pub(super) fn manifest_of(object: &Object) -> Rc<str> {
    manifest::write(&written(object)).into()
}

/// The workload as a person would write it.
fn written(object: &Object) -> Value {
    let mut value = object.to_json();
    let metadata = object.metadata();
    let plain = ObjectMeta {
        name: metadata.name.clone(),
        namespace: metadata.namespace.clone(),
        labels: metadata.labels.clone(),
        annotations: metadata.annotations.clone(),
        ..ObjectMeta::default()
    };
    *field(&mut value, "metadata") = plain.to_json();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("status");
    }
    value
}
