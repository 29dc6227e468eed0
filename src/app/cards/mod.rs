//! The stage of a workload without ordinals: its pods as cards, the places that are empty, and who is next.

mod card;
mod ranks;

use super::appearance;
use super::dispatch::Dispatch;
use super::language::say;
use super::pod_panel::PodPanel;
use super::roving::{Roving, use_roving};
use super::same::Same;
use super::width::use_width;
use crate::view::{self, Blank, Card, Group, PodDetails, Size, size_in_flow};
use card::CardTile;
pub(crate) use ranks::ranks;
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct CardsProps {
    pub(crate) send: Dispatch,
    pub(crate) cards: Same<view::Cards>,
    /// The pod whose panel is open.
    pub(crate) open: Option<Rc<str>>,
    /// What its panel says beyond its card.
    pub(crate) details: Option<Same<PodDetails>>,
}

/// The cards with their groups.
#[component]
pub(crate) fn Cards(props: &CardsProps) -> Html {
    let (send, cards) = (&props.send, &props.cards);
    let room = use_node_ref();
    let Roving { stop: last, onfocusin, onkeydown } = use_roving(None);
    let is_last = |card: &&Rc<Card>| last.as_deref() == Some(&*card.pod.name);
    let stop = cards.cards.iter().find(is_last).or_else(|| cards.cards.iter().min_by_key(|card| card.group));
    let stop = stop.map(|card| &*card.pod.name);
    let size = size_in_flow(use_width(&room), cards.cards.len() + cards.blanks.len());
    let kept = cards.kept_old.as_ref().filter(|(kept, _)| *kept > 0).map(|(_, words)| words);
    let open = props.open.as_deref();
    let shown = cards.cards.iter().find(|card| open == Some(&*card.pod.name));
    html! {
        <section class="cards" aria-label={say(text!("Pods"))} ref={room} {onfocusin} {onkeydown}>
            { for cards.groups.iter().enumerate().map(|one| group(send, cards, one, Shown { size, open, stop })) }
            if let Some(words) = kept { <p class="cards__kept">{ say(words) }</p> }
            if let Some((card, details)) = shown.zip(props.details.clone()) {
                <PodPanel key={card.pod.name.clone()} send={send.clone()} pod={Same::from(&card.pod)} {details} />
            }
        </section>
    }
}

/// How the cards are shown.
#[derive(Clone, Copy)]
struct Shown<'a> {
    size: Size,
    /// The pod whose panel is open.
    open: Option<&'a str>,
    /// The pod that the Tab key leads to.
    stop: Option<&'a str>,
}

fn group(send: &Dispatch, cards: &view::Cards, (at, group): (usize, &Group), shown: Shown<'_>) -> Html {
    let by_node = cards.by_node;
    let label = if by_node {
        text!("Pods by node")
    } else if group.title.is_empty() {
        text!("Pods in the order they were made")
    } else {
        group.title.clone()
    };
    let mut blanks = cards.blanks.iter().filter(|blank| blank.group == at).peekable();
    let mut tiles: Vec<Html> = Vec::new();
    for card in cards.cards.iter().filter(|card| card.group == at) {
        // A node without its pod keeps its place among the others; other empty places come last.
        while let Some(bare) = blanks.next_if(|bare| by_node && *bare.title.to_string() < *card.pod.node) {
            tiles.push(blank(bare));
        }
        tiles.push(tile(send, card, by_node, shown));
    }
    tiles.extend(blanks.map(blank));
    let class = match shown.size {
        Size::Full => "cards--full",
        Size::Medium => "cards--medium",
        Size::Small => "cards--small",
        Size::Cell => "cards--cell",
    };
    html! {
        <div class="cards__group" key={group.title.to_string()}>
            { head(group) }
            <div class={classes!("cards__list", class)} role="list" aria-label={say(label)}>{ for tiles }</div>
        </div>
    }
}

fn tile(send: &Dispatch, card: &Rc<Card>, by_node: bool, shown: Shown<'_>) -> Html {
    let Shown { size, open, stop } = shown;
    let (open, is_stop) = (open == Some(&*card.pod.name), stop == Some(&*card.pod.name));
    html! {
        <CardTile key={card.pod.key.clone()} send={send.clone()} card={Same::from(card)} {by_node} {size} {is_stop} {open} />
    }
}

fn head(group: &Group) -> Html {
    if group.title.is_empty() {
        return Html::default();
    }
    html! {
        <h3 class="cards__head">
            if let Some(revision) = &group.revision {
                <span class={classes!("revision", appearance::hue(revision.hue))}><b class="revision__letter">{ revision.letter.clone() }</b></span>
            }
            <code>{ say(&group.title) }</code><span>{ say(&group.counts) }</span>
        </h3>
    }
}

fn blank(blank: &Blank) -> Html {
    html! {
        <div class="place" role="listitem" key={blank.key.clone()}>
            <div class="pod pod--empty">
                <span class="pod__name">{ say(&blank.title) }</span><span class="pod__empty">{ say(&blank.words) }</span>
            </div>
        </div>
    }
}
