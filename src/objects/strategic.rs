//! Strategic merge patches: lists are merged by a key of their items, and directives are obeyed. Laid over an object, and made
//! from what was applied before, what is applied now and what is there.
//! Models apimachinery's pkg/util/strategicpatch/patch.go.
//!
//! A worked example: containers `main` and `side` are there and a patch names `new` and `main`. `main` is changed where it
//! stands, and `new` comes before what the patch does not name.

use crate::objects::json_object;
use crate::order::Order;
use serde_json::{Map, Value, json};
use std::rc::Rc;

type Fields = Map<String, Value>;

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

/// Unions: what a patch does not retain of them goes. A list stands for its items.
const UNIONS: [&str; 3] = ["strategy", "volumes", "resourceClaims"];

const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";
const RETAIN: &str = "$retainKeys";
const DIRECTIVE: &str = "$patch";

/// A release that merges as all do since 1.28.
const NEWEST: u32 = 28;

#[derive(Clone, Copy, PartialEq)]
enum ListKind {
    /// Items are told apart by this field.
    Keyed(&'static str),
    /// Plain values.
    Set,
    /// Replaced as a whole.
    Atomic,
}

fn list_kind(name: &str) -> ListKind {
    match KEYS.iter().find(|(list, _)| *list == name) {
        Some((_, key)) => ListKind::Keyed(key),
        None if SETS.contains(&name) => ListKind::Set,
        None => ListKind::Atomic,
    }
}

impl ListKind {
    fn key(self) -> Option<&'static str> {
        match self {
            Self::Keyed(key) => Some(key),
            Self::Set | Self::Atomic => None,
        }
    }
}

/// Lays a patch over an object. `minor` is the server's release: before 1.28 null fields and directives were stored in what
/// was not there before.
///
/// # Errors
/// The patch does not fit, in the server's words.
pub(crate) fn merge(target: &mut Value, patch: Value, minor: u32) -> Result<(), String> {
    let Value::Object(patch) = patch else {
        *target = patch;
        return Ok(());
    };
    let fields = target.take();
    let mut fields = if let Value::Object(fields) = fields { fields } else { Fields::new() };
    Merge { onto_patch: false, keeps_new: minor < 28 }.map(&mut fields, patch)?;
    *target = Value::Object(fields);
    Ok(())
}

/// Lays the part of a metadata patch that is about finalizers over an object's own.
pub(crate) fn patch_finalizers(held: &mut Vec<Rc<str>>, patch: &Fields) {
    let patch = patch.iter().filter(|(name, _)| name.ends_with("finalizers"));
    let patch: Fields = patch.map(|(name, value)| (name.clone(), value.clone())).collect();
    let own: Vec<Value> = held.iter().map(|own| Value::from(&**own)).collect();
    let mut metadata = if own.is_empty() { json!({}) } else { json!({"finalizers": own}) };
    if !patch.is_empty() && merge(&mut metadata, Value::Object(patch), NEWEST).is_ok() {
        let merged = metadata["finalizers"].as_array().into_iter().flatten();
        *held = merged.filter_map(Value::as_str).map(Rc::from).collect();
    }
}

/// The patch that makes one object of another. Models CreateTwoWayMergePatch.
///
/// # Errors
/// They cannot be compared.
pub(crate) fn two_way(original: &Fields, modified: &Fields) -> Result<Fields, String> {
    Difference { changes: true, deletions: true, retains: false }.maps(original, modified)
}

/// The patch that `kubectl apply` sends. Models CreateThreeWayMergePatch.
///
/// # Errors
/// They cannot be compared.
pub(crate) fn three_way(original: &Fields, modified: &Fields, current: &Fields) -> Result<Fields, String> {
    let delta = Difference { changes: true, deletions: false, retains: false }.maps(current, modified)?;
    let mut patch = Difference { changes: false, deletions: true, retains: false }.maps(original, modified)?;
    Merge { onto_patch: true, keeps_new: false }.map(&mut patch, delta)?;
    Ok(patch)
}

/// How a patch is laid over something.
struct Merge {
    /// Whether that is a patch itself: then directives and null fields stay in it.
    onto_patch: bool,
    /// Whether what was not there is taken as it stands.
    keeps_new: bool,
}

