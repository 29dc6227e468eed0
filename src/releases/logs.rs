//! How a release's controller manager logs a StatefulSet's sync.

/// The lines of stateful_set.go and stateful_set_control.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogFormat {
    /// A message with its values behind it; before, sentences (since 1.24: stateful_set_control.go).
    pub is_structured: bool,
    /// So is the line with which a sync begins (since 1.27: `syncStatefulSet` of stateful_set.go).
    pub sync_is_structured: bool,
    /// The message of the status that a sync comes to (`performUpdate`, since 1.25 at the end of `updateStatefulSet`).
    pub status: &'static str,
    /// Lines of a sync name their logger (since 1.30; no longer since 1.35, whose `newControllerLoop` runs a controller with the
    /// context that it was given).
    pub names_logger: bool,
    /// The verbosity of deletions for scaling and updating.
    pub deletion_verbosity: u8,
    /// That a failed pod is created again is logged.
    pub logs_recreation: bool,
    /// `for scale down`, which 1.9 misspells.
    pub down: &'static str,
    /// What a pod is that keeps the set waiting: `unhealthy` or `unavailable`.
    pub unhealthy: &'static str,
    /// How a budget that is used up is logged: the verbosity, and the words between the pods and `maxUnavailable`.
    pub over_budget: (u8, &'static str),
    /// That is logged where exactly as many pods are unavailable as allowed, too.
    pub logs_equal_budget: bool,
    /// How a failed sync is logged.
    pub failure: FailureLine,
    /// A sync that fails while it updates says so after the status is written, and then not which revisions it had (`performUpdate`
    /// of stateful_set_control.go, since 1.25).
    pub failure_ends_sync: bool,
}

/// The line of a failed sync, which `processNextWorkItem` of stateful_set.go leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureLine {
    /// A sentence that begins with this word.
    Sentence(&'static str),
    /// That sentence, as the error of a message.
    Unhandled,
    /// A message with the error and the key (since 1.35).
    Values,
}
