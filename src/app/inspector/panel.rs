//! The tabs. All panels stay on the page, so that typed text is never lost.

use super::revisions::revisions;
use super::status::status;
use super::terminal::terminal;
use super::why::why;
use crate::app::browser::rove;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group};
use crate::app::part::{Shown, part};
use crate::page::{Msg, Origin, State, Tab};
use crate::text::Text;
use crate::view;

const TABS: [(Tab, &str, &str, &str); 6] = [
    (Tab::Why, "tab-why", "panel-why", "panel panel--why"),
    (Tab::Kubectl, "tab-kubectl", "panel-kubectl", "panel panel--kubectl"),
    (Tab::Events, "tab-events", "panel-events", "panel panel--events"),
    (Tab::Status, "tab-status", "panel-status", "panel panel--status"),
    (Tab::Revisions, "tab-revisions", "panel-revisions", "panel panel--revisions"),
    (Tab::Manifest, "tab-manifest", "panel-manifest", "panel panel--manifest"),
];

fn tab_name(tab: Tab) -> Text {
    match tab {
        Tab::Why => text!("Why"),
        Tab::Kubectl => Text::verbatim("kubectl"),
        Tab::Events => text!("Events"),
        Tab::Status => text!("Status"),
        Tab::Revisions => text!("Revisions"),
        Tab::Manifest => text!("Manifest"),
    }
}

/// The inspector.
pub(crate) fn inspector(send: &Dispatch, state: &State) -> El {
    let refused = state.refused.clone().filter(|refused| refused.origin == Origin::Editor);
    let panels = group().each(&TABS, |(tab, id, panel, class)| {
        let panel = el("div", class)
            .set("id", panel)
            .set("role", "tabpanel")
            .set("tabindex", "0")
            .set("aria-labelledby", id)
            .flag("hidden", *tab != state.tab);
        match tab {
            Tab::Events => panel.add(part(send, None, Shown::Events(state.view.events.clone()))),
            Tab::Manifest => {
                panel.add(part(send, None, Shown::Editor { editor: state.editor.clone(), refused: refused.clone() }))
            }
            // These show the current moment and hold no typed text, so only the visible one is drawn.
            _ if *tab != state.tab => panel,
            _ => panel.with(chosen(send, state)),
        }
    });
    el("aside", "inspector")
        .set("id", "inspector")
        .say("aria-label", text!("Inspector"))
        .with(tabs(send, state.tab))
        .with(panels)
}

/// The chosen tab, drawn from the run as it is now.
fn chosen(send: &Dispatch, state: &State) -> El {
    let (session, set, number) = (&state.session, state.set(), state.inspector.sync);
    let sync = || view::sync(session, set, number);
    match state.tab {
        Tab::Why => why(send, sync().as_ref()),
        Tab::Status => status(send, view::status(session, set, number).as_ref(), sync().as_ref()),
        Tab::Revisions => {
            let shown = view::revisions(session, set, state.inspector.compared);
            revisions(send, shown.as_ref(), state.refused.as_deref())
        }
        _ => terminal(send, state),
    }
}

fn tabs(send: &Dispatch, chosen: Tab) -> El {
    let now = TABS.iter().position(|one| one.0 == chosen).unwrap_or(0);
    let tab = |(index, (tab, id, panel, _)): (usize, &(Tab, &str, &str, &str))| -> El {
        button("tabs__one", send, Msg::Select(*tab))
            .set("id", id)
            .set("role", "tab")
            .truth("aria-selected", index == now)
            .set("aria-controls", panel)
            .set("tabindex", if index == now { "0" } else { "-1" })
            .text(tab_name(*tab))
    };
    el("div", "tabs")
        .set("role", "tablist")
        .say("aria-label", text!("Inspector"))
        .on(On::Key, send, move |event| Some(Msg::Select(TABS[rove(event, now, TABS.len(), false)?].0)))
        .each(TABS.iter().enumerate(), tab)
}
