//! The dialog "Rehearse": lines go in; what they would lead to comes out, to be shown on the stage or taken along.

use super::copy::Copy;
use super::dispatch::{Dispatch, sends};
use super::language::say;
use super::prose::prose;
use super::select::Select;
use crate::diagnosis::{Said, written};
use crate::page::{Msg, RehearseMsg, State};
use crate::text::Text;
use crate::trial::Question;
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::{Callback, Html, Properties, SubmitEvent, classes, component, html, use_node_ref};

/// The dialog's body.
pub(super) fn body(send: &Dispatch, state: &State) -> Html {
    let rehearsing = &state.rehearsing;
    let (lines, problem, said) = (rehearsing.lines.clone(), rehearsing.problem.clone(), rehearsing.said.clone());
    let questions = state.stage.questions();
    html! { <Rehearse send={send.clone()} {questions} {lines} {problem} {said} is_running={rehearsing.is_running()} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    send: Dispatch,
    /// What can be asked of the run on the stage.
    questions: Vec<Question>,
    lines: Rc<str>,
    problem: Text,
    said: Option<Rc<Vec<Said>>>,
    is_running: bool,
}

#[component]
fn Rehearse(props: &Props) -> Html {
    let send = &props.send;
    let sends = |msg| sends(send, Msg::Rehearse(msg));
    let field = use_node_ref();
    let onsubmit = {
        let (send, field) = (send.clone(), field.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let lines = field.cast::<HtmlTextAreaElement>().map(|field| field.value()).unwrap_or_default();
            send.emit(Msg::Rehearse(RehearseMsg::Lines(lines.into())));
        })
    };
    let onchange = {
        let send = send.clone();
        Callback::from(move |at: String| {
            at.parse().into_iter().for_each(|at| send.emit(Msg::Rehearse(RehearseMsg::Ask(at))));
        })
    };
    let asked = props.questions.iter().position(|question| *question.lines == *props.lines);
    let chosen = asked.map_or_else(String::new, |at| at.to_string());
    let own = asked.is_none().then(|| (String::new().into(), say(text!("Choose a question, or write lines below"))));
    let asks = |(at, question): (usize, &Question)| (at.to_string().into(), say(&question.asks));
    let options: Vec<_> = own.into_iter().chain(props.questions.iter().enumerate().map(asks)).collect();
    html! {
        <form class="cluster" {onsubmit}>
            <label for="rehearse-asks">{ say(text!("What if")) }</label>
            <Select id="rehearse-asks" {options} {chosen} {onchange} />
            <label for="rehearse-lines">{ say(text!("Lines of kubectl, one below the other")) }</label>
            <textarea id="rehearse-lines" class="text" rows={props.lines.lines().count().clamp(3, 12).to_string()} spellcheck="false" ref={field}
                readonly={props.is_running} value={props.lines.to_string()} />
            <div class="dialog__row">
                <button type="submit" class="button button--primary">{ say(text!("Rehearse")) }</button>
                if props.is_running {
                    <span role="status">{ say(text!("Rehearsing…")) }</span>
                    <button type="button" class="button button--small" onclick={sends(RehearseMsg::Stop)}>{ say(text!("Stop")) }</button>
                }
            </div>
            if !props.problem.is_empty() {
                <p class="refusal" role="alert">{ say(&props.problem) }</p>
            }
            if let Some(said) = &props.said {
                <div class="dialog__row">
                    <button type="button" class="button" onclick={sends(RehearseMsg::Show)}>{ say(text!("Show it on the stage")) }</button>
                    <Copy text={written(said)} name={text!("Report")} />
                </div>
                { lines(said) }
            }
        </form>
    }
}

/// Line by line, rows of a table as one.
pub(super) fn lines(said: &[Said]) -> Html {
    let is_row = |said: &Said| !said.head.is_empty();
    let block = |block: &[Said]| {
        let is_table = block.first().is_some_and(is_row);
        let row =
            |said: &Said| html! { <tr><th scope="row">{ said.head.clone() }</th><td>{ prose(&said.text) }</td></tr> };
        let line = |said: &Said| {
            let class = classes!("said", format!("said--{}", said.depth), said.is_grave.then_some("is-stuck"));
            html! { <p {class}>{ prose(&said.text) }</p> }
        };
        if is_table {
            html! { <table class="said">{ for block.iter().map(row) }</table> }
        } else {
            html! { <>{ for block.iter().map(line) }</> }
        }
    };
    html! { <div class="saying">{ for said.chunk_by(|one, other| is_row(one) == is_row(other)).map(block) }</div> }
}
