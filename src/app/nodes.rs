//! The nodes, the pods on them, and what can be done to them.

use super::dispatch::use_dispatch;
use super::icon;
use super::looks;
use super::refusal_note::RefusalNote;
use super::state::{Msg, Origin, Refused};
use crate::session::Command;
use crate::view::Node;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct NodesProps {
    pub(crate) nodes: Rc<Vec<Node>>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// All nodes.
#[component]
pub(crate) fn Nodes(props: &NodesProps) -> Html {
    let dispatch = use_dispatch();
    html! {
        <section class="nodes" aria-labelledby="nodes-title">
            <div class="nodes__head">
                <h2 id="nodes-title" class="heading">{ "Nodes" }</h2>
                <button type="button" class="button button--small" onclick={dispatch.on(Msg::Send(Command::AddNode, Origin::Nodes))}>
                    { "Add a node" }
                </button>
            </div>
            <RefusalNote refused={props.refused.clone()} at={Origin::Nodes} />
            <ul class="nodes__list">
                for node in props.nodes.iter() {
                    <NodeCard key={node.name.clone()} node={node.clone()} />
                }
            </ul>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct NodeCardProps {
    node: Node,
}

#[component]
fn NodeCard(props: &NodeCardProps) -> Html {
    let dispatch = use_dispatch();
    let node = &props.node;
    html! {
        <li class={classes!("node", looks::node(node.look))}>
            <div class="node__head">
                <h3 class="node__name">{ &node.name }</h3>
                <span class="tag">{ icon::look(looks::node_shape(node.look)) }{ &node.status }</span>
            </div>
            <ul class="node__pods" aria-label={format!("Pods on {}", node.name)}>
                for pod in node.pods.iter() {
                    <li key={pod.name.clone()} class={classes!("node__pod", looks::look(pod.look), looks::hue(pod.hue))}>
                        { icon::look(pod.look) }<span class="node__pod-name">{ &pod.name }</span>
                        <span class="unseen">{ &pod.status }</span>
                    </li>
                }
            </ul>
            if node.pods.is_empty() {
                <p class="node__none">{ "No pods" }</p>
            }
            <div class="node__conditions">
                for condition in node.conditions.iter() {
                    <p class="node__condition">{ &condition.text }</p>
                }
            </div>
            <div class="node__acts">
                for act in node.acts.iter() {
                    <button type="button" class="button button--small" title={title(act)}
                        aria-label={format!("{} ({})", act.label, node.name)}
                        onclick={dispatch.on(Msg::Send(act.command.clone(), Origin::Nodes))}>{ &act.label }</button>
                }
            </div>
        </li>
    }
}

fn title(act: &crate::view::Act) -> String {
    [act.kubectl.as_str(), act.risk.as_str()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}
