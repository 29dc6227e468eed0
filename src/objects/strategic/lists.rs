//! Lists in a patch: their order, their repeats, and what each item has to be.

use super::go::{bad_type, go_list, go_text, go_type};
use super::keys::{DIRECTIVE, ListKind};
use serde_json::Value;

/// Whether the items are maps; all must be of one type. Models sliceElementType.
pub(super) fn one_type(lists: &[&[Value]]) -> Result<bool, String> {
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

pub(super) fn key_of(item: &Value, key: &str) -> Result<Value, String> {
    let Value::Object(fields) = item else { return Err(bad_type(item)) };
    let missing = || format!("map: {} does not contain declared merge key: {key}", go_text(item));
    fields.get(key).cloned().ok_or_else(missing)
}

pub(super) fn into_list(value: Value) -> Result<Vec<Value>, String> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(format!("expected a []interface {{}}, but received a {}", go_type(&other))),
    }
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
pub(super) fn arranged(
    merged: Vec<Value>,
    order: &[Value],
    held: &[Value],
    kind: ListKind,
) -> Result<Vec<Value>, String> {
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
pub(super) fn sorted_by(items: Vec<Value>, order: &[Value], kind: ListKind) -> Vec<Value> {
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
pub(super) fn without_repeats(mut items: Vec<Value>) -> Vec<Value> {
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
pub(super) fn check_order(patch: &[Value], order: &[Value], kind: ListKind) -> Result<(), String> {
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
