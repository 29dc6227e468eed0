//! Who owns what: by name where a row says no more, and owners that are assumed to be there.

use super::tree::{Fullness, field, slot, version};
use super::{complete::All, key};
use crate::kubectl::manifest::Listed;
use crate::objects::{Kind, ObjectRef};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of an owner that no line tells: a table has no column for it.
pub(crate) const UNTOLD_OWNER: &str = "not-in-the-text";

/// Letters of the parts of names that Kubernetes makes up. Models SafeEncodeString and rand.String of apimachinery.
const LETTERS: &str = "bcdfghjklmnpqrstvwxz2456789";

fn is_made_up(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| LETTERS.contains(letter))
}

/// The name of the set, and the ordinal, of `web-0`.
pub(super) fn ordinal(name: &str) -> Option<(&str, i64)> {
    let (set, number) = name.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.len() < 7 && number.bytes().all(|byte| byte.is_ascii_digit());
    Some((set, number.parse().ok().filter(|_| is_number && !set.is_empty())?))
}

/// The name of the owner of `agent-x2x4z`.
fn of_suffix(name: &str) -> Option<&str> {
    let (owner, suffix) = name.rsplit_once('-')?;
    (suffix.len() == 5 && is_made_up(suffix) && !owner.is_empty()).then_some(owner)
}

/// The name of the Deployment, and the hash, of the ReplicaSet `api-7d4b9c6f5`.
pub(super) fn hash(name: &str) -> Option<(&str, &str)> {
    let (deployment, hash) = name.rsplit_once('-')?;
    let is_hash = (6..=10).contains(&hash.len()) && is_made_up(hash);
    (is_hash && !deployment.is_empty()).then_some((deployment, hash))
}

/// The same of releases before 1.9, whose hashes are numbers: a date or a CronJob's moment looks the same.
fn old_hash(name: &str) -> Option<&str> {
    let (deployment, hash) = name.rsplit_once('-')?;
    ((8..=10).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_digit())).then_some(deployment)
}

/// The name of the ReplicaSet of `api-249783978-0rds4`: those releases make names up of all letters.
fn of_old_suffix(name: &str) -> Option<&str> {
    let (owner, suffix) = name.rsplit_once('-')?;
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (suffix.len() == 5 && suffix.bytes().all(is_letter)).then_some(owner)
}

/// Whether a Job names its pods so. A DaemonSet does, too.
pub(in super::super) fn may_be_of_job(name: &str) -> bool {
    of_suffix(name).is_some_and(|owner| hash(owner).is_none())
}

/// The controller of an object, as kind and name.
pub(super) fn controller(value: &Value) -> Option<(&str, &str)> {
    let owners = value.pointer("/metadata/ownerReferences").and_then(Value::as_array)?;
    let is_controller = |owner: &&Value| owner.get("controller").is_some_and(|controller| controller == true);
    let owner = owners.iter().find(is_controller)?;
    let word = |name: &str| owner.get(name).and_then(Value::as_str);
    Some((word("kind")?, word("name")?))
}

fn is_workload(kind: &str) -> bool {
    Kind::ALL.iter().any(|own| own.is_workload() && own.as_str() == kind)
}

/// Kinds of owners that are assumed where the text leaves them out.
const ASSUMED: [&str; 3] = ["StatefulSet", "ReplicaSet", "DaemonSet"];

/// Whether a text has pods of workloads, and not one workload: nothing could be said of them.
pub(super) fn are_missing(objects: &[Listed]) -> bool {
    let of_kind = |listed: &&Listed| key(&listed.value)[0] == "Pod";
    let is_owned = |value: &Value| controller(value).is_some_and(|(kind, _)| ASSUMED.contains(&kind));
    let has_workload = objects.iter().any(|listed| is_workload(key(&listed.value)[0]));
    !has_workload && objects.iter().filter(of_kind).any(|listed| is_owned(&listed.value))
}

