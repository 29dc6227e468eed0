//! The dialogs around scenarios and links, and the notes that go with them. The browser's own dialog keeps the focus
//! within and closes on Escape.

use super::cluster;
use super::dispatch::{Dispatch, sends};
use super::effects::OPEN_HERE;
use super::gallery::{Compare, Scenarios, Telling};
use super::language::say;
use super::learn::Gallery;
use super::modal::{Closed, Modal};
use super::rehearse;
use super::share::{Props as ShareProps, Share};
use super::truth::Truth;
use crate::page::{Dialog, Msg, ShareMsg, State};
use crate::sim::START;
use crate::text::Text;
use web_sys::Element;
use yew::{Html, Properties, component, html, use_effect_with, use_node_ref};

/// The id of the problem shown in a dialog.
const PROBLEM: &str = "problem";

/// The dialogs; each has its content from its first opening on, and keeps it.
pub(crate) fn dialogs(send: &Dispatch, state: &State) -> Html {
    let sharing = &state.sharing;
    let dialog = |own: Dialog| {
        let is_open = sharing.dialog == Some(own);
        let content = if sharing.was_opened[own as usize] { content(send, state, own) } else { Html::default() };
        // A problem is shown in the dialog that it came up in.
        let problem = if is_open { sharing.problem.clone() } else { Text::default() };
        html! {
            <Modal key={own.id()} send={send.clone()} id={own.id()} title={title(state, own)} {is_open}
                closed={Closed(Msg::Share(ShareMsg::Closed(own)))}>
                { content }
                <Problem send={send.clone()} {problem} id={PROBLEM} />
            </Modal>
        }
    };
    let all = [
        Dialog::Learn,
        Dialog::Scenarios,
        Dialog::Share,
        Dialog::Compare,
        Dialog::Truth,
        Dialog::Cluster,
        Dialog::Rehearse,
    ];
    html! { <>{ for all.into_iter().map(dialog) }</> }
}

fn title(state: &State, own: Dialog) -> Text {
    match own {
        Dialog::Learn | Dialog::Scenarios | Dialog::Compare => text!("Examples"),
        Dialog::Share => text!("Share this moment: {}", state.stage.view.clock),
        Dialog::Truth => text!("How true is this?"),
        Dialog::Cluster => text!("Your cluster"),
        Dialog::Rehearse => text!("Rehearse"),
    }
}

fn content(send: &Dispatch, state: &State, own: Dialog) -> Html {
    let sharing = &state.sharing;
    let (send, list) = (send.clone(), sharing.list.clone());
    match own {
        Dialog::Learn => html! { <>{ examples(&send, own) }<Gallery {send} list={state.learn.list.clone()} /></> },
        Dialog::Scenarios => {
            html! { <>{ examples(&send, own) }<Scenarios {send} {list} text={sharing.text.clone()} /></> }
        }
        Dialog::Share => {
            let props = ShareProps::new(&send, state, sharing.dialog == Some(own));
            html! { <Share ..props /> }
        }
        Dialog::Compare => html! { <>{ examples(&send, own) }<Compare {send} {list} /></> },
        Dialog::Truth => html! { <Truth truth={sharing.truth.clone()} /> },
        Dialog::Cluster => cluster::body(&send, state),
        Dialog::Rehearse => rehearse::body(&send, state),
    }
}

/// What kinds of examples there are, and which of them is shown.
fn examples(send: &Dispatch, own: Dialog) -> Html {
    let kinds = [
        (Dialog::Learn, text!("Lessons")),
        (Dialog::Scenarios, text!("Scenarios")),
        (Dialog::Compare, text!("Side by side")),
    ];
    let kind = |(dialog, name): (Dialog, Text)| {
        let show = Msg::Share(ShareMsg::Show(Some(dialog)));
        html! {
            <button type="button" class="segments__one" aria-pressed={(dialog == own).to_string()} onclick={sends(send, show)}>
                { say(name) }
            </button>
        }
    };
    html! {
        <div class="segments dialog__kinds" role="group" aria-label={say(text!("Kind of example"))}>{ for kinds.into_iter().map(kind) }</div>
    }
}

/// The problem, the scenario's description, and the way back to the previous run.
pub(crate) fn notes(send: &Dispatch, state: &State) -> Html {
    let sharing = &state.sharing;
    let said = sharing.told(state.stage.session.cluster().now().0 - START.0);
    html! {
        <>
            { outside(send, state) }
            if sharing.shows_about {
                <Telling send={send.clone()} about={sharing.about.clone()} {said} has_back={sharing.before.is_some()} />
            }
            { open_here(send) }
        </>
    }
}

/// A problem while no dialog is open; an open dialog shows its own.
pub(crate) fn outside(send: &Dispatch, state: &State) -> Html {
    let sharing = &state.sharing;
    let problem = if sharing.dialog.is_none() { sharing.problem.clone() } else { Text::default() };
    html! { <Problem send={send.clone()} {problem} /> }
}

#[derive(Properties, PartialEq)]
struct ProblemProps {
    send: Dispatch,
    /// What it is; empty if there is none.
    problem: Text,
    #[prop_or_default]
    id: Option<&'static str>,
}

/// Why a link, a file or a text was not opened. It scrolls into sight.
#[component]
fn Problem(props: &ProblemProps) -> Html {
    let ProblemProps { send, problem, id } = props;
    let note = use_node_ref();
    use_effect_with(problem.clone(), {
        let note = note.clone();
        move |_| note.cast::<Element>().iter().for_each(|note| note.scroll_into_view_with_bool(false))
    });
    if problem.is_empty() {
        return Html::default();
    }
    html! {
        <div ref={note} class="refusal" role="alert" id={*id}>
            <p class="refusal__words refusal__words--plain">{ say(problem) }</p>
            <p class="refusal__hint">{ say(text!("Nothing was changed.")) }</p>
            <div class="refusal__acts">
                <button type="button" class="button button--small" onclick={sends(send, Msg::Share(ShareMsg::Dismiss))}>
                    { say(text!("Dismiss")) }
                </button>
            </div>
        </div>
    }
}

/// The link from an embedded figure to the whole page. Its address is written just before it is followed.
pub(crate) fn open_here(send: &Dispatch) -> Html {
    let link = || Msg::Share(ShareMsg::Link);
    html! {
        <a id={OPEN_HERE} class="open-here" href="./" target="_blank" rel="noopener" onpointerdown={sends(send, link())}
            onkeydown={sends(send, link())}>{ say(text!("Open in SetScope")) }</a>
    }
}
