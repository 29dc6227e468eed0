//! Where the text goes in: pasted, dropped or chosen as a file.

use crate::app::copy::Copy;
use crate::app::dispatch::Dispatch;
use crate::app::host;
use crate::app::language::say;
use crate::app::prose::command;
use crate::page::{ClusterMsg, Msg};
use crate::session::dump;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, HtmlTextAreaElement};
use yew::{Callback, Event, Html, MouseEvent, Properties, component, html, use_node_ref};

/// Characters that a paste may type into the field; a longer one is opened.
const TYPED: usize = 4_096;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    /// Whether nothing is open yet: then the field is large.
    pub(super) is_open: bool,
}

#[component]
pub(super) fn OpenText(props: &Props) -> Html {
    // Megabytes may be pasted: the field keeps them, and they are read once.
    let field = use_node_ref();
    let open = {
        let (send, field) = (props.send.clone(), field.clone());
        Callback::from(move |_: MouseEvent| {
            let text = field.cast::<HtmlTextAreaElement>().map(|field| field.value()).unwrap_or_default();
            send.emit(Msg::Cluster(ClusterMsg::Read(text.into())));
        })
    };
    // A browser takes seconds to type a long text into a field, so a paste is read at once and never typed.
    let pasted = {
        let (send, field) = (props.send.clone(), field.clone());
        Callback::from(move |event: Event| {
            let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
            let text = data.and_then(|data| data.get_data("text/plain").ok()).unwrap_or_default();
            let is_empty = field.cast::<HtmlTextAreaElement>().is_some_and(|field| field.value().is_empty());
            if is_empty && text.len() > TYPED {
                event.prevent_default();
                send.emit(Msg::Cluster(ClusterMsg::Read(text.into())));
            }
        })
    };
    let chosen = Callback::from(|_| host::call("readCluster", "", "cluster-file"));
    html! {
        <details class="cluster__open" open={props.is_open}>
            <summary>{ say(text!("Open what kubectl prints of your cluster")) }</summary>
            <p class="dialog__hint">
                { say(text!("Run this where your workload is, and paste, drop or choose the output. Nothing leaves this page.")) }
            </p>
            <div class="cluster__command">
                <code>{ command(&dump::command()) }</code>
                <Copy text={dump::command()} />
            </div>
            <label for="cluster-text">{ say(text!("Its output; descriptions and tables are read too")) }</label>
            <textarea id="cluster-text" class="text" rows={if props.is_open { "8" } else { "4" }} spellcheck="false"
                ref={field} onpaste={pasted} />
            <div class="dialog__row">
                <button type="button" class="button button--primary" onclick={open}>
                    { say(text!("Open and diagnose")) }
                </button>
                <label for="cluster-file">{ say(text!("or a file")) }</label>
                <input id="cluster-file" type="file" accept=".yaml,.yml,.json,.txt,text/plain" onchange={chosen} />
            </div>
        </details>
    }
}
