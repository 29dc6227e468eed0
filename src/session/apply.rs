//! What a command does to the cluster, after the checks that kubectl and the API server make.

use super::kinds::spec_of;
use crate::kubectl::manifest;
use crate::kubectl::manifest::Held;
use crate::kubectl::{Command, Problem, Refusal};
use crate::objects::FieldError;
use crate::objects::validation;
use crate::objects::{
    ApiError, Json, Kind, Object, ObjectMeta, ObjectRef, PodPhase, StatefulSet, StatefulSetSpec, UpdateStrategyType,
};
use crate::sim::{Admission, Cluster};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::rc::Rc;

/// Carries out a command.
///
/// # Errors
/// kubectl's or the API server's refusal. The caller throws the cluster away then.
pub(super) fn apply(cluster: &mut Cluster, command: &Command) -> Result<(), Refusal> {
    match command {
        Command::Apply { manifest } => apply_manifest(cluster, manifest),
        command => act(cluster, command),
    }
}

fn act(cluster: &mut Cluster, command: &Command) -> Result<(), Refusal> {
    if let Some((set, patch)) = patch_of_rollout(cluster, command) {
        return act(cluster, &Command::patch(set, patch));
    }
    if let Some(done) = super::workloads::command(cluster, command) {
        return done;
    }
    match command {
        Command::Apply { .. } | Command::Restart { .. } | Command::Pause { .. } => Ok(()),
        Command::Scale { set, replicas } => change_spec(cluster, set, &|spec| spec.replicas = Some(*replicas)),
        Command::SetPolicy { set, policy } => change_spec(cluster, set, &|spec| spec.pod_management_policy = *policy),
        Command::Recreate { set, policy } => recreate(cluster, set, &|spec| spec.pod_management_policy = *policy),
        Command::SetStrategy { set, strategy } => change_spec(cluster, set, &|spec| {
            spec.update_strategy.strategy_type = *strategy;
            // The API server takes `rollingUpdate` only with its own strategy.
            if *strategy == UpdateStrategyType::OnDelete {
                spec.update_strategy.rolling_update = None;
            }
        }),
        Command::SetPartition { set, partition } => change_spec(cluster, set, &|spec| {
            spec.update_strategy.rolling_update.get_or_insert_default().partition = Some(*partition);
        }),
        Command::SetImage { set, container, image } => set_image(cluster, set, container, image),
        Command::Patch { set, .. } => Err(Refusal::of(format!("a {} cannot be patched", set.kind.singular()))),
        Command::Label { object, key, value } => label(cluster, object, key, value.as_ref()),
        Command::RollBack { set, to } => roll_back(cluster, set, *to),
        Command::DeletePod { pod, force } => Ok(cluster.delete(pod, force.then_some(0))?),
        Command::CrashPod { pod } => {
            cluster.get(pod)?;
            let reached = cluster.crash_pod(pod);
            require(reached, || format!("pod \"{}\" has no running container that can be reached", pod.name))
        }
        Command::EvictPod { pod } => {
            cluster.get(pod)?;
            let reached = cluster.finish_pod(pod, PodPhase::Failed);
            require(reached, || {
                format!("pod \"{}\" cannot be evicted: its kubelet does not answer or it is terminating", pod.name)
            })
        }
        Command::CompletePod { pod } => {
            cluster.get(pod)?;
            let reached = cluster.finish_pod(pod, PodPhase::Succeeded);
            require(reached, || {
                format!("pod \"{}\" cannot complete: its kubelet does not answer or it is terminating", pod.name)
            })
        }
        Command::DeleteClaim { claim } => Ok(cluster.delete(claim, None)?),
        Command::DeleteSet { set, cascade } => Ok(cluster.delete_set(set, *cascade)?),
        Command::SetPodQuota { pods } => {
            cluster.set_admission(Admission { pod_quota: *pods, ..cluster.admission() });
            Ok(())
        }
        Command::SetWebhook { denies } => {
            cluster.set_admission(Admission { webhook_denies: *denies, ..cluster.admission() });
            Ok(())
        }
        Command::SetBudget { set, budget } => {
            cluster.get(set)?;
            cluster.set_budget(set, *budget);
            Ok(())
        }
        Command::SetBehaviour { image, behaviour } => {
            cluster.set_behaviour(Rc::clone(image), *behaviour);
            Ok(())
        }
        Command::SetReadinessDelay { milliseconds } => {
            cluster.set_readiness_delay(*milliseconds);
            Ok(())
        }
        Command::AddNode => {
            cluster.add_node();
            Ok(())
        }
        Command::RemoveNode { node } => on_node(cluster, node, |cluster| cluster.take_node_away(node)),
        Command::Cordon { node } => on_node(cluster, node, |cluster| cluster.cordon(node, true)),
        Command::Uncordon { node } => on_node(cluster, node, |cluster| cluster.cordon(node, false)),
        Command::Drain { node, timeout } => {
            let timeout = timeout.map(|seconds| i64::from(seconds) * 1_000);
            on_node(cluster, node, |cluster| cluster.drain(node, timeout))
        }
        Command::FailNode { node, failure } => {
            require(cluster.fail(node, *failure), || format!("machine \"{node}\" is off or does not exist"))
        }
        Command::RecoverNode { node } => {
            require(cluster.recover(node), || format!("machine \"{node}\" does not exist"))
        }
        Command::FailZone { zone, failure } => on_zone(cluster, zone, |cluster, node| {
            cluster.fail(node, *failure);
        }),
        Command::RecoverZone { zone } => on_zone(cluster, zone, |cluster, node| {
            cluster.recover(node);
        }),
        Command::TaintOutOfService { node, effect } => {
            require(matches!(&**effect, "NoExecute" | "NoSchedule"), || format!("invalid taint effect: {effect}"))?;
            on_node(cluster, node, |cluster| cluster.set_out_of_service(node, Some(effect)))
        }
        Command::UntaintOutOfService { node } => {
            on_node(cluster, node, |cluster| cluster.set_out_of_service(node, None))
        }
        Command::Taint { node, key, value, effect } => {
            on_node(cluster, node, |cluster| cluster.taint(node, key, value, effect))
        }
        Command::Untaint { node, key, effect } => {
            let mut known = false;
            on_node(cluster, node, |cluster| known = cluster.untaint(node, key, effect))?;
            let colon = if effect.is_empty() { "" } else { ":" };
            require(known, || format!("taint \"{key}{colon}{effect}\" not found"))
        }
    }
}

