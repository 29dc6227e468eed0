//! The page's head: what this is, and how it looks.

use super::dispatch::use_dispatch;
use super::hooks::{Theme, use_theme};
use super::state::Msg;
use yew::prelude::*;

const THEMES: [(Theme, &str); 3] = [(Theme::Auto, "Auto"), (Theme::Light, "Light"), (Theme::Dark, "Dark")];

/// The head.
#[component]
pub(crate) fn TopBar() -> Html {
    let dispatch = use_dispatch();
    let (theme, choose) = use_theme();
    html! {
        <header class="top">
            <span class="top__logo" aria-hidden="true"><i></i><i></i><i></i></span>
            <h1 class="top__name">{ "SetScope" }</h1>
            <p class="top__what">{ "The StatefulSet controller at work, one decision at a time" }</p>
            <div class="segments segments--small" role="group" aria-label="Theme">
                for (option, name) in THEMES {
                    <button type="button" class="segments__one" aria-pressed={(option == theme).to_string()}
                        onclick={choose.reform(move |_| option)}>{ name }</button>
                }
            </div>
            <button type="button" class="button button--square" aria-label="Keys" title="Keys" onclick={dispatch.on(Msg::Keys(true))}>
                { "?" }
            </button>
        </header>
    }
}
