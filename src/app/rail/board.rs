//! The rail as a whole. Tiles and flags share one flowing row: `order` puts a flag between two places without moving its
//! element, which keeps the focus on it.

use super::flag::{Pole, flag_pole};
use crate::app::appearance;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, el};
use crate::app::part::{Shown, part};
use crate::page::{Draft, Field};
use crate::view::{Flag, Place, PodHistory, Rail};
use std::rc::Rc;

/// Places that fit into one row of the usual stage.
const FEW: usize = 4;

/// The rail, with the name of the pod whose menu is open.
pub(crate) fn board(
    send: &Dispatch,
    rail: &Rail,
    open: Option<&str>,
    story: Option<&Rc<PodHistory>>,
    draft: Option<Draft>,
) -> El {
    let at = |flag: &Option<Flag>| flag.as_ref().map(|flag| flag.at);
    let shared = rail.partition.is_some() && at(&rail.partition) == at(&rail.replicas);
    let tile = |list: El, place: &Rc<Place>| {
        let open = place.pod.is_some() && open == Some(place.name.as_str());
        let story = story.filter(|_| open).cloned();
        list.add(part(send, Some(&place.key), Shown::Tile { place: place.clone(), density: rail.density, open, story }))
    };
    let list = el("div", "rail__list").set("role", "list").say("aria-label", text!("Pods by ordinal"));
    let pole = |flag: &Option<Flag>, pole: Pole| flag.as_ref().map(|flag| flag_pole(send, flag, pole, draft));
    el("div", "rail")
        .class(appearance::density(rail.density))
        .class(if shared { "rail--shared" } else { "" })
        .class(if rail.places.len() <= FEW { "rail--few" } else { "" })
        .with(rail.places.iter().fold(list, tile))
        .maybe(pole(&rail.partition, Pole { id: "flag-partition", field: Field::Partition, turn: 1 }))
        .maybe(pole(&rail.replicas, Pole { id: "flag-replicas", field: Field::Replicas, turn: 2 }))
}
