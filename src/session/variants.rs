//! What a run can be compared with: the same workload with another policy, under another release, or as another kind.

use super::kinds::workload;
use super::lanes::Start;
use super::redact;
use super::session::Session;
use super::start;
use crate::kubectl::manifest;
use crate::objects::{Kind, ObjectRef};
use crate::reconcile::Release;
use serde_json::{Map, Value, json};

const ORDERS: [&str; 2] = ["OrderedReady", "Parallel"];

/// What a workload can be compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The other pod management policy.
    Policy,
    /// v1.17, or the newest for a run under that.
    Release,
    /// A CloneSet that updates in place.
    InPlace,
    /// A Deployment.
    Deployment,
    /// All four kinds.
    Kinds,
}

impl Variant {
    /// Every one, with its name for people.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Policy, "Under both policies"),
        (Self::Release, "Under v1.17 and the newest release"),
        (Self::InPlace, "Beside a CloneSet with in-place update"),
        (Self::Deployment, "Beside a Deployment"),
        (Self::Kinds, "All four workload kinds side by side"),
    ];

    /// The lanes that compare this workload, as it is now, with the variant.
    pub fn lanes(self, session: &Session, set: &ObjectRef) -> Vec<Start> {
        let own = match session.scenario().start {
            start::Start::Empty { .. } => session.manifest(set),
            // A comparison is named by the address, which is passed on.
            start::Start::Objects(_) => redact::manifest(&session.manifest(set)),
        };
        let release = session.release();
        let gates = session.scenario().gates.clone();
        let start = |name: &str, release: Release, text: String| {
            let gates = if release == session.release() { gates.clone() } else { Vec::new() };
            Start { name: name.to_owned(), release, gates, manifest: text.into() }
        };
        let kind = |kind: Kind| start(kind.title(), release, as_kind(&own, kind));
        match self {
            Self::Policy => ORDERS.map(|order| start(order, release, with_policy(&own, set.kind, order))).into(),
            Self::Release => vec![
                start(Release::V1_17.name(), Release::V1_17, without_later_defaults(&own)),
                start(Release::default().name(), Release::default(), own.to_string()),
            ],
            Self::InPlace => {
                let text = with_policy(&as_kind(&own, Kind::CloneSet), Kind::CloneSet, "InPlaceIfPossible");
                vec![kind(set.kind), start("CloneSet in place", release, text)]
            }
            Self::Deployment => vec![kind(set.kind), kind(Kind::Deployment)],
            Self::Kinds => [Kind::Deployment, Kind::StatefulSet, Kind::DaemonSet, Kind::CloneSet].map(kind).into(),
        }
    }
}

/// A manifest with another policy: how a StatefulSet makes its pods, how a CloneSet updates them.
pub(crate) fn with_policy(text: &str, kind: Kind, policy: &str) -> String {
    let Ok(mut value) = manifest::read_value(text) else { return text.to_owned() };
    let path = workload(kind).map_or(&[][..], |own| own.policy);
    let mut place = &mut value;
    for name in path {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[*name];
    }
    if !path.is_empty() {
        *place = policy.into();
    }
    manifest::write(&value)
}

/// A manifest without the fields that v1.17 does not know and that say what is so without them.
fn without_later_defaults(text: &str) -> String {
    let Ok(mut value) = manifest::read_value(text) else { return text.to_owned() };
    let later = [
        ("minReadySeconds", json!(0)),
        ("ordinals", json!({"start": 0})),
        ("persistentVolumeClaimRetentionPolicy", json!({"whenDeleted": "Retain", "whenScaled": "Retain"})),
    ];
    if let Some(spec) = value.get_mut("spec").and_then(Value::as_object_mut) {
        for (name, default) in later {
            if spec.get(name) == Some(&default) {
                spec.remove(name);
            }
        }
    }
    manifest::write(&value)
}

/// What of a spec every kind has.
const COMMON: [&str; 4] = ["selector", "template", "minReadySeconds", "revisionHistoryLimit"];

/// The workload of a manifest as another kind: what that kind has not is left out, with the mounts of claims.
pub(crate) fn as_kind(text: &str, kind: Kind) -> String {
    let Ok(value) = manifest::read_value(text) else { return text.to_owned() };
    let word = |name: &str| value[name].as_str().unwrap_or_default();
    if Kind::named(word("apiVersion"), word("kind")) == Some(kind) {
        return text.to_owned();
    }
    let mut spec = Map::new();
    let mut take = |name: &str| {
        let held = &value["spec"][name];
        if !held.is_null() {
            spec.insert(name.to_owned(), held.clone());
        }
    };
    COMMON.into_iter().for_each(&mut take);
    let Some(fields) = workload(kind) else { return text.to_owned() };
    if fields.replicas.is_some() {
        take("replicas");
    }
    if fields.claims {
        take("volumeClaimTemplates");
    } else {
        if let Some(template) = spec.get_mut("template") {
            drop_mounts(template, &value["spec"]["volumeClaimTemplates"]);
        }
    }
    if fields.service_name {
        spec.insert("serviceName".to_owned(), value["metadata"]["name"].clone());
    }
    if !kind.is_custom_resource()
        && let Some(template) = spec.get_mut("template")
    {
        drop_gate(template);
    }
    let metadata = value["metadata"].clone();
    manifest::write(
        &json!({"apiVersion": kind.api_version(), "kind": kind.as_str(), "metadata": metadata, "spec": spec}),
    )
}

/// Only OpenKruise's controllers open the gate of updates in place.
fn drop_gate(template: &mut Value) {
    if let Some(gates) = template.pointer_mut("/spec/readinessGates").and_then(Value::as_array_mut) {
        gates.retain(|gate| gate["conditionType"] != "InPlaceUpdateReady");
    }
}

fn drop_mounts(template: &mut Value, claims: &Value) {
    let names: Vec<&Value> = claims.as_array().into_iter().flatten().map(|claim| &claim["metadata"]["name"]).collect();
    for container in template.pointer_mut("/spec/containers").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(mounts) = container.get_mut("volumeMounts").and_then(Value::as_array_mut) {
            mounts.retain(|mount| !names.contains(&&mount["name"]));
        }
    }
}
