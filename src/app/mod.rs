//! The page's components: they draw `view`'s values and send commands; they decide nothing about Kubernetes.

mod controls;
mod dispatch;
mod hooks;
mod icon;
mod inspector;
mod keys_dialog;
mod live;
mod looks;
mod nodes;
mod page;
mod rail;
mod refusal_note;
mod stage;
mod stands;
mod start;
mod state;
mod top_bar;
mod transport;

pub use page::App;
#[cfg(debug_assertions)]
pub use rail::tiles_drawn;
