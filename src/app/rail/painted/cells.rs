//! The elements over painted cells: as few as say what is there, and can be pressed.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::reading::Kept;
use crate::order::Order;
use crate::page::Msg;
use crate::view::{Place, Pod};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::{Html, html};

/// Of so many rows the elements are made at a time while the run plays.
const AT_A_TIME: usize = 4;

/// What the elements of all rows are made by.
pub(in crate::app::rail) struct Cells<'a> {
    pub(in crate::app::rail) send: &'a Dispatch,
    /// The ordinal that the Tab key leads to, and the one whose pod's panel is open.
    pub(in crate::app::rail) stop: Option<i32>,
    pub(in crate::app::rail) open: Option<i32>,
    /// The one that the keyboard asked for last.
    pub(in crate::app::rail) sought: Option<i32>,
    /// How many places there are.
    pub(in crate::app::rail) of: usize,
}

/// The rows that have elements, by the index of their first place.
#[derive(Default)]
pub(in crate::app::rail) struct KnownRows {
    rows: BTreeMap<usize, KnownRow>,
    turns: u64,
}

struct KnownRow {
    places: Vec<Rc<Place>>,
    used: [Option<i32>; 2],
    of: usize,
    made: Rc<Html>,
    /// At which turn it was made.
    turn: u64,
}

impl KnownRow {
    /// Whether it would be made the same.
    fn is_of(&self, cells: &Cells<'_>, places: &[Rc<Place>]) -> bool {
        let is_same = |(one, other): (&Rc<Place>, &Rc<Place>)| Rc::ptr_eq(one, other);
        let same_places = self.places.len() == places.len() && self.places.iter().zip(places).all(is_same);
        same_places && (self.used, self.of) == (cells.used(places), cells.of)
    }
}

impl KnownRows {
    /// Makes the elements of rows, each the index of its first place and its places, that have none or have changed. While the
    /// run plays, of some only: first of those that somebody is at, then of those that were made longest ago.
    pub(in crate::app::rail) fn renew(&mut self, cells: &Cells<'_>, rows: &[(usize, &[Rc<Place>])], plays: bool) {
        let most = if plays { AT_A_TIME } else { usize::MAX };
        self.turns += 1;
        self.rows.retain(|from, _| rows.iter().any(|(row, _)| row == from));
        let is_due = |(from, places): &&(usize, &[Rc<Place>])| {
            !self.rows.get(from).is_some_and(|known| known.is_of(cells, places))
        };
        let mut due: Vec<_> = rows.iter().filter(is_due).collect();
        let last = |from: &usize| self.rows.get(from).map_or(0, |known| known.turn);
        due.order_by_key(|(from, places)| (!cells.is_used(places), last(from)));
        for (from, places) in due.into_iter().take(most) {
            let made =
                Rc::new(places.iter().enumerate().map(|(at, place)| cells.place(place, from + at + 1)).collect());
            let row =
                KnownRow { places: places.to_vec(), used: cells.used(places), of: cells.of, made, turn: self.turns };
            self.rows.insert(*from, row);
        }
    }

    /// A row, if it has elements.
    pub(in crate::app::rail) fn row(&self, from: usize, top: f64) -> Option<Html> {
        let made = Rc::clone(&self.rows.get(&from)?.made);
        Some(html! {
            <div class="rail__row" key={format!("row-{from}")} style={format!("top:{top:.0}px")}><Kept {made} /></div>
        })
    }
}

impl Cells<'_> {
    /// Whether somebody is at one of these places.
    fn is_used(&self, places: &[Rc<Place>]) -> bool {
        let [stop, open] = self.used(places);
        stop.or(open).is_some() || places.iter().any(|place| self.sought == Some(place.ordinal))
    }

    /// `stop` and `open`, as far as they are among these places.
    fn used(&self, places: &[Rc<Place>]) -> [Option<i32>; 2] {
        [self.stop, self.open].map(|used| used.filter(|used| places.iter().any(|place| place.ordinal == *used)))
    }

    fn place(&self, place: &Place, position: usize) -> Html {
        html! {
            <div class="place" key={place.ordinal} data-pod={place.name.clone()} role="listitem"
                aria-posinset={position.to_string()} aria-setsize={self.of.to_string()}>
                { match &place.pod {
                    Some(pod) => self.pod(place.ordinal, pod),
                    None => html! { <span class="unseen">{ &place.name }{ " " }{ say(&place.empty) }</span> },
                } }
            </div>
        }
    }

    fn pod(&self, ordinal: i32, pod: &Pod) -> Html {
        let open = self.open == Some(ordinal);
        let toggle = Msg::Open((!open).then(|| pod.name.clone()));
        let Pod { name, status, ready, revision, .. } = pod;
        let title = format!("{name}, {status}, {ready}, {}{}", say(text!("revision ")), revision.letter);
        html! {
            <button type="button" class="pod pod--painted" id={format!("pod-{}", pod.name)} data-stop={ordinal.to_string()}
                tabindex={if self.stop == Some(ordinal) { "0" } else { "-1" }} aria-haspopup="dialog"
                aria-expanded={open.to_string()} {title} onclick={sends(self.send, toggle)} />
        }
    }
}