/// The patch that kubectl sends for `rollout restart`, `rollout pause` and `rollout resume`.
fn patch_of_rollout(cluster: &Cluster, command: &Command) -> Option<(ObjectRef, Rc<str>)> {
    let (set, patch) = match command {
        Command::Restart { set } => {
            let annotations = json!({"kubectl.kubernetes.io/restartedAt": cluster.now().to_json()});
            (set, json!({"spec": {"template": {"metadata": {"annotations": annotations}}}}))
        }
        Command::Pause { set, paused } if set.kind.is_custom_resource() => {
            (set, json!({"spec": {"updateStrategy": {"rollingUpdate": {"paused": paused}}}}))
        }
        Command::Pause { set, paused } => (set, json!({"spec": {"paused": paused}})),
        _ => return None,
    };
    Some((set.clone(), patch.to_string().into()))
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::of(message())) }
}

fn on_node(cluster: &mut Cluster, name: &Rc<str>, act: impl FnOnce(&mut Cluster)) -> Result<(), Refusal> {
    cluster.get(&ObjectRef { kind: Kind::Node, namespace: "".into(), name: Rc::clone(name) })?;
    act(cluster);
    Ok(())
}

fn on_zone(cluster: &mut Cluster, zone: &str, act: impl Fn(&mut Cluster, &Rc<str>)) -> Result<(), Refusal> {
    let machines = cluster.zone(zone);
    require(!machines.is_empty(), || format!("no machine in zone \"{zone}\""))?;
    machines.iter().for_each(|node| act(cluster, node));
    Ok(())
}

fn stored_set(cluster: &Cluster, key: &ObjectRef) -> Result<Rc<StatefulSet>, Refusal> {
    match cluster.get(key)? {
        Object::StatefulSet(set) => Ok(Rc::clone(set)),
        _ => Err(ApiError::not_found(key.kind.qualified_resource(), &key.name).into()),
    }
}

/// Sends the set with a changed spec, as `kubectl patch` would.
fn change_spec(cluster: &mut Cluster, key: &ObjectRef, change: &dyn Fn(&mut StatefulSetSpec)) -> Result<(), Refusal> {
    let stored = stored_set(cluster, key)?;
    let mut wanted = (*stored).clone();
    change(Rc::make_mut(&mut wanted.spec));
    check_update(cluster, &wanted, &stored)?;
    Ok(cluster.update(Object::StatefulSet(Rc::new(wanted)))?)
}

fn check_update(cluster: &Cluster, wanted: &StatefulSet, stored: &StatefulSet) -> Result<(), Refusal> {
    let errors = validation::validate(Kind::StatefulSet, &to_value(wanted), Some(&to_value(stored)), &cluster.server());
    if errors.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid("StatefulSet", &wanted.metadata.name, errors).into())
}

fn to_value(set: &StatefulSet) -> Value {
    set.to_json()
}

/// Deletes the set, leaves its pods, and creates it again with a changed spec.
fn recreate(cluster: &mut Cluster, key: &ObjectRef, change: &dyn Fn(&mut StatefulSetSpec)) -> Result<(), Refusal> {
    let stored = stored_set(cluster, key)?;
    let mut wanted = StatefulSet {
        metadata: ObjectMeta {
            name: stored.metadata.name.clone(),
            namespace: stored.metadata.namespace.clone(),
            labels: stored.metadata.labels.clone(),
            annotations: stored.metadata.annotations.clone(),
            ..ObjectMeta::default()
        },
        spec: Rc::clone(&stored.spec),
        extra: stored.extra.clone(),
        ..StatefulSet::default()
    };
    change(Rc::make_mut(&mut wanted.spec));
    cluster.delete_orphaning(key)?;
    Ok(cluster.create(Object::StatefulSet(Rc::new(wanted)))?)
}

