//! What kubectl prints of a command that was carried out or refused.
//! Models the printed words of k8s.io/kubectl pkg/cmd (apply, scale, set, patch, delete, rollout, label, drain, taint).

use super::text::qualified;
use super::verbs::drain;
use super::{Command, Error, Refusal, manifest};
use crate::objects::{ApiError, Kind, LAST_APPLIED, ObjectMeta, ObjectRef, Reason, warnings};
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
    let deleted_beside = |resource: &str, namespace: &str, name: &str| {
        let namespace = match kubectl.deletion_names_namespace {
            true => format!(" from {namespace} namespace"),
            false => String::new(),
        };
        format!("{resource} \"{name}\" deleted{namespace}\n")
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
        Command::Patch { set, .. } => patched(set),
        Command::RollBack { set, .. } => of_set(set, "rolled back"),
        Command::Recreate { set, .. } => deleted(set, "deleted") + &of_set(set, "created"),
        Command::SetEnv { set, .. } if is_unchanged(before, after, set) => String::new(),
        Command::SetEnv { set, .. } => of_set(set, "env updated"),
        Command::Annotate { object, .. } => of_set(object, "annotated"),
        Command::PatchBeside { of, namespace, name, .. } => {
            let [old, new] = [before, after].map(|cluster| of.stored(cluster, namespace, name));
            let unchanged = if old == new { " (no change)" } else { "" };
            format!("{}/{name} patched{unchanged}\n", of.qualified())
        }
        Command::DeleteBeside { of, namespace, name } => deleted_beside(&of.qualified(), namespace, name),
        Command::Autoscale { name, .. } => format!("horizontalpodautoscaler.autoscaling/{name} autoscaled\n"),
        Command::Label { object, labels } => labeled(before, object, labels),
        Command::DeletePod { pod, grace: Some(0) } => deleted(pod, "force deleted"),
        Command::DeletePod { pod: object, .. }
        | Command::DeleteClaim { claim: object }
        | Command::DeleteSet { set: object, .. } => deleted(object, "deleted"),
        Command::RemoveNode { node } => format!("node \"{node}\" deleted\n"),
        Command::Cordon { node } => of_node(node, cordoned(before, node, true)),
        Command::Uncordon { node } => of_node(node, cordoned(before, node, false)),
        Command::Drain { node, how } => {
            of_node(node, cordoned(before, node, true)) + &drain::evicting(before, node, how)
        }
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

/// What a drain has printed by now, given the cluster as it was before it; none if it is another command.
pub fn drained_so_far(before: &Cluster, now: &Cluster, command: &Command) -> Option<String> {
    let Command::Drain { node, how } = command else { return None };
    Some(format!("node/{node} {}\n", cordoned(before, node, true)) + &drain::told(before, now, node, how))
}

/// What kubectl says of a line before it does any of it.
pub fn beforehand(cluster: &Cluster, commands: &[Command]) -> String {
    let is_forced = |command: &Command| matches!(command, Command::DeletePod { grace: Some(0), .. });
    let mut text = match commands.iter().any(is_forced) {
        true => format!("{}: {FORCED}\n", cluster.release().kubectl().deletion_warning),
        false => String::new(),
    };
    for command in commands {
        if let Command::RollBack { set, .. } = command {
            text.push_str(&undo_warning(cluster, set));
        }
    }
    text
}

/// `created`, `configured` or `unchanged`, for each document, with what the server warns of.
fn applied(before: &Cluster, after: &Cluster, text: &str) -> String {
    let line = |document: manifest::Document| {
        let word = |field: &str| document.value["metadata"][field].as_str().unwrap_or_default().into();
        let (namespace, name): (Rc<str>, Rc<str>) = (word("namespace"), word("name"));
        let Some(kind) = Kind::named(&document.api_version, &document.kind) else {
            return beside(before, after, &document.kind, &namespace, &name);
        };
        let key = ObjectRef { kind, namespace, name };
        let did = match before.get(&key) {
            Err(_) => "created",
            Ok(_) if is_unchanged(before, after, &key) => "unchanged",
            Ok(_) => "configured",
        };
        let warned: Vec<String> = match after.get(&key) {
            Ok(object) if did != "unchanged" => warnings(object, &after.server()),
            _ => Vec::new(),
        };
        let warned: String = warned.iter().map(|warning| format!("Warning: {warning}\n")).collect();
        Some(format!("{warned}{}/{} {did}\n", qualified(kind), key.name))
    };
    manifest::read(text, &before.server()).documents.into_iter().filter_map(line).collect()
}

/// The same of what stands beside the workloads.
fn beside(before: &Cluster, after: &Cluster, kind: &str, namespace: &str, name: &str) -> Option<String> {
    fn did<T: PartialEq>(find: impl Fn(&Cluster) -> Option<T>, before: &Cluster, after: &Cluster) -> &'static str {
        match (find(before), find(after)) {
            (None, _) => "created",
            (before, after) if before == after => "unchanged",
            _ => "configured",
        }
    }
    let namespace = if namespace.is_empty() { "default" } else { namespace };
    let is_named = |metadata: &ObjectMeta| *metadata.name == *name && *metadata.namespace == *namespace;
    let budget = |cluster: &Cluster| {
        let found = cluster.all_disruption_budgets().find(|budget| is_named(&budget.metadata));
        found.map(|budget| (budget.metadata.labels.clone(), budget.spec.clone()))
    };
    let volume = |cluster: &Cluster| cluster.volumes().into_iter().find(|volume| *volume.metadata.name == *name);
    let service = |cluster: &Cluster| cluster.services().find(|service| is_named(&service.metadata)).cloned();
    let (resource, did) = match kind {
        "PodDisruptionBudget" => ("poddisruptionbudget.policy", did(budget, before, after)),
        "PersistentVolume" => ("persistentvolume", did(volume, before, after)),
        "Service" => ("service", did(service, before, after)),
        "ResourceQuota" => {
            let quota = |cluster: &Cluster| cluster.resource_quota(namespace, name).map(|quota| quota.spec.clone());
            ("resourcequota", did(quota, before, after))
        }
        "HorizontalPodAutoscaler" => {
            let own = |cluster: &Cluster| cluster.autoscaler(namespace, name).map(|own| own.spec.clone());
            ("horizontalpodautoscaler.autoscaling", did(own, before, after))
        }
        "LimitRange" => {
            let range = |cluster: &Cluster| cluster.limit_range(namespace, name).map(|range| range.spec.clone());
            ("limitrange", did(range, before, after))
        }
        _ => return None,
    };
    Some(format!("{resource}/{name} {did}\n"))
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

/// How the decoder begins what it says of fields that it does not know.
const STRICT: &str = "strict decoding error: ";

/// What kubectl of the cluster's release prints of a command that was refused.
/// Models StandardErrorMessage, k8s.io/kubectl pkg/cmd/util/helpers.go.
pub fn refused(cluster: &Cluster, command: &Command, refusal: &Refusal) -> String {
    let kubectl = cluster.release().kubectl();
    let printed = |error: &Error| match error {
        // NewGenericServerResponse, apimachinery pkg/api/errors, keeps nothing of what was wrong.
        Error::Server(error)
            if error.reason == Reason::Invalid && error.details.kind.is_empty() && error.fields().next().is_none() =>
        {
            match kubectl.tells_invalid_requests {
                true => "The request is invalid: the server rejected our request due to an error in our request\n",
                false => "The request is invalid\n",
            }
            .to_owned()
        }
        Error::Server(error) => format!("{}\n", Error::Server(framed(cluster, command, error))),
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
            (Some(Error::Server(last)), Error::Server(error))
                if last.message.starts_with(STRICT) && error.message.starts_with(STRICT) =>
            {
                last.message = format!("{}, {}", last.message, &error.message[STRICT.len()..]);
            }
            _ => errors.push(problem.error.clone()),
        }
    }
    errors.iter().map(printed).collect()
}

