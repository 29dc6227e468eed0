//! What came of lines, as it is written and drawn: line by line, each at its depth.

use super::rehearsed::{before, costs, cut_off, is_grave, low, outcome, standing};
use super::remedies::lines;
use crate::text::{Text, span};
use crate::trial::{Change, Course, Free, NoNode, Outcome, Reason, Rehearsed, Tried};
use std::rc::Rc;

/// Rows of a table of nodes; those that lack least come first.
pub const ROWS: usize = 12;
/// Names of nodes in one row.
const NAMES: usize = 4;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// How deep it stands.
    pub depth: usize,
    /// Of a row of a table what it is about; else empty.
    pub head: String,
    /// What is said.
    pub text: Text,
    /// Whether it is what somebody has to look at before all else.
    pub is_grave: bool,
}

impl Said {
    /// A line at this depth.
    pub(crate) fn at(depth: usize, text: impl Into<Text>) -> Self {
        Self { depth, head: String::new(), text: text.into(), is_grave: false }
    }

    pub(super) fn of(depth: usize, course: &Course, text: Text) -> Self {
        Self { is_grave: is_grave(course), ..Self::at(depth, text) }
    }
}

/// As text.
pub fn written(all: &[Said]) -> String {
    let is_row = |said: &Said| !said.head.is_empty();
    let mut out = String::new();
    for block in all.chunk_by(|one, other| is_row(one) == is_row(other)) {
        let width = block.iter().map(|said| said.head.chars().count()).max().unwrap_or(0);
        for Said { depth, head, text, .. } in block {
            let indent = "  ".repeat(*depth);
            out +=
                &if head.is_empty() { format!("{indent}{text}\n") } else { format!("{indent}{head:width$}  {text}\n") };
        }
    }
    out
}

/// What became of every line, node and workload.
pub fn said(rehearsed: &Rehearsed) -> Vec<Said> {
    let mut all = Vec::new();
    for tried in &rehearsed.lines {
        let is_grave = tried.outcome.is_failed();
        all.extend([Said::at(0, typed(tried)), Said { is_grave, ..Said::at(1, outcome(tried)) }]);
    }
    for turn in &rehearsed.turns {
        all.push(Said::at(0, text!("While {} is drained (from {}):", turn.node, span(turn.at))));
        all.extend(low(turn).into_iter().map(|one| Said::at(1, one)));
    }
    let (touched, same): (Vec<&Course>, Vec<_>) = rehearsed.workloads.iter().partition(|course| course.is_touched());
    for course in touched {
        all.push(Said::at(0, text!("{} (namespace {})", name(course), course.workload.namespace)));
        all.push(Said::at(1, text!("before: {}", before(course))));
        all.push(Said::of(1, course, text!("after:  {}", standing(course))));
        all.extend(costs(course).into_iter().map(|cost| Said::at(1, cost)));
        all.extend(without_node(&course.without_node, 1));
    }
    all.extend(rehearsed.nodes.iter().map(|one| Said::at(0, text!("node/{}: {}", one.node, one.now))));
    all.extend(rehearsed.cut_off.iter().map(|one| Said { is_grave: true, ..Said::at(0, cut_off(one)) }));
    if !same.is_empty() {
        all.push(Said::at(0, text!("Not touched:")));
    }
    all.extend(same.into_iter().map(|course| {
        let (name, namespace) = (name(course), Rc::clone(&course.workload.namespace));
        Said::of(1, course, text!("{} (namespace {}): {}", name, namespace, standing(course)))
    }));
    all
}

fn typed(tried: &Tried) -> Text {
    match tried.at > 0 && tried.outcome != Outcome::NotReached {
        true => text!("{} (begins after {})", &*tried.line, span(tried.at)),
        false => Text::verbatim(&*tried.line),
    }
}

fn name(course: &Course) -> String {
    format!("{}/{}", course.workload.kind.singular(), course.workload.name)
}

/// Why pods have no node, and what would make them fit.
pub fn without_node(all: &[NoNode], depth: usize) -> Vec<Said> {
    let mut out = Vec::new();
    for told in all {
        let pods = Text::names(std::iter::once(&told.pod.name).chain(&told.alike));
        out.push(Said::at(depth, text!("No node takes {}:", pods)));
        let groups = told.grouped();
        out.extend(
            groups
                .iter()
                .take(ROWS)
                .map(|(nodes, reasons)| Said { head: names(nodes), ..Said::at(depth + 1, reasons_in_words(reasons)) }),
        );
        let left: usize = groups.iter().skip(ROWS).map(|(nodes, _)| nodes.len()).sum();
        if left > 0 {
            out.push(Said::at(depth + 1, text!("nodes beside these, which lack as much or more: {}", left)));
        }
        out.extend(told.free.iter().map(|one| Said::at(depth + 1, free(one))));
        if told.changes.is_empty() {
            out.push(Said::at(depth + 1, text!("No small change was found that makes it fit.")));
        }
        for change in &told.changes {
            out.push(Said::at(depth + 1, fits(change)));
            out.extend(lines(&change.commands).into_iter().map(|line| Said::at(depth + 2, Text::verbatim(line))));
        }
    }
    out
}

/// Names of nodes, at most four of them.
pub fn names(nodes: &[&Rc<str>]) -> String {
    Text::first(NAMES, nodes.iter().map(|name| Text::verbatim(&***name))).to_string()
}

fn reasons_in_words(reasons: &[Reason]) -> Text {
    Text::list("; ", reasons.iter().map(|reason| reason.text.clone()))
}

/// How much of a resource is free.
pub fn free(free: &Free) -> Text {
    let Free { resource, asked, in_sum, most, on, largest } = free;
    text!(
        "{}: {} asked for; {} free in sum, at most {} on one node ({}); the largest node has {}",
        resource,
        &**asked,
        &**in_sum,
        &**most,
        on,
        &**largest
    )
}

/// What would make a pod fit, and where.
pub fn fits(change: &Change) -> Text {
    match &change.node {
        Some(node) => text!("It would fit on {}: {}", node, change.title),
        None => text!("It would fit: {}", change.title),
    }
}
