//! What a command does to the cluster, after the checks that kubectl and the API server make.

use super::kinds::{self, Other};
use super::{claims, pods, workloads};
use crate::kubectl::manifest;
use crate::kubectl::manifest::Held;
use crate::kubectl::{Beside, Command, Error, Problem, Refusal, drained};
use crate::objects::slot;
use crate::objects::{
    ApiError, Autoscaler, ClaimSpec, ClaimStatus, DisruptionBudget, FieldError, Json, Kind, Labels, LimitRange,
    Mismatch, Object, ObjectMeta, ObjectRef, PersistentVolume, PersistentVolumeClaim, PodPhase, ResourceQuota, Service,
    StorageClass,
};
use crate::sim::{Admission, Cluster, PriorityClass};
use crate::text::Text;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Carries out a command.
///
/// # Errors
/// kubectl's or the API server's refusal. The caller throws the cluster away then.
pub(super) fn apply(cluster: &mut Cluster, command: &Command) -> Result<(), Refusal> {
    match command {
        Command::Apply { manifest } => apply_manifest(cluster, manifest)?,
        Command::Scale { set, replicas } => {
            let field = text!("replicas: it has a pod for each node");
            workloads::set_field(cluster, set, field, &|kind| Some(kind.replicas?(*replicas)))?;
        }
        Command::Recreate { set, policy } => {
            workloads::recreate(cluster, set, policy_field(), &|kind| Some(kind.order?(*policy)))?;
        }
        Command::Pause { set, paused } => {
            workloads::set_field(cluster, set, Text::verbatim("paused"), &|kind| Some(kind.paused?(*paused)))?;
        }
        Command::Restart { set } => workloads::restart(cluster, set)?,
        Command::SetImage { set, container, image } => workloads::set_image(cluster, set, container, image)?,
        Command::SetResources { set, container, limits, requests } => {
            let of = [("limits", limits), ("requests", requests)];
            let of = of.into_iter().filter(|(_, quantities)| !quantities.is_empty());
            let resources = Value::Object(of.map(|(name, quantities)| (name.to_owned(), json!(quantities))).collect());
            workloads::set_resources(cluster, set, container.as_ref(), &resources)?;
        }
        Command::Patch { set, patch, how } if set.kind == Kind::Pod => {
            pods::patch(cluster, set, manifest::read_patch(patch)?, *how)?;
        }
        Command::Patch { set, patch, how } => workloads::patch(cluster, set, manifest::read_patch(patch)?, *how)?,
        Command::RollBack { set, to } => workloads::roll_back(cluster, set, *to)?,
        Command::SetEnv { set, container, variables } => {
            workloads::set_env(cluster, set, container.as_ref(), variables)?;
        }
        Command::Label { object, labels } => change_metadata(cluster, object, labels, |metadata| &mut metadata.labels)?,
        Command::Annotate { object, annotations } => {
            change_metadata(cluster, object, annotations, |metadata| &mut metadata.annotations)?;
        }
        Command::PatchBeside { of, namespace, name, patch, how } => {
            let mut value = of.stored(cluster, namespace, name).ok_or_else(|| of.not_found(name))?;
            let metadata = |value: &Value| ObjectMeta::from_json(value.get("metadata").cloned().unwrap_or_default());
            let wrong = |error: Mismatch| ApiError::bad_request(error.to_string());
            let held = metadata(&value).map_err(wrong)?;
            manifest::patch(&mut value, manifest::read_patch(patch)?, *how, &cluster.server())?;
            let sent = metadata(&value).map_err(wrong)?;
            let kept = workloads::of_write(of.kind(), &sent, &held)?;
            *slot(&mut value, "metadata") = kept.to_json();
            // A budget that its workload was given becomes one of its own.
            if *of == Beside::Budget && !cluster.disruption_budgets().any(|applied| applied.metadata == held) {
                cluster.delete_disruption_budget(namespace, name);
            }
            keep(cluster, *of, value)?;
        }
        Command::DeleteBeside { of, namespace, name } => {
            let is_gone = match of {
                Beside::Budget => cluster.delete_disruption_budget(namespace, name),
                Beside::Autoscaler => cluster.delete_autoscaler(namespace, name),
                Beside::Quota => cluster.delete_resource_quota(namespace, name),
                Beside::Limits => cluster.delete_limit_range(namespace, name),
            };
            require(is_gone, || of.not_found(name).into())?;
        }
        Command::Autoscale { target, name, min, max } => {
            cluster.get(target)?;
            let reference =
                json!({"apiVersion": target.kind.api_version(), "kind": target.kind.as_str(), "name": target.name});
            let spec = json!({"scaleTargetRef": reference, "minReplicas": min, "maxReplicas": max});
            let metadata = json!({"name": name, "namespace": target.namespace});
            keep(cluster, Beside::Autoscaler, json!({"metadata": metadata, "spec": spec}))?;
        }
        Command::DeletePod { pod, grace } => cluster.delete(pod, *grace)?,
        Command::CrashPod { pod } => {
            cluster.get(pod)?;
            require(cluster.crash_pod(pod), || unreached(pod))?;
        }
        Command::SetReady { pod, ready } => {
            cluster.get(pod)?;
            require(cluster.set_ready(pod, *ready), || unreached(pod))?;
        }
        Command::Hold { hold } => cluster.hold(hold.clone())?,
        Command::Lift { object } => {
            cluster.get(object)?;
            let nothing = || Refusal::own(text!("nothing holds {} \"{}\"", object.kind.singular(), object.name));
            require(cluster.lift(object), nothing)?;
        }
        Command::EvictPod { pod } => finish(
            cluster,
            pod,
            PodPhase::Failed,
            text!("pod \"{}\" cannot be evicted: its kubelet does not answer or it is terminating", pod.name),
        )?,
        Command::CompletePod { pod } => finish(
            cluster,
            pod,
            PodPhase::Succeeded,
            text!("pod \"{}\" cannot complete: its kubelet does not answer or it is terminating", pod.name),
        )?,
        Command::DeleteClaim { claim } => cluster.delete(claim, None)?,
        Command::DeleteSet { set, cascade } => cluster.delete_set(set, *cascade)?,
        Command::SetPodQuota { pods } => {
            cluster.set_admission(Admission { pod_quota: *pods, ..cluster.admission() });
        }
        Command::SetWebhook { denies } => {
            cluster.set_admission(Admission { webhook_denies: *denies, ..cluster.admission() });
        }
        Command::SetFailures { object, times, milliseconds } => {
            cluster.get(object)?;
            cluster.set_failures(object, *times, *milliseconds);
        }
        Command::SyncAfter { object, milliseconds } => {
            cluster.get(object)?;
            cluster.sync_after(object, *milliseconds);
        }
        Command::SetBudget { set, budget } => {
            cluster.get(set)?;
            cluster.set_budget(set, *budget);
        }
        Command::SetBehavior { image, behavior } => cluster.set_behavior(Rc::clone(image), *behavior),
        Command::SetReadinessDelay { milliseconds } => cluster.set_readiness_delay(*milliseconds),
        Command::AddNode => cluster.add_node(),
        Command::RemoveNode { node } => on_node(cluster, node, |cluster| cluster.take_node_away(node))?,
        Command::Cordon { node } => on_node(cluster, node, |cluster| cluster.cordon(node, true))?,
        Command::Uncordon { node } => on_node(cluster, node, |cluster| cluster.cordon(node, false))?,
        Command::Drain { node, how } => {
            let timeout = how.timeout.map(|seconds| i64::from(seconds) * 1_000);
            let (pods, grace) = (drained(cluster, node, how), how.grace.map(i64::from));
            on_node(cluster, node, |cluster| cluster.drain(node, &pods, grace, timeout))?;
        }
        Command::FailNode { node, failure } => require(cluster.fail(node, *failure), || {
            Refusal::own(text!("machine \"{}\" is off or does not exist", node))
        })?,
        Command::RecoverNode { node } => {
            require(cluster.recover(node), || Refusal::own(text!("machine \"{}\" does not exist", node)))?;
        }
        Command::FailZone { zone, failure } => on_zone(cluster, zone, |cluster, node| {
            cluster.fail(node, *failure);
        })?,
        Command::RecoverZone { zone } => on_zone(cluster, zone, |cluster, node| {
            cluster.recover(node);
        })?,
        Command::TaintOutOfService { node, effect } => {
            require(matches!(&**effect, "NoExecute" | "NoSchedule"), || {
                Refusal::of(format!("invalid taint effect: {effect}"))
            })?;
            on_node(cluster, node, |cluster| cluster.set_out_of_service(node, Some(effect)))?;
        }
        Command::UntaintOutOfService { node } => {
            on_node(cluster, node, |cluster| cluster.set_out_of_service(node, None))?;
        }
        Command::Taint { node, key, value, effect } => {
            on_node(cluster, node, |cluster| cluster.taint(node, key, value, effect))?;
        }
        Command::Untaint { node, key, effect } => {
            let mut known = false;
            on_node(cluster, node, |cluster| known = cluster.untaint(node, key, effect))?;
            let colon = if effect.is_empty() { "" } else { ":" };
            require(known, || Refusal::of(format!("taint \"{key}{colon}{effect}\" not found")))?;
        }
    }
    Ok(())
}

