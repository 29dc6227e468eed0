//! What the lanes came to, and where they differ.

use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, text};
use crate::app::language::say;
use crate::page::ComparisonMsg;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{LanesView, MarkKind, MarkView, ResultCell, ResultRow, clock};
use std::rc::Rc;
use web_sys::MouseEvent;
use yew::{Html, Properties, classes, component, html};

/// Differences in the list, at most: the newest.
const LISTED: usize = 100;
/// The list, and the line of it that is now.
pub(super) const LIST: &str = "lanes-marks";
pub(super) const CURRENT: &str = "lanes-mark-now";

/// The table.
#[derive(Properties, PartialEq)]
pub(super) struct TableProps {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
}

#[component]
pub(super) fn Results(props: &TableProps) -> Html {
    let view = &props.view;
    let count = props.send.reform(|_: MouseEvent| Msg::Comparison(ComparisonMsg::Count));
    html! {
        <section class="lanes__table" aria-label={say(text!("Results of each lane"))}>
            <table>
                <caption class="unseen">{ say(text!("Results of each lane")) }</caption>
                <thead>
                    <tr>
                        <td />
                        { for view.lanes.iter().map(|lane| html! { <th scope="col">{ say(Text::authored(&lane.name)) }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for view.table.iter().map(row) }</tbody>
            </table>
            <p class="lanes__since">
                { say(text!("Counted since {}", clock(view.since))) }
                <button type="button" class="button button--small" onclick={count}>{ say(text!("Count from here")) }</button>
            </p>
        </section>
    }
}

fn row(row: &ResultRow) -> Html {
    let differs = row.cells.iter().any(|cell| cell.text != row.cells[0].text);
    html! {
        <tr class={classes!(differs.then_some("is-different"))}>
            <th scope="row">{ say(Text::fixed(row.name)) }</th>
            { for row.cells.iter().map(cell) }
        </tr>
    }
}

fn cell(cell: &ResultCell) -> Html {
    let bar = cell.share.filter(|share| *share > 0).map(|share| {
        html! { <i class="lanes__share" style={format!("--share: {share}%")} aria-hidden="true" /> }
    });
    html! { <td class={classes!(cell.is_bad.then_some("is-bad"))}>{ say(&cell.text) }{ bar }</td> }
}

/// What happened, and the moments at which the lanes begin to differ, differ otherwise, or are alike again.
pub(super) fn differences(send: &Dispatch, view: &LanesView) -> El {
    let skipped = view.marks.len().saturating_sub(LISTED);
    let mark = |(at, mark): (usize, &MarkView)| {
        let one = button("lanes__mark", send, Msg::Seek(mark.at))
            .class(kind(mark.kind))
            .with(text("b", "", &mark.clock))
            .verbatim(" ")
            .with(text("span", "", &mark.words));
        el("li", "").with(if view.last == Some(at) { one.set("aria-current", "step").set("id", CURRENT) } else { one })
    };
    let none = view.marks.is_empty().then(|| text("p", "lanes__since", text!("None so far.")));
    el("section", "lanes__differences")
        .set("aria-labelledby", "lanes-differences")
        .with(text("h3", "heading", text!("Where they differ")).set("id", "lanes-differences"))
        .maybe(none)
        .with(el("ol", "lanes__marks").set("id", LIST).each(view.marks.iter().enumerate().skip(skipped), mark))
}

/// The class of what is marked.
pub(super) fn kind(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Act => "is-act",
        MarkKind::Fault => "is-fault",
        MarkKind::Differ => "is-different",
        MarkKind::Alike => "is-alike",
    }
}
