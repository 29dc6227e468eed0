//! The dialogs around scenarios and links, and the notes that go with them. The browser's own dialog keeps the focus
//! within and closes on Escape.

use super::cluster;
use super::dispatch::Dispatch;
use super::el::{El, On, button, el, group, text};
use super::gallery::{Compare, Scenarios, Telling};
use super::language::is_chinese;
use super::learn::Gallery;
use super::modal::{Closed, Modal};
use super::truth::truth;
use crate::page::{Dialog, Msg, ShareMsg, Sharing, State};
use crate::sim::START;
use crate::text::Text;
use crate::view::Export;
use yew::{Html, html};

/// The id of the problem shown in a dialog.
pub(crate) const PROBLEM: &str = "problem";

fn send_of(msg: ShareMsg) -> Msg {
    Msg::Share(msg)
}

/// The dialogs; each has its content from its first opening on, and keeps it.
pub(crate) fn dialogs(send: &Dispatch, state: &State) -> Html {
    let sharing = &state.sharing;
    let dialog = |own: Dialog| {
        let is_open = sharing.dialog == Some(own);
        let content = if sharing.was_opened[own as usize] { content(send, state, own) } else { Html::default() };
        html! {
            <Modal key={own.id()} send={send.clone()} id={own.id()} title={title(own)} {is_open}
                closed={Closed(send_of(ShareMsg::Closed(own)))}>{ content }</Modal>
        }
    };
    let all = [Dialog::Learn, Dialog::Scenarios, Dialog::Share, Dialog::Compare, Dialog::Truth, Dialog::Cluster];
    html! { <>{ for all.into_iter().map(dialog) }</> }
}

fn title(own: Dialog) -> Text {
    match own {
        Dialog::Learn => text!("Learn"),
        Dialog::Scenarios => text!("Scenarios"),
        Dialog::Share => text!("Share this moment"),
        Dialog::Compare => text!("Compare"),
        Dialog::Truth => text!("How true is this?"),
        Dialog::Cluster => text!("Your cluster"),
    }
}

fn content(send: &Dispatch, state: &State, own: Dialog) -> Html {
    let sharing = &state.sharing;
    let body = match own {
        Dialog::Learn => group().add(html! { <Gallery send={send.clone()} list={state.learn.list.clone()} /> }),
        Dialog::Scenarios => group().add(html! {
            <Scenarios send={send.clone()} list={sharing.list.clone()} text={sharing.text.clone()} />
        }),
        Dialog::Share => share(send, state.lanes.is_some()),
        Dialog::Compare => group().add(html! { <Compare send={send.clone()} list={sharing.list.clone()} /> }),
        Dialog::Truth => truth(sharing.truth.as_deref()),
        Dialog::Cluster => group().add(cluster::body(send, state)),
    };
    // A problem is shown in the dialog that it came up in.
    group()
        .with(body)
        .maybe(problem(send, sharing.dialog == Some(own), &sharing.problem).map(|one| one.set("id", PROBLEM)))
        .into()
}

/// A comparison can be saved only as a scenario.
fn share(send: &Dispatch, is_comparison: bool) -> El {
    let save = |one: &(Export, &'static str, &str)| {
        button("button", send, send_of(ShareMsg::Save(one.0))).text(Text::fixed(one.1))
    };
    group()
        .with(text("label", "", text!("A link that opens the page at this moment")).set("for", "share-link"))
        .with(
            el("div", "dialog__row")
                .with(
                    el("input", "text")
                        .set("id", "share-link")
                        .set("type", "text")
                        .set("readonly", "")
                        .set("size", "1"),
                )
                .with(button("button button--primary", send, send_of(ShareMsg::Copy)).text(text!("Copy link"))),
        )
        .with(text("p", "dialog__hint", text!("The whole run is in the link; nothing is stored anywhere.")))
        .with(el("p", "dialog__said").set("id", "share-said").set("role", "status"))
        .with(text("h3", "heading", text!("Save as a file")))
        .with(
            el("div", "dialog__row")
                .each(Export::ALL.iter().filter(|one| !is_comparison || one.0 == Export::Scenario), save),
        )
        .with(text("h3", "heading", text!("In a page of your own")))
        .with(
            text("a", "", text!("Snippets for an embedded figure"))
                .set("href", if is_chinese() { "embed.zh.html" } else { "embed.html" }),
        )
        .verbatim(" · ")
        .with(text("a", "", text!("The simulator from JavaScript")).set("href", "example.html"))
}

/// The problem, the scenario's description, and the way back to the previous run.
pub(crate) fn notes(send: &Dispatch, state: &State) -> El {
    let sharing = &state.sharing;
    let said = sharing.told(state.session.cluster().now().0 - START.0);
    let about = sharing.shows_about.then(|| {
        html! {
            <Telling send={send.clone()} about={sharing.about.clone()} {said} has_back={sharing.before.is_some()} />
        }
    });
    group().maybe(outside(send, sharing)).add(about.unwrap_or_default()).with(open_here(send))
}

fn dismiss(send: &Dispatch) -> El {
    button("button button--small", send, send_of(ShareMsg::Dismiss)).text(text!("Dismiss"))
}

/// A problem while no dialog is open; an open dialog shows its own.
pub(crate) fn outside(send: &Dispatch, sharing: &Sharing) -> Option<El> {
    problem(send, sharing.dialog.is_none(), &sharing.problem)
}

fn problem(send: &Dispatch, here: bool, problem: &Text) -> Option<El> {
    (here && !problem.is_empty()).then(|| {
        el("div", "refusal")
            .set("role", "alert")
            .with(text("p", "refusal__words", problem))
            .with(text("p", "refusal__hint", text!("Nothing was changed.")))
            .with(el("div", "refusal__acts").with(dismiss(send)))
    })
}

/// The link from an embedded figure to the whole page. Its address is written just before it is followed.
pub(crate) fn open_here(send: &Dispatch) -> El {
    text("a", "open-here", text!("Open in SetScope"))
        .set("id", "open-here")
        .set("href", "./")
        .set("target", "_blank")
        .set("rel", "noopener")
        .on(On::PointerDown, send, |_| Some(send_of(ShareMsg::Link)))
        .on(On::Key, send, |_| Some(send_of(ShareMsg::Link)))
}
