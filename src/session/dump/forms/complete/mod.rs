//! What rows and descriptions leave out, taken from the rest of the text or assumed: templates, labels, images, nodes, revisions.

mod claims;
mod pods;
mod stateful;
mod template;
mod told;

use super::owners::{self, controller};
use super::progress::ROLLED_OUT;
use super::tree::{Fullness, field, kind_of, simulated, slot, version};
use super::{About, Joined, Listed, key};
use crate::kubectl::manifest::{Piece, Places};
use crate::objects::defaults::filled_template;
use crate::objects::{Json as _, Kind, ObjectRef, PodTemplateSpec, Time};
use crate::text::Text;
use pods::{fill_pods, identities, on_lost_nodes, placed};
use serde_json::{Map, Value, json};
pub(crate) use stateful::is_revision_assumed;
use stateful::{REVISION_HASH, revised, stateful};
use std::collections::{BTreeMap, BTreeSet};
pub(crate) use template::is_image_assumed;
use template::template;

/// Every object of a text, and what is assumed of them.
pub(super) struct All {
    pub(super) objects: Vec<(Fullness, Listed)>,
    made: Time,
    assumptions: Vec<(About, Text)>,
    guessed: BTreeSet<ObjectRef>,
    thin: BTreeSet<ObjectRef>,
    /// Where those are that have a controller of this kind, namespace and name, of so many of the objects.
    owned: BTreeMap<[String; 3], Vec<usize>>,
    indexed: usize,
}

impl All {
    pub(super) fn values(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().map(|(_, listed)| &listed.value)
    }

    /// Where the object of this kind, namespace and name is.
    pub(super) fn find(&self, of: [&str; 3]) -> Option<usize> {
        self.objects.iter().position(|(_, listed)| key(&listed.value) == of)
    }

    /// Adds a workload that the text does not have, beside the first of what it owns.
    pub(super) fn add(&mut self, kind: &str, space: &str, name: &str, mut value: Value, owned: &[usize]) {
        let line = owned.first().map_or(1, |at| self.objects[*at].1.line);
        *field(&mut value, "apiVersion") = version(kind).into();
        *field(&mut value, "kind") = kind.into();
        let metadata = field(&mut value, "metadata");
        for (name, word) in [("name", name), ("namespace", space)] {
            if !word.is_empty() {
                *field(metadata, name) = word.into();
            }
        }
        *field(metadata, "generation") = 1.into();
        if metadata.get("creationTimestamp").is_none_or(Value::is_null) {
            let created = owned
                .iter()
                .filter_map(|at| self.objects[*at].1.value.pointer("/metadata/creationTimestamp")?.as_str());
            let first = created.min().map_or_else(|| self.made.to_string(), str::to_owned);
            *field(metadata, "creationTimestamp") = first.into();
        }
        *slot(&mut value, "status.observedGeneration") = 1.into();
        let wants_none = value.pointer("/spec/replicas").is_some_and(|wanted| *wanted == 0);
        // No line of the text says it: it has no place there.
        let piece = Piece::told(0..0, 0, Value::Null, Places::default());
        self.objects.push((Fullness::Guessed, Listed { line, value, piece }));
        if let Some(kind) = simulated(kind) {
            self.guessed.insert(ObjectRef { kind, namespace: space.into(), name: name.into() });
        }
        if kind == "ReplicaSet" {
            return;
        }
        self.note(match wants_none {
            true => text!(
                "{} {} is there, and has others in the place of its pods that end: the text has these alone.",
                kind,
                name
            ),
            false => {
                text!("{} {} is there and wants the pods that the text shows: the text has them alone.", kind, name)
            }
        });
    }

    fn note(&mut self, text: Text) {
        let about = About::Unsaid(text.to_string().into());
        self.assumptions.push((about, text));
    }

    /// Where the pods, or ReplicaSets, of a workload are.
    fn owned(&self, of: [&str; 3]) -> Vec<usize> {
        let is_its = |value: &Value| key(value)[1] == of[1] && controller(value) == Some((of[0], of[2]));
        let known = self.owned.get(&of.map(str::to_owned)).into_iter().flatten().copied();
        let added = self.objects.iter().enumerate().skip(self.indexed);
        known.chain(added.filter(|(_, (_, listed))| is_its(&listed.value)).map(|(at, _)| at)).collect()
    }

    /// Notes the owners of objects that were added.
    fn index(&mut self) {
        for at in self.indexed..self.objects.len() {
            let value = &self.objects[at].1.value;
            if let Some((kind, name)) = controller(value) {
                let owner = [kind, key(value)[1], name].map(str::to_owned);
                self.owned.entry(owner).or_default().push(at);
            }
        }
        self.indexed = self.objects.len();
    }
}

