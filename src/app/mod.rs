//! The page: it draws `view`'s values and sends commands; it decides nothing about Kubernetes.

mod appearance;
mod browser;
mod cards;
mod controls;
mod dialogs;
mod effects;
mod el;
mod explanation;
mod host;
mod icon;
mod inspector;
mod inspector_state;
mod keyboard;
mod keys_dialog;
mod lanes;
mod language;
mod nodes;
mod page;
mod part;
mod rail;
mod refusal_note;
mod run;
mod saved;
mod sharing;
mod stage;
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
