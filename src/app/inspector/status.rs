//! The set's status, field by field.

use super::why::sync_bar;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, el, group, text, verbatim};
use crate::text::Text;
use crate::view::{Status, StatusRow, SyncView};

/// The tab.
pub(crate) fn status(send: &Dispatch, status: Option<&Status>, sync: Option<&SyncView>) -> El {
    let Some(status) = status else {
        return text("p", "field__means", text!("There is no StatefulSet."));
    };
    let heads = el("tr", "").each([text!("Field"), text!("Value")], |name| text("th", "", name).set("scope", "col"));
    group()
        .maybe(sync.map(|sync| sync_bar(send, sync)))
        .with(text("p", "sync__summary", &text!("{}.", status.title)))
        .with(text("p", "field__means", &status.generation))
        .with(
            el("table", "events status")
                .with(el("thead", "").with(heads))
                .with(el("tbody", "").each(&status.rows, row)),
        )
}

fn row(row: &StatusRow) -> El {
    let name = el("th", "status__name").set("scope", "row").with(verbatim("code", "", &row.name));
    let value = if row.value.is_empty() { text!("not set") } else { Text::verbatim(&row.value) };
    let was = row.before.as_ref().map(|before| {
        let was = if before.is_empty() { text!("changed, was not set") } else { text!("changed, was {}", before) };
        text("span", "status__was", &was)
    });
    el("tr", if was.is_some() { "is-changed" } else { "" })
        .key(&row.name)
        .with(name.line("span", "events__about", Text::fixed(row.means)))
        .with(el("td", "status__value").with(text("code", "", value)).maybe(was))
}
