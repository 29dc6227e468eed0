//! A title and a text of one's own for what is shared.

use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::page::{Caption, Msg, ShareMsg};
use web_sys::HtmlInputElement;
use yew::{Event, Html, Properties, TargetCast, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) caption: Caption,
}

#[component]
pub(super) fn CaptionFields(props: &Props) -> Html {
    let own = &props.caption;
    let field = |id: &'static str, value: &str, change: fn(&mut Caption, String)| {
        let caption = own.clone();
        let onchange = props.send.reform(move |event: Event| {
            let mut caption = caption.clone();
            let field = event.target_dyn_into::<HtmlInputElement>();
            change(&mut caption, field.map(|field| field.value()).unwrap_or_default());
            Msg::Share(ShareMsg::Caption(caption))
        });
        html! { <input {id} class="text" type="text" autocomplete="off" value={value.to_owned()} {onchange} /> }
    };
    html! {
        <div class="share__caption">
            <label for="share-title-own">{ say(text!("Title")) }</label>
            { field("share-title-own", &own.title, |caption, title| caption.title = title) }
            <label for="share-text-own">{ say(text!("Text")) }</label>
            { field("share-text-own", &own.text, |caption, text| caption.text = text) }
        </div>
    }
}
