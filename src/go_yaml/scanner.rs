//! A text of YAML 1.1 as tokens, with the limits and the words of go-yaml v2, which kubectl reads manifests with.

use super::Problem;
mod scalars;

use std::collections::VecDeque;

/// A place in the text, all counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) index: usize,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Why a text cannot be read, and where.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) mark: Mark,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    StreamEnd,
    /// `%YAML`, and whether it says 1.1.
    Version(bool),
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    Tag(String),
    Scalar {
        text: String,
        is_plain: bool,
    },
}

/// What may turn out to be a key, once a colon follows in the same line.
#[derive(Clone, Copy, Debug)]
struct SimpleKey {
    is_required: bool,
    number: usize,
    mark: Mark,
}

/// A key must end within so many characters.
const KEY_LENGTH: usize = 1024;

pub(super) struct Scanner {
    text: Vec<char>,
    mark: Mark,
    queue: VecDeque<(Token, Mark)>,
    /// How many tokens were taken.
    taken: usize,
    has_ended: bool,
    /// Columns of the blocks that are open; -1 around all.
    indents: Vec<isize>,
    /// A candidate of each flow level.
    keys: Vec<Option<SimpleKey>>,
    key_is_allowed: bool,
}

type Scanned<T = ()> = Result<T, Fault>;

fn is_break(it: char) -> bool {
    matches!(it, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t')
}

/// Where the text ends stands a NUL.
fn is_blank_or_end(it: char) -> bool {
    is_blank(it) || is_break(it) || it == '\0'
}

fn is_allowed(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..) && it != '\u{feff}'
}

fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || matches!(it, '_' | '-')
}

impl Scanner {
    pub(super) fn new(text: &str) -> Result<Self, Fault> {
        let text: Vec<char> = text.strip_prefix('\u{feff}').unwrap_or(text).chars().collect();
        if let Some(index) = text.iter().position(|it| !is_allowed(*it)) {
            let before = &text[..index];
            let line = before.iter().filter(|it| **it == '\n').count();
            let column = before.iter().rev().take_while(|it| **it != '\n').count();
            let problem = Problem::Read("yaml: control characters are not allowed".to_owned());
            return Err(Fault { problem, mark: Mark { index, line, column } });
        }
        Ok(Self {
            text,
            mark: Mark::default(),
            queue: VecDeque::new(),
            taken: 0,
            has_ended: false,
            indents: vec![-1],
            keys: vec![None],
            key_is_allowed: true,
        })
    }

    /// The next token, which stays where it is.
    pub(super) fn peek(&mut self) -> Scanned<&(Token, Mark)> {
        while !self.has_ended && (self.queue.is_empty() || self.head_may_become_key()?) {
            self.fetch()?;
        }
        if self.queue.is_empty() {
            self.queue.push_back((Token::StreamEnd, self.mark));
        }
        Ok(&self.queue[0])
    }

    pub(super) fn take(&mut self) -> Scanned<(Token, Mark)> {
        let token = self.peek()?.clone();
        self.queue.pop_front();
        self.taken += 1;
        Ok(token)
    }

    fn fail<T>(&self, problem: &str) -> Scanned<T> {
        let line = if self.mark.line > 0 { format!("line {}: ", self.mark.line + 1) } else { String::new() };
        Err(Fault { problem: Problem::Read(format!("yaml: {line}{problem}")), mark: self.mark })
    }

    fn at(&self, ahead: usize) -> char {
        self.text.get(self.mark.index + ahead).copied().unwrap_or('\0')
    }

    fn next(&self) -> char {
        self.at(0)
    }

    fn is_at_end(&self) -> bool {
        self.mark.index >= self.text.len()
    }

    fn skip(&mut self) {
        self.mark.index += 1;
        self.mark.column += 1;
    }

    /// Goes over a line's end, and gives what it means.
    fn skip_break(&mut self) -> char {
        let first = self.next();
        let width = if first == '\r' && self.at(1) == '\n' { 2 } else { 1 };
        self.mark = Mark { index: self.mark.index + width, line: self.mark.line + 1, column: 0 };
        if matches!(first, '\u{2028}' | '\u{2029}') { first } else { '\n' }
    }

    fn column(&self) -> isize {
        isize::try_from(self.mark.column).unwrap_or(isize::MAX)
    }

    fn indent(&self) -> isize {
        self.indents.last().copied().unwrap_or(-1)
    }

    fn is_in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    fn is_at_document_mark(&self) -> bool {
        let mark = [self.at(0), self.at(1), self.at(2)];
        self.mark.column == 0 && matches!(mark, ['-', '-', '-'] | ['.', '.', '.']) && is_blank_or_end(self.at(3))
    }