impl Merge {
    /// Models mergeMap.
    fn map(&self, original: &mut Fields, mut patch: Fields) -> Result<(), String> {
        if let Some(directive) = patch.get(DIRECTIVE) {
            match directive.as_str() {
                Some("replace") => drop(patch.remove(DIRECTIVE)),
                Some("delete") => patch = Fields::new(),
                _ => {
                    let directive = go_text(directive);
                    return Err(format!("unknown patch type: {directive} in map: {}", go_text(&patch.into())));
                }
            }
            *original = patch;
            return Ok(());
        }
        self.retain(original, &mut patch)?;
        self.ordered_lists(original, &mut patch)?;
        // Upstream takes the fields in a random order, mostly the written one. That tells only where a list is not there.
        let mut not_there = Vec::new();
        for (name, value) in patch {
            match name.strip_prefix(DELETE_FROM) {
                Some(_) if self.onto_patch => drop(original.insert(name, value)),
                Some(list) if original.contains_key(list) => delete_from(original, list, value)?,
                Some(list) => not_there.push((list.to_owned(), value)),
                None => self.field(original, name, value)?,
            }
        }
        for (list, value) in not_there {
            match original.contains_key(&list) {
                true => delete_from(original, &list, value)?,
                false if self.keeps_new => drop(original.insert(list, value)),
                false => {}
            }
        }
        Ok(())
    }

    fn field(&self, original: &mut Fields, name: String, value: Value) -> Result<(), String> {
        if value.is_null() {
            original.remove(&name);
            if self.onto_patch {
                original.insert(name, Value::Null);
            }
            return Ok(());
        }
        match (original.get_mut(&name), value) {
            (Some(Value::Object(held)), Value::Object(patch)) => self.map(held, patch)?,
            (Some(Value::Array(held)), Value::Array(patch)) => {
                let kind = list_kind(&name);
                *held = if kind == ListKind::Atomic { patch } else { self.list(std::mem::take(held), patch, kind)? };
            }
            (_, value) => match self.stored_anew(value) {
                Some(value) => drop(original.insert(name, value)),
                None => drop(original.remove(&name)),
            },
        }
        Ok(())
    }

    /// What is stored of a value that was not there; none of one that is a directive. Models removeDirectives and
    /// discardNullValuesFromPatch.
    fn stored_anew(&self, value: Value) -> Option<Value> {
        match value {
            value if self.keeps_new => Some(value),
            Value::Object(fields) if fields.contains_key(DIRECTIVE) => None,
            Value::Object(fields) => {
                let fields = fields.into_iter().filter(|(_, value)| self.onto_patch || !value.is_null());
                Some(json_object(fields.filter_map(|(name, value)| Some((name, self.stored_anew(value)?)))))
            }
            Value::Array(items) => Some(items.into_iter().filter_map(|item| self.stored_anew(item)).collect()),
            value => Some(value),
        }
    }

    /// Models applyRetainKeysDirective.
    fn retain(&self, original: &mut Fields, patch: &mut Fields) -> Result<(), String> {
        let Some(retained) = patch.remove(RETAIN) else { return Ok(()) };
        let bad = || Err("invalid patch format of retainKeys".to_owned());
        if self.onto_patch {
            let own = original.entry(RETAIN).or_insert_with(|| retained.clone());
            return if *own == retained { Ok(()) } else { bad() };
        }
        let Value::Array(retained) = retained else { return bad() };
        let is_retained = |name: &String| retained.iter().any(|own| own == name.as_str());
        let is_directive = |name: &String| name.starts_with(DELETE_FROM) || name.starts_with(ORDER);
        if patch.iter().any(|(name, value)| !value.is_null() && !is_directive(name) && !is_retained(name)) {
            return bad();
        }
        original.retain(|name, _| is_retained(name));
        Ok(())
    }

