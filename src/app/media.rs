//! What the stylesheets ask of the browser, asked by a component.

use gloo_events::EventListener;
use web_sys::window;
use yew::{hook, use_effect_with, use_state_eq};

/// Whether a media query holds. The component is drawn again when that changes.
#[hook]
pub(crate) fn use_media(query: &'static str) -> bool {
    let list = move || window().and_then(|window| window.match_media(query).ok()?);
    let holds = use_state_eq(|| list().is_some_and(|list| list.matches()));
    {
        let holds = holds.setter();
        use_effect_with((), move |()| {
            let changed = list().map(|list| {
                let now = list.clone();
                EventListener::new(&list, "change", move |_| holds.set(now.matches()))
            });
            move || drop(changed)
        });
    }
    *holds
}
