//! The slider of a timeline, which is for the keyboard and for screen readers, and the moment that a pointer is at.

use super::browser;
use super::dispatch::Dispatch;
use super::language::say;
use crate::page::Msg;
use crate::text::Text;
use web_sys::Element;
use yew::{Callback, Html, InputEvent, KeyboardEvent, NodeRef, PointerEvent, Properties, classes, component, html};

/// The arrows move by a hundredth of the run, but not by less than this many milliseconds.
const LEAST: i64 = 100;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    #[prop_or_default]
    pub(crate) node: NodeRef,
    pub(crate) id: &'static str,
    pub(crate) class: &'static str,
    /// The cursor, and the end of what is known, in milliseconds since the start.
    pub(crate) now: i64,
    pub(crate) end: i64,
    /// The moment in words.
    pub(crate) words: Text,
}

/// The slider.
#[component]
pub(crate) fn Moment(props: &Props) -> Html {
    let &Props { now, end, id, class, .. } = props;
    let unit = (end / 100).max(LEAST);
    let oninput = {
        let send = props.send.clone();
        Callback::from(move |event: InputEvent| {
            browser::number(&event).into_iter().for_each(|at| send.emit(Msg::Seek(at)));
        })
    };
    let onkeydown = {
        let send = props.send.clone();
        Callback::from(move |event: KeyboardEvent| {
            if browser::is_modified(&event) {
                return;
            }
            let to = match event.key().as_str() {
                "ArrowRight" | "ArrowUp" => now + unit,
                "ArrowLeft" | "ArrowDown" => now - unit,
                "PageUp" => now + 10 * unit,
                "PageDown" => now - 10 * unit,
                "Home" => 0,
                "End" => end,
                _ => return,
            };
            event.prevent_default();
            send.emit(Msg::Seek(to.clamp(0, end)));
        })
    };
    html! {
        <input ref={props.node.clone()} {class} {id} type="range" aria-label={say(text!("Moment"))} min="0" max={end.to_string()}
            aria-valuetext={say(&props.words)} value={now.to_string()} {oninput} {onkeydown} />
    }
}

/// Marks on the axis, at most, while the whole run is in view.
pub(crate) const MARKS: i64 = 8;

/// Words at a mark beyond this part of the scale, in percent, stand before it: behind it they would be cut.
const LAST_PERCENT: i64 = 93;

/// The words at a mark of an axis, with their class and that of words before their mark.
pub(crate) fn tick([class, last]: [&'static str; 2], scale: i64, (at, words): &(i64, Text)) -> Html {
    let last = (at * 100 > scale * LAST_PERCENT).then_some(last);
    html! { <span key={*at} class={classes!(class, last)} style={format!("--at:{at}")}>{ say(words) }</span> }
}

/// The moment that a pointer is at, in a plot that is so many milliseconds wide.
pub(crate) fn pointed(event: &PointerEvent, plot: &NodeRef, scale: i64) -> Option<i64> {
    let plot = plot.cast::<Element>()?.get_bounding_client_rect();
    let part = (f64::from(event.client_x()) - plot.left()) / plot.width().max(1.0);
    Some((part * scale as f64) as i64)
}
