//! How much room the page has. The stylesheets ask by media queries of the same numbers.

use gloo_events::EventListener;
use web_sys::window;
use yew::{hook, use_effect_with, use_state_eq};

/// By area, not by width alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    /// The stage alone, with a sheet under it.
    Phone,
    /// The stage and one pane beside it.
    Panes,
    /// The stage, the controls and the inspector.
    Wide,
}

/// Narrower is a phone.
const PANES: f64 = 600.0;
/// Narrower or lower has room for one pane.
const WIDE: (f64, f64) = (1_100.0, 640.0);

impl Size {
    fn of(width: f64, height: f64) -> Self {
        if width < PANES {
            Self::Phone
        } else if width < WIDE.0 || height < WIDE.1 {
            Self::Panes
        } else {
            Self::Wide
        }
    }

    fn now() -> Self {
        let length = |length: Option<wasm_bindgen::JsValue>| length.and_then(|length| length.as_f64());
        let width = length(window().and_then(|window| window.inner_width().ok()));
        let height = length(window().and_then(|window| window.inner_height().ok()));
        width.zip(height).map_or(Self::Wide, |(width, height)| Self::of(width, height))
    }
}

/// The size of the page as it is now. The component is drawn again when it changes.
#[hook]
pub(crate) fn use_size() -> Size {
    let size = use_state_eq(Size::now);
    {
        let size = size.clone();
        use_effect_with((), move |()| {
            let resized = window().map(|window| EventListener::new(&window, "resize", move |_| size.set(Size::now())));
            move || drop(resized)
        });
    }
    *size
}
