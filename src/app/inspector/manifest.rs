//! The manifest editor. The text area keeps its own text; the page writes into it only on request.

use super::receipt::ReceiptNote;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::host;
use crate::app::language::say;
use crate::page::{self, Editor, Msg, Refused};
use crate::session::Problem;
use crate::text::Text;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement};
use yew::{
    Callback, Event, Html, InputEvent, MouseEvent, NodeRef, Properties, component, html, use_effect_with, use_node_ref,
};

/// The id of the field that a file is chosen with.
const FILE: &str = "manifest-file";

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) editor: Editor,
    pub(super) refused: Option<Rc<Refused>>,
}

/// The editor, with what can be done above it.
#[component]
pub(super) fn Manifest(props: &Props) -> Html {
    let Props { send, editor, refused } = props;
    let (area, gutter) = (use_node_ref(), use_node_ref());
    use_effect_with(Rc::clone(&editor.text), {
        let area = area.clone();
        move |text| {
            // The user edits the text area: it is written only to show another text.
            if let Some(area) = area.cast::<HtmlTextAreaElement>().filter(|area| area.value() != **text) {
                area.set_value(text);
            }
        }
    });
    let problems = refused.as_ref().map_or(&[][..], |refused| &refused.refusal.problems);
    let oninput = send.reform(|event: InputEvent| Msg::Typed(browser::value(&event)));
    let onscroll = {
        let gutter = gutter.clone();
        Callback::from(move |event: Event| {
            let area = event.target().map(|target| target.unchecked_into::<Element>());
            if let Some((gutter, area)) = gutter.cast::<Element>().zip(area) {
                gutter.set_scroll_top(area.scroll_top());
            }
        })
    };
    let (is_refused, is_locked) = (refused.is_some(), host::is_locked());
    html! {
        <>
            if !is_locked { { acts(send, &area, editor) } }
            <div class="editor">
                { numbers(editor.lines(), problems, &gutter) }
                <textarea ref={area.clone()} id="manifest" class="editor__text" aria-label={say(text!("Manifest as YAML"))}
                    wrap="off" readonly={is_locked} spellcheck="false" autocomplete="off" autocapitalize="off"
                    aria-invalid={is_refused.then_some("true")}
                    aria-describedby={is_refused.then_some("editor-problems")} {oninput} {onscroll} />
            </div>
            <div class="editor__problems" id="editor-problems" role="alert">
                { for problems.iter().map(|one| problem(&area, one)) }
            </div>
            if let Some(receipt) = editor.receipt.as_ref().filter(|_| !is_refused) {
                <ReceiptNote area={area.clone()} receipt={receipt.clone()} />
            }
        </>
    }
}

/// Above the text, so that they stay in sight however long it is.
fn acts(send: &Dispatch, area: &NodeRef, editor: &Editor) -> Html {
    let apply = {
        let (send, area) = (send.clone(), area.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                send.emit(Msg::Apply(area.value()));
            }
        })
    };
    html! {
        <div class="editor__acts">
            <button type="button" class="button button--strong" onclick={apply}>{ say(text!("Apply")) }</button>
            <label class="button" for={FILE}>{ say(text!("Open a file")) }</label>
            <input id={FILE} class="unseen" type="file" accept=".yaml,.yml,.json,.txt,text/plain"
                onchange={|_: Event| host::call("readFile", "", FILE)} />
            <details class="editor__more">
                <summary class="button">{ say(text!("Start from")) }</summary>
                <div class="editor__starters">
                    <button type="button" class="button button--small"
                        onclick={send.reform(|_: MouseEvent| Msg::ShowManifest)}>
                        { say(text!("Show the set as it is now")) }
                    </button>
                    for (at, name) in page::starters().enumerate() {
                        <button key={name} type="button" class="button button--small"
                            onclick={send.reform(move |_: MouseEvent| Msg::Starter(at))}>{ say(Text::fixed(name)) }</button>
                    }
                </div>
            </details>
            if editor.kept.is_some() {
                <button type="button" class="button" onclick={send.reform(|_: MouseEvent| Msg::PutBack)}>
                    { say(text!("Bring my text back")) }
                </button>
            }
        </div>
    }
}

/// The line numbers; the text area scrolls them along.
fn numbers(lines: usize, problems: &[Problem], gutter: &NodeRef) -> Html {
    let is_wrong = |line: usize| problems.iter().any(|problem| problem.line == Some(line));
    html! {
        <div class="editor__gutter" ref={gutter.clone()} aria-hidden="true">
            { for (1..=lines).map(|line| html! {
                <span class={if is_wrong(line) { "is-wrong" } else { "" }}>{ line }</span>
            }) }
        </div>
    }
}

fn problem(area: &NodeRef, problem: &Problem) -> Html {
    html! {
        <div class="problem">
            if let Some(line) = problem.line { { place(area, line, problem.column.unwrap_or(1)) } }
            <p>{ say(problem.text()) }</p>
            if let Some(remedy) = problem.remedy.as_ref().filter(|remedy| !remedy.is_empty()) {
                <p class="problem__hint">{ say(remedy) }</p>
            }
        </div>
    }
}

/// A button that leads to a place in the text.
pub(super) fn place(area: &NodeRef, line: usize, column: usize) -> Html {
    let onclick = {
        let area = area.clone();
        Callback::from(move |_: MouseEvent| go_to(&area, line, column))
    };
    html! {
        <button type="button" class="problem__place" {onclick}>{ say(text!("Line {}:{}", line, column)) }</button>
    }
}

/// Moves the caret of the editor to a line and column.
pub(super) fn go_to(area: &NodeRef, line: usize, column: usize) {
    area.cast::<HtmlTextAreaElement>().iter().for_each(|area| go(area, line, column));
}

fn go(area: &HtmlTextAreaElement, line: usize, column: usize) {
    let text = area.value();
    let at = offset(&text, line, column);
    browser::focus(area);
    let _ = area.set_selection_range(at, at);
    // Where the line's height cannot be known, the browser itself scrolls to the caret on the next key.
    let height = f64::from(area.scroll_height()) / text.split('\n').count().max(1) as f64;
    area.set_scroll_top((height * line.saturating_sub(4) as f64) as i32);
}

/// The caret's place, in the UTF-16 units that the browser counts in.
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let units = |part: &str| part.encode_utf16().count();
    let mut lines = text.split('\n');
    let before: usize = lines.by_ref().take(line.saturating_sub(1)).map(|line| units(line) + 1).sum();
    let within = lines.next().map_or(0, |line| line.chars().take(column.saturating_sub(1)).map(char::len_utf16).sum());
    u32::try_from(before + within).unwrap_or(u32::MAX)
}
