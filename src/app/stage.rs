//! The middle: the set's line, the rail, where the controller stands, the nodes.

use super::dialogs::notes;
use super::el::{Dispatch, El, el, group, text};
use super::icon::{Sign, sign};
use super::inspector::latest;
use super::looks;
use super::nodes::nodes;
use super::rail::board;
use super::refusal_note::refusal_note;
use super::stands::stands_note;
use super::state::{Origin, State};
use crate::view::{Revision, Summary};

/// The stage.
pub(crate) fn stage(send: &Dispatch, state: &State) -> El {
    let (view, refused) = (&state.view, state.refused.as_deref());
    el("main", "stage")
        .set("tabindex", "-1")
        .with(notes(send, &state.sharing))
        .with(summary(view.summary.as_ref()))
        .with(board(send, &view.rail, state.open.as_deref(), state.draft))
        .maybe(refusal_note(send, refused, Origin::Rail))
        .with(stands_note(&view.stands))
        .with(group().each(&view.warnings, |words| {
            el("p", "warning").set("role", "alert").with(sign(Sign::Hand)).with(text("span", "", words))
        }))
        .with(nodes(send, &view.nodes, refused))
        .maybe(latest(&view.events))
}

fn summary(summary: Option<&Summary>) -> El {
    let Some(summary) = summary else {
        return el("div", "summary").with(text("h2", "summary__name", "No StatefulSet"));
    };
    let rolling = summary.current != summary.update;
    let count =
        |number: i32, words: &str| el("span", "summary__count").with(text("b", "", &number.to_string())).text(words);
    let ready = [" / ", &summary.ready.1.to_string(), " ready"].concat();
    let update = summary.update.as_ref().filter(|_| rolling);
    el("div", "summary")
        .with(text("h2", "summary__name", &summary.name))
        .with(count(summary.ready.0, &ready))
        .with(count(summary.updated, " updated"))
        .with(
            el("span", "summary__revisions")
                .maybe(revision(if rolling { "current" } else { "revision" }, summary.current.as_ref()))
                .maybe(revision("update", update)),
        )
}

fn revision(word: &str, revision: Option<&Revision>) -> Option<El> {
    let revision = revision?;
    let named = text("span", "revision", word).class(looks::hue(revision.hue));
    Some(named.with(text("b", "revision__letter", &revision.letter)).with(text("code", "", &revision.name)))
}
