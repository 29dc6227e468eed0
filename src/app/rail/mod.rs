//! The axis of ordinals: every pod in its place, the flags between the places, and where the controller stands.

mod flag;
mod menu;
mod rows;
mod tile;
mod waits;

use super::dispatch::Dispatch;
use super::language::say;
use super::roving::{Roving, use_roving};
use super::same::Same;
use super::width::use_width;
use crate::page::{Draft, Field, Origin};
use crate::view::{PodHistory, Rail, RailLayout, RailRow, Size};
use flag::{Ground, Pole, pole};
use menu::PodMenu;
use rows::{Rows, labels, row, stop};
use std::collections::BTreeSet;
use std::rc::Rc;
#[cfg(debug_assertions)]
pub use tile::tiles_drawn;
use waits::waits;
use web_sys::{Element, Event};
use yew::{
    Callback, Html, MouseEvent, NodeRef, Properties, classes, component, hook, html, use_effect_with, use_mut_ref,
    use_node_ref, use_state,
};

#[derive(Properties, PartialEq)]
pub(crate) struct BoardProps {
    pub(crate) send: Dispatch,
    pub(crate) rail: Same<Rail>,
    /// The pod whose menu is open.
    pub(crate) open: Option<Rc<str>>,
    /// What is told of that pod.
    pub(crate) story: Option<Same<PodHistory>>,
    /// A flag on its way.
    pub(crate) draft: Option<Draft>,
}

/// The axis.
#[component]
pub(crate) fn Board(props: &BoardProps) -> Html {
    let (send, rail) = (&props.send, &props.rail);
    let (room, scrolled) = (use_node_ref(), use_node_ref());
    let width = use_width(&room);
    let unfolded = use_state(BTreeSet::<i32>::new);
    let Roving { stop: last, onfocusin, onkeydown } = use_roving();
    let layout = Rc::new(RailLayout::of(rail, width, &|ordinal| unfolded.contains(&ordinal)));
    let draft = props.draft.filter(|draft| draft.origin == Origin::Rail);
    let rows = Rc::new(Rows::of(rail, &layout, width, draft));
    let ring = rail.places.iter().rposition(|place| place.ringed).map(|at| rows.place(&layout, at));
    let onscroll = use_follow(&scrolled, ring.map(|(_, top)| top as i32));
    let fold = |ordinal: i32| {
        let unfolded = unfolded.clone();
        Callback::from(move |_: MouseEvent| {
            let mut next = (*unfolded).clone();
            if !next.remove(&ordinal) {
                next.insert(ordinal);
            }
            unfolded.set(next);
        })
    };
    let preview = draft.and_then(|draft| {
        let value = i32::try_from(draft.value).ok()?;
        Some(rail.preview(draft.field == Field::Partition, value)).filter(|words| !words.is_empty())
    });
    let open = props.open.as_deref();
    let shown = rail.places.iter().find(|place| place.pod.is_some() && open == Some(&*place.name));
    let size = match layout.size {
        Size::Full => "rail--full",
        Size::Medium => "rail--medium",
        Size::Small => "rail--small",
        Size::Cell => "rail--cell",
    };
    let class = classes!("rail", size, (layout.rows.len() > 1).then_some("rail--rows"));
    let sizes = format!("--card:{:.2}px;--slot:{:.2}px;--gap:{}px", layout.card, layout.slot, layout.gap);
    let ground = Ground { layout: Rc::clone(&layout), rows: Rc::clone(&rows), room: room.clone(), width };
    let stop = stop(rail, &layout, last.and_then(|last| last.parse().ok()));
    let in_row = |(one, top): (&RailRow, &f64)| row((send, rail, &layout), (one, *top), (open, draft), stop, &fold);
    html! {
        <div {class} style={sizes}>
            <span class="rail__prefix" aria-hidden="true">{ &rail.prefix }</span>
            <div class="rail__scroll" ref={scrolled} {onscroll}>
                { labels(rail, &rows, &layout, &fold) }
                <div class="rail__room" ref={room} style={format!("height:{:.0}px", rows.height)}>
                    <div class="rail__list" role="list" aria-label={say(text!("Pods by ordinal"))} {onfocusin} {onkeydown}>
                        { for layout.rows.iter().zip(&rows.tops).map(in_row) }
                    </div>
                    if let Some((left, top)) = ring {
                        <span class="rail__ring" aria-hidden="true"
                            style={format!("height:{:.0}px;transform:translate({left:.2}px,{top:.0}px)", rows.high)}></span>
                    }
                    { waits(rail, &layout, &rows) }
                    { pole(send, rail, &ground, Pole::PARTITION, draft) }
                    { pole(send, rail, &ground, Pole::REPLICAS, draft) }
                </div>
            </div>
            if let Some(words) = preview {
                <p class="rail__preview" role="status">{ say(words) }</p>
            }
            if !rail.line.is_empty() {
                <p class="rail__line">{ say(&rail.line) }</p>
            }
            if let Some(place) = shown {
                <PodMenu key={place.name.clone()} send={send.clone()} place={Same::from(place)} story={props.story.clone()} />
            }
        </div>
    }
}

/// Keeps what stands at this height in sight, unless the person scrolled away from it; then it waits until that is in sight
/// again.
#[hook]
fn use_follow(list: &NodeRef, top: Option<i32>) -> Callback<Event> {
    let is_left = use_mut_ref(|| false);
    {
        let (list, is_left) = (list.clone(), is_left.clone());
        use_effect_with(top, move |top| {
            let Some((list, top)) = list.cast::<Element>().zip(*top).filter(|_| !*is_left.borrow()) else { return };
            let (seen, high) = (list.scroll_top(), list.client_height());
            if top < seen || top + Rows::CELL as i32 > seen + high {
                list.set_scroll_top(top - high / 2);
            }
        });
    }
    let list = list.clone();
    Callback::from(move |_| {
        let Some((list, top)) = list.cast::<Element>().zip(top) else { return };
        let (seen, high) = (list.scroll_top(), list.client_height());
        *is_left.borrow_mut() = top + Rows::CELL as i32 <= seen || top >= seen + high;
    })
}
