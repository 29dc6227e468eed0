//! Everything that is drawn of a moment of a run.

use super::{Controls, Explanation, Node, Summary, WorkloadView};
use crate::text::Text;
use std::rc::Rc;

/// Everything on the page but the person's own typing.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The set's line: name, counts, revisions. None if there is no set.
    pub summary: Option<Summary>,
    /// Every workload there is, as `namespace/name` and with its kind if that is not StatefulSet, and which of them is drawn.
    pub sets: (Vec<String>, usize),
    /// Its pods; an empty axis if there is no set.
    pub workload: WorkloadView,
    /// Where the controller stands, and why.
    pub explanation: Rc<Explanation>,
    /// The nodes.
    pub nodes: Rc<Vec<Rc<Node>>>,
    /// What can be set, and how it stands now.
    pub controls: Option<Rc<Controls>>,
    /// The clock, such as `1 m 04 s`.
    pub clock: Text,
    /// How many events and commands lie before the cursor and in all, such as `Event 41 of 41`.
    pub progress: Text,
    /// Whether nothing is due any more.
    pub settled: bool,
    /// The last thing that was done or decided, in one sentence.
    pub last: Text,
    /// Promises that are broken now, a sentence each: two live containers with one identity.
    pub warnings: Vec<Text>,
}
