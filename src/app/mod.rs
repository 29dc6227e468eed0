//! The page: it draws `view`'s values and sends commands; it decides nothing about Kubernetes.

mod browser;
mod cards;
mod controls;
mod desk;
mod dialogs;
mod el;
mod host;
mod icon;
mod inspector;
mod keyboard;
mod keys_dialog;
mod lanes;
mod language;
mod looks;
mod nodes;
mod page;
mod part;
mod rail;
mod refusal_note;
mod run;
mod saved;
mod settle;
mod sharing;
mod stage;
mod stands;
mod start;
mod starters;
mod state;
mod theme;
mod time;
mod top_bar;
mod transport;

pub use page::App;
#[cfg(debug_assertions)]
pub use rail::tiles_drawn;
#[cfg(debug_assertions)]
pub use time::rows_drawn;
