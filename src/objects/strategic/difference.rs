//! The patch that makes one object of another.

use super::Fields;
use super::go::go_text;
use super::keys::{DELETE_FROM, DIRECTIVE, ListKind, ORDER, RETAIN, UNIONS, list_kind};
use super::lists::{key_of, one_type, sorted_by, without_repeats};
use serde_json::{Value, json};

/// What is written into a patch of the differences.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    /// What was changed and added.
    pub(super) changes: bool,
    /// What is gone.
    pub(super) deletions: bool,
    /// Which fields stay, of a union.
    pub(super) retains: bool,
}

impl Difference {
    /// Models diffMaps.
    pub(super) fn maps(self, original: &Fields, modified: &Fields) -> Result<Fields, String> {
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
                json!({key: own})
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
            items.sort_by(|one, other| one.0.cmp(&other.0));
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
                    let own = old.get(key).cloned().unwrap_or_default();
                    gone.push(json!({key: own, DIRECTIVE: "delete"}));
                }
                _ => {}
            }
        }
        Ok((changed, gone))
    }
}

fn sorted_texts(items: &[Value]) -> Vec<Value> {
    let mut items = items.to_vec();
    items.sort_by_key(go_text);
    items
}
