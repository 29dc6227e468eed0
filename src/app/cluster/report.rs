//! A report of a problem: the opened text without its names, to be copied or saved.

use crate::app::copy::Copy;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::page::{ClusterMsg, Msg};
use crate::text::Text;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// What was made of the text.
#[derive(Clone, PartialEq)]
pub(super) struct Made {
    pub(super) text: Rc<str>,
    pub(super) problem: Text,
    /// How far it is, while it is made.
    pub(super) percent: Option<u32>,
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) made: Made,
}

#[component]
pub(super) fn Report(props: &Props) -> Html {
    let Made { text, problem, percent } = &props.made;
    let does = |msg| sends(&props.send, Msg::Cluster(msg));
    html! {
        <details class="cluster__report">
            <summary>{ say(text!("Report a problem")) }</summary>
            <p class="dialog__hint">
                { say(text!("Is this answer wrong? A report needs the text. Here it is without names, images, addresses and values; its diagnosis is the same. Nothing leaves this page.")) }
            </p>
            if let Some(percent) = percent {
                <p role="status">{ say(text!("Taking the names out: {}%", *percent)) }</p>
            } else if text.is_empty() {
                <button type="button" class="button button--small" onclick={does(ClusterMsg::Report)}>{ say(text!("Take the names out")) }</button>
            } else {
                <pre class="cluster__excerpt cluster__excerpt--high" tabindex="0">{ &**text }</pre>
                <div class="dialog__row">
                    <Copy text={Rc::clone(text)} name={text!("Text for the report")} />
                    <button type="button" class="button button--small" onclick={does(ClusterMsg::SaveReport)}>{ say(text!("Save as a file")) }</button>
                </div>
            }
            if !problem.is_empty() {
                <p class="refusal" role="alert">{ say(text!("There is no text without names: {}", problem)) }</p>
            }
        </details>
    }
}
