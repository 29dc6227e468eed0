//! The page's head: what this is, and how it looks.

use super::dialogs::openers;
use super::dispatch::Dispatch;
use super::effects::LANGUAGE_SWITCH;
use super::el::{El, button, el, text, verbatim};
use super::language;
use crate::page::InspectorMsg;
use crate::page::Msg;
use crate::page::Theme;
use crate::text::Text;

/// The head.
pub(crate) fn top_bar(send: &Dispatch, theme: Theme) -> El {
    let themes = [(Theme::Auto, text!("Auto")), (Theme::Light, text!("Light")), (Theme::Dark, text!("Dark"))];
    let choice = |(option, name): (Theme, Text)| {
        button("segments__one", send, Msg::Theme(option)).truth("aria-pressed", option == theme).text(name)
    };
    el("header", "top")
        .with(el("span", "top__logo").set("aria-hidden", "true").with(el("i", "")).with(el("i", "")).with(el("i", "")))
        .with(verbatim("h1", "top__name", "SetScope"))
        .with(text("p", "top__what", text!("The StatefulSet controller at work, one decision at a time")))
        .with(openers(send))
        .with(
            button("button button--quiet top__line", send, Msg::Inspector(InspectorMsg::Prompt))
                .verbatim("kubectl…")
                .with(verbatim("kbd", "", "Ctrl/⌘ K").set("aria-hidden", "true")),
        )
        .with(
            el("div", "segments segments--small")
                .set("role", "group")
                .say("aria-label", text!("Theme"))
                .each(themes, choice),
        )
        .with(languages(send))
        .with(
            button("button button--square", send, Msg::Keys(true))
                .say("aria-label", text!("Keys"))
                .say("title", text!("Keys"))
                .verbatim("?"),
        )
}

/// Each language in its own words, for those who do not read the other.
fn languages(send: &Dispatch) -> El {
    let chinese = language::is_chinese();
    let (name, tag, word) = if chinese { ("en", "en", "English") } else { ("zh", "zh-CN", "中文") };
    button("button button--quiet top__language", send, Msg::Speak(name))
        .set("id", LANGUAGE_SWITCH)
        .set("lang", tag)
        .verbatim(word)
}
