//! What can be made to go wrong: a node in the usual ways in sight, in the others and what the API server refuses on request.

use super::settings::acts;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::select::Select;
use crate::page::{FAILURES, Msg, Origin, failure_text};
use crate::session::Command;
use crate::sim::Failure;
use crate::text::Text;
use crate::view::Controls;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, component, html, use_state_eq};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) controls: Rc<Controls>,
}

/// The usual ways in which a node breaks, in a word or two each.
const USUAL: [(Failure, &str); 3] =
    [(Failure::PowerLost, "Power off"), (Failure::NetworkPartition, "Cut off"), (Failure::Reboot, "Reboot")];

fn is_usual(failure: Failure) -> bool {
    USUAL.iter().any(|(usual, _)| *usual == failure)
}

/// A node to break, and how.
#[component]
pub(super) fn Breakage(props: &Props) -> Html {
    let Props { send, controls } = props;
    let chosen = use_state_eq(AttrValue::default);
    let more = use_state_eq(|| false);
    let toggle = {
        let more = more.clone();
        Callback::from(move |_: MouseEvent| more.set(!*more))
    };
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
    let dots = html! {
        <button type="button" class="button button--small button--square" aria-expanded={more.to_string()} aria-controls="break-more"
            aria-label={say(text!("More that can break"))} title={say(text!("More that can break"))} onclick={toggle}>{ "…" }</button>
    };
    html! {
        <div class="field breakage">
            if let Some(node) = node {
                <div class="field__head">
                    <label class="field__label" for="break-node">{ say(text!("Break a node")) }</label>
                    <Select id="break-node" class="select select--quiet" {options} chosen={Rc::clone(node)} {onchange} />
                    { dots.clone() }
                </div>
            } else {
                { dots }
            }
            <div class="breakage__row">
                if node.is_some() {
                    for (failure, name) in USUAL {
                        <button type="button" class="button button--small" title={say(failure_text(failure))} onclick={fail(failure)}>
                            { say(Text::fixed(name)) }
                        </button>
                    }
                }
            </div>
            <div id="break-more" class="breakage__more" hidden={!*more}>
                if *more {
                    if node.is_some() {
                        <div class="fold__choices">
                            for (failure, _) in FAILURES.into_iter().filter(|(failure, _)| !is_usual(*failure)) {
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
        </div>
    }
}
