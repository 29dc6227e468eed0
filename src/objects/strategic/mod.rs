//! Strategic merge patches: lists are merged by a key of their items, and directives are obeyed. Laid over an object, and made
//! from what was applied before, what is applied now and what is there.
//! Models apimachinery's pkg/util/strategicpatch/patch.go.
//!
//! A worked example: containers `main` and `side` are there and a patch names `new` and `main`. `main` is changed where it
//! stands, and `new` comes before what the patch does not name.

mod difference;
mod go;
mod keys;
mod lists;
mod merge;
#[cfg(test)]
mod tests;

use difference::Difference;
pub(super) use go::go_text;
use merge::Merge;
use serde_json::{Map, Value, json};
use std::rc::Rc;

type Fields = Map<String, Value>;

/// Lays a patch over an object. `stores_directives` if null fields and directives are stored in what
/// was not there before.
///
/// # Errors
/// The patch does not fit, in the server's words.
pub(crate) fn merge(target: &mut Value, patch: Value, stores_directives: bool) -> Result<(), String> {
    let Value::Object(patch) = patch else {
        *target = patch;
        return Ok(());
    };
    let fields = target.take();
    let mut fields = if let Value::Object(fields) = fields { fields } else { Fields::new() };
    Merge { onto_patch: false, keeps_new: stores_directives }.map(&mut fields, patch)?;
    *target = Value::Object(fields);
    Ok(())
}

/// Lays the part of a metadata patch that is about finalizers over an object's own.
pub(crate) fn patch_finalizers(held: &mut Vec<Rc<str>>, patch: &Fields) {
    let patch = patch.iter().filter(|(name, _)| name.ends_with("finalizers"));
    let patch: Fields = patch.map(|(name, value)| (name.clone(), value.clone())).collect();
    let own: Vec<Value> = held.iter().map(|own| Value::from(&**own)).collect();
    let mut metadata = if own.is_empty() { json!({}) } else { json!({"finalizers": own}) };
    if !patch.is_empty() && merge(&mut metadata, Value::Object(patch), false).is_ok() {
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
