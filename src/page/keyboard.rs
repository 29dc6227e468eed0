//! The page's keys. Whatever has the focus keeps the keys that it needs itself.

use super::message::{InspectorMsg, Msg};

/// What has the focus, as far as keys are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Nothing that uses keys.
    Page,
    /// A button, a link or a summary: Space presses it.
    Button,
    /// A slider, a tab or a radio button: it uses all keys but Escape.
    Widget,
    /// A region that scrolls: it uses the keys that scroll.
    Scroller,
    /// A field, a list or a panel beside what it is about: it uses all keys, except that of the kubectl line.
    Field,
    /// A dialog over the page, which has no part in what happens under it.
    Modal,
}

/// A key that was pressed.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// The character or the name of the key, as `KeyboardEvent.key`.
    pub key: &'a str,
    /// The place of the key on the keyboard, as `KeyboardEvent.code`.
    pub code: &'a str,
    /// With Shift.
    pub shift: bool,
    /// With Ctrl, or with ⌘.
    pub command: bool,
    /// With Alt.
    pub alt: bool,
    /// An element has used it already.
    pub used: bool,
    /// What has the focus.
    pub focus: Focus,
}

/// What the key means to the page.
pub fn message(pressed: &Key<'_>) -> Option<Msg> {
    let Key { key, code, shift, command, alt, used, focus } = *pressed;
    if focus != Focus::Modal && command && !shift && !alt && key.eq_ignore_ascii_case("k") {
        return Some(Msg::Inspector(InspectorMsg::Prompt));
    }
    let kept = match focus {
        Focus::Page => false,
        Focus::Button => key == " " && !command,
        Focus::Widget => key != "Escape",
        Focus::Scroller => matches!(key, " " | "ArrowLeft" | "ArrowRight" | "Home" | "End") && !command,
        Focus::Field | Focus::Modal => true,
    };
    if used || alt || kept {
        return None;
    }
    match key {
        "z" if command && !shift => Some(Msg::Undo),
        "z" | "Z" | "y" if command => Some(Msg::Redo),
        _ if command => None,
        " " => Some(Msg::Toggle),
        "ArrowRight" if shift => Some(Msg::StepSync),
        "ArrowLeft" if shift => Some(Msg::StepSyncBack),
        "." | "ArrowRight" => Some(Msg::Step),
        "," | "ArrowLeft" => Some(Msg::StepBack),
        ">" => Some(Msg::StepSync),
        "<" => Some(Msg::StepSyncBack),
        "Home" => Some(Msg::ToStart),
        "End" => Some(Msg::RunUntilSettled),
        "?" => Some(Msg::Help(true)),
        "Escape" => Some(Msg::Cover(None)),
        // On keyboards where Shift gives another character on the same key.
        _ if shift && code == "Period" => Some(Msg::StepSync),
        _ if shift && code == "Comma" => Some(Msg::StepSyncBack),
        _ => None,
    }
}
