//! PodDisruptionBudgets, ResourceQuotas, LimitRanges and autoscalers of a text: what evictions may do in the run, what admission
//! takes, and between which numbers replicas are kept.

use super::{Kept, Options, Scaling};
use crate::kubectl::{Command, manifest};
use crate::objects::{Autoscaler, DisruptionBudget, Json, Kind, LimitRange, Object, ResourceQuota};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Whether it is one that the API server could have stored.
pub(super) fn is_read(value: &Value) -> bool {
    let word = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let sent = || value.clone();
    match (word("apiVersion"), word("kind")) {
        ("policy/v1" | "policy/v1beta1", "PodDisruptionBudget") => {
            DisruptionBudget::from_json(sent()).is_ok_and(|budget| budget.check().is_ok())
        }
        ("v1", "ResourceQuota") => ResourceQuota::from_json(sent()).is_ok_and(|quota| quota.check().is_ok()),
        ("v1", "LimitRange") => LimitRange::from_json(sent()).is_ok_and(|range| range.check().is_ok()),
        _ => false,
    }
}

/// The autoscaler that keeps the bounds of a second writer of replicas: itself, or the one that KEDA makes for a ScaledObject.
pub(super) fn autoscaler_of(value: &Value) -> Option<Value> {
    let autoscaler = match value.get("kind").and_then(Value::as_str)? {
        "HorizontalPodAutoscaler" => value.clone(),
        "ScaledObject" => of_scaled_object(value)?,
        _ => return None,
    };
    Autoscaler::from_json(autoscaler.clone()).is_ok_and(|own| own.check().is_ok()).then_some(autoscaler)
}

/// Most pods of a ScaledObject that says nothing (defaultHPAMaxReplicas).
pub(super) const MOST: i64 = 100;

/// Models newHPAForScaledObject, controllers/keda/hpa.go of kedacore/keda. One that is paused has none.
fn of_scaled_object(value: &Value) -> Option<Value> {
    let (metadata, spec) = (value.get("metadata")?, value.get("spec")?);
    if matches!(scaling_of(value), Scaling::Paused(_)) {
        return None;
    }
    let own_name = spec.pointer("/advanced/horizontalPodAutoscalerConfig/name").and_then(Value::as_str);
    let name = own_name.map_or_else(|| format!("keda-hpa-{}", word(metadata, "name")), str::to_owned);
    let target = spec.get("scaleTargetRef")?;
    let or = |word: &str, default: &str| target.get(word).and_then(Value::as_str).unwrap_or(default).to_owned();
    let number = |word: &str| spec.get(word).and_then(Value::as_i64);
    Some(json!({
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": metadata.get("namespace")},
        "spec": {
            "scaleTargetRef": {
                "apiVersion": or("apiVersion", "apps/v1"), "kind": or("kind", "Deployment"), "name": or("name", ""),
            },
            "minReplicas": number("minReplicaCount").map_or(1, |least| least.max(1)),
            "maxReplicas": number("maxReplicaCount").unwrap_or(MOST),
        },
    }))
}

/// Annotations that pause a ScaledObject.
const PAUSED: [&str; 2] = ["autoscaling.keda.sh/paused-replicas", "autoscaling.keda.sh/paused"];

/// What a second writer of replicas is shown to do. Models RequestScale, pkg/scaling/executor/scale_scaledobjects.go of kedacore/keda: one
/// that is not active is scaled to its fewest, and to none where it names none.
pub(super) fn scaling_of(value: &Value) -> Scaling {
    if value["kind"] != "ScaledObject" {
        return Scaling::Bounds;
    }
    let annotations = &value["metadata"]["annotations"];
    let paused = PAUSED.iter().find(|name| annotations.get(**name).is_some_and(|said| said != "false"));
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array);
    let is_idle = |condition: &Value| condition["type"] == "Active" && condition["status"] == "False";
    if let Some(annotation) = paused {
        Scaling::Paused(annotation)
    } else if conditions.into_iter().flatten().any(is_idle) {
        Scaling::Idle
    } else {
        Scaling::Bounds
    }
}

fn word<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Tells second writers of replicas whose autoscaler does not keep its bounds in the text.
pub(super) fn mark(kept: &mut [Kept], policies: &[Value], objects: &[Object]) {
    for one in kept {
        let is_its = |value: &&Value| {
            let metadata = value.get("metadata").unwrap_or(&Value::Null);
            word(value, "kind") == "HorizontalPodAutoscaler"
                && one.runs_as.as_deref() == Some(word(metadata, "name"))
                && word(metadata, "namespace") == &*one.namespace
        };
        if !policies.iter().filter(is_its).any(|value| holds(value, objects)) {
            one.runs_as = None;
        }
    }
}

