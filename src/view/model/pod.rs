//! A pod, wherever it is drawn.

use super::Revision;
use std::rc::Rc;

/// A pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// Its name.
    pub name: Rc<str>,
    /// kubectl's STATUS word.
    pub status: Rc<str>,
    /// kubectl's READY column, such as `0/1`.
    pub ready: Rc<str>,
    /// How it looks.
    pub look: PodAppearance,
    /// Its node, empty before it has one.
    pub node: Rc<str>,
    /// The tag of its first container's image.
    pub tag: Rc<str>,
    /// How often its containers were started again.
    pub restarts: i32,
    /// The revision it was made from.
    pub revision: Revision,
    /// Where it is in its life, where OpenKruise labels it as other than `Normal`; empty otherwise.
    pub state: Rc<str>,
}

/// How a pod's state looks; words and shapes go with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PodAppearance {
    /// Solid, check.
    Ready,
    /// Open ring, blue.
    Starting,
    /// Dashed, amber.
    Pending,
    /// Hatched, brown-gray.
    Terminating,
    /// Red, `!`.
    Failed,
    /// Last known state under a broken link, purple.
    Unreachable,
}

/// How large a place is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// Up to 40 ordinals.
    Card,
    /// Up to 200.
    Chip,
    /// Above.
    Cell,
}

impl Density {
    /// How much of each of so many pods there is room for.
    pub(in crate::view) fn of(pods: usize) -> Self {
        match pods {
            0..=40 => Self::Card,
            41..=200 => Self::Chip,
            _ => Self::Cell,
        }
    }
}
