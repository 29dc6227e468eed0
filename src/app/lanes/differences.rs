//! Where the lanes differ: what happened, and the moments at which they begin to differ, differ otherwise, or are alike again.

use super::time::kind;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::page::Msg;
use crate::view::{LanesView, MarkView};
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::{Html, Properties, classes, component, html, use_effect_with, use_node_ref};

/// Differences in the list, at most: the newest.
const LISTED: usize = 100;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
}

/// The list, which keeps the line of the present moment in sight.
#[component]
pub(super) fn Differences(props: &Props) -> Html {
    let Props { send, view } = props;
    let (list, current) = (use_node_ref(), use_node_ref());
    use_effect_with(view.last, {
        let (list, current) = (list.clone(), current.clone());
        move |_| {
            let found = list.cast::<HtmlElement>().zip(current.cast::<HtmlElement>());
            found.iter().for_each(|(list, line)| keep_in_sight(list, line));
        }
    });
    let mark = |(at, mark): (usize, &MarkView)| {
        let is_now = view.last == Some(at);
        html! {
            <li key={at}>
                <button ref={if is_now { current.clone() } else { Default::default() }} type="button" class={classes!("lanes__mark", kind(mark.kind))}
                    aria-current={is_now.then_some("step")} onclick={sends(send, Msg::Seek(mark.at))}>
                    <b>{ say(&mark.clock) }</b>{ " " }<span>{ say(&mark.words) }</span>
                </button>
            </li>
        }
    };
    let skipped = view.marks.len().saturating_sub(LISTED);
    html! {
        <section class="lanes__differences" aria-labelledby="lanes-differences">
            <h3 class="heading" id="lanes-differences">{ say(text!("Where they differ")) }</h3>
            if view.marks.is_empty() { <p class="lanes__since">{ say(text!("None so far.")) }</p> }
            <ol ref={list} class="lanes__marks">{ for view.marks.iter().enumerate().skip(skipped).map(mark) }</ol>
        </section>
    }
}

/// Scrolls the list, and nothing else, to the current line.
fn keep_in_sight(list: &HtmlElement, line: &HtmlElement) {
    let (from, to) = (line.offset_top(), line.offset_top() + line.offset_height());
    if from < list.scroll_top() || to > list.scroll_top() + list.client_height() {
        list.set_scroll_top(to - list.client_height() + line.offset_height());
    }
}
