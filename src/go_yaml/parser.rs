//! Tokens as a tree.

use super::scalar::{Unfit, resolve};
use super::scanner::{Fault, Mark, Scanner, Token};
use super::{Content, Key, Node, Problem, Start, Unreadable};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Nesting beyond this is refused.
const DEPTH: usize = 100;

pub(super) struct Parser {
    scanner: Scanner,
    /// None while the node is still open.
    anchors: BTreeMap<String, Option<Node>>,
    nodes: usize,
    most_nodes: usize,
    /// The first value that is no JSON, or key that is no text, which is found only once all is read.
    unfit: Option<Fault>,
}

type Parsed<T> = Result<T, Fault>;

/// How the parser words a place: it counts lines from 0.
fn fail<T>(problem: &str, mark: Mark) -> Parsed<T> {
    let line = if mark.line > 0 { format!("line {}: ", mark.line) } else { String::new() };
    Err(Fault { problem: Problem::Read(format!("yaml: {line}{problem}")), mark })
}

fn own_fail<T>(problem: Problem, mark: Mark) -> Parsed<T> {
    Err(Fault { problem, mark })
}

impl Parser {
    /// The first document of a text that starts there and has at most so many nodes; none if there is none.
    pub(super) fn read(text: &str, start: Start, most_nodes: usize) -> Result<Option<Node>, Unreadable> {
        let document = || {
            let scanner = Scanner::new(text)?;
            let mut parser = Self { scanner, anchors: BTreeMap::new(), nodes: 0, most_nodes, unfit: None };
            let node = parser.document()?;
            parser.unfit.map_or(Ok(node), Err)
        };
        let placed = |Fault { problem, mark }| {
            let mut unreadable = Unreadable { line: mark.line + 1, column: mark.column + 1, problem };
            start.shift(&mut unreadable.line, &mut unreadable.column);
            unreadable
        };
        let mut document = document().map_err(placed)?;
        if let Some(node) = document.as_mut().filter(|_| start != Start::default()) {
            shift(node, start);
        }
        Ok(document)
    }

    fn peek(&mut self) -> Parsed<&Token> {
        Ok(&self.scanner.peek()?.0)
    }

    fn mark(&mut self) -> Parsed<Mark> {
        Ok(self.scanner.peek()?.1)
    }

    fn is_next(&mut self, tokens: &[Token]) -> Parsed<bool> {
        Ok(tokens.contains(self.peek()?))
    }

    /// Takes the next token if it is this one.
    fn takes(&mut self, token: &Token) -> Parsed<bool> {
        let is_next = self.peek()? == token;
        if is_next {
            self.scanner.take()?;
        }
        Ok(is_next)
    }

    fn document(&mut self) -> Parsed<Option<Node>> {
        let mut has_directives = false;
        loop {
            let mark = self.mark()?;
            match self.peek()? {
                Token::StreamEnd if !has_directives => return Ok(None),
                Token::Version(false) => return fail("found incompatible YAML document", mark),
                Token::Version(true) | Token::TagDirective => {
                    has_directives = true;
                    self.scanner.take()?;
                }
                Token::DocumentStart => {
                    self.scanner.take()?;
                    break;
                }
                _ if has_directives => return fail("did not find expected <document start>", mark),
                _ => return self.node(0, true, false).map(Some),
            }
        }
        let mark = self.mark()?;
        match self.peek()? {
            Token::Version(_) | Token::TagDirective | Token::DocumentStart | Token::DocumentEnd | Token::StreamEnd => {
                self.empty(mark).map(Some)
            }
            _ => self.node(0, true, false).map(Some),
        }
    }

    fn empty(&mut self, mark: Mark) -> Parsed<Node> {
        self.counted(Content::Scalar(Value::Null), mark)
    }

    fn counted(&mut self, content: Content, mark: Mark) -> Parsed<Node> {
        self.count(1, mark)?;
        let size = 1 + match &content {
            Content::Scalar(_) => 0,
            Content::List(items) => items.iter().map(|item| item.size).sum(),
            Content::Map(fields) => fields.iter().map(|(_, node)| node.size).sum(),
        };
        Ok(Node { content, line: mark.line + 1, column: mark.column + 1, size })
    }

