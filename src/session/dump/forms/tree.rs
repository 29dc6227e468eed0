//! An object put together from a text that is not YAML, with the line that says each of its fields.

use crate::kubectl::manifest::{Listed, Piece, Places};
use crate::objects::{Kind, Time};
pub(super) use crate::objects::{field, slot};
use serde_json::Value;
use std::ops::Range;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Counted from 1.
    pub(super) number: usize,
    /// Its first byte in the text.
    pub(super) at: usize,
    /// Without its end.
    pub(super) text: &'t str,
}

impl<'t> Line<'t> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How far in it begins.
    pub(super) fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

/// A moment so many milliseconds before the text was made, until that is known.
const AGO: &str = "ago ";

/// A moment so many milliseconds before the text was made.
pub(super) fn ago(milliseconds: i64) -> Value {
    format!("{AGO}{milliseconds}").into()
}

/// The moment that [`ago`] means in a text made then.
pub(in super::super) fn moment(text: &str, made: Time) -> Option<Time> {
    let ago: i64 = text.strip_prefix(AGO)?.parse().ok()?;
    Some(Time(made.0.saturating_sub(ago)))
}

/// How much a form says of an object: where a text has it twice, the fuller one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fullness {
    /// Nothing but that it is there.
    Guessed,
    /// A line that tells how far a rollout is.
    Progress,
    /// A row of a table.
    Row,
    /// A description.
    Described,
    /// YAML or JSON.
    Whole,
}

/// An object that is put together.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) value: Value,
    places: Places,
    line: usize,
    range: Range<usize>,
    pub(super) fullness: Fullness,
}

/// The kind of this name, where no other group has the name too.
pub(super) fn simulated(kind: &str) -> Option<Kind> {
    // The other kinds of OpenKruise have names of Kubernetes' own.
    let is_known = |known: &Kind| !known.is_custom_resource() || *known == Kind::CloneSet;
    Kind::ALL.iter().copied().find(|known| known.as_str() == kind && is_known(known))
}

/// The kind of an object that is put together, if it is simulated.
pub(super) fn kind_of(value: &Value) -> Option<Kind> {
    let word = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    Kind::named(word("apiVersion"), word("kind")).or_else(|| simulated(word("kind")))
}

/// The version under which a kind stands in the API.
pub(super) fn version(kind: &str) -> &'static str {
    let known = simulated(kind);
    match kind {
        "Job" | "CronJob" => "batch/v1",
        _ => known.map_or("v1", |known| known.api_version()),
    }
}

impl Tree {
    /// An object of which nothing is known but its kind and name, and where it is told of.
    pub(super) fn new(kind: &str, name: &str, line: Line<'_>, fullness: Fullness) -> Self {
        let mut tree =
            Self { value: Value::Null, places: Places::default(), line: line.number, range: line.range(), fullness };
        tree.places.put("", line.number, 1);
        tree.put("apiVersion", version(kind), line);
        tree.put("kind", kind, line);
        tree.put("metadata.name", name, line);
        tree
    }

    /// A field at a path such as `status.conditions[0].type`, which a line says.
    pub(super) fn put(&mut self, path: &str, value: impl Into<Value>, line: Line<'_>) {
        *slot(&mut self.value, path) = value.into();
        self.places.put(path, line.number, line.indent() + 1);
    }

    /// The same of a field whose name may have dots, as a label's.
    pub(super) fn put_key(&mut self, path: &str, key: &str, value: impl Into<Value>, line: Line<'_>) {
        *field(slot(&mut self.value, path), key) = value.into();
        self.places.put(&format!("{path}.{key}"), line.number, line.indent() + 1);
    }

    /// How many items a list has.
    pub(super) fn count(&self, path: &str) -> usize {
        let found = super::super::field(&self.value, path);
        found.as_array().map_or(0, Vec::len)
    }

    /// As an object of a listing.
    pub(super) fn listed(self) -> Listed {
        let piece = Piece::told(self.range, self.line.saturating_sub(1), self.value.clone(), self.places);
        Listed { line: self.line, value: self.value, piece }
    }
}
