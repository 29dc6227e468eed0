//! The pictures: this moment, and the whole run.

use super::{address_of, save};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::page::{Msg, Preview, ShareMsg};
use crate::text::Text;
use crate::view::Export;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) preview: Option<Rc<Preview>>,
}

#[component]
pub(super) fn Pictures(props: &Props) -> Html {
    let send = &props.send;
    let picture = |svg: Option<&String>, name: Text, export: Export, png: Text| {
        html! {
            <figure class="share__picture">
                <figcaption>
                    <b>{ say(&name) }</b>
                    { save(send, export) }
                    <button type="button" class="button" onclick={sends(send, Msg::Share(ShareMsg::SavePng(export)))}>
                        { say(png) }
                    </button>
                </figcaption>
                if let Some(svg) = svg { <img src={address_of(svg)} alt={say(name)} /> }
            </figure>
        }
    };
    let preview = props.preview.as_ref();
    html! {
        <>
            <p class="dialog__hint">
                { say(text!("An SVG is dark where its reader prefers that, and its words can be searched; a PNG is as it looks here.")) }
            </p>
            { picture(preview.map(|own| &own.moment), text!("This moment"), Export::Stage, text!("This moment (PNG)")) }
            { picture(preview.map(|own| &own.run), text!("The whole run"), Export::Timeline, text!("The whole run (PNG)")) }
        </>
    }
}
