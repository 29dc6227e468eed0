//! The nodes, the pods on them, and what can be done to them.

use super::appearance;
use super::controls::{fold, kubectl};
use super::dispatch::Dispatch;
use super::el::{El, button, el, text, verbatim};
use super::icon;
use super::part::{Shown, part};
use super::refusal_note::refusal_note;
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;
use crate::text::Text;
use crate::view::{Act, Node, NodePod};
use std::rc::Rc;

/// All nodes.
pub(crate) fn nodes(send: &Dispatch, nodes: &[Rc<Node>], refused: Option<&Refused>) -> El {
    let add = Msg::Send(Command::AddNode, Origin::Nodes);
    let card = |list: El, node: &Rc<Node>| list.add(part(send, Some(&node.name), Shown::Node(node.clone())));
    el("section", "nodes")
        .set("aria-labelledby", "nodes-title")
        .with(
            el("div", "nodes__head")
                .with(text("h2", "heading", text!("Nodes")).set("id", "nodes-title"))
                .with(button("button button--small", send, add).text(text!("Add a node"))),
        )
        .maybe(refusal_note(send, refused, Origin::Nodes))
        .with(nodes.iter().fold(el("ul", "nodes__list"), card))
}

/// One node.
pub(crate) fn card(send: &Dispatch, node: &Node) -> El {
    let tag = el("span", "tag").with(icon::look(appearance::node_shape(node.look))).text(&node.status);
    el("li", "node")
        .class(appearance::node(node.look))
        .class(if node.failures.is_empty() { "node--out" } else { "" })
        .with(el("div", "node__head").with(verbatim("h3", "node__name", &node.name)).with(tag))
        .with(el("ul", "node__pods").say("aria-label", text!("Pods on {}", node.name)).each(&node.pods, pod))
        .maybe(node.pods.is_empty().then(|| text("p", "node__none", text!("No pods"))))
        .with(el("div", "node__conditions").each(&node.conditions, |condition| text("p", "node__condition", condition)))
        .with(el("div", "node__acts").each(&node.acts, |act| {
            // The actions on a failed node are ways out, each with its risk.
            if node.failures.is_empty() { way(send, act, &node.name) } else { act_button(send, act, &node.name) }
        }))
        .maybe((!node.failures.is_empty()).then(|| {
            fold(text!("Fail"))
                .say("aria-label", text!("Ways in which {} can fail", node.name))
                .class("node__fail")
                .with(el("div", "node__acts").each(&node.failures, |act| way(send, act, &node.name)))
        }))
}

fn pod(pod: &NodePod) -> El {
    el("li", "node__pod")
        .key(&[pod.name.as_str(), if pod.ghost { "-ghost" } else { "" }].concat())
        .class(appearance::look(pod.look))
        .class(if pod.ghost { "node__pod--ghost" } else { appearance::hue(pod.hue) })
        .with(icon::look(pod.look))
        .with(verbatim("span", "node__pod-name", &pod.name))
        .with(text("span", if pod.ghost { "node__pod-status" } else { "unseen" }, &pod.status))
}

/// An action with its kubectl line and its risk.
fn way(send: &Dispatch, act: &Act, node: &str) -> El {
    el("div", "node__way").with(act_button(send, act, node)).maybe(kubectl(&act.kubectl)).line(
        "p",
        "node__risk",
        &act.risk,
    )
}

fn act_button(send: &Dispatch, act: &Act, node: &str) -> El {
    let line = if act.kubectl.is_empty() { Text::default() } else { Text::verbatim(&act.kubectl) };
    button("button button--small", send, Msg::Send(act.command.clone(), Origin::Nodes))
        .say("title", Text::list("\n", [line, act.risk.clone()]))
        .say("aria-label", text!("{} ({})", act.label, node))
        .text(&act.label)
}
