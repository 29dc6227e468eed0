//! The page's head: what this is, and how it looks.

use super::dialogs::openers;
use super::el::{Dispatch, El, button, el, text};
use super::language;
use crate::page::InspectorMsg;
use crate::page::Msg;
use crate::page::Theme;

const THEMES: [(Theme, &str); 3] = [(Theme::Auto, "Auto"), (Theme::Light, "Light"), (Theme::Dark, "Dark")];

/// The head.
pub(crate) fn top_bar(send: &Dispatch, theme: Theme) -> El {
    let choice = |(option, name): (Theme, &str)| {
        button("segments__one", send, Msg::Theme(option)).truth("aria-pressed", option == theme).text(name)
    };
    el("header", "top")
        .with(el("span", "top__logo").set("aria-hidden", "true").with(el("i", "")).with(el("i", "")).with(el("i", "")))
        .with(text("h1", "top__name", "SetScope"))
        .with(text("p", "top__what", "The StatefulSet controller at work, one decision at a time"))
        .with(openers(send))
        .with(
            button("button button--quiet top__line", send, Msg::Inspector(InspectorMsg::Prompt))
                .text("kubectl…")
                .with(text("kbd", "", "Ctrl/⌘ K").set("aria-hidden", "true")),
        )
        .with(
            el("div", "segments segments--small").set("role", "group").set("aria-label", "Theme").each(THEMES, choice),
        )
        .with(languages(send))
        .with(
            button("button button--square", send, Msg::Keys(true))
                .set("aria-label", "Keys")
                .set("title", "Keys")
                .text("?"),
        )
}

/// Each language in its own words, for those who do not read the other.
fn languages(send: &Dispatch) -> El {
    let chinese = language::is_chinese();
    let (name, tag, word) = if chinese { ("en", "en", "English") } else { ("zh", "zh-CN", "中文") };
    button("button button--quiet top__language", send, Msg::Speak(name)).set("lang", tag).verbatim(word)
}
