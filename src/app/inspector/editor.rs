//! The manifest as text. The text area keeps its own text: the page writes into it only when asked to.

use super::gutter::Gutter;
use crate::app::dispatch::use_dispatch;
use crate::app::state::{Msg, Origin, Refused, Shown};
use crate::session::{Command, Problem};
use std::rc::Rc;
use web_sys::{Element, HtmlTextAreaElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct EditorProps {
    /// The text to show; a new number writes it.
    pub(crate) shown: Rc<Shown>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The editor.
#[component]
pub(crate) fn Editor(props: &EditorProps) -> Html {
    let dispatch = use_dispatch();
    let (area, gutter) = (use_node_ref(), use_node_ref());
    let lines = use_state_eq(|| 1_usize);
    // What the page last wrote, and what a person had typed before that.
    let written = use_mut_ref(|| Rc::<str>::from(""));
    let kept = use_state_eq(|| None::<String>);
    {
        let (area, lines, kept) = (area.clone(), lines.setter(), kept.setter());
        use_effect_with(props.shown.clone(), move |shown| {
            let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
            let typed = area.value();
            kept.set((!typed.is_empty() && typed != *written.borrow().as_ref()).then_some(typed));
            area.set_value(&shown.text);
            written.replace(area.value().into());
            lines.set(count(&shown.text));
        });
    }
    let put_back = {
        let (area, kept, lines) = (area.clone(), kept.clone(), lines.setter());
        Callback::from(move |_: MouseEvent| {
            let (Some(area), Some(text)) = (area.cast::<HtmlTextAreaElement>(), kept.as_deref()) else { return };
            area.set_value(text);
            lines.set(count(text));
            kept.set(None);
        })
    };
    let on_input = {
        let lines = lines.setter();
        Callback::from(move |event: InputEvent| {
            event.target_dyn_into::<HtmlTextAreaElement>().into_iter().for_each(|area| lines.set(count(&area.value())));
        })
    };
    let on_scroll = {
        let gutter = gutter.clone();
        Callback::from(move |event: Event| {
            let (Some(area), Some(gutter)) = (event.target_dyn_into::<Element>(), gutter.cast::<Element>()) else {
                return;
            };
            gutter.set_scroll_top(area.scroll_top());
        })
    };
    let apply = {
        let (area, dispatch) = (area.clone(), dispatch.clone());
        Callback::from(move |_: MouseEvent| {
            let Some(area) = area.cast::<HtmlTextAreaElement>() else { return };
            dispatch.command(Command::Apply { manifest: area.value().into() }, Origin::Editor);
        })
    };
    let refused = props.refused.as_ref().filter(|refused| refused.origin == Origin::Editor);
    let problems = refused.map_or(&[][..], |refused| &refused.refusal.problems);
    let wrong: Vec<usize> = problems.iter().filter_map(|problem| problem.line).collect();
    html! {
        <>
            <h2 class="panel__title">{ "Manifest" }</h2>
            <div class="editor">
                <Gutter lines={*lines} {wrong} place={gutter} />
                <textarea ref={area.clone()} class="editor__text" aria-label="Manifest as YAML" wrap="off" spellcheck="false" autocomplete="off"
                    autocapitalize="off" aria-invalid={refused.is_some().then_some("true")}
                    aria-describedby={refused.is_some().then_some("editor-problems")} oninput={on_input} onscroll={on_scroll} />
            </div>
            <div class="editor__problems" id="editor-problems" role="alert">
                for (index, problem) in problems.iter().enumerate() {
                    <ProblemLine key={index} problem={problem.clone()} area={area.clone()} />
                }
            </div>
            <div class="editor__acts">
                <button type="button" class="button button--primary" onclick={apply}>{ "Apply" }</button>
                <button type="button" class="button" onclick={dispatch.on(Msg::ShowManifest)}>{ "Show the set as it is now" }</button>
                if kept.is_some() {
                    <button type="button" class="button" onclick={put_back}>{ "Bring my text back" }</button>
                }
            </div>
        </>
    }
}

fn count(text: &str) -> usize {
    text.split('\n').count()
}

#[derive(Properties, PartialEq)]
struct ProblemLineProps {
    problem: Problem,
    area: NodeRef,
}

#[component]
fn ProblemLine(props: &ProblemLineProps) -> Html {
    let problem = &props.problem;
    let go = {
        let (area, line, column) = (props.area.clone(), problem.line, problem.column.unwrap_or(1));
        Callback::from(move |_: MouseEvent| {
            let (Some(area), Some(line)) = (area.cast::<HtmlTextAreaElement>(), line) else { return };
            let at = offset(&area.value(), line, column);
            let _ = area.focus();
            let _ = area.set_selection_range(at, at);
            // Where the line's height cannot be known, the browser itself scrolls to the caret on the next key.
            let height = f64::from(area.scroll_height()) / count(&area.value()).max(1) as f64;
            area.set_scroll_top((height * line.saturating_sub(4) as f64) as i32);
        })
    };
    html! {
        <div class="problem">
            if let Some(line) = problem.line {
                <button type="button" class="problem__place" onclick={go}>
                    { format!("Line {line}:{}", problem.column.unwrap_or(1)) }
                </button>
            }
            <p>{ &problem.message }</p>
            if let Some(hint) = &problem.hint {
                <p class="problem__hint">{ hint }</p>
            }
        </div>
    }
}

/// The caret's place, in the UTF-16 units that the browser counts in.
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let units = |part: &str| part.encode_utf16().count();
    let mut lines = text.split('\n');
    let before: usize = lines.by_ref().take(line.saturating_sub(1)).map(|line| units(line) + 1).sum();
    let within = lines.next().map_or(0, |line| line.chars().take(column.saturating_sub(1)).map(char::len_utf16).sum());
    u32::try_from(before + within).unwrap_or(u32::MAX)
}
