//! Where a long text can be cut into parts that can be read by themselves, found some lines at a time.

use super::listing::{Ending, Of, Part, Piece};
use super::yaml::{json_values, parse};
use crate::go_yaml::{Content, Start};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A text on its way to being cut: at its documents, and those that are a List at their items.
#[derive(Default)]
pub(super) struct Cutting {
    /// The byte and the line that come next.
    at: usize,
    line: usize,
    /// Where the present document begins.
    from: usize,
    first_line: usize,
    items: Items,
    pieces: Vec<Piece>,
    ending: Ending,
}

impl Cutting {
    /// Goes on with about so many bytes. False once it is over.
    pub(super) fn advance(&mut self, text: &str, bytes: usize) -> bool {
        if self.at == 0 && text.trim_start().starts_with('{') && self.cut_json(text) {
            return false;
        }
        let until = self.at.saturating_add(bytes);
        for line in text[self.at..].split_inclusive('\n') {
            if self.at >= until {
                return true;
            }
            self.take(text, line);
        }
        self.end_document(text, self.at);
        false
    }

    /// What it was cut into; and what shows its end.
    pub(super) fn finish(self) -> (Vec<Piece>, Ending) {
        (self.pieces, self.ending)
    }

    fn take(&mut self, text: &str, line: &str) {
        let start = self.at;
        self.at += line.len();
        let ends =
            line.strip_prefix("---").is_some_and(|rest| rest.trim().is_empty()) && self.at > self.from + line.len();
        if ends {
            self.end_document(text, start);
            (self.from, self.first_line) = (self.at, self.line + 1);
        } else {
            self.items.take(line, start..self.at, self.line);
        }
        self.line += 1;
    }

    fn end_document(&mut self, text: &str, end: usize) {
        let (from, line) = (self.from, self.first_line);
        let items = std::mem::take(&mut self.items);
        let document = &text[from..end];
        if document.trim_start().starts_with('{') {
            return self.add_json(document, from, line);
        }
        match items.finish() {
            Some(Cut { items, of, ending }) => {
                self.ending = self.ending.max(ending);
                self.pieces.extend(items.into_iter().map(|(range, line)| Piece {
                    range,
                    start: Start { line, column: 0 },
                    part: Part::YamlItem,
                    of: of.clone(),
                }));
            }
            None => self.pieces.push(whole(from..end, line)),
        }
    }

    /// Cuts a text of one or several JSON values at once. False if it is none.
    fn cut_json(&mut self, text: &str) -> bool {
        if let Some(list) = JsonList::read(text) {
            self.add_items(text, &list, (0, 0));
            return true;
        }
        let Some(values) = json_values(text) else { return false };
        values.into_iter().for_each(|(line, range)| self.add_json(&text[range.clone()], range.start, line));
        true
    }

    /// Adds the items of a document in JSON that is a List, or the document.
    fn add_json(&mut self, document: &str, from: usize, line: usize) {
        match JsonList::read(document) {
            Some(list) => self.add_items(document, &list, (from, line)),
            None => self.pieces.push(whole(from..from + document.len(), line)),
        }
    }

    fn add_items(&mut self, document: &str, list: &JsonList<'_>, at: (usize, usize)) {
        self.ending = self.ending.max(list.ending);
        self.pieces.extend(placed(document, list.ranges(document), list.of().as_ref(), at));
    }
}

fn whole(range: Range<usize>, line: usize) -> Piece {
    Piece { range, start: Start { line, column: 0 }, part: Part::Document, of: None }
}

/// Items of a document, with their lines and columns in the text.
fn placed(document: &str, items: Vec<Range<usize>>, of: Option<&Of>, (from, line): (usize, usize)) -> Vec<Piece> {
    let (mut start, mut at) = (Start { line, column: 0 }, 0);
    let place = |item: Range<usize>| {
        let before = &document[at..item.start];
        start = match before.rsplit_once('\n') {
            Some((lines, last)) => {
                Start { line: start.line + 1 + lines.matches('\n').count(), column: last.chars().count() }
            }
            None => Start { column: start.column + before.chars().count(), ..start },
        };
        at = item.start;
        Piece { range: from + item.start..from + item.end, start, part: Part::JsonItem, of: of.cloned() }
    };
    items.into_iter().map(place).collect()
}

/// A List in JSON, as far as it was read.
#[derive(Default)]
struct JsonList<'t> {
    version: Cow<'t, str>,
    kind: Option<Cow<'t, str>>,
    items: Vec<&'t RawValue>,
    ending: Ending,
}

