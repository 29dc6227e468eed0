//! What the timeline of a comparison marks.

use crate::kubectl::act_line;
use crate::session::comparison::script;
use crate::session::lanes::{Counts, Lanes, Mark};
use crate::session::{Command, Logged};
use crate::text::Text;
use crate::view::text::{self, Noun};

/// A moment that the timeline marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkView {
    /// In milliseconds since the start.
    pub at: i64,
    /// Such as `6 m 20 s`.
    pub clock: Text,
    /// What each lane has, that they are alike again, or the command.
    pub words: Text,
    /// What it is.
    pub kind: MarkKind,
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A command.
    Act,
    /// A command that breaks something.
    Fault,
    /// The lanes differ.
    Differ,
    /// The lanes are alike again.
    Alike,
}

/// Commands and differences, by their moments.
pub(super) fn marks(lanes: &Lanes, differences: &[Mark], names: &[&str]) -> Vec<MarkView> {
    let mut marks: Vec<MarkView> = script(lanes).iter().filter_map(|group| act(group, names)).collect();
    let mut seen: Vec<MarkView> = Vec::new();
    for mark in differences {
        let mark = mark_view(mark, names);
        // Of those that one reading of the clock cannot tell apart, the last.
        if seen.last().is_some_and(|last| last.clock == mark.clock) {
            seen.pop();
        }
        let is_alike = |mark: &MarkView| mark.kind == MarkKind::Alike;
        if !(is_alike(&mark) && seen.last().is_none_or(is_alike)) {
            seen.push(mark);
        }
    }
    marks.extend(seen);
    marks.sort_by_key(|mark| mark.at);
    marks
}

fn act(group: &[(usize, &Logged)], names: &[&str]) -> Option<MarkView> {
    let (_, first) = group.first()?;
    let fault = matches!(first.command, Command::FailNode { .. } | Command::FailZone { .. } | Command::CrashPod { .. });
    let line = act_line(&first.command);
    let own = group.iter().map(|(place, _)| Text::authored(names[*place]));
    Some(MarkView {
        at: first.at,
        clock: text::clock(first.at),
        words: if group.len() < names.len() {
            text!("{}: {}", Text::list(", ", own), line)
        } else {
            Text::verbatim(line)
        },
        kind: if fault { MarkKind::Fault } else { MarkKind::Act },
    })
}

fn mark_view(mark: &Mark, names: &[&str]) -> MarkView {
    let alike = mark.is_alike();
    // Lanes that have the same stand together.
    let mut groups: Vec<(Counts, Vec<&str>)> = Vec::new();
    for (name, counts) in names.iter().zip(&mark.counts) {
        match groups.iter_mut().find(|(own, _)| own == counts) {
            Some((_, group)) => group.push(name),
            None => groups.push((*counts, vec![name])),
        }
    }
    let has = |(counts, names): &(Counts, Vec<&str>)| {
        let names = Text::list(", ", names.iter().map(|name| Text::authored(name)));
        let pods = text::count(counts.pods, Noun::Pod);
        match counts.terminating {
            0 => text!("{}: {} of {} available", names, counts.available, pods),
            terminating => text!("{}: {} of {} available, {} terminating", names, counts.available, pods, terminating),
        }
    };

    MarkView {
        at: mark.at,
        clock: text::clock(mark.at),
        words: if alike { text!("Alike again") } else { Text::list("; ", groups.iter().map(has)) },
        kind: if alike { MarkKind::Alike } else { MarkKind::Differ },
    }
}