    /// Merges the lists whose order the patch says. Models mergePatchIntoOriginal.
    fn ordered_lists(&self, original: &mut Fields, patch: &mut Fields) -> Result<(), String> {
        let named: Vec<String> = patch.keys().filter(|name| name.starts_with(ORDER)).cloned().collect();
        for directive in named {
            let Some(order) = patch.remove(&directive) else { continue };
            if self.onto_patch && *original.entry(directive.clone()).or_insert_with(|| order.clone()) != order {
                return Err("invalid patch format of setElementOrder list".to_owned());
            }
            let order = into_list(order)?;
            let name = &directive[ORDER.len()..];
            let kind = list_kind(name);
            let held = original.get(name).cloned().map(into_list).transpose()?;
            let items = patch.get(name).cloned().map(into_list).transpose()?;
            check_order(items.as_deref().unwrap_or_default(), &order, kind)?;
            let merged = match (held.clone(), items.clone()) {
                (Some(held), None) => held,
                (None, Some(items)) => {
                    let stored = self.stored_anew(Value::Array(items)).unwrap_or_default();
                    into_list(stored)?
                }
                (Some(_), Some(items)) if kind == ListKind::Atomic => items,
                (Some(held), Some(items)) => self.list(held, items, kind)?,
                (None, None) => continue,
            };
            let held = held.unwrap_or_default();
            one_type(&[&held, items.as_deref().unwrap_or_default()])?;
            original.insert(name.to_owned(), Value::Array(arranged(merged, &order, &held, kind)?));
            patch.remove(name);
        }
        Ok(())
    }

    /// Models mergeSlice.
    fn list(&self, held: Vec<Value>, patch: Vec<Value>, kind: ListKind) -> Result<Vec<Value>, String> {
        if held.is_empty() && patch.is_empty() {
            return Ok(held);
        }
        let is_of_maps = one_type(&[&held, &patch])?;
        let (held, patch, merged) = match kind.key().filter(|_| is_of_maps) {
            None if is_of_maps => return Err("cannot merge lists without merge key".to_owned()),
            None => {
                let merged = without_repeats([held.clone(), patch.clone()].concat());
                (held, patch, merged)
            }
            Some(key) => {
                let (held, patch) = special_items(held, patch, key)?;
                let mut merged = held.clone();
                for item in patch.clone() {
                    let value = key_of(&item, key)?;
                    match merged.iter_mut().find(|own| own.get(key) == Some(&value)) {
                        Some(Value::Object(own)) => match item {
                            Value::Object(item) => self.map(own, item)?,
                            _ => return Err(bad_type(&item)),
                        },
                        _ => merged.push(item),
                    }
                }
                (held, patch, merged)
            }
        };
        arranged(merged, &patch, &held, kind)
    }
}

/// Models mergeSliceWithSpecialElements.
fn special_items(mut held: Vec<Value>, patch: Vec<Value>, key: &str) -> Result<(Vec<Value>, Vec<Value>), String> {
    let (mut plain, mut replaces) = (Vec::new(), false);
    for item in patch {
        let Some(directive) = item.get(DIRECTIVE) else {
            plain.push(item);
            continue;
        };
        match directive.as_str() {
            Some("delete") => {
                let gone = key_of(&item, key)?;
                held.retain(|own| own.get(key) != Some(&gone));
            }
            Some("replace") => replaces = true,
            Some("merge") => return Err("merging lists cannot yet be specified in the patch".to_owned()),
            _ => return Err(format!("unknown patch type: {} in map: {}", go_text(directive), go_text(&item))),
        }
    }
    Ok(if replaces { (plain, Vec::new()) } else { (held, plain) })
}

/// Models deleteFromSlice.
fn delete_from(original: &mut Fields, list: &str, gone: Value) -> Result<(), String> {
    let gone = match gone {
        Value::Null => {
            original.remove(list);
            return Ok(());
        }
        Value::Array(gone) => gone,
        _ => return Ok(()),
    };
    let Some(Value::Array(held)) = original.get_mut(list) else { return Ok(()) };
    if held.is_empty() && gone.is_empty() {
        return Ok(());
    }
    if one_type(&[held, &gone])? {
        return Err(format!("cannot merge lists without merge key for {list}"));
    }
    held.retain(|item| !gone.contains(item));
    Ok(())
}

/// The place of an item in a list, by its key.
fn place(list: &[Value], item: &Value, kind: ListKind) -> Option<usize> {
    list.iter().position(|own| match kind.key() {
        Some(key) => own.get(key).unwrap_or(&Value::Null) == item.get(key).unwrap_or(&Value::Null),
        None => own == item,
    })
}

