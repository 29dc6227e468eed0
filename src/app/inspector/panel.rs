//! The tabs. All panels stay on the page, so that typed text is never lost.

use super::editor::Editor;
use super::events::Events;
use super::why::Why;
use crate::app::dispatch::use_dispatch;
use crate::app::state::{Msg, Refused, Shown, Tab};
use crate::view::View;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

const TABS: [(Tab, &str, &str); 3] =
    [(Tab::Why, "why", "Why"), (Tab::Events, "events", "Events"), (Tab::Manifest, "manifest", "Manifest")];

#[derive(Properties, PartialEq)]
pub(crate) struct InspectorProps {
    pub(crate) view: Rc<View>,
    pub(crate) tab: Tab,
    pub(crate) shown: Rc<Shown>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The inspector.
#[component]
pub(crate) fn Inspector(props: &InspectorProps) -> Html {
    let view = &props.view;
    html! {
        <aside id="inspector" class="inspector" aria-label="Inspector">
            <Tabs tab={props.tab} />
            { panel(0, props.tab, html! { <Why stages={view.why.clone()} /> }) }
            { panel(1, props.tab, html! { <Events events={view.events.clone()} /> }) }
            { panel(2, props.tab, html! { <Editor shown={props.shown.clone()} refused={props.refused.clone()} /> }) }
        </aside>
    }
}

fn panel(index: usize, chosen: Tab, inside: Html) -> Html {
    let (tab, id, _) = TABS[index];
    html! {
        <div id={format!("panel-{id}")} class={classes!("panel", format!("panel--{id}"))} role="tabpanel" tabindex="0"
            aria-labelledby={format!("tab-{id}")} hidden={tab != chosen}>{ inside }</div>
    }
}

#[derive(Properties, PartialEq)]
struct TabsProps {
    tab: Tab,
}

#[component]
fn Tabs(props: &TabsProps) -> Html {
    let dispatch = use_dispatch();
    let now = TABS.iter().position(|one| one.0 == props.tab).unwrap_or(0);
    let on_key = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" => (now + 1) % TABS.len(),
                "ArrowLeft" => (now + TABS.len() - 1) % TABS.len(),
                "Home" => 0,
                "End" => TABS.len() - 1,
                _ => return,
            };
            event.prevent_default();
            let list = event.target_dyn_into::<Element>().and_then(|tab| tab.parent_element());
            let tab = list.and_then(|list| list.children().item(u32::try_from(next).ok()?));
            tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()).into_iter().for_each(|tab| drop(tab.focus()));
            dispatch.send(Msg::Select(TABS[next].0));
        })
    };
    html! {
        <div class="tabs" role="tablist" aria-label="Inspector" onkeydown={on_key}>
            for (index, (tab, id, name)) in TABS.into_iter().enumerate() {
                <button type="button" id={format!("tab-{id}")} class="tabs__one" role="tab" aria-selected={(index == now).to_string()}
                    aria-controls={format!("panel-{id}")} tabindex={if index == now { "0" } else { "-1" }}
                    onclick={dispatch.on(Msg::Select(tab))}>{ name }</button>
            }
        </div>
    }
}
