//! Light, dark, or as the system has it. www/theme.js puts the stored choice on <html> before the first paint.

use super::browser::document;
use web_sys::window;

const KEY: &str = "setscope.theme";
const ATTRIBUTE: &str = "data-theme";

/// The choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The system's.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The choice that the page was opened with.
    pub(crate) fn chosen() -> Self {
        let root = document().and_then(|document| document.document_element());
        match root.and_then(|root| root.get_attribute(ATTRIBUTE)).as_deref() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::Auto,
        }
    }

    /// Shows and stores the choice. What cannot be stored, as in an embedded page, still holds for this visit.
    pub(crate) fn choose(self) {
        let storage = window().and_then(|window| window.local_storage().ok()?);
        let Some(root) = document().and_then(|document| document.document_element()) else { return };
        let name = match self {
            Self::Auto => {
                let _ = storage.map(|storage| storage.remove_item(KEY));
                let _ = root.remove_attribute(ATTRIBUTE);
                return;
            }
            Self::Light => "light",
            Self::Dark => "dark",
        };
        let _ = storage.map(|storage| storage.set_item(KEY, name));
        let _ = root.set_attribute(ATTRIBUTE, name);
    }
}