impl<'t> JsonList<'t> {
    /// None of a document that is no List, or is wrong elsewhere than at its end.
    fn read(document: &'t str) -> Option<Self> {
        let mut list = Self::default();
        let mut reader = serde_json::Deserializer::from_str(document);
        match reader.deserialize_map(&mut list).and_then(|()| reader.end()) {
            Ok(()) if list.kind.is_some() => {}
            Err(error) if error.is_eof() && !list.items.is_empty() => list.ending = Ending::Missing,
            _ => return None,
        }
        // kubectl prints the kind behind the items.
        list.kind.as_ref().is_none_or(|kind| kind.ends_with("List")).then_some(list)
    }

    /// The bytes of its items in the document.
    fn ranges(&self, document: &str) -> Vec<Range<usize>> {
        let place = |item: &&RawValue| {
            let start = item.get().as_ptr().addr() - document.as_ptr().addr();
            start..start + item.get().len()
        };
        self.items.iter().map(place).collect()
    }

    fn of(&self) -> Option<Of> {
        Of::list(&self.version, self.kind.as_deref()?)
    }
}

impl<'t> Visitor<'t> for &mut JsonList<'t> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a List")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            match name.as_str() {
                "apiVersion" => self.version = fields.next_value()?,
                "kind" => self.kind = Some(fields.next_value()?),
                "items" => fields.next_value_seed(JsonItems(&mut self.items))?,
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The items that are read so far stay where the next one cannot be.
struct JsonItems<'l, 't>(&'l mut Vec<&'t RawValue>);

impl<'t> DeserializeSeed<'t> for JsonItems<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'t> Visitor<'t> for JsonItems<'_, 't> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("items")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element()? {
            self.0.push(item);
        }
        Ok(())
    }
}

/// A List in YAML.
struct Cut {
    /// Its items, each with its line.
    items: Vec<(Range<usize>, usize)>,
    /// Of what they are where they do not say it.
    of: Option<Of>,
    ending: Ending,
}

/// The items of a List in YAML, each with its hyphen, its bytes and its line. They stand under a line of `items:` alone, and what
/// is of an item stands further right than its hyphen. Where that is not so an item cannot be read by itself, and the document
/// is read whole.
#[derive(Default)]
struct Items {
    found: Vec<(Range<usize>, usize)>,
    /// What stands around the items.
    envelope: String,
    indent: Option<usize>,
    is_within: bool,
    /// Whether anything stands behind them.
    is_followed: bool,
    cannot_be_cut: bool,
}

impl Items {
    fn take(&mut self, line: &str, range: Range<usize>, number: usize) {
        let content = line.trim_start_matches(' ');
        let column = line.len() - content.len();
        let is_hyphen = content.starts_with("- ") || content.trim_end() == "-";
        if !self.is_within && self.indent.is_none() && line.trim_end() == "items:" {
            self.is_within = true;
        } else if self.is_within && is_hyphen && *self.indent.get_or_insert(column) == column {
            self.found.push((range, number));
        } else if self.is_within && (column > 0 || line.trim().is_empty() || line.starts_with('#')) {
            match self.found.last_mut() {
                Some((item, _)) => item.end = range.end,
                None => self.cannot_be_cut = true,
            }
        } else {
            // Behind three dots another document begins.
            self.cannot_be_cut |= line.trim_end() == "...";
            self.is_within = false;
            self.is_followed |= !self.found.is_empty();
            self.envelope.push_str(line);
        }
    }

    fn finish(self) -> Option<Cut> {
        if self.cannot_be_cut || self.found.is_empty() {
            return None;
        }
        let (documents, unreadable) = parse(&self.envelope);
        let kind = documents.first().and_then(|document| Some(document.field("kind")?.text().unwrap_or_default()));
        let is_list = match documents.as_slice() {
            [] => true,
            [document] => {
                matches!(document.content, Content::Map(_))
                    && kind.is_none_or(|kind| kind.ends_with("List"))
                    && document.field("items").is_none()
            }
            _ => false,
        };
        let word = |name: &str| documents.first().and_then(|document| document.field(name)?.text()).unwrap_or_default();
        let of = Of::list(word("apiVersion"), word("kind"));
        // kubectl prints the kind behind the items, others before them.
        let ending = match kind {
            None => Ending::Missing,
            Some(_) if self.is_followed => Ending::Shown,
            Some(_) => Ending::Unknown,
        };
        (unreadable.is_none() && is_list).then_some(Cut { items: self.found, of, ending })
    }
}
