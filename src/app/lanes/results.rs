//! What each lane came to.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::host;
use crate::app::language::say;
use crate::page::{ComparisonMsg, Msg};
use crate::text::Text;
use crate::view::{LanesView, ResultCell, ResultRow, clock};
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) view: Rc<LanesView>,
}

/// The table.
#[component]
pub(super) fn Results(props: &Props) -> Html {
    let Props { send, view } = props;
    let count = sends(send, Msg::Comparison(ComparisonMsg::Count));
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
                if !host::is_locked() {
                    <button type="button" class="button button--small" onclick={count}>{ say(text!("Count from here")) }</button>
                }
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
