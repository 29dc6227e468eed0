//! Tables of `kubectl get`: what each column says. The reverse of pkg/printers/internalversion/printers.go.

mod cells;
mod event;
mod rows;
mod untitled;

use super::cut::form_of;
use super::tree::Line;
use super::{Form, Part, Told};
use cells::Cells;
pub(super) use cells::titles;
pub(super) use event::{Happened, event, seen};
pub(super) use rows::access_mode;
use std::borrow::Cow;

/// A table with the titles of its columns.
pub(super) const FORM: Form = Form {
    what: || text!("a table"),
    begins: |text| titles(text).is_some(),
    // A row alone is a form of its own, and here one of the table's.
    goes_on: |text, _| !text.trim().is_empty() && (is_untitled(text) || form_of(text).is_none()),
    read,
};

/// Rows whose titles were left out.
pub(super) const ROWS: Form = Form {
    what: || text!("rows of a table"),
    begins: is_untitled,
    goes_on: |text, _| is_untitled(text),
    read: |part, told| {
        for line in &part.lines {
            if let Some(cells) = untitled::row(line.text) {
                rows::take(&Row { cells, line: *line, part }, told);
            }
        }
    },
};

fn is_untitled(text: &str) -> bool {
    untitled::row(text).is_some()
}

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
    let rows = whole(&part.lines);
    let Some(((_, first), rows)) = rows.split_first() else { return };
    let Some(titles) = titles(first) else { return };
    for (line, text) in rows {
        if let Some(cells) = cells::row(&titles, text) {
            rows::take(&Row { cells, line: *line, part }, told);
        }
    }
}

/// The rows of a table, each with its first line. Where a terminal broke the titles into several lines, it broke each row into as many.
fn whole<'t>(lines: &[Line<'t>]) -> Vec<(Line<'t>, Cow<'t, str>)> {
    let broken = lines.iter().skip(1).take_while(|line| cells::goes_on_with_titles(line.text)).count();
    if broken == 0 {
        return lines.iter().map(|line| (*line, Cow::Borrowed(line.text))).collect();
    }
    // What was broken fills its line; blanks at the end may have been lost.
    let width = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
    let row = |lines: &[Line<'t>]| {
        let (last, others) = lines.split_last()?;
        let begin: String = others.iter().map(|line| format!("{:width$}", line.text)).collect();
        Some((*others.first()?, Cow::Owned(begin + last.text)))
    };
    lines.chunks(broken + 1).filter(|lines| lines.len() > broken).filter_map(row).collect()
}
