//! The history of the set's template.

use crate::app::appearance;
use crate::app::browser;
use crate::app::el::{Dispatch, El, On, button, el, group, text};
use crate::app::refusal_note::refusal_note;
use crate::page::InspectorMsg;
use crate::page::{Msg, Origin, Refused};
use crate::view::{Change, RevisionRow, Revisions};

/// The tab.
#[inline(never)]
pub(crate) fn revisions(send: &Dispatch, revisions: Option<&Revisions>, refused: Option<&Refused>) -> El {
    let title = text("h2", "panel__title", "Revisions");
    let Some(revisions) = revisions.filter(|revisions| !revisions.rows.is_empty()) else {
        return group().with(title).with(text("p", "field__means", "The controller has made none yet."));
    };
    group()
        .with(title)
        .maybe(refusal_note(send, refused, Origin::Revisions))
        .with(el("ul", "revisions").each(&revisions.rows, |one| row(send, one)))
        .maybe(revisions.compared.map(|numbers| compared(send, revisions, numbers)))
}

fn row(send: &Dispatch, row: &RevisionRow) -> El {
    let tag = |on: bool, word: &str| on.then(|| text("span", "revisions__tag", word));
    let head = el("div", "revisions__head")
        .with(el("span", "revision").class(appearance::hue(row.revision.hue)).with(text(
            "b",
            "revision__letter",
            &row.revision.letter,
        )))
        .with(text("code", "", &row.revision.name))
        .maybe(tag(row.current, "current"))
        .maybe(tag(row.update, "update"));
    let facts = text!("Revision {} · {} old · {}", row.number, row.age, row.pods);
    let undo = row.undo.as_ref().map(|act| {
        group()
            .with(
                button("button button--small", send, Msg::Send(act.command.clone(), Origin::Revisions))
                    .text(&act.label),
            )
            .with(text("code", "kubectl", &act.kubectl))
    });
    el("li", "revisions__one").key(&row.revision.name).with(head).with(text("p", "field__means", &facts)).maybe(undo)
}

fn compared(send: &Dispatch, revisions: &Revisions, numbers: [i64; 2]) -> El {
    let select = |place: usize, name: &str| {
        let option = |row: &RevisionRow| {
            let words = [&row.revision.letter, " (", &row.number.to_string(), ")"].concat();
            text("option", "", &words)
                .set("value", &row.number.to_string())
                .flag("selected", row.number == numbers[place])
        };
        el("select", "select")
            .set("aria-label", name)
            .on(On::Change, send, move |event| {
                Some(Msg::Inspector(InspectorMsg::Compare(place, browser::number(event)?)))
            })
            .each(&revisions.rows, option)
    };
    let none = revisions.changes.is_empty().then(|| text("p", "field__means", "Their templates are the same."));
    el("section", "compared")
        .set("aria-labelledby", "compared-title")
        .with(text("h3", "heading", "What the template changes").set("id", "compared-title"))
        .with(el("div", "compared__pair").with(select(0, "From")).with(text("span", "", "to")).with(select(1, "To")))
        .maybe(none)
        .with(el("ul", "compared__all").each(&revisions.changes, change))
}

fn change(change: &Change) -> El {
    let side = |tag: &'static str, word: &str, value: &str| {
        (!value.is_empty()).then(|| el(tag, "").with(text("span", "unseen", word)).text(value))
    };
    el("li", "compared__one")
        .key(&change.path)
        .with(text("code", "compared__path", &change.path))
        .maybe(side("del", "was ", &change.old))
        .maybe(side("ins", "is ", &change.new))
}
