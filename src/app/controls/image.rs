//! Roll an image out, or back; and what containers of it do.

use super::fields::FieldProps;
use super::kubectl::Kubectl;
use crate::app::dispatch::use_dispatch;
use crate::app::refusal_note::RefusalNote;
use crate::app::state::{Msg, Origin};
use crate::session::Command;
use crate::sim::Behaviour;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

const BEHAVIOURS: [(Behaviour, &str, &str); 4] = [
    (Behaviour::Healthy, "healthy", "becomes ready"),
    (Behaviour::NeverReady, "never-ready", "is never ready"),
    (Behaviour::Crashes, "crashes", "crashes"),
    (Behaviour::CannotBePulled, "cannot-be-pulled", "cannot be pulled"),
];

/// The first container's image. The text is the person's own: a new proposal replaces it only when the image changed.
#[component]
pub(crate) fn Image(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let controls = &props.controls;
    let (text, select) = (use_node_ref(), use_node_ref());
    {
        let text = text.clone();
        use_effect_with(controls.next_image.clone(), move |next| {
            text.cast::<HtmlInputElement>().into_iter().for_each(|text| text.set_value(next));
        });
    }
    {
        let select = select.clone();
        use_effect_with((controls.next_image.clone(), controls.behaviour), move |(_, behaviour)| {
            let value = BEHAVIOURS.iter().find(|one| one.0 == *behaviour).map_or("healthy", |one| one.1);
            select.cast::<HtmlSelectElement>().into_iter().for_each(|select| select.set_value(value));
        });
    }
    let typed = {
        let text = text.clone();
        move || text.cast::<HtmlInputElement>().map(|text| text.value().trim().into()).unwrap_or_default()
    };
    let roll_out = {
        let (dispatch, set, container, typed) =
            (dispatch.clone(), controls.set.clone(), controls.container.clone(), typed.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            dispatch.command(
                Command::SetImage { set: set.clone(), container: container.clone(), image: typed() },
                Origin::Image,
            );
        })
    };
    let behave = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value());
            let one = BEHAVIOURS.iter().find(|one| chosen.as_deref() == Some(one.1));
            one.into_iter().for_each(|one| {
                dispatch.command(Command::SetBehaviour { image: typed(), behaviour: one.0 }, Origin::Image)
            });
        })
    };
    let undo = dispatch.on(Msg::Send(Command::RollBack { set: controls.set.clone() }, Origin::Image));
    html! {
        <form class="field" onsubmit={roll_out}>
            <div class="field__head">
                <label class="field__label" for="image">{ "Next image" }</label>
                <span class="field__value">{ "now " }{ &*controls.image }</span>
            </div>
            <input id="image" ref={text} class="text" type="text" spellcheck="false" autocomplete="off" autocapitalize="off" />
            <div class="field__row">
                <label for="behaviour">{ "which" }</label>
                <select id="behaviour" ref={select} class="select" onchange={behave}>
                    for (_, value, words) in BEHAVIOURS {
                        <option {value}>{ words }</option>
                    }
                </select>
            </div>
            <div class="field__row">
                <button type="submit" class="button button--strong">{ "Roll out" }</button>
                <button type="button" class="button" disabled={!controls.can_roll_back} onclick={undo}>{ "Roll back" }</button>
            </div>
            <RefusalNote refused={props.refused.clone()} at={Origin::Image} />
            <Kubectl line={controls.kubectl.image.clone()} />
            if controls.can_roll_back {
                <Kubectl line={controls.kubectl.undo.clone()} />
            }
        </form>
    }
}
