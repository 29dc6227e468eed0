//! The lines of a text, without what stands before each of them where somebody quotes it or a log keeps it.

use super::cut::{begins_document, form_of};
use super::tables::titles;
use super::tree::Line;

pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut at = 0;
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        lines.push(Line { number: index + 1, at, text: whole.trim_end_matches(['\n', '\r']) });
        at += whole.len();
    }
    // The byte order mark is no part of the first line.
    if let Some(first) = lines.first_mut()
        && let Some(rest) = first.text.strip_prefix('\u{feff}')
    {
        *first = Line { at: first.at + '\u{feff}'.len_utf8(), text: rest, ..*first };
    }
    // An answer to a letter quotes each line of it, and so do people with what they paste.
    let mut said = lines.iter().filter(|line| !line.is_blank()).peekable();
    let is_answer = said.peek().is_some() && said.all(is_quoted);
    let begins = |line: &Line<'_>| form_of(quoted(line.text)).is_some() || begins_document(quoted(line.text));
    if is_answer || lines.iter().any(|line| is_quoted(line) && begins(line)) {
        lines.iter_mut().for_each(unquote);
    }
    without_gutter(&mut lines);
    // What a log or a runtime keeps has a moment before each line.
    let stamped = lines.iter().filter(|line| stamp(line.text) > 0).count();
    let said = lines.iter().filter(|line| !line.is_blank()).count();
    let begins = |line: &Line<'_>| {
        let own = &line.text[stamp(line.text)..];
        form_of(own).is_some() || begins_document(own)
    };
    if stamped * 2 > said && lines.iter().any(|line| stamp(line.text) > 0 && begins(line)) {
        for line in &mut lines {
            let length = stamp(line.text);
            *line = Line { at: line.at + length, text: &line.text[length..], ..*line };
        }
    }
    lines.iter_mut().for_each(out_of_ticks);
    // Markdown takes lines that begin so for code: what kubectl prints stands in them alone.
    if !lines.iter().any(|line| form_of(line.text).is_some() || begins_document(line.text)) {
        lines.iter_mut().for_each(unindent);
    }
    lines
}

/// Characters that a program writes before each line at most: its number, a moment, a name.
const GUTTER: usize = 64;

/// How long what stands before the first line of a table or a document is, where that line has something before it.
fn gutter_of(text: &str) -> Option<usize> {
    let begins = |at: &usize| {
        let rest = &text[*at..];
        rest.starts_with("apiVersion: ") || titles(rest).is_some() && !rest.starts_with(' ')
    };
    let marks = ["apiVersion: ", "NAME", "LAST SEEN"];
    let at = marks.iter().filter_map(|mark| text.find(mark)).min().filter(|at| (1..=GUTTER).contains(at))?;
    let before = &text[..at];
    // A title before it is one of the table's own, and a dash begins an item.
    let is_gutter = before.ends_with([' ', '\t', '|', ':'])
        && !before.trim().is_empty()
        && before.trim() != "-"
        && !before.trim().chars().all(|letter| letter.is_ascii_uppercase());
    Some(at).filter(|at| is_gutter && begins(at))
}

/// Whether two beginnings of lines are the same but for their numbers.
fn is_alike(one: &str, other: &str) -> bool {
    let shape = |text: &str| -> Vec<u8> {
        text.bytes().map(|byte| if byte.is_ascii_digit() || byte == b' ' { b'0' } else { byte }).collect()
    };
    shape(one) == shape(other)
}

/// What a program writes before each line, such as its number, is left out: it stands before the first of a table or of a document, and,
/// but for its numbers, before those that follow.
fn without_gutter(lines: &mut [Line<'_>]) {
    let Some((first, length)) = lines.iter().enumerate().find_map(|(at, line)| Some((at, gutter_of(line.text)?)))
    else {
        return;
    };
    let gutter = lines[first].text[..length].to_owned();
    let own = |line: &Line<'_>| line.text.get(..length).is_some_and(|before| is_alike(before, &gutter));
    // Blanks at the end may have been lost.
    let is_empty = |line: &Line<'_>| {
        gutter.get(..line.text.len()).is_some_and(|begin| begin.len() < length && is_alike(line.text, begin))
    };
    let after = &lines[first..];
    let with = after.iter().filter(|line| own(line) || is_empty(line)).count();
    if with < 2 || with * 10 < after.len() * 9 {
        return;
    }
    for line in lines {
        if own(line) {
            *line = Line { at: line.at + length, text: &line.text[length..], ..*line };
        } else if is_empty(line) {
            *line = Line { at: line.at + line.text.len(), text: "", ..*line };
        }
    }
}

