//! Why pods have no node, in the forms of the command.

use crate::printed::{code, markdown as plain};
use setscope::diagnosis::lines;
use setscope::trial::{Change, Free, NoNode, Reason};
use std::fmt::Write as _;
use std::rc::Rc;

/// Rows of a table of nodes; those that lack least come first.
const ROWS: usize = 12;
/// Names of nodes in one row.
const NAMES: usize = 4;

/// The pods, by name.
fn pods(told: &NoNode) -> String {
    let alike = told.alike.iter().map(|name| format!(", {name}"));
    std::iter::once(told.pod.name.to_string()).chain(alike).collect()
}

fn names(nodes: &[&Rc<str>]) -> String {
    let named = nodes.iter().take(NAMES).map(|name| name.to_string()).collect::<Vec<_>>().join(", ");
    if nodes.len() > NAMES { format!("{named} and {} more", nodes.len() - NAMES) } else { named }
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

fn free(free: &Free) -> String {
    let Free { resource, asked, in_sum, most, on, largest } = free;
    format!(
        "{resource}: {asked} asked for; {in_sum} free in sum, at most {most} on one node ({on}); the largest node has {largest}"
    )
}

/// The node that then takes the pod.
fn on(change: &Change) -> String {
    change.node.as_ref().map(|node| format!(" on {node}")).unwrap_or_default()
}

/// Lines of text, each with this indent.
pub(crate) fn text(all: &[NoNode], indent: &str) -> String {
    let mut out = String::new();
    for told in all {
        let _ = writeln!(out, "{indent}No node takes {}:", pods(told));
        let (rows, left) = rows(told);
        let width = rows.iter().map(|(nodes, _)| nodes.chars().count()).max().unwrap_or(0);
        for (nodes, reasons) in rows {
            let _ = writeln!(out, "{indent}  {nodes:width$}  {reasons}");
        }
        if left > 0 {
            let _ = writeln!(out, "{indent}  {left} more nodes, which lack as much or more");
        }
        for one in &told.free {
            let _ = writeln!(out, "{indent}  {}", free(one));
        }
        if told.changes.is_empty() {
            let _ = writeln!(out, "{indent}  No small change was found that makes it fit.");
        }
        for change in &told.changes {
            let _ = writeln!(out, "{indent}  It would fit{}: {}", on(change), change.title);
            for line in lines(&change.commands) {
                let _ = writeln!(out, "{indent}    {line}");
            }
        }
    }
    out
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
            let _ = writeln!(out, "- It would fit{}: {}{lines}", plain(on(change)), plain(&change.title));
        }
        out.push('\n');
    }
    out
}
