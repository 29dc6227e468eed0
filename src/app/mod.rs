//! The page's components.
use yew::prelude::*;

/// The whole page.
#[component]
pub fn App() -> Html {
    html! {
        <main>
            <h1>{ "SetScope" }</h1>
        </main>
    }
}
