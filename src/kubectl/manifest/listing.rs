//! The objects of a long text, read one after the other: a List as kubectl prints it is cut at its items, so that a page can
//! draw between two of them.

use super::cutting::Cutting;
use super::place::Places;
use super::read::note_places;
use super::yaml::{Unreadable, cut, parse, parse_document, parse_piece};
use crate::go_yaml::{Content, Node, Start};
use serde_json::Value;
use std::ops::Range;
use std::rc::Rc;

/// An object of a text that says what is there, not what is wanted: nothing is checked or defaulted.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Where it starts, counted from 1.
    pub line: usize,
    /// Its content.
    pub value: Value,
    /// What was read with it.
    pub piece: Piece,
}

/// The apiVersion and kind of what a list has whose items name none, such as a `PodList`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Of(Rc<(String, String)>);

impl Of {
    /// Of a list of this version and kind; none of a `List`, whose items name their own.
    pub(super) fn list(version: &str, kind: &str) -> Option<Self> {
        let of = kind.strip_suffix("List").filter(|of| !of.is_empty())?;
        Some(Self(Rc::new((version.to_owned(), of.to_owned()))))
    }

    fn node(node: &Node) -> Option<Self> {
        let word = |name: &str| node.field(name).and_then(Node::text);
        Self::list(word("apiVersion").unwrap_or_default(), word("kind")?)
    }

    /// Says of what the list is, where the item does not say it itself.
    fn name(of: Option<&Self>, item: &mut Value) {
        let Some(fields) = item.as_object_mut().filter(|fields| !fields.contains_key("kind")) else { return };
        let Some(Self(of)) = of else { return };
        fields.insert("apiVersion".to_owned(), of.0.as_str().into());
        fields.insert("kind".to_owned(), of.1.as_str().into());
    }
}

/// Whether the end of a List is there, as it is not in what was copied from a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// Something follows its items, or there is none.
    #[default]
    Shown,
    /// Nothing follows its items, and need not.
    Unknown,
    /// The last of its items may be whole or not.
    Missing,
}

/// A part of a text that can be read by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    pub(super) start: Start,
    pub(super) part: Part,
    /// Of what kind it is, where it need not say so itself.
    pub(super) of: Option<Of>,
}

/// What a piece is of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Document,
    /// An item of a List, with its hyphen: it is read as a list of one.
    YamlItem,
    JsonItem,
    /// No YAML: an object that was read out of it otherwise, and where it stands.
    Told(Rc<(Value, Places)>),
}

impl Piece {
    /// A part of a text, at these bytes and from this line on (counted from 0), out of which an object was read that is not written
    /// there as YAML: it has these fields, in these places.
    pub(crate) fn told(range: Range<usize>, line: usize, value: Value, places: Places) -> Self {
        Self { range, start: Start { line, column: 0 }, part: Part::Told(Rc::new((value, places))), of: None }
    }

    /// Whether it is no YAML: what it has not is nowhere in it.
    pub fn is_told(&self) -> bool {
        matches!(self.part, Part::Told(_))
    }

    fn read(&self, text: &str) -> Result<Vec<Node>, Unreadable> {
        let own = &text[self.range.clone()];
        let read = if self.part == Part::Document { parse_document } else { parse_piece };
        match read(own, self.start)? {
            Some(Node { content: Content::List(items), .. }) if self.part == Part::YamlItem => Ok(items),
            node => Ok(node.into_iter().collect()),
        }
    }

    /// The byte and the line, both counted from 0, at which it begins in its text.
    pub fn begins(&self) -> (usize, usize) {
        (self.range.start, self.start.line)
    }

