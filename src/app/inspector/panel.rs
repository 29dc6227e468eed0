//! The tabs. All panels stay on the page, so that typed text is never lost.

use super::editor::Editing;
use crate::app::browser::rove;
use crate::app::el::{Dispatch, El, On, button, el, group};
use crate::app::part::{Shown, part};
use crate::app::state::{Msg, Origin, State, Tab};

const TABS: [(Tab, &str, &str, &str, &str); 3] = [
    (Tab::Why, "tab-why", "panel-why", "panel panel--why", "Why"),
    (Tab::Events, "tab-events", "panel-events", "panel panel--events", "Events"),
    (Tab::Manifest, "tab-manifest", "panel-manifest", "panel panel--manifest", "Manifest"),
];

/// The inspector.
pub(crate) fn inspector(send: &Dispatch, state: &State, editing: &Editing) -> El {
    let refused = state.refused.clone().filter(|refused| refused.origin == Origin::Editor);
    let parts = [
        Shown::Why(state.view.why.clone()),
        Shown::Events(state.view.events.clone()),
        Shown::Editor { lines: editing.lines(), kept: editing.has_kept(), refused },
    ];
    let panels = group().each(TABS.iter().zip(parts), |((tab, id, panel, class, _), shown)| {
        el("div", class)
            .set("id", panel)
            .set("role", "tabpanel")
            .set("tabindex", "0")
            .set("aria-labelledby", id)
            .flag("hidden", *tab != state.tab)
            .add(part(send, None, shown))
    });
    el("aside", "inspector")
        .set("id", "inspector")
        .set("aria-label", "Inspector")
        .with(tabs(send, state.tab))
        .with(panels)
}

fn tabs(send: &Dispatch, chosen: Tab) -> El {
    let now = TABS.iter().position(|one| one.0 == chosen).unwrap_or(0);
    let tab = |(index, (tab, id, panel, _, name)): (usize, &(Tab, &str, &str, &str, &str))| -> El {
        button("tabs__one", send, Msg::Select(*tab))
            .set("id", id)
            .set("role", "tab")
            .truth("aria-selected", index == now)
            .set("aria-controls", panel)
            .set("tabindex", if index == now { "0" } else { "-1" })
            .text(name)
    };
    el("div", "tabs")
        .set("role", "tablist")
        .set("aria-label", "Inspector")
        .on(On::Key, send, move |event| Some(Msg::Select(TABS[rove(event, now, TABS.len(), false)?].0)))
        .each(TABS.iter().enumerate(), tab)
}
