//! A pod of a workload without ordinals: what its card shows, how it came to run what it runs, what can be done to it.

use super::board::{is_active, short, version, version_of};
use super::board_groups::{group_of, node_of};
use super::rail::{act, acts_of, tag};
use super::status_word::{look, ready_column, status_word};
use super::{Act, PodAppearance, Revision};
use crate::objects::{CloneSet, Kind, Object, ObjectRef, Pod};
use crate::session::Command;
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::{Value, json};
use std::rc::Rc;

/// How a pod came to run what it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateKind {
    /// It is as it was made, of the first version.
    First,
    /// It is as it was made, of a later version: in the place of another.
    Replaced,
    /// It was changed where it is: the same pod runs another image.
    InPlace,
}

/// When it is a pod's turn to be updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateRank {
    /// It is up to date, or nobody ranks it.
    None,
    /// It waits behind others.
    Later,
    /// It is next.
    Next,
    /// Not at all: the partition keeps it as it is.
    Kept,
}

/// What a lifecycle hook waits for before the pod goes on, as `key=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hook {
    /// The label is to be given to the pod.
    PutOn(String),
    /// The label is to be taken off the pod.
    TakeOff(String),
}

/// One pod.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its uid: another one is another pod.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The part of its name that is its own: a CloneSet's instance id.
    pub instance: String,
    /// kubectl's STATUS.
    pub status: String,
    /// kubectl's READY.
    pub ready: String,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node; empty before it has one.
    pub node: String,
    /// Its address; empty before it has one.
    pub ip: String,
    /// Its image's tag.
    pub tag: String,
    /// How often its containers were started again.
    pub restarts: i32,
    /// Its version.
    pub revision: Revision,
    /// Where it is in a CloneSet's life of a pod: `Normal`, `Updating` and others; empty otherwise.
    pub state: String,
    /// Whether the gate of an update in place is open; none if it has none.
    pub gate: Option<bool>,
    /// The same of OpenKruise's own gate, which a hook may close.
    pub kruise_gate: Option<bool>,
    /// How it came to run what it runs.
    pub came: UpdateKind,
    /// What an update under way has in mind with it.
    pub turn: UpdateRank,
    /// Whether the controller stands at it.
    pub ringed: bool,
    /// What its hooks wait for.
    pub hooks: Vec<Hook>,
    /// Whether it is beyond the wanted number: made for a surge.
    pub surge: bool,
    /// The group it is in.
    pub group: usize,
    /// Its claims.
    pub claims: Vec<String>,
    /// The annotations by which OpenKruise and the controllers speak about it, and their texts.
    pub annotations: Vec<(String, String)>,
    /// What can be done to it.
    pub acts: Vec<Act>,
}

/// How a pod of this version came to run what it runs.
pub(super) fn came(pod: &Pod, version: Option<usize>) -> UpdateKind {
    match (pod.metadata.annotations.get("apps.kruise.io/inplace-update-state"), version) {
        (Some(_), _) => UpdateKind::InPlace,
        (None, Some(0) | None) => UpdateKind::First,
        (None, Some(_)) => UpdateKind::Replaced,
    }
}

pub(super) fn card(cluster: &Cluster, (object, pod): (&Object, &Rc<Pod>), versions: &[Rc<str>], surge: bool) -> Card {
    let at = version_of(pod, versions);
    let image = pod.spec.containers.first().map_or("", |container| &container.image);
    let gate = |name: &str| pod.condition(name).map(|condition| &*condition.status == "True");
    let hooks = hooks(object, pod);
    let ip = pod.status.extra.get("podIP").and_then(Value::as_str).unwrap_or_default();
    Card {
        key: pod.metadata.uid.to_string(),
        name: pod.metadata.name.to_string(),
        instance: short(&pod.metadata.name).to_owned(),
        status: status_word(pod),
        ready: ready_column(pod),
        look: look(cluster, pod),
        // A DaemonSet's pod is made for its node.
        node: match object {
            Object::DaemonSet(_) => node_of(pod).to_string(),
            _ => pod.spec.node_name.to_string(),
        },
        ip: ip.to_owned(),
        tag: tag(image).to_owned(),
        restarts: pod.status.container_statuses.iter().map(|status| status.restart_count).sum(),
        revision: version(versions, at),
        state: pod.metadata.labels.get(LIFECYCLE_STATE).map_or_else(String::new, ToString::to_string),
        gate: gate("InPlaceUpdateReady"),
        kruise_gate: gate("KruisePodReady"),
        came: came(pod, at),
        turn: UpdateRank::None,
        ringed: !hooks.is_empty(),
        hooks,
        surge,
        group: group_of(cluster, object, pod),
        claims: claims(pod),
        annotations: pod.metadata.annotations.iter().map(|(key, text)| (key.to_string(), text.to_string())).collect(),
        acts: acts(cluster, object, pod),
    }
}

