//! A refusal, in the API server's words, where the command was given.

use super::dispatch::use_dispatch;
use super::state::{Msg, Origin, Refused};
use crate::session::Command;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct RefusalNoteProps {
    /// The last refusal, wherever it happened.
    pub(crate) refused: Option<Rc<Refused>>,
    /// The place this note is for.
    pub(crate) at: Origin,
}

/// Shows the refusal if it happened here.
#[component]
pub(crate) fn RefusalNote(props: &RefusalNoteProps) -> Html {
    let dispatch = use_dispatch();
    let Some(refused) = props.refused.as_ref().filter(|refused| refused.origin == props.at) else {
        return Html::default();
    };
    let recreate = match &refused.command {
        Command::SetPolicy { set, policy } => Some(Command::Recreate { set: set.clone(), policy: *policy }),
        _ => None,
    };
    html! {
        <div class="refusal" role="alert">
            for problem in refused.refusal.problems.iter() {
                <p class="refusal__words">{ &problem.message }</p>
                if let Some(hint) = &problem.hint {
                    <p class="refusal__hint">{ hint }</p>
                }
            }
            <div class="refusal__acts">
                if let Some(command) = recreate {
                    <button type="button" class="button" onclick={dispatch.on(Msg::Send(command, props.at.clone()))}>
                        { "Delete the set, keep its pods, and create it again" }
                    </button>
                }
                <button type="button" class="button button--quiet" onclick={dispatch.on(Msg::Dismiss)}>{ "Dismiss" }</button>
            </div>
        </div>
    }
}