/// Completes what forms told of.
pub(super) fn complete(objects: Vec<(Fullness, Listed)>, made: Time, behind: &[([String; 2], i64)]) -> Joined {
    let mut all = All {
        objects,
        made,
        assumptions: Vec::new(),
        guessed: BTreeSet::new(),
        thin: BTreeSet::new(),
        owned: BTreeMap::new(),
        indexed: 0,
    };
    told::add(&mut all);
    pods::unspecified(&mut all);
    claims::mount(&mut all);
    owners::name(&mut all);
    owners::assume(&mut all);
    for kind in ["StatefulSet", "DaemonSet", "Deployment", "ReplicaSet", "CloneSet"] {
        let workloads: Vec<usize> =
            (0..all.objects.len()).filter(|at| key(&all.objects[*at].1.value)[0] == kind).collect();
        for at in workloads {
            all.index();
            workload(&mut all, at);
        }
    }
    for ([space, name], updated) in behind {
        all.guessed.insert(ObjectRef {
            kind: Kind::StatefulSet,
            namespace: space.as_str().into(),
            name: name.as_str().into(),
        });
        all.note(text!(
            "kubectl rollout status counts {} pods of {} with its new template, and no line tells which.",
            *updated,
            name
        ));
    }
    identities(&mut all);
    placed(&mut all);
    on_lost_nodes(&mut all);
    let rows =
        all.objects.iter().filter(|(fullness, listed)| *fullness == Fullness::Row && key(&listed.value)[0] == "Pod");
    let rows: Vec<ObjectRef> = rows
        .map(|(_, listed)| {
            let [_, namespace, name] = key(&listed.value);
            ObjectRef { kind: Kind::Pod, namespace: namespace.into(), name: name.into() }
        })
        .collect();
    let made: Vec<ObjectRef> = owners::unnamed(&all).collect();
    all.thin.extend(rows);
    all.guessed.extend(made);
    let All { objects, assumptions, guessed, thin, .. } = all;
    let listed = objects.into_iter().map(|(_, listed)| listed).collect();
    Joined { listed, assumptions, guessed, thin, ..Joined::default() }
}

fn labels_at<'v>(value: &'v Value, path: &str) -> Option<&'v Map<String, Value>> {
    value.pointer(path).and_then(Value::as_object).filter(|labels| !labels.is_empty())
}

/// What the API server gives a Deployment that names no strategy: a row does not show it.
fn default_strategy() -> Value {
    json!({ "type": "RollingUpdate", "rollingUpdate": { "maxSurge": "25%", "maxUnavailable": "25%" } })
}

/// Fills in what a workload lacks, and what its pods then lack.
fn workload(all: &mut All, at: usize) {
    let (fullness, value) = (all.objects[at].0, all.objects[at].1.value.clone());
    let [kind, space, name] = key(&value);
    let owned = all.owned([kind, space, name]);
    let by_set: Vec<Vec<usize>> = match kind {
        "Deployment" => {
            newest_first(all, &owned).iter().map(|set| all.owned(key(&all.objects[*set].1.value))).collect()
        }
        _ => vec![owned],
    };
    let pods = by_set.concat();
    let has_row = |at: &usize| all.objects[*at].0 == Fullness::Row;
    if matches!(fullness, Fullness::Progress | Fullness::Row) || pods.iter().any(has_row) {
        let kind = kind_of(&value);
        all.thin.extend(kind.map(|kind| ObjectRef { kind, namespace: space.into(), name: name.into() }));
    }
    if fullness == Fullness::Row {
        doubt(all, &value, &pods);
        if kind == "Deployment" && pods.is_empty() && is_complete(&value) {
            // It prints updatedReplicas, and not the replicas of all templates, which a complete one has as many of.
            all.note(text!(
                "A row does not count the pods of older templates: that of {} looks the same while its last new pod does not get ready.",
                name
            ));
        }
    }
    if fullness != Fullness::Whole {
        let made = filled(template(all, at, &pods));
        let is_tolerant = fullness == Fullness::Row && wants_lost_nodes(all, &value);
        if is_tolerant {
            all.note(text!("{} tolerates every taint: it wants pods on nodes that are not Ready.", name));
        }
        let own = &mut all.objects[at].1.value;
        *slot(own, "spec.template") = made;
        if is_tolerant {
            *slot(own, "spec.template.spec.tolerations") = json!([{ "operator": "Exists" }]);
        }
        if labels_at(own, "/spec/selector/matchLabels").is_none() {
            let labels = own.pointer("/spec/template/metadata/labels").cloned().unwrap_or_default();
            *slot(own, "spec.selector.matchLabels") = labels;
        }
        if kind == "Deployment" && own.pointer("/spec/strategy").is_none_or(Value::is_null) {
            *slot(own, "spec.strategy") = default_strategy();
        }
        counts(all, at, &by_set);
    }
    told_apart(all, &value, &by_set);
    if kind_of(&value) == Some(Kind::AdvancedStatefulSet) {
        name_version(all, &value, &pods);
    }
    match kind {
        "StatefulSet" => stateful(all, at, &pods),
        "DaemonSet" | "CloneSet" => revised(all, at, &pods),
        "Deployment" => return,
        _ => {}
    }
    fill_pods(all, at, &pods);
}

