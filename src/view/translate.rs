//! The page's texts in another language. The English template is the key, as with gettext; www/lang/zh.txt is a dictionary.
//!
//! A line of it is `English => translation`. The translation fills the holes of its template, `{}`, in the same order, or by
//! number: `{2}`. A full stop at the end of both is left out, so that an entry serves as a sentence and as a part of one. A
//! template without an entry is translated line by line, then sentence by sentence.

use crate::text::{Arg, Text};
use std::collections::BTreeMap;
#[cfg(test)]
use std::{cell::RefCell, collections::BTreeSet};

/// A dictionary.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// Translations by their template, in pieces.
    entries: BTreeMap<String, Vec<Piece>>,
    /// Templates that were looked up in vain.
    #[cfg(test)]
    missing: RefCell<BTreeSet<String>>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Hole(usize),
}

impl Piece {
    fn filled<'a>(&'a self, args: &'a [String]) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Hole(hole) => args.get(*hole).map_or("", String::as_str),
        }
    }
}

const APART: &str = " => ";

impl Dictionary {
    /// Reads a dictionary.
    ///
    /// # Errors
    /// The first line that is no entry, or that is there twice, and what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut dictionary = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                dictionary.add(line).map_err(|problem| format!("line {number}: {problem}: {line}"))?;
            }
        }
        Ok(dictionary)
    }

    fn add(&mut self, line: &str) -> Result<(), &'static str> {
        let (key, translation) = line.split_once(APART).ok_or("` => ` is missing")?;
        let (key, translation) = (bare(key), translation.trim().trim_end_matches('。'));
        if key.is_empty() || translation.is_empty() {
            return Err("one side is empty");
        }
        let pieces = pieces(translation, key.matches("{}").count()).ok_or("the translation has other holes")?;
        match self.entries.insert(key, pieces) {
            None => Ok(()),
            Some(_) => Err("it is there twice"),
        }
    }

    /// The text in this language; a template without a translation stays English.
    pub fn translate(&self, text: &Text) -> String {
        let args: Vec<String> = text.args().iter().map(|arg| self.arg(arg)).collect();
        joined_tight(&self.fill_in(text.template(), &args))
    }

    fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Verbatim(name) => name.to_string(),
            Arg::Text(text) => self.translate(text),
            Arg::List(separator, items) => {
                let template = ["{}", separator, "{}"].concat();
                let items = items.iter().map(|item| self.translate(item));
                items.reduce(|all, item| self.fill_in(&template, &[all, item])).unwrap_or_default()
            }
        }
    }

    /// The translation of a template, or of each of its lines or sentences, filled in.
    fn fill_in(&self, template: &str, args: &[String]) -> String {
        let core = template.trim();
        if let Some(pieces) = self.entries.get(&bare(core)) {
            let said: String = pieces.iter().map(|piece| piece.filled(args)).collect();
            let stop = if core.ends_with('.') && !said.ends_with('。') { "。" } else { "" };
            let (before, after) = template.split_once(core).unwrap_or_default();
            // A full-width mark brings its own space.
            let after = if said.ends_with(['：', '。', '，', '；']) { "" } else { after };
            return [before, &said, stop, after].concat();
        }
        for apart in ["\n", ". "] {
            if let Some((first, rest)) = core.split_once(apart) {
                let first = if apart == "\n" { first.to_owned() } else { [first, "."].concat() };
                let (own, others) = args.split_at(first.matches("{}").count().min(args.len()));
                return [&self.fill_in(&first, own), apart.trim_start_matches('.'), &self.fill_in(rest, others)]
                    .concat();
            }
        }
        let is_english = core.bytes().any(|byte| byte.is_ascii_alphabetic());
        #[cfg(test)]
        if is_english {
            self.missing.borrow_mut().insert(core.to_owned());
        }
        let mut args = args.iter();
        let mut said = String::new();
        for (at, part) in template.split("{}").enumerate() {
            if at > 0 {
                said.extend(args.next().map(String::as_str));
            }
            said.push_str(part);
        }
        match said.strip_suffix('.') {
            Some(short) if !is_english => [short, "。"].concat(),
            _ => said,
        }
    }
}

#[cfg(test)]
impl Dictionary {
    /// The templates that were looked up in vain.
    pub(super) fn missing(&self) -> Vec<String> {
        self.missing.borrow().iter().cloned().collect()
    }

    /// Whether there is a translation of this template, or of each of its sentences.
    pub(super) fn has(&self, template: &str) -> bool {
        self.entries_of(template).is_some()
    }

    /// The entries that translate a template: its own, or one for each of its sentences. None if one is missing.
    pub(super) fn entries_of(&self, template: &str) -> Option<Vec<&str>> {
        let entry = |part: &str| self.entries.get_key_value(&bare(part.trim())).map(|(key, _)| key.as_str());
        if let Some(whole) = entry(template) {
            return Some(vec![whole]);
        }
        let has_words = |part: &&str| part.bytes().any(|byte| byte.is_ascii_alphabetic());
        template.split('\n').flat_map(|line| line.split(". ")).filter(has_words).map(entry).collect()
    }

    /// The templates that are translated.
    pub(super) fn templates(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// Between two Chinese letters, as around a full-width mark, there is no space.
fn joined_tight(text: &str) -> String {
    let is_wide = |letter: Option<char>| letter.is_some_and(|letter| ('\u{2e80}'..='\u{ffef}').contains(&letter));
    let is_mark = |letter: Option<char>| letter.is_some_and(|letter| "，。；：、（）".contains(letter));
    let mut tight = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let (before, after) = (tight.chars().next_back(), rest.clone().next());
        let both_wide = is_wide(before) && is_wide(after);
        if letter != ' ' || !(both_wide || is_mark(before) || is_mark(after)) {
            tight.push(letter);
        }
    }
    tight
}

/// Without the marks of code and the full stop at the end.
fn bare(text: &str) -> String {
    let text = text.trim().replace('`', "");
    match text.strip_suffix('.') {
        Some(short) if !short.ends_with('.') => short.to_owned(),
        _ => text,
    }
}

/// The translation in pieces; none if it does not use each hole.
fn pieces(said: &str, holes: usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut used = vec![false; holes];
    let mut next = 0;
    let mut rest = said;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}')?;
        let hole = match name {
            "" => next,
            number => number.parse::<usize>().ok()?.checked_sub(1)?,
        };
        next += 1;
        *used.get_mut(hole)? = true;
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(Piece::Hole(hole));
        rest = behind;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    used.into_iter().all(|used| used).then_some(pieces)
}
