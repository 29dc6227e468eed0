//! The axis of ordinals: every pod in its place, the flags between the places, and where the controller stands.

mod arranged;
mod flag;
mod painted;
mod pointed;
mod rows;
mod tile;
mod waits;
mod window;

use super::browser::focus;
use super::dispatch::Dispatch;
use super::language::say;
use super::pod_panel::PodPanel;
use super::roving::{Away, Roving, use_roving};
use super::same::Same;
use super::text_frame::{Memo, TextFrame, Throttle, use_memoized};
use super::toggling::toggling;
use super::width::use_width;
use crate::page::{Draft, Field, Origin, Theme};
use crate::text::Text;
use crate::view::{Place, PodDetails, Rail, RailLayout, RailRow, Size};
use arranged::use_arranged;
use flag::{Ground, Pole, pole};
use painted::{Cells, KnownRows, Painted, use_canvas, use_painted};
use pointed::Mark;
use rows::{Row, Rows, item, labels, marked, run, stop};
use std::collections::BTreeSet;
use std::rc::Rc;
#[cfg(debug_assertions)]
pub use tile::tiles_drawn;
use waits::waits;
use web_sys::{Element, Event};
use window::{Seen, use_window};
use yew::{
    Callback, Html, NodeRef, Properties, classes, component, hook, html, use_effect_with, use_mut_ref, use_node_ref,
    use_state,
};

#[derive(Properties, PartialEq)]
pub(crate) struct AxisProps {
    pub(crate) send: Dispatch,
    pub(crate) rail: Same<Rail>,
    /// How many of its pods are in which state; empty if there are few.
    pub(crate) line: Text,
    /// The ordinal where the controller stands.
    pub(crate) ring: Option<i32>,
    /// The pod whose menu is open.
    pub(crate) open: Option<Rc<str>>,
    /// What its panel says beyond its card.
    pub(crate) details: Option<Same<PodDetails>>,
    /// A flag on its way.
    pub(crate) draft: Option<Draft>,
    pub(crate) text_frame: TextFrame,
    pub(crate) theme: Theme,
}

