//! The shapes: a state is told by its shape and its word before its colour.

use super::el::{El, el};
use crate::view::Look;

/// A shape of 16 units that takes the colour of its text: paths with their classes. It never stands without a word.
fn shape(paths: &[(&str, &str)]) -> El {
    let icon = el("svg", "icon").set("viewBox", "0 0 16 16").set("aria-hidden", "true");
    paths.iter().fold(icon, |icon, (class, path)| icon.with(el("path", class).set("d", path)))
}

const FILL: &str = "icon__fill";
const LINE: &str = "icon__line";
const CUT: &str = "icon__cut";

/// The shape of a pod's state.
pub(crate) fn look(look: Look) -> El {
    shape(match look {
        Look::Ready => &[(FILL, "M15 8a7 7 0 1 1-14 0 7 7 0 1 1 14 0z"), (CUT, "M4.6 8.3l2.3 2.3 4.5-4.9")],
        Look::Starting => {
            &[(LINE, "M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0z"), (FILL, "M8 4.6A3.4 3.4 0 0 1 8 11.4z")]
        }
        Look::Pending => &[("icon__line icon__line--dashed", "M13.8 8a5.8 5.8 0 1 1-11.6 0 5.8 5.8 0 1 1 11.6 0z")],
        Look::Terminating => &[
            (LINE, "M14 8a6 6 0 1 1-12 0 6 6 0 1 1 12 0z"),
            ("icon__thin", "M3.6 9.4l5.8-5.8M4.6 12.2l7.6-7.6M7.4 13.4l6-6"),
        ],
        Look::Failed => &[(FILL, "M8 .8l7.4 13.7H.6z"), (CUT, "M8 5.6v4M8 11.6v.9")],
        Look::Unreachable => &[(
            LINE,
            "M6.6 4.4l1.7-1.7a3.1 3.1 0 0 1 4.6 4.6l-1.7 1.7M9.4 11.6l-1.7 1.7a3.1 3.1 0 0 1-4.6-4.6l1.7-1.7M2 2l12 12",
        )],
    })
}

/// The shapes of buttons and notes.
#[derive(Clone, Copy)]
pub(crate) enum Sign {
    First,
    Back,
    Play,
    Pause,
    Forward,
    NextSync,
    Last,
    Disk,
    Check,
    Clock,
    Hand,
    Sliders,
    Lines,
    Undo,
    Redo,
    StartOver,
    Branch,
}

/// A sign.
pub(crate) fn sign(sign: Sign) -> El {
    shape(&[match sign {
        Sign::First => (FILL, "M13 3v10L5.5 8zM3 3h1.8v10H3z"),
        Sign::Back => (FILL, "M10.5 3v10L3 8zM11.4 3h1.6v10h-1.6z"),
        Sign::Play => (FILL, "M4 2.5v11L13 8z"),
        Sign::Pause => (FILL, "M3.5 3h3v10h-3zM9.5 3h3v10h-3z"),
        Sign::Forward => (FILL, "M5.5 3v10L13 8zM3 3h1.6v10H3z"),
        Sign::NextSync => (FILL, "M2 3v10l6-5zM8 3v10l6-5z"),
        Sign::Last => (FILL, "M2 3v10l5-5zM7 3v10l5-5zM12.4 3H14v10h-1.6z"),
        Sign::Disk => (
            LINE,
            "M2.5 4c0-1.2 2.5-2 5.5-2s5.5.8 5.5 2-2.5 2-5.5 2-5.5-.8-5.5-2zv8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2V4M2.5 8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2",
        ),
        Sign::Check => (LINE, "M3 8.5l3.3 3.3L13 4.6"),
        Sign::Clock => (LINE, "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.6V8l2.4 1.6"),
        Sign::Hand => (LINE, "M5.1 1.8h5.8l3.3 3.3v5.8l-3.3 3.3H5.1l-3.3-3.3V5.1zM8 4.6v4.2M8 10.8v.6"),
        Sign::Sliders => (LINE, "M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4"),
        Sign::Lines => (LINE, "M2 4h12M2 8h12M2 12h7"),
        Sign::Undo => (LINE, "M6 3L2.5 6.5 6 10M3 6.5h6.5a3.7 3.7 0 0 1 0 7.4H6"),
        Sign::Redo => (LINE, "M10 3l3.5 3.5L10 10M13 6.5H6.5a3.7 3.7 0 0 0 0 7.4H10"),
        Sign::StartOver => (LINE, "M3.4 4.6a5.7 5.7 0 1 1-1.1 4.6M3 1.8v3.4h3.4"),
        Sign::Branch => (LINE, "M4 2v12M4 10c0-3 8-1.5 8-5M12 5V2M2.5 3.5L4 2l1.5 1.5M10.5 3.5L12 2l1.5 1.5"),
    }])
}