fn reference(api_version: &str, kind: &str, name: &str) -> Value {
    json!({
        "apiVersion": api_version, "kind": kind, "name": name, "uid": "", "controller": true, "blockOwnerDeletion": true,
    })
}

/// Stands for an owner of which it is not known whether there is one.
pub(super) fn untold(space: &str) -> Value {
    let mut owner = reference("v1", UNTOLD_OWNER, UNTOLD_OWNER);
    *field(&mut owner, "uid") = format!("{UNTOLD_OWNER}/{space}").into();
    owner
}

/// Names the owners of what only has a row. Of a pod whose name tells none it stays open whether it has one; so it does of a described
/// pod whose name a controller made up.
pub(super) fn name(all: &mut All) {
    let known: Vec<(String, String, String)> = all
        .values()
        .map(|value| key(value).map(str::to_owned))
        .filter(|[kind, ..]| is_workload(kind) || kind == JOB)
        .map(|[kind, space, name]| (kind, space, name))
        .collect();
    let done = done_jobs(all);
    let is_done = |space: &str, owner: &Value| {
        let name = owner.get("name").and_then(Value::as_str).unwrap_or_default();
        done.contains(&(space.to_owned(), name.to_owned()))
    };
    let is_known = |kind: &str, space: &str, name: &str| {
        known
            .iter()
            .any(|(own, in_space, named)| (own.as_str(), in_space.as_str(), named.as_str()) == (kind, space, name))
    };
    let (daemons, others, unlike, tries) = (daemons(all), others(all), unlike_sets(all), tries(all));
    for (fullness, listed) in &mut all.objects {
        let [kind, space, name] = key(&listed.value);
        let is_described = *fullness == Fullness::Described && kind == "Pod" && of_suffix(name).is_some();
        if *fullness != Fullness::Row && !is_described || controller(&listed.value).is_some() {
            continue;
        }
        let other = ordinal(name).filter(|(set, _)| kind == "Pod" && !is_known("StatefulSet", space, set));
        let other = other.and_then(|(set, _)| others.get_key_value(&(space.to_owned(), set.to_owned())));
        if let Some(((_, name), (api_version, kind))) = other {
            *slot(&mut listed.value, "metadata.ownerReferences") = json!([reference(api_version, kind, name)]);
            continue;
        }
        let owner = match kind {
            "ReplicaSet" => {
                let old = old_hash(name).filter(|deployment| is_known("Deployment", space, deployment));
                hash(name).map(|(deployment, _)| deployment).or(old).map(|deployment| ("Deployment", deployment))
            }
            "Pod" => of_pod(
                name,
                |kind, owner| is_known(kind, space, owner),
                |owner| daemons.contains_key(&(space.to_owned(), owner.to_owned())),
                |owner| !unlike.contains(&(space.to_owned(), owner.to_owned())),
            ),
            _ => None,
        };
        let owner = match owner {
            Some((kind, owner)) => reference(version(kind), kind, owner),
            None if kind == "Pod" => untold(space),
            None => continue,
        };
        let tried = of_suffix(name).and_then(|owner| tries.get(&(space.to_owned(), owner.to_owned())));
        let is_one_of_several = tried.is_some_and(|count| *count > 1) && is_try(&listed.value);
        let is_failed =
            is_one_of_several || listed.value.pointer("/status/phase").is_some_and(|phase| phase == "Failed");
        if is_failed && owner.get("kind").is_some_and(|kind| kind == JOB) && is_done(space, &owner) {
            // A try of what has come to its end since.
            continue;
        }
        let is_of_job = owner.get("kind").is_some_and(|kind| kind == JOB);
        *slot(&mut listed.value, "metadata.ownerReferences") = json!([owner]);
        // A Job starts nothing again that has ended, however often it had to be tried.
        if is_one_of_several {
            *slot(&mut listed.value, "status.phase") = "Failed".into();
        } else if is_of_job && is_completed(&listed.value) {
            *slot(&mut listed.value, "status.phase") = "Succeeded".into();
        }
    }
}

