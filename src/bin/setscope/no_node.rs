//! Why pods have no node, in Markdown.

use crate::printed::{code, markdown as plain};
use setscope::diagnosis::{ROWS, fits, free, lines, names};
use setscope::trial::{NoNode, Reason};
use std::fmt::Write as _;

/// The pods, by name.
fn pods(told: &NoNode) -> String {
    let alike = told.alike.iter().map(|name| format!(", {name}"));
    std::iter::once(told.pod.name.to_string()).chain(alike).collect()
}

fn words(reasons: &[Reason]) -> String {
    reasons.iter().map(|reason| reason.text.to_string()).collect::<Vec<_>>().join("; ")
}

/// The rows of the table, and how many nodes have none.
fn rows(told: &NoNode) -> (Vec<(String, String)>, usize) {
    let groups = told.grouped();
    let left = groups.iter().skip(ROWS).map(|(nodes, _)| nodes.len()).sum();
    (groups.iter().take(ROWS).map(|(nodes, reasons)| (names(nodes), words(reasons))).collect(), left)
}

pub(crate) fn markdown(all: &[NoNode]) -> String {
    let mut out = String::new();
    for told in all {
        let _ = writeln!(out, "No node takes {}:\n\n| node | why not |\n|---|---|", code(pods(told)));
        let (rows, left) = rows(told);
        for (nodes, reasons) in rows {
            let _ = writeln!(out, "| {} | {} |", plain(nodes), plain(reasons));
        }
        if left > 0 {
            let _ = writeln!(out, "| {left} more | as much or more |");
        }
        out.push('\n');
        for one in &told.free {
            let _ = writeln!(out, "- {}", plain(free(one)));
        }
        for change in &told.changes {
            let lines = lines(&change.commands).iter().map(|line| format!("; {}", code(line))).collect::<String>();
            let _ = writeln!(out, "- {}{lines}", plain(fits(change)));
        }
        out.push('\n');
    }
    out
}
