//! The whole page: where each part stands.

use super::controls::ControlsPanel;
use super::dialogs::dialogs;
use super::dispatch::{Dispatch, sends};
use super::header::Header;
use super::help::Help;
use super::inspector::{Chart, Shown, inspector};
use super::lanes;
use super::language::{is_chinese, say};
use super::panes::Panes;
use super::program::{Program, use_program};
use super::share::PrintedReport;
use super::size::{Size, use_size};
use super::stage::stage;
use super::time::{timeline, tools};
use super::transport::transport;
use crate::kubectl::{act_line, command_line};
use crate::page::{Msg, State};
use crate::session::Refusal;
use crate::text::Text;
use crate::view;
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html, use_memo};

/// The whole page.
#[component]
pub fn App() -> Html {
    let program = use_program();
    match program.as_ref() {
        // Another language is another page: its key makes every component anew, so none has to ask for the language.
        Ok(program) => {
            let program = Opened(program.clone());
            html! { <Page key={if is_chinese() { "zh" } else { "en" }} {program} /> }
        }
        Err(refusal) => refused(refusal),
    }
}

/// The program, whose state changes within: never the same as before.
#[derive(Clone)]
struct Opened(Rc<Program>);

impl PartialEq for Opened {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

#[derive(Properties, PartialEq)]
struct Props {
    program: Opened,
}

#[component]
fn Page(props: &Props) -> Html {
    let Opened(program) = &props.program;
    lanes::use_comparison_focus(program.state().lanes.is_some());
    let state = program.state();
    let shown = use_memo(Shown::key(&state), |_| Shown::of(&state));
    draw(&program.send, &state, use_size(), shown)
}

fn draw(send: &Dispatch, state: &State, size: Size, shown: Rc<Shown>) -> Html {
    let sheet = state.panels.sheet.map_or("none", |sheet| sheet.name());
    let asks = state.learn.guide(&state.stage).is_some_and(|guide| guide.asks);
    let tools = if size == Size::Phone { Html::default() } else { tools(send, state) };
    let flow = state
        .inspector
        .chart
        .then(|| view::flow(&state.stage.session, state.stage.set(), state.inspector.sync))
        .flatten();
    html! {
        <>
            // Not told by `:has`, which would look at every change of the page.
            <div class="app" hidden={state.lanes.is_some()} data-sheet={sheet} data-asks={asks.then_some("")}>
                // A comparison has a head of its own.
                if state.lanes.is_none() { { header(send, state) } }
                <Panes send={send.clone()} {size} sheet={state.panels.sheet} tab={state.panels.tab} />
                if !state.locked {
                    <ControlsPanel send={send.clone()} controls={state.stage.view.controls.clone()} refused={state.refused.clone()}
                        draft={state.panels.draft} last={last_change(state)} />
                }
                <div class="middle">{ stage(send, state) }{ timeline(send, state, size) }</div>
                { note(send, &state.note) }
                { inspector(send, state, shown) }
                { transport(send, state, tools) }
            </div>
            if let Some(comparison) = &state.lanes { { lanes::page(send, state, comparison) } }
            <div class="unseen" role="status" aria-live="polite">{ say(&state.announcer.text) }</div>
            <Help send={send.clone()} is_open={state.panels.help} />
            { dialogs(send, state) }
            if let Some(preview) = state.sharing.preview.clone() { <PrintedReport {preview} /> }
            <Chart send={send.clone()} flow={flow.map(Rc::new)} />
        </>
    }
}

fn header(send: &Dispatch, state: &State) -> Html {
    let can_start_over = !state.locked && state.stage.session.position().1 > state.stage.session.first_position();
    html! { <Header send={send.clone()} theme={state.theme} {can_start_over} /> }
}

/// The last command before the cursor as kubectl takes it, or what was done where kubectl cannot.
fn last_change(state: &State) -> (AttrValue, bool) {
    // What the run began with is nobody's click.
    if state.stage.session.commands_given() <= state.opened.began_with(&state.stage.session) {
        return Default::default();
    }
    let Some(command) = state.stage.last_command() else { return Default::default() };
    let line = command_line(command);
    if line.is_empty() { (act_line(command).into(), false) } else { (line.into(), true) }
}

/// A notice shown until it is dismissed.
fn note(send: &Dispatch, words: &Text) -> Html {
    if words.is_empty() {
        return Html::default();
    }
    html! {
        <div class="note" role="alert">
            <p>{ say(words) }</p>
            <button type="button" class="button button--small" onclick={sends(send, Msg::Read)}>{ say(text!("Dismiss")) }</button>
        </div>
    }
}

fn refused(refusal: &Refusal) -> Html {
    html! {
        <main class="boot">
            <h1>{ "SetScope" }</h1>
            <p>{ say(text!("The first manifest was refused, which is a bug in SetScope:")) }</p>
            { for refusal.problems.iter().map(|problem| html! { <p>{ say(problem.text()) }</p> }) }
        </main>
    }
}
