//! The mark around the place whose pod is pointed at, here or elsewhere on the page. It alone is drawn again.

use super::rows::Rows;
use crate::app::pointed::use_pointed;
use crate::app::same::Same;
use crate::view::{Rail, RailLayout};
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) rail: Same<Rail>,
    pub(super) layout: Rc<RailLayout>,
    pub(super) rows: Rc<Rows>,
}

/// The mark; around the whole run where the place is folded.
#[component]
pub(super) fn Mark(props: &Props) -> Html {
    let Props { rail, layout, rows } = props;
    let pod = use_pointed((), |(), pod| pod.map(Rc::<str>::from));
    let ordinal = pod.and_then(|pod| pod.strip_prefix(&*rail.prefix)?.parse().ok());
    let at = ordinal.and_then(|ordinal: i32| rail.places.binary_search_by_key(&ordinal, |place| place.ordinal).ok());
    // Never nothing: siblings are inserted before its element while those behind it go.
    let Some(at) = at else { return html! { <span class="rail__pointed" aria-hidden="true" hidden={true}></span> } };
    let (left, top) = rows.place(layout, at);
    let folded = layout.rows.get(layout.stands_at(at).0).is_some_and(|row| row.folded);
    let width = if folded {
        layout.run
    } else if rail.places[at].is_slot() {
        layout.slot
    } else {
        layout.card
    };
    let style = format!("width:{width:.2}px;height:{:.0}px;transform:translate({left:.2}px,{top:.0}px)", rows.high);
    html! { <span class="rail__pointed" aria-hidden="true" {style}></span> }
}
