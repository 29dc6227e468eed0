//! The elements over painted cells: as few as say what is there, and can be pressed.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::page::Msg;
use crate::view::{Place, Pod};
use std::rc::Rc;
use yew::{Html, html};

/// What the elements of all rows are made by.
pub(in crate::app::rail) struct Cells<'a> {
    pub(in crate::app::rail) send: &'a Dispatch,
    /// The ordinal that the Tab key leads to, and the one whose pod's panel is open.
    pub(in crate::app::rail) stop: Option<i32>,
    pub(in crate::app::rail) open: Option<i32>,
    /// How many places there are.
    pub(in crate::app::rail) of: usize,
}

impl Cells<'_> {
    /// The places of a row that begins at this index.
    pub(in crate::app::rail) fn row(&self, places: &[Rc<Place>], from: usize, top: f64) -> Html {
        let cells = places.iter().enumerate().map(|(at, place)| self.place(place, from + at + 1));
        html! {
            <div class="rail__row" key={format!("row-{from}")} style={format!("top:{top:.0}px")}>{ for cells }</div>
        }
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