fn claims(pod: &Pod) -> Vec<String> {
    let named = pod.spec.volumes.iter().filter_map(|volume| volume.persistent_volume_claim.as_ref());
    named.map(|claim| claim.claim_name.to_string()).collect()
}

const LIFECYCLE_STATE: &str = "lifecycle.apps.kruise.io/state";
const DOOMED: &str = "apps.kruise.io/specified-delete";

/// What can be done to the pod; a CloneSet's can also be chosen as the one that goes.
fn acts(cluster: &Cluster, object: &Object, pod: &Pod) -> Vec<Act> {
    let mut acts = Vec::new();
    if let Object::CloneSet(set) = object
        && is_active(pod)
    {
        acts.extend(hooked(set, pod).1);
        acts.extend(chosen(set, pod));
    }
    acts.extend(acts_of(cluster, pod));
    acts
}

/// The hooks that hold the pod.
fn hooks(object: &Object, pod: &Pod) -> Vec<Hook> {
    match object {
        Object::CloneSet(set) if is_active(pod) => hooked(set, pod).0,
        _ => Vec::new(),
    }
}

/// What a hook's labels are to be for the pod to go on.
fn hooked(set: &CloneSet, pod: &Pod) -> (Vec<Hook>, Vec<Act>) {
    let Some(lifecycle) = &set.spec.lifecycle else { return Default::default() };
    let state = pod.metadata.labels.get(LIFECYCLE_STATE).map_or("", |state| state);
    let (hook, stays) = match state {
        "PreparingNormal" => (&lifecycle.pre_normal, true),
        "PreparingUpdate" => (&lifecycle.in_place_update, false),
        "Updated" => (&lifecycle.in_place_update, true),
        "PreparingDelete" => (&lifecycle.pre_delete, false),
        _ => return Default::default(),
    };
    let labels = hook.iter().flat_map(|hook| hook.labels_handler.iter());
    let wrong = labels.filter(|(key, value)| (pod.metadata.labels.get(key) == Some(*value)) != stays);
    let object =
        ObjectRef { kind: Kind::Pod, namespace: pod.metadata.namespace.clone(), name: pod.metadata.name.clone() };
    let one = |(key, value): (&Rc<str>, &Rc<str>)| {
        let (name, value) = (format!("{key}={value}"), stays.then(|| value.clone()));
        let (hook, text) = if stays {
            (Hook::PutOn(name.clone()), text!("Hook: put on {}", name))
        } else {
            (Hook::TakeOff(name.clone()), text!("Hook: take off {}", name))
        };
        (hook, act(text, Command::Label { object: object.clone(), key: key.clone(), value }, Text::default()))
    };
    wrong.map(one).unzip()
}

/// `podsToDelete` with one replica less, and the label that has the pod replaced.
fn chosen(set: &CloneSet, pod: &Pod) -> Vec<Act> {
    let name = &pod.metadata.name;
    let key = |kind, name: &Rc<str>| ObjectRef { kind, namespace: pod.metadata.namespace.clone(), name: name.clone() };
    let mut acts = Vec::new();
    let doomed = &set.spec.scale_strategy.pods_to_delete;
    if !doomed.contains(name) && set.replicas() > 0 {
        let names: Vec<&str> = doomed.iter().chain([name]).map(|name| &**name).collect();
        let spec = json!({"replicas": set.replicas() - 1, "scaleStrategy": {"podsToDelete": names}});
        let patch = crate::objects::json_text(&json!({ "spec": spec })).into();
        let command = Command::patch(key(Kind::CloneSet, &set.metadata.name), patch);
        acts.push(act(text!("Scale in by this pod"), command, Text::default()));
    }
    if pod.metadata.labels.get(DOOMED).is_none() {
        let value = Some("true".into());
        let command = Command::Label { object: key(Kind::Pod, name), key: DOOMED.into(), value };
        acts.push(act(text!("Let the controller replace it"), command, Text::default()));
    }
    acts
}
