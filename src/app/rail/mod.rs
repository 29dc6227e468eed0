//! The rail: the pods by ordinal, and the flags between them.

mod board;
mod flag;
mod menu;
mod tile;

pub(crate) use board::board;
pub(crate) use flag::lean;
pub(crate) use tile::tile;
#[cfg(debug_assertions)]
pub use tile::tiles_drawn;
