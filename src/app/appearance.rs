//! The names under which the stylesheets know states, and the hues of revisions.

use crate::text::Text;
use crate::view::{NodeAppearance, PodAppearance, Severity};

/// The class of a pod's state.
pub(crate) fn look(look: PodAppearance) -> &'static str {
    match look {
        PodAppearance::Ready => "is-ready",
        PodAppearance::Starting => "is-starting",
        PodAppearance::Pending => "is-pending",
        PodAppearance::Terminating => "is-terminating",
        PodAppearance::Failed => "is-failed",
        PodAppearance::Unreachable => "is-unreachable",
    }
}

/// The variable of tokens.css that has the color of a pod's state.
pub(crate) fn state_token(look: PodAppearance) -> &'static str {
    match look {
        PodAppearance::Ready => "--ready",
        PodAppearance::Starting => "--starting",
        PodAppearance::Pending => "--pending",
        PodAppearance::Terminating => "--terminating",
        PodAppearance::Failed => "--failed",
        PodAppearance::Unreachable => "--unknown",
    }
}

/// The class of a node's state.
pub(crate) fn node(look: NodeAppearance) -> &'static str {
    match look {
        NodeAppearance::Ready => "is-ready",
        NodeAppearance::Cordoned => "is-pending",
        NodeAppearance::Silent => "is-terminating",
        NodeAppearance::Lost => "is-unreachable",
    }
}

/// The state whose shape a node's tag has.
pub(crate) fn node_shape(look: NodeAppearance) -> PodAppearance {
    match look {
        NodeAppearance::Ready => PodAppearance::Ready,
        NodeAppearance::Cordoned => PodAppearance::Pending,
        NodeAppearance::Silent => PodAppearance::Terminating,
        NodeAppearance::Lost => PodAppearance::Unreachable,
    }
}

/// The class of a moment, and its word.
pub(crate) fn severity(severity: Severity) -> (&'static str, Text) {
    let class = match severity {
        Severity::Settled => "is-settled",
        Severity::Waiting => "is-waiting",
        Severity::Stuck => "is-stuck",
        Severity::NotKnown => "is-not-known",
    };
    (class, severity.word())
}

/// The class that sets a revision's hue: six of them, then again.
pub(crate) fn hue(hue: usize) -> &'static str {
    ["rev-0", "rev-1", "rev-2", "rev-3", "rev-4", "rev-5"][hue % 6]
}

/// The variable of tokens.css that has a revision's hue.
pub(crate) fn hue_token(hue: usize) -> &'static str {
    ["--rev-a", "--rev-b", "--rev-c", "--rev-d", "--rev-e", "--rev-f"][hue % 6]
}
