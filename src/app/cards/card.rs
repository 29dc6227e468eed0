//! One pod of a workload without ordinals. It is drawn again only when what it shows has changed.

use crate::app::appearance;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{self, Sign};
use crate::app::language::say;
use crate::app::pod_words::{band, restarts, state_line, turn_word};
use crate::app::prose::camel_parts;
use crate::app::same::Same;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Card, Pod, Size, UpdateKind};
use yew::{Html, Properties, classes, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) card: Same<Card>,
    /// Whether pods are named by their nodes.
    pub(super) by_node: bool,
    pub(super) size: Size,
    /// Whether the Tab key leads to it.
    pub(super) is_stop: bool,
    /// Whether its panel is open.
    pub(super) open: bool,
}

/// The card.
#[component]
pub(super) fn CardTile(props: &Props) -> Html {
    let card = &props.card;
    let class = classes!("place", card.surge.then_some("place--surge"), card.ringed.then_some("place--ringed"));
    html! { <div {class} role="listitem">{ face(props) }</div> }
}

fn face(props: &Props) -> Html {
    let pod = &props.card.pod;
    let toggle = Msg::Open((!props.open).then(|| pod.name.clone()));
    let node = if pod.node.is_empty() { text!("no node yet") } else { Text::verbatim(&pod.node) };
    let instance = Text::verbatim(pod.instance());
    // A DaemonSet's pod is named by its node, any other by the random end of its name.
    let (name, below) = if props.by_node { (node, instance) } else { (instance, node) };
    let in_place = pod.came == UpdateKind::InPlace;
    let class = classes!(
        "pod",
        appearance::look(pod.look),
        appearance::hue(pod.revision.hue),
        in_place.then_some("pod--in-place"),
    );
    // An in-place update restarts the container, which is no failure.
    let restarted = if in_place { "pod__line pod__again" } else { "pod__line pod__restarts" };
    let again = restarts(pod.restarts);
    html! {
        <button type="button" {class} id={format!("pod-{}", pod.name)} data-stop={pod.name.clone()}
            tabindex={if props.is_stop { "0" } else { "-1" }} aria-haspopup="dialog" aria-expanded={props.open.to_string()}
            title={format!("{} {} {}", pod.name, pod.status, pod.ready)} onclick={sends(&props.send, toggle)}>
            { band(pod, props.card.surge.then(|| text!("surge")).or_else(|| turn_word(pod))) }
            <span class="pod__name"><span class="unseen">{ pod.name.clone() }</span><span>{ say(name) }</span></span>
            { state_line(pod) }
            if props.size == Size::Full {
                <span class="pod__line"><span title={say(&below)}>{ say(&below) }</span><span class="pod__tag">{ pod.ready.clone() }</span></span>
                <span class="pod__line"><span class="pod__ip" title={pod.ip.clone()}>{ pod.ip.clone() }</span><span class="pod__tag">{ ":" }{ &pod.tag }</span></span>
                if !again.is_empty() { <span class={restarted}>{ say(again) }</span> }
                { steps(pod) }
                { came(pod) }
            }
        </button>
    }
}

/// The pod's lifecycle state and its readiness gate.
fn steps(pod: &Pod) -> Html {
    let gate = pod.gate.map(|open| if open { text!("gate open") } else { text!("gate closed") });
    if pod.state.is_empty() && gate.is_none() {
        return Html::default();
    }
    let shut = (pod.gate == Some(false)).then_some("pod__step--shut");
    let moving = (*pod.state != *"Normal").then_some("pod__step--moving");
    html! {
        <span class="pod__steps">
            if !pod.state.is_empty() { <span class={classes!("pod__step", moving)}>{ camel_parts(&pod.state) }</span> }
            if let Some(gate) = gate { <span class={classes!("pod__step", shut)}>{ say(gate) }</span> }
        </span>
    }
}

/// How the pod got its revision: replaced, or updated in place.
fn came(pod: &Pod) -> Html {
    let (class, sign, words) = match pod.came {
        UpdateKind::First => return Html::default(),
        UpdateKind::Replaced => ("pod__came", Sign::StartOver, text!("another pod")),
        UpdateKind::InPlace if pod.gate == Some(false) => {
            ("pod__came pod__came--moving", Sign::Clock, text!("changing in place"))
        }
        UpdateKind::InPlace => ("pod__came pod__came--in-place", Sign::Check, text!("changed in place")),
    };
    html! { <span {class}>{ icon::sign(sign) }<span>{ say(words) }</span></span> }
}
