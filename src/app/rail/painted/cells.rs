//! The elements over painted cells: as few as say what is there, and can be pressed.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::text_frame::Memo;
use crate::page::Msg;
use crate::view::{Place, Pod};
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

/// The rows that have elements, each the index of its first place and these. Those that were made longest ago come first.
#[derive(Default)]
pub(in crate::app::rail) struct KnownRows(Vec<(usize, Rc<Html>)>);

impl KnownRows {
    /// Makes the elements of rows, each the index of its first place and its places. While the run plays, of some only: of those
    /// that somebody is at, and of those that have none or were made longest ago.
    pub(in crate::app::rail) fn renew(&mut self, cells: &Cells<'_>, rows: &[(usize, &[Rc<Place>])], plays: bool) {
        let used = rows.iter().filter(|(_, places)| cells.are_used(places)).count();
        let most = if plays { used + AT_A_TIME } else { rows.len() };
        self.0.retain(|(known, _)| rows.iter().any(|(from, _)| from == known));
        let age = |from: usize| self.0.iter().position(|(known, _)| *known == from);
        let mut due: Vec<_> = rows.iter().collect();
        due.sort_by_key(|(from, places)| (!cells.are_used(places), age(*from)));
        for (from, places) in due.into_iter().take(most) {
            self.0.retain(|(known, _)| known != from);
            let made = places.iter().enumerate().map(|(at, place)| cells.place(place, from + at + 1)).collect();
            self.0.push((*from, Rc::new(made)));
        }
    }

    /// A row, if it has elements.
    pub(in crate::app::rail) fn row(&self, from: usize, top: f64) -> Option<Html> {
        let made = Rc::clone(&self.0.iter().find(|(known, _)| *known == from)?.1);
        Some(html! {
            <div class="rail__row" key={format!("row-{from}")} style={format!("top:{top:.0}px")}><Memo html={made} /></div>
        })
    }
}

impl Cells<'_> {
    /// Whether somebody is at one of these places.
    fn are_used(&self, places: &[Rc<Place>]) -> bool {
        places.iter().any(|place| [self.stop, self.open, self.sought].contains(&Some(place.ordinal)))
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
