//! The set's status, field by field.

use super::sync_bar::SyncBar;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::text::Text;
use crate::view::{Status, StatusRow, SyncView};
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) status: Option<Rc<Status>>,
    pub(super) sync: Option<Rc<SyncView>>,
}

/// The panel.
#[component]
pub(super) fn StatusPanel(props: &Props) -> Html {
    let Some(status) = &props.status else {
        return html! { <p class="field__means">{ say(text!("There is no StatefulSet.")) }</p> };
    };
    html! {
        <>
            if let Some(sync) = &props.sync { <SyncBar send={props.send.clone()} sync={sync.clone()} /> }
            <p class="sync__summary">{ say(text!("{}.", status.title)) }</p>
            <p class="field__means">{ say(&status.generation) }</p>
            <table class="events status">
                <thead><tr>
                    <th scope="col">{ say(text!("Field")) }</th><th scope="col">{ say(text!("Value")) }</th>
                </tr></thead>
                <tbody>{ for status.rows.iter().map(row) }</tbody>
            </table>
        </>
    }
}

fn row(row: &StatusRow) -> Html {
    let value = if row.value.is_empty() { text!("not set") } else { Text::verbatim(&row.value) };
    let was = row
        .before
        .as_ref()
        .map(|before| if before.is_empty() { text!("changed, was not set") } else { text!("changed, was {}", before) });
    html! {
        <tr key={row.name.clone()} class={if was.is_some() { "is-changed" } else { "" }}>
            <th class="status__name" scope="row">
                <code>{ row.name.clone() }</code>
                if !row.means.is_empty() { <span class="events__about">{ say(Text::fixed(row.means)) }</span> }
            </th>
            <td class="status__value">
                <code>{ say(value) }</code>
                if let Some(was) = was { <span class="status__was">{ say(was) }</span> }
            </td>
        </tr>
    }
}
