//! The API's events, newest first.

use crate::view::EventRow;
use std::rc::Rc;
use yew::prelude::*;

/// More than that is not read; older rows are in the run, not on the page.
const AT_MOST: usize = 200;

#[derive(Properties, PartialEq)]
pub(crate) struct EventsProps {
    pub(crate) events: Rc<Vec<EventRow>>,
}

/// The table.
#[component]
pub(crate) fn Events(props: &EventsProps) -> Html {
    html! {
        <>
            <h2 class="panel__title">{ "Events" }</h2>
            if props.events.is_empty() {
                <p class="field__means">{ "No events yet." }</p>
            }
            <table class="events">
                <thead><tr><th scope="col">{ "Age" }</th><th scope="col">{ "Reason" }</th><th scope="col">{ "What happened" }</th></tr></thead>
                <tbody>
                    for row in props.events.iter().take(AT_MOST) {
                        <tr key={row.key.clone()} class={row.warning.then_some("is-warning")}>
                            <td class="events__age">{ &row.age }</td>
                            <td class="events__reason">{ if row.warning { "! " } else { "" } }{ &row.reason }</td>
                            <td class="events__message"><span class="events__about">{ &row.about }{ " · " }{ &row.from }</span>{ &row.message }</td>
                        </tr>
                    }
                </tbody>
            </table>
        </>
    }
}

/// So many fit below the nodes.
const LATEST: usize = 3;

/// The newest events in one line each.
#[component]
pub(crate) fn Latest(props: &EventsProps) -> Html {
    if props.events.is_empty() {
        return Html::default();
    }
    html! {
        <section class="latest" aria-labelledby="latest-title">
            <h2 id="latest-title" class="heading">{ "Latest events" }</h2>
            <ul>
                for row in props.events.iter().take(LATEST) {
                    <li key={row.key.clone()} class={classes!("latest__row", row.warning.then_some("is-warning"))}>
                        <span class="events__age">{ &row.age }</span>
                        <span class="latest__reason">{ if row.warning { "! " } else { "" } }{ &row.reason }</span>
                        <span class="latest__message" title={row.message.clone()}>{ &row.message }</span>
                    </li>
                }
            </ul>
        </section>
    }
}
