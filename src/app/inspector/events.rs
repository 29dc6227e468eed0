//! The API's events, newest first.

use crate::app::el::{El, el, text, verbatim};
use crate::app::language::say;
use crate::view::EventRow;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Rows shown, at most; older events are reached by going back in the run.
const AT_MOST: usize = 200;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) events: Rc<Vec<EventRow>>,
}

/// The table.
#[component]
pub(super) fn Events(props: &Props) -> Html {
    html! {
        <>
            <h2 class="unseen">{ say(text!("Events")) }</h2>
            if props.events.is_empty() { <p class="field__means">{ say(text!("No events yet.")) }</p> }
            <table class="events">
                <thead><tr>
                    <th scope="col">{ say(text!("Age")) }</th>
                    <th scope="col">{ say(text!("Reason")) }</th>
                    <th scope="col">{ say(text!("What happened")) }</th>
                </tr></thead>
                <tbody>{ for props.events.iter().take(AT_MOST).map(row) }</tbody>
            </table>
        </>
    }
}

fn row(row: &EventRow) -> Html {
    html! {
        <tr key={row.key.clone()} class={if row.warning { "is-warning" } else { "" }}>
            <td class="events__age">{ row.age.clone() }</td>
            <td class="events__reason">{ if row.warning { "! " } else { "" } }{ row.reason.clone() }</td>
            <td class="events__message">
                <span class="events__about">{ format!("{} · {}", row.about, row.from) }</span>
                { row.message.clone() }
            </td>
        </tr>
    }
}

/// Events shown below the nodes.
const LATEST: usize = 3;

/// The newest events in one line each.
pub(crate) fn latest(events: &[EventRow]) -> Option<El> {
    let line = |row: &EventRow| {
        el("li", "latest__row")
            .key(&row.key)
            .class(if row.warning { "is-warning" } else { "" })
            .with(verbatim("span", "events__age", &row.age))
            .with(verbatim("span", "latest__reason", if row.warning { "! " } else { "" }).verbatim(&row.reason))
            .with(verbatim("span", "latest__message", &row.message).set("title", &row.message))
    };
    (!events.is_empty()).then(|| {
        el("section", "latest")
            .set("aria-labelledby", "latest-title")
            .with(text("h2", "heading", text!("Latest events")).set("id", "latest-title"))
            .with(el("ul", "").each(events.iter().take(LATEST), line))
    })
}
