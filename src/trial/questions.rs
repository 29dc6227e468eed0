//! What people ask before they act, as lines about what is there: to be tried as they are, or changed first.

use super::maintenance::Maintenance;
use crate::kubectl::{Command, command_line, manifest};
use crate::objects::{Kind, Object, ObjectRef};
use crate::releases::Release;
use crate::session::Session;
use crate::sim::{Cascade, Cluster};
use crate::text::Text;
use crate::verdict::pods;
use serde_json::{Value, json};
use std::rc::Rc;

/// An image that nobody has, so that what happens to it happens to nothing else.
const NEW_IMAGE: &str = "registry.example/new:2";
/// Milliseconds that a node is away which is upgraded.
const AWAY_MS: i64 = 300_000;

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What is asked.
    pub asks: Text,
    /// The lines that are tried for it, one below the other.
    pub lines: String,
}

impl Question {
    fn new(asks: Text, lines: impl IntoIterator<Item = String>) -> Self {
        Self { asks, lines: lines.into_iter().collect::<Vec<_>>().join("\n") }
    }
}

/// The lines that drain these nodes one by one, each back after five minutes.
fn one_by_one(nodes: &[String]) -> Vec<String> {
    Maintenance { at_once: 1, back: Some(AWAY_MS), timeout: None, force: false }.lines(nodes)
}

/// The lines that drain a node.
pub fn drain(node: &str) -> Vec<String> {
    Maintenance { at_once: 1, back: None, timeout: None, force: false }.lines(&[node.to_owned()])
}

/// What can be asked of a run about a workload of it, as far as it has what each is about.
pub fn questions(session: &Session, workload: Option<&ObjectRef>) -> Vec<Question> {
    let cluster = session.cluster();
    let object = workload.and_then(|workload| cluster.get(workload).ok());
    let mut all = Vec::new();
    if let Some(object) = object {
        let own = Own { object, set: object.reference(), value: object.to_json() };
        all.extend(own.rollouts());
        all.extend(own.scale_in());
        all.extend(own.storage());
        all.extend(own.moves());
    }
    all.extend(nodes(cluster, object));
    all.extend(next_release(session.release()));
    all.extend(object.and_then(|object| arrives(cluster, object)));
    all
}

/// About nodes; first about one that has a pod of the workload.
fn nodes(cluster: &Cluster, object: Option<&Object>) -> Vec<Question> {
    let names: Vec<String> = cluster.nodes().map(|node| node.metadata.name.to_string()).collect();
    let busy = object.into_iter().flat_map(|object| pods(cluster, object)).map(|pod| pod.spec.node_name.to_string());
    let Some(node) = busy.chain(names.iter().cloned()).find(|name| names.contains(name)) else { return Vec::new() };
    let labels = cluster.nodes().find(|own| *own.metadata.name == node).map(|own| &own.metadata.labels);
    let zone = labels.and_then(|labels| labels.get(zone_label_of(cluster))).map(|zone| {
        Question::new(text!("A zone loses power: {}", &**zone), [format!("setscope fail zone {zone} power")])
    });
    let mut all = vec![
        Question::new(text!("A node is drained: {}", &*node), drain(&node)),
        Question::new(text!("All nodes are drained, one by one"), one_by_one(&names)),
    ];
    all.extend(zone);
    all.push(Question::new(text!("A node loses power: {}", &*node), [format!("setscope fail node {node} power")]));
    all
}

/// What stands before the name of a release that the control plane shall have.
pub(crate) const RELEASE_LINE: &str = "setscope release --to ";

/// The release after this one, if one is known.
fn next_release(release: Release) -> Option<Question> {
    let next = Release::ALL.into_iter().skip_while(|known| *known != release).nth(1)?;
    let line = format!("{RELEASE_LINE}{}", next.name());
    Some(Question::new(text!("The control plane goes on to {}", next.name()), [line]))
}

/// The label that says in which zone a node is.
fn zone_label_of(cluster: &Cluster) -> &'static str {
    let labels = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];
    let has = |label: &&str| cluster.nodes().any(|node| node.metadata.labels.get(label).is_some());
    labels.into_iter().find(has).unwrap_or(labels[0])
}

/// A pod of a higher priority that asks for all that the node of one of the workload's pods has of the processor.
fn arrives(cluster: &Cluster, object: &Object) -> Option<Question> {
    let pod = pods(cluster, object).into_iter().find(|pod| !pod.spec.node_name.is_empty())?;
    let node = cluster.nodes().find(|node| node.metadata.name == pod.spec.node_name)?;
    let value = Object::Node(Rc::clone(node)).to_json();
    let cpu = value.pointer("/status/allocatable/cpu").and_then(Value::as_str).unwrap_or("4");
    let name = "important";
    let class = json!({
        "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": { "name": name }, "value": 1_000_000,
    });
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": name, "namespace": &*pod.metadata.namespace },
        "spec": {
            "priorityClassName": name,
            "containers": [{ "name": "main", "image": NEW_IMAGE, "resources": { "requests": { "cpu": cpu } } }],
        },
    });
    let text = [class, pod].map(|value| manifest::write(&value)).join("---\n");
    Some(Question::new(text!("Something of a higher priority arrives"), [apply(&text)]))
}

fn apply(text: &str) -> String {
    format!("kubectl apply -f - <<EOF\n{text}EOF")
}

/// A workload that is asked about.
struct Own<'a> {
    object: &'a Object,
    set: ObjectRef,
    value: Value,
}

