//! The line above the rail.

use crate::objects::Kind;
use std::rc::Rc;

/// The line above the rail.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The set's name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// `3 / 5 ready` as numbers: ready, wanted.
    pub ready: (i32, i32),
    /// Pods at the update revision.
    pub updated: i32,
    /// The current revision.
    pub current: Option<Revision>,
    /// The update revision.
    pub update: Option<Revision>,
}

/// A revision as people tell it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The full name, such as `web-5cdb7d`.
    pub name: Rc<str>,
    /// A, B, C …
    pub letter: Rc<str>,
    /// Which of the revision hues, counted from 0.
    pub hue: usize,
}
