//! English or Simplified Chinese. Texts are translated where they become elements, by a dictionary that www/host.js fetches
//! only when it is wanted.

use crate::text::Text;
use crate::view::Dictionary;
use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use yew::AttrValue;

thread_local! {
    static TRANSLATES: Cell<bool> = const { Cell::new(false) };
    static WORDS: RefCell<Option<Dictionary>> = const { RefCell::new(None) };
}

/// Whether the page speaks Chinese.
pub(crate) fn is_chinese() -> bool {
    TRANSLATES.get()
}

/// The text in the page's language.
pub(crate) fn translated(text: &Text) -> String {
    WORDS.with_borrow(|words| match words {
        Some(words) if TRANSLATES.get() => words.translate(text),
        _ => text.to_string(),
    })
}

/// The text in the page's language, as an element or attribute takes it.
pub(crate) fn say(text: impl Borrow<Text>) -> AttrValue {
    translated(text.borrow()).into()
}

/// Lines that make up one sentence, in the page's language; no more of them than there were.
pub(crate) fn said_in_lines(text: &Text, lines: &[String], letters: usize) -> Vec<String> {
    if TRANSLATES.get() { in_lines(&translated(text), lines.len(), letters) } else { lines.to_vec() }
}

/// How many Latin letters a letter is as wide as: a Chinese character is as wide as two.
fn wide(letter: char) -> usize {
    if letter.is_ascii() { 1 } else { 2 }
}

/// How many Latin letters a text is as wide as.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(wide).sum()
}

fn in_lines(text: &str, most: usize, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    for letter in text.chars() {
        width += wide(letter);
        if width > letters && lines.len() < most && !"，。；：、）".contains(letter) {
            width = wide(letter);
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push(letter);
        }
    }
    lines
}

/// Switches to the language of this dictionary; to English if it is empty. What was drawn before must be redrawn.
pub(crate) fn set_dictionary(text: &str) {
    TRANSLATES.set(!text.is_empty());
    if text.is_empty() {
        return;
    }
    // A test reads the dictionary; should it be unreadable nevertheless, the page stays English.
    match Dictionary::read(text) {
        Ok(words) => WORDS.set(Some(words)),
        Err(_) => TRANSLATES.set(false),
    }
}
