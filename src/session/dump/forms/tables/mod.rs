//! Tables of `kubectl get`: what each column says. The reverse of pkg/printers/internalversion/printers.go.

mod cells;
mod event;
mod rows;

use super::cut::form_of;
use super::tree::Line;
use super::{Form, Part, Told};
use cells::{Cells, titles};
pub(super) use event::{Happened, event, seen};
pub(super) use rows::access_mode;

/// A table with the titles of its columns.
pub(super) const FORM: Form = Form {
    begins: |text| titles(text).is_some(),
    // A row alone is a form of its own, and here one of the table's.
    goes_on: |text, _| !text.trim().is_empty() && (is_row_of_pod(text) || form_of(text).is_none()),
    read,
};

/// Rows of pods whose titles were left out.
pub(super) const ROWS: Form = Form {
    begins: is_row_of_pod,
    goes_on: |text, _| is_row_of_pod(text),
    read: |part, told| {
        for line in &part.lines {
            let named: Vec<&str> = words_of_pod(line.text);
            let titles = ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"];
            let cells = titles[usize::from(named.len() == 5)..].iter().copied().zip(named).collect();
            rows::take(&Row { cells: Cells(cells), line: *line, part }, told);
        }
    },
};

/// A row of a table.
struct Row<'p, 't> {
    cells: Cells<'t>,
    line: Line<'t>,
    part: &'p Part<'t>,
}

impl<'t> Row<'_, 't> {
    /// What stands under a title; empty where there is nothing.
    fn cell(&self, title: &str) -> &'t str {
        self.cells.0.iter().find(|(own, _)| *own == title).map_or("", |(_, cell)| *cell)
    }

    fn has(&self, title: &str) -> bool {
        self.cells.0.iter().any(|(own, _)| *own == title)
    }

    fn number(&self, title: &str) -> Option<i64> {
        self.cell(title).parse().ok()
    }

    /// Its namespace, where the table or the command before it says.
    fn namespace(&self) -> Option<&'t str> {
        Some(self.cell("NAMESPACE")).filter(|cell| !cell.is_empty()).or(self.part.namespace)
    }

    /// How old it is, in milliseconds.
    fn age(&self) -> Option<i64> {
        super::time::age(self.cell("AGE"))
    }
}

fn read(part: &Part<'_>, told: &mut Told) {
    let Some((first, lines)) = part.lines.split_first() else { return };
    let Some(titles) = titles(first.text) else { return };
    for line in lines {
        if let Some(cells) = cells::row(&titles, line.text) {
            rows::take(&Row { cells, line: *line, part }, told);
        }
    }
}

/// The words of a row of `kubectl get pods`, `3 (2m ago)` being one; what stands behind the age is left out.
fn words_of_pod(text: &str) -> Vec<&str> {
    let Some(at) = ready_at(text) else { return Vec::new() };
    let mut words: Vec<&str> = text[..at].split_whitespace().collect();
    if words.len() > 2 {
        return Vec::new();
    }
    let mut rest = &text[at..];
    for column in 0..4 {
        let own = rest.trim_start();
        let word = own.split_whitespace().next().unwrap_or_default().len();
        let end = match own.get(word..) {
            Some(after) if column == 2 && after.trim_start().starts_with('(') => {
                after.find(')').map_or(word, |end| word + end + 1)
            }
            _ => word,
        };
        words.push(&own[..end]);
        rest = &own[end..];
    }
    words
}

/// Where `1/2` stands in a row.
fn ready_at(text: &str) -> Option<usize> {
    let is_ready = |word: &&str| {
        word.split_once('/').is_some_and(|(ready, all)| {
            [ready, all]
                .iter()
                .all(|part| !part.is_empty() && part.len() < 4 && part.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    let word = text.split_whitespace().find(is_ready)?;
    Some(word.as_ptr().addr() - text.as_ptr().addr())
}

fn is_row_of_pod(text: &str) -> bool {
    // A line of YAML or of a description begins otherwise.
    if !text.starts_with(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit()) || text.contains(": ") {
        return false;
    }
    let words = words_of_pod(text);
    let [.., status, restarts, age] = words.as_slice() else { return false };
    let count = restarts.split(' ').next().unwrap_or_default();
    words.len() >= 5
        && !status.is_empty()
        && !count.is_empty()
        && count.bytes().all(|byte| byte.is_ascii_digit())
        && (super::time::age(age).is_some() || age.starts_with('<'))
}