    fn push(&mut self, token: Token, mark: Mark) {
        self.queue.push_back((token, mark));
    }

    /// Whether the first token may stand behind a key's mark that is still to be found.
    fn head_may_become_key(&mut self) -> Scanned<bool> {
        let waiting = self.keys.iter().flatten().find(|key| key.number == self.taken).copied();
        let Some(key) = waiting else { return Ok(false) };
        self.is_live(key)
    }

    /// A candidate ends with its line.
    fn is_live(&self, key: SimpleKey) -> Scanned<bool> {
        if key.mark.line == self.mark.line && key.mark.index + KEY_LENGTH >= self.mark.index {
            return Ok(true);
        }
        if key.is_required { self.fail("could not find expected ':'") } else { Ok(false) }
    }

    fn save_key(&mut self) -> Scanned {
        if !self.key_is_allowed {
            return Ok(());
        }
        let is_required = !self.is_in_flow() && self.indent() == self.column();
        self.drop_key()?;
        let key = SimpleKey { is_required, number: self.taken + self.queue.len(), mark: self.mark };
        if let Some(last) = self.keys.last_mut() {
            *last = Some(key);
        }
        Ok(())
    }

    fn drop_key(&mut self) -> Scanned {
        match self.keys.last_mut().and_then(Option::take) {
            Some(key) if key.is_required => self.fail("could not find expected ':'"),
            _ => Ok(()),
        }
    }

    /// Opens a block at a column that lies deeper; `number` is the token that it starts before.
    fn open_block(&mut self, column: isize, number: Option<usize>, token: Token, mark: Mark) {
        if self.is_in_flow() || self.indent() >= column {
            return;
        }
        self.indents.push(column);
        let at = number.map_or(self.queue.len(), |number| number - self.taken);
        self.queue.insert(at, (token, mark));
    }

    fn close_blocks(&mut self, column: isize) {
        while !self.is_in_flow() && self.indent() > column {
            self.push(Token::BlockEnd, self.mark);
            self.indents.pop();
        }
    }

    fn fetch(&mut self) -> Scanned {
        self.skip_to_token();
        self.close_blocks(self.column());
        let (mark, next, then) = (self.mark, self.next(), self.at(1));
        if self.is_at_end() {
            if self.mark.column != 0 {
                self.mark = Mark { line: self.mark.line + 1, column: 0, ..self.mark };
            }
            self.close_blocks(-1);
            self.drop_key()?;
            self.has_ended = true;
            self.push(Token::StreamEnd, self.mark);
            return Ok(());
        }
        if mark.column == 0 && next == '%' {
            self.close_blocks(-1);
            self.drop_key()?;
            self.key_is_allowed = false;
            return self.directive();
        }
        if self.is_at_document_mark() {
            self.close_blocks(-1);
            self.drop_key()?;
            self.key_is_allowed = false;
            (0..3).for_each(|_| self.skip());
            self.push(if next == '-' { Token::DocumentStart } else { Token::DocumentEnd }, mark);
            return Ok(());
        }
        let ends_word = is_blank_or_end(then);
        match next {
            '[' | '{' => {
                self.save_key()?;
                self.keys.push(None);
                self.key_is_allowed = true;
                self.one(if next == '[' { Token::FlowSequence } else { Token::FlowMapping })
            }
            ']' | '}' => {
                self.drop_key()?;
                if self.is_in_flow() {
                    self.keys.pop();
                }
                self.key_is_allowed = false;
                self.one(if next == ']' { Token::FlowSequenceEnd } else { Token::FlowMappingEnd })
            }
            ',' => {
                self.drop_key()?;
                self.key_is_allowed = true;
                self.one(Token::FlowEntry)
            }
            '-' if ends_word => {
                self.block_may_start("block sequence entries are not allowed in this context", Token::BlockSequence)?;
                self.drop_key()?;
                self.key_is_allowed = true;
                self.one(Token::BlockEntry)
            }
            '?' if self.is_in_flow() || ends_word => {
                self.block_may_start("mapping keys are not allowed in this context", Token::BlockMapping)?;
                self.drop_key()?;
                self.key_is_allowed = !self.is_in_flow();
                self.one(Token::Key)
            }
            ':' if self.is_in_flow() || ends_word => self.value(),
            '*' | '&' => {
                self.save_key()?;
                self.key_is_allowed = false;
                self.anchor()
            }
            '!' => {
                self.save_key()?;
                self.key_is_allowed = false;
                self.tag()
            }
            '|' | '>' if !self.is_in_flow() => {
                self.drop_key()?;
                self.key_is_allowed = true;
                self.block_scalar()
            }
            '\'' | '"' => {
                self.save_key()?;
                self.key_is_allowed = false;
                self.quoted_scalar()
            }
            '|' | '>' | '%' | '@' | '`' | '\t' => self.fail("found character that cannot start any token"),
            _ => {
                self.save_key()?;
                self.key_is_allowed = false;
                self.plain_scalar()
            }
        }
    }

