//! Scalars: plain, quoted, and blocks behind `|` and `>`.

use super::{Scanned, Scanner, Token, is_blank, is_blank_or_end, is_break};

impl Scanner {
    pub(super) fn block_scalar(&mut self) -> Scanned {
        let mark = self.mark;
        let is_literal = self.next() == '|';
        self.skip();
        let (mut keeps, mut deeper) = (None, 0);
        for _ in 0..2 {
            match self.next() {
                sign @ ('+' | '-') if keeps.is_none() => keeps = Some(sign == '+'),
                '0' if deeper == 0 => return self.fail("found an indentation indicator equal to 0"),
                digit @ '1'..='9' if deeper == 0 => deeper = isize::try_from(u32::from(digit) - 48).unwrap_or(1),
                _ => break,
            }
            self.skip();
        }
        self.skip_blanks();
        if self.next() == '#' {
            self.skip_line();
        }
        if !self.is_at_end() {
            if !is_break(self.next()) {
                return self.fail("did not find expected comment or line break");
            }
            self.skip_break();
        }
        let mut indent = if deeper > 0 { self.indent().max(0) + deeper } else { 0 };
        let (mut text, mut first_break, mut breaks) = (String::new(), String::new(), String::new());
        self.block_breaks(&mut indent, &mut breaks)?;
        let mut was_blank = false;
        while self.column() == indent && !self.is_at_end() {
            let is_indented = is_blank(self.next());
            if !is_literal && first_break.starts_with('\n') && !was_blank && !is_indented {
                if breaks.is_empty() {
                    text.push(' ');
                }
            } else {
                text.push_str(&first_break);
            }
            first_break.clear();
            text.push_str(&breaks);
            breaks.clear();
            was_blank = is_indented;
            text.push_str(&self.while_true(|it| !is_break(it)));
            if !self.is_at_end() {
                first_break.push(self.skip_break());
            }
            self.block_breaks(&mut indent, &mut breaks)?;
        }
        if keeps != Some(false) {
            text.push_str(&first_break);
        }
        if keeps == Some(true) {
            text.push_str(&breaks);
        }
        self.push(Token::Scalar { text, is_plain: false }, mark);
        Ok(())
    }

    /// Empty lines of a block scalar; the first line that is not empty says how deep it is.
    fn block_breaks(&mut self, indent: &mut isize, breaks: &mut String) -> Scanned {
        let mut deepest = 0;
        loop {
            while (*indent == 0 || self.column() < *indent) && self.next() == ' ' {
                self.skip();
            }
            deepest = deepest.max(self.column());
            if (*indent == 0 || self.column() < *indent) && self.next() == '\t' {
                return self.fail("found a tab character where an indentation space is expected");
            }
            if self.is_at_end() || !is_break(self.next()) {
                break;
            }
            breaks.push(self.skip_break());
        }
        if *indent == 0 {
            *indent = deepest.max(self.indent() + 1).max(1);
        }
        Ok(())
    }

    /// Blanks and line ends inside a scalar, folded: one end is a space, more are one less. `indent` is what a tab may not
    /// stand before.
    fn folded(&mut self, indent: Option<isize>) -> Scanned<(String, bool)> {
        let (mut blanks, mut breaks) = (String::new(), None::<(char, String)>);
        while is_blank(self.next()) || (!self.is_at_end() && is_break(self.next())) {
            if !is_blank(self.next()) {
                let end = self.skip_break();
                match &mut breaks {
                    None => breaks = Some((end, String::new())),
                    Some((_, more)) => more.push(end),
                }
                continue;
            }
            if breaks.is_some() {
                if self.next() == '\t' && indent.is_some_and(|indent| self.column() < indent) {
                    return self.fail("found a tab character that violates indentation");
                }
            } else {
                blanks.push(self.next());
            }
            self.skip();
        }
        Ok(match breaks {
            None => (blanks, false),
            Some(('\n', more)) if more.is_empty() => (" ".to_owned(), true),
            Some(('\n', more)) => (more, true),
            Some((first, more)) => (format!("{first}{more}"), true),
        })
    }

