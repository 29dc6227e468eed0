//! The messages about lines that are rehearsed.

use crate::objects::ObjectRef;
use std::rc::Rc;

/// A message about lines that are tried before anybody types them in a cluster.
#[derive(Clone, Debug)]
pub enum RehearseMsg {
    /// Asks for lines, on the run of the opened text, with this workload of it or the first.
    Text(Option<ObjectRef>),
    /// Rehearses that this node is drained, on the stage's run.
    Drain(Rc<str>),
    /// Writes the lines of a question into the field, by its place among those of `questions`.
    Ask(usize),
    /// Rehearses these lines.
    Lines(Rc<str>),
    /// Gives up.
    Stop,
    /// Shows on the stage what they led to.
    Show,
}