    /// Those objects of the piece that are asked for by apiVersion, kind, namespace (empty if none is given) and name, each
    /// with where its fields stand.
    pub fn places(&self, text: &str, is_asked: impl Fn(&str, &str, &str, &str) -> bool) -> Vec<(Listed, Places)> {
        let mut objects = Vec::new();
        if let Part::Told(told) = &self.part {
            let (value, places) = &**told;
            let word = |path: &str| value.pointer(path).and_then(Value::as_str).unwrap_or_default();
            if is_asked(word("/apiVersion"), word("/kind"), word("/metadata/namespace"), word("/metadata/name")) {
                let listed = Listed { line: self.start.line + 1, value: value.clone(), piece: self.clone() };
                objects.push((listed, places.clone()));
            }
            return objects;
        }
        let mut keep = |node: &Node, of: Option<&Of>| {
            let metadata = node.field("metadata");
            let word = |node: Option<&Node>, name| node.and_then(|node| node.field(name)?.text().map(str::to_owned));
            let own = ["apiVersion", "kind"].map(|name| word(Some(node), name).unwrap_or_default());
            let own = match of.filter(|_| own[1].is_empty()) {
                Some(Of(of)) => [of.0.clone(), of.1.clone()],
                None => own,
            };
            let named = ["namespace", "name"].map(|name| word(metadata, name).unwrap_or_default());
            if is_asked(&own[0], &own[1], &named[0], &named[1]) {
                let mut places = Places::default();
                note_places(node, "", &mut places);
                let mut value = node.to_value(true);
                Of::name(of, &mut value);
                objects.push((Listed { line: node.line, value, piece: self.clone() }, places));
            }
        };
        self.read(text).into_iter().flatten().for_each(|node| list(&node, self.of.as_ref(), &mut keep));
        objects
    }
}

/// Bytes of a text that are cut in one step: about a millisecond's work.
const CUT_AT_ONCE: usize = 128 << 10;

/// A text on its way to being read.
pub struct Listing {
    text: Rc<str>,
    /// What is cut of it; none once all is.
    cutting: Option<Cutting>,
    pieces: Vec<Piece>,
    /// How many of them are read.
    read: usize,
    objects: Vec<Listed>,
    unreadable: Option<Unreadable>,
    /// Whether documents that cannot be read are passed over.
    passes_over: bool,
    ending: Ending,
}

impl Listing {
    /// Nothing of the text is read yet.
    pub fn new(text: Rc<str>) -> Self {
        let cutting = Some(Cutting::default());
        let (pieces, objects) = (Vec::new(), Vec::new());
        let ending = Ending::Shown;
        Self { text, cutting, pieces, read: 0, objects, unreadable: None, passes_over: false, ending }
    }

    /// The same, of a text whose documents have to do with each other as little as files of a folder: one that cannot be read is
    /// passed over.
    pub(crate) fn passing_over(text: Rc<str>) -> Self {
        Self { passes_over: true, ..Self::new(text) }
    }

    /// Cuts a little more of the text, or reads the next piece; what came before an error stays. False if there is none.
    pub fn advance(&mut self) -> bool {
        if let Some(cutting) = &mut self.cutting {
            if !cutting.advance(&self.text, CUT_AT_ONCE) {
                (self.pieces, self.ending) = self.cutting.take().map(Cutting::finish).unwrap_or_default();
            }
            return true;
        }
        let Some(piece) = self.pieces.get(self.read).filter(|_| self.passes_over || self.unreadable.is_none()) else {
            return false;
        };
        self.read += 1;
        let mut keep = |node: &Node, of: Option<&Of>| {
            let mut value = node.to_value(true);
            Of::name(of, &mut value);
            self.objects.push(Listed { line: node.line, value, piece: piece.clone() });
        };
        match piece.read(&self.text) {
            Ok(nodes) => nodes.iter().for_each(|node| list(node, piece.of.as_ref(), &mut keep)),
            Err(unreadable) if piece.part == Part::Document => {
                self.unreadable.get_or_insert(unreadable);
            }
            Err(unreadable) if self.is_end_missing(&unreadable) => self.ending = Ending::Missing,
            // What is right or wrong with a document is said of the whole of it: an alias may name an anchor of another item.
            Err(_) => self.read_uncut(),
        }
        true
    }