/// Items that the order names in it, and the others as they stood, where they stood among them. Models
/// partition…ByPresentInList and normalizeElementOrder.
fn arranged(merged: Vec<Value>, order: &[Value], held: &[Value], kind: ListKind) -> Result<Vec<Value>, String> {
    if let Some(key) = kind.key() {
        for item in merged.iter().chain(order).chain(held) {
            key_of(item, key)?;
        }
    }
    let (named, others): (Vec<Value>, Vec<Value>) =
        merged.into_iter().partition(|item| place(order, item, kind).is_some());
    let (named, others) = (sorted_by(named, order, kind), sorted_by(others, held, kind));
    Ok(interleaved(others, named, held, kind))
}

/// Models normalizeSliceOrder, whose comparison takes what the order lacks for less.
fn sorted_by(items: Vec<Value>, order: &[Value], kind: ListKind) -> Vec<Value> {
    let (gone, mut items): (Vec<Value>, Vec<Value>) =
        items.into_iter().partition(|item| kind.key().is_some() && is_deletion(item));
    let is_less = |one: &Value, other: &Value| match (place(order, one, kind), place(order, other, kind)) {
        (Some(one), Some(other)) => one < other,
        _ => true,
    };
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && is_less(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
    items.extend(gone);
    items
}

fn is_deletion(item: &Value) -> bool {
    item.get(DIRECTIVE).is_some_and(|directive| directive == "delete")
}

/// Models mergeSortedSlice.
fn interleaved(left: Vec<Value>, right: Vec<Value>, held: &[Value], kind: ListKind) -> Vec<Value> {
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    let mut all = Vec::new();
    loop {
        let next = match (left.peek(), right.peek()) {
            (Some(one), Some(other)) => match (place(held, one, kind), place(held, other, kind)) {
                (Some(one), Some(other)) if one < other => left.next(),
                _ => right.next(),
            },
            (Some(_), None) => left.next(),
            (None, _) => right.next(),
        };
        let Some(next) = next else { return all };
        all.push(next);
    }
}

/// Models deduplicateScalars, which puts the last item in the place of a repeated one.
fn without_repeats(mut items: Vec<Value>) -> Vec<Value> {
    let mut one = 0;
    while one + 1 < items.len() {
        let mut other = one + 1;
        while other < items.len() {
            if items[one] == items[other] {
                items.swap_remove(other);
            } else {
                other += 1;
            }
        }
        one += 1;
    }
    items
}

/// Models validatePatchWithSetOrderList.
fn check_order(patch: &[Value], order: &[Value], kind: ListKind) -> Result<(), String> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut rest = order.iter();
    for item in patch.iter().filter(|item| kind.key().is_none() || item.get(DIRECTIVE).is_none()) {
        if let Some(key) = kind.key() {
            key_of(item, key)?;
        }
        let is_it = |own: &Value| match kind.key() {
            Some(key) => own.get(key) == item.get(key),
            None => own == item,
        };
        if !rest.any(is_it) {
            let (patch, order) = (go_list(patch), go_list(order));
            return Err(format!("The order in patch list:\n{patch}\n doesn't match $setElementOrder list:\n{order}\n"));
        }
    }
    Ok(())
}

/// What is written into a patch of the differences.
#[derive(Clone, Copy)]
struct Difference {
    /// What was changed and added.
    changes: bool,
    /// What is gone.
    deletions: bool,
    /// Which fields stay, of a union.
    retains: bool,
}

impl Difference {
    /// Models diffMaps.
    fn maps(self, original: &Fields, modified: &Fields) -> Result<Fields, String> {
        let mut patch = Fields::new();
        for (name, new) in modified {
            match (original.get(name), new) {
                (Some(Value::Object(old)), Value::Object(new)) => {
                    let inner = Self { retains: name == "strategy", ..self }.maps(old, new)?;
                    if !inner.is_empty() {
                        patch.insert(name.clone(), Value::Object(inner));
                    }
                }
                (Some(Value::Array(old)), Value::Array(new)) if list_kind(name) != ListKind::Atomic => {
                    let inner = Self { retains: UNIONS.contains(&name.as_str()), ..self };
                    inner.lists(name, old, new, &mut patch)?;
                }
                (Some(old), new) if old == new => {}
                (_, new) if self.changes => drop(patch.insert(name.clone(), new.clone())),
                _ => {}
            }
        }
        if self.deletions {
            for name in original.keys().filter(|name| !modified.contains_key(*name)) {
                patch.insert(name.clone(), Value::Null);
            }
        }
        let is_cleared = |(name, old): (&String, &Value)| !old.is_null() && !modified.contains_key(name);
        if self.retains && (!patch.is_empty() || original.iter().any(is_cleared)) {
            let retained: Vec<Value> =
                modified.iter().filter(|(_, new)| !new.is_null()).map(|(name, _)| name.as_str().into()).collect();
            if !retained.is_empty() {
                patch.insert(RETAIN.into(), retained.into());
            }
        }
        Ok(patch)
    }

