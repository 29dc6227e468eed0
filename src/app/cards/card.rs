//! One pod of a workload without ordinals. It is drawn again only when what it shows has changed.

use super::panel::panel;
use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, text, verbatim};
use crate::app::icon::{self, Sign};
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Card, Density, UpdateKind, UpdateRank};

/// The card, with its panel if that is open.
pub(crate) fn card(send: &Dispatch, card: &Card, look: (bool, Density), open: bool) -> El {
    el("div", "place")
        .class(if card.surge { "place--surge" } else { "" })
        .class(if card.ringed { "place--ringed" } else { "" })
        .set("role", "listitem")
        .with(face(send, card, look, open))
        .maybe(open.then(|| panel(send, card)))
}

fn face(send: &Dispatch, card: &Card, (by_node, density): (bool, Density), open: bool) -> El {
    let toggle = Msg::Open((!open).then(|| card.name.as_str().into()));
    let node = if card.node.is_empty() { text!("no node yet") } else { Text::verbatim(&card.node) };
    let instance = Text::verbatim(&card.instance);
    // A DaemonSet's pod is named by its node, any other by the random end of its name.
    let (name, below) = if by_node { (node, instance) } else { (instance, node) };
    let line = |left: Text, right: &str| {
        el("span", "pod__line").with(text("span", "", left)).with(verbatim("span", "pod__tag", right))
    };
    // An in-place update restarts the container, which is no failure.
    let restarted = if card.came == UpdateKind::InPlace { "pod__line pod__again" } else { "pod__line pod__restarts" };
    let button = button("pod", send, toggle)
        .class(appearance::look(card.look))
        .class(appearance::hue(card.revision.hue))
        .class(if card.came == UpdateKind::InPlace { "pod--in-place" } else { "" })
        .set("id", &["pod-", &card.name].concat())
        .set("aria-haspopup", "dialog")
        .truth("aria-expanded", open)
        .set("title", &[&card.name, " ", &card.status].concat());
    if density != Density::Card {
        return small(button, card, &name, density);
    }
    button
        .with(band(card))
        .with(el("span", "pod__name").with(verbatim("span", "unseen", &card.name)).with(text("span", "", name)))
        .with(el("span", "pod__status").with(icon::look(card.look)).with(verbatim("span", "pod__word", &card.status)))
        .with(line(below, &card.ready))
        .with(line(Text::verbatim(&card.ip), &card.tag))
        .line("span", restarted, restarts(card.restarts))
        .maybe(steps(card))
        .maybe(came(card))
}

/// How often its containers were started again; empty if never.
pub(crate) fn restarts(restarts: i32) -> Text {
    match restarts {
        0 => Text::default(),
        1 => text!("1 restart"),
        restarts => text!("{} restarts", restarts),
    }
}

/// With many pods a card has room only for the revision, the state and perhaps the name.
fn small(button: El, card: &Card, name: &Text, density: Density) -> El {
    let words = if density == Density::Cell { "unseen" } else { "pod__name" };
    button
        .with(el("span", "pod__band").with(text("span", "unseen", text!("revision "))).verbatim(&card.revision.letter))
        .with(text("span", words, name))
        .with(icon::look(card.look))
        .with(verbatim("span", "unseen", &format!("{} {}", card.name, card.status)))
}

fn band(card: &Card) -> El {
    let turn = match card.turn {
        _ if card.surge => text!("surge"),
        UpdateRank::Next => text!("next"),
        UpdateRank::Kept => text!("stays old"),
        UpdateRank::Later | UpdateRank::None => Text::default(),
    };
    let letter = &card.revision.letter;
    el("span", "pod__band").with(text("span", "unseen", text!("revision "))).verbatim(letter).line(
        "span",
        "pod__turn",
        turn,
    )
}

/// The pod's lifecycle state and its readiness gate.
fn steps(card: &Card) -> Option<El> {
    let gate = card.gate.map(|open| if open { text!("gate open") } else { text!("gate closed") });
    let shut = if card.gate == Some(false) { "pod__step--shut" } else { "" };
    let moving = if card.state == "Normal" { "" } else { "pod__step--moving" };
    let state = (!card.state.is_empty()).then(|| verbatim("span", "pod__step", &card.state).class(moving));
    let gate = gate.map(|gate| text("span", "pod__step", gate).class(shut));
    (state.is_some() || gate.is_some()).then(|| el("span", "pod__steps").maybe(state).maybe(gate))
}

/// How the pod got its revision: replaced, or updated in place.
fn came(card: &Card) -> Option<El> {
    let (class, sign, words) = match card.came {
        UpdateKind::First => return None,
        UpdateKind::Replaced => ("pod__came", Sign::StartOver, text!("another pod")),
        UpdateKind::InPlace if card.gate == Some(false) => {
            ("pod__came pod__came--moving", Sign::Clock, text!("changing in place"))
        }
        UpdateKind::InPlace => ("pod__came pod__came--in-place", Sign::Check, text!("changed in place")),
    };
    Some(el("span", class).with(icon::sign(sign)).with(text("span", "", words)))
}
