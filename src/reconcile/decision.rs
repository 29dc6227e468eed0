//! The record a controller leaves wherever it decides. Words are made from it later, and only from it.

use super::Rule;
use super::clone_set::Diffs;

/// One decision of one sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub rule: Rule,
    /// The ordinal it was about, if it was about one.
    pub ordinal: Option<i32>,
    /// What was seen there.
    pub facts: Facts,
}

/// The values a decision rested on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Facts {
    /// Nothing beyond the ordinal.
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
    /// The pod that it was about, by the five characters at the end of its name.
    Instance([u8; 5]),
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
    Diffs(Diffs),
}

impl Decision {
    pub(crate) fn new(rule: impl Into<Rule>) -> Self {
        Self { rule: rule.into(), ordinal: None, facts: Facts::None }
    }

    pub(crate) fn at(rule: impl Into<Rule>, ordinal: i32) -> Self {
        Self { rule: rule.into(), ordinal: Some(ordinal), facts: Facts::None }
    }

    pub(crate) fn with(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }
}
