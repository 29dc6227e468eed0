//! What scrolls: the axis, the rows, and over them the time to come, the cursor, and the slider. Dragging on it seeks; the slider
//! is for the keyboard and for screen readers.

use super::density::{opener, path, strip};
use super::row::{Row, label};
use super::syncs::Syncs;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::moment::{MARKS, Moment, pointed, tick};
use crate::app::same::Same;
use crate::app::text_frame::{Memo, TextFrame, use_memoized};
use crate::page::{Msg, ThrottledTexts};
use crate::text::Text;
use crate::view::{ActMark, Share, SyncMark, TimeRow, axis};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::{
    Callback, Html, MouseEvent, NodeRef, PointerEvent, Properties, classes, component, hook, html, use_effect_with,
    use_node_ref, use_state_eq,
};

/// Of more rows of pods each fourth has its name.
const WHOLE: usize = 8;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    /// The cursor, and the end of what is known, in milliseconds since the start.
    pub(super) now: i64,
    pub(super) end: i64,
    /// What lies beyond is not drawn.
    pub(super) seen: i64,
    pub(super) plays: bool,
    /// It is two to this power times as wide as its place.
    pub(super) zoom: i32,
    pub(super) acts: Same<Vec<ActMark>>,
    pub(super) syncs: Vec<Rc<Vec<SyncMark>>>,
    /// As there is room for.
    pub(super) pods: Vec<Rc<TimeRow>>,
    pub(super) nodes: Vec<Rc<TimeRow>>,
    /// How many of more pods than there are rows for were in which state, and the most there were.
    pub(super) shares: Same<(Vec<Share>, u32)>,
    /// Where the controller stood.
    pub(super) path: Same<Vec<(i64, Option<usize>)>>,
    /// When the axis and the rows are drawn anew, where they are of very many pods; else whenever they change.
    pub(super) text_frame: Option<TextFrame>,
    pub(super) clock: Text,
    /// What the slider tells.
    pub(super) texts: ThrottledTexts,
}

