//! What a person does where an object refuses a change for its life: claims are changed one by one, the set is deleted around its
//! pods, and made anew. The lines are then tried as any others.

use super::line::WRITES;
use super::outcome::Outcome;
use super::rehearsal::Rehearsed;
use crate::kubectl::manifest::PatchType;
use crate::kubectl::{Command, command_line, manifest};
use crate::objects::quantity::in_nano;
use crate::objects::{Kind, Labels, Object, ObjectRef, PersistentVolumeClaim, Pod};
use crate::reconcile::parent_and_ordinal;
use crate::sim::{Cascade, Cluster};
use crate::verdict::pods;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Fields of a workload's spec that are as they were made.
const FOR_LIFE: [&str; 4] = ["volumeClaimTemplates", "serviceName", "podManagementPolicy", "selector"];
const SIZE: &str = "/spec/resources/requests/storage";
const ATTRIBUTES_CLASS: &str = "/spec/volumeAttributesClassName";

/// Lines in the place of those of which one was refused.
pub struct Way {
    /// The lines.
    pub lines: Vec<String>,
    /// The file that the first of them writes, with what is then in it.
    pub written: Option<(String, String)>,
}

/// What is done around a workload that is made anew.
#[derive(Default)]
pub struct Around {
    /// Before its manifest is applied.
    pub before: Vec<Command>,
    /// Lines after that.
    pub after: Vec<String>,
    /// ReplicaSets that the new object does not select: they stay, with so many pods.
    pub left: Vec<(Rc<str>, usize)>,
}

/// The lines with the way that works in the place of the first one that was refused for a field that is as it was made; none if
/// there is none. `start` is the cluster before all lines.
pub fn way_that_works(start: &Cluster, rehearsed: &Rehearsed) -> Option<Way> {
    let at = rehearsed.lines.iter().position(|tried| matches!(tried.outcome, Outcome::Refused(_)))?;
    let refused = rehearsed.lines.get(at)?;
    let (manifest, written) = match refused.refused.as_ref()? {
        Command::Apply { manifest } => (manifest.to_string(), None),
        Command::Patch { set, patch, how } if set.kind.is_workload() && is_replaced(&refused.line) => {
            (patched(start, set, patch, *how)?, None)
        }
        Command::Patch { set, patch, how } if set.kind.is_workload() => {
            let text = patched(start, set, patch, *how)?;
            (text.clone(), Some((format!("{}.yaml", set.name), text, patching(refused.refused.as_ref()?, set, *how)?)))
        }
        _ => return None,
    };
    let (mut plan, mut after) = (Vec::new(), Vec::new());
    for (set, spec) in sets(start, &manifest) {
        if !differing(start, &set, &spec).is_empty() {
            let around = around(start, &set, &spec);
            plan.extend(around.before.iter().map(command_line));
            after.extend(around.after);
        }
    }
    if plan.is_empty() {
        return None;
    }
    let line = |tried: &super::Tried| tried.line.clone();
    let before = rehearsed.lines.iter().take(at).map(line);
    let rest = rehearsed.lines.iter().skip(at + 1).map(line);
    let applied = match &written {
        Some((file, ..)) => format!("kubectl apply -f {file}"),
        // What was deleted is made again by apply alone.
        None if is_replaced(&refused.line) => refused.line.replacen(" replace ", " apply ", 1),
        None => refused.line.clone(),
    };
    let writing = written.iter().map(|(file, _, by)| format!("{by}{WRITES}{file}"));
    let lines = writing.chain(before).chain(plan).chain([applied]).chain(after).chain(rest).collect();
    Some(Way { lines, written: written.map(|(file, text, _)| (file, text)) })
}

/// Whether the line names the file that the workload is to be.
fn is_replaced(line: &str) -> bool {
    line.split_whitespace().nth(1) == Some("replace")
}

/// The line that prints a workload as a patch would make it.
fn patching(command: &Command, set: &ObjectRef, how: PatchType) -> Option<String> {
    let line = command_line(command);
    let (_, patch) = line.split_once(" -p ")?;
    let space = if *set.namespace == *"default" { String::new() } else { format!(" -n {}", set.namespace) };
    let how = match how {
        PatchType::Strategic => "",
        PatchType::Merge => " --type=merge",
        PatchType::Json => " --type=json",
    };
    let kind = set.kind.short_name();
    Some(format!("kubectl get {kind} {}{space} -o yaml | kubectl patch --local -f -{how} -p {patch}", set.name))
}

