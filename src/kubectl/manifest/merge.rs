//! Patches: a text as a value, and the value laid over an object as the API server does it.

use super::json_patch;
use super::place::Places;
use super::read::note_places;
use super::yaml::{Unreadable, parse};
use crate::kubectl::{Error, Problem, Refusal};
use crate::objects::{ApiError, Reason, Server};
use serde_json::{Map, Value};

/// How a patch is meant, as kubectl's `--type` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// Lists are merged by a key of their items, and directives are obeyed.
    Strategic,
    /// Lists are replaced (RFC 7386).
    Merge,
    /// A list of operations (RFC 6902).
    Json,
}

/// Whether the text of a patch is a list.
pub(in crate::kubectl) fn is_list(patch: &str) -> bool {
    let patch = patch.trim_start();
    patch.starts_with('[') || patch.starts_with("- ")
}

/// Lists that are merged by a key of their items: where they stand, and the key. Other lists are replaced. From the
/// `patchMergeKey` of the API reference of core/v1.
const KEYS: [(&str, &str); 18] = [
    ("containers", "name"),
    ("initContainers", "name"),
    ("ephemeralContainers", "name"),
    ("volumes", "name"),
    ("env", "name"),
    ("volumeMounts", "mountPath"),
    ("volumeDevices", "devicePath"),
    ("ports", "containerPort"),
    ("imagePullSecrets", "name"),
    ("hostAliases", "ip"),
    ("topologySpreadConstraints", "topologyKey"),
    ("schedulingGates", "name"),
    ("resourceClaims", "name"),
    ("ownerReferences", "uid"),
    ("conditions", "type"),
    ("podIPs", "ip"),
    ("hostIPs", "ip"),
    ("taints", "key"),
];

/// Lists of plain values that are merged too.
const SETS: [&str; 1] = ["finalizers"];

const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";
const RETAIN: &str = "$retainKeys";
const DIRECTIVE: &str = "$patch";

/// A text that is no patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPatch {
    text: String,
    /// Why it is neither YAML nor JSON; none if it is, but holds another kind of value.
    pub unreadable: Option<Unreadable>,
}

impl From<NotAPatch> for Refusal {
    fn from(NotAPatch { text, unreadable }: NotAPatch) -> Self {
        match unreadable {
            Some(Unreadable { line, column, message }) => {
                let message = format!("unable to parse {text:?}: {message}");
                Problem::new(Error::Client(message)).at(line, column).into()
            }
            None => {
                let holds = parse(&text).0.first().map_or(Value::Null, |document| document.to_value(true));
                let holds = match holds {
                    Value::Bool(_) => "bool",
                    Value::Number(_) => "number",
                    Value::Array(_) => "array",
                    _ => "string",
                };
                let message = format!("json: cannot unmarshal {holds} into Go value of type map[string]interface {{}}");
                ApiError::new(Reason::BadRequest, message).into()
            }
        }
    }
}

/// The value of a text, null fields included.
///
/// # Errors
/// The text is not one YAML or JSON object.
pub fn read_value(text: &str) -> Result<Value, NotAPatch> {
    let not_an_object = || NotAPatch { text: text.to_owned(), unreadable: None };
    read_patch(text).and_then(|value| if value.is_object() { Ok(value) } else { Err(not_an_object()) })
}

