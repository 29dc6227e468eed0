//! The dialog "Share": a link, a figure for a page of one's own, pictures, and the report; and what is printed.

mod caption;
mod figure;
mod link;
mod pictures;
mod report;

use super::browser::rove;
use super::dispatch::{Dispatch, sends};
use super::language::{say, translated};
use crate::page::{Caption, Msg, Preview, ShareMsg, State};
use crate::text::Text;
use crate::view::Export;
use caption::CaptionFields;
use figure::Figure;
use link::Link;
use pictures::Pictures;
pub(crate) use report::PrintedReport;
use report::Report;
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html, use_effect_with, use_state_eq};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    send: Dispatch,
    /// Whether the dialog is open.
    is_open: bool,
    /// The address that opens the page at this moment; empty until it is made.
    link: Rc<str>,
    caption: Caption,
    preview: Option<Rc<Preview>>,
    /// Whether several runs are open: these have no pictures and no report.
    is_comparison: bool,
    /// The name of the lesson that is on.
    lesson: Option<Rc<str>>,
    /// Whether the run began with objects, as those of a real cluster.
    has_objects: bool,
    /// Whether links and files hold the values of the objects' environment variables and annotations.
    has_values: bool,
}

impl Props {
    pub(crate) fn new(send: &Dispatch, state: &State, is_open: bool) -> Self {
        let sharing = &state.sharing;
        let about = state.lanes.as_ref().map_or(&sharing.about, |comparison| &comparison.about);
        let authored = |text: &str| translated(&Text::authored(text));
        let own = || Caption { title: authored(&about.title), text: authored(&about.text) };
        Self {
            send: send.clone(),
            is_open,
            link: sharing.link.clone(),
            caption: sharing.caption.clone().unwrap_or_else(own),
            preview: sharing.preview.clone(),
            is_comparison: state.lanes.is_some(),
            lesson: state.learn.name(),
            has_objects: state.lanes.is_none() && state.stage.session.is_of_text(),
            has_values: sharing.has_values,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Tab {
    Link,
    Figure,
    Picture,
    Report,
}

const TABS: [Tab; 4] = [Tab::Link, Tab::Figure, Tab::Picture, Tab::Report];

impl Tab {
    fn name(self) -> Text {
        match self {
            Self::Link => text!("Link"),
            Self::Figure => text!("Figure"),
            Self::Picture => text!("Picture"),
            Self::Report => text!("Report"),
        }
    }

    fn id(self) -> &'static str {
        match self {
            Self::Link => "share-tab-link",
            Self::Figure => "share-tab-figure",
            Self::Picture => "share-tab-picture",
            Self::Report => "share-tab-report",
        }
    }

    /// Whether it shows what is made of the run only while it is looked at.
    fn has_preview(self) -> bool {
        matches!(self, Self::Picture | Self::Report)
    }
}

#[component]
pub(crate) fn Share(props: &Props) -> Html {
    let chosen = use_state_eq(|| Tab::Link);
    let Props { send, caption, .. } = props;
    let tabs = if props.is_comparison { &TABS[..2] } else { &TABS[..] };
    let at = tabs.iter().position(|tab| *tab == *chosen).unwrap_or(0);
    let current = tabs[at];
    {
        let send = send.clone();
        use_effect_with((props.is_open, current), move |(is_open, current)| {
            if *is_open && current.has_preview() {
                send.emit(Msg::Share(ShareMsg::Preview(true)));
            }
        });
    }
    let onkeydown = {
        let chosen = chosen.clone();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(tab) = rove(&event, at, tabs.len(), false).and_then(|at| tabs.get(at)) {
                chosen.set(*tab);
            }
        })
    };
    let tab = |tab: &Tab| {
        let (tab, chosen) = (*tab, chosen.clone());
        html! {
            <button type="button" role="tab" id={tab.id()} class="tabs__one" aria-selected={(tab == current).to_string()}
                aria-controls="share-panel" tabindex={if tab == current { "0" } else { "-1" }}
                onclick={Callback::from(move |_: MouseEvent| chosen.set(tab))}>{ say(tab.name()) }</button>
        }
    };
    let preview = props.preview.clone();
    let panel = match current {
        Tab::Link => html! {
            <Link send={send.clone()} link={props.link.clone()} is_comparison={props.is_comparison}
                has_objects={props.has_objects} has_values={props.has_values} />
        },
        Tab::Figure => html! {
            <Figure key={props.lesson.clone().unwrap_or_default()} link={props.link.clone()} title={caption.title.clone()}
                is_comparison={props.is_comparison} lesson={props.lesson.clone()} />
        },
        Tab::Picture => html! { <Pictures send={send.clone()} {preview} /> },
        Tab::Report => html! { <Report send={send.clone()} {preview} /> },
    };
    html! {
        <>
            <CaptionFields send={send.clone()} caption={caption.clone()} />
            <div class="tabs share__tabs" role="tablist" aria-label={say(text!("Share this moment"))} {onkeydown}>
                { for tabs.iter().map(tab) }
            </div>
            <div id="share-panel" class="share__panel" role="tabpanel" aria-labelledby={current.id()} key={current.id()}>
                { panel }
            </div>
            <p id="share-said" class="dialog__said" role="status"></p>
        </>
    }
}

/// A button that saves something of the run as a file.
fn save(send: &Dispatch, export: Export) -> Html {
    let name = Export::ALL.iter().find(|one| one.0 == export).map_or("", |one| one.1);
    html! {
        <button type="button" class="button" onclick={sends(send, Msg::Share(ShareMsg::Save(export)))}>
            { say(Text::fixed(name)) }
        </button>
    }
}

/// A picture, given as SVG, as an address.
fn address_of(svg: &str) -> String {
    format!("data:image/svg+xml,{}", js_sys::encode_uri_component(svg))
}
