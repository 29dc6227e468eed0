//! The page of a comparison: its head, the controls of all lanes, the lanes, the table, the time.

use super::act::{Beside, LanesMsg};
use super::controls::controls;
use super::lane::lane;
use super::table::{differences, table};
use super::time::{bar, timeline};
use crate::app::dialogs::notes;
use crate::app::el::{Dispatch, El, button, el, group, text};
use crate::app::state::{Msg, State};
use crate::app::theme::Theme;
use crate::app::top_bar::top_bar;
use crate::session::variants::Variant;

/// The page.
#[inline(never)]
pub(crate) fn page(send: &Dispatch, state: &State, beside: &Beside, theme: Theme) -> El {
    let view = &beside.view;
    let (count, many) = (view.lanes.len(), view.lanes.len().to_string());
    let one = |(at, one)| lane(send, beside, at, one, count).key(&at.to_string());
    let lanes =
        el("div", "lanes__row").set("style", &["--lanes:", &many].concat()).each(view.lanes.iter().enumerate(), one);
    let refused = (!beside.refused.is_empty()).then(|| {
        el("div", "refusal lanes__refusal")
            .set("role", "alert")
            .with(el("div", "").each(&beside.refused, |words| text("p", "refusal__words", words)))
            .with(button("button button--small", send, Msg::Lanes(LanesMsg::Read)).text("Dismiss"))
    });
    let title = if beside.about.title.is_empty() { "Side by side" } else { &beside.about.title };
    let head = el("div", "lanes__head")
        .with(text("h2", "lanes__title", title))
        .with(button("button button--small", send, Msg::Lanes(LanesMsg::Close)).text("Close the comparison"));
    let main = el("main", "lanes__main")
        .set("tabindex", "-1")
        .with(head)
        .with(notes(send, &state.sharing))
        .with(controls(send, view))
        .maybe(refused)
        .with(lanes)
        .with(el("div", "lanes__found").with(table(send, view)).with(differences(send, view)));
    el("div", "lanes").with(top_bar(send, theme)).with(main).with(timeline(send, view)).with(bar(send, state, beside))
}

/// What the present run can be compared with, as buttons.
#[inline(never)]
pub(crate) fn with_what(send: &Dispatch) -> El {
    let offer =
        |(variant, name): &(Variant, &str)| button("button", send, Msg::Lanes(LanesMsg::With(*variant))).text(name);
    group().with(text("h3", "heading", "The present set and")).with(el("div", "dialog__row").each(&Variant::ALL, offer))
}
