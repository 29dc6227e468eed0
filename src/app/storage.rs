//! The browser's own storage. What cannot be stored is not there next time; nothing else depends on it.

use crate::page::{ASIDE, LEARNED, SAVED};
use web_sys::{Storage, window};

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// Stores a text. A full storage keeps what it had.
pub(super) fn store(key: &str, text: &str) {
    let _ = storage().map(|storage| storage.set_item(key, text));
}

/// Removes a key.
pub(super) fn forget(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}

/// The run that was saved. It lies aside until it is stored again, so that one that stops the page is not read again.
pub(super) fn take_saved() -> Option<String> {
    let text = storage()?.get_item(SAVED).ok()??;
    forget(SAVED);
    store(ASIDE, &text);
    Some(text)
}

/// The lessons that were done.
pub(super) fn learned() -> Option<String> {
    storage()?.get_item(LEARNED).ok()?
}
