//! Icons. A state has a shape and a word of its own, so that color is never the only sign.

use crate::view::shapes::{ANEW, CHECK, CLOCK, DISK, HAND, Shape, Stroke, of_look, of_severity};
use crate::view::{PodAppearance, Severity};
use yew::{Html, html};

/// A shape in the color of its text. It always comes with a word.
fn shape(paths: Shape) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            { for paths.iter().map(|(stroke, path)| html! { <path class={class(*stroke)} d={*path} /> }) }
        </svg>
    }
}

fn class(stroke: Stroke) -> &'static str {
    match stroke {
        Stroke::Fill => "icon__fill",
        Stroke::Line => "icon__line",
        Stroke::Dashed => "icon__line icon__line--dashed",
        Stroke::Thin => "icon__thin",
        Stroke::Cut => "icon__cut",
    }
}

const FILL: Stroke = Stroke::Fill;
const LINE: Stroke = Stroke::Line;

/// The shape of a pod's state.
pub(crate) fn look(look: PodAppearance) -> Html {
    shape(of_look(look))
}

/// The shape of a moment.
pub(crate) fn severity(severity: Severity) -> Html {
    shape(of_severity(severity))
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
    Undo,
    Redo,
    StartOver,
    Branch,
}

/// A sign.
pub(crate) fn sign(sign: Sign) -> Html {
    shape(match sign {
        Sign::First => &[(FILL, "M13 3v10L5.5 8zM3 3h1.8v10H3z")],
        Sign::Back => &[(FILL, "M10.5 3v10L3 8zM11.4 3h1.6v10h-1.6z")],
        Sign::Play => &[(FILL, "M4 2.5v11L13 8z")],
        Sign::Pause => &[(FILL, "M3.5 3h3v10h-3zM9.5 3h3v10h-3z")],
        Sign::Forward => &[(FILL, "M5.5 3v10L13 8zM3 3h1.6v10H3z")],
        Sign::NextSync => &[(FILL, "M2 3v10l6-5zM8 3v10l6-5z")],
        Sign::Last => &[(FILL, "M2 3v10l5-5zM7 3v10l5-5zM12.4 3H14v10h-1.6z")],
        Sign::Disk => DISK,
        Sign::Check => CHECK,
        Sign::Clock => CLOCK,
        Sign::Hand => HAND,
        Sign::Sliders => &[(LINE, "M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4")],
        Sign::Undo => &[(LINE, "M6 3L2.5 6.5 6 10M3 6.5h6.5a3.7 3.7 0 0 1 0 7.4H6")],
        Sign::Redo => &[(LINE, "M10 3l3.5 3.5L10 10M13 6.5H6.5a3.7 3.7 0 0 0 0 7.4H10")],
        Sign::StartOver => ANEW,
        Sign::Branch => &[(LINE, "M4 2v12M4 10c0-3 8-1.5 8-5M12 5V2M2.5 3.5L4 2l1.5 1.5M10.5 3.5L12 2l1.5 1.5")],
    })
}