fn policy_field() -> Text {
    Text::verbatim("podManagementPolicy")
}

fn unreached(pod: &ObjectRef) -> Refusal {
    Refusal::own(text!("pod \"{}\" has no running container that can be reached", pod.name))
}

/// Ends a pod in this phase, unless its kubelet cannot be reached.
fn finish(cluster: &mut Cluster, pod: &ObjectRef, phase: PodPhase, unreached: Text) -> Result<(), Refusal> {
    cluster.get(pod)?;
    require(cluster.finish_pod(pod, phase), || Refusal::own(unreached))
}

fn require(holds: bool, otherwise: impl FnOnce() -> Refusal) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn on_node(cluster: &mut Cluster, name: &Rc<str>, act: impl FnOnce(&mut Cluster)) -> Result<(), Refusal> {
    cluster.get(&ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(name) })?;
    act(cluster);
    Ok(())
}

fn on_zone(cluster: &mut Cluster, zone: &str, act: impl Fn(&mut Cluster, &Rc<str>)) -> Result<(), Refusal> {
    let machines = cluster.zone(zone);
    require(!machines.is_empty(), || Refusal::own(text!("no machine in zone \"{}\"", zone)))?;
    machines.iter().for_each(|node| act(cluster, node));
    Ok(())
}

/// Sets labels or annotations of an object; those without a value it takes off.
fn change_metadata(
    cluster: &mut Cluster,
    key: &ObjectRef,
    changes: &BTreeMap<Rc<str>, Option<Rc<str>>>,
    of: fn(&mut ObjectMeta) -> &mut Labels,
) -> Result<(), Refusal> {
    let mut object = cluster.get(key)?.clone();
    let own = of(object.metadata_mut());
    for (label, value) in changes {
        match value {
            Some(value) => own.insert(Rc::clone(label), Rc::clone(value)),
            None => own.remove(label),
        }
    }
    Ok(cluster.update(object)?)
}