    fn count(&mut self, nodes: usize, mark: Mark) -> Parsed<()> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.most_nodes {
            return own_fail(Problem::TooMany(self.most_nodes), mark);
        }
        Ok(())
    }

    /// A node, or an empty one where one of these tokens follows instead.
    fn node_unless(&mut self, ends: &[Token], depth: usize, in_block: bool, loosely: bool) -> Parsed<Node> {
        if self.is_next(ends)? {
            let mark = self.mark()?;
            return self.empty(mark);
        }
        self.node(depth, in_block, loosely)
    }

    /// `loosely`: a list may stand at the column of its key.
    fn node(&mut self, depth: usize, in_block: bool, loosely: bool) -> Parsed<Node> {
        let start = self.mark()?;
        if depth > DEPTH {
            return own_fail(Problem::TooDeep(DEPTH), start);
        }
        if let Token::Alias(name) = self.peek()? {
            let name = name.clone();
            self.scanner.take()?;
            return match self.anchors.get(&name).cloned() {
                Some(Some(node)) => {
                    self.count(node.size, start)?;
                    Ok(node)
                }
                Some(None) => own_fail(Problem::Read(format!("yaml: anchor '{name}' value contains itself")), start),
                None => own_fail(Problem::Read(format!("yaml: unknown anchor '{name}' referenced")), start),
            };
        }
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.peek()? {
                Token::Anchor(name) if anchor.is_none() => anchor = Some(name.clone()),
                Token::Tag(name) if tag.is_none() => tag = Some(name.clone()),
                _ => break,
            }
            self.scanner.take()?;
        }
        if let Some(name) = &tag
            && name
                .strip_prefix('!')
                .and_then(|rest| rest.split_once('!'))
                .is_some_and(|(handle, _)| !handle.is_empty())
        {
            return fail("found undefined tag handle", start);
        }
        if let Some(name) = &anchor {
            self.anchors.insert(name.clone(), None);
        }
        let mark = self.mark()?;
        let content = match self.peek()? {
            Token::BlockEntry if loosely => self.list_beside(depth)?,
            Token::Scalar { .. } => self.scalar(tag.as_deref())?,
            Token::FlowSequence => self.flow_list(depth)?,
            Token::FlowMapping => self.flow_map(depth)?,
            Token::BlockSequence if in_block => self.block_list(depth)?,
            Token::BlockMapping if in_block => self.block_map(depth)?,
            _ if anchor.is_some() || tag.is_some() => Content::Scalar(Value::Null),
            _ => return fail("did not find expected node content", mark),
        };
        let node = self.counted(content, mark)?;
        if let Some(name) = anchor {
            self.anchors.insert(name, Some(node.clone()));
        }
        Ok(node)
    }

    fn scalar(&mut self, tag: Option<&str>) -> Parsed<Content> {
        let (token, mark) = self.scanner.take()?;
        let Token::Scalar { text, is_plain } = token else { return Ok(Content::Scalar(Value::Null)) };
        if tag.is_none() && !is_plain {
            return Ok(Content::Scalar(Value::String(text)));
        }
        match resolve(text, tag.unwrap_or_default()) {
            Ok(value) => Ok(Content::Scalar(value)),
            Err(Unfit::Yaml(message)) => own_fail(Problem::Read(message), mark),
            Err(Unfit::Json(message)) => {
                self.unfit.get_or_insert(Fault { problem: Problem::Read(message), mark });
                Ok(Content::Scalar(Value::Null))
            }
        }
    }

    fn list_beside(&mut self, depth: usize) -> Parsed<Content> {
        let mut items = Vec::new();
        while self.takes(&Token::BlockEntry)? {
            let ends = [Token::BlockEntry, Token::Key, Token::Value, Token::BlockEnd];
            items.push(self.node_unless(&ends, depth + 1, true, false)?);
        }
        Ok(Content::List(items))
    }

    fn block_list(&mut self, depth: usize) -> Parsed<Content> {
        self.scanner.take()?;
        let mut items = Vec::new();
        while self.takes(&Token::BlockEntry)? {
            items.push(self.node_unless(&[Token::BlockEntry, Token::BlockEnd], depth + 1, true, false)?);
        }
        if !self.takes(&Token::BlockEnd)? {
            let mark = self.mark()?;
            return fail("did not find expected '-' indicator", mark);
        }
        Ok(Content::List(items))
    }

    fn block_map(&mut self, depth: usize) -> Parsed<Content> {
        self.scanner.take()?;
        let mut fields = Fields::default();
        let ends = [Token::Key, Token::Value, Token::BlockEnd];
        loop {
            let mark = self.mark()?;
            if self.takes(&Token::BlockEnd)? {
                return Ok(fields.into_content());
            }
            if !self.takes(&Token::Key)? {
                return fail("did not find expected key", mark);
            }
            let is_merge = self.is_merge()?;
            let key = self.node_unless(&ends, depth + 1, true, true)?;
            let value = if self.takes(&Token::Value)? {
                self.node_unless(&ends, depth + 1, true, true)?
            } else {
                self.empty(mark)?
            };
            self.unfit = self.unfit.take().or(fields.add(key, value, is_merge, mark)?);
        }
    }

    fn flow_list(&mut self, depth: usize) -> Parsed<Content> {
        self.scanner.take()?;
        let mut items = Vec::new();
        loop {
            if self.takes(&Token::FlowSequenceEnd)? {
                return Ok(Content::List(items));
            }
            let mark = self.mark()?;
            if !items.is_empty() {
                if !self.takes(&Token::FlowEntry)? {
                    return fail("did not find expected ',' or ']'", mark);
                }
                if self.takes(&Token::FlowSequenceEnd)? {
                    return Ok(Content::List(items));
                }
            }
            let mark = self.mark()?;
            if !self.takes(&Token::Key)? {
                items.push(self.node(depth + 1, false, false)?);
                continue;
            }
            // A list may hold a single pair without braces.
            let ends = [Token::FlowEntry, Token::FlowSequenceEnd];
            let is_merge = self.is_merge()?;
            let key_ends = [Token::Value, Token::FlowEntry, Token::FlowSequenceEnd];
            let key = self.node_unless(&key_ends, depth + 2, false, false)?;
            let value = if self.takes(&Token::Value)? {
                self.node_unless(&ends, depth + 2, false, false)?
            } else {
                self.empty(mark)?
            };
            let mut fields = Fields::default();
            self.unfit = self.unfit.take().or(fields.add(key, value, is_merge, mark)?);
            items.push(self.counted(fields.into_content(), mark)?);
        }
    }

    fn flow_map(&mut self, depth: usize) -> Parsed<Content> {
        self.scanner.take()?;
        let mut fields = Fields::default();
        let mut is_first = true;
        let ends = [Token::FlowEntry, Token::FlowMappingEnd];
        loop {
            if self.takes(&Token::FlowMappingEnd)? {
                return Ok(fields.into_content());
            }
            let mark = self.mark()?;
            if !std::mem::take(&mut is_first) {
                if !self.takes(&Token::FlowEntry)? {
                    return fail("did not find expected ',' or '}'", mark);
                }
                if self.takes(&Token::FlowMappingEnd)? {
                    return Ok(fields.into_content());
                }
            }
            let mark = self.mark()?;
            let is_marked = self.takes(&Token::Key)?;
            let is_merge = self.is_merge()?;
            let key = if is_marked {
                self.node_unless(&[Token::Value, Token::FlowEntry, Token::FlowMappingEnd], depth + 1, false, false)?
            } else {
                self.node(depth + 1, false, false)?
            };
            let value = if is_marked && self.takes(&Token::Value)? {
                self.node_unless(&ends, depth + 1, false, false)?
            } else {
                self.empty(mark)?
            };
            self.unfit = self.unfit.take().or(fields.add(key, value, is_merge, mark)?);
        }
    }

    fn is_merge(&mut self) -> Parsed<bool> {
        Ok(matches!(self.peek()?, Token::Scalar { text, is_plain: true } if text == "<<"))
    }
}

