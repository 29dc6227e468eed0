//! Roll an image out, or back; and what containers of it do.

use super::kubectl::kubectl;
use crate::app::browser::{self, by_id};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, text};
use crate::app::refusal_note::refusal_note;
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;
use crate::sim::Behaviour;
use crate::text::Text;
use crate::view::Controls;
use std::rc::Rc;
use web_sys::HtmlInputElement;

const BEHAVIOURS: [(Behaviour, &str); 5] = [
    (Behaviour::Healthy, "healthy"),
    (Behaviour::NeedsPeer, "needs-peer"),
    (Behaviour::NeverReady, "never-ready"),
    (Behaviour::Crashes, "crashes"),
    (Behaviour::CannotBePulled, "cannot-be-pulled"),
];

/// What containers of an image do, after "which".
fn behaviour_text(behaviour: Behaviour) -> Text {
    match behaviour {
        Behaviour::Healthy => text!("becomes ready"),
        Behaviour::NeedsPeer => text!("is ready once two run"),
        Behaviour::NeverReady => text!("is never ready"),
        Behaviour::Crashes => text!("crashes"),
        Behaviour::CannotBePulled => text!("cannot be pulled"),
        Behaviour::Rejected => text!("is rejected by the kubelet"),
    }
}

/// The option's value.
pub(crate) fn behaviour_name(behaviour: Behaviour) -> &'static str {
    BEHAVIOURS.iter().find(|one| one.0 == behaviour).map_or("healthy", |one| one.1)
}

/// The image as typed.
fn typed() -> Rc<str> {
    by_id::<HtmlInputElement>("image").map(|field| field.value().trim().into()).unwrap_or_default()
}

/// The first container's image. The user edits these fields; `AfterRender` proposes their values.
pub(crate) fn image(send: &Dispatch, controls: &Controls, refused: Option<&Refused>) -> El {
    let (set, container) = (controls.set.clone(), controls.container.clone());
    let undo = Msg::Send(Command::RollBack { set: set.clone(), to: 0 }, Origin::Image);
    let option = |one: &(Behaviour, &'static str)| text("option", "", behaviour_text(one.0)).set("value", one.1);
    let select = el("select", "select")
        .set("id", "behaviour")
        .on(On::Change, send, |event| {
            let chosen = browser::value(event);
            let behaviour = BEHAVIOURS.iter().find(|one| one.1 == chosen)?.0;
            Some(Msg::Send(Command::SetBehaviour { image: typed(), behaviour }, Origin::Image))
        })
        .each(&BEHAVIOURS, option);
    let now = text("span", "field__value", text!("now ")).verbatim(&controls.image);
    el("form", "field")
        .on(On::Submit, send, move |event| {
            event.prevent_default();
            let command = Command::SetImage { set: set.clone(), container: container.clone(), image: typed() };
            Some(Msg::Send(command, Origin::Image))
        })
        .with(
            el("div", "field__head")
                .with(text("label", "field__label", text!("Next image")).set("for", "image"))
                .with(now),
        )
        .with(
            el("input", "text")
                .set("id", "image")
                .set("type", "text")
                .set("spellcheck", "false")
                .set("autocomplete", "off")
                .set("autocapitalize", "off"),
        )
        .with(el("div", "field__row").with(text("label", "", text!("which")).set("for", "behaviour")).with(select))
        .with(
            el("div", "field__row")
                .with(text("button", "button button--strong", text!("Roll out")).set("type", "submit"))
                .with(button("button", send, undo).flag("disabled", !controls.can_roll_back).text(text!("Roll back"))),
        )
        .maybe(refusal_note(send, refused, Origin::Image))
        .maybe(kubectl(&controls.kubectl.image))
        .maybe(kubectl(if controls.can_roll_back { &controls.kubectl.undo } else { "" }))
}