/// The manifest of a workload as a patch would make it.
fn patched(cluster: &Cluster, set: &ObjectRef, patch: &str, how: PatchType) -> Option<String> {
    let mut value = cluster.get(set).ok()?.to_json();
    manifest::patch(&mut value, manifest::read_patch(patch).ok()?, how, &cluster.server()).ok()?;
    let metadata = value.get("metadata")?;
    let of = |name: &str| Some((name.to_owned(), metadata.get(name)?.clone()));
    let metadata: Map<String, Value> =
        ["name", "namespace", "labels", "annotations"].into_iter().filter_map(of).collect();
    let (kind, version) = (set.kind.as_str(), set.kind.api_version());
    Some(manifest::write(&json!({
        "apiVersion": version, "kind": kind, "metadata": metadata, "spec": value.get("spec")?,
    })))
}

/// What is done so that a workload is as it is sent, though the server takes that only of a new object.
pub fn around(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> Around {
    let mut around = Around { before: claim_changes(cluster, set, sent), ..Around::default() };
    around.before.push(Command::DeleteSet { set: set.clone(), cascade: Cascade::Orphan });
    let differs = differing(cluster, set, sent);
    // A pod has the volumes and the Service that its set named when it was made. One whose volumes are not those of the set
    // fails each sync, since no update gives them to it: it is made anew by hand.
    if has_other_templates(cluster, set, sent) {
        around.after.extend(one_by_one(cluster, set));
    } else if differs.contains(&"serviceName") {
        around.after.push(command_line(&Command::Restart { set: set.clone() }));
    }
    if !differs.contains(&"selector") {
        return around;
    }
    let Ok(object) = cluster.get(set) else { return around };
    // Pods that the new selector misses would keep their names, or run beside the new ones.
    if set.kind != Kind::Deployment {
        around.before.extend(pods(cluster, object).into_iter().filter_map(|pod| relabeled(pod, sent)));
        return around;
    }
    let known = cluster.replica_sets_of(object);
    let reference = |set: &Rc<_>| Object::ReplicaSet(Rc::clone(set)).reference();
    around.after.push(status_line(set));
    for old in known {
        let old = reference(old);
        let own = cluster.get(&old).map(|object| pods(cluster, object).len()).unwrap_or_default();
        around.after.push(command_line(&Command::DeleteSet { set: old.clone(), cascade: Cascade::Background }));
        around.left.push((old.name, own));
    }
    around
}

/// The line that waits for a rollout.
fn status_line(set: &ObjectRef) -> String {
    let space = if *set.namespace == *"default" { String::new() } else { format!(" -n {}", set.namespace) };
    format!("kubectl rollout status {}/{}{space}", set.kind.short_name(), set.name)
}

/// A pod with the labels that its template is to have; none if it has them.
fn relabeled(pod: &Rc<Pod>, sent: &Value) -> Option<Command> {
    let wanted = sent["template"]["metadata"]["labels"].as_object()?;
    let has = |labels: &Labels, key: &str, value: &str| labels.get(key).is_some_and(|own| **own == *value);
    let labels: BTreeMap<Rc<str>, Option<Rc<str>>> = wanted
        .iter()
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
        .filter(|(key, value)| !has(&pod.metadata.labels, key, value))
        .map(|(key, value)| (key.into(), Some(value.into())))
        .collect();
    let object = Object::Pod(Rc::clone(pod)).reference();
    (!labels.is_empty()).then_some(Command::Label { object, labels })
}

/// Each pod of a set deleted, the first first, with time for it to be Ready before the next.
fn one_by_one(cluster: &Cluster, set: &ObjectRef) -> Vec<String> {
    let Ok(object) = cluster.get(set) else { return Vec::new() };
    let mut own = pods(cluster, object);
    own.sort_by_key(|pod| parent_and_ordinal(&pod.metadata.name).map(|(_, ordinal)| ordinal));
    let delete = |pod: &Rc<Pod>| {
        let pod = Object::Pod(Rc::clone(pod)).reference();
        ["sleep 60".to_owned(), command_line(&Command::DeletePod { pod, grace: None })]
    };
    own.into_iter().flat_map(delete).skip(1).collect()
}

/// The workloads of a manifest that are there already, with the specs that are sent.
pub fn sets(cluster: &Cluster, text: &str) -> Vec<(ObjectRef, Value)> {
    let documents = manifest::read(text, &cluster.server()).documents.into_iter();
    let of = |document: manifest::Document| {
        let kind = Kind::named(&document.api_version, &document.kind).filter(|kind| kind.is_workload())?;
        let namespace = document.value["metadata"]["namespace"].as_str().unwrap_or("default").into();
        let key = ObjectRef { kind, namespace, name: document.name.as_str().into() };
        cluster.get(&key).ok()?;
        Some((key, document.value["spec"].clone()))
    };
    documents.filter_map(of).collect()
}

fn stored_spec(cluster: &Cluster, set: &ObjectRef) -> Value {
    cluster.get(set).map(|object| object.to_json()["spec"].clone()).unwrap_or_default()
}

/// The fields for life in which the specs differ, as far as the one that is sent says something.
fn differing(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> Vec<&'static str> {
    let stored = stored_spec(cluster, set);
    let is_other = |field: &&str| match (&stored[*field], &sent[*field]) {
        (_, Value::Null) => false,
        (Value::Array(old), Value::Array(new)) => old.len() != new.len() || old.iter().zip(new).any(says_other),
        (old, new) => old != new,
    };
    FOR_LIFE.into_iter().filter(|field| is_other(field)).collect()
}

/// Whether what is sent says something that is not so: the server fills in the rest.
fn says_other((old, new): (&Value, &Value)) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            new.iter().any(|(name, new)| says_other((old.get(name).unwrap_or(&Value::Null), new)))
        }
        (Value::Array(old), Value::Array(new)) => old.len() != new.len() || old.iter().zip(new).any(says_other),
        (Value::String(old), Value::String(new)) => {
            old != new && (in_nano(old).is_none() || in_nano(old) != in_nano(new))
        }
        (old, new) => old != new,
    }
}

