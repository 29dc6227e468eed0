//! What touches the browser over time: one hook a file, each stops when its component goes.

mod keyboard;
mod theme;
mod ticker;

pub(crate) use keyboard::use_keyboard;
pub(crate) use theme::{Theme, use_theme};
pub(crate) use ticker::use_ticker;