    /// Whether the last of several items cannot be read because the end of what it says is missing.
    fn is_end_missing(&self, unreadable: &Unreadable) -> bool {
        let is_last = self.read == self.pieces.len() && self.read > 1;
        is_last
            && match self.ending {
                Ending::Missing => true,
                // An alias of another item can be read in the whole of it.
                Ending::Unknown => unreadable.line >= self.text.lines().count() && parse(&self.text).1.is_some(),
                Ending::Shown => false,
            }
    }

    /// Reads everything again, document by document.
    fn read_uncut(&mut self) {
        let whole = |(line, range)| Piece { range, start: Start { line, column: 0 }, part: Part::Document, of: None };
        self.pieces = cut(&self.text).into_iter().map(whole).collect();
        (self.read, self.objects) = (0, Vec::new());
    }

    /// Bytes that are read, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        let read = self.read.checked_sub(1).map_or(0, |last| self.pieces[last].range.end);
        (read, self.text.len())
    }

    /// What shows the end of the text.
    pub(crate) fn ending(&self) -> Ending {
        self.ending
    }

    /// Where what is read so far cannot be read first, and why.
    pub(crate) fn unreadable(&self) -> Option<&Unreadable> {
        self.unreadable.as_ref()
    }

    /// What is read so far.
    pub fn objects(&self) -> &[Listed] {
        &self.objects
    }

    /// What was read, and beside it where the text cannot be read first, and why.
    pub fn finish(self) -> (Vec<Listed>, Option<Unreadable>) {
        (self.objects, self.unreadable)
    }
}

fn list(node: &Node, of: Option<&Of>, see: &mut impl FnMut(&Node, Option<&Of>)) {
    // kubectl prints the kind last: a text that was cut off has none.
    let is_list = node.field("kind").and_then(Node::text).is_none_or(|kind| kind.ends_with("List"));
    match (&node.content, node.field("items").map(|items| &items.content)) {
        (Content::Scalar(Value::Null), _) => {}
        (_, Some(Content::List(items))) if is_list => {
            let own = Of::node(node);
            items.iter().for_each(|item| list(item, own.as_ref().or(of), see));
        }
        _ => see(node, of),
    }
}

#[cfg(test)]
mod tests {
    use super::super::yaml::{cut, parse};
    use super::{Ending, Listing, list};
    use serde_json::{Value, json};

    fn read(text: &str) -> (Vec<(usize, Value)>, bool, usize) {
        let mut listing = Listing::new(text.into());
        while listing.advance() {}
        let pieces = listing.pieces.len();
        let (objects, unreadable) = listing.finish();
        (objects.into_iter().map(|listed| (listed.line, listed.value)).collect(), unreadable.is_some(), pieces)
    }

    /// The text is read as it is read whole, in so many pieces.
    #[track_caller]
    fn is_read_in(pieces: usize, text: &str) {
        let (mut whole, (documents, unreadable)) = (Vec::new(), parse(text));
        let mut keep = |node: &super::Node, of: Option<&super::Of>| {
            let mut value = node.to_value(true);
            super::Of::name(of, &mut value);
            whole.push((node.line, value));
        };
        documents.iter().for_each(|document| list(document, None, &mut keep));
        assert_eq!(read(text), (whole, unreadable.is_some(), pieces), "{text}");
    }