/// The axis.
#[component]
pub(crate) fn Axis(props: &AxisProps) -> Html {
    let (send, rail) = (&props.send, &props.rail);
    let (room, scrolled) = (use_node_ref(), use_node_ref());
    let width = use_width(&room);
    let unfolded = use_state(BTreeSet::<i32>::new);
    let painted = use_painted(rail.places.len());
    let arranged =
        use_arranged((painted && props.text_frame.plays).then_some(props.text_frame.number), rail, width, &unfolded);
    let layout = Rc::clone(&arranged.layout);
    let draft = props.draft.filter(|draft| draft.origin == Origin::Rail);
    let rows = Rc::new(Rows::of(rail, &layout, width, draft));
    let place_of = |ordinal| arranged.places.binary_search_by_key(&ordinal, |place| place.ordinal).ok();
    let ring = props.ring.and_then(place_of).map(|at| rows.place(&layout, at));
    let height = use_held_height(
        rows.height,
        (props.text_frame.plays && layout.folds).then_some(props.text_frame.number),
        &rail.prefix,
    );
    let (window, seen, onwindow) = use_window(&scrolled);
    let (sought, seek) = use_seek(&room, &props.rail, &layout);
    let Roving { stop: last, onfocusin, onkeydown } = use_roving(window.is_part_of(&layout).then_some(seek));
    let onfollow = use_follow(&scrolled, seen, ring.map(|(_, top)| top as i32));
    let onscroll = Callback::from(move |event: Event| {
        onwindow.emit(event.clone());
        onfollow.emit(event);
    });
    let fold = |ordinal: i32| toggling(&unfolded, ordinal);
    let preview = draft.and_then(|draft| {
        let value = i32::try_from(draft.value).ok()?;
        Some(rail.preview(draft.field == Field::Partition, value)).filter(|words| !words.is_empty())
    });
    let open = props.open.as_deref();
    let shown = rail.places.iter().find(|place| place.pod.is_some() && open == Some(&*place.name));
    let opened = shown.map(|place| place.ordinal);
    let size = match layout.size {
        Size::Full => "rail--full",
        Size::Medium => "rail--medium",
        Size::Small => "rail--small",
        Size::Cell => "rail--cell",
    };
    let in_rows = painted || layout.rows.len() > 1;
    let class = classes!("rail", size, in_rows.then_some("rail--rows"), painted.then_some("rail--painted"));
    let sizes = format!(
        "--card:{:.2}px;--slot:{:.2}px;--gap:{}px;--run:{:.2}px",
        layout.card, layout.slot, layout.gap, layout.run
    );
    let ground = Ground { layout: Rc::clone(&layout), rows: Rc::clone(&rows), room: room.clone(), width };
    let stop = stop(rail, &layout, last.and_then(|last| last.parse().ok()));
    let drawn = window.rows(&layout, &rows.tops);
    let is_part = drawn.len() < layout.rows.len();
    // Nobody tabs on while very many change.
    let drawn = if painted && props.text_frame.plays { window.rows_in_sight(&layout, &rows.tops) } else { drawn };
    // Wherever the list was scrolled since: what an open panel stands beside, what the Tab key leads to, what was sought.
    let index = |ordinal: &i32| rail.places.binary_search_by_key(ordinal, |place| place.ordinal).ok();
    let kept = [opened, stop, sought.map(|(ordinal, _)| ordinal)];
    let kept = kept.iter().flatten().filter_map(index).map(|at| layout.stands_at(at).0);
    let drawn: BTreeSet<usize> = drawn.chain(kept).collect();
    let drawn = || drawn.iter().filter_map(|at| Some((layout.rows.get(*at)?, *rows.tops.get(*at)?)));
    let marked = marked(rail, draft);
    let canvas = use_canvas(painted.then(|| Painted {
        rail,
        arranged: &arranged.places,
        layout: &layout,
        rows: &rows,
        window,
        width,
        marked: marked.clone(),
        theme: props.theme,
    }));
    let folded =
        |row: &RailRow, top: f64| run(&rail.prefix, (&arranged.places[row.from..row.to], top), stop, &fold, painted);
    let unfolded_row = |row: &RailRow, top: f64| {
        let places: Vec<Same<Place>> = rail.places[row.from..row.to].iter().map(Same::from).collect();
        let is_in = |ordinal: &i32| places.iter().any(|place| place.ordinal == *ordinal);
        let (stop, open) = (stop.filter(is_in), opened.filter(is_in));
        html! {
            <Row key={format!("row-{}", rail.places[row.from].ordinal)} send={send.clone()} {top} size={layout.size}
                prefix={rail.prefix.len()} marked={marked.clone()} {stop} {open}
                position={is_part.then_some((row.from + 1, rail.places.len()))} {places} />
        }
    };
    let cells = Cells { send, stop, open: opened, sought: sought.map(|(ordinal, _)| ordinal), of: rail.places.len() };
    let known = use_mut_ref(KnownRows::default);
    let made = || {
        let labels = labels(rail, drawn(), &layout, &fold, painted);
        let list: Html = if painted {
            let mut known = known.borrow_mut();
            let rows: Vec<_> = drawn()
                .filter(|(row, _)| !row.folded)
                .map(|(row, _)| (row.from, &rail.places[row.from..row.to]))
                .collect();
            known.renew(&cells, &rows, props.text_frame.plays);
            let in_row = |(row, top): (&RailRow, f64)| match row.folded {
                true => Some(folded(row, top)),
                false => known.row(row.from, top),
            };
            drawn().filter_map(in_row).collect()
        } else {
            drawn().map(|(row, top)| if row.folded { folded(row, top) } else { unfolded_row(row, top) }).collect()
        };
        (Rc::new(labels), Rc::new(list))
    };
    let asked = (stop, opened, sought, unfolded.clone(), width as i64);
    let standing = (!props.text_frame.plays).then_some(window);
    let made = use_memoized(
        painted.then_some((props.text_frame.throttle(Throttle { every: 3, offset: 2 }), standing, asked)),
        made,
    );
    html! {
        <div {class} style={sizes}>
            <span class="rail__prefix" aria-hidden="true" title={rail.prefix.clone()}>{ &rail.prefix }</span>
            <div class="rail__scroll" style={format!("--held-height:{height:.0}px")} ref={scrolled} {onscroll}>
                <Memo html={Rc::clone(&made.0)} />
                <div class="rail__room" ref={room} style={format!("height:{:.0}px", rows.height)}>
                    { canvas }
                    <div class="rail__list" role="list" aria-label={say(text!("Pods by ordinal"))} {onfocusin} {onkeydown}>
                        <Memo html={Rc::clone(&made.1)} />
                    </div>
                    if let Some((left, top)) = ring {
                        <span class="rail__ring" aria-hidden="true"
                            style={format!("height:{:.0}px;transform:translate({left:.2}px,{top:.0}px)", rows.high)}></span>
                    }
                    <Mark rail={rail.clone()} layout={Rc::clone(&layout)} rows={Rc::clone(&rows)} />
                    { waits(rail, &layout, &rows) }
                    { pole(send, rail, &ground, Pole::PARTITION, draft) }
                    { pole(send, rail, &ground, Pole::REPLICAS, draft) }
                </div>
            </div>
            if let Some(words) = preview {
                <p class="rail__preview" role="status">{ say(words) }</p>
            }
            if !props.line.is_empty() {
                <p class="rail__line">{ say(&props.line) }</p>
            }
            if let Some((pod, details)) = shown.and_then(|place| place.pod.as_ref()).zip(props.details.clone()) {
                <PodPanel key={pod.name.clone()} send={send.clone()} pod={Same::from(pod)} {details} />
            }
        </div>
    }
}