/// Whether the row of a DaemonSet counts more nodes than are Ready, and not more than there are: its pods tolerate what those that are not
/// Ready are tainted with.
fn wants_lost_nodes(all: &All, value: &Value) -> bool {
    let nodes = || all.values().filter(|value| key(value)[0] == "Node");
    let ready = nodes().filter(|node| holds(node, "Ready", "True")).count();
    let wanted = value.pointer("/status/desiredNumberScheduled").and_then(Value::as_u64);
    let wanted = wanted.and_then(|wanted| usize::try_from(wanted).ok());
    wanted.is_some_and(|wanted| (ready + 1..=nodes().count()).contains(&wanted))
}

/// Whether a Deployment's row counts as many pods of its template, and as many that are available, as it asks for.
fn is_complete(value: &Value) -> bool {
    let number = |path: &str| value.pointer(path).and_then(Value::as_i64);
    let wanted = number("/spec/replicas").filter(|wanted| *wanted > 0);
    wanted.is_some() && wanted == number("/status/updatedReplicas") && wanted == number("/status/availableReplicas")
}

/// A template as the API server stores it: one that a command writes later is compared with it.
fn filled(template: Value) -> Value {
    let read = PodTemplateSpec::from_json(template.clone()).and_then(|template| filled_template(&template));
    read.map_or(template, |template| template.to_json())
}

/// ReplicaSets, the one that was made last first. Ages are cut to their unit: of several that are as old, the first is the one with as
/// many pods as the Deployment counts of its newest template.
fn newest_first(all: &All, sets: &[usize]) -> Vec<usize> {
    let mut sets = sets.to_vec();
    let value = |at: &usize| &all.objects[*at].1.value;
    let created =
        |at: &usize| value(at).pointer("/metadata/creationTimestamp").and_then(Value::as_str).unwrap_or_default();
    let deployment = sets.first().and_then(|at| {
        let own = value(at);
        all.find(["Deployment", key(own)[1], controller(own)?.1])
    });
    let updated = deployment.and_then(|at| value(&at).pointer("/status/updatedReplicas")?.as_i64());
    let is_counted = |at: &usize| {
        let pods = value(at).pointer("/status/replicas").and_then(Value::as_i64).unwrap_or(0);
        updated == Some(pods)
    };
    sets.sort_by(|one, other| (created(other), is_counted(other)).cmp(&(created(one), is_counted(one))));
    sets
}

/// Whether a condition has this status.
fn holds(value: &Value, kind: &str, status: &str) -> bool {
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    conditions.into_iter().any(|condition| {
        let is = |name: &str, word: &str| condition.get(name).is_some_and(|own| own == word);
        is("type", kind) && is("status", status)
    })
}

/// Whether its last rollout has ended: so many pods as it asks for were there.
fn is_rolled_out(value: &Value) -> bool {
    let conditions = value.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten();
    conditions.into_iter().any(|condition| condition.get("reason").is_some_and(|reason| reason == ROLLED_OUT))
}

/// Nothing is known of a workload whose row counts fewer Ready pods than have all their containers ready: a pod's own row does not show
/// its readiness gates, nor that its node is lost.
fn doubt(all: &mut All, value: &Value, pods: &[usize]) {
    let ready = pods.iter().filter(|at| holds(&all.objects[**at].1.value, "Ready", "True")).count();
    let counted = ["readyReplicas", "availableReplicas", "numberReady", "numberAvailable"];
    let counted = counted.iter().filter_map(|name| value.pointer(&format!("/status/{name}"))?.as_i64()).min();
    let Some(counted) = counted.filter(|counted| usize::try_from(*counted).is_ok_and(|counted| counted < ready)) else {
        return;
    };
    let [_, space, name] = key(value);
    if let Some(kind) = kind_of(value) {
        all.guessed.insert(ObjectRef { kind, namespace: space.into(), name: name.into() });
    }
    all.note(text!(
        "{} counts {} pods that are Ready, and of {} all containers are: a readiness gate, or a node that is not Ready, makes the difference.",
        name,
        counted,
        ready
    ));
}

