//! Sentences and commands in which a name, an option or a time stays whole: a browser would break a line at the hyphens of `web-0`
//! and `--cascade=orphan`, and before the unit of `3 s`.

use super::language::translated;
use crate::text::{Arg, Text, UNITS};
use std::borrow::Borrow;
use yew::{Html, html};

/// What stands at the end of a line, and never at the start of one.
const CLOSES: &str = "/.,;:?!)，；：？！）。、";

/// What stands at the start of a line, and never at the end of one.
const OPENS: [char; 5] = ['(', '"', '“', '`', '（'];

/// The text in the page's language.
pub(crate) fn prose(text: impl Borrow<Text>) -> Html {
    prose_of(&translated(text.borrow()))
}

/// A text that is in the page's language already. What stands between backticks is code; a backtick alone stands for itself.
pub(crate) fn prose_of(text: &str) -> Html {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return names_whole(text);
    }
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => names_whole(part),
        _ => html! { <code>{ part.to_owned() }</code> },
    };
    parts.into_iter().enumerate().map(part).collect()
}

fn names_whole(text: &str) -> Html {
    unbroken(text, |at, letter| letter.is_ascii_alphanumeric() || "-.=".contains(letter) || is_of_time(text, at))
}

/// A clause as a sentence of its own. A name at its start stays as it is written.
pub(crate) fn sentence(text: &Text) -> Html {
    let mut words = translated(text);
    let is_chinese = words.contains(|letter| letter > '\u{3000}');
    if !is_chinese
        && begins_with_a_word(text)
        && let Some(first) = words.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    if !words.ends_with(['.', '。']) {
        words.push(if is_chinese { '。' } else { '.' });
    }
    prose_of(&words)
}

/// Whether it begins with a word of its own in English.
fn begins_with_a_word(text: &Text) -> bool {
    match text.args().first() {
        Some(Arg::Text(first)) if text.template().starts_with("{}") => begins_with_a_word(first),
        _ => !text.template().starts_with("{}"),
    }
}

/// A text in the page's language, cut behind its first sentence.
pub(crate) fn first_sentence(text: &str) -> (&str, &str) {
    // In a Chinese text a message of Kubernetes may have English ones.
    let ends = [text.find(". ").map(|at| at + 1), text.find('。').map(|at| at + '。'.len_utf8())];
    text.split_at(ends.into_iter().flatten().min().unwrap_or(text.len()))
}

/// Lines as one types them: each is broken between its words alone.
pub(crate) fn command(lines: &str) -> Html {
    unbroken(lines, |_, letter| !letter.is_whitespace())
}

/// A name of several words that a browser may break before each of them, as `updateReplicaSetStatus`, or a list of such, as
/// `Ready,SchedulingDisabled`, rather than anywhere.
pub(crate) fn camel_parts(name: &str) -> Html {
    let ends = |letter: char| letter.is_lowercase() || letter == ',';
    let begins = |at: &usize| name[*at..].starts_with(char::is_uppercase) && name[..*at].ends_with(ends);
    let cuts: Vec<usize> = name.char_indices().map(|(at, _)| at).filter(begins).chain([name.len()]).collect();
    let mut from = 0;
    cuts.into_iter().map(|to| html! { <>{ name[std::mem::replace(&mut from, to)..to].to_owned() }<wbr /></> }).collect()
}

/// Whether the space there stands within a duration: between a number and its unit, as in `3 s`, or behind a unit, as in `1 h 19 m`.
fn is_of_time(text: &str, at: usize) -> bool {
    let (before, after) = (&text.as_bytes()[..at], &text.as_bytes()[at..]);
    let is_unit = |letter: &u8| UNITS.iter().any(|unit| unit.as_bytes() == [*letter]);
    match (before, after) {
        ([.., b'0'..=b'9'], [b' ', unit, rest @ ..]) if is_unit(unit) => {
            !rest.first().is_some_and(u8::is_ascii_alphanumeric)
        }
        ([.., b'0'..=b'9', b' ', unit], [b' ', b'0'..=b'9', ..]) => is_unit(unit),
        _ => false,
    }
}

/// A word that is broken behind its signs rather than anywhere, where it is longer than a line.
fn parted(word: &str) -> Html {
    let mut parts = word.split_inclusive(['/', '=', ':', ',']);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| html! { <><wbr />{ part.to_owned() }</> });
    html! { <>{ first }{ for rest }</> }
}

/// `is_of_name` is asked with the place of each letter.
fn unbroken(text: &str, is_of_name: impl Fn(usize, char) -> bool) -> Html {
    let mut parts: Vec<Html> = Vec::new();
    let (mut plain, mut rest) = (String::new(), text);
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let end = rest.char_indices().find(|(after, letter)| !is_of_name(at + after, *letter));
        let name = &rest[..end.map_or(rest.len(), |(after, _)| after)];
        if name.trim_end_matches('-').contains(['-', ' ']) {
            // No line begins with the comma behind it, and none ends with the bracket before it.
            let behind = &rest[name.len()..];
            let closes = behind.len() - behind.trim_start_matches(|letter| CLOSES.contains(letter)).len();
            let opens = plain.split_off(plain.trim_end_matches(OPENS).len());
            parts.push(std::mem::take(&mut plain).into());
            parts.push(html! { <span class="whole">{ opens }{ parted(&rest[..name.len() + closes]) }</span> });
            rest = &behind[closes..];
        } else {
            let length = name.len() + end.map_or(0, |(_, letter)| letter.len_utf8());
            plain.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    parts.push(plain.into());
    parts.into_iter().collect()
}
