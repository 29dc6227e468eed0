//! One place on the rail. It is drawn again only when what it shows has changed.

use super::menu::pod_menu;
use crate::app::appearance;
use crate::app::cards::restarts;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text, verbatim};
use crate::app::icon::{self, Sign};
use crate::page::Msg;
use crate::text::Text;
use crate::view::{Claim, Density, Place, Pod, PodAppearance, PodHistory};

#[cfg(debug_assertions)]
thread_local! {
    static DRAWN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How often any tile was drawn, so that a test can see that unchanged tiles are not.
#[cfg(debug_assertions)]
pub fn tiles_drawn() -> u64 {
    DRAWN.get()
}

/// The place, with its pod if there is one, and the pod's menu if it is open.
pub(crate) fn tile(send: &Dispatch, place: &Place, density: Density, open: bool, story: Option<&PodHistory>) -> El {
    #[cfg(debug_assertions)]
    DRAWN.set(DRAWN.get() + 1);
    let tile = el("div", "place")
        .class(if place.condemned { "place--condemned" } else { "" })
        .class(if place.ringed { "place--ringed" } else { "" })
        .set("role", "listitem")
        .set("style", &["order:", &(4 * place.ordinal + 3).to_string()].concat());
    let tile = match &place.pod {
        Some(pod) => tile
            .with(pod_button(send, pod, density, open))
            .maybe(open.then(|| pod_menu(send, pod, &place.claims, story))),
        None => tile.with(empty(place, density)),
    };
    let claims = if density == Density::Card { &place.claims[..] } else { &[] };
    let ghosts = if density == Density::Card { &place.ghosts[..] } else { &[] };
    tile.with(group().each(claims, claim)).with(group().each(ghosts, |node| {
        el("span", "place__ghost")
            .with(icon::look(PodAppearance::Unreachable))
            .text(text!("an old one runs on {}", node))
    }))
}

fn empty(place: &Place, density: Density) -> El {
    let class = if density == Density::Card { "pod__empty" } else { "unseen" };
    el("div", "pod pod--empty").with(verbatim("span", "pod__name", &place.name)).with(text("span", class, &place.empty))
}

fn claim(claim: &Claim) -> El {
    let phase = if claim.phase == "Bound" { "" } else { &claim.phase };
    let tile = el("span", "place__claim");
    let tile = match &claim.attached {
        Some(node) => tile.say("title", text!("attached to {}", node)),
        None => tile,
    };
    tile.class(if claim.shared { "place__claim--shared" } else { "" })
        .with(icon::sign(Sign::Disk))
        .verbatim(&claim.name)
        .verbatim_line("i", "", phase)
        .maybe(claim.shared.then(|| text("b", "", text!("two writers"))))
}

fn pod_button(send: &Dispatch, pod: &Pod, density: Density, open: bool) -> El {
    let toggle = Msg::Open((!open).then(|| pod.name.as_str().into()));
    let button = button("pod", send, toggle)
        .class(appearance::look(pod.look))
        .class(appearance::hue(pod.revision.hue))
        .set("id", &["pod-", &pod.name].concat())
        .set("aria-haspopup", "dialog")
        .truth("aria-expanded", open)
        .set("title", &[&pod.name, " ", &pod.status].concat())
        .with(el("span", "pod__band").with(text("span", "unseen", text!("revision "))).verbatim(&pod.revision.letter));
    if density != Density::Card {
        let words = if density == Density::Cell { "unseen" } else { "pod__name" };
        return button.with(verbatim("span", words, &pod.name)).with(icon::look(pod.look)).with(verbatim(
            "span",
            "unseen",
            &pod.status,
        ));
    }
    let node = if pod.node.is_empty() { text!("no node yet") } else { Text::verbatim(&pod.node) };
    button
        .with(verbatim("span", "pod__name", &pod.name))
        .with(el("span", "pod__status").with(icon::look(pod.look)).with(verbatim("span", "pod__word", &pod.status)))
        .with(
            el("span", "pod__line")
                .with(text("span", "", node))
                .with(verbatim("span", "", &pod.ready).say("title", text!("ready containers"))),
        )
        .with(el("span", "pod__line").with(verbatim("span", "pod__tag", &pod.tag)).line(
            "span",
            "pod__restarts",
            restarts(pod.restarts),
        ))
}
