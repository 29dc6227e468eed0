//! The messages of lessons.

use std::rc::Rc;

/// A message about lessons.
#[derive(Clone, Debug)]
pub enum LearnMsg {
    /// The list of lessons was loaded, as JSON.
    List(Rc<str>),
    /// Fetches the lesson of this name.
    Fetch(Rc<str>),
    /// An answer to the open question: a sentence or a pod.
    Answer(Rc<str>),
    /// On to the next step.
    Next,
    /// Back to the step before.
    Previous,
    /// To where the run stops, at once.
    Skip,
    /// From the start again.
    Again,
    /// Ends the lesson; its run stays.
    Close,
}