/// The whole run.
#[component]
pub(super) fn Canvas(props: &Props) -> Html {
    let (zoom, texts) = (props.zoom, &props.texts);
    let (scroll, plot, slider) = (use_node_ref(), use_node_ref(), use_node_ref());
    // By their places: folded rows have other labels as the run grows.
    let row = |row: &Rc<TimeRow>| html! { <Row row={Same::from(row)} /> };
    let is_open = use_state_eq(|| false);
    let (shares, most) = &*props.shares.0;
    let many = !shares.is_empty();
    let open = {
        let is_open = is_open.clone();
        Callback::from(move |_: MouseEvent| is_open.set(!*is_open))
    };
    let drawn = use_memoized(props.text_frame.map(|frame| (frame, zoom, *is_open)), || {
        let (scale, marks) = axis(props.end, MARKS << zoom, props.plays);
        let axis = html! { <Axis {scale} {marks} passed={100 * props.now / scale} /> };
        let count = props.pods.len();
        let is_open = *is_open && count > 0;
        let ends = (scale, props.end);
        let rows = html! {
            <>
                if many {
                    <div class="time__row time__row--many">
                        { opener(*most, count, is_open, open) }
                        if !is_open { { strip(&props.shares, ends) } }
                    </div>
                }
                if !many || is_open {
                    <div class={classes!("time__rows", (count > WHOLE).then_some("time__rows--dense"))}>
                        for one in props.pods.iter() {
                            { row(one) }
                        }
                        { path(&props.path, count, ends) }
                    </div>
                }
                <div class="time__rows time__rows--nodes">{ for props.nodes.iter().map(row) }</div>
            </>
        };
        (scale, axis, Rc::new(rows))
    });
    let scale = drawn.0;
    // Of very many pods the axis grows with their rows; what is known may be beyond it until then.
    let [now, seen] = [props.now, props.seen].map(|at| at.min(scale));
    let syncs = use_memoized(props.text_frame.map(|frame| (frame, scale, zoom)), || {
        html! { <Syncs bundles={props.syncs.clone()} {scale} {zoom} /> }
    });
    use_cursor_in_sight(&scroll, &plot, (now, scale, zoom));
    let onpointerdown = {
        let (send, plot, slider) = (props.send.clone(), plot.clone(), slider.clone());
        Callback::from(move |event: PointerEvent| {
            let at = moment(&event, &plot, scale).filter(|_| browser::is_primary(&event));
            let Some((at, element)) = at.zip(plot.cast::<Element>()) else { return };
            event.prevent_default();
            // Without capture the drag still works while the pointer is over the rows.
            let _ = element.set_pointer_capture(event.pointer_id());
            slider.cast::<Element>().iter().for_each(browser::focus);
            send.emit(Msg::Seek(at));
        })
    };
    let onpointermove = {
        let (send, plot) = (props.send.clone(), plot.clone());
        Callback::from(move |event: PointerEvent| {
            let at = moment(&event, &plot, scale).filter(|_| browser::is_held(&event));
            at.into_iter().for_each(|at| send.emit(Msg::Seek(at)));
        })
    };
    html! {
        <div class="time__scroll" id="time-scroll" ref={scroll}>
            <div class="time__canvas" style={format!("--scale:{scale};--zoom:{}", 1 << zoom)} {onpointerdown} {onpointermove}>
                { drawn.1.clone() }
                <div class="time__row">
                    { label(&text!("commands")) }
                    <Acts acts={props.acts.clone()} />
                </div>
                <div class="time__row time__row--syncs">
                    { label(&text!("syncs")) }
                    <div class="time__spans"><Memo html={syncs} /></div>
                </div>
                <Memo html={Rc::clone(&drawn.2)} />
                // What moves with the cursor stands here alone: the rows rest while it moves.
                <div class="time__plot" id="time-plot" ref={plot} style={format!("--now:{now};--seen:{seen}")}>
                    <div class="time__future"></div>
                    <div class="time__beyond"></div>
                    <div class="time__cursor"><span class="time__clock">{ say(&props.clock) }</span></div>
                    <Moment node={slider} send={props.send.clone()} id="moment" class="time__moment" now={texts.now}
                        end={texts.end} words={text!("{}: {}", texts.clock, texts.last)} />
                </div>
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct AxisProps {
    /// How many milliseconds it is long, and the marks on it.
    scale: i64,
    marks: Vec<(i64, Text)>,
    /// How much of it the cursor has passed, in whole percent: it is not drawn again for each step of the cursor.
    passed: i64,
}

#[component]
fn Axis(props: &AxisProps) -> Html {
    let AxisProps { scale, marks, passed } = props;
    html! {
        <div class="time__row time__axis" aria-hidden="true" style={format!("--now:{}", scale * passed / 100)}>
            <span class="time__label"></span>
            <div class="time__spans">{ for marks.iter().map(|mark| tick(["time__tick", "time__tick--last"], *scale, mark)) }</div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct ActsProps {
    acts: Same<Vec<ActMark>>,
}

#[component]
fn Acts(props: &ActsProps) -> Html {
    let act = |act: &ActMark| {
        let class = classes!("time__act", act.fault.then_some("time__act--fault"));
        html! { <i {class} title={act.text.clone()} style={format!("--at:{}", act.at)}></i> }
    };
    html! { <div class="time__spans">{ for props.acts.iter().map(act) }</div> }
}

/// The moment that a pointer is at; none over the labels.
fn moment(event: &PointerEvent, plot: &NodeRef, scale: i64) -> Option<i64> {
    let target: Element = event.target()?.unchecked_into();
    if target.closest(".time__label").ok()?.is_some() {
        return None;
    }
    pointed(event, plot, scale)
}

/// Scrolls a timeline that is wider than its place so that its cursor is seen.
#[hook]
fn use_cursor_in_sight(scroll: &NodeRef, plot: &NodeRef, at: (i64, i64, i32)) {
    let (scroll, plot) = (scroll.clone(), plot.clone());
    use_effect_with(at, move |(now, scale, zoom)| {
        let Some((scroll, plot)) = scroll.cast::<HtmlElement>().zip(plot.cast::<Element>()).filter(|_| *zoom > 0)
        else {
            return;
        };
        let at = (f64::from(plot.client_width()) * *now as f64 / *scale as f64) as i32;
        let seen = scroll.scroll_left();
        let width = scroll.client_width() - (scroll.scroll_width() - plot.client_width());
        if at < seen || at > seen + width {
            scroll.set_scroll_left(at - width / 2);
        }
    });
}