    /// Models diffLists.
    fn lists(self, name: &str, old: &[Value], new: &[Value], patch: &mut Fields) -> Result<(), String> {
        let mut put = |name: String, items: Vec<Value>| {
            if !items.is_empty() {
                patch.insert(name, items.into());
            }
        };
        if old.is_empty() {
            put(name.to_owned(), if self.changes { new.to_vec() } else { Vec::new() });
            return Ok(());
        }
        let is_of_maps = one_type(&[old, new])?;
        let kind = list_kind(name);
        let Some(key) = kind.key().filter(|_| is_of_maps) else {
            let old = sorted_texts(old);
            let lacking = |items: &[Value], others: &[Value]| -> Vec<Value> {
                items.iter().filter(|item| !others.contains(item)).cloned().collect()
            };
            let gone = if self.deletions { without_repeats(lacking(&old, new)) } else { Vec::new() };
            let added = if self.changes { lacking(&sorted_texts(new), &old) } else { Vec::new() };
            if !gone.is_empty() || (self.changes && old != new) {
                put(format!("{ORDER}{name}"), new.to_vec());
            }
            put(name.to_owned(), sorted_by(added, new, kind));
            put(format!("{DELETE_FROM}{name}"), gone);
            return Ok(());
        };
        let (changed, gone) = self.keyed_lists(old, new, key)?;
        for item in new {
            key_of(item, key)?;
        }
        let mut items = sorted_by(changed, new, kind);
        items.extend(gone);
        let is_moved = old.len() != new.len() || old.iter().zip(new).any(|(old, new)| old.get(key) != new.get(key));
        if (self.changes && (!items.is_empty() || is_moved)) || (self.deletions && !items.is_empty()) {
            let order = new.iter().map(|item| {
                let own = item.get(key).cloned().unwrap_or_default();
                Value::Object(Fields::from_iter([(key.to_owned(), own)]))
            });
            put(format!("{ORDER}{name}"), order.collect());
        }
        put(name.to_owned(), items);
        Ok(())
    }

    /// What was changed and added, and what is gone, item by item in the order of their keys. Models diffListsOfMaps.
    fn keyed_lists(self, old: &[Value], new: &[Value], key: &str) -> Result<(Vec<Value>, Vec<Value>), String> {
        let by_key = |items: &[Value]| -> Vec<(String, Value)> {
            let text = |item: &Value| go_text(item.get(key).unwrap_or(&Value::Null));
            let mut items: Vec<_> = items.iter().map(|item| (text(item), item.clone())).collect();
            items.order_by(|one, other| one.0.cmp(&other.0));
            items
        };
        let (old, new) = (by_key(old), by_key(new));
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        while old.peek().is_some() || new.peek().is_some() {
            if let Some((_, old)) = old.peek() {
                key_of(old, key)?;
            }
            if let Some((_, new)) = new.peek() {
                key_of(new, key)?;
            }
            let order = match (old.peek(), new.peek()) {
                (Some((old, _)), Some((new, _))) => old.cmp(new),
                (None, _) => std::cmp::Ordering::Greater,
                (_, None) => std::cmp::Ordering::Less,
            };
            let is_of = |it: std::cmp::Ordering| order == it;
            let before = if is_of(std::cmp::Ordering::Greater) { None } else { old.next() };
            let after = if is_of(std::cmp::Ordering::Less) { None } else { new.next() };
            match (before, after) {
                (Some((_, Value::Object(old))), Some((_, Value::Object(new)))) => {
                    let mut inner = self.maps(old, new)?;
                    if !inner.is_empty() {
                        inner.insert(key.to_owned(), new.get(key).cloned().unwrap_or_default());
                        changed.push(Value::Object(inner));
                    }
                }
                (None, Some((_, new))) if self.changes => changed.push(new.clone()),
                (Some((_, old)), None) if self.deletions => {
                    let own = (key.to_owned(), old.get(key).cloned().unwrap_or_default());
                    let gone_item = Fields::from_iter([own, (DIRECTIVE.to_owned(), "delete".into())]);
                    gone.push(Value::Object(gone_item));
                }
                _ => {}
            }
        }
        Ok((changed, gone))
    }
}

