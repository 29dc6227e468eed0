//! Which release's controller runs, its feature gates, and what it does otherwise than another.

use super::more::fold;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::el::{El, On, button, el, group, text, verbatim};
use crate::app::refusal_note::refusal_note;
use crate::page::{Dialog, ShareMsg};
use crate::page::{Msg, Origin, Refused};
use crate::text::Text;
use crate::view::ReleaseView;

/// The picker, and what it changes.
pub(crate) fn release(send: &Dispatch, release: &ReleaseView, refused: Option<&Refused>) -> El {
    let now = release.name;
    let picker = el("select", "select")
        .set("id", "release")
        .on(On::Change, send, |event| Some(Msg::Release(browser::value(event))))
        .each(&release.all, |(name, label)| {
            text("option", "", Text::fixed(label)).set("value", name).flag("selected", *name == now)
        });
    let head = el("div", "field__head")
        .with(verbatim("label", "field__label", "Kubernetes").set("for", "release"))
        .with(picker);
    el("div", "field")
        .with(head)
        .maybe((!release.note.is_empty()).then(|| text("p", "field__means", Text::fixed(release.note))))
        .with(
            button("button button--small", send, Msg::Share(ShareMsg::Show(Some(Dialog::Truth))))
                .text(text!("How true is this?")),
        )
        .with(group().each(&release.gates, |(name, on)| gate(send, name, *on)))
        .with(text(
            "p",
            "field__means",
            text!("Another release runs the same commands at the same moments, from the start."),
        ))
        .maybe(difference(send, release))
        .maybe(refusal_note(send, refused, Origin::Release))
        .with(changes(send, release))
}

fn gate(send: &Dispatch, name: &'static str, on: bool) -> El {
    let box_ = el("input", "")
        .set("type", "checkbox")
        .flag("checked", on)
        .on(On::Change, send, move |_| Some(Msg::Gate(name, !on)));
    el("label", "gate").with(box_).with(verbatim("span", "", name))
}

fn difference(send: &Dispatch, release: &ReleaseView) -> Option<El> {
    let (title, note) = match &release.difference {
        Some((at, words)) => {
            let go = button("button button--small", send, Msg::Seek(*at)).text(text!("Show the moment"));
            (text!("First otherwise than under {}", release.compared), el("p", "").text(words).verbatim(" ").with(go))
        }
        None if release.same => {
            let words = text!("Nothing differs as far as both runs are known.");
            (text!("{} decides the same here as {}", release.name, release.compared), text("p", "", words))
        }
        None => return None,
    };
    Some(el("div", "parting").with(text("b", "", &title)).with(note))
}

/// Each difference above the change upstream behind it and the scenario that shows it, which runs under both releases.
fn changes(send: &Dispatch, release: &ReleaseView) -> El {
    let one = |(words, upstream, shown): &(&'static str, &str, &str)| -> El {
        let words = Text::fixed(words);
        let open = Msg::Share(ShareMsg::Fetch(["releases/", shown, ".yaml"].concat().into()));
        el("li", "").text(&words).verbatim(" ").verbatim_line("code", "upstream", upstream).verbatim(" ").with(
            button("button button--small", send, open)
                .say("aria-label", text!("Show it: {}", words))
                .text(text!("Show it")),
        )
    };
    fold(text!("What changed: {} against {}", release.name, release.compared))
        .with(el("ul", "changes").each(&release.changes, one))
}
