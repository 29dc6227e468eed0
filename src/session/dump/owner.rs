//! Owners that a text leaves out: one of StatefulSets and pods has a Deployment's pods without their ReplicaSets.

use super::assume::{About, Assumed};
use crate::kubectl::Command;
use crate::objects::{Kind, Object};
use crate::sim::{Cascade, LeftOut, owners_left_out};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Names that are said of a kind.
const SAID: usize = 3;

/// The run takes them to be there. What they own is deleted if a person says that they are not, as the garbage collector
/// would.
pub(super) fn left_out(objects: &[Object], assumed: &mut Assumed<'_>) {
    let mut by_kind: BTreeMap<Kind, Vec<LeftOut<'_>>> = BTreeMap::new();
    owners_left_out(objects).for_each(|one| by_kind.entry(one.kind).or_default().push(one));
    for (kind, all) in by_kind {
        let names: BTreeSet<&Rc<str>> = all.iter().map(|one| &one.owner.name).collect();
        let listed = Text::first(SAID, names.into_iter().map(Text::verbatim));
        let text =
            text!("Owners of kind {} are there, though the text has only what they own: {}.", kind.as_str(), listed);
        let is_denied = assumed.options.denied.contains(&About::Owners(kind));
        if is_denied {
            assumed.commands.extend(all.iter().filter_map(|one| delete(one.dependent)));
        }
        assumed.note(About::Owners(kind), text, is_denied);
    }
}

/// Deletes what belongs to nobody; nothing follows from a revision.
fn delete(object: &Object) -> Option<Command> {
    let metadata = object.metadata();
    if metadata.deletion_timestamp.is_some() || metadata.owner_references.len() > 1 {
        return None;
    }
    let key = object.reference();
    match object {
        Object::Pod(_) => Some(Command::DeletePod { pod: key, grace: None }),
        Object::Claim(_) => Some(Command::DeleteClaim { claim: key }),
        _ => object.is_workload().then_some(Command::DeleteSet { set: key, cascade: Cascade::Background }),
    }
}