/// The value of a patch: an object to be merged, or a list of operations.
///
/// # Errors
/// The text is neither in YAML nor in JSON.
pub fn read_patch(text: &str) -> Result<Value, NotAPatch> {
    let (documents, unreadable) = parse(text);
    let first = documents.first().filter(|_| unreadable.is_none());
    match first.map(|document| document.to_value(true)) {
        Some(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
        _ => Err(NotAPatch { text: text.to_owned(), unreadable }),
    }
}

/// Carries out a patch.
///
/// # Errors
/// It does not apply, in the server's words.
pub fn patch(target: &mut Value, patch: Value, how: PatchType, server: &Server) -> Result<(), ApiError> {
    match (how, patch) {
        (_, Value::Array(operations)) => {
            // Since the library's 4.12, which Kubernetes has since 1.24.
            let whole = server.minor >= 24;
            json_patch::apply(target, &operations, whole)
                .map_err(|error| ApiError::new(Reason::Invalid, error.to_string()))
        }
        (PatchType::Strategic, patch) => Strategic { takes_new_as_it_stands: server.minor < 28 }.merge(target, patch),
        (_, patch) => {
            merge_plainly(target, patch);
            Ok(())
        }
    }
}

/// Where the fields of a text stand that `read_value` reads.
pub fn places(text: &str) -> Places {
    let mut places = Places::default();
    parse(text).0.first().into_iter().for_each(|document| note_places(document, "", &mut places));
    places
}

/// Merges a patch as RFC 7386 says: null takes a field away, lists are replaced.
fn merge_plainly(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else { return };
    for (name, value) in patch {
        if value.is_null() {
            fields.remove(&name);
        } else {
            merge_plainly(fields.entry(name).or_insert(Value::Null), value);
        }
    }
}

/// A strategic merge. Models apimachinery's pkg/util/strategicpatch/patch.go.
struct Strategic {
    /// Before 1.28 null fields and directives were stored in what was not there before.
    takes_new_as_it_stands: bool,
}

impl Strategic {
    /// Merges a patch. Models mergeMap.
    ///
    /// # Errors
    /// An item of a merged list lacks its key.
    fn merge(&self, target: &mut Value, patch: Value) -> Result<(), ApiError> {
        let Value::Object(mut patch) = patch else {
            *target = patch;
            return Ok(());
        };
        match patch.remove(DIRECTIVE).as_ref().and_then(Value::as_str) {
            Some("replace") => {
                *target = Value::Object(patch);
                return Ok(());
            }
            Some("delete") => {
                *target = Value::Object(Map::new());
                return Ok(());
            }
            _ => {}
        }
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        let Some(fields) = target.as_object_mut() else { return Ok(()) };
        if let Some(Value::Array(kept)) = patch.remove(RETAIN) {
            fields.retain(|name, _| kept.iter().any(|existing| existing == name));
        }
        let orders: Vec<(String, Value)> = take_prefixed(&mut patch, ORDER);
        for (name, gone) in take_prefixed(&mut patch, DELETE_FROM) {
            if let (Some(Value::Array(current)), Value::Array(gone)) = (fields.get_mut(&name), gone) {
                current.retain(|item| !gone.contains(item));
            }
        }
        for (name, value) in patch {
            let key = KEYS.iter().find(|(list, _)| *list == name).map(|(_, key)| *key);
            match (value, key) {
                (Value::Null, _) => {
                    fields.remove(&name);
                }
                (value, _) if !fields.get(&name).is_some_and(|current| is_of_one_kind(current, &value)) => {
                    match self.stored_anew(value) {
                        Some(value) => fields.insert(name, value),
                        None => fields.remove(&name),
                    };
                }
                (Value::Array(items), Some(key)) if items.iter().all(Value::is_object) => {
                    let order = orders.iter().find(|(list, _)| *list == name).map(|(_, order)| order);
                    let current = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    self.merge_list(current, items, key, order)?;
                }
                (Value::Array(items), None) if SETS.contains(&&*name) => {
                    let current = fields.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                    let Value::Array(current) = current else { continue };
                    for item in items {
                        if !current.contains(&item) {
                            current.push(item);
                        }
                    }
                }
                (value @ Value::Object(_), _) => self.merge(fields.entry(name).or_insert(Value::Null), value)?,
                (value, _) => {
                    fields.insert(name, value);
                }
            }
        }
        for (name, order) in orders {
            let key = KEYS.iter().find(|(list, _)| *list == name).map(|(_, key)| *key);
            if let (Some(Value::Array(current)), Some(key)) = (fields.get_mut(&name), key) {
                let before = current.len();
                put_in_order(current, before, &order, key);
            }
        }
        Ok(())
    }

    /// What is stored of a value that was not there; none of one that is a directive. Models removeDirectives and
    /// discardNullValuesFromPatch.
    fn stored_anew(&self, value: Value) -> Option<Value> {
        match value {
            value if self.takes_new_as_it_stands => Some(value),
            Value::Object(fields) if fields.contains_key(DIRECTIVE) => None,
            Value::Object(fields) => {
                let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
                Some(Value::Object(fields.filter_map(|(name, value)| Some((name, self.stored_anew(value)?))).collect()))
            }
            Value::Array(items) => Some(items.into_iter().filter_map(|item| self.stored_anew(item)).collect()),
            value => Some(value),
        }
    }

    /// Models mergeSliceWithSpecialElements and mergeSliceWithoutSpecialElements.
    fn merge_list(
        &self,
        current: &mut Value,
        items: Vec<Value>,
        key: &str,
        order: Option<&Value>,
    ) -> Result<(), ApiError> {
        let Some(current) = current.as_array_mut() else { return Ok(()) };
        if items.iter().any(|item| item[DIRECTIVE] == "replace") {
            *current = items.into_iter().filter(|item| item[DIRECTIVE] != "replace").collect();
            return Ok(());
        }
        let mut patched = Vec::new();
        let mut added = Vec::new();
        for item in items {
            if item[key].is_null() {
                let message = format!("map: {} does not contain declared merge key: {key}", go_map(&item));
                return Err(ApiError::new(Reason::InternalError, message));
            }
            let at = current.iter().position(|existing| existing[key] == item[key]);
            if item[DIRECTIVE] == "delete" {
                current.retain(|existing| existing[key] != item[key]);
                continue;
            }
            patched.push(item[key].clone());
            match at {
                Some(at) => self.merge(&mut current[at], item)?,
                None => {
                    if let Some(at) = added.iter().position(|existing: &Value| existing[key] == item[key]) {
                        self.merge(&mut added[at], item)?;
                    } else {
                        added.extend(self.stored_anew(item));
                    }
                }
            }
        }
        let before = current.len();
        current.extend(added);
        match order {
            Some(order) => put_in_order(current, before, order, key),
            None => put_in_order(current, before, &Value::Array(patched), key),
        }
        Ok(())
    }
}

/// What kubectl apply makes of a text's value when the object is there: the patch it sends names no null field that was not
/// there, and items of one key become one.
///
/// # Errors
/// An item lacks the key that its list is merged by, in kubectl's words.
pub(super) fn applied(value: Value) -> Result<Value, String> {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            let pair = |(name, value): (String, Value)| {
                let value = match (KEYS.iter().find(|(list, _)| *list == name), value) {
                    (Some((_, key)), Value::Array(items)) if items.iter().all(Value::is_object) => unique(items, key)?,
                    (_, value) => value,
                };
                Ok((name, applied(value)?))
            };
            fields.map(pair).collect::<Result<Map<_, _>, _>>().map(Value::Object)
        }
        Value::Array(items) => items.into_iter().map(applied).collect(),
        value => Ok(value),
    }
}

