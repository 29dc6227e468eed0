//! What pods name beside their images and claims, and whether the text shows it to be there.

use crate::objects::{Object, ObjectRef, Pod};
use crate::session::dump::Dump;
use crate::sim::{Cluster, is_looked_up};
use crate::text::Text;
use crate::trial::{PassedOver, Rehearsed, Tried};
use crate::verdict::pods;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where a pod's spec names an object of a kind, by the field that the name is in.
const REFERENCES: [(&str, &[&str], &str); 7] = [
    ("configMapRef", &["name"], "ConfigMap"),
    ("configMapKeyRef", &["name"], "ConfigMap"),
    ("configMap", &["name"], "ConfigMap"),
    ("secretRef", &["name"], "Secret"),
    ("secretKeyRef", &["name"], "Secret"),
    ("secret", &["secretName", "name"], "Secret"),
    ("imagePullSecrets", &["name"], "Secret"),
];

/// Fields of the spec itself that are a name, and names that every cluster has.
const OWN: [(&str, &str, &[&str]); 3] = [
    ("serviceAccountName", "ServiceAccount", &["default"]),
    ("priorityClassName", "PriorityClass", &["system-cluster-critical", "system-node-critical"]),
    ("runtimeClassName", "RuntimeClass", &[]),
];

/// The labels that say of which template a pod is.
const HASHES: [&str; 2] = ["controller-revision-hash", "pod-template-hash"];

/// An object that is named: its kind, namespace and name.
type Named = (&'static str, Rc<str>, String);

/// What a pod names and cannot start without.
fn of_pod(pod: &Rc<Pod>) -> BTreeSet<Named> {
    let spec = Object::Pod(Rc::clone(pod)).value_at("spec");
    let namespace = &pod.metadata.namespace;
    let mut found = BTreeSet::new();
    for (field, kind, everywhere) in OWN {
        let name =
            spec.get(field).and_then(Value::as_str).filter(|name| !name.is_empty() && !everywhere.contains(name));
        found.extend(name.map(|name| (kind, Rc::clone(namespace), name.to_owned())));
    }
    descend(&spec, namespace, &mut found);
    found
}

fn descend(value: &Value, namespace: &Rc<str>, found: &mut BTreeSet<Named>) {
    let fields = value.as_object().into_iter().flatten();
    for (field, value) in fields {
        if let Some((_, names, kind)) = REFERENCES.iter().find(|(own, ..)| own == field) {
            let references = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            let names = references.iter().filter_map(|reference| name_in(reference.as_object()?, names));
            found.extend(names.map(|name| (*kind, Rc::clone(namespace), name)));
        }
        descend(value, namespace, found);
    }
    value.as_array().into_iter().flatten().for_each(|value| descend(value, namespace, found));
}

/// The name in a reference, unless the pod can do without.
fn name_in(reference: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let is_optional = reference.get("optional").and_then(Value::as_bool).unwrap_or(false);
    let name = names.iter().find_map(|name| reference.get(*name)?.as_str());
    name.filter(|name| !name.is_empty() && !is_optional).map(str::to_owned)
}

/// What pods name, those of one template of one owner looked at once.
fn of_pods<'a>(pods: impl Iterator<Item = &'a Rc<Pod>>) -> BTreeSet<Named> {
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    for pod in pods {
        let hash = HASHES.iter().find_map(|label| pod.metadata.labels.get(label));
        let template = hash.zip(pod.metadata.controller_of()).map(|(hash, owner)| (hash, &owner.uid));
        if template.is_none_or(|template| seen.insert(template)) {
            found.extend(of_pod(pod));
        }
    }
    found
}

/// What pods name that are Ready now, and that none of those before names: nothing shows that it is there. `is_there` says of a kind and
/// a name whether something else does.
pub fn named_anew<'a>(
    before: impl Iterator<Item = &'a Rc<Pod>>,
    now: impl Iterator<Item = &'a Rc<Pod>>,
    is_there: &dyn Fn(&str, &str) -> bool,
) -> Vec<Text> {
    let known = of_pods(before);
    let mut new = of_pods(now.filter(|pod| pod.is_ready()));
    new.retain(|named| !known.contains(named) && !is_there(named.0, &named.2));
    let mut groups: BTreeMap<(&str, Rc<str>), Vec<String>> = BTreeMap::new();
    for (kind, namespace, name) in new {
        let space = if kind.ends_with("Class") { "".into() } else { namespace };
        groups.entry((kind, space)).or_default().push(name);
    }
    groups.into_iter().map(|((kind, space), names)| named(kind, &space, &names)).collect()
}

/// Names of one kind that are told one by one.
const NAMES: usize = 5;

fn named(kind: &str, namespace: &str, names: &[String]) -> Text {
    let space = if namespace.is_empty() { String::new() } else { format!(" -n {namespace}") };
    let asked = if names.len() <= NAMES { format!(" {}", names.join(" ")) } else { String::new() };
    let look = format!("kubectl get {}{asked}{space}", kind.to_lowercase());
    if let [name] = names {
        return text!(
            "{} {} is there, with all that is asked of it, since no pod in the text names it; `{}` says whether.",
            kind,
            &**name,
            look
        );
    }
    let kinds = if kind.ends_with('s') { format!("{kind}es") } else { format!("{kind}s") };
    text!(
        "{} {} are there, with all that is asked of them, since no pod in the text names them; `{}` says whether.",
        kinds,
        Text::first(NAMES, names.iter().map(|name| Text::verbatim(&**name))),
        look
    )
}

/// The same of the pods of a workload that a remedy made.
pub(super) fn by_remedy([before, after]: [&Cluster; 2], workload: &ObjectRef) -> Vec<Text> {
    let [old, new] =
        [before, after].map(|cluster| cluster.get(workload).map(|object| pods(cluster, object)).unwrap_or_default());
    // Most name what those before them did: the other pods of the cluster are looked at only for the rest.
    if named_anew(old.into_iter(), new.iter().copied(), &|_, _| false).is_empty() {
        return Vec::new();
    }
    // Of what admission looks up the result says so.
    named_anew(before.pods(), new.into_iter(), &|kind, _| is_looked_up(kind))
}

/// What lines apply beside what is simulated, and beside which they apply something.
pub(super) fn applied_beside(rehearsed: &Rehearsed) -> impl Iterator<Item = &PassedOver> {
    let is_applied = |tried: &&Tried| !tried.passed_over.is_deleted && tried.outcome.is_carried_out();
    let own = rehearsed.lines.iter().filter(is_applied).map(|tried| &tried.passed_over);
    own.filter(|own| !own.objects.is_empty())
}

/// The same of what lines led to.
pub(super) fn new(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let of_text = dump.objects.iter().filter_map(|object| if let Object::Pod(pod) = object { Some(pod) } else { None });
    // The verdict of a workload says so of what admission looks up.
    let is_applied = |kind: &str, name: &str| {
        let mut applied = applied_beside(rehearsed).flat_map(|own| &own.objects);
        applied.any(|(own_kind, own_name)| (own_kind.as_str(), own_name.as_str()) == (kind, name))
    };
    named_anew(of_text, rehearsed.run.cluster().pods(), &|kind, name| is_looked_up(kind) || is_applied(kind, name))
}
