//! How a release's controller manager logs a StatefulSet's sync.

/// The lines of stateful_set.go and stateful_set_control.go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogFormat {
    /// A message with its values behind it; before, sentences.
    pub is_structured: bool,
    /// Lines name their logger (since 1.30).
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
    /// The first word of a failed sync's line.
    pub error: &'static str,
    /// A failed sync is logged as an unhandled error.
    pub unhandled_errors: bool,
}
