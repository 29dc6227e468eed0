//! The stage of a workload without ordinals: its pods as cards, the places that are empty, and who is next.

mod card;
mod panel;
mod ranks;

use super::appearance;
use super::dispatch::Dispatch;
use super::el::{El, el, group, text, verbatim};
use super::part::{Shown, part};
use crate::view::{Blank, Board, Card, Density, Group};
pub(crate) use card::{card, restarts};
pub(crate) use ranks::ranks;
use std::rc::Rc;

/// With this few cards or fewer, cards stretch to fill the row.
const FEW: usize = 4;

/// The cards with their groups.
pub(crate) fn cards(send: &Dispatch, board: &Board, open: Option<&str>) -> El {
    let kept =
        board.kept_old.as_ref().filter(|(kept, _)| *kept > 0).map(|(_, words)| words.clone()).unwrap_or_default();
    el("section", "cards")
        .say("aria-label", text!("Pods"))
        .with(group().each(board.groups.iter().enumerate(), |one| group_of_cards(send, board, one, open)))
        .line("p", "cards__kept", &kept)
}

fn group_of_cards(send: &Dispatch, board: &Board, (at, group): (usize, &Group), open: Option<&str>) -> El {
    let by_node = board.is_by_node;
    let label = match () {
        () if by_node => text!("Pods by node"),
        () if group.title.is_empty() => text!("Pods in the order they were made"),
        () => group.title.clone(),
    };
    let cards: Vec<&Rc<Card>> = board.cards.iter().filter(|card| card.group == at).collect();
    let blanks: Vec<&Blank> = board.blanks.iter().filter(|blank| blank.group == at).collect();
    let few = cards.len() + blanks.len() <= FEW && board.density == Density::Card;
    let mut blanks = blanks.into_iter().peekable();
    let draw = |mut list: El, card: &Rc<Card>| {
        // A node without its pod keeps its place among the others; other empty places come last.
        while let Some(bare) = blanks.next_if(|bare| by_node && *bare.title.to_string() < *card.node) {
            list = list.with(blank(bare, board.density));
        }
        let (card, open) = (card.clone(), open == Some(&*card.name));
        let key = card.key.clone();
        list.add(part(send, Some(&key), Shown::Card { card, by_node, density: board.density, open }))
    };
    let list = el("div", "cards__list")
        .class(if few { "cards__list--few" } else { "" })
        .class(appearance::density(board.density))
        .set("role", "list")
        .say("aria-label", &label);
    let list = cards.into_iter().fold(list, draw);
    let list = blanks.fold(list, |list, one| list.with(blank(one, board.density)));
    el("div", "cards__group").key(&group.title.to_string()).maybe(head(group)).with(list)
}

fn head(group: &Group) -> Option<El> {
    let letter = group.revision.as_ref().map(|revision| {
        el("span", "revision").class(appearance::hue(revision.hue)).with(verbatim(
            "b",
            "revision__letter",
            &revision.letter,
        ))
    });
    (!group.title.is_empty()).then(|| {
        el("h3", "cards__head").maybe(letter).with(text("code", "", &group.title)).with(text("span", "", &group.counts))
    })
}

fn blank(blank: &Blank, density: Density) -> El {
    let class = if density == Density::Card { "pod__empty" } else { "unseen" };
    let name = text("span", "pod__name", &blank.title);
    el("div", "place").key(&blank.key).set("role", "listitem").with(el("div", "pod pod--empty").with(name).with(text(
        "span",
        class,
        &blank.words,
    )))
}