fn unique(items: Vec<Value>, key: &str) -> Result<Value, String> {
    let mut known: Vec<Value> = Vec::new();
    let strategic = Strategic { takes_new_as_it_stands: false };
    // Ports differ by their protocol too, which no key says.
    let may_repeat = key == "containerPort" || key == "topologyKey";
    for item in items {
        if item[key].is_null() {
            return Err(format!("map: {} does not contain declared merge key: {key}", go_map(&item)));
        }
        match known.iter_mut().find(|existing| !may_repeat && existing[key] == item[key]) {
            Some(existing) => strategic.merge(existing, item).map_err(|error| error.message)?,
            None => known.push(item),
        }
    }
    Ok(Value::Array(known))
}

/// Whether both are maps, or lists, or neither.
fn is_of_one_kind(one: &Value, other: &Value) -> bool {
    (one.is_object(), one.is_array()) == (other.is_object(), other.is_array())
}

fn take_prefixed(patch: &mut Map<String, Value>, prefix: &str) -> Vec<(String, Value)> {
    let named: Vec<String> = patch.keys().filter(|name| name.starts_with(prefix)).cloned().collect();
    named.into_iter().filter_map(|name| Some((name[prefix.len()..].to_owned(), patch.remove(&name)?))).collect()
}

/// Puts the items that an order names in it, and each other one where it stood among them. New items come before those
/// that stood there `before`.
fn put_in_order(current: &mut Vec<Value>, before: usize, order: &Value, key: &str) {
    let order: Vec<Value> = order
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| if item.is_object() { item[key].clone() } else { item.clone() })
        .collect();
    let (mut named, others): (Vec<_>, Vec<_>) =
        current.drain(..).enumerate().partition(|(_, item)| order.contains(&item[key]));
    named.sort_by_key(|(_, item)| order.iter().position(|existing| *existing == item[key]));
    let (mut named, mut others) = (named.into_iter().peekable(), others.into_iter().peekable());
    loop {
        let next = match (named.peek(), others.peek()) {
            (Some((existing, _)), Some((other, _))) if *existing < before && other < existing => others.next(),
            (Some(_), _) => named.next(),
            (None, _) => others.next(),
        };
        let Some((_, item)) = next else { return };
        current.push(item);
    }
}

/// A map as Go prints it.
fn go_map(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", go_map(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(go_map).collect::<Vec<_>>().join(" ")),
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}