/// By namespace and name of what made them, how many pods have ended badly and were never started again. Of a Job each is one try, of
/// which there are several; what is started again is so only for a moment.
fn tries(all: &All) -> BTreeMap<(String, String), usize> {
    let mut tries = BTreeMap::new();
    for (_, listed) in all.objects.iter().filter(|(fullness, _)| *fullness == Fullness::Row) {
        let [kind, space, name] = key(&listed.value);
        if kind == "Pod"
            && is_try(&listed.value)
            && let Some(owner) = of_suffix(name).filter(|_| may_be_of_job(name))
        {
            *tries.entry((space.to_owned(), owner.to_owned())).or_default() += 1;
        }
    }
    tries
}

/// Whether the pod has failed by what runs in it, as far as its row tells: each container has ended badly, and none was started again.
fn is_try(pod: &Value) -> bool {
    let status = |field: &str| pod.pointer("/status").and_then(|status| status.get(field));
    if status("phase").is_some_and(|phase| phase == "Failed") {
        return status("reason").is_none();
    }
    let mut own = pod.pointer("/status/containerStatuses").and_then(Value::as_array).into_iter().flatten().peekable();
    let has_failed = |status: &Value| {
        let code = status.pointer("/state/terminated/exitCode").and_then(Value::as_i64);
        code.is_some_and(|code| code != 0) && status.get("restartCount").is_none_or(|count| count == 0)
    };
    own.peek().is_some() && own.all(has_failed)
}

const JOB: &str = "Job";

/// Jobs, by namespace and name, whose rows count as many completions as they ask for.
fn done_jobs(all: &All) -> BTreeSet<(String, String)> {
    let is_done = |value: &&Value| {
        let number = |path: &str| value.pointer(path).and_then(Value::as_i64);
        key(value)[0] == JOB
            && number("/status/succeeded").zip(number("/spec/completions")).is_some_and(|(n, of)| n >= of)
    };
    all.values().filter(is_done).map(|value| (key(value)[1].to_owned(), key(value)[2].to_owned())).collect()
}

/// Whether each of its containers has ended well.
fn is_completed(pod: &Value) -> bool {
    let statuses = pod.pointer("/status/containerStatuses").and_then(Value::as_array).into_iter().flatten();
    let mut ends =
        statuses.map(|status| status.pointer("/state/terminated/exitCode").and_then(Value::as_i64)).peekable();
    ends.peek().is_some() && ends.all(|code| code == Some(0))
}

/// By namespace and name, what has pods with ordinals in rows alone, and is unlike a StatefulSet: its pods never end well, and of several
/// the first is the one with ordinal 0.
fn unlike_sets(all: &All) -> BTreeSet<(String, String)> {
    let mut pods: BTreeMap<(String, String), Vec<(i64, bool)>> = BTreeMap::new();
    let rows = all.objects.iter().filter(|(fullness, _)| *fullness == Fullness::Row).map(|(_, listed)| &listed.value);
    for value in rows {
        let [kind, space, name] = key(value);
        if kind == "Pod"
            && let Some((set, number)) = ordinal(name)
        {
            let is_done = value.pointer("/status/phase").is_some_and(|phase| phase == "Succeeded");
            pods.entry((space.to_owned(), set.to_owned())).or_default().push((number, is_done));
        }
    }
    let is_unlike = |pods: &[(i64, bool)]| {
        pods.iter().all(|(_, is_done)| *is_done) || pods.len() > 1 && pods.iter().all(|(number, _)| *number > 0)
    };
    pods.into_iter().filter(|(_, pods)| is_unlike(pods)).map(|(set, _)| set).collect()
}