/// Applies every workload of the text and what stands beside it, or nothing if something is wrong with one.
fn apply_manifest(cluster: &mut Cluster, text: &str) -> Result<(), Refusal> {
    let find = |kind: Kind, namespace: &str, name: &str| {
        let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
        let stored = cluster.get(&key).ok()?.to_json();
        Some(Held { stored, last_applied: cluster.last_applied(&key) })
    };
    let reading = manifest::read_over(text, &cluster.server(), &find);
    let mut problems = reading.problems;
    let (workloads, others): (Vec<_>, Vec<_>) =
        reading.documents.into_iter().partition(|document| simulated(document).is_some());
    let mut found = !workloads.is_empty();
    for document in &others {
        match apply_other(cluster, document) {
            Ok(applied) => found |= applied,
            Err(refusal) => problems.extend(placed(document, refusal)),
        }
    }
    if !found && problems.is_empty() {
        return Err(Refusal::own(nothing_simulated(&others)));
    }
    for document in workloads {
        let Some(kind) = simulated(&document) else { continue };
        if let Err(refusal) = workloads::apply(cluster, kind, &document) {
            problems.extend(placed(&document, refusal));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Refusal { problems }) }
}

/// Names of objects that are told of.
const NAMED: usize = 3;

/// Why nothing of a manifest can be applied: none of its kinds is simulated.
fn nothing_simulated(documents: &[manifest::Document]) -> Text {
    let mut names: Vec<String> = documents.iter().map(|own| format!("{} {}", own.kind, own.name)).collect();
    names.dedup();
    let names = Text::first(NAMED, names.into_iter().map(Text::verbatim));
    // Kinds of resource definitions have a domain in their group; so have Kubernetes' own newer ones.
    let is_custom = |own: &manifest::Document| {
        let group = own.api_version.split('/').next().unwrap_or_default();
        group.contains('.') && !group.ends_with(".k8s.io") || group.ends_with("x-k8s.io")
    };
    match documents.iter().any(is_custom) {
        true => text!(
            "nothing found that is simulated: {}. An operator makes workloads of it, which are not in this text: `kubectl get sts,deploy,ds,pods -o yaml` prints them.",
            names
        ),
        false => text!(
            "nothing found that is simulated: {}. The manifest needs a workload, such as a document with apiVersion apps/v1 and kind StatefulSet.",
            names
        ),
    }
}

