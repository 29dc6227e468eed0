//! One of a few: radio buttons drawn as segments. They show what is, not what was asked: a refusal leaves them as they are.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct SegmentsProps {
    pub(crate) label: &'static str,
    pub(crate) options: [&'static str; 2],
    pub(crate) chosen: usize,
    pub(crate) on_choose: Callback<usize>,
}

/// The segments; arrows choose, as radio buttons do.
#[component]
pub(crate) fn Segments(props: &SegmentsProps) -> Html {
    let (count, chosen) = (props.options.len(), props.chosen);
    let on_key = {
        let choose = props.on_choose.clone();
        Callback::from(move |event: KeyboardEvent| {
            let next = match event.key().as_str() {
                "ArrowRight" | "ArrowDown" => (chosen + 1) % count,
                "ArrowLeft" | "ArrowUp" => (chosen + count - 1) % count,
                _ => return,
            };
            event.prevent_default();
            focus(&event, next);
            choose.emit(next);
        })
    };
    html! {
        <div class="segments" role="radiogroup" aria-label={props.label} onkeydown={on_key}>
            for (index, option) in props.options.iter().enumerate() {
                <button type="button" role="radio" class="segments__one" aria-checked={(index == chosen).to_string()}
                    tabindex={if index == chosen { "0" } else { "-1" }}
                    onclick={props.on_choose.reform(move |_: MouseEvent| index)}>{ option }</button>
            }
        </div>
    }
}

/// Moves the focus to the button at this index.
fn focus(event: &KeyboardEvent, index: usize) {
    let group = event.target_dyn_into::<Element>().and_then(|button| button.parent_element());
    let button = group.and_then(|group| group.children().item(u32::try_from(index).ok()?));
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        // A button that cannot take the focus leaves it where it was.
        let _ = button.focus();
    }
}
