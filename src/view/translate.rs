//! The page's texts in another language. The English text is the key, as with gettext; www/lang/zh.txt is a dictionary.
//!
//! A line of it is `English => translation`. Holes take what changes: `{}` takes one word, such as a name, or a text that
//! is translated in turn; `{*}` takes whatever stands there, such as the API server's words, which nobody translates. The
//! translation fills its `{}` in the same order, or by number: `{2}`. A full stop at the end of both is left out, so that an
//! entry serves as a sentence and as a part of one. A text without an entry is translated line by line, then sentence by
//! sentence.

use crate::text::{Arg, Text};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A dictionary.
#[derive(Debug, Default)]
pub struct Dictionary {
    whole: BTreeMap<String, Rc<str>>,
    templates: Vec<Template>,
    /// By the byte they begin with, else by the one they end with; those with holes at both ends under 0.
    buckets: [BTreeMap<u8, Vec<usize>>; 2],
    known: Remembered<Rc<str>>,
    parts: Remembered<String>,
    untold: RefCell<Vec<String>>,
    /// Translations by their template, in pieces.
    exact: BTreeMap<String, Vec<Piece>>,
    /// Templates that were looked up in vain.
    missing: RefCell<BTreeSet<String>>,
}

type Remembered<Said> = RefCell<BTreeMap<String, Option<Said>>>;

