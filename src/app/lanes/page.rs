//! The page of a comparison: its head, the lanes, the table and the differences; below them the controls and the time.

use super::controls::Controls;
use super::differences::Differences;
use super::lane::Lane;
use super::results::Results;
use super::time::Time;
use super::transport::transport;
use crate::app::browser::{by_id, document, focus};
use crate::app::dialogs::{open_here, outside};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::gallery::Telling;
use crate::app::header::Header;
use crate::app::language::say;
use crate::app::same::Same;
use crate::page::{ComparisonMsg, ComparisonPage, Msg, State};
use crate::text::Text;
use web_sys::Element;
use yew::{Html, hook, html, use_effect_with, use_mut_ref};

/// The id of what the page is about.
const MAIN: &str = "lanes-main";

/// The page.
pub(crate) fn page(send: &Dispatch, state: &State, comparison: &ComparisonPage) -> Html {
    let view = &comparison.view;
    let count = view.lanes.len();
    let manifests = comparison.manifests();
    let lane = |(at, (lane, manifest))| {
        html! { <Lane key={at} send={send.clone()} {at} {count} lane={Same::from(lane)} {manifest} /> }
    };
    html! {
        <div class="lanes" data-sheet={state.sheet.map_or("none", |sheet| sheet.name())}>
            <Header send={send.clone()} theme={state.theme} />
            <main class="lanes__main" id={MAIN} tabindex="-1">
                { head(send, comparison) }
                { outside(send, state) }
                <div class="lanes__row" style={format!("--lanes:{count}")}>
                    { for view.lanes.iter().zip(manifests).enumerate().map(lane) }
                </div>
                <div class="lanes__found">
                    <Results send={send.clone()} view={view.clone()} />
                    <Differences send={send.clone()} view={view.clone()} />
                </div>
                { open_here(send) }
            </main>
            if !state.locked {
                <Controls send={send.clone()} view={view.clone()} aim={comparison.aim} line={comparison.line.clone()}
                    refused={comparison.refused.clone()} proposed={comparison.proposed()} />
            }
            { transport(send, state, comparison) }
            <Time send={send.clone()} view={view.clone()} plays={state.playing} />
        </div>
    }
}

/// Gives the focus to the comparison when it is opened, and to the stage when it is closed. For the page itself, whose effects
/// follow those of the dialog in which it was chosen.
#[hook]
pub(crate) fn use_comparison_focus(is_open: bool) {
    let was_open = use_mut_ref(|| false);
    use_effect_with(is_open, move |is_open| {
        let to = match (was_open.replace(*is_open), is_open) {
            (false, true) => by_id::<Element>(MAIN),
            (true, false) => document().and_then(|document| document.query_selector(".stage").ok()?),
            _ => None,
        };
        to.iter().for_each(focus);
    });
}

fn head(send: &Dispatch, comparison: &ComparisonPage) -> Html {
    let title = &comparison.about.title;
    let title = if title.is_empty() { text!("Side by side") } else { Text::authored(title) };
    html! {
        <>
            <div class="lanes__head">
                <h2 class="lanes__title">{ say(title) }</h2>
                <button type="button" class="button" onclick={sends(send, Msg::Comparison(ComparisonMsg::Close))}>
                    { say(text!("Close")) }<span>{ say(text!(" the comparison")) }</span>
                </button>
            </div>
            if comparison.shows_about {
                <Telling send={send.clone()} about={comparison.about.clone()} said={comparison.told()} is_untitled={true} />
            }
        </>
    }
}
