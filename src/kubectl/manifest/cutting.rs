//! Where a long text can be cut into parts that can be read by themselves, found some lines at a time.

use super::listing::{Of, Part, Piece};
use super::yaml::{Content, Start, json_values, parse};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
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
    is_cut_off: bool,
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

    /// What it was cut into; and whether its end is missing.
    pub(super) fn finish(self) -> (Vec<Piece>, bool) {
        (self.pieces, self.is_cut_off)
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
            return self.pieces.extend(json_pieces(document, from, line));
        }
        match items.finish() {
            Some(Cut { items, of, has_end }) => {
                self.is_cut_off |= !has_end;
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
        if let Some((items, of)) = json_items(text) {
            self.pieces = placed(text, items, of.as_ref(), (0, 0));
            return true;
        }
        let Some(values) = json_values(text) else { return false };
        self.pieces =
            values.into_iter().flat_map(|(line, range)| json_pieces(&text[range.clone()], range.start, line)).collect();
        true
    }
}

fn whole(range: Range<usize>, line: usize) -> Piece {
    Piece { range, start: Start { line, column: 0 }, part: Part::Document, of: None }
}

/// The items of a document in JSON that is a List, or the document.
fn json_pieces(document: &str, from: usize, line: usize) -> Vec<Piece> {
    match json_items(document) {
        Some((items, of)) => placed(document, items, of.as_ref(), (from, line)),
        None => vec![whole(from..from + document.len(), line)],
    }
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

/// The items of a List in JSON.
fn json_items(document: &str) -> Option<(Vec<Range<usize>>, Option<Of>)> {
    #[derive(Deserialize)]
    struct Envelope<'t> {
        #[serde(borrow, rename = "apiVersion", default)]
        version: Cow<'t, str>,
        #[serde(borrow)]
        kind: Cow<'t, str>,
        #[serde(borrow)]
        items: Vec<&'t RawValue>,
    }
    let Envelope { version, kind, items } = serde_json::from_str(document).ok()?;
    let place = |item: &RawValue| {
        let start = item.get().as_ptr().addr() - document.as_ptr().addr();
        start..start + item.get().len()
    };
    kind.ends_with("List").then(|| (items.into_iter().map(place).collect(), Of::list(&version, &kind)))
}

/// A List in YAML.
struct Cut {
    /// Its items, each with its line.
    items: Vec<(Range<usize>, usize)>,
    /// Of what they are where they do not say it.
    of: Option<Of>,
    /// Whether it has a kind, which kubectl prints after the items: a text that was cut off has none.
    has_end: bool,
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
        let has_end = kind.is_some();
        (unreadable.is_none() && is_list).then_some(Cut { items: self.found, of, has_end })
    }
}
