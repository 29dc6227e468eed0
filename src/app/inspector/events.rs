//! The API's events, newest first.

use crate::app::language::say;
use crate::view::EventRow;
use std::rc::Rc;
use yew::{Html, Properties, classes, component, html};

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
pub(crate) fn latest(events: &[EventRow]) -> Html {
    let line = |row: &EventRow| {
        html! {
            <li key={row.key.clone()} class={classes!("latest__row", row.warning.then_some("is-warning"))}>
                <span class="events__age">{ row.age.clone() }</span>
                <span class="latest__reason">{ if row.warning { "! " } else { "" } }{ row.reason.clone() }</span>
                <span class="latest__message" title={row.message.clone()}>{ row.message.clone() }</span>
            </li>
        }
    };
    if events.is_empty() {
        return Html::default();
    }
    html! {
        <section class="latest" aria-labelledby="latest-title">
            <h2 id="latest-title" class="heading">{ say(text!("Latest events")) }</h2>
            <ul>{ for events.iter().take(LATEST).map(line) }</ul>
        </section>
    }
}
