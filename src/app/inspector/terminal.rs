//! kubectl: what it prints of the run, and the line.

use crate::app::browser;
use crate::app::effects::KUBECTL_LINE;
use crate::app::el::{Dispatch, El, On, button, el, group, text, verbatim};
use crate::app::language::translated;
use crate::kubectl::{answer, complete, tab};
use crate::objects::Kind;
use crate::page::{InspectorMsg, Msg, State, TerminalEntry};
use crate::text::Text;
use crate::view::Screen;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

/// So many completions are offered.
const OFFERED: usize = 12;

/// The tab.
#[inline(never)]
pub(crate) fn terminal(send: &Dispatch, state: &State) -> El {
    let (desk, cluster) = (&state.desk, state.session.cluster());
    let kind = state.set().map_or(Kind::StatefulSet, |set| set.kind);
    let choice = |(screen, name): (Screen, String)| {
        button("segments__one", send, Msg::Inspector(InspectorMsg::Screen(screen)))
            .truth("aria-pressed", screen == desk.screen)
            .verbatim(&name)
    };
    let printed = match state.set() {
        Some(set) => answer(cluster, &desk.screen.shows(set)).unwrap_or_else(|error| error.to_string()),
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
        .with(scrolled("screen", text!("What kubectl prints")).with(screen(desk.screen, &printed)))
        .with(log(&desk.said))
        .with(line(send, state))
}

/// What is printed; the columns' names of a long table stay in view.
fn screen(screen: Screen, printed: &str) -> El {
    let head = printed.find('\n').filter(|_| screen == Screen::Pods).map_or(0, |end| end + 1);
    let (head, body) = printed.split_at(head);
    el("div", "").verbatim_line("pre", "printed screen__head", head).with(verbatim("pre", "printed", body))
}

/// A place that scrolls and stays at its end.
fn scrolled(class: &str, name: Text) -> El {
    el("div", class).set("tabindex", "0").set("role", "region").say("aria-label", name)
}

fn log(said: &[Rc<TerminalEntry>]) -> El {
    let one = |said: &Rc<TerminalEntry>| {
        el("div", "said")
            .class(if said.wrong { "is-wrong" } else { "" })
            .with(verbatim("code", "said__line", &format!("$ {}", said.line)))
            .with(text("pre", "printed", &said.answer))
    };
    let empty = said.is_empty().then(|| {
        text(
            "p",
            "field__means",
            text!(
                "Type a command as in a terminal: scale, set image, delete pod, rollout undo, drain. help lists it all."
            ),
        )
    });
    let all = el("div", "log__all").set("role", "log").say("aria-label", text!("Answers")).each(said, one);
    scrolled("log", text!("Lines and answers")).with(all.maybe(empty))
}

fn line(send: &Dispatch, state: &State) -> El {
    let desk = &state.desk;
    let offers = complete(&desk.line, state.session.cluster());
    let first = offers.first().cloned();
    let tabbed = tab(&desk.line, state.session.cluster());
    let input = el("input", "line__input")
        .set("id", KUBECTL_LINE)
        .set("type", "text")
        .say("aria-label", text!("kubectl command"))
        .set("placeholder", "scale sts web --replicas=5")
        .set("spellcheck", "false")
        .set("autocomplete", "off")
        .set("autocapitalize", "off")
        .value(&desk.line)
        .on(On::Input, send, |event| Some(Msg::Inspector(InspectorMsg::Line(browser::value(event)))))
        .on(On::Key, send, move |event| {
            let ask = match &*browser::key(event) {
                "ArrowUp" => InspectorMsg::Recall(true),
                "ArrowDown" => InspectorMsg::Recall(false),
                // At the end of the line it goes on into what would complete it, as in fish.
                "ArrowRight" if is_at_end(event) => InspectorMsg::Take(first.clone()?),
                // Where it has nothing to complete, it takes the focus on.
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
