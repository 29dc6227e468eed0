//! What kubectl prints of a command that was carried out or refused.
//! Models the printed words of k8s.io/kubectl pkg/cmd (apply, scale, set, patch, delete, rollout, label, drain, taint).

use super::text::qualified;
use super::verbs::drain;
use super::{Command, Error, Refusal, manifest};
use crate::objects::{Kind, LAST_APPLIED, ObjectRef, Reason};
use crate::sim::Cluster;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Whether the command left the object as it was.
fn is_unchanged(before: &Cluster, after: &Cluster, key: &ObjectRef) -> bool {
    let plain = |cluster: &Cluster| {
        let mut object = cluster.get(key).ok()?.clone();
        object.metadata_mut().resource_version = "".into();
        Some(object)
    };
    plain(before) == plain(after)
}

/// What kubectl prints of a command that was carried out, given the clusters before and after it.
pub fn done(before: &Cluster, after: &Cluster, command: &Command) -> String {
    let kubectl = before.release().kubectl();
    let of_set = |set: &ObjectRef, did: &str| format!("{}/{} {did}\n", qualified(set.kind), set.name);
    let deleted = |object: &ObjectRef, did: &str| {
        let namespace = match kubectl.deletion_names_namespace && !object.namespace.is_empty() {
            true => format!(" from {} namespace", object.namespace),
            false => String::new(),
        };
        format!("{} \"{}\" {did}{namespace}\n", qualified(object.kind), object.name)
    };
    let of_node = |node: &Rc<str>, did: &str| format!("node/{node} {did}\n");
    let patched = |set: &ObjectRef| match is_unchanged(before, after, set) {
        true => of_set(set, "patched (no change)"),
        false => of_set(set, "patched"),
    };
    match command {
        Command::Apply { manifest } => applied(before, after, manifest),
        Command::Scale { set, .. } => of_set(set, "scaled"),
        Command::SetImage { set, .. } | Command::SetResources { set, .. } if is_unchanged(before, after, set) => {
            String::new()
        }
        Command::SetImage { set, .. } => of_set(set, "image updated"),
        Command::SetResources { set, .. } => of_set(set, "resource requirements updated"),
        Command::Restart { set } => of_set(set, "restarted"),
        Command::Pause { set, paused } => of_set(set, if *paused { "paused" } else { "resumed" }),
        Command::Patch { set, .. }
        | Command::SetPartition { set, .. }
        | Command::SetPolicy { set, .. }
        | Command::SetStrategy { set, .. } => patched(set),
        Command::RollBack { set, .. } => undo_warning(before, set) + &of_set(set, "rolled back"),
        Command::Recreate { set, .. } => deleted(set, "deleted") + &of_set(set, "created"),
        Command::SetEnv { set, .. } if is_unchanged(before, after, set) => String::new(),
        Command::SetEnv { set, .. } => of_set(set, "env updated"),
        Command::Annotate { object, .. } => of_set(object, "annotated"),
        Command::DeleteBudget { namespace, name } => {
            let namespace = match kubectl.deletion_names_namespace {
                true => format!(" from {namespace} namespace"),
                false => String::new(),
            };
            format!("poddisruptionbudget.policy \"{name}\" deleted{namespace}\n")
        }
        Command::Label { object, labels } => labeled(before, object, labels),
        Command::DeletePod { pod, grace: Some(0) } => {
            format!("{}: {FORCED}\n{}", kubectl.deletion_warning, deleted(pod, "force deleted"))
        }
        Command::DeletePod { pod: object, .. }
        | Command::DeleteClaim { claim: object }
        | Command::DeleteSet { set: object, .. } => deleted(object, "deleted"),
        Command::RemoveNode { node } => format!("node \"{node}\" deleted\n"),
        Command::Cordon { node } => of_node(node, cordoned(before, node, true)),
        Command::Uncordon { node } => of_node(node, cordoned(before, node, false)),
        Command::Drain { node, .. } => of_node(node, cordoned(before, node, true)) + &drain::evicting(before, node),
        Command::Taint { node, key, effect, .. } if has_taint(before, node, key, effect) => of_node(node, "modified"),
        Command::TaintOutOfService { node, .. } | Command::Taint { node, .. } => of_node(node, "tainted"),
        Command::UntaintOutOfService { node } | Command::Untaint { node, .. } => of_node(node, "untainted"),
        Command::CrashPod { .. }
        | Command::SetReady { .. }
        | Command::Hold { .. }
        | Command::Lift { .. }
        | Command::EvictPod { .. }
        | Command::CompletePod { .. }
        | Command::SetPodQuota { .. }
        | Command::SetWebhook { .. }
        | Command::SetFailures { .. }
        | Command::SyncAfter { .. }
        | Command::SetBudget { .. }
        | Command::SetBehavior { .. }
        | Command::SetReadinessDelay { .. }
        | Command::AddNode
        | Command::FailNode { .. }
        | Command::RecoverNode { .. }
        | Command::FailZone { .. }
        | Command::RecoverZone { .. } => "done\n".to_owned(),
    }
}