/// How the height of a list is held.
#[derive(Default)]
struct Held {
    /// What the names of its pods begin with.
    of: String,
    height: f64,
    /// What it would be, and since which redraw of the texts.
    own: f64,
    since: u64,
}

/// The height of a list whose rows fold and unfold as pods go Ready: what stands below would jump up and down with them. While the
/// run plays it only grows, and falls once the rows have rested for some time.
#[hook]
fn use_held_height(own: f64, text_frame: Option<u64>, of: &str) -> f64 {
    /// About two seconds.
    const RESTED: u64 = 20;
    let held = use_mut_ref(Held::default);
    let mut held = held.borrow_mut();
    let now = text_frame.unwrap_or_default();
    if own != held.own {
        (held.own, held.since) = (own, now);
    }
    if text_frame.is_none() || held.of != of || now.saturating_sub(held.since) >= RESTED {
        (held.of, held.height) = (of.to_owned(), own);
    }
    held.height = held.height.max(own);
    held.height
}

/// The ordinal that the keyboard asked for last, whose row is drawn wherever it stands and whose element takes the focus, and what
/// asks.
#[hook]
fn use_seek(room: &NodeRef, rail: &Same<Rail>, layout: &Rc<RailLayout>) -> (Option<(i32, u32)>, Callback<Away>) {
    let sought = use_state(|| None::<(i32, u32)>);
    {
        let room = room.clone();
        use_effect_with(*sought, move |sought| {
            let query = sought.map(|(ordinal, _)| format!("[data-stop='{ordinal}']"));
            let found = query.zip(room.cast::<Element>()).and_then(|(query, room)| room.query_selector(&query).ok()?);
            found.iter().for_each(focus);
        });
    }
    let seek = {
        let (sought, rail, layout) = (sought.clone(), rail.clone(), Rc::clone(layout));
        Callback::from(move |away: Away| {
            let mut all = 0..rail.places.len();
            let found = match away {
                Away::First => all.find_map(|at| item(&rail, &layout, at)),
                Away::Last => all.rev().find_map(|at| item(&rail, &layout, at)),
                Away::Number(number) => {
                    let at = rail.places.binary_search_by_key(&number, |place| place.ordinal).ok();
                    at.and_then(|at| item(&rail, &layout, at))
                }
            };
            // The counter makes repeated requests distinct.
            let times = sought.map_or(0, |(_, times)| times + 1);
            found.into_iter().for_each(|ordinal| sought.set(Some((ordinal, times))));
        })
    };
    (*sought, seek)
}

/// Keeps what stands at this height in sight, unless the person scrolled away from it; then it waits until that is in sight
/// again.
#[hook]
fn use_follow(list: &NodeRef, seen: Seen, top: Option<i32>) -> Callback<Event> {
    let Seen { scrolled, high } = seen;
    let is_left = use_mut_ref(|| false);
    {
        let (list, scrolled, is_left) = (list.clone(), scrolled.clone(), is_left.clone());
        use_effect_with(top, move |top| {
            let Some((list, top)) = list.cast::<Element>().zip(*top).filter(|_| !*is_left.borrow()) else { return };
            let seen = *scrolled.borrow();
            if top < seen || top + Rows::CELL as i32 > seen + high {
                list.set_scroll_top(top - high / 2);
            }
        });
    }
    Callback::from(move |_| {
        let seen = *scrolled.borrow();
        *is_left.borrow_mut() = top.is_some_and(|top| top + Rows::CELL as i32 <= seen || top >= seen + high);
    })
}