fn sorted_texts(items: &[Value]) -> Vec<Value> {
    let mut items = items.to_vec();
    items.order_by_key(go_text);
    items
}

fn key_of(item: &Value, key: &str) -> Result<Value, String> {
    let Value::Object(fields) = item else { return Err(bad_type(item)) };
    let missing = || format!("map: {} does not contain declared merge key: {key}", go_text(item));
    fields.get(key).cloned().ok_or_else(missing)
}

fn into_list(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(format!("expected a []interface {{}}, but received a {}", go_type(&other))),
    }
}

fn bad_type(item: &Value) -> String {
    format!("expected a map[string]interface {{}}, but received a {}", go_type(item))
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    }
}

/// Whether the items are maps; all must be of one type. Models sliceElementType.
fn one_type(lists: &[&[Value]]) -> Result<bool, String> {
    let mut all = lists.iter().copied().flatten();
    let Some(first) = all.next() else { return Err("no elements in any of the given slices".to_owned()) };
    if first.is_array() {
        return Err("lists of lists are not supported".to_owned());
    }
    if all.any(|item| go_type(item) != go_type(first)) {
        let lists: Vec<String> = lists.iter().map(|list| go_list(list)).collect();
        return Err(format!("list element types are not identical: [{}]", lists.join(" ")));
    }
    Ok(first.is_object())
}

fn go_list(items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(go_text).collect();
    format!("[{}]", items.join(" "))
}

