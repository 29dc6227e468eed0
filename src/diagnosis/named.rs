//! What pods name beside their images and claims, and whether the text shows it to be there.

use crate::objects::{Object, Pod};
use crate::session::dump::Dump;
use crate::text::Text;
use crate::trial::Rehearsed;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
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

/// What pods name that are Ready after lines, and none in the text does: nothing shows that it is there.
pub(super) fn new(rehearsed: &Rehearsed, dump: &Dump) -> impl Iterator<Item = Text> {
    let of_text = dump.objects.iter().filter_map(|object| if let Object::Pod(pod) = object { Some(pod) } else { None });
    let known: BTreeSet<Named> = of_text.flat_map(of_pod).collect();
    let ready = rehearsed.run.cluster().pods().filter(|pod| pod.is_ready());
    let new: BTreeSet<Named> = ready.flat_map(of_pod).filter(|named| !known.contains(named)).collect();
    new.into_iter().map(|(kind, namespace, name)| {
        let space = if kind.ends_with("Class") { String::new() } else { format!(" -n {namespace}") };
        let look = format!("kubectl get {} {name}{space}", kind.to_lowercase());
        text!(
            "{} {} is there, with all that is asked of it, since no pod in the text names it; `{}` says whether.",
            kind,
            name,
            look
        )
    })
}
