//! The nodes in their fixed places, the pods on them, and what can be done to them.

use super::appearance;
use super::beside::Beside;
use super::dispatch::Dispatch;
use super::host;
use super::icon;
use super::language::say;
use super::pod_panel::command;
use super::pointed::use_pointed;
use super::prose::camel_parts;
use super::refusal_note::RefusalNote;
use super::same::Same;
use super::size::{Size, use_size};
use super::text_frame::{Memo, TextFrame, Throttle, use_memoized};
use crate::page::{Msg, Origin, Refused, RehearseMsg};
use crate::text::{Text, named_node_first};
use crate::view::{Act, CHIPS, Node, NodePod, chips};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent, Properties, classes, component, html, use_state_eq};

/// The id of the section.
pub(crate) const NODES: &str = "nodes";

#[derive(Properties, PartialEq)]
pub(crate) struct NodesProps {
    pub(crate) send: Dispatch,
    pub(crate) nodes: Same<Vec<Rc<Node>>>,
    /// What the names of the drawn set's pods begin with.
    pub(crate) prefix: AttrValue,
    pub(crate) text_frame: TextFrame,
    /// Whether there are, or will be, many more pods than can be followed.
    pub(crate) many: bool,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// All nodes.
#[component]
pub(crate) fn Nodes(props: &NodesProps) -> Html {
    let send = &props.send;
    // On a phone a tab opens them.
    let is_tab = use_size() == Size::Phone;
    let open = use_state_eq(|| None::<String>);
    let toggle = {
        let open = open.clone();
        Callback::from(move |name: String| open.set((*open).as_ref().is_none_or(|own| *own != name).then_some(name)))
    };
    let close = {
        let open = open.clone();
        Callback::from(move |()| open.set(None))
    };
    // Where pods are too many for chips of their own, those that are shown change all the time.
    let many = props.many || props.nodes.iter().any(|node| node.pods.len() > CHIPS);
    let slots = use_memoized(
        (many && props.text_frame.plays)
            .then_some((props.text_frame.throttle(Throttle { every: 6, offset: 0 }), open.clone())),
        || {
            html! {
                <ul class="nodes__list">
                    { for props.nodes.iter().map(|node| html! {
                        <Slot key={node.name.clone()} node={Same::from(node)} prefix={props.prefix.clone()} toggle={toggle.clone()}
                            many={props.many} open={open.as_ref() == Some(&node.name)} />
                    }) }
                </ul>
            }
        },
    );
    let shown = props.nodes.iter().find(|node| open.as_ref() == Some(&node.name));
    let close_act = close.clone();
    html! {
        <section class="nodes" id={NODES} role={is_tab.then_some("tabpanel")} aria-labelledby="nodes-title">
            <h2 class="unseen" id="nodes-title">{ say(text!("Nodes")) }</h2>
            <RefusalNote send={send.clone()} refused={props.refused.clone()} at={Origin::Nodes} />
            <Memo html={slots} />
            if let Some(node) = shown {
                <Beside key={node.name.clone()} anchor={format!("node-{}", node.name)} title={node.name.clone()} {close}
                    label={say(named_node_first(&node.name))}>
                    <WaysOut send={send.clone()} node={Same::from(node)} close={close_act} />
                </Beside>
            }
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct SlotProps {
    node: Same<Node>,
    prefix: AttrValue,
    /// Opens or closes what can be done to the node of this name.
    toggle: Callback<String>,
    open: bool,
    /// Whether other pods are shown all the time.
    many: bool,
}

/// One node; it is drawn again only when what it shows has changed.
#[component]
fn Slot(props: &SlotProps) -> Html {
    let node = &props.node;
    let onclick = {
        let (toggle, name) = (props.toggle.clone(), node.name.clone());
        Callback::from(move |_: MouseEvent| toggle.emit(name.clone()))
    };
    let (shown, more) = chips(&node.pods);
    let many = props.many || more > 0;
    let failed = node.failures.is_empty();
    let label = if failed {
        text!("Ways out: {}", node.name.as_str())
    } else {
        text!("What can be done to {}", node.name.as_str())
    };
    html! {
        <li class={classes!("node", appearance::node(node.look), failed.then_some("node--out"), many.then_some("node--many"))}>
            <div class="node__head">
                <h3 class="node__name" title={node.name.clone()}>{ &node.name }</h3>
                <span class="tag">{ icon::look(appearance::node_shape(node.look)) }<span class="node__word">{ camel_parts(&say(&node.status)) }</span></span>
                if !host::is_locked() {
                    <button type="button" class="button button--small node__open" id={format!("node-{}", node.name)} aria-haspopup="dialog"
                        aria-expanded={props.open.to_string()} aria-label={say(label)} {onclick}>
                        if failed { <span class="node__words">{ say(text!("Ways out")) }</span> }
                        <span class="node__dots">{ "…" }</span>
                    </button>
                }
            </div>
            <ul class="node__pods" aria-label={say(text!("Pods on {}", node.name.as_str()))}>
                { for shown.into_iter().enumerate().map(|(at, pod)| {
                    // Of many, others are shown all the time, in the same elements.
                    let key = if many { at.to_string() } else { format!("{}{}", pod.name, if pod.ghost { "-ghost" } else { "" }) };
                    html! { <Chip {key} pod={Same::from(pod)} prefix={props.prefix.clone()} /> }
                }) }
                if more > 0 { <li class="node__more">{ say(text!("{} more", more)) }</li> }
            </ul>
            if node.pods.is_empty() { <p class="node__none">{ say(text!("No pods")) }</p> }
            { for node.conditions.iter().map(say).map(|words| html! { <p class="node__condition" title={&words}>{ &words }</p> }) }
        </li>
    }
}

#[derive(Properties, PartialEq)]
struct ChipProps {
    pod: Same<NodePod>,
    prefix: AttrValue,
}

/// A pod, by its ordinal where it is one of the set that is drawn.
#[component]
fn Chip(props: &ChipProps) -> Html {
    let (pod, prefix) = (&props.pod, &*props.prefix);
    let is_pointed = use_pointed(pod.name.clone(), |own, pod| pod == Some(own));
    let own =
        pod.name.strip_prefix(prefix).filter(|own| !prefix.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit()));
    let (common, own) = own.map_or(("", &*pod.name), |own| (prefix, own));
    let class = classes!(
        "node__pod",
        appearance::look(pod.look),
        if pod.ghost { "node__pod--ghost" } else { appearance::hue(pod.hue) },
        is_pointed.then_some("is-pointed"),
    );
    html! {
        <li {class} data-pod={pod.name.clone()} title={say(text!("{}: {}", pod.name.as_str(), pod.status))}>
            { icon::look(pod.look) }
            <span class="node__pod-name"><span class="pod__prefix">{ common }</span>{ own }</span>
            <span class={if pod.ghost { "node__pod-status" } else { "unseen" }}>{ say(&pod.status) }</span>
        </li>
    }
}

#[derive(Properties, PartialEq)]
struct WaysOutProps {
    send: Dispatch,
    node: Same<Node>,
    /// Closes the panel: whoever acted looks at what comes of it.
    close: Callback<()>,
}

/// What happens next to a node, and what can be done to it: on a failed one the ways out, each with its risk.
#[component]
fn WaysOut(props: &WaysOutProps) -> Html {
    let (send, node) = (&props.send, &props.node);
    let rehearse = {
        let (send, close, name) = (send.clone(), props.close.clone(), node.name.clone());
        Callback::from(move |_: MouseEvent| {
            close.emit(());
            send.emit(Msg::Rehearse(RehearseMsg::Drain(name.as_str().into())));
        })
    };
    let acts = |acts: &[Act]| html! { <ul class="menu__acts">{ for acts.iter().map(|one| act(send, one, &node.name, &props.close)) }</ul> };
    html! {
        <>
            { for node.conditions.iter().map(|condition| html! { <p class="node__says">{ say(condition) }</p> }) }
            <button type="button" class="button" onclick={rehearse}>{ say(text!("Rehearse its drain")) }</button>
            { acts(&node.acts) }
            if !node.failures.is_empty() {
                <h3 class="heading">{ say(text!("Ways in which {} can fail", node.name.as_str())) }</h3>
                { acts(&node.failures) }
            }
        </>
    }
}

fn act(send: &Dispatch, act: &Act, node: &str, close: &Callback<()>) -> Html {
    let onclick = {
        let (send, close, command) = (send.clone(), close.clone(), act.command.clone());
        Callback::from(move |_: MouseEvent| {
            send.emit(Msg::Send(command.clone(), Origin::Nodes));
            close.emit(());
        })
    };
    let label: Text = text!("{} ({})", act.label, node);
    html! {
        <li class="node__way" key={act.label.to_string()}>
            <button type="button" class="button" aria-label={say(label)} {onclick}>
                { say(&act.label) }
            </button>
            { command(&act.kubectl) }
            if !act.risk.is_empty() { <p class="node__risk">{ say(&act.risk) }</p> }
        </li>
    }
}
