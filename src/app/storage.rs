//! The browser's own storage. What cannot be stored is not there next time; nothing else depends on it.

use crate::page::{LEARNED, QUARANTINE_KEY, SAVED};
use web_sys::{Storage, window};

/// The tab's own storage first, so that two tabs do not take each other's run; then what all tabs share, which has the newest.
fn storages() -> impl Iterator<Item = Storage> {
    let window = window();
    let own = window.as_ref().and_then(|window| window.session_storage().ok()?);
    own.into_iter().chain(window.and_then(|window| window.local_storage().ok()?))
}

/// Stores a text. A full storage keeps what it had.
pub(super) fn store(key: &str, text: &str) {
    storages().for_each(|storage| _ = storage.set_item(key, text));
}

/// Removes a key.
pub(super) fn forget(key: &str) {
    storages().for_each(|storage| _ = storage.remove_item(key));
}

/// The run that was saved. It lies aside until it is stored again, so that one that stops the page is not read again.
pub(super) fn take_saved() -> Option<String> {
    let (storage, text) = storages().find_map(|storage| Some((storage.clone(), storage.get_item(SAVED).ok()??)))?;
    // What another tab has saved since stays where it is.
    let is_newest = |one: &Storage| one.get_item(SAVED).ok().flatten().as_ref() == Some(&text);
    storages().filter(|one| *one == storage || is_newest(one)).for_each(|one| _ = one.remove_item(SAVED));
    storages().for_each(|storage| _ = storage.set_item(QUARANTINE_KEY, &text));
    Some(text)
}

/// The lessons that were done, in any tab.
pub(super) fn learned() -> Option<String> {
    storages().last()?.get_item(LEARNED).ok()?
}
