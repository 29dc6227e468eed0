//! The page of a comparison: its head, the lanes, the table and the differences; below them the controls and the time.

use super::controls::controls;
use super::lane::lane;
use super::table::{Results, differences};
use super::time::{bar, timeline};
use crate::app::dialogs::{open_here, outside};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, button, el, group, text};
use crate::app::gallery::Telling;
use crate::app::header::Header;
use crate::page::ComparisonMsg;
use crate::page::ComparisonPage;
use crate::page::Theme;
use crate::page::{Msg, State};
use crate::text::Text;
use yew::html;

/// The id of what the page is about.
pub(super) const MAIN: &str = "lanes-main";

/// The page.
pub(crate) fn page(send: &Dispatch, state: &State, comparison: &ComparisonPage, theme: Theme) -> El {
    let view = &comparison.view;
    let (count, many) = (view.lanes.len(), view.lanes.len().to_string());
    let one = |(at, one)| lane(send, at, one, count).key(&at.to_string());
    let lanes =
        el("div", "lanes__row").set("style", &["--lanes:", &many].concat()).each(view.lanes.iter().enumerate(), one);
    let main = el("main", "lanes__main")
        .set("id", MAIN)
        .set("tabindex", "-1")
        .with(head(send, comparison))
        .add(outside(send, state))
        .with(lanes)
        .with(
            el("div", "lanes__found")
                .add(html! { <Results send={send.clone()} view={view.clone()} /> })
                .with(differences(send, view)),
        )
        .add(open_here(send));
    el("div", "lanes")
        .set("data-sheet", state.sheet.map_or("none", |sheet| sheet.name()))
        .add(html! { <Header send={send.clone()} {theme} /> })
        .with(main)
        .with(controls(send, comparison))
        .with(bar(send, state, comparison))
        .with(timeline(send, view))
}

fn head(send: &Dispatch, comparison: &ComparisonPage) -> El {
    let title = &comparison.about.title;
    let title = if title.is_empty() { text!("Side by side") } else { Text::authored(title) };
    let about = comparison.shows_about.then(|| {
        html! {
            <Telling send={send.clone()} about={comparison.about.clone()} said={comparison.told()} is_untitled={true} />
        }
    });
    group()
        .with(el("div", "lanes__head").with(text("h2", "lanes__title", title)).with(
            button("button", send, Msg::Comparison(ComparisonMsg::Close)).text(text!("Close")).with(text(
                "span",
                "",
                text!(" the comparison"),
            )),
        ))
        .add(about.unwrap_or_default())
}
