//! What no API server prints, though a text may say it: somebody changed the text by hand, or put two together.

use super::assume::{About, Assumed};
use super::read::Event;
use crate::objects::{Object, ObjectRef};
use crate::session::identity::Mended;
use crate::text::Text;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Names that are said of one kind of damage.
const SAID: usize = 3;

fn names(all: impl IntoIterator<Item = Text>) -> Text {
    Text::first(SAID, all)
}

/// What names an object by a uid that says nothing names it by its name alone.
pub(super) fn rename(mended: &Mended, events: &mut [Event], storage: &mut [Value]) {
    for event in events.iter_mut().filter(|event| !event.uid.is_empty()) {
        if mended.is_unknown(&event.uid, &event.kind, &event.namespace, &event.name) {
            event.uid = Rc::default();
        }
    }
    for claim in storage.iter_mut().filter_map(|volume| volume.pointer_mut("/spec/claimRef")?.as_object_mut()) {
        let word = |name: &str| claim.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let [uid, namespace, name] = ["uid", "namespace", "name"].map(word);
        if mended.is_unknown(&uid, "PersistentVolumeClaim", &namespace, &name) {
            claim.remove("uid");
        }
    }
}

/// Says what was cut out of the text, by field.
pub(super) fn note_cut(objects: &[Object], cut: &BTreeMap<ObjectRef, &'static str>, assumed: &mut Assumed<'_>) {
    let mut by_field: BTreeMap<&str, Vec<Text>> = BTreeMap::new();
    for object in objects.iter().map(Object::reference) {
        if let Some(field) = cut.get(&object) {
            by_field.entry(field).or_default().push(Text::verbatim(format!("{} {}", object.kind.title(), object.name)));
        }
    }
    for (field, all) in by_field {
        let text =
            text!("These have no `{}`, which every cluster prints: nothing is promised of them. {}", field, names(all));
        assumed.note(About::Damage(text.to_string().into()), text, false);
    }
}

/// Says that the end of the text is missing.
pub(super) fn note_end(assumed: &mut Assumed<'_>) {
    let text = text!(
        "The text is cut off: `kind: List`, which kubectl prints last, is not there. Nothing is promised of what it has."
    );
    assumed.note(About::Damage(text.to_string().into()), text, false);
}

/// Says what was made of it.
pub(super) fn note(
    objects: &[Object],
    mended: &Mended,
    twice: &BTreeSet<ObjectRef>,
    ahead: &[String],
    assumed: &mut Assumed<'_>,
) {
    let mut note = |text: Text| assumed.note(About::Damage(text.to_string().into()), text, false);
    if mended.by_name || !mended.twice.is_empty() {
        note(text!("Uids are missing, or several objects have one: owners are told by their names."));
    }
    if !mended.not_owned.is_empty() {
        let all = mended.not_owned.iter().map(|(name, owner)| Text::verbatim(format!("{name} ({owner})")));
        let all = names(all.collect::<BTreeSet<Text>>());
        note(text!("The owner that these name by its uid is gone, though another has its name: {}.", all));
    }
    if !twice.is_empty() {
        let all = twice.iter().map(|one| Text::verbatim(format!("{} {}", one.kind.title(), one.name)));
        note(text!("The text has these more than once, and the newest of each is taken: {}.", names(all)));
    }
    if !ahead.is_empty() {
        let all = ahead.iter().map(|one| Text::verbatim(one.as_str()));
        note(text!("Moments of these are ahead of all others, and are taken as the present: {}.", names(all)));
    }
    let is_foreign = |object: &&Object| matches!(object, Object::Revision(own) if !own.data.text().starts_with('{'));
    let foreign: Vec<Text> =
        objects.iter().filter(is_foreign).map(|own| Text::verbatim(&*own.metadata().name)).collect();
    if !foreign.is_empty() {
        let all = names(foreign);
        note(text!("The data of these revisions is no map, so that which template they keep is not known: {}.", all));
    }
}