/// The error with the frames that the server and kubectl put around what is wrong with a new object.
/// Models transformDecodeError, apiserver pkg/endpoints/handlers/rest.go, and AddSourceToErr, k8s.io/kubectl pkg/cmd/util/helpers.go.
fn framed(cluster: &Cluster, command: &Command, error: &ApiError) -> ApiError {
    let Command::Apply { manifest } = command else { return error.clone() };
    let [object] = &manifest::values(manifest)[..] else { return error.clone() };
    let [version, kind] = ["apiVersion", "kind"].map(|field| object[field].as_str().unwrap_or_default());
    let word = |field: &str| object["metadata"][field].as_str();
    let key = Kind::named(version, kind).map(|kind| ObjectRef {
        kind,
        namespace: word("namespace").unwrap_or("default").into(),
        name: word("name").unwrap_or_default().into(),
    });
    if error.reason == Reason::Invalid || key.is_none_or(|key| cluster.get(&key).is_ok()) {
        return error.clone();
    }
    let version = version.rsplit('/').next().unwrap_or_default();
    let decoding = match error.message.starts_with(STRICT) {
        true => format!("{kind} in version \"{version}\" cannot be handled as a {kind}: "),
        false => String::new(),
    };
    ApiError { message: format!("error when creating \"STDIN\": {decoding}{}", error.message), ..error.clone() }
}