fn set_image(cluster: &mut Cluster, key: &ObjectRef, container: &str, image: &Rc<str>) -> Result<(), Refusal> {
    let stored = stored_set(cluster, key)?;
    let known = stored.spec.template.spec.containers.iter().any(|own| &*own.name == container);
    require(known, || format!("unable to find container named \"{container}\""))?;
    change_spec(cluster, key, &|spec| {
        let pod = Rc::make_mut(&mut spec.template.spec);
        pod.containers.iter_mut().filter(|own| &*own.name == container).for_each(|own| own.image = Rc::clone(image));
    })
}

/// The template of a revision, as `kubectl rollout undo` takes it: of the newest that is not the present one, or of a number.
fn roll_back(cluster: &mut Cluster, key: &ObjectRef, to: i64) -> Result<(), Refusal> {
    let stored = stored_set(cluster, key)?;
    let uid = &stored.metadata.uid;
    let own = |owner: Option<&crate::objects::OwnerReference>| owner.is_some_and(|owner| owner.uid == *uid);
    let mut history: Vec<_> =
        cluster.revisions().filter(|revision| own(revision.metadata.controller_of())).cloned().collect();
    history.sort_by_key(|revision| Reverse(revision.revision));
    let present = crate::reconcile::template_patch(&cluster.controller_gates(), &stored.spec.template);
    let wanted = match to {
        0 => history.iter().find(|revision| revision.data != present),
        number => history.iter().find(|revision| revision.revision == number),
    };
    let wanted = wanted.ok_or_else(|| {
        Refusal::of(match to {
            0 => "no last revision to roll back to".to_owned(),
            number => format!("unable to find specified revision {number} in history"),
        })
    })?;
    let template = wanted.data.template().map_err(|error| Refusal::of(error.to_string()))?;
    change_spec(cluster, key, &|spec| spec.template = template.clone())
}

/// Sets a pod's label, or takes it off.
fn label(cluster: &mut Cluster, key: &ObjectRef, label: &Rc<str>, value: Option<&Rc<str>>) -> Result<(), Refusal> {
    let mut object = cluster.get(key)?.clone();
    let labels = &mut object.metadata_mut().labels;
    match value {
        Some(value) => labels.insert(Rc::clone(label), Rc::clone(value)),
        None => labels.remove(label),
    }
    Ok(cluster.update(object)?)
}

/// Applies every StatefulSet of the text, or nothing if something is wrong with one.
fn apply_manifest(cluster: &mut Cluster, text: &str) -> Result<(), Refusal> {
    let find = |kind: Kind, namespace: &str, name: &str| {
        let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
        let stored = cluster.get(&key).ok()?.to_json();
        Some(Held { stored, last_applied: cluster.last_applied(&key) })
    };
    let reading = manifest::read_over(text, &cluster.server(), &find);
    let mut problems = reading.problems;
    let sets: Vec<_> = reading.documents.into_iter().filter(|document| simulated(document).is_some()).collect();
    if sets.is_empty() && problems.is_empty() {
        return Err(Refusal::own(text!(
            "no StatefulSet found: the manifest needs a document with apiVersion apps/v1 and kind StatefulSet"
        )));
    }
    for document in sets {
        let Some(kind) = simulated(&document) else { continue };
        if let Err(error) = super::workloads::apply(cluster, kind, &document) {
            problems.extend(placed(&document, error));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Refusal { problems }) }
}

/// The error of a document, field by field if it is about fields, each with its place in the text.
fn placed(document: &manifest::Document, error: ApiError) -> Vec<Problem> {
    if error.fields().next().is_none() {
        return vec![Problem::new(error).at(document.line, 1)];
    }
    let problem = |field: &FieldError| {
        // The server's paths of the template's labels leave out `metadata`, which has them in the text.
        let written = field.path.replacen("spec.template.labels", "spec.template.metadata.labels", 1);
        let (line, column) = document.places.find(&written);
        let error = ApiError::invalid(&document.kind, &document.name, vec![field.clone()]);
        Problem::new(error).at(line, column)
    };
    error.fields().map(problem).collect()
}

/// The kind of a document that is applied; none of one that is only kept.
fn simulated(document: &manifest::Document) -> Option<Kind> {
    Kind::named(&document.api_version, &document.kind).filter(|kind| spec_of(*kind).is_some())
}

/// The set as a person would write it: without what only the server fills in.
pub(super) fn manifest_of(set: &StatefulSet) -> String {
    let mut plain = set.clone();
    plain.metadata = ObjectMeta {
        name: set.metadata.name.clone(),
        namespace: set.metadata.namespace.clone(),
        labels: set.metadata.labels.clone(),
        annotations: set.metadata.annotations.clone(),
        ..ObjectMeta::default()
    };
    let mut value = to_value(&plain);
    if let Some(fields) = value.as_object_mut() {
        fields.remove("status");
        fields.insert("apiVersion".into(), "apps/v1".into());
        fields.insert("kind".into(), "StatefulSet".into());
    }
    manifest::write(&value)
}
