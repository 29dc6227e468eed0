//! The terminal: what kubectl prints of the run, and a command line.

use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::effects::KUBECTL_LINE;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::language::translated;
use crate::kubectl::{answer, complete, tab};
use crate::objects::Kind;
use crate::page::{InspectorMsg, Msg, State, TerminalEntry};
use crate::text::Text;
use crate::view::Screen;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

/// Completions offered, at most.
const OFFERED: usize = 12;

/// The tab.
pub(crate) fn terminal(send: &Dispatch, state: &State) -> El {
    let (inspector, cluster) = (&state.inspector, state.session.cluster());
    let kind = state.set().map_or(Kind::StatefulSet, |set| set.kind);
    let choice = |(screen, name): (Screen, String)| {
        button("segments__one", send, Msg::Inspector(InspectorMsg::Screen(screen)))
            .truth("aria-pressed", screen == inspector.screen)
            .verbatim(&name)
    };
    let printed = match state.set() {
        Some(set) => answer(cluster, &inspector.screen.shows(set)).unwrap_or_else(|error| error.to_string()),
        None => translated(&text!("There is no StatefulSet.")),
    };
    group()
        .with(verbatim("h2", "unseen", "kubectl"))
        .with(
            el("div", "segments segments--small")
                .set("role", "group")
                .say("aria-label", text!("Keep in view"))
                .each(Screen::all(kind), choice),
        )
        .with(scrolled("screen", text!("What kubectl prints")).with(screen(inspector.screen, &printed)))
        .with(log(&inspector.entries))
        .with(line(send, state))
}

/// The output; the header of a long table stays in view.
fn screen(screen: Screen, printed: &str) -> El {
    let head = printed.find('\n').filter(|_| screen == Screen::Pods).map_or(0, |end| end + 1);
    let (head, body) = printed.split_at(head);
    el("div", "").verbatim_line("pre", "printed screen__head", head).with(verbatim("pre", "printed", body))
}

/// A scrollable region.
fn scrolled(class: &str, name: Text) -> El {
    el("div", class).set("tabindex", "0").set("role", "region").say("aria-label", name)
}

fn log(entries: &[Rc<TerminalEntry>]) -> El {
    let one = |entry: &Rc<TerminalEntry>| {
        el("div", "entry")
            .class(if entry.wrong { "is-wrong" } else { "" })
            .with(verbatim("code", "entry__line", &format!("$ {}", entry.line)))
            .with(text("pre", "printed", &entry.answer))
    };
    let empty = entries.is_empty().then(|| {
        text(
            "p",
            "field__means",
            text!(
                "Type a command as in a terminal: scale, set image, delete pod, rollout undo, drain. help lists it all."
            ),
        )
    });
    let all = el("div", "log__all").set("role", "log").say("aria-label", text!("Answers")).each(entries, one);
    scrolled("log", text!("Lines and answers")).with(all.maybe(empty))
}

fn line(send: &Dispatch, state: &State) -> El {
    let inspector = &state.inspector;
    let offers = complete(&inspector.line, state.session.cluster());
    let first = offers.first().cloned();
    let tabbed = tab(&inspector.line, state.session.cluster());
    let input = el("input", "line__input")
        .set("id", KUBECTL_LINE)
        .set("type", "text")
        .say("aria-label", text!("kubectl command"))
        .set("placeholder", "scale sts web --replicas=5")
        .set("spellcheck", "false")
        .set("autocomplete", "off")
        .set("autocapitalize", "off")
        .value(&inspector.line)
        .on(On::Input, send, |event| Some(Msg::Inspector(InspectorMsg::Line(browser::value(event)))))
        .on(On::Key, send, move |event| {
            let ask = match &*browser::key(event) {
                "ArrowUp" => InspectorMsg::Recall(true),
                "ArrowDown" => InspectorMsg::Recall(false),
                // At the end of the line it accepts the suggestion, as in fish.
                "ArrowRight" if is_at_end(event) => InspectorMsg::Take(first.clone()?),
                // With nothing to complete, Tab moves the focus.
                "Tab" if is_at_end(event) && !browser::is_modified(event) => InspectorMsg::Line(tabbed.clone()?),
                _ => return None,
            };
            event.prevent_default();
            Some(Msg::Inspector(ask))
        });
    let form = el("form", "line")
        .on(On::Submit, send, |event| {
            event.prevent_default();
            Some(Msg::Inspector(InspectorMsg::Run))
        })
        .with(verbatim("span", "line__sign", "$").set("aria-hidden", "true"))
        .with(input)
        .with(text("button", "button button--small", text!("Run")).set("type", "submit"));
    let offer = |word: &String| {
        el("li", "")
            .key(word)
            .with(button("offer", send, Msg::Inspector(InspectorMsg::Take(word.clone()))).verbatim(word))
    };
    let offers =
        el("ul", "offers").say("aria-label", text!("What can follow")).each(offers.iter().take(OFFERED), offer);
    group().with(offers).with(form)
}

fn is_at_end(event: &web_sys::Event) -> bool {
    let Some(target) = event.target() else { return false };
    let input: HtmlInputElement = target.unchecked_into();
    let end = u32::try_from(input.value().encode_utf16().count()).ok();
    end != Some(0) && input.selection_start().ok().flatten() == end
}