/// `created`, `configured` or `unchanged`, for each document.
fn applied(before: &Cluster, after: &Cluster, text: &str) -> String {
    let line = |document: manifest::Document| {
        let kind = Kind::named(&document.api_version, &document.kind)?;
        let word = |field: &str| document.value["metadata"][field].as_str().unwrap_or_default().into();
        let key = ObjectRef { kind, namespace: word("namespace"), name: word("name") };
        let did = match before.get(&key) {
            Err(_) => "created",
            Ok(_) if is_unchanged(before, after, &key) => "unchanged",
            Ok(_) => "configured",
        };
        Some(format!("{}/{} {did}\n", qualified(kind), key.name))
    };
    manifest::read(text, &before.server()).documents.into_iter().filter_map(line).collect()
}

/// The warning of `rollout undo` for what was applied.
fn undo_warning(before: &Cluster, set: &ObjectRef) -> String {
    if !before.release().kubectl().undo_warns_of_applied || before.last_applied(set).is_none() {
        return String::new();
    }
    format!(
        "Warning: resource {}/{} was previously managed with 'kubectl apply'. Rolling back will not update the \
         {LAST_APPLIED} annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider \
         using 'kubectl apply' with your previous configuration file instead.\n",
        set.kind.resource(),
        set.name
    )
}

fn labeled(before: &Cluster, object: &ObjectRef, labels: &BTreeMap<Rc<str>, Option<Rc<str>>>) -> String {
    let kubectl = before.release().kubectl();
    let stored = before.get(object).ok().map(|stored| &stored.metadata().labels);
    let length = |key: &str, value: &str| key.len() + value.len() + r#""":"","#.len();
    let (mut text, mut set, mut removed) = (String::new(), 0, 0);
    let mut is_overwritten = false;
    for (key, value) in labels {
        match (stored.and_then(|own| own.get(key)), value) {
            (None, None) => text.push_str(&format!("label \"{key}\" not found.\n")),
            (Some(old), Some(value)) if old == value => {}
            (old, Some(value)) => {
                set += length(key, value);
                is_overwritten |= old.is_some();
            }
            (Some(old), None) => removed += length(key, old),
        }
    }
    let did = match (set, removed) {
        (0, 0) => "not labeled",
        (_, 0) => "labeled",
        (0, _) => kubectl.label_removed,
        (set, removed) => match kubectl.label_modified {
            Some(modified) => modified,
            None if removed > set && !is_overwritten => kubectl.label_removed,
            None => "labeled",
        },
    };
    text + &format!("{}/{} {did}\n", qualified(object.kind), object.name)
}

fn cordoned(before: &Cluster, name: &str, cordons: bool) -> &'static str {
    let is_so = before.nodes().any(|node| *node.metadata.name == *name && node.spec.unschedulable == cordons);
    match (cordons, is_so) {
        (true, true) => "already cordoned",
        (true, false) => "cordoned",
        (false, true) => "already uncordoned",
        (false, false) => "uncordoned",
    }
}

fn has_taint(before: &Cluster, name: &str, key: &str, effect: &str) -> bool {
    let node = before.nodes().find(|node| *node.metadata.name == *name);
    node.is_some_and(|node| node.spec.taints.iter().any(|taint| *taint.key == *key && *taint.effect == *effect))
}

const FORCED: &str = "Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.";

/// What kubectl of the cluster's release prints of a refusal.
/// Models StandardErrorMessage, k8s.io/kubectl pkg/cmd/util/helpers.go.
pub fn refused(cluster: &Cluster, refusal: &Refusal) -> String {
    let kubectl = cluster.release().kubectl();
    let printed = |error: &Error| match error {
        Error::Server(error)
            if error.reason == Reason::Invalid
                && error.details.kind.is_empty()
                && error.fields().next().is_none()
                && !kubectl.tells_invalid_requests =>
        {
            "The request is invalid\n".to_owned()
        }
        error => format!("{error}\n"),
    };
    let mut errors: Vec<Error> = Vec::new();
    for problem in &refusal.problems {
        // What is wrong with one object is told of at once.
        match (errors.last_mut(), &problem.error) {
            (Some(Error::Server(last)), Error::Server(error))
                if !error.details.kind.is_empty()
                    && (&last.details.kind, &last.details.name) == (&error.details.kind, &error.details.name) =>
            {
                last.details.causes.extend(error.details.causes.iter().cloned());
            }
            _ => errors.push(problem.error.clone()),
        }
    }
    errors.iter().map(printed).collect()
}
