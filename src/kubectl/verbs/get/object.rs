//! `kubectl get -o yaml`, `-o json` and `-o name`: objects as they are stored, every field by its name.
//! Models k8s.io/cli-runtime pkg/printers.

use super::Form;
use crate::kubectl::manifest;
use crate::kubectl::text::qualified;
use crate::kubectl::whole::whole;
use crate::objects::{Kind, LAST_APPLIED, Object, field, slot, write_json};
use crate::sim::Cluster;
use serde_json::{Value, json};
use std::rc::Rc;

/// The objects in this form: one that is asked for by its name alone, others as a list.
pub(super) fn objects(cluster: &Cluster, objects: &[&Object], form: Form, alone: bool) -> String {
    if form == Form::Name {
        let name = |object: &&Object| format!("{}/{}\n", qualified(object.kind()), object.metadata().name);
        return objects.iter().map(name).collect();
    }
    let value = value(cluster, objects, alone);
    if form == Form::Yaml {
        return manifest::write_by_name(&value);
    }
    let mut text = String::new();
    write_indented(&value, 0, &mut text);
    text + "\n"
}

/// One object that is asked for by its name alone, or a list.
pub(super) fn value(cluster: &Cluster, objects: &[&Object], alone: bool) -> Value {
    match objects {
        [one] if alone => printed(cluster, one),
        all => {
            let items: Vec<Value> = all.iter().map(|object| printed(cluster, object)).collect();
            json!({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}})
        }
    }
}

/// An object with what was last applied of it, and with what the API server writes also where it is empty: what a container runs,
/// which nobody knows before it runs.
fn printed(cluster: &Cluster, object: &Object) -> Value {
    let mut value = match object {
        Object::Pod(pod) => Object::Pod(Rc::new(whole(cluster, pod))).to_json(),
        object => object.to_json(),
    };
    // A volume is as the claim that it is bound to asked for.
    if let Object::Claim(claim) = object
        && &*claim.status.phase == "Bound"
        && claim.status.extra.is_empty()
    {
        let [modes, storage] = ["/spec/accessModes", "/spec/resources/requests"]
            .map(|path| value.pointer(path).cloned().unwrap_or_default());
        *slot(&mut value, "status.accessModes") = modes;
        *slot(&mut value, "status.capacity") = storage;
    }
    if let Some(applied) = cluster.last_applied(&object.reference())
        && object.metadata().annotations.get(LAST_APPLIED).is_none()
    {
        let mut applied = Rc::unwrap_or_clone(applied);
        let annotations = slot(&mut applied, "metadata.annotations");
        if annotations.is_null() {
            *annotations = json!({});
        }
        let mut text = String::new();
        write_json(&applied, &mut text);
        *field(slot(&mut value, "metadata.annotations"), LAST_APPLIED) = (text + "\n").into();
    }
    let conditions = value.get_mut("status").and_then(|status| status.get_mut("conditions"));
    let conditions = conditions.filter(|_| object.kind() == Kind::Pod).and_then(Value::as_array_mut);
    for condition in conditions.into_iter().flatten().filter_map(Value::as_object_mut) {
        condition.entry("lastProbeTime").or_insert(Value::Null);
    }
    for field in ["containerStatuses", "initContainerStatuses"] {
        let statuses = value.get_mut("status").and_then(|status| status.get_mut(field));
        let Some(statuses) = statuses.and_then(Value::as_array_mut) else { continue };
        for status in statuses.iter_mut().filter_map(Value::as_object_mut) {
            for name in ["image", "imageID"] {
                status.entry(name).or_insert_with(|| "".into());
            }
        }
    }
    value
}

/// JSON as Go's encoder writes it with an indent of four.
fn write_indented(value: &Value, depth: usize, text: &mut String) {
    let (brackets, inner): ([char; 2], Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(fields) => (['{', '}'], fields.iter().map(|(key, inner)| (Some(key), inner)).collect()),
        Value::Array(items) => (['[', ']'], items.iter().map(|inner| (None, inner)).collect()),
        scalar => return write_json(scalar, text),
    };
    text.push(brackets[0]);
    for (at, (key, inner)) in inner.iter().enumerate() {
        text.push_str(if at > 0 { ",\n" } else { "\n" });
        text.push_str(&"    ".repeat(depth + 1));
        if let Some(key) = key {
            write_json(&Value::String((*key).clone()), text);
            text.push_str(": ");
        }
        write_indented(inner, depth + 1, text);
    }
    if !inner.is_empty() {
        text.push('\n');
        text.push_str(&"    ".repeat(depth));
    }
    text.push(brackets[1]);
}