/// By namespace and name, the apiVersion and kind of objects whose rows count pods, and whose kind is an operator's.
fn others(all: &All) -> BTreeMap<(String, String), (String, String)> {
    let of = |value: &Value| {
        let [kind, space, name] = key(value).map(str::to_owned);
        let api_version = value.get("apiVersion")?.as_str()?;
        let (group, _) = api_version.split_once('/')?;
        let is_operators =
            group.contains('.') && !group.ends_with("k8s.io") && Kind::named(api_version, &kind).is_none();
        is_operators.then(|| ((space, name), (api_version.to_owned(), kind)))
    };
    let rows = all.objects.iter().filter(|(fullness, _)| *fullness == Fullness::Row);
    rows.filter_map(|(_, listed)| of(&listed.value)).collect()
}

/// The owner of a pod by its name: one that the text has, or else one whose pods have such names.
fn of_pod(
    name: &str,
    is_known: impl Fn(&str, &str) -> bool,
    is_daemon: impl Fn(&str) -> bool,
    is_like_set: impl Fn(&str) -> bool,
) -> Option<(&'static str, &str)> {
    let ordinal = ordinal(name).map(|(set, _)| set);
    let suffix = of_suffix(name);
    if let Some(set) = ordinal.filter(|set| is_known("StatefulSet", set)) {
        return Some(("StatefulSet", set));
    }
    if let Some(set) = of_old_suffix(name).filter(|set| is_known("ReplicaSet", set)) {
        return Some(("ReplicaSet", set));
    }
    if let Some(owner) = suffix {
        let kind = ["ReplicaSet", "DaemonSet", "CloneSet", JOB].into_iter().find(|kind| is_known(kind, owner));
        if let Some(kind) = kind {
            return Some((kind, owner));
        }
        if hash(owner).is_some() {
            return Some(("ReplicaSet", owner));
        }
        return is_daemon(owner).then_some(("DaemonSet", owner));
    }
    ordinal.filter(|set| is_like_set(set)).map(|set| ("StatefulSet", set))
}

/// Names of owners with a pod on each of several nodes, as DaemonSets have them, and no other set of names fits.
fn daemons(all: &All) -> BTreeMap<(String, String), Vec<String>> {
    let mut nodes: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for value in all.values() {
        let [kind, space, name] = key(value);
        let node = value.pointer("/spec/nodeName").and_then(Value::as_str);
        if kind == "Pod"
            && let Some(owner) = of_suffix(name).filter(|owner| hash(owner).is_none())
        {
            let own = nodes.entry((space.to_owned(), owner.to_owned())).or_default();
            own.push(node.unwrap_or_default().to_owned());
        }
    }
    let is_one_each = |nodes: &[String]| {
        let mut apart = nodes.to_vec();
        apart.sort_unstable();
        apart.dedup();
        nodes.len() > 1 && apart.len() == nodes.len() && !apart.iter().any(String::is_empty)
    };
    nodes.retain(|_, nodes| is_one_each(nodes));
    nodes
}

/// Pods that have a row alone, and a name that some controller made up: which one no line tells.
pub(super) fn unnamed(all: &All) -> impl Iterator<Item = ObjectRef> {
    let rows = all.objects.iter().filter(|(fullness, _)| *fullness == Fullness::Row).map(|(_, listed)| &listed.value);
    let is_made = |value: &&Value| {
        let [kind, _, name] = key(value);
        let phase = value.pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
        kind == "Pod"
            && of_suffix(name).is_some()
            && controller(value).is_none_or(|(_, owner)| owner == UNTOLD_OWNER)
            && !["Failed", "Succeeded"].contains(&phase)
    };
    rows.filter(is_made).map(|value| {
        let [_, namespace, name] = key(value);
        ObjectRef { kind: Kind::Pod, namespace: namespace.into(), name: name.into() }
    })
}