/// How many pods a workload without ordinals counts as new, if not all of them.
fn partly_updated(value: &Value) -> Option<i64> {
    let (updated, there) = match key(value)[0] {
        "DaemonSet" => ("updatedNumberScheduled", "currentNumberScheduled"),
        "CloneSet" => ("updatedReplicas", "replicas"),
        _ if kind_of(value) == Some(Kind::AdvancedStatefulSet) => ("updatedReplicas", "replicas"),
        _ => return None,
    };
    let count = |name: &str| value.pointer(&format!("/status/{name}")).and_then(Value::as_i64);
    count(updated).filter(|updated| count(there).is_some_and(|there| *updated < there))
}

/// Nothing is known of a workload that counts some of its pods as new, if no line tells which: those of a CloneSet are updated in place, so
/// that their ages do not tell either, and a row has no revision. Those of a Deployment have it in their names.
fn told_apart(all: &mut All, value: &Value, by_set: &[Vec<usize>]) {
    let [kind, space, name] = key(value);
    let is_told = |at: &usize| all.objects[*at].1.value.pointer(&format!("/metadata/labels/{REVISION_HASH}")).is_some();
    // Those that have ended or go are of no count.
    let is_live = |at: &&usize| {
        let pod = &all.objects[**at].1.value;
        let phase = pod.pointer("/status/phase").and_then(Value::as_str).unwrap_or_default();
        !["Failed", "Succeeded"].contains(&phase) && pod.pointer("/metadata/deletionTimestamp").is_none()
    };
    let of_one_set = || match by_set {
        [pods] if kind == "Deployment" => {
            let updated = value.pointer("/status/updatedReplicas").and_then(Value::as_i64)?;
            let live = pods.iter().filter(is_live).count();
            usize::try_from(updated).is_ok_and(|updated| updated < live).then_some(updated)
        }
        _ => None,
    };
    let partly = partly_updated(value).filter(|_| by_set.iter().flatten().any(|at| !is_told(at)));
    let Some(updated) = partly.or_else(of_one_set) else { return };
    if let Some(kind) = kind_of(value) {
        all.guessed.insert(ObjectRef { kind, namespace: space.into(), name: name.into() });
    }
    all.note(text!("{} counts {} pods of its new template, and no line tells which.", name, updated));
}

/// Rows of pods name an owner of Kubernetes' own group, where another has a kind of that name.
fn name_version(all: &mut All, owner: &Value, pods: &[usize]) {
    let version = owner.get("apiVersion").cloned().unwrap_or_default();
    for at in pods.iter().copied().filter(|at| all.objects[*at].0 == Fullness::Row).collect::<Vec<_>>() {
        *slot(&mut all.objects[at].1.value, "metadata.ownerReferences[0].apiVersion") = version.clone();
    }
}

/// How many pods there are, where no line counts them; of a Deployment those of each ReplicaSet, the newest first.
fn counts(all: &mut All, at: usize, by_set: &[Vec<usize>]) {
    let (pods, updated) = (by_set.concat(), by_set.first().map_or(0, Vec::len));
    let is_ready = |at: &&usize| holds(&all.objects[**at].1.value, "Ready", "True");
    let ready = pods.iter().filter(is_ready).count();
    let value = &all.objects[at].1.value;
    let [kind, space, name] = key(value).map(str::to_owned);
    let wanted = if kind == "DaemonSet" { "/status/desiredNumberScheduled" } else { "/spec/replicas" };
    if value.pointer(wanted).is_none() && !is_rolled_out(value) {
        if let Some(kind) = kind_of(value) {
            all.guessed.insert(ObjectRef { kind, namespace: space.as_str().into(), name: name.as_str().into() });
        }
        all.note(text!("No line tells how many pods {} asks for: those that the text shows are taken for all.", name));
    }
    let value = &mut all.objects[at].1.value;
    let all_of =
        [("status.replicas", pods.len()), ("status.readyReplicas", ready), ("status.availableReplicas", ready)];
    let daemons = [
        ("status.desiredNumberScheduled", pods.len()),
        ("status.currentNumberScheduled", pods.len()),
        ("status.updatedNumberScheduled", pods.len()),
        ("status.numberReady", ready),
        ("status.numberAvailable", ready),
    ];
    let deployment = [("status.updatedReplicas", updated)];
    let numbers = match &*kind {
        "DaemonSet" => daemons.to_vec(),
        "Deployment" => [&all_of[..], &deployment].concat(),
        _ => all_of.to_vec(),
    };
    for (path, number) in numbers {
        let found = super::super::field(value, path);
        if found.is_null() {
            *slot(value, path) = number.into();
        }
    }
    if kind != "DaemonSet" && value.pointer("/spec/replicas").is_none() {
        *slot(value, "spec.replicas") = pods.len().into();
    }
}
