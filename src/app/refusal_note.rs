//! A refusal, in the API server's words, where the command was given.

use super::dispatch::Dispatch;
use super::el::{El, group};
use super::language::say;
use super::pod_panel::send_on_click;
use crate::page::{Msg, Origin, Refused};
use crate::session::Command;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct RefusalProps {
    pub(crate) send: Dispatch,
    /// The last refusal, wherever it happened.
    pub(crate) refused: Option<Rc<Refused>>,
    /// The place that this note is in.
    pub(crate) at: Origin,
}

/// The last refusal, if it happened at this place.
#[component]
pub(crate) fn RefusalNote(props: &RefusalProps) -> Html {
    let (send, at) = (&props.send, props.at);
    props.refused.as_deref().filter(|refused| refused.origin == at).map_or_else(Html::default, |refused| note(send, refused, at))
}

/// The same for what is drawn by plain calls.
pub(crate) fn refusal_note(send: &Dispatch, refused: Option<&Refused>, at: Origin) -> Option<El> {
    refused.filter(|refused| refused.origin == at).map(|refused| group().add(note(send, refused, at)))
}

fn note(send: &Dispatch, refused: &Refused, at: Origin) -> Html {
    let recreate = match &refused.command {
        Command::SetPolicy { set, policy } => Some(Command::Recreate { set: set.clone(), policy: *policy }),
        _ => None,
    };
    html! {
        <div class="refusal" role="alert">
            { for refused.refusal.problems.iter().map(|problem| html! {
                <>
                    <p class="refusal__words">{ say(problem.text()) }</p>
                    if let Some(remedy) = &problem.remedy { <p class="refusal__hint">{ say(remedy) }</p> }
                </>
            }) }
            <div class="refusal__acts">
                if let Some(command) = recreate {
                    <button type="button" class="button" onclick={send_on_click(send, Msg::Send(command, at))}>
                        { say(text!("Delete the set, keep its pods, and create it again")) }
                    </button>
                }
                <button type="button" class="button button--quiet" onclick={send_on_click(send, Msg::Dismiss)}>{ say(text!("Dismiss")) }</button>
            </div>
        </div>
    }
}
