//! One pod of a workload without ordinals. It is drawn again only when what it shows has changed.

use crate::app::appearance;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{self, Sign};
use crate::app::language::say;
use crate::app::pod_words::{face_word, restarts};
use crate::app::same::Same;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Card, Size, UpdateKind, UpdateRank};
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
    let card = &props.card;
    let toggle = Msg::Open((!props.open).then(|| card.name.clone()));
    let node = if card.node.is_empty() { text!("no node yet") } else { Text::verbatim(&card.node) };
    let instance = Text::verbatim(&card.instance);
    // A DaemonSet's pod is named by its node, any other by the random end of its name.
    let (name, below) = if props.by_node { (node, instance) } else { (instance, node) };
    let in_place = card.came == UpdateKind::InPlace;
    let class = classes!(
        "pod",
        appearance::look(card.look),
        appearance::hue(card.revision.hue),
        in_place.then_some("pod--in-place"),
    );
    // An in-place update restarts the container, which is no failure.
    let restarted = if in_place { "pod__line pod__again" } else { "pod__line pod__restarts" };
    let again = restarts(card.restarts);
    html! {
        <button type="button" {class} id={format!("pod-{}", card.name)} data-stop={card.name.clone()}
            tabindex={if props.is_stop { "0" } else { "-1" }} aria-haspopup="dialog" aria-expanded={props.open.to_string()}
            title={format!("{} {} {}", card.name, card.status, card.ready)} onclick={sends(&props.send, toggle)}>
            { band(card) }
            <span class="pod__name"><span class="unseen">{ card.name.clone() }</span><span>{ say(name) }</span></span>
            <span class="pod__status">{ icon::look(card.look) }{ face_word(&card.status) }</span>
            if props.size == Size::Full {
                <span class="pod__line"><span title={say(&below)}>{ say(&below) }</span><span class="pod__tag">{ card.ready.clone() }</span></span>
                <span class="pod__line"><span title={card.ip.clone()}>{ card.ip.clone() }</span><span class="pod__tag">{ ":" }{ &card.tag }</span></span>
                if !again.is_empty() { <span class={restarted}>{ say(again) }</span> }
                { steps(card) }
                { came(card) }
            }
        </button>
    }
}

fn band(card: &Card) -> Html {
    let turn = match card.turn {
        _ if card.surge => text!("surge"),
        UpdateRank::Next => text!("next"),
        UpdateRank::Kept => text!("stays old"),
        UpdateRank::Later | UpdateRank::None => Text::default(),
    };
    html! {
        <span class="pod__band">
            <span class="unseen">{ say(text!("revision ")) }</span>{ &card.revision.letter }
            if !turn.is_empty() { <span class="pod__turn">{ say(turn) }</span> }
        </span>
    }
}

/// The pod's lifecycle state and its readiness gate.
fn steps(card: &Card) -> Html {
    let gate = card.gate.map(|open| if open { text!("gate open") } else { text!("gate closed") });
    if card.state.is_empty() && gate.is_none() {
        return Html::default();
    }
    let shut = (card.gate == Some(false)).then_some("pod__step--shut");
    let moving = (card.state != "Normal").then_some("pod__step--moving");
    html! {
        <span class="pod__steps">
            if !card.state.is_empty() { <span class={classes!("pod__step", moving)}>{ &card.state }</span> }
            if let Some(gate) = gate { <span class={classes!("pod__step", shut)}>{ say(gate) }</span> }
        </span>
    }
}

/// How the pod got its revision: replaced, or updated in place.
fn came(card: &Card) -> Html {
    let (class, sign, words) = match card.came {
        UpdateKind::First => return Html::default(),
        UpdateKind::Replaced => ("pod__came", Sign::StartOver, text!("another pod")),
        UpdateKind::InPlace if card.gate == Some(false) => {
            ("pod__came pod__came--moving", Sign::Clock, text!("changing in place"))
        }
        UpdateKind::InPlace => ("pod__came pod__came--in-place", Sign::Check, text!("changed in place")),
    };
    html! { <span {class}>{ icon::sign(sign) }<span>{ say(words) }</span></span> }
}
