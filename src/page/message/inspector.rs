//! The messages of the inspector's tabs.

use crate::view::Screen;

/// A message to the inspector.
#[derive(Clone, Debug)]
pub enum InspectorMsg {
    /// Shows the sync of this number; the last one if none.
    Sync(Option<u64>),
    /// Tells more of the writes and decisions of the shown sync.
    TellMore,
    /// Shows this output of kubectl.
    Screen(Screen),
    /// The line was edited.
    Line(String),
    /// Completes the line's last word.
    Take(String),
    /// Recalls an earlier line, or a later one.
    Recall(bool),
    /// Runs the line.
    Run,
    /// Moves the focus to the line.
    Prompt,
    /// Compares another revision: as the first or the second, by its number.
    Compare(usize, i64),
    /// Opens the chart, or closes it.
    Chart(bool),
}
