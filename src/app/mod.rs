//! The page: it draws `view`'s values and sends commands; it decides nothing about Kubernetes.

mod appearance;
mod beside;
mod browser;
mod cards;
mod cluster;
mod controls;
mod copy;
mod dialogs;
mod dispatch;
mod effects;
mod frames;
mod gallery;
mod header;
mod help;
mod host;
mod icon;
mod inspector;
mod keyboard;
mod lanes;
mod language;
mod learn;
mod media;
mod modal;
mod moment;
mod next_steps;
mod nodes;
mod page;
mod panes;
mod panic;
mod pod_panel;
mod pod_words;
mod pointed;
mod program;
mod rail;
mod reading;
mod refusal_note;
mod roving;
mod same;
mod select;
mod share;
mod size;
mod stage;
mod starters;
mod storage;
mod theme;
mod time;
mod transport;
mod truth;
mod verdict;
mod width;

pub use page::App;
pub use panic::install as tell_of_panics;
#[cfg(debug_assertions)]
pub use rail::tiles_drawn;
#[cfg(debug_assertions)]
pub use time::rows_drawn;
