//! The whole page: where each part stands.

use super::after_render::AfterRender;
use super::controls::ControlsPanel;
use super::dialogs::dialogs;
use super::dispatch::Dispatch;
use super::el::{El, button, el, group, text, verbatim};
use super::header::Header;
use super::help::Help;
use super::inspector::{Chart, inspector};
use super::lanes;
use super::language::is_chinese;
use super::panes::Panes;
use super::program::{Program, use_program};
use super::share::PrintedReport;
use super::size::{Size, use_size};
use super::stage::stage;
use super::time::{timeline, tools};
use super::transport::transport;
use crate::page::{Msg, State};
use crate::session::Refusal;
use crate::text::Text;
use crate::view;
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_effect, use_mut_ref};

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
        Err(refusal) => refused(refusal).into(),
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
    let after_render = use_mut_ref(AfterRender::default);
    {
        let program = program.clone();
        use_effect(move || after_render.borrow_mut().apply(&program.state()));
    }
    draw(&program.send, &program.state(), use_size())
}

fn draw(send: &Dispatch, state: &State, size: Size) -> Html {
    let app = el("div", "app")
        .flag("hidden", state.lanes.is_some())
        .set("data-sheet", state.sheet.map_or("none", |sheet| sheet.name()))
        // A comparison has a head of its own.
        .add(if state.lanes.is_some() { Html::default() } else { header(send, state) })
        .add(html! { <Panes send={send.clone()} {size} sheet={state.sheet} tab={state.tab} /> })
        .add(html! { <ControlsPanel send={send.clone()} controls={state.view.controls.clone()} refused={state.refused.clone()} /> })
        .with(el("div", "middle").add(stage(send, state)).with(timeline(send, state, size)))
        .maybe(note(send, &state.note))
        .add(inspector(send, state))
        .add(transport(send, state, if size == Size::Phone { Html::default() } else { tools(send, state).into() }));
    let flow = state.inspector.chart.then(|| view::flow(&state.session, state.set(), state.inspector.sync)).flatten();
    let spoken = text("div", "unseen", &state.announcement).set("role", "status").set("aria-live", "polite");
    group()
        .with(app)
        .maybe(state.lanes.as_ref().map(|comparison| lanes::page(send, state, comparison, state.theme)))
        .with(spoken)
        .add(html! { <Help send={send.clone()} is_open={state.help} /> })
        .add(dialogs(send, state))
        .add(html! { if let Some(preview) = state.sharing.preview.clone() { <PrintedReport {preview} /> } })
        .add(html! { <Chart send={send.clone()} flow={flow.map(Rc::new)} /> })
        .into()
}

fn header(send: &Dispatch, state: &State) -> Html {
    let can_start_over = !state.locked && state.session.position().1 > state.session.first_position();
    html! { <Header send={send.clone()} theme={state.theme} {can_start_over} /> }
}

/// A notice shown until it is dismissed.
fn note(send: &Dispatch, words: &Text) -> Option<El> {
    (!words.is_empty()).then(|| {
        el("div", "note")
            .set("role", "alert")
            .with(text("p", "", words))
            .with(button("button button--small", send, Msg::Read).text(text!("Dismiss")))
    })
}

fn refused(refusal: &Refusal) -> El {
    el("main", "boot")
        .with(verbatim("h1", "", "SetScope"))
        .with(text("p", "", text!("The first manifest was refused, which is a bug in SetScope:")))
        .with(group().each(&refusal.problems, |problem| text("p", "", problem.text())))
}