/// Applies what is kept beside the workloads: Services, PodDisruptionBudgets, quotas, claims, volumes and their classes. False if it is
/// something else.
fn apply_other(cluster: &mut Cluster, document: &manifest::Document) -> Result<bool, Refusal> {
    let mut value = document.value.clone();
    if value["metadata"]["namespace"].as_str().is_none_or(str::is_empty) {
        *slot(&mut value, "metadata.namespace") = "default".into();
    }
    let wrong = |error: Mismatch| ApiError::bad_request(format!("{} \"{}\": {error}", document.kind, document.name));
    let metadata = &value["metadata"];
    let namespace = metadata["namespace"].as_str().unwrap_or_default();
    let printed = metadata["uid"].is_string().then(|| &metadata["labels"]);
    cluster.note_named(&document.kind, namespace, &document.name, printed);
    let Some(other) = Other::named(&document.api_version, &document.kind) else { return Ok(false) };
    match other {
        Other::Service => cluster.apply_service(Service::from_json(value).map_err(wrong)?),
        Other::Budget => keep(cluster, Beside::Budget, value)?,
        Other::Autoscaler => keep(cluster, Beside::Autoscaler, value)?,
        Other::Quota => keep(cluster, Beside::Quota, value)?,
        Other::Limits => keep(cluster, Beside::Limits, value)?,
        Other::Claim => apply_claim(cluster, value, document)?,
        Other::AttachLimits => {
            let drivers = value["spec"]["drivers"].as_array().into_iter().flatten();
            let limit = |driver: &Value| {
                let most = usize::try_from(driver["allocatable"]["count"].as_u64()?).ok()?;
                Some((driver["name"].as_str()?.into(), most))
            };
            cluster.apply_attach_limits(&document.name, drivers.filter_map(limit));
        }
        Other::Pod => return pods::apply(cluster, value, document),
        Other::PriorityClass => cluster.apply_priority_class(PriorityClass {
            name: document.name.as_str().into(),
            value: value["value"].as_i64().unwrap_or(0),
            is_default: value["globalDefault"].as_bool().unwrap_or(false),
            preempts: value["preemptionPolicy"] != "Never",
        }),
        Other::Named => {}
        Other::Volume => cluster.apply_volume(PersistentVolume::from_json(value).map_err(wrong)?),
        Other::StorageClass => cluster.apply_storage_class(&StorageClass::from_json(value).map_err(wrong)?),
    }
    Ok(true)
}

