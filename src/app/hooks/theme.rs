//! Light, dark, or as the system has it. www/theme.js puts the stored choice on <html> before the first paint.

use web_sys::{Storage, window};
use yew::prelude::*;

const KEY: &str = "setscope.theme";

/// The choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// What is stored; none for the system's choice.
    pub(crate) fn stored(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }
}

// Storage can be blocked, as in an embedded page: the choice then lasts as long as the page.
fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

fn chosen() -> Theme {
    match storage().and_then(|storage| storage.get_item(KEY).ok()?).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

fn choose(theme: Theme) {
    let root = window().and_then(|window| window.document()).and_then(|document| document.document_element());
    let (Some(root), storage) = (root, storage()) else { return };
    // What cannot be stored still holds for this visit.
    let _ = match theme.stored() {
        Some(name) => {
            let _ = storage.map(|storage| storage.set_item(KEY, name));
            root.set_attribute("data-theme", name)
        }
        None => {
            let _ = storage.map(|storage| storage.remove_item(KEY));
            root.remove_attribute("data-theme")
        }
    };
}

/// The choice, and how to change it.
#[hook]
pub(crate) fn use_theme() -> (Theme, Callback<Theme>) {
    let theme = use_state_eq(chosen);
    let setter = theme.setter();
    let set = Callback::from(move |theme| {
        choose(theme);
        setter.set(theme);
    });
    (*theme, set)
}
