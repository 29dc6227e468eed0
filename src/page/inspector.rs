//! The state of the inspector: the shown sync, the terminal, the compared revisions, whether the chart is open.

use crate::kubectl::{Command, drained_so_far, finish};
use crate::sim::Cluster;
use crate::text::Text;
use crate::view::Screen;
use std::rc::Rc;

/// A line and its answer.
#[derive(Clone)]
pub struct TerminalEntry {
    /// The line.
    pub line: String,
    /// The answer.
    pub answer: Text,
    /// Whether it was refused or not understood.
    pub wrong: bool,
    /// A drain, which goes on printing, and the cluster as it was before it.
    drain: Option<Rc<(Cluster, Command)>>,
}

impl PartialEq for TerminalEntry {
    fn eq(&self, other: &Self) -> bool {
        (&self.line, &self.answer, self.wrong) == (&other.line, &other.answer, other.wrong)
    }
}

/// Older lines are forgotten.
const KEPT: usize = 50;
/// So many lines of an answer are printed at most: thousands would be laid out anew with each further answer.
pub(super) const LINES: usize = 500;
/// Writes of a sync that are told, and decisions in each of its stages; and how many more when more are asked for.
const TOLD: usize = 25;
const MORE: usize = 200;

/// The state of the tabs.
pub struct InspectorState {
    /// The sync that is shown, by its number; the last one if none was chosen.
    pub sync: Option<u64>,
    /// How many of its writes, and of its decisions in each stage, are told.
    pub told: usize,
    /// The output of kubectl that is shown.
    pub screen: Screen,
    /// The line as it is typed.
    pub line: String,
    /// The lines that were run, the oldest first.
    pub entries: Vec<Rc<TerminalEntry>>,
    /// The index in `entries` of the recalled line; their number while a new one is written.
    recalled: usize,
    /// The revisions that are compared, by their numbers.
    pub compared: [Option<i64>; 2],
    /// Whether the chart of the sync is open.
    pub chart: bool,
}

impl Default for InspectorState {
    fn default() -> Self {
        Self {
            sync: None,
            told: TOLD,
            screen: Screen::Pods,
            line: String::new(),
            entries: Vec::new(),
            recalled: 0,
            compared: [None; 2],
            chart: false,
        }
    }
}

impl TerminalEntry {
    /// A line and what was printed of it; of a drain that goes on, the cluster as it was before it.
    pub(super) fn new(line: String, (answer, wrong): (Text, bool), drain: Option<(Cluster, Command)>) -> Self {
        Self { line, answer, wrong, drain: drain.filter(|_| !wrong).map(Rc::new) }
    }

    /// With what has been printed of it by now.
    fn told(self: &Rc<Self>, now: &Cluster) -> Rc<Self> {
        let later = self.drain.as_ref().filter(|drain| now.now() > drain.0.now());
        match later.and_then(|drain| drained_so_far(&drain.0, now, &drain.1)) {
            Some(printed) => Rc::new(Self { answer: in_short(printed.trim_end(), 0), ..Self::clone(self) }),
            None => Rc::clone(self),
        }
    }
}

impl InspectorState {
    /// Shows the sync of this number, the last one if none.
    pub(super) fn show_sync(&mut self, number: Option<u64>) {
        (self.sync, self.told) = (number, TOLD);
    }

    /// Tells more of the shown sync.
    pub(super) fn tell_more(&mut self) {
        self.told += MORE;
    }

    /// Completes the line's last word.
    pub(super) fn complete(&mut self, word: &str) {
        self.line = finish(&self.line, word);
    }

    /// Recalls an earlier line, or a later one.
    pub(super) fn recall(&mut self, older: bool) {
        let next = if older { self.recalled.checked_sub(1) } else { Some(self.recalled + 1) };
        let Some(next) = next.filter(|next| *next <= self.entries.len()) else { return };
        self.recalled = next;
        self.line = self.entries.get(next).map_or_else(String::new, |entry| entry.line.clone());
    }

    /// A line was run.
    pub(super) fn record(&mut self, entry: TerminalEntry) {
        self.entries.push(Rc::new(entry));
        if self.entries.len() > KEPT {
            self.entries.remove(0);
        }
        self.recalled = self.entries.len();
    }

    /// The lines that were run, each with what has been printed of it by now.
    pub fn told_entries(&self, now: &Cluster) -> Vec<Rc<TerminalEntry>> {
        self.entries.iter().map(|entry| entry.told(now)).collect()
    }

    /// Compares another revision: as the first or the second, by its number.
    pub(super) fn compare(&mut self, place: usize, number: i64) {
        self.compared[place % 2] = Some(number);
    }
}

/// The first lines of what is printed, and how many more there are beside what is left out already.
pub(super) fn in_short(printed: &str, left_out: usize) -> Text {
    let end = printed.match_indices('\n').map(|(at, _)| at).nth(LINES);
    let (first, rest) = printed.split_at(end.unwrap_or(printed.len()));
    match left_out + rest.lines().filter(|line| !line.is_empty()).count() {
        0 => Text::verbatim(first),
        more => Text::list("\n", [Text::verbatim(first), text!("… and {} more", more)]),
    }
}
