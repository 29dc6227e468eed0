//! The API's events, newest first.

use crate::app::el::{El, el, group, text, verbatim};
use crate::view::EventRow;

/// Rows shown, at most; older events are reached by going back in the run.
const AT_MOST: usize = 200;

/// The table.
pub(crate) fn events(events: &[EventRow]) -> El {
    let heads = [text!("Age"), text!("Reason"), text!("What happened")];
    let heads = el("tr", "").each(heads, |name| text("th", "", name).set("scope", "col"));
    let none = events.is_empty().then(|| text("p", "field__means", text!("No events yet.")));
    let rows = el("tbody", "").each(events.iter().take(AT_MOST), row);
    group()
        .with(text("h2", "panel__title", text!("Events")))
        .maybe(none)
        .with(el("table", "events").with(el("thead", "").with(heads)).with(rows))
}

fn row(row: &EventRow) -> El {
    let about = verbatim("span", "events__about", &format!("{} · {}", row.about, row.from));
    marked(el("tr", ""), row)
        .with(verbatim("td", "events__age", &row.age))
        .with(reason("td", "events__reason", row))
        .with(el("td", "events__message").with(about).verbatim(&row.message))
}

fn marked(el: El, row: &EventRow) -> El {
    el.key(&row.key).class(if row.warning { "is-warning" } else { "" })
}

fn reason(tag: &'static str, class: &str, row: &EventRow) -> El {
    verbatim(tag, class, if row.warning { "! " } else { "" }).verbatim(&row.reason)
}

/// Events shown below the nodes.
const LATEST: usize = 3;

/// The newest events in one line each.
pub(crate) fn latest(events: &[EventRow]) -> Option<El> {
    let line = |row: &EventRow| {
        marked(el("li", "latest__row"), row)
            .with(verbatim("span", "events__age", &row.age))
            .with(reason("span", "latest__reason", row))
            .with(verbatim("span", "latest__message", &row.message).set("title", &row.message))
    };
    (!events.is_empty()).then(|| {
        el("section", "latest")
            .set("aria-labelledby", "latest-title")
            .with(text("h2", "heading", text!("Latest events")).set("id", "latest-title"))
            .with(el("ul", "").each(events.iter().take(LATEST), line))
    })
}
