//! "What if…": a line of the person's own, tried beside waiting.

use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::objects::ObjectRef;
use crate::page::{ClusterMsg, Msg};
use crate::text::Text;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, Properties, SubmitEvent, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) workload: ObjectRef,
    /// Why the last line was not tried; empty if it was.
    pub(super) problem: Text,
}

#[component]
pub(super) fn OwnLine(props: &Props) -> Html {
    let field = use_node_ref();
    let id = format!("own-line-{}-{}", props.workload.namespace, props.workload.name);
    let onsubmit = {
        let (send, workload, field) = (props.send.clone(), props.workload.clone(), field.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let line = field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
            if !line.trim().is_empty() {
                send.emit(Msg::Cluster(ClusterMsg::TryOwn(workload.clone(), line.into())));
            }
        })
    };
    html! {
        <form class="dialog__row cluster__own" {onsubmit}>
            <label for={id.clone()}>{ say(text!("What if… (a kubectl line)")) }</label>
            <input {id} class="text" type="text" spellcheck="false" autocomplete="off" ref={field} />
            <button type="submit" class="button button--small">{ say(text!("Try it beside waiting")) }</button>
            if !props.problem.is_empty() {
                <p class="refusal" role="alert">{ say(&props.problem) }</p>
            }
        </form>
    }
}
