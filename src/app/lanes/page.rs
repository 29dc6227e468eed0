//! The page of a comparison: what came of it, the lanes, and the differences; below them the time and the controls.

use super::controls::Controls;
use super::differences::Differences;
use super::results::Results;
use super::transport::transport;
use crate::app::browser::{by_id, document, focus};
use crate::app::dialogs::{open_here, outside};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::gallery::Telling;
use crate::app::header::Header;
use crate::app::language::say;
use crate::page::{ComparisonMsg, ComparisonPage, Msg, State};
use crate::sim::Failure;
use crate::text::Text;
use crate::view::{MarkKind, MarkView};
use web_sys::Element;
use yew::{Html, classes, hook, html, use_effect_with, use_mut_ref};

/// The id of what the page is about.
const MAIN: &str = "lanes-main";

/// The page.
pub(crate) fn page(send: &Dispatch, state: &State, comparison: &ComparisonPage) -> Html {
    let view = &comparison.view;
    html! {
        <div class="lanes" data-sheet={state.panels.sheet.map_or("none", |sheet| sheet.name())}>
            <Header send={send.clone()} theme={state.theme} />
            <main class="lanes__main" id={MAIN} tabindex="-1">
                { head(send, comparison) }
                { outside(send, state) }
                { ask(send, state, comparison) }
                <div class="lanes__found">
                    <Results send={send.clone()} view={view.clone()} plays={state.playback.playing} manifests={comparison.manifests()} />
                    <Differences send={send.clone()} view={view.clone()} />
                </div>
                { open_here(send) }
            </main>
            { transport(send, state, comparison) }
            if !state.locked {
                <Controls send={send.clone()} view={view.clone()} aim={comparison.aim} line={comparison.line.clone()}
                    refused={comparison.refused.clone()} proposed={comparison.proposed()} />
            }
        </div>
    }
}

/// What shall happen, where nothing has happened since the lanes began.
fn ask(send: &Dispatch, state: &State, comparison: &ComparisonPage) -> Html {
    let view = &comparison.view;
    let is_act = |mark: &MarkView| matches!(mark.kind, MarkKind::Act | MarkKind::Fault);
    if state.locked || comparison.named || view.marks.iter().any(|mark| is_act(mark) && mark.at >= view.since) {
        return Html::default();
    }
    let (Some(controls), Some(lane)) = (&state.stage.view.controls, view.lanes.first()) else { return Html::default() };
    let offer = |at: usize, words: Text, msg: ComparisonMsg| {
        let onclick = sends(send, Msg::Comparison(ComparisonMsg::AndOn(Box::new(msg))));
        let class = classes!("button", (at == 0).then_some("button--primary"));
        html! { <button type="button" {class} {onclick}>{ say(words) }</button> }
    };
    let node = lane.tiles.iter().rev().map(|tile| &tile.node).find(|node| !node.is_empty());
    let more = lane.ready.1 + 2;
    html! {
        <div class="next lanes__ask" role="group" aria-label={say(text!("What shall happen?"))}>
            <span class="next__title">{ say(text!("What shall happen?")) }</span>
            if let Some(node) = node {
                { offer(0, text!("Cut the power of {}", &**node), ComparisonMsg::Fail(node.to_string(), Failure::PowerLost)) }
            }
            { offer(1, text!("Update to {}", &*controls.next_image), ComparisonMsg::Image(controls.next_image.to_string())) }
            { offer(2, text!("Scale to {} pods", more), ComparisonMsg::Replicas(more)) }
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
                <div>
                    <h2 class="lanes__title">{ say(title) }</h2>
                    <p class="lanes__result">{ say(&comparison.view.result) }</p>
                </div>
                <button type="button" class="button" onclick={sends(send, Msg::Comparison(ComparisonMsg::Close))}>
                    <span>{ say(text!("Close the comparison")) }</span><span class="lanes__short">{ say(text!("Close")) }</span>
                </button>
            </div>
            if comparison.shows_about {
                <Telling send={send.clone()} about={comparison.about.clone()} said={comparison.told()} is_untitled={true} />
            }
        </>
    }
}
