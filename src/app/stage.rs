//! The middle: the set's line, the rail, where the controller stands, the nodes.

use super::appearance;
use super::browser;
use super::cards::{cards, ranks};
use super::dialogs::notes;
use super::dispatch::Dispatch;
use super::el::{El, On, el, group, text, verbatim};
use super::explanation::explanation_note;
use super::icon::{Sign, sign};
use super::inspector::latest;
use super::next_steps::offers;
use super::nodes::nodes;
use super::rail::board;
use super::refusal_note::refusal_note;
use super::starters;
use crate::objects::Kind;
use crate::page::{Msg, Origin, State};
use crate::text::Text;
use crate::view::{self, Revision, Summary};
use std::rc::Rc;

/// The stage.
pub(crate) fn stage(send: &Dispatch, state: &State) -> El {
    let (view, refused) = (&state.view, state.refused.as_deref());
    let story = state.open.as_deref().and_then(|pod| view::story(&state.session, state.set(), pod)).map(Rc::new);
    el("main", "stage")
        .set("tabindex", "-1")
        .maybe(state.lanes.is_none().then(|| notes(send, &state.sharing)))
        .with(summary(send, view.summary.as_ref(), &view.sets))
        .with(match &view.board {
            Some(board) => cards(send, board, state.open.as_deref()),
            None => board(send, &view.rail, state.open.as_deref(), story.as_ref(), state.draft),
        })
        .maybe(refusal_note(send, refused, Origin::Rail))
        .with(explanation_note(&view.explanation))
        .add(offers(send, state))
        .with(group().each(&view.warnings, |words| {
            el("p", "warning").set("role", "alert").with(sign(Sign::Hand)).with(text("span", "", words))
        }))
        .maybe(view.board.as_ref().and_then(|board| ranks(board)))
        .with(nodes(send, &view.nodes, refused))
        .maybe(latest(&view.events))
}

fn summary(send: &Dispatch, summary: Option<&Summary>, (sets, drawn): &(Vec<String>, usize)) -> El {
    let Some(summary) = summary else {
        let none = text("h2", "summary__name", text!("No StatefulSet"));
        return el("div", "summary").with(none).with(starters::folded(send, sets.len()));
    };
    let several = sets.len() > 1;
    let rolling = summary.current != summary.update;
    let count = |number: i32, words: Text| {
        el("span", "summary__count").with(verbatim("b", "", &number.to_string())).text(words)
    };
    let kind = if summary.kind == Kind::StatefulSet { "" } else { summary.kind.title() };
    let ready = text!(" / {} ready", summary.ready.1);
    let update = summary.update.as_ref().filter(|_| rolling);
    el("div", "summary")
        .with(el("h2", if several { "unseen" } else { "summary__name" }).verbatim(&summary.name))
        .maybe(several.then(|| picker(send, sets, *drawn)))
        .verbatim_line("span", if several { "unseen" } else { "summary__kind" }, kind)
        .with(count(summary.ready.0, ready))
        .with(count(summary.updated, text!(" updated")))
        .with(
            el("span", "summary__revisions")
                .maybe(revision(if rolling { text!("current") } else { text!("revision") }, summary.current.as_ref()))
                .maybe(revision(text!("update"), update)),
        )
        .with(starters::folded(send, sets.len()))
}

/// Which of several sets is drawn.
fn picker(send: &Dispatch, sets: &[String], drawn: usize) -> El {
    let option = |(at, name): (usize, &String)| -> El {
        el("option", "").verbatim(name).set("value", &at.to_string()).flag("selected", at == drawn)
    };
    el("select", "select summary__name")
        .say("aria-label", text!("Workload"))
        .on(On::Change, send, |event| usize::try_from(browser::number(event)?).ok().map(Msg::Choose))
        .each(sets.iter().enumerate(), option)
}

fn revision(word: Text, revision: Option<&Revision>) -> Option<El> {
    let revision = revision?;
    let named = text("span", "revision", word).class(appearance::hue(revision.hue));
    Some(named.with(verbatim("b", "revision__letter", &revision.letter)).with(verbatim("code", "", &revision.name)))
}
