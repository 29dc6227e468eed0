//! The history of the set's template.

use crate::app::appearance;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::refusal_note::refusal_note;
use crate::page::InspectorMsg;
use crate::page::{Msg, Origin, Refused};
use crate::text::Text;
use crate::view::{Change, RevisionRow, Revisions};

/// The tab.
pub(crate) fn revisions(send: &Dispatch, revisions: Option<&Revisions>, refused: Option<&Refused>) -> El {
    let title = text("h2", "panel__title", text!("Revisions"));
    let Some(revisions) = revisions.filter(|revisions| !revisions.rows.is_empty()) else {
        return group().with(title).with(text("p", "field__means", text!("The controller has made none yet.")));
    };
    group()
        .with(title)
        .maybe(refusal_note(send, refused, Origin::Revisions))
        .with(el("ul", "revisions").each(&revisions.rows, |one| row(send, one)))
        .maybe(revisions.compared.map(|numbers| compared(send, revisions, numbers)))
}

fn row(send: &Dispatch, row: &RevisionRow) -> El {
    let tag = |on: bool, word: Text| on.then(|| text("span", "revisions__tag", word));
    let head = el("div", "revisions__head")
        .with(el("span", "revision").class(appearance::hue(row.revision.hue)).with(verbatim(
            "b",
            "revision__letter",
            &row.revision.letter,
        )))
        .with(verbatim("code", "", &row.revision.name))
        .maybe(tag(row.current, text!("current")))
        .maybe(tag(row.update, text!("update")));
    let facts = text!("Revision {} · {} old · {}", row.number, row.age, row.pods);
    let undo = row.undo.as_ref().map(|act| {
        group()
            .with(
                button("button button--small", send, Msg::Send(act.command.clone(), Origin::Revisions))
                    .text(&act.label),
            )
            .with(verbatim("code", "kubectl", &act.kubectl))
    });
    el("li", "revisions__one").key(&row.revision.name).with(head).with(text("p", "field__means", &facts)).maybe(undo)
}

fn compared(send: &Dispatch, revisions: &Revisions, numbers: [i64; 2]) -> El {
    let select = |place: usize, name: Text| {
        let option = |row: &RevisionRow| {
            let words = format!("{} ({})", row.revision.letter, row.number);
            verbatim("option", "", &words)
                .set("value", &row.number.to_string())
                .flag("selected", row.number == numbers[place])
        };
        el("select", "select")
            .say("aria-label", name)
            .on(On::Change, send, move |event| {
                Some(Msg::Inspector(InspectorMsg::Compare(place, browser::number(event)?)))
            })
            .each(&revisions.rows, option)
    };
    let none = revisions.changes.is_empty().then(|| text("p", "field__means", text!("Their templates are the same.")));
    el("section", "compared")
        .set("aria-labelledby", "compared-title")
        .with(text("h3", "heading", text!("What the template changes")).set("id", "compared-title"))
        .with(
            el("div", "compared__pair")
                .with(select(0, text!("From")))
                .with(text("span", "", text!("to")))
                .with(select(1, text!("To"))),
        )
        .maybe(none)
        .with(el("ul", "compared__all").each(&revisions.changes, change))
}

fn change(change: &Change) -> El {
    let side = |tag: &'static str, word: Text, value: &str| {
        (!value.is_empty()).then(|| el(tag, "").with(text("span", "unseen", word)).verbatim(" ").verbatim(value))
    };
    el("li", "compared__one")
        .key(&change.path)
        .with(verbatim("code", "compared__path", &change.path))
        .maybe(side("del", text!("was"), &change.old))
        .maybe(side("ins", text!("is"), &change.new))
}
