//! The object on the stage: its manifest, its settings, its revisions, its status.

use super::manifest::Manifest;
use super::revisions::RevisionsPanel;
use super::status::StatusPanel;
use super::tabs::{Choice, Tabs, panel_id};
use crate::app::controls::Settings;
use crate::app::dispatch::Dispatch;
use crate::app::late::use_painted_once;
use crate::page::{Editor, Origin, Refused, State, Tab};
use crate::text::Text;
use crate::view;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// A part of the panel.
struct Part {
    tab: Tab,
    id: &'static str,
    name: fn() -> Text,
    draw: fn(&Dispatch, &State) -> Html,
}

const PARTS: [Part; 4] = [
    Part { tab: Tab::Manifest, id: "manifest", name: || text!("Manifest"), draw: manifest },
    Part { tab: Tab::Settings, id: "settings", name: || text!("Settings"), draw: settings },
    Part { tab: Tab::Revisions, id: "revisions", name: || text!("Revisions"), draw: revisions },
    Part { tab: Tab::Status, id: "status", name: || text!("Status"), draw: status },
];

/// The panel, with tabs of its own.
pub(super) fn object(send: &Dispatch, state: &State) -> Html {
    let chosen = PARTS.iter().position(|part| part.tab == state.panels.tab);
    let tabs: Vec<Choice> =
        PARTS.iter().map(|part| Choice { tab: part.tab, id: part.id, name: (part.name)() }).collect();
    html! {
        <>
            <Tabs send={send.clone()} {tabs} chosen={chosen.unwrap_or(0)} name={text!("Object")} class="tabs--within" />
            for (at, part) in PARTS.iter().enumerate() {
                <div key={part.id} class={format!("part part--{}", part.id)} id={panel_id(part.id)}
                    role="tabpanel" aria-labelledby={format!("tab-{}", part.id)} hidden={at != chosen.unwrap_or(0)}>
                    // The editor keeps what is typed; the others show the present moment.
                    if part.tab == Tab::Manifest || chosen == Some(at) { { (part.draw)(send, state) } }
                </div>
            }
        </>
    }
}

fn manifest(send: &Dispatch, state: &State) -> Html {
    let refused = state.refused.clone().filter(|refused| refused.origin == Origin::Editor);
    let shown = state.panels.tab == Tab::Manifest;
    html! { <LateManifest send={send.clone()} editor={state.editor.clone()} {refused} {shown} /> }
}

#[derive(Properties, PartialEq)]
struct LateProps {
    send: Dispatch,
    editor: Editor,
    refused: Option<Rc<Refused>>,
    shown: bool,
}

/// The editor, made after the first picture where that does not show it.
#[component]
fn LateManifest(props: &LateProps) -> Html {
    let LateProps { send, editor, refused, shown } = props;
    let is_made = use_painted_once() || *shown;
    html! {
        if is_made { <Manifest send={send.clone()} editor={editor.clone()} refused={refused.clone()} /> }
    }
}

fn settings(send: &Dispatch, state: &State) -> Html {
    html! {
        if let Some(controls) = state.stage.view.controls.clone().filter(|_| !state.locked) {
            <Settings send={send.clone()} {controls} refused={state.refused.clone()} />
        }
    }
}

fn revisions(send: &Dispatch, state: &State) -> Html {
    let revisions = view::revisions(&state.stage.session, state.stage.set(), state.inspector.compared).map(Rc::new);
    html! { <RevisionsPanel send={send.clone()} {revisions} refused={state.refused.clone()} /> }
}

fn status(send: &Dispatch, state: &State) -> Html {
    let (session, set, number) = (&state.stage.session, state.stage.set(), state.inspector.sync);
    let status = view::status(session, set, number).map(Rc::new);
    let sync = view::sync(session, set, number, 0).map(Rc::new);
    html! { <StatusPanel send={send.clone()} {status} {sync} /> }
}
