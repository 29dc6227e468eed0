//! A refusal, in the API server's words, where the command was given.

use super::dispatch::Dispatch;
use super::language::say;
use crate::page::{Msg, Origin, Refused};
use crate::session::{Command, Problem};
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// The last refusal.
    pub(crate) refused: Option<Rc<Refused>>,
    /// Where this stands.
    pub(crate) at: Origin,
}

/// The last refusal, if it happened at this place.
#[component]
pub(crate) fn RefusalNote(props: &Props) -> Html {
    match props.refused.as_ref().filter(|refused| refused.origin == props.at) {
        Some(refused) => note(&props.send, refused),
        None => Html::default(),
    }
}

fn note(send: &Dispatch, refused: &Refused) -> Html {
    let recreate = refused.command.asks_for_policy().map(|(set, policy)| {
        let command = Command::Recreate { set, policy };
        let (send, at) = (send.clone(), refused.origin);
        Callback::from(move |_: MouseEvent| send.emit(Msg::Send(command.clone(), at)))
    });
    let dismiss = send.reform(|_: MouseEvent| Msg::Dismiss);
    html! {
        <div class="refusal" role="alert">
            <div>{ for refused.refusal.problems.iter().map(problem) }</div>
            <div class="refusal__acts">
                if let Some(onclick) = recreate {
                    <button type="button" class="button" {onclick}>
                        { say(text!("Delete the set, keep its pods, and create it again")) }
                    </button>
                }
                <button type="button" class="button button--quiet" onclick={dismiss}>{ say(text!("Dismiss")) }</button>
            </div>
        </div>
    }
}

fn problem(problem: &Problem) -> Html {
    html! {
        <>
            <p class="refusal__words">{ say(problem.text()) }</p>
            if let Some(remedy) = problem.remedy.as_ref().filter(|remedy| !remedy.is_empty()) {
                <p class="refusal__hint">{ say(remedy) }</p>
            }
        </>
    }
}