    #[test]
    fn a_list_is_read_item_by_item_as_if_it_were_read_whole() {
        is_read_in(2, "apiVersion: v1\nitems:\n- a: 1\n  b:\n  - x\n- a: 2\nkind: List\nmetadata: {}\n");
        is_read_in(2, "items:\n  - a: |\n      - x\n      - y\n\n  # c\n  -\n    a: 2\nkind: PodList\n");
        is_read_in(3, "items:\n- a: 1\n- b: 2\nkind: List\n---\nkind: Pod\n");
        is_read_in(2, "items:\r\n- a: 1\r\n- a: 2\r\nkind: List\r\n");
        is_read_in(1, "items:\n- {kind: List, items: [{a: 1}, {a: 2}]}\nkind: List\n");
        is_read_in(2, &format!("{:#}", json!({ "kind": "List", "items": [{ "a": [1, 2] }, { "b": "\u{e9}" }] })));
        is_read_in(3, "{\"kind\": \"List\", \"items\": [{\"a\": 1}, {\"b\": 2}]}\n{\"c\": 3}");
        // A text that was cut off has no kind.
        is_read_in(2, "items:\n- a: 1\n- a: 2\n");
    }

    #[track_caller]
    fn ends_after(items: usize, ending: Ending, text: &str) {
        let mut listing = Listing::new(text.into());
        while listing.advance() {}
        let found = listing.ending();
        let (objects, unreadable) = listing.finish();
        assert_eq!((objects.len(), unreadable, found), (items, None, ending), "{text}");
    }

    #[test]
    fn a_list_without_its_end_is_read_up_to_its_last_item() {
        ends_after(1, Ending::Missing, "apiVersion: v1\nitems:\n- a: 1\n- a: \"x\n");
        // Whoever prints the kind first may have nothing behind the items.
        ends_after(2, Ending::Unknown, "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- a: 2\n");
        ends_after(2, Ending::Unknown, "apiVersion: v1\nkind: List\nitems:\n- a: &x 1\n- a: *x\n");
        ends_after(1, Ending::Missing, "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- a: \"x\n");
        ends_after(2, Ending::Shown, "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- a: 2\nmetadata: {}\n");
        for text in [
            "\"items\": [{\"a\": 1}, {\"b\": [2",
            "\"kind\": \"PodList\", \"items\": [{\"a\": 1}, {\"b\": \"x",
            "\"items\": [{\"a\": 1}",
        ] {
            ends_after(1, Ending::Missing, &format!("{{\"apiVersion\": \"v1\", {text}"));
        }
        ends_after(1, Ending::Shown, "{\"items\": [{\"a\": 1}], \"kind\": \"List\"}");
        // What is wrong before the end is no missing end.
        assert!(read("{\"items\": [{\"a\": 1}, {\"b\": ]}], \"kind\": \"List\"}").1);
        assert!(read("{\"kind\": \"Pod\", \"items\": [{\"a\": 1}").1);
    }

    #[test]
    fn what_cannot_be_cut_is_read_whole() {
        is_read_in(1, "items:\n- a: &x 1\n- a: *x\nkind: List\n");
        is_read_in(1, "items:\n- a: 'x\n- y'\n- b: 1\nkind: List\n");
        is_read_in(1, "items:\n- a: 1\nkind: Pod\n");
        is_read_in(1, "items:\n- a: 1\nitems:\n- a: 2\nkind: List\n");
        is_read_in(1, "items:\n- a: 1\n...\nb: 2\n");
        is_read_in(1, "items: [{a: 1}]\nkind: List\n");
        is_read_in(1, "items:\n");
        is_read_in(1, "--- |\nitems:\n- a\n");
        is_read_in(1, "");
        // What is wrong stands where it stands in the whole.
        is_read_in(1, "items:\n- a: 1\n- a: [\nkind: List\n");
        is_read_in(1, "items:\n- a: 1\n b: 2\nkind: List\n");
    }

    #[test]
    fn aliases_do_not_multiply_in_many_items() {
        let bomb: String = (1..8).map(|it| format!("  a{it}: &a{it} [*a{0}, *a{0}]\n", it - 1)).collect();
        let text = format!("items:\n{}kind: List\n", format!("- a0: &a0 [x, y, z]\n{bomb}").repeat(400));
        assert_eq!(cut(&text).len(), 1);
        let mut listing = Listing::new(text.as_str().into());
        while listing.advance() {}
        assert!(
            listing.finish().1.is_some(),
            "all items together have more values than a text of this length may have"
        );
    }
}
