//! A scenario of one's own: as a text, or as a file.

use crate::app::dispatch::Dispatch;
use crate::app::host;
use crate::app::language::say;
use crate::page::{Msg, ShareMsg};
use web_sys::{Event, HtmlTextAreaElement};
use yew::{Callback, Html, InputEvent, MouseEvent, Properties, TargetCast, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) text: String,
}

#[component]
pub(super) fn OwnScenario(props: &Props) -> Html {
    let typed = props.send.reform(|event: InputEvent| {
        let field = event.target_dyn_into::<HtmlTextAreaElement>();
        Msg::Share(ShareMsg::Typed(field.map(|field| field.value()).unwrap_or_default()))
    });
    let text = props.text.clone();
    let open = props.send.reform(move |_: MouseEvent| Msg::Share(ShareMsg::Open(text.as_str().into())));
    let chosen = Callback::from(|_: Event| host::call("read", "", "scenario-file"));
    html! {
        <section class="dialog__own">
            <h3 class="heading">{ say(text!("One of your own")) }</h3>
            <label for="scenario-text">{ say(text!("A scenario as YAML, as Share saves it")) }</label>
            <textarea id="scenario-text" class="text" rows="4" spellcheck="false" value={props.text.clone()} oninput={typed} />
            <div class="dialog__row">
                <button type="button" class="button button--strong" onclick={open}>{ say(text!("Open this text")) }</button>
                <label for="scenario-file">{ say(text!("or a file")) }</label>
                <input id="scenario-file" type="file" accept=".yaml,.yml,text/plain" onchange={chosen} />
            </div>
        </section>
    }
}
