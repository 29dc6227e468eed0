//! What a pod is, and what can be done to it.

use crate::app::dispatch::use_dispatch;
use crate::app::looks;
use crate::app::state::{Msg, Origin};
use crate::view::{Claim, Pod};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

/// Its width in the stylesheet, and the ground it needs below.
const SIZE: (f64, f64) = (320.0, 420.0);

#[derive(Properties, PartialEq)]
pub(crate) struct PodMenuProps {
    pub(crate) pod: Rc<Pod>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) on_close: Callback<()>,
}

/// The panel over the rail; Escape or a click beside it closes it.
#[component]
pub(crate) fn PodMenu(props: &PodMenuProps) -> Html {
    let dispatch = use_dispatch();
    let place = use_node_ref();
    let stand = use_state_eq(String::new);
    {
        let (place, setter) = (place.clone(), stand.setter());
        use_effect_with((), move |()| {
            let Some(panel) = place.cast::<HtmlElement>() else { return };
            setter.set(beside(&panel));
            let _ = panel.focus();
        });
    }
    let pod = &props.pod;
    let on_key = {
        let close = props.on_close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                close.emit(());
            }
        })
    };
    html! {
        <>
            <div class="menu__behind" onclick={props.on_close.reform(|_: MouseEvent| ())}></div>
            <div ref={place} class="menu" role="dialog" aria-label={format!("Pod {}", pod.name)} tabindex="-1" style={(*stand).clone()} onkeydown={on_key}>
                <div class="menu__head">
                    <strong>{ &pod.name }</strong>
                    <button type="button" class="button button--square button--quiet" aria-label="Close" onclick={props.on_close.reform(|_: MouseEvent| ())}>{ "×" }</button>
                </div>
                <dl class="menu__facts">
                    <dt>{ "Revision" }</dt>
                    <dd class={looks::hue(pod.revision.hue)}><b class="revision__letter">{ &pod.revision.letter }</b><code>{ &pod.revision.name }</code></dd>
                    <dt>{ "DNS name" }</dt><dd><code>{ &pod.dns }</code></dd>
                    for claim in props.claims.iter() {
                        <dt>{ "Claim" }</dt><dd><code>{ &claim.name }</code>{ " " }{ &claim.phase }</dd>
                    }
                </dl>
                <ul class="menu__acts">
                    for act in pod.acts.iter() {
                        <li key={act.label.clone()}>
                            <button type="button" class="button" onclick={dispatch.on(Msg::Send(act.command.clone(), Origin::Rail))}>{ &act.label }</button>
                            if !act.risk.is_empty() { <p class="menu__risk">{ &act.risk }</p> }
                            if !act.kubectl.is_empty() { <code class="kubectl">{ &act.kubectl }</code> }
                        </li>
                    }
                </ul>
            </div>
        </>
    }
}

/// Below the tile, and within the window.
fn beside(panel: &HtmlElement) -> String {
    let window = web_sys::window();
    let side = |value: Option<f64>| value.unwrap_or(f64::MAX);
    let width = side(window.as_ref().and_then(|window| window.inner_width().ok()?.as_f64()));
    let height = side(window.as_ref().and_then(|window| window.inner_height().ok()?.as_f64()));
    let Some(tile) = panel.parent_element().map(|tile| tile.get_bounding_client_rect()) else { return String::new() };
    let left = tile.left().min(width - SIZE.0 - 8.0).max(8.0);
    let top = (tile.top() + 92.0).min(height - SIZE.1 - 60.0).max(8.0);
    format!("left:{}px;top:{}px", left as i32, top as i32)
}