/// Keeps what is beside the workloads, in the place of one of its name.
fn keep(cluster: &mut Cluster, of: Beside, value: Value) -> Result<(), ApiError> {
    let name = value.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let wrong = |error: Mismatch| ApiError::bad_request(format!("{} \"{name}\": {error}", of.kind()));
    match of {
        Beside::Budget => {
            let budget = DisruptionBudget::from_json(value).map_err(wrong)?;
            budget.check()?;
            cluster.apply_disruption_budget(budget);
        }
        Beside::Autoscaler => {
            let autoscaler = Autoscaler::from_json(value).map_err(wrong)?;
            autoscaler.check()?;
            cluster.apply_autoscaler(autoscaler);
        }
        Beside::Quota => {
            let quota = ResourceQuota::from_json(value).map_err(wrong)?;
            quota.check()?;
            cluster.apply_resource_quota(quota);
        }
        Beside::Limits => {
            let range = LimitRange::from_json(value).map_err(wrong)?;
            range.check()?;
            cluster.apply_limit_range(range);
        }
    }
    Ok(())
}

/// Makes the claim, or changes the one that is there.
fn apply_claim(cluster: &mut Cluster, value: Value, document: &manifest::Document) -> Result<(), ApiError> {
    let wrong = |error: Mismatch| ApiError::bad_request(format!("{} \"{}\": {error}", document.kind, document.name));
    let sent = value["spec"].clone();
    let mut claim = PersistentVolumeClaim::from_json(value).map_err(wrong)?;
    let key = Object::Claim(Rc::new(claim.clone())).reference();
    let Ok(Object::Claim(stored)) = cluster.get(&key) else {
        claim.status = ClaimStatus::default();
        return cluster.create(Object::Claim(Rc::new(claim)));
    };
    let stored = Rc::clone(stored);
    let mut claim = PersistentVolumeClaim::clone(&stored);
    // What is not said stays as the server filled it in.
    let mut spec = stored.spec.to_json();
    for (name, value) in sent.as_object().into_iter().flatten() {
        *slot(&mut spec, name) = value.clone();
    }
    claim.spec = ClaimSpec::from_json(spec).map_err(wrong)?;
    claims::update(cluster, &stored, claim)
}

/// What is wrong with a document, each with its place in the text.
fn placed(document: &manifest::Document, refusal: Refusal) -> Vec<Problem> {
    let place = |problem: Problem| match problem.error {
        Error::Server(error) => by_field(document, error, problem.remedy.as_ref()),
        _ => vec![problem.at(document.line, 1)],
    };
    refusal.problems.into_iter().flat_map(place).collect()
}

/// The error of a document, field by field if it is about fields.
fn by_field(document: &manifest::Document, error: ApiError, remedy: Option<&Text>) -> Vec<Problem> {
    let with = |problem: Problem| match remedy {
        Some(remedy) => problem.with_remedy(remedy.clone()),
        None => problem,
    };
    if error.fields().next().is_none() {
        return vec![with(Problem::new(error).at(document.line, 1))];
    }
    let problem = |field: &FieldError| {
        // The server's paths of the template's labels leave out `metadata`, which has them in the text.
        let written = field.path.replacen("spec.template.labels", "spec.template.metadata.labels", 1);
        let (line, column) = document.places.find(&written);
        let error = ApiError::invalid(&document.kind, &document.name, vec![field.clone()]);
        with(Problem::new(error).at(line, column))
    };
    error.fields().map(problem).collect()
}

/// The kind of a document that is applied; none of one that is only kept.
fn simulated(document: &manifest::Document) -> Option<Kind> {
    Kind::named(&document.api_version, &document.kind).filter(|kind| kinds::workload(*kind).is_some())
}