impl Own<'_> {
    fn patch(&self, patch: &Value) -> String {
        command_line(&Command::patch(self.set.clone(), patch.to_string().into()))
    }

    fn restart(&self) -> String {
        command_line(&Command::Restart { set: self.set.clone() })
    }

    fn scale(&self, replicas: i32) -> String {
        command_line(&Command::Scale { set: self.set.clone(), replicas })
    }

    fn is(&self, kinds: &[Kind]) -> bool {
        kinds.contains(&self.set.kind)
    }

    /// Changes of its template, and what is none.
    fn rollouts(&self) -> Vec<Question> {
        let mut all = Vec::new();
        let container = self.value.pointer("/spec/template/spec/containers/0/name").and_then(Value::as_str);
        let native = self.is(&[Kind::StatefulSet, Kind::Deployment, Kind::DaemonSet]);
        let ObjectRef { kind, namespace, name } = &self.set;
        let space = if **namespace == *"default" { String::new() } else { format!(" -n {namespace}") };
        let short = kind.short_name();
        if let Some(container) = container.filter(|_| native) {
            let image =
                Command::SetImage { set: self.set.clone(), container: container.into(), image: NEW_IMAGE.into() };
            let lines = [
                format!("setscope image {NEW_IMAGE} never-ready"),
                command_line(&image),
                "sleep 60".to_owned(),
                command_line(&Command::RollBack { set: self.set.clone(), to: 0 }),
            ];
            all.push(Question::new(text!("A new image never gets Ready, and is rolled back"), lines));
            let metadata = ["label", "annotate"].map(|verb| format!("kubectl {verb} {short} {name}{space} note=why"));
            all.push(Question::new(text!("A label and an annotation of it are changed"), metadata));
            let resources = format!("kubectl set resources {short} {name}{space} --limits=cpu=200m");
            all.push(Question::new(text!("Resources of its containers are changed"), [resources]));
        }
        if self.is(&[Kind::StatefulSet]) {
            let two = json!({ "spec": { "updateStrategy": {
                "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 2 },
            } } });
            all.push(Question::new(text!("It is restarted with maxUnavailable 2"), [self.patch(&two), self.restart()]));
        }
        all
    }

    fn scale_in(&self) -> Option<Question> {
        let replicas = self.object.desired();
        if replicas < 2 || self.is(&[Kind::DaemonSet]) {
            return None;
        }
        let fewer = replicas - 1;
        Some(Question::new(text!("It is scaled in to {}, by a person or an autoscaler", fewer), [self.scale(fewer)]))
    }

    /// Changes of its claim templates.
    fn storage(&self) -> Vec<Question> {
        let path = |rest: &str| format!("/spec/volumeClaimTemplates/0{rest}");
        let Some(template) = self.value.pointer(&path("")).filter(|_| self.is(&[Kind::StatefulSet])) else {
            return Vec::new();
        };
        let one = |op: &str, at: String, value: Value| json!({ "op": op, "path": at, "value": value });
        let mut all = Vec::new();
        let size = template.pointer("/spec/resources/requests/storage").and_then(Value::as_str).and_then(twice);
        if let Some(size) = size {
            let larger = self.patch(&json!([one("replace", path("/spec/resources/requests/storage"), json!(size))]));
            let more = self.scale(self.object.desired().saturating_add(1));
            all.push(Question::new(text!("Its volumes shall be larger: {}", &*size), [larger.clone()]));
            all.push(Question::new(text!("Larger volumes, and then one more pod"), [larger, more]));
        }
        let class = template.pointer("/spec/storageClassName").and_then(Value::as_str);
        let other = if class == Some("fast") { "standard" } else { "fast" };
        let class = one("add", path("/spec/storageClassName"), json!(other));
        let attributes = one("add", path("/spec/volumeAttributesClassName"), json!("gold"));
        all.push(Question::new(text!("Its volumes shall be of another class"), [self.patch(&json!([class]))]));
        all.push(Question::new(text!("Its volumes shall have other attributes"), [self.patch(&json!([attributes]))]));
        let more = json!({
            "metadata": { "name": "more" },
            "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
        });
        let labels = one("add", path("/metadata/labels"), json!({ "tier": "data" }));
        let lines = [self.patch(&json!([one("add", "/spec/volumeClaimTemplates/-".to_owned(), more), labels]))];
        all.push(Question::new(text!("One more claim template, and a label on the first"), lines));
        all
    }

    /// To another policy or another kind.
    fn moves(&self) -> Vec<Question> {
        if !self.is(&[Kind::StatefulSet]) {
            return Vec::new();
        }
        let mut all = Vec::new();
        if self.value.pointer("/spec/podManagementPolicy").and_then(Value::as_str) != Some("Parallel") {
            let parallel = self.patch(&json!({ "spec": { "podManagementPolicy": "Parallel" } }));
            all.push(Question::new(text!("It shall be Parallel"), [parallel]));
        }
        let mut spec = self.value.get("spec").cloned().unwrap_or_default();
        // What the other kind has in another way, or not at all: its own defaults hold.
        for field in ["updateStrategy", "ordinals"] {
            spec.as_object_mut().and_then(|spec| spec.remove(field));
        }
        let text = manifest::write(&json!({
            "apiVersion": "apps.kruise.io/v1beta1", "kind": "StatefulSet",
            "metadata": { "name": &*self.set.name, "namespace": &*self.set.namespace },
            "spec": spec,
        }));
        let delete = Command::DeleteSet { set: self.set.clone(), cascade: Cascade::Orphan };
        all.push(Question::new(text!("It shall be an Advanced StatefulSet"), [command_line(&delete), apply(&text)]));
        all
    }
}

/// Twice a quantity, in its own unit; none if its number is none that can be doubled.
fn twice(quantity: &str) -> Option<String> {
    let digits = quantity.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(quantity.len());
    let (number, unit) = quantity.split_at(digits);
    let number: u64 = number.parse().ok()?;
    Some(format!("{}{unit}", number.checked_mul(2)?)).filter(|_| !unit.starts_with('.'))
}
