//! A patch is laid over an object, or over another patch.

use super::Fields;
use super::go::{bad_type, go_text};
use super::keys::{DELETE_FROM, DIRECTIVE, ListKind, ORDER, RETAIN, list_kind};
use super::lists::{arranged, check_order, into_list, key_of, one_type, without_repeats};
use crate::objects::json_object;
use serde_json::Value;

/// How a patch is laid over something.
pub(super) struct Merge {
    /// Whether that is a patch itself: then directives and null fields stay in it.
    pub(super) onto_patch: bool,
    /// Whether what was not there is taken as it stands.
    pub(super) keeps_new: bool,
}

impl Merge {
    /// Models mergeMap.
    pub(super) fn map(&self, original: &mut Fields, mut patch: Fields) -> Result<(), String> {
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