/// What marks code within a line.
const TICK: char = '`';

/// A fence, or a mark of code, that stands in the first or the last line of what it marks.
fn out_of_ticks(line: &mut Line<'_>) {
    let rest = line.text.trim_start_matches(TICK);
    if rest.len() < line.text.len() && (form_of(rest).is_some() || begins_document(rest)) {
        *line = Line { at: line.at + line.text.len() - rest.len(), text: rest, ..*line };
    }
    let begin = line.text.trim_end_matches(TICK);
    if begin.len() < line.text.len() && !begin.contains(TICK) && !begin.trim().is_empty() {
        *line = Line { text: begin, ..*line };
    }
}

/// What stands before a line of code in Markdown.
const CODE: &str = "    ";

fn unindent(line: &mut Line<'_>) {
    if let Some(rest) = line.text.strip_prefix(CODE) {
        *line = Line { at: line.at + CODE.len(), text: rest, ..*line };
    }
}

/// What stands before a line that is quoted.
const QUOTE: char = '>';

fn is_quoted(line: &Line<'_>) -> bool {
    line.text.starts_with(QUOTE)
}

/// What a line quotes.
fn quoted(text: &str) -> &str {
    let rest = text.strip_prefix(QUOTE).unwrap_or(text);
    rest.strip_prefix(' ').unwrap_or(rest)
}

fn unquote(line: &mut Line<'_>) {
    let rest = quoted(line.text);
    *line = Line { at: line.at + line.text.len() - rest.len(), text: rest, ..*line };
}

/// What a runtime writes behind the moment of a line: where it came from, and whether it is whole.
const STREAMS: [&str; 4] = ["stdout F ", "stderr F ", "stdout P ", "stderr P "];

/// How long the moment is that a line begins with, with what belongs to it and the blank behind; 0 if it begins with none.
fn stamp(text: &str) -> usize {
    let end = text.find(' ').unwrap_or(text.len());
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    let is_moment = marks.into_iter().all(|(at, mark)| text.as_bytes().get(at) == Some(&mark))
        && text[..end].bytes().all(|byte| byte.is_ascii_digit() || b"-+:.TZ".contains(&byte));
    if !is_moment {
        return 0;
    }
    let rest = text[end..].strip_prefix(' ').unwrap_or_default();
    let stream = STREAMS.iter().find(|stream| rest.starts_with(**stream)).map_or(0, |stream| stream.len());
    text.len() - rest.len() + stream
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[track_caller]
    fn reads(text: &str, want: &[&str]) {
        let lines = lines(text);
        assert_eq!(lines.iter().map(|line| line.text).collect::<Vec<_>>(), want);
        for line in lines {
            assert!(text[line.at..].starts_with(line.text), "{}", line.text);
        }
    }

    #[test]
    fn what_stands_before_each_line_is_left_out() {
        let rows = ["NAME    READY   AGE", "web-0   0/1     5m"];
        let with = |before: &str| format!("{before}{}\n{before}{}\n", rows[0], rows[1]);
        for before in
            ["> ", ">", "    ", "2024-03-05T09:31:02.1187654Z ", "2023-08-15T18:19:45.849429880+08:00 stderr F "]
        {
            reads(&with(before), &rows);
        }
        for before in
            ["+ ", "12:31:07 ", "Oct 12 11:58:02 cp1 deploy[1231]: ", "check  | ", "[2024-03-05T09:31:02.119Z] "]
        {
            reads(&with(before), &rows);
        }
        let numbered = format!("     9\t{}\n    10\t{}\n", rows[0], rows[1]);
        reads(&numbered, &rows);
        reads(&format!("```{}\n{}```\n", rows[0], rows[1]), &rows);
        // A line may end within what is one letter of the others.
        let cut = format!("\u{10000}| {}\n\u{10000}| {}\na\n", rows[0], rows[1]);
        reads(&cut, &cut.lines().collect::<Vec<_>>());
        // A moment before a line of a program's own is one of its fields, and one that stands alone is a cell.
        let own = "2024-03-05T09:31:02Z started\n2024-03-05T09:31:03Z ended\n";
        reads(own, &own.lines().collect::<Vec<_>>());
    }
}
