//! The shapes: a state is told by its shape and its word before its colour.

use crate::view::Look;
use yew::prelude::*;

/// A shape of 16 units that takes the colour of its text. It never stands without a word.
fn shape(inner: Html) -> Html {
    html! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{ inner }</svg> }
}

/// The shape of a pod's state.
pub(crate) fn look(look: Look) -> Html {
    shape(match look {
        Look::Ready => {
            html! { <><circle class="icon__fill" cx="8" cy="8" r="7" /><path class="icon__cut" d="M4.6 8.3l2.3 2.3 4.5-4.9" /></> }
        }
        Look::Starting => {
            html! { <><circle class="icon__line" cx="8" cy="8" r="5.8" /><path class="icon__fill" d="M8 4.6A3.4 3.4 0 0 1 8 11.4z" /></> }
        }
        Look::Pending => html! { <circle class="icon__line icon__line--dashed" cx="8" cy="8" r="5.8" /> },
        Look::Terminating => {
            html! { <><circle class="icon__line" cx="8" cy="8" r="6" /><path class="icon__thin" d="M3.6 9.4l5.8-5.8M4.6 12.2l7.6-7.6M7.4 13.4l6-6" /></> }
        }
        Look::Failed => {
            html! { <><path class="icon__fill" d="M8 .8l7.4 13.7H.6z" /><path class="icon__cut" d="M8 5.6v4M8 11.6v.9" /></> }
        }
        Look::Unreachable => {
            html! { <path class="icon__line" d="M6.6 4.4l1.7-1.7a3.1 3.1 0 0 1 4.6 4.6l-1.7 1.7M9.4 11.6l-1.7 1.7a3.1 3.1 0 0 1-4.6-4.6l1.7-1.7M2 2l12 12" /> }
        }
    })
}

/// The shapes of buttons and notes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    First,
    Back,
    Play,
    Pause,
    Forward,
    NextSync,
    Disk,
    Check,
    Clock,
    Hand,
    Sliders,
    Lines,
}

/// A sign.
pub(crate) fn sign(sign: Sign) -> Html {
    let (fill, line) = match sign {
        Sign::First => ("M13 3v10L5.5 8zM3 3h1.8v10H3z", ""),
        Sign::Back => ("M10.5 3v10L3 8zM11.4 3h1.6v10h-1.6z", ""),
        Sign::Play => ("M4 2.5v11L13 8z", ""),
        Sign::Pause => ("M3.5 3h3v10h-3zM9.5 3h3v10h-3z", ""),
        Sign::Forward => ("M5.5 3v10L13 8zM3 3h1.6v10H3z", ""),
        Sign::NextSync => ("M2 3v10l6-5zM8 3v10l6-5z", ""),
        Sign::Disk => (
            "",
            "M2.5 4c0-1.2 2.5-2 5.5-2s5.5.8 5.5 2-2.5 2-5.5 2-5.5-.8-5.5-2zv8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2V4M2.5 8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2",
        ),
        Sign::Check => ("", "M3 8.5l3.3 3.3L13 4.6"),
        Sign::Clock => ("", "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.6V8l2.4 1.6"),
        Sign::Hand => ("", "M5.1 1.8h5.8l3.3 3.3v5.8l-3.3 3.3H5.1l-3.3-3.3V5.1zM8 4.6v4.2M8 10.8v.6"),
        Sign::Sliders => ("", "M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4"),
        Sign::Lines => ("", "M2 4h12M2 8h12M2 12h7"),
    };
    shape(html! { <><path class="icon__fill" d={fill} /><path class="icon__line" d={line} /></> })
}