/// Adds the owners that the text leaves out: of pods, and then of their ReplicaSets.
pub(super) fn assume(all: &mut All) {
    let mut absent: BTreeMap<(String, String, String), Vec<usize>> = BTreeMap::new();
    for (at, (_, listed)) in all.objects.iter().enumerate() {
        let [kind, space, _] = key(&listed.value);
        if kind == "Pod"
            && let Some((kind, owner)) = controller(&listed.value)
            && ASSUMED.contains(&kind)
        {
            absent.entry((kind.to_owned(), space.to_owned(), owner.to_owned())).or_default().push(at);
        }
    }
    absent.retain(|(kind, space, name), _| all.find([kind, space, name]).is_none());
    for ((kind, space, name), pods) in absent {
        let made = match kind.as_str() {
            "StatefulSet" => stateful_set(all, &name, &pods),
            "ReplicaSet" => replica_set(all, &name, &pods),
            _ => json!({ "status": { "desiredNumberScheduled": pods.len() } }),
        };
        all.add(&kind, &space, &name, made, &pods);
    }
    deployments(all);
}

fn stateful_set(all: &All, name: &str, pods: &[usize]) -> Value {
    let ordinals = pods.iter().filter_map(|at| ordinal(key(&all.objects[*at].1.value)[2]).map(|(_, ordinal)| ordinal));
    let (first, last) = ordinals.fold((i64::MAX, 0), |(first, last), ordinal| (first.min(ordinal), last.max(ordinal)));
    let first = first.min(last);
    let mut set = json!({ "spec": { "replicas": last - first + 1, "serviceName": name } });
    if first > 0 {
        // The pods before it are not in the text: nothing can be said of them.
        *slot(&mut set, "spec.ordinals") = json!({ "start": first });
    }
    set
}

fn replica_set(all: &All, name: &str, pods: &[usize]) -> Value {
    let value = |at: &usize| &all.objects[*at].1.value;
    let is_active = |at: &&usize| {
        let phase = value(at).pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
        !["Failed", "Succeeded"].contains(&phase) && value(at).pointer("/metadata/deletionTimestamp").is_none()
    };
    let created = pods.iter().filter_map(|at| value(at).pointer("/metadata/creationTimestamp")?.as_str()).min();
    let mut set = json!({ "spec": { "replicas": pods.iter().filter(is_active).count() }, "metadata": { "creationTimestamp": created } });
    let label = pods.iter().find_map(|at| value(at).pointer("/metadata/labels/pod-template-hash")?.as_str());
    let deployment = match (hash(name), label) {
        (_, Some(label)) => name.strip_suffix(label).and_then(|name| name.strip_suffix('-')),
        (own, None) => own.map(|(deployment, _)| deployment),
    };
    if let Some(deployment) = deployment {
        *slot(&mut set, "metadata.ownerReferences") =
            json!([reference(version("Deployment"), "Deployment", deployment)]);
    }
    set
}

/// Deployments of ReplicaSets that are assumed themselves or have only a row.
fn deployments(all: &mut All) {
    let mut absent: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (at, (fullness, listed)) in all.objects.iter().enumerate() {
        let [kind, space, _] = key(&listed.value);
        if *fullness != Fullness::Whole
            && kind == "ReplicaSet"
            && let Some(("Deployment", owner)) = controller(&listed.value)
        {
            absent.entry((space.to_owned(), owner.to_owned())).or_default().push(at);
        }
    }
    absent.retain(|(space, name), _| all.find(["Deployment", space, name]).is_none());
    for ((space, name), sets) in absent {
        let wanted = sets.iter().filter_map(|at| all.objects[*at].1.value.pointer("/spec/replicas")?.as_i64());
        // How many each of two wants while one takes over from the other depends on limits that no line tells.
        let replicas = wanted.max().unwrap_or(0);
        let mut made = json!({ "spec": { "replicas": replicas } });
        if let Some(space) = sets.first().and_then(|at| all.objects[*at].1.value.pointer("/metadata/creationTimestamp"))
        {
            *field(field(&mut made, "metadata"), "creationTimestamp") = space.clone();
        }
        all.add("Deployment", &space, &name, made, &sets);
    }
}
