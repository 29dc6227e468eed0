//! The page's head: what this is, the ways in, and a menu of what does not fit.

use super::browser::{document, focus};
use super::dispatch::{Dispatch, sends};
use super::language::{is_chinese, say};
use super::size::{Size, use_size};
use crate::page::{Dialog, Msg, ShareMsg, Theme};
use crate::text::Text;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

/// The id of the button of the menu.
pub(super) const MENU_BUTTON: &str = "more-button";
const MENU: &str = "page-menu";

/// On which side of the head.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Start,
    End,
}

/// A way in. Where the page is smaller than this size it is in the menu.
struct Entry {
    side: Side,
    from: Size,
    name: Text,
    msg: Msg,
}

/// The ways in, in their order: a row each.
fn entries() -> Vec<Entry> {
    let entry = |side, from, name, msg| Entry { side, from, name, msg };
    let show = |dialog| Msg::Share(ShareMsg::Show(Some(dialog)));
    vec![
        entry(Side::Start, Size::Phone, text!("Examples"), show(Dialog::Learn)),
        entry(Side::Start, Size::Panes, text!("Open your cluster"), show(Dialog::Cluster)),
        entry(Side::End, Size::Panes, text!("Share"), show(Dialog::Share)),
    ]
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) theme: Theme,
    /// Whether the run can be started over.
    #[prop_or_default]
    pub(crate) can_start_over: bool,
}

#[component]
pub(crate) fn Header(props: &Props) -> Html {
    let (send, size) = (&props.send, use_size());
    let fit = |side: Side| entries().into_iter().filter(move |entry| entry.side == side && size >= entry.from);
    let opener = |Entry { name, msg, .. }: Entry| {
        html! { <button type="button" class="button button--quiet" onclick={sends(send, msg)}>{ say(name) }</button> }
    };
    html! {
        <header class="top">
            <button type="button" class="top__skip" onclick={Callback::from(|_: MouseEvent| to_stage())}>
                { say(text!("Skip to the stage")) }
            </button>
            <span class="top__logo" aria-hidden="true"><i /><i /><i /></span>
            <h1 class="top__name">{ "SetScope" }</h1>
            <nav class="top__ways" aria-label={say(text!("Ways in"))}>{ for fit(Side::Start).map(opener) }</nav>
            <div class="top__ways top__ways--end">
                <div class="top__ways">{ for fit(Side::End).map(opener) }</div>
                <button type="button" id={MENU_BUTTON} class="button button--square button--quiet" popovertarget={MENU}
                    aria-label={say(text!("More"))} title={say(text!("More"))}>{ "…" }</button>
                <Menu send={send.clone()} theme={props.theme} {size} can_start_over={props.can_start_over} />
            </div>
        </header>
    }
}

/// Past the head and the controls. The address stays: it may name the run.
fn to_stage() {
    let stage = document().and_then(|document| document.query_selector("main:not([hidden] main)").ok()?);
    stage.iter().for_each(focus);
}

#[derive(Properties, PartialEq)]
struct MenuProps {
    send: Dispatch,
    theme: Theme,
    size: Size,
    can_start_over: bool,
}

/// What does not fit, and what is seldom wanted. The browser opens it, and closes it on Escape or a click beside it.
#[component]
fn Menu(props: &MenuProps) -> Html {
    let (send, theme) = (&props.send, props.theme);
    let item = |name: Text, msg: Msg, is_off: bool| {
        html! {
            <button type="button" class="top__item" popovertarget={MENU} popovertargetaction="hide" disabled={is_off}
                onclick={sends(send, msg)}>{ say(name) }</button>
        }
    };
    let themes = [(Theme::Auto, text!("Auto")), (Theme::Light, text!("Light")), (Theme::Dark, text!("Dark"))];
    let choice = |(option, name): (Theme, Text)| {
        html! {
            <button type="button" class="segments__one" aria-pressed={(option == theme).to_string()}
                onclick={sends(send, Msg::Theme(option))}>{ say(name) }</button>
        }
    };
    // Each language in its own words, for those who do not read the other.
    let (language, tag, word) = if is_chinese() { ("en", "en", "English") } else { ("zh", "zh-CN", "中文") };
    let rest = entries().into_iter().filter(|entry| props.size < entry.from);
    let truth = Msg::Share(ShareMsg::Show(Some(Dialog::Truth)));
    html! {
        <div id={MENU} class="top__menu" popover="auto" role="group" aria-label={say(text!("More"))}>
            <div class="top__rest">{ for rest.map(|Entry { name, msg, .. }| item(name, msg, false)) }</div>
            { item(text!("Help"), Msg::Help(true), false) }
            { item(text!("How true is this?"), truth, false) }
            <a class="top__item" href="hosting.html" target="_blank" rel="noopener">{ say(text!("Hosting it yourself")) }</a>
            { item(text!("Start over"), Msg::StartOver, !props.can_start_over) }
            <button type="button" class="top__item top__language" lang={tag} onclick={sends(send, Msg::Speak(language))}>
                { word }
            </button>
            <div class="segments segments--small" role="group" aria-label={say(text!("Theme"))}>
                { for themes.into_iter().map(choice) }
            </div>
        </div>
    }
}
