//! Where fields stand in the text that was opened, with the lines around them.

use super::Dump;
use crate::kubectl::manifest::Piece;
use crate::objects::{Kind, ObjectRef};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Lines that are shown before and after the one that is meant.
const AROUND: usize = 4;
/// Characters of a line that are shown: JSON may be one line.
const LONGEST_LINE: usize = 160;

/// A field in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
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
pub struct Places(BTreeMap<(ObjectRef, String), Place>);

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
    pub fn of<'a>(text: &str, dump: &Dump, fields: impl IntoIterator<Item = (&'a ObjectRef, &'a str)>) -> Self {
        let mut wanted: BTreeMap<&ObjectRef, Vec<&str>> = BTreeMap::new();
        for (object, path) in fields {
            wanted.entry(object).or_default().push(path);
        }
        if wanted.is_empty() {
            return Self::default();
        }
        // kubectl prints no namespace where an object has none, and a manifest may leave it out.
        let find = |version: &str, kind: &str, namespace: &str, name: &str| {
            let kind = Kind::named(version, kind)?;
            let is_it = |object: &&&ObjectRef| {
                object.kind == kind && *object.name == *name && ["", &object.namespace].contains(&namespace)
            };
            wanted.keys().find(is_it).copied()
        };
        let sources = dump.sources.iter().filter(|(object, _)| {
            wanted.keys().any(|wanted| {
                (wanted.kind, &wanted.name) == (object.kind, &object.name)
                    && ["", &wanted.namespace].contains(&&*object.namespace)
            })
        });
        let mut pieces: Vec<&Piece> = sources.map(|(_, piece)| piece).collect();
        // Of a document that was not cut every object has the same.
        pieces.dedup();
        let is_asked =
            |version: &str, kind: &str, namespace: &str, name: &str| find(version, kind, namespace, name).is_some();
        let found = pieces.into_iter().flat_map(|piece| piece.places(text, is_asked));
        let lines: Vec<&str> = text.lines().collect();
        let mut places = BTreeMap::new();
        for (listed, spots) in found {
            let word = |value: &'_ Value| value.as_str().unwrap_or_default().to_owned();
            let (own, metadata) = (&listed.value, &listed.value["metadata"]);
            let [version, kind] = ["apiVersion", "kind"].map(|name| word(&own[name]));
            let [namespace, name] = ["namespace", "name"].map(|name| word(&metadata[name]));
            let Some(object) = find(&version, &kind, &namespace, &name) else { continue };
            for path in wanted.get(object).into_iter().flatten() {
                let value = Some(field(own, path)).filter(|value| !value.is_null()).cloned();
                let (line, column) = spots.find(path);
                places.insert((object.clone(), (*path).to_owned()), place(&lines, line, column, value));
            }
        }
        Self(places)
    }

    /// The place of a field.
    pub fn find(&self, object: &ObjectRef, path: &str) -> Option<&Place> {
        self.0.get(&(object.clone(), path.to_owned()))
    }
}

fn place(lines: &[&str], line: usize, column: usize, value: Option<Value>) -> Place {
    let first = line.saturating_sub(AROUND).max(1);
    let shown = (first..).zip(lines.iter().skip(first - 1)).take(line + AROUND + 1 - first);
    let cut = |(at, text): (usize, &&str)| -> Rc<str> {
        if text.chars().count() <= LONGEST_LINE {
            return (*text).into();
        }
        let skipped = if at == line { column.saturating_sub(LONGEST_LINE / 4) } else { 0 };
        text.chars().skip(skipped).take(LONGEST_LINE).collect::<String>().into()
    };
    Place { line, value, first, lines: shown.map(cut).collect() }
}