    pub(super) fn quoted_scalar(&mut self) -> Scanned {
        let mark = self.mark;
        let quote = self.next();
        self.skip();
        let mut text = String::new();
        loop {
            if self.is_at_document_mark() {
                return self.fail("found unexpected document indicator");
            }
            if self.is_at_end() {
                return self.fail("found unexpected end of stream");
            }
            let mut continues = false;
            while !self.is_at_end() && !is_blank_or_end(self.next()) {
                match (self.next(), self.at(1)) {
                    ('\'', '\'') if quote == '\'' => {
                        text.push('\'');
                        self.skip();
                        self.skip();
                    }
                    (end, _) if end == quote => break,
                    ('\\', then) if quote == '"' && is_break(then) => {
                        self.skip();
                        self.skip_break();
                        continues = true;
                        break;
                    }
                    ('\\', _) if quote == '"' => {
                        let escaped = self.escape()?;
                        text.push(escaped);
                    }
                    (plain, _) => {
                        text.push(plain);
                        self.skip();
                    }
                }
            }
            if self.next() == quote {
                break;
            }
            // Behind an escaped line end blanks are no part of the text, and each further end is.
            while continues && !self.is_at_end() && (is_blank(self.next()) || is_break(self.next())) {
                if is_blank(self.next()) { self.skip() } else { text.push(self.skip_break()) }
            }
            let (folded, _) = self.folded(None)?;
            text.push_str(&folded);
        }
        self.skip();
        self.push(Token::Scalar { text, is_plain: false }, mark);
        Ok(())
    }

    fn escape(&mut self) -> Scanned<char> {
        let digits = match self.at(1) {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            simple => {
                let Some(meaning) = simple_escape(simple) else { return self.fail("found unknown escape character") };
                self.skip();
                self.skip();
                return Ok(meaning);
            }
        };
        self.skip();
        self.skip();
        let mut code = 0_u32;
        for ahead in 0..digits {
            let Some(digit) = self.at(ahead).to_digit(16) else {
                return self.fail("did not find expected hexdecimal number");
            };
            code = code.wrapping_mul(16).wrapping_add(digit);
        }
        let Some(meaning) = char::from_u32(code) else {
            return self.fail("found invalid Unicode character escape code");
        };
        (0..digits).for_each(|_| self.skip());
        Ok(meaning)
    }

    pub(super) fn plain_scalar(&mut self) -> Scanned {
        let mark = self.mark;
        let indent = self.indent() + 1;
        let (mut text, mut between, mut has_breaks) = (String::new(), String::new(), false);
        loop {
            if self.is_at_document_mark() || self.next() == '#' {
                break;
            }
            let from = self.mark.index;
            while !self.is_at_end() && !is_blank_or_end(self.next()) {
                let next = self.next();
                if (next == ':' && is_blank_or_end(self.at(1))) || (self.is_in_flow() && ",?[]{}".contains(next)) {
                    break;
                }
                if self.mark.index == from {
                    text.push_str(&std::mem::take(&mut between));
                    has_breaks = false;
                }
                text.push(next);
                self.skip();
            }
            if self.is_at_end() || !(is_blank(self.next()) || is_break(self.next())) {
                break;
            }
            let (folded, breaks) = self.folded(Some(indent))?;
            (between, has_breaks) = (folded, has_breaks || breaks);
            if !self.is_in_flow() && self.column() < indent {
                break;
            }
        }
        self.push(Token::Scalar { text, is_plain: true }, mark);
        if has_breaks {
            self.key_is_allowed = true;
        }
        Ok(())
    }
}

fn simple_escape(letter: char) -> Option<char> {
    Some(match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '\'' | '\\' | '/' => letter,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}
