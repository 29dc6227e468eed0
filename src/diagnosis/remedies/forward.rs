//! What lets a rollout go on whose new pods find no room beside the old ones: old pods go first.

use super::Remedy;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::kubectl::manifest::PatchType;
use crate::objects::{Object, Pod, PodPhase, ReplicaSet, UpdateStrategyType};
use crate::reconcile::deployment::revision_of_replica_set;
use crate::sim::Cascade;
use crate::text::Text;
use crate::verdict::Lasting;
use serde_json::{Value, json};
use std::rc::Rc;

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    // What no controller acts on helps nobody.
    if case.refuted.is_some_and(|refuted| refuted.state == Lasting::Standing) {
        return Vec::new();
    }
    // One that has started and fails is no better off alone.
    let waits = |pod: &&Rc<Pod>| pod.status.phase == PodPhase::Pending && !pod.is_terminating();
    if !case.pods.iter().copied().any(|pod| waits(&pod)) && !lacks_new(case) {
        return Vec::new();
    }
    match case.object {
        Object::Deployment(_) => of_deployment(case),
        Object::DaemonSet(set) if set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate => {
            let has_old = set.status.updated_number_scheduled < set.status.desired_number_scheduled;
            if !has_old || !has_surge(case, "updateStrategy") {
                return Vec::new();
            }
            vec![no_surge(case, "updateStrategy")]
        }
        _ => Vec::new(),
    }
}

/// Pods are made anew where a change cannot be made in place.
pub(super) fn out_of_place(case: &Case<'_>) -> Vec<Remedy> {
    let policy = case.object.value_at("spec.updateStrategy.rollingUpdate.podUpdatePolicy");
    if !case.object.kind().updates_in_place() || policy != "InPlaceOnly" {
        return Vec::new();
    }
    let title = text!("Let pods be made anew where they cannot be changed in place: InPlaceIfPossible");
    let spec = json!({ "updateStrategy": { "rollingUpdate": { "podUpdatePolicy": "InPlaceIfPossible" } } });
    let remedy = patched("in-place-if-possible", title, case, &spec);
    vec![match case.object {
        Object::CloneSet(_) => remedy.assuming(text!(
            "The cluster has CloneSets of v1beta1; in those of v1alpha1 the field is spec.updateStrategy.type."
        )),
        _ => remedy,
    }]
}

/// Whether the newest ReplicaSet of a Deployment has fewer pods than it asks for: they were refused.
pub(super) fn lacks_new(case: &Case<'_>) -> bool {
    let Object::Deployment(_) = case.object else { return false };
    let sets = case.cluster().replica_sets_of(case.object);
    let newest = sets.into_iter().max_by_key(|set| revision_of_replica_set(set));
    newest.is_some_and(|set| set.spec.replicas.is_some_and(|replicas| replicas > set.status.replicas))
}

/// Whether new pods may come before old ones go, as the strategy in this field says.
fn has_surge(case: &Case<'_>, strategy: &str) -> bool {
    let spec = case.object.to_value();
    let surge = spec.pointer(&format!("/spec/{strategy}/rollingUpdate/maxSurge"));
    // A Deployment's is 25 % where nothing is said, a DaemonSet's 0.
    surge.map_or(strategy == "strategy", |surge| *surge != 0 && !matches!(surge.as_str(), Some("0" | "0%")))
}

/// One more may be unavailable than are: an old pod that serves has to go.
fn no_surge(case: &Case<'_>, strategy: &'static str) -> Remedy {
    let ready = case.pods.iter().filter(|pod| pod.is_ready() && !pod.is_terminating()).count();
    let missing = i64::from(case.object.desired()).saturating_sub(i64::try_from(ready).unwrap_or(0));
    let unavailable = missing.max(0).saturating_add(1);
    let title = text!("Let an old pod go before its new one comes: maxSurge 0, maxUnavailable {}", unavailable);
    let limits = json!({ "rollingUpdate": { "maxSurge": 0, "maxUnavailable": unavailable } });
    patched("no-surge", title, case, &json!({ strategy: limits }))
}

fn patched(name: &'static str, title: Text, case: &Case<'_>, spec: &Value) -> Remedy {
    let patch = json!({ "spec": spec }).to_string().into();
    let command = Command::Patch { set: case.object.reference(), patch, how: PatchType::Merge };
    Remedy::new(name, title, vec![command])
}

/// Only while pods of an old ReplicaSet are there, which hold what the new ones wait for.
fn of_deployment(case: &Case<'_>) -> Vec<Remedy> {
    let mut sets: Vec<&Rc<ReplicaSet>> = case.cluster().replica_sets_of(case.object);
    sets.sort_by_key(|set| revision_of_replica_set(set));
    let Some((_, old)) = sets.split_last() else { return Vec::new() };
    let has_pods = |set: &&&Rc<ReplicaSet>| set.spec.replicas.is_some_and(|replicas| replicas > 0);
    let old: Vec<&Rc<ReplicaSet>> = old.iter().filter(has_pods).copied().collect();
    if old.is_empty() {
        return Vec::new();
    }
    let mut all: Vec<Remedy> = has_surge(case, "strategy").then(|| no_surge(case, "strategy")).into_iter().collect();
    let strategy = json!({ "strategy": { "type": "Recreate", "rollingUpdate": null } });
    let recreate = patched("recreate-strategy", text!("Replace all pods at once: strategy Recreate"), case, &strategy);
    all.push(recreate.with_risk(text!("No pod is there until the new ones are ready, now and at each later rollout.")));
    for set in old {
        let name = &set.metadata.name;
        let delete =
            Command::DeleteSet { set: Object::ReplicaSet(Rc::clone(set)).reference(), cascade: Cascade::Background };
        let remedy = Remedy::new("delete-old-replica-set", text!("Delete the old ReplicaSet {}", name), vec![delete]);
        all.push(remedy.with_risk(text!(
            "All pods of {} go at once, and there is no way back to its revision by kubectl rollout undo.",
            name
        )));
    }
    all
}
