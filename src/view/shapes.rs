//! The shapes by which a state is told before its color, in a square of 16 units: for the page and for its pictures.

use super::{PodAppearance, Severity};

/// How a path is drawn in the color of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// Filled.
    Fill,
    /// As a line.
    Line,
    /// As a dashed line.
    Dashed,
    /// As a thin line.
    Thin,
    /// As a line in the color of the ground, cut out of what is below it.
    Cut,
}

/// Paths over each other.
pub(crate) type Shape = &'static [(Stroke, &'static str)];

/// A claim.
pub(crate) const DISK: Shape = &[(
    Stroke::Line,
    "M2.5 4c0-1.2 2.5-2 5.5-2s5.5.8 5.5 2-2.5 2-5.5 2-5.5-.8-5.5-2zv8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2V4M2.5 8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2",
)];
/// Settled.
pub(crate) const CHECK: Shape = &[(Stroke::Line, "M3 8.5l3.3 3.3L13 4.6")];
/// Waiting.
pub(crate) const CLOCK: Shape = &[(Stroke::Line, "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.6V8l2.4 1.6")];
/// Stuck, or a warning.
pub(crate) const HAND: Shape =
    &[(Stroke::Line, "M5.1 1.8h5.8l3.3 3.3v5.8l-3.3 3.3H5.1l-3.3-3.3V5.1zM8 4.6v4.2M8 10.8v.6")];
/// Not known.
pub(crate) const QUESTION: Shape =
    &[(Stroke::Line, "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.2 6.4a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.9.6-.9 1.2M8 11.2v.5")];
/// A pod that was made anew.
pub(crate) const ANEW: Shape = &[(Stroke::Line, "M3.4 4.6a5.7 5.7 0 1 1-1.1 4.6M3 1.8v3.4h3.4")];

/// The shape of a pod's state.
pub(crate) fn of_look(look: PodAppearance) -> Shape {
    match look {
        PodAppearance::Ready => {
            &[(Stroke::Fill, "M15 8a7 7 0 1 1-14 0 7 7 0 1 1 14 0z"), (Stroke::Cut, "M4.6 8.3l2.3 2.3 4.5-4.9")]
        }
        PodAppearance::Starting => &[
            (Stroke::Line, "M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0z"),
            (Stroke::Fill, "M8 4.6A3.4 3.4 0 0 1 8 11.4z"),
        ],
        PodAppearance::Pending => &[(Stroke::Dashed, "M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0z")],
        PodAppearance::Terminating => &[
            (Stroke::Line, "M14 8a6 6 0 1 1-12 0 6 6 0 1 1 12 0z"),
            (Stroke::Thin, "M3.6 9.4l5.8-5.8M4.6 12.2l7.6-7.6M7.4 13.4l6-6"),
        ],
        PodAppearance::Failed => &[(Stroke::Fill, "M8 .8l7.4 13.7H.6z"), (Stroke::Cut, "M8 5.6v4M8 11.6v.9")],
        PodAppearance::Unreachable => &[(
            Stroke::Line,
            "M6.6 4.4l1.7-1.7a3.1 3.1 0 0 1 4.6 4.6l-1.7 1.7M9.4 11.6l-1.7 1.7a3.1 3.1 0 0 1-4.6-4.6l1.7-1.7M2 2l12 12",
        )],
    }
}

/// The shape of a moment.
pub(crate) fn of_severity(severity: Severity) -> Shape {
    match severity {
        Severity::Settled => CHECK,
        Severity::Waiting => CLOCK,
        Severity::Stuck => HAND,
        Severity::NotKnown => QUESTION,
    }
}