/// Whether the text shows its target within its bounds: one that is out of them for longer than a look is not kept in them, nor one
/// that its controller does not reach.
fn holds(value: &Value, objects: &[Object]) -> bool {
    let Some(autoscaler) = Autoscaler::from_json(value.clone()).ok().filter(Autoscaler::acts) else { return false };
    let target = autoscaler.target();
    let target = target.and_then(|target| objects.iter().find(|object| object.reference() == target));
    target.and_then(Object::replicas).is_some_and(|replicas| autoscaler.bounded(replicas).is_none())
}

/// Kinds of which the text has all of a namespace, or of every one where that is empty: who lists several namespaces lists all. Where all
/// of them, and every pod of the text, have a label, they may have been asked for by it.
pub(super) fn whole(policies: &[Value], objects: &[Object]) -> BTreeSet<(Rc<str>, Rc<str>)> {
    let of_pods = || objects.iter().filter(|object| object.kind() == Kind::Pod).map(|pod| &pod.metadata().labels);
    let is_on_all_pods = |key: &str, value: &str| {
        of_pods().next().is_some() && of_pods().all(|labels| labels.get(key).is_some_and(|own| **own == *value))
    };
    let mut all = BTreeSet::new();
    for kind in ["PodDisruptionBudget", "ResourceQuota", "LimitRange"] {
        let own = || policies.iter().filter(|value| word(value, "kind") == kind).map(|value| &value["metadata"]);
        let labels = own().next().and_then(|metadata| metadata["labels"].as_object());
        let is_selected = labels.into_iter().flatten().any(|(key, value)| {
            own().all(|metadata| metadata["labels"][key] == *value)
                && is_on_all_pods(key, value.as_str().unwrap_or_default())
        });
        if is_selected {
            continue;
        }
        let namespaces: BTreeSet<Rc<str>> = own().map(|metadata| word(metadata, "namespace").into()).collect();
        let is_every = namespaces.len() > 1;
        all.extend(namespaces.into_iter().map(|namespace| (kind.into(), namespace)));
        all.extend(is_every.then(|| (kind.into(), "".into())));
    }
    all
}

/// Whether one of these is the quota of this name, and says what it limits.
pub(super) fn has_quota(policies: &[Value], namespace: &str, name: &str) -> bool {
    quota(policies, namespace, name).is_some_and(|quota| is_said(&quota["spec"]["hard"]))
}

/// Whether one of these is the quota of this name, and its controller has counted what it limits.
pub(super) fn is_counted(policies: &[Value], namespace: &str, name: &str) -> bool {
    quota(policies, namespace, name).is_some_and(|quota| is_said(&quota["status"]["used"]))
}

fn is_said(amounts: &Value) -> bool {
    amounts.as_object().is_some_and(|amounts| !amounts.is_empty())
}

fn quota<'a>(policies: &'a [Value], namespace: &str, name: &str) -> Option<&'a Value> {
    policies.iter().find(|value| {
        let metadata = &value["metadata"];
        value["kind"] == "ResourceQuota" && metadata["name"] == *name && metadata["namespace"] == *namespace
    })
}

/// The commands that apply them, of the namespace that is asked for. What a quota's status counts is sent along: others may use it too; and what a budget's says of its last sync.
/// An autoscaler that is not shown to keep its bounds is there, and does nothing.
pub(super) fn listed(policies: &[Value], objects: &[Object], options: &Options) -> Vec<Command> {
    let is_asked = |value: &&Value| {
        options.namespace.as_ref().is_none_or(|namespace| value["metadata"]["namespace"] == **namespace)
    };
    let apply = |value: &Value| {
        let metadata = &value["metadata"];
        let mut sent = json!({
            "apiVersion": value["apiVersion"], "kind": value["kind"], "spec": value["spec"],
            "metadata": {"name": metadata["name"], "namespace": metadata["namespace"]},
        });
        let status = match value["kind"].as_str() {
            Some("PodDisruptionBudget") => value.pointer("/status/conditions").map(|all| json!({ "conditions": all })),
            Some("ResourceQuota") => Some(json!({ "used": value["status"]["used"] })),
            Some("HorizontalPodAutoscaler") if !holds(value, objects) => {
                Some(json!({ "conditions": [{ "type": "AbleToScale", "status": "False" }] }))
            }
            _ => None,
        };
        if let (Some(fields), Some(status)) = (sent.as_object_mut(), status) {
            fields.insert("status".to_owned(), status);
        }
        Command::Apply { manifest: manifest::write(&sent).into() }
    };
    policies.iter().filter(is_asked).map(apply).collect()
}
