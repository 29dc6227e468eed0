//! The record a controller leaves wherever it decides. Words are made from it later, and only from it.

use super::Rule;
use std::rc::Rc;

/// One decision of one sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub rule: Rule,
    /// What it was about.
    pub subject: Subject,
    /// What was seen there.
    pub facts: Facts,
}

/// What a decision is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// The object of the sync as a whole.
    #[default]
    Object,
    /// The pod of an ordinal, which may not be there.
    Ordinal(i32),
    /// The pod of this name.
    Pod(Rc<str>),
    /// The ReplicaSet of this name.
    ReplicaSet(Rc<str>),
}

/// The values a decision rested on.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Facts {
    /// Nothing beyond the subject.
    #[default]
    None,
    /// How many.
    Count(i32),
    /// Pods in range that are not available.
    Unavailable {
        /// How many.
        unavailable: i32,
        /// How many may be.
        allowed: i32,
    },
    /// Ordinals from the first to the last, both included.
    Span {
        /// The lowest.
        from: i32,
        /// The highest.
        to: i32,
    },
    /// Pods by the part of the sync that looks at them.
    Split {
        /// In range, created or not.
        replicas: i32,
        /// Out of range.
        condemned: i32,
    },
    /// Pods by what claiming did with them.
    Claimed {
        /// Kept.
        owned: i32,
        /// Newly adopted, counted in `owned` too.
        adopted: i32,
        /// Let go.
        released: i32,
    },
    /// A ReplicaSet's size before and after.
    Scaled {
        /// Whether it is that of the template as it is.
        is_new: bool,
        /// Before.
        from: i32,
        /// After.
        to: i32,
    },
    /// The numbers a CloneSet's steps rest on.
    Diffs(Rc<Diffs>),
}

/// The numbers that a CloneSet's steps rest on, in pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Diffs {
    /// To be created.
    pub scale_up: i32,
    /// Of those, at the current revision.
    pub scale_up_old: i32,
    /// How many of them may be created now.
    pub scale_up_limit: i32,
    /// To be deleted, beyond those that people asked for.
    pub scale_down: i32,
    /// Of those, at other revisions than the update revision.
    pub scale_down_old: i32,
    /// Pods above `replicas` that are made use of.
    pub use_surge: i32,
    /// Of those, at the current revision.
    pub use_surge_old: i32,
    /// How many available pods may be deleted now.
    pub delete_ready_limit: i32,
    /// To be updated; below zero, to be taken back to the current revision.
    pub update: i32,
    /// How many pods may be unavailable for updates; below zero while pods are missing.
    pub update_max_unavailable: i32,
}

impl Decision {
    pub(crate) fn new(rule: impl Into<Rule>) -> Self {
        Self::about(rule, Subject::Object)
    }

    pub(crate) fn at(rule: impl Into<Rule>, ordinal: i32) -> Self {
        Self::about(rule, Subject::Ordinal(ordinal))
    }

    pub(crate) fn about(rule: impl Into<Rule>, subject: Subject) -> Self {
        Self { rule: rule.into(), subject, facts: Facts::None }
    }

    /// The ordinal it is about, if it is about one.
    pub fn ordinal(&self) -> Option<i32> {
        match self.subject {
            Subject::Ordinal(ordinal) => Some(ordinal),
            Subject::Object | Subject::Pod(_) | Subject::ReplicaSet(_) => None,
        }
    }

    pub(crate) fn with(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }
}
