//! What can be made to go wrong: a node, or what the API server refuses.

use super::more::acts;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::late::use_painted_once;
use crate::app::select::Select;
use crate::page::{FAILURES, Msg, Origin, failure_text};
use crate::session::Command;
use crate::view::Controls;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_state_eq};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) controls: Rc<Controls>,
}

/// The fold "Break something".
#[component]
pub(super) fn Breakage(props: &Props) -> Html {
    let Props { send, controls } = props;
    let chosen = use_state_eq(AttrValue::default);
    let is_made = use_painted_once();
    let onchange = {
        let chosen = chosen.clone();
        Callback::from(move |node: String| chosen.set(node.into()))
    };
    // One that fails cannot fail again: the first of the others is proposed.
    let node = controls.nodes.iter().find(|node| ***node == **chosen).or_else(|| controls.nodes.first());
    let options: Vec<_> = controls.nodes.iter().map(|name| (name.clone().into(), name.clone().into())).collect();
    let fail = |failure| {
        let command = node.map(|node| Command::FailNode { node: Rc::clone(node), failure });
        let send = send.clone();
        Callback::from(move |_: MouseEvent| {
            command.iter().for_each(|command| send.emit(Msg::Send(command.clone(), Origin::Nodes)));
        })
    };
    html! {
        <details class="fold fold--button">
            <summary class="fold__title">{ say(text!("Break something")) }</summary>
            <div class="fold__body">
                if is_made {
                    if let Some(node) = node {
                        <div class="field__head">
                            <label class="field__label" for="break-node">{ say(text!("Node")) }</label>
                            <Select id="break-node" {options} chosen={Rc::clone(node)} {onchange} />
                        </div>
                        <div class="fold__choices">
                            for (failure, _) in FAILURES {
                                <button type="button" class="button button--small" onclick={fail(failure)}>
                                    { say(failure_text(failure)) }
                                </button>
                            }
                        </div>
                    }
                    <p class="field__label">{ say(text!("API server")) }</p>
                    { acts(send, &controls.faults) }
                }
            </div>
        </details>
    }
}
