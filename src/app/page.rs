//! The whole page: the state, and where each part stands.

use super::controls::ControlsPanel;
use super::dispatch::Dispatch;
use super::hooks::{use_keyboard, use_ticker};
use super::inspector::Inspector;
use super::keys_dialog::KeysDialog;
use super::live::Live;
use super::stage::Stage;
use super::start;
use super::state::{Sheet, State};
use super::top_bar::TopBar;
use super::transport::Transport;
use crate::session::Session;
use yew::prelude::*;

/// The whole page.
#[component]
pub fn App() -> Html {
    let session = use_memo((), |()| start::session());
    match &*session {
        Ok(session) => html! { <Page session={Start(session.clone())} /> },
        Err(refusal) => html! {
            <main class="boot">
                <h1>{ "SetScope" }</h1>
                <p>{ "The first manifest was refused, which is a mistake of ours:" }</p>
                for problem in refusal.problems.iter() {
                    <p>{ &problem.message }</p>
                }
            </main>
        },
    }
}

#[derive(Clone)]
struct Start(Session);

// The page starts once; a second start would throw the run away.
impl PartialEq for Start {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Properties, PartialEq)]
struct PageProps {
    session: Start,
}

#[component]
fn Page(props: &PageProps) -> Html {
    let first = props.session.0.clone();
    let state = use_reducer_eq(move || State::new(first, start::MANIFEST));
    let dispatch = Dispatch(state.dispatcher());
    use_ticker(state.playing, dispatch.clone());
    use_keyboard(dispatch.clone());
    let sheet = match state.sheet {
        None => "none",
        Some(Sheet::Controls) => "controls",
        Some(Sheet::Inspector) => "inspector",
    };
    let view = &state.view;
    let (at, known) = state.session.position();
    html! {
        <ContextProvider<Dispatch> context={dispatch}>
            <div class="app" data-sheet={sheet}>
                <TopBar />
                <ControlsPanel controls={view.controls.clone()} refused={state.refused.clone()} />
                <Stage view={view.clone()} open={state.open.clone()} refused={state.refused.clone()} />
                <Inspector view={view.clone()} tab={state.tab} shown={state.shown.clone()} refused={state.refused.clone()} />
                <Transport view={view.clone()} playing={state.playing} speed={state.speed} {at} {known} sheet={state.sheet} />
            </div>
            <Live said={view.stands.title.clone()} playing={state.playing} />
            <KeysDialog open={state.keys} />
        </ContextProvider<Dispatch>>
    }
}