fn templates(spec: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = spec["volumeClaimTemplates"].as_array().into_iter().flatten();
    all.filter_map(|template| Some((template["metadata"]["name"].as_str()?, template)))
}

fn has_other_templates(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> bool {
    let stored = stored_spec(cluster, set);
    let names = |spec: &Value| templates(spec).map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    names(&stored) != names(sent)
}

/// The changes of a set's claims that make them as its templates would be, as far as the API takes them.
fn claim_changes(cluster: &Cluster, set: &ObjectRef, sent: &Value) -> Vec<Command> {
    let mut all = Vec::new();
    for (name, template) in templates(sent) {
        let prefix = format!("{name}-{}-", set.name);
        let is_own = |claim: &&Rc<PersistentVolumeClaim>| {
            let ordinal = claim.metadata.name.strip_prefix(&*prefix).map(str::parse::<u32>);
            claim.metadata.namespace == set.namespace && matches!(ordinal, Some(Ok(_)))
        };
        for claim in cluster.claims().filter(is_own) {
            if let Some(patch) = claim_change(cluster, claim, template) {
                let claim = Object::Claim(Rc::clone(claim)).reference();
                all.push(Command::patch(claim, patch.to_string().into()));
            }
        }
    }
    all
}

fn claim_change(cluster: &Cluster, claim: &PersistentVolumeClaim, template: &Value) -> Option<Value> {
    let mut spec = Map::new();
    let size = template.pointer(SIZE).and_then(Value::as_str);
    let is_larger = size.and_then(in_nano).is_some_and(|size| size > claim.requested_size());
    if is_larger && cluster.may_expand(claim) != Some(false) {
        spec.insert("resources".to_owned(), json!({ "requests": { "storage": size } }));
    }
    let class = template.pointer(ATTRIBUTES_CLASS).and_then(Value::as_str);
    if class.is_some() && claim.attributes_classes()[0] != class {
        spec.insert("volumeAttributesClassName".to_owned(), json!(class));
    }
    (!spec.is_empty() && &*claim.status.phase == "Bound").then(|| json!({ "spec": spec }))
}