#[derive(Debug)]
struct Template {
    /// What stands around the holes: one part more than there are holes.
    parts: Vec<String>,
    holes: Vec<Hole>,
    said: Vec<Piece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    DecisionRun,
    Any,
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

/// Texts remembered at once. Clocks make new ones all the time.
const KNOWN: usize = 5_000;
const APART: &str = " => ";

impl Dictionary {
    /// Reads a dictionary.
    ///
    /// # Errors
    /// The first line that is no entry, or that is there twice, and what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut words = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                words.add(line).map_err(|problem| format!("line {number}: {problem}: {line}"))?;
            }
        }
        words.sort();
        Ok(words)
    }

    fn add(&mut self, line: &str) -> Result<(), &'static str> {
        let (key, said) = line.split_once(APART).ok_or("` => ` is missing")?;
        let (key, said) = (bare(key), said.trim().trim_end_matches('。'));
        if key.is_empty() || said.is_empty() {
            return Err("one side is empty");
        }
        let template = key.replace("{*}", "{}");
        let pieces_of = pieces(said, template.matches("{}").count()).ok_or("the translation has other holes")?;
        self.exact.insert(template, pieces_of);
        if !key.contains('{') {
            let before = self.whole.insert(key, said.into());
            return before.map_or(Ok(()), |_| Err("it is there twice"));
        }
        let (parts, holes) = cut(&key);
        if parts.iter().all(|part| part.trim().is_empty()) {
            return Err("there is nothing but holes");
        }
        if self.templates.iter().any(|other| other.parts == parts && other.holes == holes) {
            return Err("it is there twice");
        }
        let said = pieces(said, holes.len()).ok_or("the translation has other holes")?;
        self.templates.push(Template { parts, holes, said });
        Ok(())
    }

    /// The template that says most comes first. A mark parts more than a little word does.
    fn sort(&mut self) {
        let weight = |own: &Template| {
            let letters = own.parts.concat();
            letters.len() + if letters.contains(|letter: char| letter.is_ascii_alphabetic()) { 0 } else { 4 }
        };
        self.templates.sort_by_key(|own| std::cmp::Reverse(weight(own)));
        for (at, template) in self.templates.iter().enumerate() {
            let first = template.parts.first().and_then(|part| part.bytes().next());
            let last = template.parts.last().and_then(|part| part.bytes().last());
            let (side, byte) = first.map_or((1, last.unwrap_or(0)), |first| (0, first));
            self.buckets[side].entry(byte).or_default().push(at);
        }
    }

    /// The translation; none for a text that stays as it is.
    pub fn say(&self, text: &str) -> Option<Rc<str>> {
        if !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let said = self.around(text, false).map(Rc::from);
        if said.is_none() {
            self.note(text);
        }
        remember(&self.known, text, &said);
        said
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
        if let Some(pieces) = self.exact.get(&bare(core)) {
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

    /// The templates that were looked up in vain.
    pub fn missing(&self) -> Vec<String> {
        self.missing.borrow().iter().cloned().collect()
    }

    /// Whether there is a translation of this template, or of each of its sentences.
    pub fn has(&self, template: &str) -> bool {
        let is_known = |part: &str| {
            !part.bytes().any(|byte| byte.is_ascii_alphabetic()) || self.exact.contains_key(&bare(part.trim()))
        };
        is_known(template) || template.split('\n').flat_map(|line| line.split(". ")).all(is_known)
    }

    /// The templates that are translated.
    pub fn templates(&self) -> impl Iterator<Item = &str> {
        self.exact.keys().map(String::as_str)
    }

    /// The texts that were found to have no translation since this was last asked.
    pub fn untold(&self) -> Vec<String> {
        self.untold.take()
    }

    fn note(&self, text: &str) {
        let mut untold = self.untold.borrow_mut();
        if untold.len() < KNOWN {
            untold.push(text.to_owned());
        }
    }

    /// The entries, each as the parts around its holes.
    pub fn keys(&self) -> impl Iterator<Item = Vec<&str>> {
        let whole = self.whole.keys().map(|key| vec![&**key]);
        whole.chain(self.templates.iter().map(|template| template.parts.iter().map(|part| &**part).collect()))
    }

    /// A text inside another. It is remembered too: where a text may be cut in many ways, the same parts come up again.
    fn within(&self, text: &str) -> Option<String> {
        if let Some(known) = self.parts.borrow().get(text) {
            return known.clone();
        }
        let said = self.around(text, true);
        remember(&self.parts, text, &said);
        said
    }

    /// What is around a text stays: a text may end in a space to which another element is joined.
    fn around(&self, text: &str, inside: bool) -> Option<String> {
        let core = text.trim();
        let said = self.text(&bare(core), core.ends_with('.'), inside)?;
        let (before, after) = text.split_once(core)?;
        // A full-width mark brings its own space.
        let after = if said.ends_with(['：', '。', '，', '；']) { after.trim_matches(' ') } else { after };
        Some([before, &said, after].concat())
    }

    fn text(&self, text: &str, stopped: bool, inside: bool) -> Option<String> {
        let line = || (!text.contains('\n')).then(|| self.by_template(text)).flatten();
        let said = self.whole.get(text).map(ToString::to_string).or_else(line);
        if let Some(mut said) = said {
            if stopped && !said.ends_with('。') {
                said.push('。');
            }
            return Some(said);
        }
        let whole = if stopped { [text, "."].concat() } else { text.to_owned() };
        self.joined(&whole, "\n", inside).or_else(|| self.joined(&whole, ". ", inside))
    }

    /// Part by part, if at least one of them is known; inside another text, if all are.
    fn joined(&self, text: &str, apart: &str, inside: bool) -> Option<String> {
        let parts: Vec<&str> = text.split(apart).collect();
        if parts.len() < 2 {
            return None;
        }
        let mut all = String::new();
        let mut known = false;
        for (at, part) in parts.iter().enumerate() {
            let last = at + 1 == parts.len();
            let part = if last || apart == "\n" { (*part).to_owned() } else { [part, "."].concat() };
            match self.within(&part) {
                Some(said) => {
                    known = true;
                    all.push_str(&said);
                }
                None if inside => return None,
                None => {
                    self.note(&part);
                    all.push_str(&part);
                    all.push_str(if last || apart == "\n" { "" } else { " " });
                }
            }
            if apart == "\n" && !last {
                all.push('\n');
            }
        }
        known.then_some(all)
    }

    fn by_template(&self, text: &str) -> Option<String> {
        let bytes = text.as_bytes();
        let (first, last) = (*bytes.first()?, *bytes.last()?);
        let buckets = [self.buckets[0].get(&first), self.buckets[1].get(&last), self.buckets[1].get(&0)];
        let mut fitting: Vec<usize> = buckets.into_iter().flatten().flatten().copied().collect();
        fitting.sort_unstable();
        fitting.into_iter().find_map(|at| {
            let template = &self.templates[at];
            let filled = self.fill(text.strip_prefix(template.parts[0].as_str())?, template, 0)?;
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hole(hole) => filled[*hole].clone(),
            };
            Some(joined_tight(&template.said.iter().map(piece).collect::<String>()))
        })
    }

    /// What fills the holes from this one on, so that all of `rest` is taken.
    fn fill(&self, rest: &str, template: &Template, hole: usize) -> Option<Vec<String>> {
        let after = template.parts[hole + 1].as_str();
        if hole + 1 == template.holes.len() {
            return Some(vec![self.fills(rest.strip_suffix(after)?, template.holes[hole])?]);
        }
        let mut from = 0;
        while let Some(found) = rest[from..].find(after) {
            let at = from + found;
            let told = self.fills(&rest[..at], template.holes[hole]);
            let others = told.is_some().then(|| self.fill(&rest[at + after.len()..], template, hole + 1)).flatten();
            if let Some(others) = others {
                return Some(told.into_iter().chain(others).collect());
            }
            from = at + rest[at..].chars().next().map_or(1, char::len_utf8);
        }
        None
    }

    fn fills(&self, text: &str, hole: Hole) -> Option<String> {
        if text.is_empty() || text != text.trim() || (hole == Hole::DecisionRun && text.contains(". ")) {
            return None;
        }
        // One word may be the name of anything; only where it has a capital is it none.
        let is_word = !text.contains(char::is_whitespace);
        let is_name = is_word && !text.starts_with(|letter: char| letter.is_ascii_uppercase());
        let stays = is_word || hole == Hole::Any;
        let said = if is_name { None } else { self.within(text) };
        said.or_else(|| stays.then(|| text.to_owned()))
    }
}

fn remember<Said: Clone>(remembered: &Remembered<Said>, text: &str, said: &Option<Said>) {
    let mut remembered = remembered.borrow_mut();
    if remembered.len() >= KNOWN {
        remembered.clear();
    }
    remembered.insert(text.to_owned(), said.clone());
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

fn cut(key: &str) -> (Vec<String>, Vec<Hole>) {
    let mut parts = vec![String::new()];
    let mut holes = Vec::new();
    let mut rest = key;
    while let Some(at) = rest.find('{') {
        let hole = match &rest[at..] {
            from if from.starts_with("{}") => Some((Hole::DecisionRun, 2)),
            from if from.starts_with("{*}") => Some((Hole::Any, 3)),
            _ => None,
        };
        let (taken, length) = hole.map_or((at + 1, 0), |(_, length)| (at, length));
        if let Some(part) = parts.last_mut() {
            part.push_str(&rest[..taken]);
        }
        if let Some((hole, _)) = hole {
            holes.push(hole);
            parts.push(String::new());
        }
        rest = &rest[taken + length..];
    }
    if let Some(part) = parts.last_mut() {
        part.push_str(rest);
    }
    (parts, holes)
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
            "" | "*" => next,
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