/// The fields of a map, and those that `<<` brings in.
#[derive(Default)]
struct Fields {
    entries: Vec<(Key, Node)>,
    merged: Vec<(Key, Node)>,
}

impl Fields {
    /// Adds a field, or says why its key is none: go-yaml finds that only once all is read.
    fn add(&mut self, key: Node, value: Node, is_merge: bool, mark: Mark) -> Parsed<Option<Fault>> {
        let text = match key.content {
            _ if is_merge => return merge(value, &mut self.merged, mark).map(|()| None),
            Content::Scalar(Value::String(text)) => text,
            Content::Scalar(other) => other.to_string(),
            Content::List(_) | Content::Map(_) => {
                return Ok(Some(Fault { problem: Problem::KeyIsNoText, mark }));
            }
        };
        self.entries.push((Key { text, line: key.line, column: key.column }, value));
        Ok(None)
    }

    /// The map's own fields count, then the first of those that were brought in.
    fn into_content(mut self) -> Content {
        let mut known: BTreeSet<String> = if self.merged.is_empty() {
            BTreeSet::new()
        } else {
            self.entries.iter().map(|(key, _)| key.text.clone()).collect()
        };
        self.merged.retain(|(key, _)| known.insert(key.text.clone()));
        self.entries.append(&mut self.merged);
        Content::Map(self.entries)
    }
}

fn merge(value: Node, into: &mut Vec<(Key, Node)>, mark: Mark) -> Parsed<()> {
    match value.content {
        Content::Map(fields) => into.extend(fields),
        Content::List(items) => items.into_iter().try_for_each(|item| merge(item, into, mark))?,
        Content::Scalar(_) => {
            return own_fail(
                Problem::Read("yaml: map merge requires map or sequence of maps as the value".to_owned()),
                mark,
            );
        }
    }
    Ok(())
}

impl Start {
    /// Moves a place in the part to where it is in the text.
    fn shift(self, line: &mut usize, column: &mut usize) {
        if *line == 1 {
            *column += self.column;
        }
        *line += self.line;
    }
}

fn shift(node: &mut Node, start: Start) {
    start.shift(&mut node.line, &mut node.column);
    match &mut node.content {
        Content::Scalar(_) => {}
        Content::List(items) => items.iter_mut().for_each(|item| shift(item, start)),
        Content::Map(fields) => {
            for (key, value) in fields {
                start.shift(&mut key.line, &mut key.column);
                shift(value, start);
            }
        }
    }
}
