//! What is decided about a pod that is changed in place or held at a hook, whatever its set's kind calls it.

/// A point at which something is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reconcile) enum Step {
    /// The pod waits out its grace before it is changed.
    GraceWaits,
    /// The pod's grace is over: it is changed in place.
    GraceFinished,
    /// The next containers are changed in place.
    NextBatchUpdated,
    /// The change in place is not complete.
    Incomplete,
    /// No change in place is under way: the gate is opened.
    GateOpened,
    /// The pod is at rest in its life.
    Normal,
    /// The pod is changed, and its hook must be restored.
    Updated,
    /// The update in place is announced to its hook.
    Prepared,
    /// The update in place waits at its hook.
    Hooked,
    /// The pod goes back to its hook to be updated again.
    PreparedAgain,
    /// The pod is changed in place, or told to get ready for it.
    Changed,
    /// Changing the pod in place was refused.
    Refused,
}
