//! One set of controls: for all lanes, or for one of them.

use super::field::{Field, Setting};
use crate::app::browser;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::effects::LANES_LINE;
use crate::app::language::say;
use crate::app::select::Select;
use crate::page::{ComparisonMsg, FAILURES, Msg, failure_text};
use crate::sim::Failure;
use crate::text::Text;
use crate::view::{LaneView, LanesView};
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Html, InputEvent, MouseEvent, Properties, SubmitEvent, component, html, use_node_ref};

/// Their id.
pub(super) const PANEL: &str = "lanes-panel";
/// The list of lanes.
const WHOSE: &str = "lanes-whose";

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
    /// The lane that they are for; all if none.
    pub(super) aim: Option<usize>,
    /// The kubectl line as it is typed.
    pub(super) line: String,
    /// What lanes refused.
    pub(super) refused: Vec<Text>,
    /// Replicas, image and partition as they are.
    pub(super) proposed: Option<[String; 3]>,
}

/// The controls.
#[component]
pub(super) fn Controls(props: &Props) -> Html {
    let Props { send, view, aim, line, refused, proposed } = props;
    let has_partition = match *aim {
        Some(at) => view.lanes.get(at).is_some_and(|lane| lane.partition.is_some()),
        None => view.lanes.iter().any(|lane| lane.partition.is_some()),
    };
    let [replicas, image, partition] = proposed.clone().unwrap_or_default();
    html! {
        <section class="lanes__panel" id={PANEL} aria-label={say(text!("Controls"))}>
            if !refused.is_empty() { { refusal(send, refused) } }
            <div class="lanes__controls">
                <Whose send={send.clone()} aim={*aim} names={names(&view.lanes)} />
                <Field send={send.clone()} id="lanes-replicas" kind="number" label={text!("Replicas")} act={text!("Set replicas")}
                    proposed={replicas} setting={Setting::Replicas} />
                <Field send={send.clone()} id="lanes-image" kind="text" label={text!("Image")} act={text!("Set image")}
                    proposed={image} setting={Setting::Image} />
                if has_partition {
                    <Field send={send.clone()} id="lanes-partition" kind="number" label={text!("Partition")} act={text!("Set partition")}
                        proposed={partition} setting={Setting::Partition} />
                }
                <Nodes send={send.clone()} names={nodes(&view.lanes)} />
                { kubectl(send, line) }
            </div>
        </section>
    }
}

fn names(lanes: &[Rc<LaneView>]) -> Vec<String> {
    lanes.iter().map(|lane| lane.name.clone()).collect()
}

/// The names of the nodes, which are the same in every lane.
fn nodes(lanes: &[Rc<LaneView>]) -> Vec<String> {
    lanes.first().map(|lane| lane.nodes.iter().map(|node| node.name.clone()).collect()).unwrap_or_default()
}

fn refusal(send: &Dispatch, refused: &[Text]) -> Html {
    html! {
        <div class="refusal lanes__refusal" role="alert">
            <div>{ for refused.iter().map(|words| html! { <p class="refusal__words">{ say(words) }</p> }) }</div>
            <button type="button" class="button button--small" onclick={sends(send, Msg::Comparison(ComparisonMsg::Read))}>
                { say(text!("Dismiss")) }
            </button>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct WhoseProps {
    send: Dispatch,
    aim: Option<usize>,
    /// The lanes.
    names: Vec<String>,
}

/// Which lanes the controls are for.
#[component]
fn Whose(props: &WhoseProps) -> Html {
    let WhoseProps { send, aim, names } = props;
    let onchange = send.reform(|at: String| Msg::Comparison(ComparisonMsg::Aim(at.parse().ok())));
    let all = (value(None), say(text!("all lanes")));
    let one = |(at, name): (usize, &String)| (value(Some(at)), say(Text::authored(name)));
    let options: Vec<_> = std::iter::once(all).chain(names.iter().enumerate().map(one)).collect();
    html! {
        <div class="lanes__field">
            <label for={WHOSE}>{ say(text!("For")) }</label>
            <Select id={WHOSE} {options} chosen={value(*aim)} {onchange} />
        </div>
    }
}

fn value(aim: Option<usize>) -> AttrValue {
    aim.map_or_else(String::new, |at| at.to_string()).into()
}

#[derive(Properties, PartialEq)]
struct NodesProps {
    send: Dispatch,
    names: Vec<String>,
}

/// A node, what can happen to it, and its way back.
#[component]
fn Nodes(props: &NodesProps) -> Html {
    let NodesProps { send, names } = props;
    let (node, failure) = (use_node_ref(), use_node_ref());
    let press = |message: fn(String, Failure) -> ComparisonMsg| {
        let (send, node, failure) = (send.clone(), node.clone(), failure.clone());
        Callback::from(move |_: MouseEvent| {
            let Some((node, failure)) = node.cast::<HtmlSelectElement>().zip(failure.cast::<HtmlSelectElement>())
            else {
                return;
            };
            let chosen = failure.value();
            let failure = FAILURES.iter().find(|(_, name)| *name == chosen).map(|(failure, _)| *failure);
            failure.into_iter().for_each(|failure| send.emit(Msg::Comparison(message(node.value(), failure))));
        })
    };
    // Children are made from the last one on, which a list would take to be the chosen one.
    let way = |(at, (failure, value)): (usize, &(Failure, &'static str))| {
        html! { <option value={*value} selected={at == 0}>{ say(failure_text(*failure)) }</option> }
    };
    let named =
        |(at, name): (usize, &String)| html! { <option value={name.clone()} selected={at == 0}>{ name }</option> };
    html! {
        <div class="lanes__field" role="group" aria-label={say(text!("A node"))}>
            <select ref={node.clone()} class="select" id="lanes-node" aria-label={say(text!("Node"))}>
                { for names.iter().enumerate().map(named) }
            </select>
            <select ref={failure.clone()} class="select" id="lanes-failure" aria-label={say(text!("What happens to it"))}>
                { for FAILURES.iter().enumerate().map(way) }
            </select>
            <button type="button" class="button button--small" onclick={press(ComparisonMsg::Fail)}>{ say(text!("Fail")) }</button>
            <button type="button" class="button button--small" onclick={press(|node, _| ComparisonMsg::Recover(node))}>
                { say(text!("Bring back")) }
            </button>
        </div>
    }
}

fn kubectl(send: &Dispatch, line: &str) -> Html {
    let onsubmit = send.reform(|event: SubmitEvent| {
        event.prevent_default();
        Msg::Comparison(ComparisonMsg::Run)
    });
    let oninput = send.reform(|event: InputEvent| Msg::Comparison(ComparisonMsg::Typed(browser::value(&event))));
    html! {
        <form class="lanes__field lanes__line" {onsubmit}>
            <input class="text" id={LANES_LINE} type="text" aria-label={say(text!("A kubectl line"))} placeholder="kubectl delete pod …"
                spellcheck="false" autocomplete="off" autocapitalize="off" value={line.to_owned()} {oninput} />
            <button type="submit" class="button button--small">{ say(text!("Run")) }</button>
        </form>
    }
}
