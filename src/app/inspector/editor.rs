//! The manifest editor. The text area keeps its own text; the page writes into it only on request.

use crate::app::browser::{self, by_id, focus};
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::starters::starters;
use crate::page::{Editor, Msg, Refused};
use crate::session::Problem;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlTextAreaElement};

fn area() -> Option<HtmlTextAreaElement> {
    by_id("manifest")
}

/// The editor.
pub(crate) fn editor(send: &Dispatch, state: &Editor, refused: Option<&Refused>) -> El {
    let problems = refused.map_or(&[][..], |refused| &refused.refusal.problems);
    let apply =
        text("button", "button button--primary", text!("Apply"))
            .set("type", "button")
            .on(On::Click, send, |_| Some(Msg::Apply(area()?.value())));
    let put_back = state.kept.is_some().then(|| button("button", send, Msg::PutBack).text(text!("Bring my text back")));
    let wrong = if refused.is_some() { "true" } else { "" };
    let text_area = el("textarea", "editor__text")
        .set("id", "manifest")
        .say("aria-label", text!("Manifest as YAML"))
        .set("wrap", "off")
        .set("spellcheck", "false")
        .set("autocomplete", "off")
        .set("autocapitalize", "off")
        .some("aria-invalid", wrong)
        .some("aria-describedby", if refused.is_some() { "editor-problems" } else { "" })
        .on(On::Input, send, |event| Some(Msg::Typed(browser::value(event))))
        .on(On::Scroll, send, |_| {
            by_id::<Element>("gutter")?.set_scroll_top(area()?.scroll_top());
            None
        });
    group()
        .with(text("h2", "panel__title", text!("Manifest")))
        .with(starters(send))
        .with(el("div", "editor").with(gutter(state.lines(), problems)).with(text_area))
        .with(
            el("div", "editor__problems")
                .set("id", "editor-problems")
                .set("role", "alert")
                .each(problems, |problem| problem_line(send, problem)),
        )
        .with(
            el("div", "editor__acts")
                .with(apply)
                .with(button("button", send, Msg::ShowManifest).text(text!("Show the set as it is now")))
                .maybe(put_back),
        )
}

/// The line numbers; the text area scrolls them along.
fn gutter(lines: usize, problems: &[Problem]) -> El {
    let number = |line: usize| -> El {
        let wrong = problems.iter().any(|problem| problem.line == Some(line));
        verbatim("span", if wrong { "is-wrong" } else { "" }, &line.to_string())
    };
    el("div", "editor__gutter").set("id", "gutter").set("aria-hidden", "true").each(1..=lines, number)
}

fn count(text: &str) -> usize {
    text.split('\n').count()
}

fn problem_line(send: &Dispatch, problem: &Problem) -> El {
    let place = problem.line.map(|line| {
        let column = problem.column.unwrap_or(1);
        let place = text!("Line {}:{}", line, column);
        text("button", "problem__place", place).set("type", "button").on(On::Click, send, move |_| {
            go(line, column);
            None
        })
    });
    el("div", "problem").maybe(place).with(text("p", "", problem.text())).line(
        "p",
        "problem__hint",
        problem.remedy.clone().unwrap_or_default(),
    )
}

/// Moves the caret to a line and column.
fn go(line: usize, column: usize) {
    let Some(area) = area() else { return };
    let text = area.value();
    let at = offset(&text, line, column);
    focus(area.unchecked_ref());
    let _ = area.set_selection_range(at, at);
    // Where the line's height cannot be known, the browser itself scrolls to the caret on the next key.
    let height = f64::from(area.scroll_height()) / count(&text).max(1) as f64;
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
