//! Rows that people open and close.

use std::collections::BTreeSet;
use yew::{Callback, MouseEvent, UseStateHandle};

/// A click opens the row, or closes it where it is among the open ones.
pub(super) fn toggling<K: Copy + Ord + 'static>(open: &UseStateHandle<BTreeSet<K>>, row: K) -> Callback<MouseEvent> {
    let open = open.clone();
    Callback::from(move |_: MouseEvent| {
        let mut next = (*open).clone();
        if !next.remove(&row) {
            next.insert(row);
        }
        open.set(next);
    })
}
