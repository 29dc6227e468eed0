//! Where fields stand in the text that was opened, with the lines around them.

use super::Dump;
use crate::kubectl::manifest::Piece;
use crate::objects::{Kind, ObjectRef};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::vec::IntoIter;

/// Lines that are shown before and after the one that is meant.
const AROUND: usize = 4;
/// Characters of a line that are shown: JSON may be one line.
const LONGEST_LINE: usize = 160;

/// A field in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldInText {
    /// Its line, counted from 1; of what is around it, if it is not there.
    pub line: usize,
    /// What the text says; none if the field is not there.
    pub value: Option<Value>,
    /// The number of the first line that is shown.
    pub first: usize,
    /// The lines that are shown.
    pub lines: Vec<Rc<str>>,
}

/// Places of fields, by object and path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<(ObjectRef, String), FieldInText>);

/// The value at a path such as `status.conditions[1].status`; null if there is none.
pub fn field<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, step| match step.split_once('[') {
        Some((name, index)) => {
            let index: usize = index.trim_end_matches(']').parse().unwrap_or(usize::MAX);
            &value[name][index]
        }
        None => &value[step],
    })
}

impl Places {
    /// Looks fields up in the text that was opened; what it does not have has no place.
    pub fn of<'a>(dump: &Dump, fields: impl IntoIterator<Item = (&'a ObjectRef, &'a str)>) -> Self {
        let mut placing = Placing::new(dump, fields);
        while placing.advance() {}
        placing.finish()
    }

    /// The place of a field.
    pub fn find(&self, object: &ObjectRef, path: &str) -> Option<&FieldInText> {
        self.0.get(&(object.clone(), path.to_owned()))
    }
}

/// An object, and the paths of the fields that are asked for.
type Wanted = (ObjectRef, Vec<String>);

/// Fields on their way to being looked up.
pub(crate) struct Placing {
    /// What is asked for, by kind and name.
    wanted: BTreeMap<(Kind, Rc<str>), Vec<Wanted>>,
    text: Rc<str>,
    /// The parts of the text that have it.
    left: IntoIter<Piece>,
    places: Places,
}

impl Placing {
    /// Nothing is looked up yet.
    pub(crate) fn new<'a>(dump: &Dump, fields: impl IntoIterator<Item = (&'a ObjectRef, &'a str)>) -> Self {
        let mut all: BTreeMap<&ObjectRef, Vec<String>> = BTreeMap::new();
        for (object, path) in fields {
            all.entry(object).or_default().push(path.to_owned());
        }
        let mut wanted: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (object, paths) in all {
            let key = (object.kind, Rc::clone(&object.name));
            wanted.entry(key).or_default().push((object.clone(), paths));
        }
        let is_wanted = |object: &ObjectRef| {
            let named = wanted.get(&(object.kind, Rc::clone(&object.name)));
            named.is_some_and(|named| named.iter().any(|(one, _)| is_in(&object.namespace, one)))
        };
        let sources = dump.sources.iter().filter(|(object, _)| is_wanted(object));
        let mut pieces: Vec<Piece> = sources.map(|(_, piece)| piece.clone()).collect();
        // Of a document that was not cut every object has the same.
        pieces.dedup();
        Self { wanted, text: Rc::clone(&dump.text), left: pieces.into_iter(), places: Places::default() }
    }

    /// Reads the next part of the text again. False if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(piece) = self.left.next() else { return false };
        let find = |version: &str, kind: &str, namespace: &str, name: &str| {
            let named = self.wanted.get(&(Kind::named(version, kind)?, name.into()))?;
            named.iter().find(|(one, _)| is_in(namespace, one))
        };
        let is_asked =
            |version: &str, kind: &str, namespace: &str, name: &str| find(version, kind, namespace, name).is_some();
        for (listed, spots) in piece.places(&self.text, is_asked) {
            let (own, metadata) = (&listed.value, &listed.value["metadata"]);
            let word = |value: &'_ Value| value.as_str().unwrap_or_default().to_owned();
            let [version, kind] = ["apiVersion", "kind"].map(|name| word(&own[name]));
            let [namespace, name] = ["namespace", "name"].map(|name| word(&metadata[name]));
            let Some((object, paths)) = find(&version, &kind, &namespace, &name) else { continue };
            for path in paths {
                let value = Some(field(own, path)).filter(|value| !value.is_null()).cloned();
                // What a row leaves out was completed, or is of the run alone.
                if value.is_none() && piece.is_told() {
                    continue;
                }
                let place = place(&self.text, piece.begins(), spots.find(path), value);
                self.places.0.insert((object.clone(), path.clone()), place);
            }
        }
        true
    }

    /// What was found.
    pub(crate) fn finish(self) -> Places {
        self.places
    }
}

/// kubectl prints no namespace where an object has none, and a manifest may leave it out.
fn is_in(namespace: &str, object: &ObjectRef) -> bool {
    ["", &object.namespace].contains(&namespace)
}

/// A field at a line and column, counted from 1, in a part of the text that begins at this byte and line, counted from 0.
fn place(text: &str, begins: (usize, usize), (line, column): (usize, usize), value: Option<Value>) -> FieldInText {
    let first = line.saturating_sub(AROUND).max(1);
    let line_at = |byte: usize| text[..byte].rfind('\n').map_or(0, |end| end + 1);
    let (mut at, mut number) = (line_at(begins.0), begins.1 + 1);
    while number > first && at > 0 {
        (at, number) = (line_at(at - 1), number - 1);
    }
    let lines = text[at..].lines().skip(first.saturating_sub(number));
    let shown = (first..).zip(lines).take(line + AROUND + 1 - first);
    let cut = |(at, text): (usize, &str)| -> Rc<str> {
        if text.chars().nth(LONGEST_LINE).is_none() {
            return text.into();
        }
        let skipped = if at == line { column.saturating_sub(LONGEST_LINE / 4) } else { 0 };
        text.chars().skip(skipped).take(LONGEST_LINE).collect::<String>().into()
    };
    FieldInText { line, value, first, lines: shown.map(cut).collect() }
}