/// A value as Go's `%v` prints it.
pub(super) fn go_text(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{}", go_text(value))).collect();
            format!("map[{}]", fields.join(" "))
        }
        Value::Array(items) => go_list(items),
        Value::String(text) => text.clone(),
        Value::Null => "<nil>".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{merge, patch_finalizers, three_way, two_way};
    use serde_json::{Value, json};
    use std::rc::Rc;

    fn merged(held: Value, patch: Value) -> Result<Value, String> {
        let mut held = held;
        merge(&mut held, patch, 34)?;
        Ok(held)
    }

    /// What `kubectl apply` makes of an object.
    fn applied(last: &Value, text: &Value, held: Value) -> Result<Value, String> {
        let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let patch = three_way(&fields(last), &fields(text), &fields(&held))?;
        merged(held, Value::Object(patch))
    }

    // The cases of patch_test.go that concern these lists, with values of our own.
    #[test]
    fn plain_values_keep_the_order_that_is_said() {
        let held = || json!({"finalizers": ["hold", "a"]});
        let new_first = merged(held(), json!({"finalizers": ["b"]})).unwrap();
        assert_eq!(new_first, json!({"finalizers": ["b", "hold", "a"]}));
        let patch = json!({
            "$deleteFromPrimitiveList/finalizers": ["a"], "$setElementOrder/finalizers": ["b"], "finalizers": ["b"]
        });
        assert_eq!(merged(held(), patch).unwrap(), json!({"finalizers": ["b", "hold"]}));
        let reordered = merged(held(), json!({"$setElementOrder/finalizers": ["a", "hold"]})).unwrap();
        assert_eq!(reordered, json!({"finalizers": ["a", "hold"]}));
        assert_eq!(merged(held(), json!({"finalizers": []})).unwrap(), held());
        assert_eq!(merged(held(), json!({"finalizers": null})).unwrap(), json!({}));
    }

    #[test]
    fn a_patch_of_two_makes_one_of_the_other() {
        let fields = |value: Value| value.as_object().cloned().unwrap_or_default();
        let patch = two_way(&fields(json!({"finalizers": ["b", "a"]})), &fields(json!({"finalizers": ["c", "b"]})));
        let want = json!({
            "$deleteFromPrimitiveList/finalizers": ["a"],
            "$setElementOrder/finalizers": ["c", "b"],
            "finalizers": ["c"],
        });
        assert_eq!(patch.map(Value::Object), Ok(want));
        let same = two_way(&fields(json!({"finalizers": ["b", "a"]})), &fields(json!({"finalizers": ["b", "a"]})));
        // Upstream sorts the old list before it compares the two.
        assert_eq!(same.map(Value::Object), Ok(json!({"$setElementOrder/finalizers": ["b", "a"]})));
    }

    #[test]
    fn apply_takes_away_only_what_was_applied() {
        let last = json!({"spec": {"containers": [{"name": "a", "image": "x", "tty": true}, {"name": "b"}]}});
        let held = json!({"spec": {"replicas": 5, "containers": [
            {"name": "a", "image": "x", "tty": true, "imagePullPolicy": "Always"}, {"name": "b"}, {"name": "injected"},
        ]}});
        let text = json!({"spec": {"containers": [{"name": "c"}, {"name": "a", "image": "y"}]}});
        let want = json!({"spec": {"replicas": 5, "containers": [
            {"name": "c"}, {"name": "a", "image": "y", "imagePullPolicy": "Always"}, {"name": "injected"},
        ]}});
        assert_eq!(applied(&last, &text, held), Ok(want));
    }

    #[test]
    fn a_union_that_is_replaced_loses_its_old_member() {
        let volumes = |volume: Value| json!({"volumes": [volume]});
        let held = volumes(json!({"name": "v", "emptyDir": {}}));
        let text = volumes(json!({"name": "v", "configMap": {"name": "c"}}));
        assert_eq!(applied(&held, &text, held.clone()), Ok(text.clone()));
        // Even if another one than kubectl put it there.
        assert_eq!(applied(&json!({}), &text, held), Ok(text));
        let held = json!({"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}});
        let text = json!({"strategy": {"type": "Recreate"}});
        assert_eq!(applied(&json!({}), &text, held), Ok(text));
    }

    #[test]
    fn lists_that_cannot_be_compared_are_refused() {
        let held = json!({"containers": [{"name": "a"}]});
        let unnamed = applied(&held, &json!({"containers": [{"image": "x"}]}), held.clone());
        assert_eq!(unnamed, Err("map: map[image:x] does not contain declared merge key: name".into()));
        let mixed = applied(&held, &json!({"containers": [{"name": "a"}, 1]}), held.clone());
        let want = "list element types are not identical: [[map[name:a]] [map[name:a] 1]]";
        assert_eq!(mixed, Err(want.into()));
        let unknown = merged(json!({}), json!({"$patch": "add", "a": 1}));
        assert_eq!(unknown, Err("unknown patch type: add in map: map[$patch:add a:1]".into()));
    }

    /// Every order of every part of these.
    fn lists(of: &[&'static str]) -> Vec<Vec<&'static str>> {
        let mut all = vec![Vec::new()];
        for (at, first) in of.iter().enumerate() {
            let others = [&of[..at], &of[at + 1..]].concat();
            all.extend(lists(&others).into_iter().map(|rest| [vec![*first], rest].concat()));
        }
        all
    }

    #[test]
    fn a_hooks_finalizer_survives_every_change_of_a_templates_in_order() {
        for old in lists(&["a", "b", "c"]) {
            for new in lists(&["a", "b", "c"]).into_iter().filter(|new| !new.is_empty()) {
                for held in (0..=old.len()).map(|at| [&old[..at], &["hook"], &old[at..]].concat()) {
                    let fields = |items: &[&str]| {
                        let value = if items.is_empty() { json!({}) } else { json!({"finalizers": items}) };
                        value.as_object().cloned().unwrap_or_default()
                    };
                    let patch = two_way(&fields(&old), &fields(&new)).unwrap();
                    let mut own: Vec<Rc<str>> = held.iter().map(|it| Rc::from(*it)).collect();
                    patch_finalizers(&mut own, &patch);
                    let own: Vec<&str> = own.iter().map(|it| &**it).collect();
                    let named: Vec<&str> = own.iter().filter(|it| **it != "hook").copied().collect();
                    assert_eq!(own.iter().filter(|it| **it == "hook").count(), 1, "{held:?} {old:?} {new:?}: {own:?}");
                    assert_eq!(named, if patch.is_empty() { old.clone() } else { new.clone() }, "{held:?}: {own:?}");
                }
            }
        }
    }

    #[test]
    fn what_was_not_there_is_not_compared() {
        let text = json!({"containers": [{"name": "a", "ports": [{"name": "p"}, {"name": "p"}]}]});
        let held = json!({"containers": [{"name": "a"}]});
        assert_eq!(applied(&held, &text, held.clone()), Ok(text.clone()));
    }
}
