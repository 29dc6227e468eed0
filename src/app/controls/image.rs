//! Roll an image out, or back; and what containers of it do.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::app::select::Select;
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;
use crate::sim::Behavior;
use crate::text::Text;
use crate::view::Controls;
use std::rc::Rc;
use yew::{
    AttrValue, Callback, Html, InputEvent, MouseEvent, Properties, SubmitEvent, component, html, use_effect_with,
    use_state_eq,
};

/// What containers of an image do, each with the value of its option.
const BEHAVIORS: [(Behavior, &str); 5] = [
    (Behavior::Healthy, "healthy"),
    (Behavior::NeverReady, "never-ready"),
    (Behavior::Crashes, "crashes"),
    (Behavior::CannotBePulled, "cannot-be-pulled"),
    (Behavior::NeedsPeer, "needs-peer"),
];

fn behavior_text(behavior: Behavior) -> Text {
    match behavior {
        Behavior::Healthy => text!("works"),
        Behavior::NeverReady => text!("never ready"),
        Behavior::Crashes => text!("crashes"),
        Behavior::CannotBePulled => text!("cannot be pulled"),
        Behavior::NeedsPeer => text!("ready once two run"),
        Behavior::Rejected => text!("is rejected by the kubelet"),
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) controls: Rc<Controls>,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The first container's image.
#[component]
pub(super) fn ImageControl(props: &Props) -> Html {
    let Props { send, controls, refused } = props;
    let typed = use_state_eq(|| AttrValue::from(controls.next_image.clone()));
    // Another set has an image of its own, and after a rollout the next one is proposed.
    use_effect_with((controls.set.clone(), controls.next_image.clone()), {
        let typed = typed.clone();
        move |(_, next)| typed.set(next.clone().into())
    });
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| typed.set(browser::value(&event).into()))
    };
    let image: Rc<str> = typed.trim().into();
    let onsubmit = {
        let command = Command::SetImage {
            set: controls.set.clone(),
            container: controls.container.clone(),
            image: Rc::clone(&image),
        };
        send.reform(move |event: SubmitEvent| {
            event.prevent_default();
            Msg::Send(command.clone(), Origin::Image)
        })
    };
    let undo = {
        let set = controls.set.clone();
        send.reform(move |_: MouseEvent| Msg::Send(Command::RollBack { set: set.clone(), to: 0 }, Origin::Image))
    };
    html! {
        <form class="field field--image" {onsubmit}>
            <div class="field__head">
                <label class="field__label" for="image">{ say(text!("Image")) }</label>
                <span class="field__value" title={controls.image.clone()}>
                    { say(text!("now {}", controls.image)) }
                </span>
            </div>
            <input id="image" class="text" type="text" spellcheck="false" autocomplete="off" autocapitalize="off"
                value={(*typed).clone()} {oninput} />
            { behavior(send, controls, &image) }
            <div class="field__row">
                <button type="submit" class="button">{ say(text!("Roll out")) }</button>
                if controls.can_roll_back {
                    <button type="button" class="button" onclick={undo}>{ say(text!("Roll back")) }</button>
                }
            </div>
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Image} />
        </form>
    }
}

/// What containers of the image that is typed do.
fn behavior(send: &Dispatch, controls: &Controls, image: &Rc<str>) -> Html {
    let known = controls.behaviors.iter().find(|(known, _)| known == image);
    let now = known.map_or(Behavior::default(), |(_, behavior)| *behavior);
    let chosen = BEHAVIORS.iter().find(|(behavior, _)| *behavior == now).map_or("", |(_, value)| value);
    let options: Vec<_> = BEHAVIORS.iter().map(|(one, value)| ((*value).into(), say(behavior_text(*one)))).collect();
    let onchange = {
        let (send, image) = (send.clone(), Rc::clone(image));
        Callback::from(move |value: String| {
            let behavior = BEHAVIORS.iter().find(|(_, own)| **own == *value).map(|(behavior, _)| *behavior);
            behavior.into_iter().for_each(|behavior| {
                send.emit(Msg::Send(Command::SetBehavior { image: Rc::clone(&image), behavior }, Origin::Image));
            });
        })
    };
    html! {
        <div class="field__head field__head--below">
            <label class="field__label field__label--quiet" for="behavior">{ say(text!("What it does")) }</label>
            <Select id="behavior" class="select select--quiet" {options} {chosen} {onchange} />
        </div>
    }
}
