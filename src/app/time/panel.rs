//! The panel at the bottom, and the tools that change the run and how much of it is seen.

use super::branches::{branches, branches_button};
use super::canvas::Canvas;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::icon::{Sign, sign};
use crate::app::language::say;
use crate::app::same::Same;
use crate::app::size::Size;
use crate::app::text_frame::{TextFrame, Throttle};
use crate::page::{Msg, Sheet, State, ZOOM};
use crate::text::Text;
use yew::{Html, html};

/// The panel.
pub(crate) fn timeline(send: &Dispatch, state: &State, size: Size) -> Html {
    let line = &state.timeline.line;
    let [pods, nodes] = &line.folds;
    let text_frame = pods.are_many().then_some(TextFrame::of(state).throttle(Throttle { every: 3, offset: 1 }));
    html! {
        <section class="time" aria-label={say(text!("Timeline"))}>
            <h2 class="unseen">{ say(text!("Timeline")) }</h2>
            if size != Size::Wide { { opener(send, state.panels.sheet) } }
            if size == Size::Phone && state.panels.sheet == Some(Sheet::Time) { <div class="time__tools">{ tools(send, state) }</div> }
            { branches(send, state) }
            { zoom(send, state) }
            <Canvas send={send.clone()} now={line.now} end={line.end} seen={state.timeline.seen(&state.stage.session)} plays={state.playback.playing} zoom={state.timeline.zoom} acts={Same::from(&line.acts)}
                syncs={line.syncs.clone()} pods={pods.rows.clone()} nodes={nodes.rows.clone()}
                shares={Same::from(&line.shares)} path={Same::from(&line.path)} {text_frame} clock={state.stage.view.clock.clone()}
                texts={state.text_frames.texts.clone()} />
            // Where the bar below has no room for words.
            if size == Size::Phone { { future(state) } }
        </section>
    }
}

/// What changes the run and how much of it is seen.
pub(crate) fn tools(send: &Dispatch, state: &State) -> Html {
    let (given, all) = (state.stage.session.commands_given(), state.stage.session.scenario().commands.len());
    let began = state.opened.began_with(&state.stage.session);
    html! {
        <>
            { branches_button(state) }
            if all > began {
                { tool(send, text!("Undo the last command"), Msg::Undo, given <= began, sign(Sign::Undo)) }
                { tool(send, text!("Redo the next command"), Msg::Redo, given >= all, sign(Sign::Redo)) }
            }
        </>
    }
}

/// How much of it is seen at once, in a corner of its own.
fn zoom(send: &Dispatch, state: &State) -> Html {
    html! {
        <div class="time__zoom">
            { tool(send, text!("Zoom out"), Msg::Zoom(-1), state.timeline.zoom == 0, "−".into()) }
            { tool(send, text!("Zoom in"), Msg::Zoom(1), state.timeline.zoom == ZOOM, "+".into()) }
        </div>
    }
}

fn tool(send: &Dispatch, name: Text, msg: Msg, off: bool, face: Html) -> Html {
    let name = say(name);
    html! {
        <button type="button" class="button button--square button--quiet" aria-label={name.clone()} title={name} disabled={off}
            onclick={sends(send, msg)}>{ face }</button>
    }
}

/// What acting now does to what is known of later; none where nothing is.
pub(crate) fn new_branch(state: &State) -> Option<Text> {
    let (at, known) = state.stage.session.position();
    let number = state.stage.session.branches().0.number;
    let is_before = at < known && !state.playback.playing && !state.locked;
    is_before.then(|| text!("A command here begins a new branch; what follows is kept as branch {}.", number))
}

fn future(state: &State) -> Html {
    new_branch(state).map(|words| html! { <p class="time__past">{ say(words) }</p> }).unwrap_or_default()
}

/// Opens and closes the timeline where it is only a strip.
fn opener(send: &Dispatch, sheet: Option<Sheet>) -> Html {
    let is_open = sheet == Some(Sheet::Time);
    let name = say(if is_open { text!("Fold the timeline") } else { text!("Show the whole timeline") });
    html! {
        <button type="button" class="button button--tool time__opener" aria-label={name.clone()} title={name}
            aria-expanded={is_open.to_string()} onclick={sends(send, Msg::Cover((!is_open).then_some(Sheet::Time)))}>
            { if is_open { "▼" } else { "▲" } }
        </button>
    }
}
