//! Light, dark, or as the system has it. www/theme.js puts the stored choice on <html> before the first paint.

use super::browser::document;
use super::storage;
use crate::page::Theme;

const KEY: &str = "setscope.theme";
const ATTRIBUTE: &str = "data-theme";

/// The choice that the page was opened with.
pub(super) fn chosen() -> Theme {
    let root = document().and_then(|document| document.document_element());
    match root.and_then(|root| root.get_attribute(ATTRIBUTE)).as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

/// Shows and stores the choice. What cannot be stored, as in an embedded page, still holds for this visit.
pub(super) fn choose(theme: Theme) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    let name = match theme {
        Theme::Auto => {
            storage::forget(KEY);
            let _ = root.remove_attribute(ATTRIBUTE);
            return;
        }
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    storage::store(KEY, name);
    let _ = root.set_attribute(ATTRIBUTE, name);
}
