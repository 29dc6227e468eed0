//! The names under which the stylesheets know states, and the hues of revisions.

use crate::view::{Density, Look, NodeLook, Tone};

/// The class of a pod's state.
pub(crate) fn look(look: Look) -> &'static str {
    match look {
        Look::Ready => "is-ready",
        Look::Starting => "is-starting",
        Look::Pending => "is-pending",
        Look::Terminating => "is-terminating",
        Look::Failed => "is-failed",
        Look::Unreachable => "is-unreachable",
    }
}

/// The class of a node's state.
pub(crate) fn node(look: NodeLook) -> &'static str {
    match look {
        NodeLook::Ready => "is-ready",
        NodeLook::Cordoned => "is-pending",
        NodeLook::Silent => "is-terminating",
        NodeLook::Lost => "is-unreachable",
    }
}

/// The state whose shape a node's tag has.
pub(crate) fn node_shape(look: NodeLook) -> Look {
    match look {
        NodeLook::Ready => Look::Ready,
        NodeLook::Cordoned => Look::Pending,
        NodeLook::Silent => Look::Terminating,
        NodeLook::Lost => Look::Unreachable,
    }
}

/// The class of a moment, and its word.
pub(crate) fn tone(tone: Tone) -> (&'static str, &'static str) {
    match tone {
        Tone::Settled => ("is-settled", "Settled"),
        Tone::Waiting => ("is-waiting", "Waiting"),
        Tone::Stuck => ("is-stuck", "Stuck"),
    }
}

/// The class that sets a revision's hue: six of them, then again.
pub(crate) fn hue(hue: usize) -> &'static str {
    ["rev-0", "rev-1", "rev-2", "rev-3", "rev-4", "rev-5"][hue % 6]
}

/// The class of a rail or a list of so many pods.
pub(crate) fn density(density: Density) -> &'static str {
    match density {
        Density::Card => "rail--card",
        Density::Chip => "rail--chip",
        Density::Cell => "rail--cell",
    }
}
