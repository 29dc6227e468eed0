//! What the lanes came to, and where they differ.

use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, text};
use crate::page::ComparisonMsg;
use crate::page::Msg;
use crate::text::Text;
use crate::view::{LanesView, MarkKind, MarkView, clock};

/// Differences in the list, at most: the newest.
const LISTED: usize = 100;
/// The list, and the line of it that is now.
pub(super) const LIST: &str = "lanes-marks";
pub(super) const CURRENT: &str = "lanes-mark-now";

/// The table.
pub(super) fn table(send: &Dispatch, view: &LanesView) -> El {
    let head = el("tr", "")
        .with(el("td", ""))
        .each(&view.lanes, |lane| text("th", "", Text::authored(&lane.name)).set("scope", "col"));
    let row = |(name, values): &(&'static str, Vec<Text>)| {
        let first = values.first();
        let differs = values.iter().any(|value| Some(value) != first);
        el("tr", "")
            .class(if differs { "is-different" } else { "" })
            .with(text("th", "", Text::fixed(name)).set("scope", "row"))
            .each(values, |value| text("td", "", value))
    };
    let since = text!("Counted since {}", clock(view.since));
    el("section", "lanes__table")
        .say("aria-label", text!("Results of each lane"))
        .with(
            el("table", "")
                .with(text("caption", "unseen", text!("Results of each lane")))
                .with(el("thead", "").with(head))
                .with(el("tbody", "").each(&view.table, row)),
        )
        .with(el("p", "lanes__since").text(&since).with(
            button("button button--small", send, Msg::Comparison(ComparisonMsg::Count)).text(text!("Count from here")),
        ))
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