    fn one(&mut self, token: Token) -> Scanned {
        let mark = self.mark;
        self.skip();
        self.push(token, mark);
        Ok(())
    }

    fn block_may_start(&mut self, problem: &str, token: Token) -> Scanned {
        if !self.is_in_flow() {
            if !self.key_is_allowed {
                return self.fail(problem);
            }
            self.open_block(self.column(), None, token, self.mark);
        }
        Ok(())
    }

    fn value(&mut self) -> Scanned {
        let candidate = self.keys.last().copied().flatten();
        let live = match candidate {
            Some(key) => self.is_live(key)?.then_some(key),
            None => None,
        };
        if let Some(key) = live {
            self.queue.insert(key.number - self.taken, (Token::Key, key.mark));
            let column = isize::try_from(key.mark.column).unwrap_or(isize::MAX);
            self.open_block(column, Some(key.number), Token::BlockMapping, key.mark);
            if let Some(last) = self.keys.last_mut() {
                *last = None;
            }
            self.key_is_allowed = false;
        } else {
            self.block_may_start("mapping values are not allowed in this context", Token::BlockMapping)?;
            self.key_is_allowed = !self.is_in_flow();
        }
        self.one(Token::Value)
    }

    fn skip_to_token(&mut self) {
        loop {
            while self.next() == ' ' || self.next() == '\t' && (self.is_in_flow() || !self.key_is_allowed) {
                self.skip();
            }
            if self.next() == '#' {
                self.skip_line();
            }
            if self.is_at_end() || !is_break(self.next()) {
                return;
            }
            self.skip_break();
            if !self.is_in_flow() {
                self.key_is_allowed = true;
            }
        }
    }

    fn skip_line(&mut self) {
        while !self.is_at_end() && !is_break(self.next()) {
            self.skip();
        }
    }

    fn skip_blanks(&mut self) {
        while is_blank(self.next()) {
            self.skip();
        }
    }

    fn while_true(&mut self, takes: impl Fn(char) -> bool) -> String {
        let from = self.mark.index;
        while !self.is_at_end() && takes(self.next()) {
            self.skip();
        }
        self.text[from..self.mark.index].iter().collect()
    }

    fn directive(&mut self) -> Scanned {
        let mark = self.mark;
        self.skip();
        let name = self.while_true(is_word);
        if name.is_empty() {
            return self.fail("could not find expected directive name");
        }
        if !is_blank_or_end(self.next()) {
            return self.fail("found unexpected non-alphabetical character");
        }
        self.skip_blanks();
        let token = match &*name {
            "YAML" => Token::Version(self.version()?),
            "TAG" => {
                self.while_true(|it| !is_break(it));
                Token::TagDirective
            }
            _ => return self.fail("found unknown directive name"),
        };
        self.skip_blanks();
        if self.next() == '#' {
            self.skip_line();
        }
        if !self.is_at_end() && !is_break(self.next()) {
            return self.fail("did not find expected comment or line break");
        }
        self.push(token, mark);
        Ok(())
    }

    fn version(&mut self) -> Scanned<bool> {
        let major = self.while_true(|it| it.is_ascii_digit());
        if major.is_empty() {
            return self.fail("did not find expected version number");
        }
        if self.next() != '.' {
            return self.fail("did not find expected digit or '.' character");
        }
        self.skip();
        let minor = self.while_true(|it| it.is_ascii_digit());
        if minor.is_empty() {
            return self.fail("did not find expected version number");
        }
        Ok(major == "1" && minor == "1")
    }

    fn anchor(&mut self) -> Scanned {
        let mark = self.mark;
        let is_alias = self.next() == '*';
        self.skip();
        let name = self.while_true(is_word);
        let next = self.next();
        if name.is_empty() || !(is_blank_or_end(next) || "?:,]}%@`".contains(next)) {
            return self.fail("did not find expected alphabetic or numeric character");
        }
        self.push(if is_alias { Token::Alias(name) } else { Token::Anchor(name) }, mark);
        Ok(())
    }

    fn tag(&mut self) -> Scanned {
        let mark = self.mark;
        let tag = self.while_true(|it| it.is_ascii_alphanumeric() || "-_;/?:@&=+$.!~*'()%<>,[]".contains(it));
        if !is_blank_or_end(self.next()) {
            return self.fail("did not find expected whitespace or line break");
        }
        self.push(Token::Tag(tag), mark);
        Ok(())
    }
}
