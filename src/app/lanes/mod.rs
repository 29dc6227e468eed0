//! Runs side by side: the page while a comparison is open. It takes the messages of time for itself; the single run stays
//! underneath as it was.

mod after_render;
mod controls;
mod lane;
mod page;
mod table;
mod time;

pub(crate) use after_render::AfterRender;
pub(crate) use page::page;
